/* sys/mman.h - shared memory for child processes, which Windows cannot fork.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WIN32_SYS_MMAN_H
#define TESTS_WIN32_SYS_MMAN_H

#include <sys/types.h>

#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_ANONYMOUS 2
#define MAP_FAILED NULL

void *mmap(void *at, size_t bytes, int access, int flags, int file,
           off_t offset);
int munmap(void *at, size_t bytes);

#endif
