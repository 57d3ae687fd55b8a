/* anim_verify.h - compare a clip with the source that it was compiled from.
 *
 * The source is read and sampled again, at the clip's rate. The clip is decoded
 * by the runtime's decoder. Both are compared at the skin (skin_error.h), and
 * in their float tracks, at all frames and at 1/4, 1/2 and 3/4 between
 * neighbours. Names of float tracks and flags must be equal.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_ANIM_VERIFY_H
#define OFFLINE_ANIM_TOOL_ANIM_VERIFY_H

#include "anim/source/sample.h"
#include "anim/tool/clip_flags.h"
#include "common/diag.h"

#include <stdbool.h>

struct anim_verify_options {
    const char *clip;     /* path */
    const char *skeleton; /* path; NULL: found beside the clip */
    const char *source;   /* path; NULL: the clip is only decoded */
    const char *name;     /* of the clip in the source; NULL: the only one, or
                           * the one that the file is named after */
    struct sample_options sample; /* rate 0: that of the clip */
    /* As for anim_compile: they say what the clip's flags should be. */
    struct clip_patterns patterns[CLIP_OPTIONS];
    const char *root_joint;
    double precision; /* metres at frames; ANIM_BETWEEN_FACTOR times as much
                       * between them */
};

/* An error and where it is. */
struct anim_verify_error {
    double metres;
    uint32_t frame; /* or the frame before */
    uint32_t joint;
};

struct anim_verify_report {
    uint32_t frame_count;
    uint32_t joint_count;
    bool is_compared; /* with a source; the fields below are set */
    struct anim_verify_error at_frames;
    struct anim_verify_error between; /* against the sampled source */
    /* Against the source's own curves: what sampling has lost, too. Not
     * limited. */
    struct anim_verify_error curves;
    /* Largest difference of a float track, at frames and between them. */
    double floats;
    double floats_between;
    /* The errors at frames and between them are within the precision, those of
     * float tracks within ANIM_FLOAT_PRECISION and rounding. True without a
     * source. */
    bool has_passed;
    char joints[3][256]; /* names of the joints of the errors */
};

/* Returns false after a refusal. */
bool anim_verify(const struct anim_verify_options *options, struct diag *diag,
                 struct anim_verify_report *report);

#endif
