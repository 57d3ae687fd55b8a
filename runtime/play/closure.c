/* closure.c - collect and measure closures. */
/* SPDX-License-Identifier: MIT */
#include "play/closure.h"

#include "base/assert.h"
#include "base/mem.h"
#include "play/frame_slot.h"
#include "play/group_table.h"

static void add(const struct cache *c, struct closure *out, uint32_t number)
{
    SPN_ASSERT(out->count < CLOSURE_FRAMES_MAX);
    frame_slot_at(c, number)->is_listed = true;
    out->frames[out->count++] = number;
    if (!spn__group_table_has(c, number))
        out->lacks_data = true;
    if (!spn__group_table_read(c, number))
        out->lacks_read = true;
}

/* True if frame a is decoded before frame b: groups, then ranks. */
static bool is_before(const struct cache *c, uint32_t a, uint32_t b)
{
    const struct cache_frame *x = cache_frame_at(c, a);
    const struct cache_frame *y = cache_frame_at(c, b);

    return x->group != y->group ? x->group < y->group
                                : x->decode_rank < y->decode_rank;
}

/* Insertion sort: closures are short. */
static void sort(const struct cache *c, struct closure *out)
{
    for (uint32_t i = 1; i < out->count; i++) {
        const uint32_t number = out->frames[i];
        uint32_t at = i;

        for (; at > 0 && is_before(c, number, out->frames[at - 1]); at--)
            out->frames[at] = out->frames[at - 1];
        out->frames[at] = number;
    }
}

void spn__closure_collect(const struct cache *c, uint32_t number,
                          struct closure *out)
{
    out->count = 0;
    out->has_failed = false;
    out->is_ending = false;
    out->lacks_data = false;
    out->lacks_read = false;
    add(c, out, number);
    for (uint32_t i = 0; i < out->count; i++) {
        const struct cache_frame *f = cache_frame_at(c, out->frames[i]);

        for (uint32_t r = 0; r < f->reference_count; r++) {
            const uint32_t target = cache_reference(c, out->frames[i], r);
            const struct frame_slot *s = frame_slot_at(c, target);

            if (s->state == FRAME_FAILED && s->failed == FRAME_CANCELLED)
                out->is_ending = true;
            else if (s->state == FRAME_FAILED)
                out->has_failed = true;
            else if (s->state == FRAME_EMPTY && !s->is_listed)
                add(c, out, target);
        }
    }
    for (uint32_t i = 0; i < out->count; i++)
        frame_slot_at(c, out->frames[i])->is_listed = false;
    sort(c, out);
}

void spn__closure_order(const struct cache *c, const struct cache_group *g,
                        uint8_t order[CACHE_GROUP_FRAMES_MAX])
{
    for (uint32_t i = 0; i < g->frame_count; i++)
        order[cache_frame_at(c, g->first_frame + i)->decode_rank] = (uint8_t)i;
}

/* Frames of the closure of frame `index` of a group. References have a lower
 * rank, so one pass from its rank down finds all. */
static uint32_t measure_frame(const struct cache *c,
                              const struct cache_group *g,
                              const uint8_t order[CACHE_GROUP_FRAMES_MAX],
                              uint32_t index)
{
    bool is_needed[CACHE_GROUP_FRAMES_MAX] = {false};
    uint32_t rank = cache_frame_at(c, g->first_frame + index)->decode_rank;
    bool needs_anchor = false;
    uint32_t count = 0;

    is_needed[index] = true;
    for (rank++; rank-- > 0;) {
        const uint32_t number = g->first_frame + order[rank];
        const struct cache_frame *f = cache_frame_at(c, number);

        if (!is_needed[order[rank]])
            continue;
        count++;
        for (uint32_t r = 0; r < f->reference_count; r++) {
            const uint32_t target = cache_reference(c, number, r);

            if (target < g->first_frame)
                needs_anchor = true;
            else
                is_needed[target - g->first_frame] = true;
        }
    }
    return count + needs_anchor;
}

uint32_t spn__closure_measure(const struct cache *c)
{
    uint8_t order[CACHE_GROUP_FRAMES_MAX];
    uint32_t most = 1;

    for (uint32_t k = 0; k < c->header.group_count; k++) {
        const struct cache_group *g = cache_group_at(c, k);

        spn__closure_order(c, g, order);
        for (uint32_t i = 0; i < g->frame_count; i++) {
            const uint32_t count = measure_frame(c, g, order, i);

            if (count > most)
                most = count;
        }
    }
    return most;
}
