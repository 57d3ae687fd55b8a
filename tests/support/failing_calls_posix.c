/* failing_calls_posix.c - end the process at the Nth call, or let the call
 * fail. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "support/failing_calls.h"

#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct failing_calls failing_calls;

struct failed_calls *failed_calls(void)
{
    static struct failed_calls *shared;

    if (!shared) {
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        CHECK(shared != MAP_FAILED);
    }
    return shared;
}

const char *fault_name(enum fault fault)
{
    static const char *const names[] = {"nothing",      "killed before",
                                        "killed after", "failed",
                                        "full at",      "halved"};

    return names[fault];
}

const char *call_name(enum call call)
{
    static const char *const names[] = {
        "open",  "pwrite", "fsync",    "fsync of the folder",
        "close", "linkat", "renameat", "fchmod"};

    return names[call];
}

static bool is_writing(enum call call)
{
    return call == PWRITE || call == LINKAT || call == RENAME;
}

/* Count a call; false: it must fail, with errno set. */
static bool enter(enum call call)
{
    struct failed_calls *failed = failed_calls();
    bool is_now;

    if (!failing_calls.is_watching)
        return true;
    failed->has_outrun =
        failed->has_outrun ||
        (failing_calls.is_dirty && (call == LINKAT || call == RENAME));
    failing_calls.is_dirty =
        call == PWRITE || (failing_calls.is_dirty && call != FSYNC);
    is_now = ++failed->calls == failing_calls.at;
    if (is_now) {
        failed->call = call;
        failed->has_hit = true;
    }
    if (is_now && failing_calls.fault == KILL_BEFORE)
        raise(SIGKILL);
    if ((is_now && failing_calls.fault == FAIL) ||
        (failing_calls.fault == FAIL_ALL && failed->calls >= failing_calls.at &&
         is_writing(call))) {
        errno = is_writing(call) || call == OPEN ? ENOSPC : EIO;
        return false;
    }
    return true;
}

static void leave(void)
{
    const struct failed_calls *failed = failed_calls();

    if (failing_calls.is_watching && failing_calls.fault == KILL_AFTER &&
        failed->calls == failing_calls.at)
        raise(SIGKILL);
}

#define WRAP(result, name, parameters, call, arguments, failure)               \
    result __real_##name parameters;                                           \
    result __wrap_##name parameters;                                           \
    result __wrap_##name parameters                                            \
    {                                                                          \
        result got;                                                            \
                                                                               \
        if (!enter(call))                                                      \
            return failure;                                                    \
        got = __real_##name arguments;                                         \
        leave();                                                               \
        return got;                                                            \
    }

static enum call fsync_of(int file)
{
    struct stat info;

    return fstat(file, &info) == 0 && S_ISDIR(info.st_mode) ? FSYNC_FOLDER
                                                            : FSYNC;
}

WRAP(int, fsync, (int file), fsync_of(file), (file), -1)
WRAP(int, fchmod, (int file, mode_t mode), FCHMOD, (file, mode), -1)
int __real_linkat(int from_folder, const char *from, int to_folder,
                  const char *to, int flags);
int __wrap_linkat(int from_folder, const char *from, int to_folder,
                  const char *to, int flags);
int __wrap_linkat(int from_folder, const char *from, int to_folder,
                  const char *to, int flags)
{
    int got = -1;

    if (!enter(LINKAT))
        return -1;
    if (failing_calls.system == NO_LINKS)
        errno = EPERM;
    else
        got = __real_linkat(from_folder, from, to_folder, to, flags);
    leave();
    return got;
}

WRAP(int, renameat,
     (int from_folder, const char *from, int to_folder, const char *to), RENAME,
     (from_folder, from, to_folder, to), -1)

/* Even a failed close closes the file. */
int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file)
{
    bool is_good = enter(CLOSE);
    int error = errno;
    int got = __real_close(file);

    leave();
    if (is_good)
        return got;
    errno = error;
    return -1;
}

ssize_t __real_pwrite64(int file, const void *data, size_t bytes, off_t at);
ssize_t __wrap_pwrite64(int file, const void *data, size_t bytes, off_t at);
ssize_t __wrap_pwrite64(int file, const void *data, size_t bytes, off_t at)
{
    ssize_t got;

    if (!enter(PWRITE))
        return -1;
    if (failing_calls.fault == HALVE &&
        failed_calls()->calls == failing_calls.at && bytes > 1)
        bytes /= 2;
    got = __real_pwrite64(file, data, bytes, at);
    leave();
    return got;
}

int __real_openat64(int folder, const char *path, int flags, ...);
int __wrap_openat64(int folder, const char *path, int flags, ...);
int __wrap_openat64(int folder, const char *path, int flags, ...)
{
    bool is_new = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
    mode_t mode = 0;
    va_list rest;
    int got;

    va_start(rest, flags);
    if (is_new)
        mode = va_arg(rest, mode_t);
    va_end(rest);
    if (failing_calls.system == NO_UNNAMED &&
        (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (!is_new)
        return __real_openat64(folder, path, flags);
    if (!enter(OPEN))
        return -1;
    got = __real_openat64(folder, path, flags, mode);
    leave();
    return got;
}

bool has_unnamed_files(const char *folder)
{
    int file = __real_openat64(AT_FDCWD, folder, O_TMPFILE | O_RDWR, 0600);

    if (file >= 0)
        __real_close(file);
    return file >= 0;
}
