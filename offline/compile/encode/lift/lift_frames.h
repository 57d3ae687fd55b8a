/* lift_frames.h - the frames of a clip that its lifted meshes are trained on.
 *
 * Whole groups, evenly spaced: a frame's references are there, too. However
 * long the clip is, they are at most LIFT_TRAINING_FRAMES_MAX, of which a group
 * of that many and one leaves one out that no other refers to; and as many as
 * LIFT_TRAINING_BYTES hold. Where those are too few for weights to be trained
 * (LIFT_FRAMES_WORTH_WEIGHTS), there are more groups, as far as
 * LIFT_TRAINING_BYTES_MOST hold them. One group there always is: encoding has
 * one in memory, too.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_FRAMES_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_FRAMES_H

#include "common/workers.h"
#include "compile/clip/clip_source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all values together may take; and where weights depend on it. */
#define LIFT_TRAINING_BYTES ((size_t)256 << 20)
#define LIFT_TRAINING_BYTES_MOST ((size_t)1 << 30)

struct lift_frames {
    uint32_t count;
    uint32_t *numbers; /* rising */
    /* Of each frame, mesh and channel, as quantized, in the clip's order. NULL:
     * not wanted, hidden or static. */
    const void **values;
    uint32_t mesh_count;
    /* Every frame of the clip with all that it has, each followed by the next;
     * NULL: they are not all among these, or take too much memory. */
    struct clip_frame *whole;
};

static inline const void *lift_frames_values(const struct lift_frames *frames,
                                             uint32_t index, uint32_t mesh,
                                             uint32_t channel)
{
    return frames
        ->values[((size_t)index * frames->mesh_count + mesh) * CHANNEL_COUNT +
                 channel];
}

/* Place of a frame among them; `count` where it is not. */
uint32_t lift_frames_find(const struct lift_frames *frames, uint32_t number);

/* Choose them, for a clip whose frames take `frame_bytes` each: to `numbers`,
 * LIFT_TRAINING_FRAMES_MAX at most, rising. Returns how many. `distance`: of
 * index frames, at most LIFT_TRAINING_FRAMES_MAX. */
uint32_t lift_frames_choose(uint32_t frame_count, uint32_t distance,
                            size_t frame_bytes, uint32_t *numbers);

/* Produce them. `is_wanted`: per mesh; `distance`: of index frames. False when
 * a frame fails; a frame that its source has not refused is then named in
 * *missing (else UINT32_MAX). Everything lies in `arena`. */
bool lift_frames_make(const struct clip_source *source, uint32_t distance,
                      const bool *is_wanted, struct workers *workers,
                      struct arena *arena, struct lift_frames *out,
                      uint32_t *missing);

#endif
