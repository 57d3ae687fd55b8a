/* level.c - the heights of frames. */
/* SPDX-License-Identifier: MIT */
#include "play/level.h"

#include "base/mem.h"
#include "play/closure.h"
#include "play/frame_slot.h"

static struct cache_frame *frame_at(struct cache *c, uint32_t number)
{
    return &c->frame_chunks[number / CACHE_CHUNK_FRAMES]
                           [number % CACHE_CHUNK_FRAMES];
}

/* Heights of one group: references have a lower rank, so one pass from the
 * highest rank down finds the height of each frame before it is used. */
static void measure_group(struct cache *c, const struct cache_group *g)
{
    uint8_t order[CACHE_GROUP_FRAMES_MAX];

    spn__closure_order(c, g, order);
    for (uint32_t i = 0; i < g->frame_count; i++) {
        struct cache_frame *f = frame_at(c, g->first_frame + i);

        f->height = f->type == CACHE_FRAME_INDEX ? CACHE_HEIGHT_INDEX : 0;
    }
    for (uint32_t rank = g->frame_count; rank-- > 0;) {
        const uint32_t number = g->first_frame + order[rank];
        const struct cache_frame *f = cache_frame_at(c, number);

        for (uint32_t r = 0; r < f->reference_count; r++) {
            const uint32_t target = cache_reference(c, number, r);
            struct cache_frame *t = frame_at(c, target);

            if (t->height <= f->height && f->height + 1u < CACHE_HEIGHT_INDEX)
                t->height = (uint8_t)(f->height + 1);
        }
    }
}

void spn__level_measure(struct cache *c)
{
    memset(c->level_frames, 0, sizeof c->level_frames);
    c->level_max = 0;
    for (uint32_t g = 0; g < c->header.group_count; g++)
        measure_group(c, cache_group_at(c, g));
    for (uint32_t n = 0; n < c->header.frame_count; n++) {
        struct cache_frame *f = frame_at(c, n);

        f->ordinal = (uint8_t)(c->level_frames[f->height]++ % LEVEL_STEPS);
        if (f->height < CACHE_HEIGHT_INDEX && f->height >= c->level_max)
            c->level_max = f->height + 1u;
    }
}

uint32_t spn__level_frames(const struct cache *c, uint32_t cut)
{
    const uint32_t height = cut / LEVEL_STEPS;
    const uint32_t kept = LEVEL_STEPS - cut % LEVEL_STEPS;
    uint32_t count = c->level_frames[CACHE_HEIGHT_INDEX];

    for (uint32_t h = c->level_max; h-- > height + 1;)
        count += c->level_frames[h];
    if (height == c->level_max)
        return count;
    count += c->level_frames[height] / LEVEL_STEPS * kept;
    for (uint32_t i = c->level_frames[height] % LEVEL_STEPS; i-- > 0;)
        count += level_keeps_ordinal(i, cut);
    return count;
}

uint32_t spn__level_lower(const struct cache *c, uint32_t cut, uint32_t frames)
{
    const uint32_t before = spn__level_frames(c, cut);

    while (cut < level_cut_max(c) &&
           before - spn__level_frames(c, cut) < frames)
        cut++;
    return cut;
}

uint32_t spn__level_raise(const struct cache *c, uint32_t cut, uint32_t frames)
{
    const uint32_t before = spn__level_frames(c, cut);

    while (cut > 0 && spn__level_frames(c, cut) - before < frames)
        cut--;
    return cut;
}
