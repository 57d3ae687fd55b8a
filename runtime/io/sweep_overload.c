/* sweep_overload.c - which read is next when not all deadlines can be kept.
 *
 * When more waits than there is time for until the last deadline, what counts
 * is reads a second. So the next is where a run of reads upward takes least
 * time for each of them: many small reads that lie together come before large
 * ones and before those that lie alone. What is lost comes when nothing is left
 * that can be kept, when a run passes it, or when its patience has ended
 * (sweep.h).
 *
 * Where the pass over all that waits is mostly transfer there is little to be
 * saved: the usual costs decide, which leave nothing behind.
 */
/* SPDX-License-Identifier: MIT */
#include "io/sweep_parts.h"

/* Reads that a run is looked at for. */
#define CHAIN_MAX 32u
/* Ways are worth saving where they take more than a twentieth of the transfer.
 */
#define WAYS_PART 20

/* Those that can be kept, in order of place, and what each takes after the one
 * before it. */
static void find_kept(struct sweep *s)
{
    const struct forecast_place *end = NULL;

    s->kept_count = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t index = s->order[k];
        const struct sweep_item *item = &s->items[index];
        struct sweep_view *v = &s->views[index];

        if (item->is_idle || v->is_lost)
            continue;
        v->step_us = v->service_us;
        if (end)
            v->step_us +=
                spn__forecast_position_us(s->forecast, end, &item->begin);
        end = &item->end;
        s->kept[s->kept_count++] = index;
    }
}

/* Each that is offered stands for as many that are not. */
static int64_t scaled(const struct sweep *s, int64_t time_us)
{
    int64_t all = (int64_t)s->kept_count + s->unseen.kept;

    return time_us / s->kept_count * all;
}

/* Of the pass over all of them: its time, and what of it are ways. */
static bool is_overloaded(const struct sweep *s)
{
    int64_t time_us = 0;
    int64_t service_us = 0;
    int64_t last_us = 0;

    for (uint32_t i = 0; i < s->kept_count; i++) {
        const struct sweep_view *v = &s->views[s->kept[i]];

        time_us += v->step_us;
        service_us += v->service_us;
        if (v->deadline_us > last_us)
            last_us = v->deadline_us;
    }
    return s->kept_count > 0 && scaled(s, time_us) > last_us &&
           time_us - service_us > service_us / WAYS_PART;
}

/* ---- where reads are densest ---------------------------------------------
 */

/* The least time for each read of a run that begins with the k-th. */
static int64_t mean_from(const struct sweep *s, uint32_t k)
{
    const struct sweep_view *first = &s->views[s->kept[k]];
    int64_t time_us = first->way_us + first->service_us;
    int64_t least_us = time_us;

    for (uint32_t n = 1; n < CHAIN_MAX && k + n < s->kept_count; n++) {
        uint32_t index = s->kept[k + n];

        time_us += s->views[index].step_us;
        if (time_us > s->views[index].deadline_us)
            break;
        if (time_us / (n + 1) < least_us)
            least_us = time_us / (n + 1);
    }
    return least_us;
}

/* Would beginning with the k-th leave one behind that could be read in the same
 * run? Where the head is already it would be late for that. */
static bool is_within_run(const struct sweep *s, uint32_t k)
{
    return k > 0 && s->views[s->kept[k]].behind_us > 0 &&
           s->views[s->kept[k]].way_us > 0 &&
           spn__sweep_is_chained(s, &s->items[s->kept[k - 1]].end,
                                 &s->items[s->kept[k]].begin);
}

static uint32_t find_densest(const struct sweep *s)
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

uint32_t spn__sweep_find_overloaded(struct sweep *s)
{
    find_kept(s);
    return is_overloaded(s) ? s->kept[find_densest(s)] : s->count;
}
