/* loop_calls.h - functions for the scenarios of a fault loop (fault_loop.h).
 *
 * Those that return a bool return whether the scenario can go on.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_LOOP_CALLS_H
#define TESTS_SIM_LOOP_CALLS_H

#include "sim/fault_loop.h"

#include <stdbool.h>
#include <stdint.h>

/* Update until `is_there` returns true, at most a fixed number of times. */
bool loop_until(struct loop *loop, bool (*is_there)(struct loop *loop));
void loop_ticks(struct loop *loop, uint32_t count);
bool loop_open(struct loop *loop, uint32_t cache, const char *path);
/* The same, with buffers of the engine for its frames. One cache at a time. */
bool loop_open_with_buffers(struct loop *loop, uint32_t cache,
                            const char *path);
/* Play a node. True when it shows frames. */
bool loop_play(struct loop *loop, uint32_t node, uint32_t cache,
               int64_t time_us);
bool loop_is_ready(struct loop *loop, uint32_t node);
/* Start a read of a loose file or an entry in the next slot. */
struct loop_read *loop_read(struct loop *loop, const char *path,
                            uint64_t offset, uint64_t bytes,
                            enum loop_memory memory);
bool loop_are_reads_over(struct loop *loop);
/* Whether all reads ended with success and true bytes. */
bool loop_are_reads_good(const struct loop *loop);
bool loop_mount(struct loop *loop);

#endif
