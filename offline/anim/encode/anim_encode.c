/* anim_encode.c - headers and order of the parts of files. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/anim_encode.h"

#include "anim/anim_clip.h"
#include "anim/anim_segment.h"
#include "anim/anim_skeleton.h"
#include "anim/anim_wire.h"
#include "anim/encode/clip_rows.h"
#include "anim/encode/head_writer.h"
#include "anim/encode/segment_writer.h"
#include "base/checksum.h"
#include "base/endian.h"

#include <math.h>
#include <string.h>

/* -- refusals -- */

static bool all_finite(const double *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(values[i]) <= 1e6))
            return false;
    return true;
}

static bool is_transform(const struct joint_transform *t)
{
    const double *q = t->rotation;
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];

    return fabs(square - 1) < 1e-3 && all_finite(t->translation, 3) &&
           all_finite(t->scale, 3);
}

static const char *refuse_joints(const struct dense_clip *clip)
{
    for (uint32_t j = 0; j < clip->joint_count; j++) {
        if (strlen(clip->joints[j].name) >= ANIM_NAME_BYTES_MAX)
            return "the name of a joint is too long";
        if (clip->joints[j].parent >= (int64_t)j || clip->joints[j].parent < -1)
            return "a joint stands before its parent";
        if (!is_transform(&clip->joints[j].rest))
            return "a rest pose is not finite, or too large";
    }
    return NULL;
}

static const char *refuse_float_names(const struct dense_clip *clip)
{
    for (uint32_t i = 0; i < clip->float_track_count; i++) {
        const char *name = clip->float_track_names[i];

        if (!spn__anim_float_name_is_good(name, strlen(name)))
            return "the name of a float track is empty, has more than 511 "
                   "bytes, is not UTF-8, or has a control character";
    }
    return NULL;
}

const char *anim_encode_refusal(const struct dense_clip *clip,
                                const struct anim_encode_options *options)
{
    const uint64_t poses = (uint64_t)clip->frame_count * clip->joint_count;
    const uint64_t floats =
        (uint64_t)clip->frame_count * clip->float_track_count;
    const char *refusal;

    if (!(options->precision >= 1e-7) || !(options->precision <= 1))
        return "the precision is not between 0.0001 and 1000 mm";
    if (!(options->float_precision > 0))
        return "the precision of float tracks is not positive";
    if (clip->joint_count == 0)
        return "there are no joints";
    if (clip->joint_count > ANIM_JOINTS_MAX)
        return "there are more than 4,096 joints";
    if (clip->float_track_count > ANIM_FLOAT_TRACKS_MAX)
        return "there are more than 4,096 float tracks";
    if (clip->frame_count == 0)
        return "there are no frames";
    if (clip->frame_count > ANIM_FRAMES_MAX || poses > (1u << 27) ||
        floats > (1u << 27))
        return "there are too many frames";
    if (clip->rate_numerator == 0 || clip->rate_denominator == 0)
        return "the rate is not positive";
    if (clip->rate_numerator > ANIM_RATE_MAX ||
        clip->rate_denominator > ANIM_RATE_MAX)
        return "a part of the rate is above 100,000";
    refusal = refuse_joints(clip);
    if (!refusal)
        refusal = refuse_float_names(clip);
    for (uint64_t i = 0; !refusal && i < poses; i++)
        if (!is_transform(&clip->locals[i]))
            refusal = "a pose is not finite, or too large";
    for (uint64_t i = 0; !refusal && i < floats; i++)
        if (!(fabsf(clip->floats[i]) <= 1e6f))
            refusal = "a float track is not finite, or too large";
    return refusal;
}

/* -- skeleton -- */

static void to_skeleton(const struct dense_clip *clip, struct arena *arena,
                        struct anim_skeleton *skeleton, uint32_t *name_bytes)
{
    const uint32_t joints = clip->joint_count;
    spn_anim_transform *rest = ARENA_NEW(arena, spn_anim_transform, joints);
    uint16_t *parent = ARENA_NEW(arena, uint16_t, joints);
    uint32_t *name = ARENA_NEW(arena, uint32_t, joints);
    uint32_t bytes = 0;
    char *names;

