/* replay.h - which reads of a trace start when, as those before them end.
 *
 * A read that waits for none starts at its time. A chained one (read_trace.h)
 * starts so long after the end of another as the game thought in between.
 * Times are microseconds from the trace's beginning.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_REPLAY_H
#define OFFLINE_PACK_REPLAY_H

#include "common/arena.h"
#include "pack/read_trace.h"

#include <stdbool.h>
#include <stdint.h>

struct replay_read {
    uint64_t start_us; /* once it is known */
    uint64_t think_us;
    uint32_t first_waiting; /* 1 + index of one that waits for it; 0: none */
    uint32_t next_waiting;  /* 1 + index of the next one for the same */
};

struct replay {
    struct replay_read *reads;
    uint32_t *heap; /* reads whose start is known: the earliest at the front */
    uint32_t heap_count;
};

/* Room for so many reads, in the arena: then each is told of once. */
void replay_init(struct replay *replay, uint32_t count, struct arena *arena);
void replay_start_at(struct replay *replay, uint32_t index, uint64_t at_us);
void replay_start_after(struct replay *replay, uint32_t index, uint32_t after,
                        uint64_t think_us);
/* All reads of a trace; if it `is_open_loop`, none waits for another. */
void replay_trace(struct replay *replay, const struct read_trace *trace,
                  bool is_open_loop, struct arena *arena);

/* When the next read starts that waits for none any more; UINT64_MAX: there is
 * none. */
uint64_t replay_due_us(const struct replay *replay);
/* Take it: the earliest, of equals the first. replay_due_us is not UINT64_MAX.
 */
uint32_t replay_take(struct replay *replay, uint64_t *start_us);
/* A read that was taken has ended. */
void replay_end(struct replay *replay, uint32_t index, uint64_t now_us);

#endif
