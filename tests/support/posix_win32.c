/* posix_win32.c - the POSIX functions of the tests, for Windows. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <windows.h>

#undef chmod
#undef fork
#undef mkdir
#undef truncate

/* Open files and streams in binary mode. */
static void __attribute__((constructor)) use_binary_files(void)
{
    _fmode = _O_BINARY;
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
    _setmode(2, _O_BINARY);
}

/* -- implemented -- */

int win32_mkdir(const char *path)
{
    return _mkdir(path);
}

char *mkdtemp(char *pattern)
{
    size_t length = strlen(pattern);

    for (unsigned i = 0; i < 1000; i++) {
        snprintf(pattern + length - 6, 7, "%06lx",
                 (GetCurrentProcessId() * 1000 + i) & 0xfffffful);
        if (_mkdir(pattern) == 0)
            return pattern;
    }
    return NULL;
}

int nftw(const char *path,
         int (*visit)(const char *path, const struct stat *info, int kind,
                      struct FTW *place),
         int depth, int flags)
{
    struct FTW place = {0};
    char name[4096];
    WIN32_FIND_DATAA entry;
    HANDLE list;

    snprintf(name, sizeof name, "%s/*", path);
    list = FindFirstFileA(name, &entry);
    for (BOOL is_there = list != INVALID_HANDLE_VALUE; is_there;
         is_there = FindNextFileA(list, &entry)) {
        if (strcmp(entry.cFileName, ".") == 0 ||
            strcmp(entry.cFileName, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry.cFileName);
        if (entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
            nftw(name, visit, depth, flags);
        else
            visit(name, NULL, 0, &place);
    }
    FindClose(list);
    /* remove() deletes files only. */
    return _rmdir(path);
}

static void CALLBACK end_process(void *user, BOOLEAN is_timer)
{
    (void)user;
    (void)is_timer;
    TerminateProcess(GetCurrentProcess(), 142); /* the exit code of a shell: 128
                                                 * and SIGALRM */
}

unsigned alarm(unsigned seconds)
{
    static HANDLE timer;

    if (timer)
        DeleteTimerQueueTimer(NULL, timer, NULL);
    timer = NULL;
    if (seconds > 0)
        CreateTimerQueueTimer(&timer, NULL, end_process, NULL, seconds * 1000,
                              0, WT_EXECUTEINTIMERTHREAD);
    return 0;
}

int timespec_get(struct timespec *now, int base)
{
    return clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

/* -- aligned memory for free() -- */

/* Windows has a separate function to free aligned memory. Here an aligned block
 * lies within a block of malloc, after a mark that contains its own address.
 * Before other blocks lies the heap's header, which cannot equal its own
 * address. */

struct mark {
    void *block;
    uint64_t sign;
};

static uint64_t sign_of(const void *memory)
{
    return (uintptr_t)memory ^ 0x9e3779b97f4a7c15u;
}

void __real_free(void *memory);
void __wrap_free(void *memory);

void *aligned_alloc(size_t alignment, size_t bytes)
{
    uint8_t *block = malloc(bytes + alignment + sizeof(struct mark));
    uintptr_t first = (uintptr_t)block + sizeof(struct mark);
    uintptr_t place = (first + alignment - 1) & ~(uintptr_t)(alignment - 1);
    struct mark *mark = (struct mark *)place - 1;

    if (!block)
        return NULL;
    mark->block = block;
    mark->sign = sign_of((void *)place);
    /* -fanalyzer: the mark knows the block. */
    return (void *)place;
}

void __wrap_free(void *memory)
{
    struct mark *mark = memory ? (struct mark *)memory - 1 : NULL;

    if (!mark || mark->sign != sign_of(memory)) {
        __real_free(memory);
        return;
    }
    mark->sign = 0;
    __real_free(mark->block);
}

/* -- functions that skip the claim -- */

pid_t win32_fork(void)
{
    test_skip("no fork on this system");
}

int win32_chmod(const char *path)
{
    (void)path;
    test_skip("no modes of files on this system");
}

int symlink(const char *to, const char *path)
{
    (void)to;
    (void)path;
    test_skip("links are for administrators on this system");
}

int mkfifo(const char *path, int mode)
{
    (void)path;
    (void)mode;
    test_skip("no pipes with a path on this system");
}

int win32_truncate(const char *path)
{
    (void)path;
    test_skip("a mapped file cannot become shorter on this system");
}

long pwrite(int file, const void *data, size_t bytes, off_t at)
{
    (void)file;
    (void)data;
    (void)bytes;
    (void)at;
    test_skip("no writing at a place on this system");
}

FILE *open_memstream(char **text, size_t *bytes)
{
    (void)text;
    (void)bytes;
    test_skip("no streams into memory on this system");
}

int getrlimit(int what, struct rlimit *limit)
{
    (void)what;
    (void)limit;
    test_skip("no limits of resources on this system");
}

int setrlimit(int what, const struct rlimit *limit)
{
    (void)what;
    (void)limit;
    test_skip("no limits of resources on this system");
}

pid_t waitpid(pid_t child, int *status, int options)
{
    (void)child;
    (void)status;
    (void)options;
    test_skip("no children on this system");
}

pid_t wait4(pid_t child, int *status, int options, struct rusage *usage)
{
    (void)usage;
    return waitpid(child, status, options);
}

void *mmap(void *at, size_t bytes, int access, int flags, int file,
           off_t offset)
{
    (void)at;
    (void)access;
    (void)flags;
    (void)file;
    (void)offset;
    return calloc(1, bytes);
}

int munmap(void *at, size_t bytes)
{
    (void)bytes;
    free(at);
    return 0;
}