    for (uint32_t j = 0; j < joints; j++) {
        const struct joint_transform *t = &clip->joints[j].rest;

        for (int k = 0; k < 4; k++)
            rest[j].rotation[k] = (float)t->rotation[k];
        for (int k = 0; k < 3; k++) {
            rest[j].translation[k] = (float)t->translation[k];
            rest[j].scale[k] = (float)t->scale[k];
        }
        parent[j] = clip->joints[j].parent < 0
                        ? (uint16_t)ANIM_NO_PARENT
                        : (uint16_t)clip->joints[j].parent;
        name[j] = bytes;
        bytes += (uint32_t)strlen(clip->joints[j].name) + 1;
    }
    names = ARENA_NEW(arena, char, bytes);
    for (uint32_t j = 0; j < joints; j++)
        memcpy(names + name[j], clip->joints[j].name,
               strlen(clip->joints[j].name));
    *skeleton = (struct anim_skeleton){.joint_count = joints,
                                       .parent = parent,
                                       .rest = rest,
                                       .name = name,
                                       .names = names};
    skeleton->hash = spn__anim_skeleton_hash(skeleton);
    skeleton->rest_pose_hash = skeleton_rest_pose_hash(skeleton);
    *name_bytes = bytes;
}

uint64_t anim_encode_hash(const struct dense_clip *clip, struct arena *arena)
{
    struct anim_skeleton skeleton;
    uint32_t name_bytes;

    to_skeleton(clip, arena, &skeleton, &name_bytes);
    return skeleton.hash;
}

void anim_encode_skeleton(const struct dense_clip *clip, struct arena *arena,
                          struct anim_file *file)
{
    struct anim_skeleton skeleton;
    struct anim_wire_skeleton *wire;
    uint32_t name_bytes;
    uint8_t *body;
    size_t body_bytes;

    to_skeleton(clip, arena, &skeleton, &name_bytes);
    body = skeleton_body_write(&skeleton, arena, &body_bytes);
    file->size = sizeof *wire + body_bytes;
    file->bytes = ARENA_NEW(arena, uint8_t, file->size);
    wire = (void *)file->bytes;
    memcpy(file->bytes + sizeof *wire, body, body_bytes);
    memcpy(wire->signature, ANIM_SKELETON_SIGNATURE, sizeof wire->signature);
    spn_store_u16le(wire->version, ANIM_VERSION);
    spn_store_u16le(wire->joint_count, (uint16_t)clip->joint_count);
    spn_store_u32le(wire->name_bytes, name_bytes);
    spn_store_u32le(wire->file_bytes, (uint32_t)file->size);
    spn_store_u64le(wire->hash, skeleton.hash);
    spn_store_u32le(wire->body_checksum,
                    spn__checksum(body, body_bytes, WIRE_SEED));
    spn_store_u32le(wire->checksum,
                    spn__checksum(wire, sizeof *wire - 4, WIRE_SEED));
}

/* -- clip -- */

static bool has_cuts(const struct dense_clip *clip)
{
    for (uint32_t f = 1; clip->frame_is_cut && f < clip->frame_count; f++)
        if (clip->frame_is_cut[f])
            return true;
    return false;
}

struct parts {
    const uint8_t *tracks; /* the coded head */
    size_t track_bytes;
    bool has_scale;
    uint32_t segment_frames;
    uint32_t segment_values; /* at most */
    uint32_t segment_count;
    uint8_t **segments;
    size_t *segment_bytes;
};

/* Write the coded head and the segments. */
static void write_tracks(const struct lattice *lattice,
                         const struct float_lattice *floats,
                         uint32_t segment_frames, struct arena *arena,
                         struct parts *parts)
{
    const struct dense_clip *clip = lattice->clip;
    const uint8_t *cuts = has_cuts(clip) ? clip->frame_is_cut : NULL;
    struct clip_rows rows;

    clip_rows_make(&rows, lattice, floats, segment_frames, arena);
    parts->tracks =
        head_write(&rows, lattice, floats, arena, &parts->track_bytes);
    parts->segment_frames = segment_frames;
    parts->segment_values = segment_frames * rows.length;
    parts->segment_count =
        rows.length > 0 ? (clip->frame_count - 1) / segment_frames + 1 : 0;
    parts->segments = ARENA_NEW(arena, uint8_t *, parts->segment_count);
    parts->segment_bytes = ARENA_NEW(arena, size_t, parts->segment_count);
    for (uint32_t s = 0; s < parts->segment_count; s++)
        parts->segments[s] =
            segment_write(&rows, s, cuts, arena, &parts->segment_bytes[s]);
}

/* Whether segments keep the bounds of anim_encode.h. */
static bool segments_are_light(const struct parts *parts)
{
    uint64_t sum = 0;

    for (uint32_t s = 0; s < parts->segment_count; s++) {
        if (parts->segment_bytes[s] > ANIM_SEGMENT_BYTES_MAX)
            return false;
        sum += parts->segment_bytes[s];
    }
    return sum <= (uint64_t)ANIM_SEGMENT_BYTES_MEAN * parts->segment_count &&
           parts->segment_values <= ANIM_SEGMENT_VALUES_MAX;
}

