/* replay.c - a binary heap of the reads whose start is known.
 *
 * A chained read is in the list of the read that it waits for, and enters the
 * heap when that read ends.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/replay.h"

void replay_init(struct replay *replay, uint32_t count, struct arena *arena)
{
    *replay =
        (struct replay){.reads = ARENA_NEW(arena, struct replay_read, count),
                        .heap = ARENA_NEW(arena, uint32_t, count)};
}

/* -- the heap -- */

static bool is_before(const struct replay *replay, uint32_t a, uint32_t b)
{
    uint64_t a_us = replay->reads[a].start_us;
    uint64_t b_us = replay->reads[b].start_us;

    return a_us != b_us ? a_us < b_us : a < b;
}

static void sift_up(struct replay *replay, uint32_t at)
{
    uint32_t read = replay->heap[at];

    while (at > 0 && is_before(replay, read, replay->heap[(at - 1) / 2])) {
        replay->heap[at] = replay->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    replay->heap[at] = read;
}

static void sift_down(struct replay *replay, uint32_t at)
{
    uint32_t count = replay->heap_count;
    uint32_t read = replay->heap[at];

    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child + 1 < count &&
            is_before(replay, replay->heap[child + 1], replay->heap[child]))
            child++;
        if (child >= count || !is_before(replay, replay->heap[child], read))
            break;
        replay->heap[at] = replay->heap[child];
        at = child;
    }
    replay->heap[at] = read;
}

/* -- reads -- */

void replay_start_at(struct replay *replay, uint32_t index, uint64_t at_us)
{
    replay->reads[index].start_us = at_us;
    replay->heap[replay->heap_count] = index;
    sift_up(replay, replay->heap_count++);
}

void replay_start_after(struct replay *replay, uint32_t index, uint32_t after,
                        uint64_t think_us)
{
    replay->reads[index].think_us = think_us;
    replay->reads[index].next_waiting = replay->reads[after].first_waiting;
    replay->reads[after].first_waiting = index + 1;
}

void replay_trace(struct replay *replay, const struct read_trace *trace,
                  bool is_open_loop, struct arena *arena)
{
    replay_init(replay, trace->read_count, arena);
    for (uint32_t i = 0; i < trace->read_count; i++) {
        const struct traced_read *read = &trace->reads[i];

        if (is_open_loop || read->after == READ_TRACE_NO_READ)
            replay_start_at(replay, i, read->at_us);
        else
            replay_start_after(replay, i, read->after, read->think_us);
    }
}

uint64_t replay_due_us(const struct replay *replay)
{
    return replay->heap_count > 0 ? replay->reads[replay->heap[0]].start_us
                                  : UINT64_MAX;
}

uint32_t replay_take(struct replay *replay, uint64_t *start_us)
{
    uint32_t index = replay->heap[0];

    *start_us = replay->reads[index].start_us;
    replay->heap[0] = replay->heap[--replay->heap_count];
    if (replay->heap_count > 0)
        sift_down(replay, 0);
    return index;
}

void replay_end(struct replay *replay, uint32_t index, uint64_t now_us)
{
    uint32_t next = replay->reads[index].first_waiting;

    replay->reads[index].first_waiting = 0;
    while (next > 0) {
        uint32_t waiting = next - 1;

        next = replay->reads[waiting].next_waiting;
        replay_start_at(replay, waiting,
                        now_us + replay->reads[waiting].think_us);
    }
}
