/* order_time.c - a drive, a replay, and a bit for each read that waits.
 *
 * Reads have ranks by their places, so the next one upward is the next bit.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/order_time.h"

#include "disc/drive.h"
#include "pack/replay.h"

#include <stdlib.h>

#define WORD_BITS 64u
/* As the deadline scheduler joins reads (schedule/sweep.h): about that. */
#define GAP_BYTES 65536u
#define GO_BYTES_MAX (UINT64_C(3) << 20)

struct ranked {
    uint64_t at;
    uint32_t read;
};

struct timing {
    const struct read_trace *trace;
    const struct order_time_read *reads;
    struct replay replay;
    struct drive drive;
    struct ranked *ranked; /* by place */
    uint32_t *rank_of;     /* each read */
    uint64_t *waiting;     /* a bit for each rank */
    uint32_t waiting_count;
    uint64_t now_us;
    uint64_t begin_us; /* of the trace, on the drive's clock */
    /* rows of reads of one scene */
    uint32_t *row_of;
    uint64_t *row_begin_us; /* UINT64_MAX: not yet */
    uint64_t *row_end_us;
    uint32_t row_count;
};

static int by_place(const void *a, const void *b)
{
    const struct ranked *x = a;
    const struct ranked *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->read > y->read) - (x->read < y->read);
}

static void rank(struct timing *t, struct arena *arena)
{
    uint32_t count = t->trace->read_count;

    t->ranked = ARENA_NEW(arena, struct ranked, count);
    t->rank_of = ARENA_NEW(arena, uint32_t, count);
    t->waiting = ARENA_NEW(arena, uint64_t, count / WORD_BITS + 1);
    for (uint32_t i = 0; i < count; i++)
        t->ranked[i] = (struct ranked){t->reads[i].at, i};
    if (count > 0)
        qsort(t->ranked, count, sizeof *t->ranked, by_place);
    for (uint32_t i = 0; i < count; i++)
        t->rank_of[t->ranked[i].read] = i;
}

static void find_rows(struct timing *t, struct arena *arena)
{
    uint32_t count = t->trace->read_count;

    t->row_of = ARENA_NEW(arena, uint32_t, count);
    t->row_begin_us = ARENA_NEW(arena, uint64_t, count);
    t->row_end_us = ARENA_NEW(arena, uint64_t, count);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || t->trace->reads[i].scene != t->trace->reads[i - 1].scene)
            t->row_begin_us[t->row_count++] = UINT64_MAX;
        t->row_of[i] = t->row_count - 1;
    }
}

/* Reads that start by now begin to wait. */
static void take_started(struct timing *t)
{
    while (replay_due_us(&t->replay) <= t->now_us) {
        uint64_t start_us;
        uint32_t read = replay_take(&t->replay, &start_us);
        uint32_t row = t->row_of[read];

        if (t->reads[read].bytes == 0) {
            replay_end(&t->replay, read, start_us);
            continue;
        }
        if (start_us < t->row_begin_us[row])
            t->row_begin_us[row] = start_us;
        t->waiting[t->rank_of[read] / WORD_BITS] |=
            UINT64_C(1) << t->rank_of[read] % WORD_BITS;
        t->waiting_count++;
    }
}

/* The first bit from `rank` on; UINT32_MAX: none. */
static uint32_t next_waiting(const struct timing *t, uint32_t rank)
{
    uint32_t words = t->trace->read_count / WORD_BITS + 1;
    uint64_t word;

    for (uint32_t i = rank / WORD_BITS; i < words; i++) {
        word = t->waiting[i];
        if (i == rank / WORD_BITS)
            word &= UINT64_MAX << rank % WORD_BITS;
        for (uint32_t bit = 0; word != 0; bit++, word >>= 1)
            if (word & 1)
                return i * WORD_BITS + bit;
    }
    return UINT32_MAX;
}

/* The rank of the first read that begins at the head or behind it. */
static uint32_t rank_at(const struct timing *t, uint64_t head)
{
    uint32_t low = 0;
    uint32_t high = t->trace->read_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->ranked[mid].at < head)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Upward, and from the top back to the lowest. */
static uint32_t choose(const struct timing *t)
{
    uint32_t next = next_waiting(t, rank_at(t, t->drive.head));

    return next == UINT32_MAX ? next_waiting(t, 0) : next;
}

static uint64_t end_of(const struct timing *t, uint32_t rank)
{
    uint32_t read = t->ranked[rank].read;

    return t->reads[read].at + t->reads[read].bytes;
}

/* With the read of `first` what lies close behind it is read in one go. Returns
 * the rank behind the last of them. */
static uint32_t join(const struct timing *t, uint32_t first, uint64_t *end)
{
    uint64_t begin = t->ranked[first].at;
    uint32_t limit = first + 1;

    *end = end_of(t, first);
    for (;;) {
        uint32_t next = next_waiting(t, limit);
        uint64_t next_end;

        if (next == UINT32_MAX || t->ranked[next].at > *end + GAP_BYTES)
            return limit;
        next_end = end_of(t, next);
        if (next_end - begin > GO_BYTES_MAX)
            return limit;
        *end = next_end > *end ? next_end : *end;
        limit = next + 1;
    }
}

/* What ends here starts others. */
static void end_read(struct timing *t, uint32_t rank)
{
    uint32_t read = t->ranked[rank].read;

    t->waiting[rank / WORD_BITS] &= ~(UINT64_C(1) << rank % WORD_BITS);
    t->waiting_count--;
    t->row_end_us[t->row_of[read]] = t->now_us;
    replay_end(&t->replay, read, t->now_us);
}

static void serve(struct timing *t, uint32_t first)
{
    uint64_t begin = t->ranked[first].at;
    struct drive_cost cost;
    uint64_t end_us = 0;
    uint64_t end;
    uint32_t limit = join(t, first, &end);

    if (spn__drive_read(&t->drive, begin, end - begin, t->begin_us + t->now_us,
                        &cost, &end_us) == SPN_OK)
        t->now_us = end_us - t->begin_us;
    for (uint32_t i = first; i < limit; i = next_waiting(t, i))
        end_read(t, i);
}

static void spin_up(struct timing *t, const spn_drive_profile *drive)
{
    struct drive_cost cost;
    spn_status status;

    spn__drive_init(&t->drive, drive);
    status = spn__drive_read(&t->drive, 0, ORDER_TIME_FIRST_BYTES, 0, &cost,
                             &t->begin_us);
    (void)status; /* no disc is that small */
}

uint64_t order_time_us(const struct read_trace *trace,
                       const struct order_time_read *reads,
                       const spn_drive_profile *drive)
{
    struct timing t = {.trace = trace, .reads = reads};
    uint64_t sum_us = 0;
    struct arena arena;

    arena_init(&arena);
    replay_trace(&t.replay, trace, false, &arena);
    spin_up(&t, drive);
    rank(&t, &arena);
    find_rows(&t, &arena);
    for (;;) {
        take_started(&t);
        if (t.waiting_count > 0)
            serve(&t, choose(&t));
        else if (replay_due_us(&t.replay) == UINT64_MAX)
            break;
        else
            t.now_us = replay_due_us(&t.replay);
    }
    for (uint32_t i = 0; i < t.row_count; i++)
        if (t.row_begin_us[i] != UINT64_MAX)
            sum_us += t.row_end_us[i] - t.row_begin_us[i];
    arena_free(&arena);
    return sum_us;
}
