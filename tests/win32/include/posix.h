/* posix.h - what the tests take from POSIX and Windows does not have.
 *
 * Included by the compiler before every file of the tests on Windows
 * (tests/win32/win32.mk), never by the tool or the runtime. What can be done is
 * done (support/posix_win32.c); what cannot ends the claim that asks for it as
 * skipped, with the reason. Claims need not know.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WIN32_POSIX_H
#define TESTS_WIN32_POSIX_H

/* A name of the system's that is nobody's here. */
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

/* -- done -- */

#define mkdir(path, mode) win32_mkdir(path)
int win32_mkdir(const char *path);
char *mkdtemp(char *pattern);

/* After so many seconds the process ends; 0: never mind. */
unsigned alarm(unsigned seconds);

/* Freed by free, which is led through a wrapper (-Wl,--wrap=free). */
void *aligned_alloc(size_t alignment, size_t bytes);

#define TIME_UTC 1
int timespec_get(struct timespec *now, int base);

/* A buffer of lines is not there: what is written goes out at once. */
#define setvbuf(file, buffer, mode, bytes) setvbuf(file, NULL, _IONBF, 0)

#define write(file, data, bytes) write(file, data, (unsigned)(bytes))
#define geteuid() 1 /* nobody in particular */

#define O_NONBLOCK 0
#define O_CLOEXEC 0

/* -- skipped -- */

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

/* -- what only stands behind a skip -- */

#define SIGKILL 9
#define SIGXFSZ SIGTERM
#define S_ISLNK(mode) 0
#define lstat(path, info) stat(path, info)

#endif
