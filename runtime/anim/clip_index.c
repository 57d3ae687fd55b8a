/* clip_index.c - clips, databases and names of a validated index. */
/* SPDX-License-Identifier: MIT */
#include "anim/clip_index.h"

#include "anim/clip_index_wire.h"
#include "base/endian.h"

uint32_t spn__clip_index_find(const struct clip_index *index, const char *name,
                              uint32_t bytes)
{
    const struct name_table names = clip_wire_clip_names(index);

    return spn__name_find(&names, name, bytes);
}

uint32_t spn__clip_index_find_file(const struct clip_index *index,
                                   const char *path, uint32_t bytes)
{
    const struct name_table names = clip_wire_file_names(index);

    return spn__name_find(&names, path, bytes);
}

struct clip_facts spn__clip_index_clip(const struct clip_index *index,
                                       uint32_t clip)
{
    const struct clip_wire_clip *wire = clip_wire_clip_at(index, clip);
    const struct clip_wire_kind *kind =
        clip_wire_kind_at(index, spn_load_u32le(wire->kind));

    return (struct clip_facts){
        .name = index->names + spn_load_u32le(wire->named.name),
        .skeleton = spn_load_u64le(kind->skeleton),
        .rest_pose_hash = spn_load_u32le(kind->rest_pose_hash),
        .offset = clip_wire_offset(wire),
        .bytes = spn_load_u32le(wire->bytes),
        .first_bytes = spn_load_u32le(wire->first_bytes),
        .first_checksum = spn_load_u32le(wire->first_checksum),
        .rest_checksum = spn_load_u32le(wire->rest_checksum),
        .file = spn_load_u32le(wire->file),
        .flags = spn_load_u16le(wire->flags),
        .frame_count = spn_load_u32le(wire->frame_count),
        .joint_count = spn_load_u32le(kind->joint_count),
        .rate_numerator = spn_load_u32le(kind->rate_numerator),
        .rate_denominator = spn_load_u32le(kind->rate_denominator),
    };
}

struct clip_data_file spn__clip_index_file(const struct clip_index *index,
                                           uint32_t file)
{
    const struct clip_wire_file *wire = clip_wire_file_at(index, file);

    return (struct clip_data_file){
        .path = index->names + spn_load_u32le(wire->named.name),
        .data_offset = spn_load_u64le(wire->data_offset),
        .file_bytes = spn_load_u64le(wire->file_bytes),
        .data_checksum = spn_load_u32le(wire->data_checksum),
    };
}

uint32_t spn__clip_index_file_of(const struct clip_index *index, uint32_t clip)
{
    return spn_load_u32le(clip_wire_clip_at(index, clip)->file);
}

/* The limits of the validation keep the product below 2^61. */
uint64_t spn__clip_duration_us(const struct clip_facts *clip)
{
    const bool is_open =
        (clip->flags & CLIP_LOOPS) && !(clip->flags & CLIP_LOOP_CLOSES);
    const uint64_t steps = (uint64_t)clip->frame_count - (is_open ? 0 : 1);

    return steps * clip->rate_denominator * 1000000 / clip->rate_numerator;
}
