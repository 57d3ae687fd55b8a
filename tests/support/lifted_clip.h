/* lifted_clip.h - a made clip as a cache of lifted meshes, beside its truth. */
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
    uint32_t distance; /* of index frames */
    uint32_t **place;  /* per mesh: where the cache has each vertex */
    uint64_t *frame_offset;
    uint32_t *frame_bytes;
};

/* All meshes are lifted; `has_rings`: and their QTangents guessed by rings. */
void lifted_clip_make(struct lifted_clip *l, const struct synthetic_options *o,
                      uint32_t distance, bool has_rings);
/* 20 frames of two meshes with all channels. */
extern const struct synthetic_options lifted_clip_options;
/* Of these, index frames 8 apart, with rings. */
void lifted_clip_small(struct lifted_clip *l);
void lifted_clip_free(struct lifted_clip *l);

/* The time of a frame, as the cache has it, and a little more, in
 * microseconds. */
int64_t lifted_clip_time(const struct lifted_clip *l, uint32_t frame);

/* The node shows this frame; all channels of all meshes are as they were
 * encoded. */
void lifted_clip_check(const struct lifted_clip *l, struct stage *s,
                       spn_node node, uint32_t frame);

/* May the frame be lost with the damaged one, to which it may refer, however
 * far round? */
bool lifted_clip_is_lost(const struct lifted_clip *l, uint32_t damaged,
                         uint32_t frame);

#endif
