/* clip_source.c - the source of a clip's frames. */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/clip_source.h"

static bool produce(void *user, uint32_t number, struct arena *arena,
                    struct clip_frame *frame)
{
    return clip_frame_produce(user, number, arena, frame);
}

static void align_signs(void *user, const struct clip_frame *before,
                        struct clip_frame *frame)
{
    clip_frame_align_signs(user, before, frame);
}

struct clip_source clip_source_of(struct clip *clip)
{
    return (struct clip_source){.clip = clip,
                                .user = clip,
                                .produce = produce,
                                .align_signs = align_signs};
}
