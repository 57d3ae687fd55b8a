/* clip_error.h - measures a clip file against the clip that it was made of.
 *
 * The file is decoded by the runtime's decoder and sampled by its scalar poses,
 * at all frames and at 1/4, 1/2 and 3/4 between neighbours. There, rotations of
 * the original are interpolated spherically, the rest linearly.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_ENCODE_CLIP_ERROR_H
#define OFFLINE_ANIM_ENCODE_CLIP_ERROR_H

#include "anim/encode/anim_encode.h"

#include <spindle/status.h>

struct clip_error {
    double at_frames; /* metres: largest distance of a virtual vertex */
    double between;   /* the same between frames */
    uint32_t frame;   /* where the first is largest */
    uint32_t joint;
    double floats;     /* largest difference of a float track at frames */
    size_t memory;     /* bytes of the opened clip and two windows */
    uint32_t segments; /* number */
    uint32_t segment_bytes_max;
};

/* Measure; on an error of the file return it and fill `fault`. */
SPN_NODISCARD spn_status clip_error_measure(const struct dense_clip *clip,
                                            const struct anim_file *skeleton,
                                            const struct anim_file *file,
                                            struct arena *arena,
                                            struct clip_error *error,
                                            spn_fault *fault);

#endif
