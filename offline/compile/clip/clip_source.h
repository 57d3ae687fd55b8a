/* clip_source.h - where the encoder takes its frames from: a clip, or a test.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_SOURCE_H
#define OFFLINE_COMPILE_CLIP_CLIP_SOURCE_H

#include "compile/clip/clip.h"

struct clip_source {
    const struct clip *clip;
    void *user;
    /* As clip_frame_produce and clip_frame_follow. A produce that fails has
     * refused through the run's diag. */
    bool (*produce)(void *user, uint32_t number, struct arena *arena,
                    struct clip_frame *frame);
    void (*follow)(void *user, const struct clip_frame *before,
                   struct clip_frame *frame);
};

/* The frames of a clip itself, which must outlive it. */
struct clip_source clip_source_of(struct clip *clip);

#endif
