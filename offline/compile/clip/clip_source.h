/* clip_source.h - the interface through which the encoder reads frames.
 *
 * In a compile the frames come from a clip (clip.h); tests implement the
 * callbacks themselves. The encoder calls `produce` on all threads and
 * `align_signs` in the order of the frames.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_SOURCE_H
#define OFFLINE_COMPILE_CLIP_CLIP_SOURCE_H

#include "compile/clip/clip.h"

struct clip_source {
    const struct clip *clip; /* nodes, meshes, times and static data */
    void *user;
    /* As clip_frame_produce: any thread. Returns false after a refusal in the
     * diag of the run. */
    bool (*produce)(void *user, uint32_t number, struct arena *arena,
                    struct clip_frame *frame);
    /* As clip_frame_align_signs. */
    void (*align_signs)(void *user, const struct clip_frame *before,
                        struct clip_frame *frame);
};

/* A source that returns the frames of `clip`, which must outlive it. */
struct clip_source clip_source_of(struct clip *clip);

#endif
