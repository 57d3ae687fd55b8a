/* encode_distance.h - the distance of index frames in a file of lifted meshes.
 *
 * An index frame is decoded without other frames; the distance is the number of
 * frames from one to the next. With a larger distance a file has fewer
 * index frames, but takes more memory to play. The encoder compares two
 * distances on the training frames, on the worker threads.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_DISTANCE_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_DISTANCE_H

#include "compile/encode/encoder.h"

/* Choose LIFT_DISTANCE or 2 * LIFT_DISTANCE. The training frames must be groups
 * of 2 * LIFT_DISTANCE frames (lift_frames.h). */
uint32_t encoder_choose_distance(struct encoder *e,
                                 const struct lift_frames *frames);

/* A channel of a part of a lifted mesh. */
struct encoder_place {
    enum channel channel;
    uint32_t mesh;
    uint32_t part; /* counted from the mesh's first part */
};

/* Fill the input of a search (lift_target.h) with a channel of a part in the
 * training frame with the index `index`. The references of this frame, for
 * index frames every `distance` frames, must be training frames, too. Numbers
 * are written to the memory of `thread`; positions only if `has_positions`. The
 * caller may then set the hierarchy, rings and aligned_values of the target. */
void encoder_load_target(const struct encoder *e,
                         const struct lift_frames *frames, uint32_t distance,
                         const struct encoder_place *at, uint32_t index,
                         bool has_positions, struct encoder_thread *thread,
                         struct lift_target *target);

#endif
