/* segment_clips.h - any number of true clips of nearly any size, at little
 * cost.
 *
 * One motion of 100 joints is made (made_motion.h) and encoded. Each segment of
 * a clip is decoded on its own, so the head of this clip with any of its
 * segments, in any order, is a good clip, too. Clips with different numbers
 * have different segments. They loop, and have one skeleton.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SEGMENT_CLIPS_H
#define TESTS_SEGMENT_CLIPS_H

#include "anim/encode/anim_encode.h"
#include "common/arena.h"

#include <stdint.h>

struct segment_clips {
    struct arena arena;
    struct anim_file motion;
    struct anim_file skeleton;
    uint32_t segment_count;
};

void segment_clips_init(struct segment_clips *clips);
void segment_clips_free(struct segment_clips *clips);

/* Make clip `number` with as many segments as make it about `bytes` long. The
 * arena owns the file. */
void segment_clips_make(const struct segment_clips *clips, uint32_t number,
                        uint32_t bytes, struct arena *arena,
                        struct anim_file *file);

#endif
