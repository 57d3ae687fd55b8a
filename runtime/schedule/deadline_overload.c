/* deadline_overload.c - which read is next when not all deadlines can be kept.
 *
 * When more waits than there is time for until the last deadline, what counts
 * is reads a second. So the next is where a run of reads upward takes least
 * time for each of them: many small reads that lie together come before large
 * ones and before those that lie alone. Bytes that several reads want are read
 * once, and count once. What is lost comes when nothing is left that can be
 * kept, when a run passes it, or when its patience has ended (deadline.h).
 *
 * Where the pass over all that waits is mostly transfer there is little to be
 * saved: the usual costs decide, which leave nothing behind.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/deadline_parts.h"

/* Reads that a run is looked at for. */
#define CHAIN_MAX 32u
/* Ways are worth saving where they take more than a twentieth of the transfer.
 */
#define WAYS_PART 20

/* One pass upward over the reads that can be kept. */
struct pass {
    int64_t time_us; /* but for the way to the first */
    int64_t ways_us; /* of it */
    int64_t last_us; /* the last deadline */
};

/* Are bytes of it read already by a run that ends with `end`? Only reads of one
 * file are read in one run (deadline_join.c). */
static bool shares_bytes(const struct deadline_item *end,
                         const struct deadline_item *item)
{
    return end->file == item->file && item->begin.offset < end->end.offset;
}

/* What lies behind the end of such a run is all that is left to be read. */
static int64_t rest_us(const struct deadline_scheduler *s,
                       const struct deadline_item *end,
                       const struct deadline_item *item)
{
    if (item->end.offset <= end->end.offset)
        return 0;
    return spn__forecast_transfer_us(s->forecast, &end->end,
                                     item->end.offset - end->end.offset);
}

/* The one that ends further up. */
static const struct deadline_item *further(const struct deadline_item *a,
                                           const struct deadline_item *b)
{
    return b->end.offset > a->end.offset ? b : a;
}

/* Those that can be kept, in order of place, and what each takes after those
 * before it. */
static void find_kept(struct deadline_scheduler *s, struct pass *pass)
{
    const struct deadline_item *end = NULL;

    *pass = (struct pass){0};
    s->kept_count = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t index = s->order[k];
        const struct deadline_item *item = &s->items[index];
        struct deadline_view *v = &s->views[index];
        int64_t way_us = 0;

        if (item->is_idle || v->is_lost)
            continue;
        v->is_shared = end && shares_bytes(end, item);
        if (end && !v->is_shared)
            way_us =
                spn__forecast_position_us(s->forecast, &end->end, &item->begin);
        v->step_us =
            v->is_shared ? rest_us(s, end, item) : way_us + v->service_us;
        pass->time_us += v->step_us;
        pass->ways_us += way_us;
        if (v->deadline_us > pass->last_us)
            pass->last_us = v->deadline_us;
        end = end ? further(end, item) : item;
        s->kept[s->kept_count++] = index;
    }
}

/* Each that is offered stands for as many that are not. */
static int64_t scaled(const struct deadline_scheduler *s, int64_t time_us)
{
    int64_t all = (int64_t)s->kept_count + s->unseen.kept;

    return time_us / s->kept_count * all;
}

static bool is_overloaded(const struct deadline_scheduler *s,
                          const struct pass *pass)
{
    return s->kept_count > 0 && scaled(s, pass->time_us) > pass->last_us &&
           pass->ways_us > (pass->time_us - pass->ways_us) / WAYS_PART;
}

/* -- where reads are densest -- */

/* What one takes in a run of which `end` ends furthest up: as in the pass, but
 * where that has read bytes of it for one that the run leaves out. */
static int64_t step_us(const struct deadline_scheduler *s,
                       const struct deadline_item *end, uint32_t index)
{
    const struct deadline_item *item = &s->items[index];
    const struct deadline_view *v = &s->views[index];

    if (!v->is_shared)
        return v->step_us;
    if (shares_bytes(end, item))
        return rest_us(s, end, item);
    return v->service_us +
           spn__forecast_position_us(s->forecast, &end->end, &item->begin);
}

/* The least time for each read of a run that begins with the k-th. */
static int64_t mean_from(const struct deadline_scheduler *s, uint32_t k)
{
    const struct deadline_view *first = &s->views[s->kept[k]];
    const struct deadline_item *end = &s->items[s->kept[k]];
    int64_t time_us = first->way_us + first->service_us;
    int64_t least_us = time_us;

    for (uint32_t n = 1; n < CHAIN_MAX && k + n < s->kept_count; n++) {
        uint32_t index = s->kept[k + n];

        time_us += step_us(s, end, index);
        if (time_us > s->views[index].deadline_us)
            break;
        end = further(end, &s->items[index]);
        if (time_us / (n + 1) < least_us)
            least_us = time_us / (n + 1);
    }
    return least_us;
}

/* Would beginning with the k-th leave one behind that could be read in the same
 * run? Where the head is already it would be late for that. */
static bool is_within_run(const struct deadline_scheduler *s, uint32_t k)
{
    return k > 0 && s->views[s->kept[k]].behind_us > 0 &&
           s->views[s->kept[k]].way_us > 0 &&
           spn__deadline_is_chained(s, &s->items[s->kept[k - 1]].end,
                                    &s->items[s->kept[k]].begin);
}

static uint32_t find_densest(const struct deadline_scheduler *s)
{
    int64_t least_us = INT64_MAX;
    uint32_t densest = 0;

    for (uint32_t k = 0; k < s->kept_count; k++) {
        int64_t mean_us;

        if (is_within_run(s, k))
            continue;
        mean_us = mean_from(s, k);
        if (mean_us < least_us) {
            least_us = mean_us;
            densest = k;
        }
    }
    return densest;
}

uint32_t spn__deadline_find_overloaded(struct deadline_scheduler *s)
{
    struct pass pass;

    find_kept(s, &pass);
    return is_overloaded(s, &pass) ? s->kept[find_densest(s)] : s->count;
}
