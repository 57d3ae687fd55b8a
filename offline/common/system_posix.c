/* system_posix.c - clocks, processors and aligned memory on POSIX systems. */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "common/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint32_t system_cpu_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);

    return count > 0 && count < 4096 ? (uint32_t)count : 1;
}

static double clock_seconds(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) != 0)
        return 0.0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double system_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double system_cpu_seconds(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double system_thread_cpu_seconds(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* Wait in relative steps until the time is reached: macOS has no absolute wait.
 * Delays of single waits do not accumulate. */
void system_wait_until(double seconds)
{
    double left;

    while ((left = seconds - system_seconds()) > 0) {
        struct timespec wait;

        wait.tv_sec = (time_t)left;
        wait.tv_nsec = (long)((left - (double)wait.tv_sec) * 1e9);
        nanosleep(&wait, NULL);
    }
}

bool system_is_terminal(int descriptor)
{
    return isatty(descriptor) == 1;
}

void system_error_text(int error_number, char *text, size_t capacity)
{
    if (strerror_r(error_number, text, capacity) != 0)
        snprintf(text, capacity, "error %d", error_number);
}

void *system_aligned_alloc(size_t alignment, size_t bytes)
{
    /* aligned_alloc needs a multiple of the alignment. */
    return aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1));
}

void system_aligned_free(void *memory)
{
    free(memory);
}
