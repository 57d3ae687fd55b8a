/* encoded_clip.h - a made clip and its files, for tests of the format. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_ENCODED_CLIP_H
#define TESTS_ENCODED_CLIP_H

#include "support/made_motion.h"

#include "anim/anim_clip.h"
#include "anim/encode/anim_encode.h"
#include "anim/encode/clip_error.h"

#include <spindle/status.h>

/* With tracks, scales, steps and cuts. */
extern const struct made_motion encoded_clip_kinds;
extern const struct anim_encode_options encoded_clip_options;

struct encoded_clip {
    struct arena arena;
    struct dense_clip clip;
    struct anim_file skeleton;
    struct anim_file file;
};

/* The caller frees the arena. */
void encoded_clip_make(const struct made_motion *made, struct encoded_clip *e);
/* Measure its file, which is not damaged. */
void encoded_clip_measure(struct encoded_clip *e, struct clip_error *error);
/* Open a clip file, with memory of the arena.
 *
 * fault  NULL: not wanted */
spn_status encoded_clip_open(const struct anim_file *file, struct arena *arena,
                             struct anim_clip *clip, spn_fault *fault);

#endif
