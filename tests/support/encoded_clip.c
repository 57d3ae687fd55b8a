/* encoded_clip.c - see encoded_clip.h. */
/* SPDX-License-Identifier: MIT */
#include "support/encoded_clip.h"

#include "harness.h"

const struct anim_encode_options encoded_clip_options = {ANIM_PRECISION,
                                                         ANIM_FLOAT_PRECISION};

const struct made_motion encoded_clip_kinds = {
    .joints = 13,
    .frames = 37,
    .float_tracks = 4,
    .swing = 0.6,
    .travel = 0.01,
    .has_scale = true,
    .has_steps = true,
    .has_cuts = true,
};

void encoded_clip_make(const struct made_motion *made, struct encoded_clip *e)
{
    arena_init(&e->arena);
    made_motion(made, &e->arena, &e->clip);
    CHECK(anim_encode_refusal(&e->clip, &encoded_clip_options) == NULL);
    anim_encode_skeleton(&e->clip, &e->arena, &e->skeleton);
    anim_encode_clip(&e->clip, &encoded_clip_options, &e->arena, &e->file);
}

void encoded_clip_measure(struct encoded_clip *e, struct clip_error *error)
{
    spn_fault fault = {0};

    CHECK_EQ(clip_error_measure(&e->clip, &e->skeleton, &e->file, &e->arena,
                                error, &fault),
             SPN_OK);
}

spn_status encoded_clip_open(const struct anim_file *file, struct arena *arena,
                             struct anim_clip *clip, spn_fault *fault)
{
    struct anim_head_models *models =
        ARENA_NEW(arena, struct anim_head_models, 1);
    struct anim_clip_header header;
    size_t bytes = 0;
    spn_status status = spn__anim_clip_read_header(file->bytes, &header, fault);

    if (status == SPN_OK)
        status =
            spn__anim_clip_measure(&header, file->bytes, models, &bytes, fault);
    if (status == SPN_OK)
        spn__anim_clip_open(&header, file->bytes, models,
                            arena_alloc(arena, bytes, 1), clip);
    return status;
}
