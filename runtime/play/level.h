/* level.h - which frames are left out when not all of them can be decoded.
 *
 * The *height* of a frame says how many others depend on it: 0 if no frame
 * refers to it, 1 if only frames of height 0 do, and so on. In the pyramid of
 * lifted meshes half of all frames have height 0, a quarter height 1; in the
 * classic codec the last B frames of each group have the least height. Index
 * frames are above all others.
 *
 * *Level* n leaves out the frames below height n; the last level is the index
 * frames alone. Between two levels single frames are left out, evenly spread
 * over the frames of the level's least height. A *cut* says how much is left
 * out, in steps: 0 nothing, LEVEL_STEPS * n level n. Frames that a cut keeps
 * refer only to frames that it keeps, and each cut keeps all that the next one
 * keeps: so no frame comes back when more is left out.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_LEVEL_H
#define SPN_PLAY_LEVEL_H

#include "play/cache.h"

#include <stdbool.h>
#include <stdint.h>

#define LEVEL_STEPS 8u

/* Set the heights of all frames, and the totals of the cache. The frame table
 * is read; any thread. */
void spn__level_measure(struct cache *c);

/* The cut of the last level. */
static inline uint32_t level_cut_max(const struct cache *c)
{
    return c->level_max * LEVEL_STEPS;
}

/* True if a cut keeps the frames that have its height, and this ordinal. The
 * ordinals that are left out one after the other lie far apart. */
static inline bool level_keeps_ordinal(uint32_t ordinal, uint32_t cut)
{
    /* Four bits for each ordinal: the last step that keeps it. From ordinal 0
     * on: 0, 4, 2, 6, 1, 5, 3, 7. */
    return (0x73516240u >> 4 * ordinal & 7u) >= cut % LEVEL_STEPS;
}

/* True if a frame is not left out.
 *
 * cut  0..level_cut_max */
static inline bool level_keeps(const struct cache *c, uint32_t number,
                               uint32_t cut)
{
    const struct cache_frame *f = cache_frame_at(c, number);

    if (f->height != cut / LEVEL_STEPS)
        return f->height > cut / LEVEL_STEPS;
    return level_keeps_ordinal(f->ordinal, cut);
}

/* Frames of the clip that a cut keeps. */
uint32_t spn__level_frames(const struct cache *c, uint32_t cut);
/* The next cut that keeps at least so many frames less, or more; the last or
 * the first one if there is none. */
uint32_t spn__level_lower(const struct cache *c, uint32_t cut, uint32_t frames);
uint32_t spn__level_raise(const struct cache *c, uint32_t cut, uint32_t frames);

#endif
