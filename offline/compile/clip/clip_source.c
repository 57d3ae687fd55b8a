/* clip_source.c - a clip as the source of its own frames. */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/clip_source.h"

static bool produce(void *user, uint32_t number, struct arena *arena,
                    struct clip_frame *frame)
{
    return clip_frame_produce(user, number, arena, frame);
}

static void follow(void *user, const struct clip_frame *before,
                   struct clip_frame *frame)
{
    clip_frame_follow(user, before, frame);
}

struct clip_source clip_source_of(struct clip *clip)
{
    return (struct clip_source){
        .clip = clip, .user = clip, .produce = produce, .follow = follow};
}
