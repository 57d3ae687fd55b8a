/* replay.h - computes when the reads of a trace start.
 *
 * A chained read (read_trace.h) waits for another read: it starts a given
 * thinking time after the end of that read. Other reads start at their own
 * times. The caller adds all reads, then takes reads in the order of their
 * starts and reports their ends. Times are microseconds from the beginning of
 * the trace.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_REPLAY_H
#define OFFLINE_PACK_REPLAY_H

#include "common/arena.h"
#include "pack/read_trace.h"

#include <stdbool.h>
#include <stdint.h>

struct replay_read {
    uint64_t start_us;      /* once known */
    uint64_t think_us;      /* of a chained read */
    uint32_t first_waiting; /* 1 + index of a read that waits for this one; 0:
                             * none */
    uint32_t next_waiting;  /* 1 + index of the next read that waits for the
                             * same read; 0: none */
};

struct replay {
    struct replay_read *reads;
    uint32_t *heap; /* binary heap of reads to take, by start_us, then index */
    uint32_t heap_count;
};

/* Allocate `count` reads in the arena. Each read 0 .. count - 1 must then be
 * added once. */
void replay_init(struct replay *replay, uint32_t count, struct arena *arena);
/* Add a read that starts at `at_us`. */
void replay_start_at(struct replay *replay, uint32_t index, uint64_t at_us);
/* Add a read that starts `think_us` after the end of the read `after`. */
void replay_start_after(struct replay *replay, uint32_t index, uint32_t after,
                        uint64_t think_us);
/* Initialize and add all reads of a trace. With `is_open_loop` each starts at
 * its at_us. */
void replay_trace(struct replay *replay, const struct read_trace *trace,
                  bool is_open_loop, struct arena *arena);

/* The earliest known start of a read that was not taken; UINT64_MAX: none. */
uint64_t replay_due_us(const struct replay *replay);
/* Take the read with the earliest start; of equal starts the lowest index.
 * replay_due_us must not be UINT64_MAX. Returns the index of the read. */
uint32_t replay_take(struct replay *replay, uint64_t *start_us);
/* Report the end of a read that was taken: this fixes the starts of the reads
 * that wait for it. */
void replay_end(struct replay *replay, uint32_t index, uint64_t now_us);

#endif
