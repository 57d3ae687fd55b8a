/* posix.h - POSIX functions that the tests call and Windows does not have.
 *
 * On Windows the compiler includes this header before every file of the tests
 * (tests/win32/win32.mk), never in the tool or the runtime. Functions that
 * Windows can express are implemented (support/posix_win32.c). The others end
 * the claim that calls them as skipped, with the reason; claims contain no code
 * for this.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WIN32_POSIX_H
#define TESTS_WIN32_POSIX_H

/* A function of the system's headers whose name the tests use. */
#define tell win32_tell
#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#undef tell

/* -- implemented -- */

#define mkdir(path, mode) win32_mkdir(path)
int win32_mkdir(const char *path);
char *mkdtemp(char *pattern);

/* End the process after `seconds`; 0 cancels this. */
unsigned alarm(unsigned seconds);

/* Freed by free, which -Wl,--wrap=free replaces. */
void *aligned_alloc(size_t alignment, size_t bytes);

#define TIME_UTC 1
int timespec_get(struct timespec *now, int base);

/* Windows has no line buffering, so write without a buffer. */
#define setvbuf(file, buffer, mode, bytes) setvbuf(file, NULL, _IONBF, 0)

#define write(file, data, bytes) write(file, data, (unsigned)(bytes))
#define geteuid() 1 /* no user has this number */

#define O_NONBLOCK 0
#define O_CLOEXEC 0

/* -- functions that skip the claim -- */

#define fork() win32_fork()
pid_t win32_fork(void);
#define chmod(path, mode) win32_chmod(path)
int win32_chmod(const char *path);
int symlink(const char *to, const char *path);
int mkfifo(const char *path, int mode);
#define truncate(path, bytes) win32_truncate(path)
int win32_truncate(const char *path);
long pwrite(int file, const void *data, size_t bytes, off_t at);
FILE *open_memstream(char **text, size_t *bytes);

/* -- names that are used only after a skip -- */

#define SIGKILL 9
#define SIGXFSZ SIGTERM
#define S_ISLNK(mode) 0
#define lstat(path, info) stat(path, info)

#endif