static void write_parts(const struct dense_clip *clip,
                        const struct anim_encode_options *options,
                        struct arena *arena, struct parts *parts)
{
    const struct float_lattice *floats =
        clip_rows_floats(clip, options->float_precision, arena);
    uint32_t frames = ANIM_SEGMENT_FRAMES_MAX;
    struct lattice lattice;

    lattice_make(&lattice, clip, options->precision, arena);
    parts->has_scale = lattice_has_scale(&lattice);
    write_tracks(&lattice, floats, frames, arena, parts);
    while (frames > ANIM_SEGMENT_FRAMES_MIN && !segments_are_light(parts)) {
        frames /= 2;
        write_tracks(&lattice, floats, frames, arena, parts);
    }
}

/* Write the table of segments and the segments. */
static void write_segments(const struct parts *parts, uint8_t *file,
                           size_t offset)
{
    uint8_t *table = file + sizeof(struct anim_wire_clip);

    for (uint32_t s = 0; s < parts->segment_count; s++) {
        struct anim_wire_segment *wire =
            (void *)(table + s * sizeof(struct anim_wire_segment));

        memcpy(file + offset, parts->segments[s], parts->segment_bytes[s]);
        offset += parts->segment_bytes[s];
        spn_store_u32le(wire->end, (uint32_t)offset);
        spn_store_u32le(wire->checksum,
                        spn__checksum(parts->segments[s],
                                      parts->segment_bytes[s], WIRE_SEED));
    }
}

static void write_header(const struct dense_clip *clip,
                         const struct anim_skeleton *skeleton,
                         const struct parts *parts, size_t head_bytes,
                         struct anim_file *file)
{
    struct anim_wire_clip *wire = (void *)file->bytes;
    const uint32_t flags = (clip->loop_closes ? ANIM_LOOP_CLOSES : 0) |
                           (has_cuts(clip) ? ANIM_HAS_CUTS : 0) |
                           (clip->loops ? ANIM_LOOPS : 0) |
                           (clip->is_additive ? ANIM_IS_ADDITIVE : 0) |
                           (clip->has_root_motion ? ANIM_HAS_ROOT_MOTION : 0) |
                           (parts->has_scale ? ANIM_HAS_SCALE : 0);

    memcpy(wire->signature, ANIM_CLIP_SIGNATURE, sizeof wire->signature);
    spn_store_u16le(wire->version, ANIM_VERSION);
    wire->flags[0] = (uint8_t)flags;
    wire->segment_frames[0] = (uint8_t)parts->segment_frames;
    spn_store_u16le(wire->joint_count, (uint16_t)clip->joint_count);
    spn_store_u16le(wire->float_track_count, (uint16_t)clip->float_track_count);
    spn_store_u32le(wire->frame_count, clip->frame_count);
    spn_store_u32le(wire->rate_numerator, clip->rate_numerator);
    spn_store_u32le(wire->rate_denominator, clip->rate_denominator);
    spn_store_u64le(wire->skeleton, skeleton->hash);
    spn_store_u32le(wire->rest_pose_hash, skeleton->rest_pose_hash);
    spn_store_u32le(wire->head_bytes, (uint32_t)head_bytes);
    spn_store_u32le(wire->file_bytes, (uint32_t)file->size);
    spn_store_u32le(wire->head_checksum,
                    spn__checksum(file->bytes + sizeof *wire,
                                  head_bytes - sizeof *wire, WIRE_SEED));
    spn_store_u32le(wire->checksum,
                    spn__checksum(wire, sizeof *wire - 4, WIRE_SEED));
}

void anim_encode_clip(const struct dense_clip *clip,
                      const struct anim_encode_options *options,
                      struct arena *arena, struct anim_file *file)
{
    struct anim_skeleton skeleton;
    uint32_t name_bytes;
    struct parts parts = {0};
    size_t tracks_at;
    size_t head_bytes;

    to_skeleton(clip, arena, &skeleton, &name_bytes);
    write_parts(clip, options, arena, &parts);
    tracks_at = sizeof(struct anim_wire_clip) +
                parts.segment_count * sizeof(struct anim_wire_segment);
    head_bytes = tracks_at + parts.track_bytes;
    file->size = head_bytes;
    for (uint32_t s = 0; s < parts.segment_count; s++)
        file->size += parts.segment_bytes[s];
    file->bytes = ARENA_NEW(arena, uint8_t, file->size);
    memcpy(file->bytes + tracks_at, parts.tracks, parts.track_bytes);
    write_segments(&parts, file->bytes, head_bytes);
    write_header(clip, &skeleton, &parts, head_bytes, file);
}
