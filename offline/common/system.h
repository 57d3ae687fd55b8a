/* system.h - clocks, processors, aligned memory: small things that C leaves to
 * the system. Files and folders are in host/host.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_SYSTEM_H
#define OFFLINE_COMMON_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint32_t system_cpu_count(void);
/* Seconds of a steady clock, for progress and reports only. */
double system_seconds(void);
/* Wait until system_seconds reaches `seconds`; at once when it has. */
void system_wait_until(double seconds);
/* Seconds of processor time: of the process, of the calling thread. */
double system_cpu_seconds(void);
double system_thread_cpu_seconds(void);
bool system_is_terminal(int descriptor);
/* What errno's number means, in words. */
void system_error_text(int error_number, char *text, size_t capacity);

/* Memory at a multiple of `alignment`, a power of two. NULL: there is none.
 * Freed by system_aligned_free alone. */
void *system_aligned_alloc(size_t alignment, size_t bytes);
void system_aligned_free(void *memory);

#endif
