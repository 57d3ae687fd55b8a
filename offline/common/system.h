/* system.h - clocks, processors, terminals and aligned memory of the system.
 *
 * system_posix.c or system_win32.c implements it. Files and folders are in
 * host/host.h. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_SYSTEM_H
#define OFFLINE_COMMON_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of processors, at least 1. */
uint32_t system_cpu_count(void);
/* Seconds of a steady clock. Use it only for progress and reports. */
double system_seconds(void);
/* Wait until system_seconds has reached `seconds`. */
void system_wait_until(double seconds);
/* Processor time in seconds, of the process and of the calling thread. */
double system_cpu_seconds(void);
double system_thread_cpu_seconds(void);
/* Is the descriptor (1: stdout, 2: stderr) a terminal? */
bool system_is_terminal(int descriptor);
/* Store the text of an errno value. */
void system_error_text(int error_number, char *text, size_t capacity);

/* Allocate memory at a multiple of `alignment`, a power of two. Free it by
 * system_aligned_free only. Returns NULL when there is none. */
void *system_aligned_alloc(size_t alignment, size_t bytes);
void system_aligned_free(void *memory);

#endif
