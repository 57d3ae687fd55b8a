/* deadline_coalesce.c - extend a run item by item, in ascending order of
 * places. */
/* SPDX-License-Identifier: MIT */
#include "schedule/deadline_coalesce.h"

#include "schedule/deadline_cost.h"

/* A run that grows. */
struct run {
    struct forecast_place begin;
    struct forecast_place end;
    const uint32_t *indices; /* of the items in it */
    uint32_t count;
    int32_t end_us; /* time from now to its end */
};

static bool contains(const struct run *run, uint32_t index)
{
    for (uint32_t i = 0; i < run->count; i++)
        if (run->indices[i] == index)
            return true;
    return false;
}

/* When the run ends if it goes up to `end`. */
static int32_t run_end_us(const struct deadline_scheduler *s,
                          const struct run *run, uint32_t first,
                          const struct forecast_place *end)
{
    return s->estimates[first].position_us +
           spn__deadline_transfer_us(s, &run->begin,
                                     end->offset - run->begin.offset);
}

/* End of a binding item that is read after a run up to `end`. */
static int32_t after_us(const struct deadline_scheduler *s, uint32_t index,
                        const struct forecast_place *end, int32_t end_us)
{
    return end_us + s->estimates[index].service_us +
           spn__deadline_position_us(s, end, &s->items[index].begin);
}

/* Whether a binding deadline that the run meets is missed if the run goes up to
 * `end` for the item `next`. */
static bool breaks_deadline(const struct deadline_scheduler *s,
                            const struct run *run, uint32_t next,
                            const struct forecast_place *end, int32_t end_us)
{
    for (uint32_t k = 0; k < s->binding_count; k++) {
        uint32_t index = s->binding[k];
        int32_t deadline_us = s->estimates[index].deadline_us;

        if (index != next && !contains(run, index) &&
            after_us(s, index, end, end_us) > deadline_us &&
            after_us(s, index, &run->end, run->end_us) <= deadline_us)
            return true;
    }
    return false;
}

/* Whether the run would exceed the largest length. An item that begins inside
 * the run is not refused. */
static bool is_too_long(const struct run *run, const struct deadline_item *next,
                        const struct forecast_place *end)
{
    return end->offset - run->begin.offset > DEADLINE_DISPATCH_BYTES_MAX &&
           next->begin.offset >= run->end.offset;
}

/* Extend the run by an item. False: the run ends here. */
static bool extend(const struct deadline_scheduler *s, struct run *run,
                   uint32_t first, uint32_t next)
{
    const struct deadline_item *item = &s->items[next];
    const struct forecast_place *end =
        item->end.offset > run->end.offset ? &item->end : &run->end;
    int32_t end_us = run_end_us(s, run, first, end);

    if (!spn__deadline_is_chained(s, &run->end, &item->begin) ||
        is_too_long(run, item, end) ||
        breaks_deadline(s, run, next, end, end_us))
        return false;
    run->end = *end;
    run->end_us = end_us;
    return true;
}

/* From the chosen item go down through chained items of the file, as long as
 * the drive needs no seek from the end of the upper item to the begin of the
 * lower one. Returns the last item. */
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
            spn__deadline_seek_us(s, &s->items[front].end, &item->begin) > 0)
            break;
        front = index;
    }
    return front;
}

/* Whether all deadlines are met that the chosen item alone would meet, its own
 * among them, if the run begins with `front`. */
static bool may_wait(const struct deadline_scheduler *s, uint32_t chosen,
                     uint32_t front)
{
    const struct deadline_item *item = &s->items[chosen];
    const struct deadline_estimate *e = &s->estimates[chosen];
    struct run alone = {.end = item->end,
                        .end_us = e->position_us + e->service_us};
    int32_t end_us =
        alone.end_us + spn__deadline_transfer_us(
                           s, &s->items[front].begin,
                           item->begin.offset - s->items[front].begin.offset);

    return end_us <= e->deadline_us &&
           !breaks_deadline(s, &alone, chosen, &item->end, end_us);
}

/* The first item of the run; deadline_coalesce.h has the three cases. */
static uint32_t find_first(const struct deadline_scheduler *s, uint32_t chosen)
{
    uint32_t first = chosen;

    if (s->estimates[chosen].position_us > 0) {
        first = s->is_pressing ? chosen : find_front(s, chosen);
        return first == chosen || may_wait(s, chosen, first) ? first : chosen;
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (s->estimates[i].position_us == 0 &&
            s->items[i].file == s->items[chosen].file &&
            s->items[i].begin.offset < s->items[first].begin.offset)
            first = i;
    return first;
}

uint32_t spn__deadline_coalesce(const struct deadline_scheduler *s,
                                uint32_t chosen,
                                uint32_t indices[DEADLINE_COALESCE_MAX])
{
    uint32_t first = find_first(s, chosen);
    const struct deadline_item *begin = &s->items[first];
    struct run run = {.begin = begin->begin,
                      .end = begin->end,
                      .indices = indices,
                      .count = 1};

    indices[0] = first;
    run.end_us = run_end_us(s, &run, first, &run.end);
    for (uint32_t rank = 0;
         rank < s->count && run.count < DEADLINE_COALESCE_MAX; rank++) {
        uint32_t index = s->order[rank];
        const struct deadline_item *item = &s->items[index];

        if (index == first || item->file != begin->file ||
            item->begin.offset < run.begin.offset)
            continue;
        if (!extend(s, &run, first, index))
            break;
        indices[run.count++] = index;
    }
    if (contains(&run, chosen))
        return run.count;
    indices[0] = chosen;
    return 1;
}
