/* clip_file_input.c - see clip_file_input.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/clip_file_input.h"

#include "anim/clip_index.h"

uint32_t clip_file_flags(const struct anim_clip *clip)
{
    uint32_t flags = 0;

    if (clip->header.loops)
        flags |= CLIP_LOOPS;
    if (clip->header.loop_closes)
        flags |= CLIP_LOOP_CLOSES;
    if (clip->header.is_additive)
        flags |= CLIP_IS_ADDITIVE;
    if (clip->header.has_root_motion)
        flags |= CLIP_HAS_ROOT_MOTION;
    if (clip->header.has_scale)
        flags |= CLIP_HAS_SCALE;
    return flags;
}

void clip_file_input(const struct clip_file *file, const char *name,
                     struct arena *arena, struct clip_input *input)
{
    const struct anim_clip_header *h = &file->clip.header;
    uint32_t *ends = ARENA_NEW(arena, uint32_t, h->segment_count);

    for (uint32_t i = 0; i < h->segment_count; i++) {
        const struct anim_segment_place place =
            spn__anim_clip_segment(&file->clip, i);

        ends[i] = place.offset + place.bytes;
    }
    *input = (struct clip_input){
        .name = name,
        .bytes = file->data,
        .byte_count = h->file_bytes,
        .header_bytes = h->head_bytes,
        .segment_ends = ends,
        .segment_count = h->segment_count,
        .skeleton = h->skeleton,
        .rest_pose_hash = h->rest_pose_hash,
        .joint_count = h->joint_count,
        .frame_count = h->frame_count,
        .rate_numerator = h->rate_numerator,
        .rate_denominator = h->rate_denominator,
        .flags = clip_file_flags(&file->clip),
    };
}
