/* lift_frames.h - the frames of a clip that lifted meshes are trained on.
 *
 * Frames are chosen in whole groups, evenly spaced, so that all references of a
 * chosen frame are chosen, too. A group is an index frame and the frames up to
 * the next. The number of frames is limited in two ways, so that memory does
 * not grow with the clip: at most LIFT_TRAINING_FRAMES_MAX (a group of that
 * many frames and one more leaves out one frame that no other refers to), and
 * at most LIFT_TRAINING_BYTES of values. If that leaves too few frames to train
 * weights (LIFT_FRAMES_WORTH_WEIGHTS), groups are added up to
 * LIFT_TRAINING_BYTES_MOST. One group is always chosen, whatever its size:
 * encoding needs one group in memory as well.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_FRAMES_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_FRAMES_H

#include "common/workers.h"
#include "compile/clip/clip_source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of the memory of all values, as above. */
#define LIFT_TRAINING_BYTES ((size_t)256 << 20)
#define LIFT_TRAINING_BYTES_MOST ((size_t)1 << 30)

struct lift_frames {
    uint32_t count;
    uint32_t *numbers; /* rising */
    /* Quantized values of each frame, mesh and channel, in the clip's order of
     * vertices; read by lift_frames_values. NULL: the mesh is not wanted or
     * hidden, or the channel static. */
    const void **values;
    uint32_t mesh_count;
    /* All frames of the clip with all their values, so that encoding need not
     * produce them again. NULL: not all frames were chosen, or they take too
     * much memory. */
    struct clip_frame *all_frames;
};

static inline const void *lift_frames_values(const struct lift_frames *frames,
                                             uint32_t index, uint32_t mesh,
                                             uint32_t channel)
{
    return frames
        ->values[((size_t)index * frames->mesh_count + mesh) * CHANNEL_COUNT +
                 channel];
}

/* The index of frame `number` among the chosen ones; `count`: it is not there.
 */
uint32_t lift_frames_find(const struct lift_frames *frames, uint32_t number);

/* Choose frames of a clip whose frames have `frame_bytes` each. Writes at most
 * LIFT_TRAINING_FRAMES_MAX rising frame numbers and returns how many.
 * `distance` of index frames: at most LIFT_TRAINING_FRAMES_MAX. */
uint32_t lift_frames_choose(uint32_t frame_count, uint32_t distance,
                            size_t frame_bytes, uint32_t *numbers);

/* Choose and produce the frames, in `arena`. `is_wanted`: per mesh; `distance`:
 * of index frames. Returns false if a frame fails: *missing is then its number
 * if the source has not reported a refusal itself, else UINT32_MAX. */
bool lift_frames_make(const struct clip_source *source, uint32_t distance,
                      const bool *is_wanted, struct workers *workers,
                      struct arena *arena, struct lift_frames *out,
                      uint32_t *missing);

#endif
