/* mem_functions.c - the four memory functions that a program without a C
 * library defines for the runtime.
 *
 * Volatile accesses keep the compiler from replacing the loops by calls of the
 * same functions.
 */
/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict target, const void *restrict source, size_t bytes);
void *memmove(void *target, const void *source, size_t bytes);
void *memset(void *target, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);

void *memcpy(void *restrict target, const void *restrict source, size_t bytes)
{
    volatile unsigned char *to = target;
    const unsigned char *from = source;

    for (size_t i = 0; i < bytes; i++)
        to[i] = from[i];
    return target;
}

void *memmove(void *target, const void *source, size_t bytes)
{
    volatile unsigned char *to = target;
    const volatile unsigned char *from = source;

    if ((uintptr_t)target < (uintptr_t)source)
        for (size_t i = 0; i < bytes; i++)
            to[i] = from[i];
    else
        for (size_t i = bytes; i > 0; i--)
            to[i - 1] = from[i - 1];
    return target;
}

void *memset(void *target, int value, size_t bytes)
{
    volatile unsigned char *to = target;

    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)value;
    return target;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
    const unsigned char *x = a;
    const unsigned char *y = b;

    for (size_t i = 0; i < bytes; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}
