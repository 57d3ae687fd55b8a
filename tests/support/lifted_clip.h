/* lifted_clip.h - a synthetic clip and its cache of lifted meshes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_LIFTED_CLIP_H
#define TESTS_SUPPORT_LIFTED_CLIP_H

#include "support/cache_checksums.h"
#include "support/cache_walk.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <stdbool.h>
#include <stdint.h>

struct lifted_clip {
    struct synthetic_clip clip;
    struct memory_sink memory;
    struct cache_checksums places;
    uint32_t distance; /* frames between index frames */
    uint32_t *
        *place; /* for each mesh: the number in the cache of each vertex */
    uint64_t *frame_offset;
    uint32_t *frame_bytes;
};

/* All meshes are lifted. `has_rings`: one-rings predict their QTangents. */
void lifted_clip_make(struct lifted_clip *l, const struct synthetic_options *o,
                      uint32_t distance, bool has_rings);
/* 20 frames of two meshes with all channels. */
extern const struct synthetic_options lifted_clip_options;
/* The same with index frames 8 apart and with one-rings. */
void lifted_clip_small(struct lifted_clip *l);
void lifted_clip_free(struct lifted_clip *l);

/* A time just after the start of a frame, in microseconds. */
int64_t lifted_clip_time(const struct lifted_clip *l, uint32_t frame);

/* Check that the node shows this frame, and that all channels of all meshes
 * have the encoded values. */
void lifted_clip_check(const struct lifted_clip *l, struct stage *s,
                       spn_node node, uint32_t frame);

/* Whether `frame` refers to the damaged frame, directly or through others. */
bool lifted_clip_is_lost(const struct lifted_clip *l, uint32_t damaged,
                         uint32_t frame);

#endif
