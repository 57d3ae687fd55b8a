/* mem.h - the four functions of the C library that the runtime uses.
 *
 * Declared here because a freestanding compiler need not have <string.h>.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_MEM_H
#define SPN_BASE_MEM_H

#include <stddef.h>

#if defined(__STDC_HOSTED__) && __STDC_HOSTED__
#include <string.h>
#else
void *memcpy(void *restrict target, const void *restrict source, size_t bytes);
void *memmove(void *target, const void *source, size_t bytes);
void *memset(void *target, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
#endif

#endif
