/* deadline_coalesce.c - what is read in one run with the chosen read.
 *
 * A run goes forward only, through gaps that cost less than a seek, and never
 * breaks a deadline that is kept without it.
 */
/* SPDX-License-Identifier: MIT */
#include "base/assert.h"
#include "schedule/deadline_parts.h"

/* A run of reads that grows. */
struct run {
    struct forecast_place begin;
    struct forecast_place end;
    uint64_t joined[DEADLINE_ITEMS_MAX / 64]; /* a bit for each item */
    uint32_t count;
    int64_t end_us;
};

static bool is_joined(const struct run *run, uint32_t index)
{
    return run->joined[index / 64] >> index % 64 & 1;
}

/* When a run that ends at `end` is over. */
static int64_t run_end_us(const struct deadline_scheduler *s,
                          const struct run *run, uint32_t first,
                          const struct forecast_place *end)
{
    return s->views[first].way_us +
           spn__forecast_transfer_us(s->forecast, &run->begin,
                                     end->offset - run->begin.offset);
}

/* The next of the same file that may be joined, in order of places from rank
 * `*rank` on; s->count when there is none. */
static uint32_t find_next(const struct deadline_scheduler *s,
                          const struct run *run, uint32_t first, uint32_t *rank)
{
    while (*rank < s->count) {
        uint32_t index = s->order[(*rank)++];
        const struct deadline_item *item = &s->items[index];

        if (index != first && item->file == s->items[first].file &&
            item->begin.offset >= run->begin.offset)
            return index;
    }
    return s->count;
}

/* Would a deadline that the run leaves in time be missed if it ended later? */
static bool breaks_deadline(const struct deadline_scheduler *s,
                            const struct run *run, uint32_t next,
                            const struct forecast_place *end, int64_t end_us)
{
    for (uint32_t k = 0; k < s->hard_count; k++) {
        const struct deadline_item *item = &s->items[s->hard[k]];
        const struct deadline_view *v = &s->views[s->hard[k]];

        if (is_joined(run, s->hard[k]) || s->hard[k] == next)
            continue;
        if (end_us + v->service_us +
                    spn__forecast_position_us(s->forecast, end, &item->begin) >
                v->deadline_us &&
            run->end_us + v->service_us +
                    spn__forecast_position_us(s->forecast, &run->end,
                                              &item->begin) <=
                v->deadline_us)
            return true;
    }
    return false;
}

/* A run has an end; but what it brings anyway it brings for all who want it. */
static bool is_too_long(const struct run *run, const struct deadline_item *next,
                        const struct forecast_place *end)
{
    return end->offset - run->begin.offset > DEADLINE_RUN_BYTES_MAX &&
           next->begin.offset >= run->end.offset;
}

static bool join_next(struct deadline_scheduler *s, struct run *run,
                      uint32_t first, uint32_t next)
{
    const struct forecast_place *end;
    int64_t end_us;

    if (run->count == DEADLINE_COALESCE_MAX)
        return false;
    end = s->items[next].end.offset > run->end.offset ? &s->items[next].end
                                                      : &run->end;
    end_us = run_end_us(s, run, first, end);
    if (!spn__deadline_is_chained(s, &run->end, &s->items[next].begin) ||
        is_too_long(run, &s->items[next], end) ||
        breaks_deadline(s, run, next, end, end_us))
        return false;
    run->joined[next / 64] |= (uint64_t)1 << next % 64;
    run->count++;
    run->end = *end;
    run->end_us = end_us;
    return true;
}

/* What lies right before the chosen read, so near that the drive would still
 * have it, and right before that: a run only goes forward, and what it leaves
 * behind costs a way of its own. */
static uint32_t find_front(const struct deadline_scheduler *s, uint32_t chosen)
{
    const struct deadline_item *last = &s->items[chosen];
    uint32_t front = chosen;
    uint32_t rank = s->count;

    while (s->order[--rank] != chosen)
        continue;
    while (rank > 0) {
        uint32_t index = s->order[--rank];
        const struct deadline_item *item = &s->items[index];

        if (item->file != last->file)
            continue;
        if (!spn__deadline_is_chained(s, &item->end, &s->items[front].begin) ||
            spn__forecast_seek_us(s->forecast, &s->items[front].end,
                                  &item->begin) > 0)
            break;
        front = index;
    }
    return front;
}

/* May the chosen read wait for what lies before it? */
static bool may_wait(const struct deadline_scheduler *s, uint32_t chosen,
                     uint32_t front)
{
    const struct deadline_item *item = &s->items[chosen];
    const struct deadline_view *v = &s->views[chosen];
    struct run run = {.begin = item->begin, .end = item->end};
    int64_t end_us;

    run.end_us = v->way_us + v->service_us;
    end_us =
        run.end_us + spn__forecast_transfer_us(
                         s->forecast, &s->items[front].begin,
                         item->begin.offset - s->items[front].begin.offset);
    return end_us <= v->deadline_us &&
           !breaks_deadline(s, &run, chosen, &item->end, end_us);
}

/* Where the head goes on, all that lies there is as near: the run begins with
 * the first of it, or that would be behind the head for good. Where it has to
 * go there first, it goes a little less far. */
static uint32_t find_first(const struct deadline_scheduler *s, uint32_t chosen)
{
    uint32_t first = chosen;

    if (s->views[chosen].way_us > 0) {
        first = s->is_pressing ? chosen : find_front(s, chosen);
        return first == chosen || may_wait(s, chosen, first) ? first : chosen;
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (s->views[i].way_us == 0 &&
            s->items[i].file == s->items[chosen].file &&
            s->items[i].begin.offset < s->items[first].begin.offset)
            first = i;
    return first;
}

uint32_t spn__deadline_coalesce(struct deadline_scheduler *s, uint32_t chosen,
                                uint32_t joined[DEADLINE_COALESCE_MAX])
{
    uint32_t first = find_first(s, chosen);
    struct run run = {.begin = s->items[first].begin,
                      .end = s->items[first].end};
    uint32_t count = 0;
    uint32_t rank = 0;
    uint32_t next;

    run.joined[first / 64] |= (uint64_t)1 << first % 64;
    run.count = 1;
    run.end_us = run_end_us(s, &run, first, &run.end);
    joined[count++] = first;
    do {
        next = find_next(s, &run, first, &rank);
    } while (next < s->count && join_next(s, &run, first, next));
    if (!is_joined(&run, chosen)) {
        joined[0] = chosen;
        return 1;
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (i != first && is_joined(&run, i))
            joined[count++] = i;
    return count;
}
