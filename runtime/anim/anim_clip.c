/* anim_clip.c - the header, the table of segments, and the order of checks. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_clip.h"

#include "anim/anim_head_reader.h"
#include "anim/anim_wire.h"
#include "anim/pose/anim_window.h"
#include "base/checksum.h"
#include "base/endian.h"

SPN_STATIC_ASSERT(ANIM_CLIP_HEADER_BYTES == sizeof(struct anim_wire_clip),
                  anim_clip_header_bytes);
#define AT(field) ((uint32_t)offsetof(struct anim_wire_clip, field))

/* -- header -- */

static spn_status check_counts(const struct anim_clip_header *h,
                               spn_fault *fault)
{
    if (h->joint_count == 0 || h->joint_count > ANIM_JOINTS_MAX)
        return wire_refuse(fault, "joint count", AT(joint_count),
                           h->joint_count);
    if (h->float_track_count > ANIM_FLOAT_TRACKS_MAX)
        return wire_refuse(fault, "float track count", AT(float_track_count),
                           h->float_track_count);
    if (h->frame_count == 0 || h->frame_count > ANIM_FRAMES_MAX)
        return wire_refuse(fault, "frame count", AT(frame_count),
                           h->frame_count);
    if (h->rate_numerator == 0 || h->rate_numerator > ANIM_RATE_MAX)
        return wire_refuse(fault, "rate", AT(rate_numerator),
                           h->rate_numerator);
    if (h->rate_denominator == 0 || h->rate_denominator > ANIM_RATE_MAX)
        return wire_refuse(fault, "rate", AT(rate_denominator),
                           h->rate_denominator);
    return SPN_OK;
}

static spn_status check_sizes(struct anim_clip_header *h, spn_fault *fault)
{
    const uint32_t segments = (h->frame_count - 1) / ANIM_SEGMENT_FRAMES + 1;

    if (h->head_bytes > h->file_bytes)
        return wire_refuse(fault, "head size", AT(head_bytes), h->head_bytes);
    /* A clip in which nothing is animated ends with its head. */
    h->segment_count = h->head_bytes < h->file_bytes ? segments : 0;
    if (h->head_bytes < ANIM_CLIP_HEADER_BYTES ||
        (h->head_bytes - ANIM_CLIP_HEADER_BYTES) /
                sizeof(struct anim_wire_segment) <
            h->segment_count)
        return wire_refuse(fault, "head size", AT(head_bytes), h->head_bytes);
    return SPN_OK;
}

spn_status spn__anim_clip_read_header(const uint8_t *bytes,
                                      struct anim_clip_header *header,
                                      spn_fault *fault)
{
    const struct anim_wire_clip *wire = (const void *)bytes;
    const uint32_t version = spn_load_u16le(wire->version);
    const uint32_t flags = spn_load_u16le(wire->flags);
    struct anim_clip_header h = {
        .loop_closes = flags & ANIM_LOOP_CLOSES,
        .has_cuts = flags & ANIM_HAS_CUTS,
        .loops = flags & ANIM_LOOPS,
        .is_additive = flags & ANIM_IS_ADDITIVE,
        .has_root_motion = flags & ANIM_HAS_ROOT_MOTION,
        .has_scale = flags & ANIM_HAS_SCALE,
        .joint_count = spn_load_u16le(wire->joint_count),
        .float_track_count = spn_load_u16le(wire->float_track_count),
        .frame_count = spn_load_u32le(wire->frame_count),
        .rate_numerator = spn_load_u32le(wire->rate_numerator),
        .rate_denominator = spn_load_u32le(wire->rate_denominator),
        .skeleton = spn_load_u64le(wire->skeleton),
        .rest_pose_hash = spn_load_u32le(wire->rest_pose_hash),
        .head_bytes = spn_load_u32le(wire->head_bytes),
        .file_bytes = spn_load_u32le(wire->file_bytes),
        .head_checksum = spn_load_u32le(wire->head_checksum),
    };
    spn_status status =
        spn__wire_validate_signature(bytes, ANIM_CLIP_SIGNATURE, fault);

    if (status == SPN_OK && version != ANIM_VERSION)
        status = wire_refuse_for(fault, SPN_ERR_VERSION, "version", AT(version),
                                 version, ANIM_VERSION);
    if (status == SPN_OK)
        status = spn__wire_validate_checksum(bytes, sizeof *wire, fault);
    if (status == SPN_OK && flags & ~ANIM_FLAGS)
        status = wire_refuse(fault, "flags", AT(flags), flags);
    if (status == SPN_OK)
        status = check_counts(&h, fault);
    if (status == SPN_OK)
        status = check_sizes(&h, fault);
    if (status == SPN_OK)
        *header = h;
    return status;
}

/* -- table of segments -- */

static const struct anim_wire_segment *segment_at(const uint8_t *table,
                                                  uint32_t segment)
{
    return (const struct anim_wire_segment
                *)(const void *)(table +
                                 segment * sizeof(struct anim_wire_segment));
}

static spn_status check_segments(const struct anim_clip_header *h,
                                 const uint8_t *table, spn_fault *fault)
{
    uint32_t end = h->head_bytes;
    uint32_t at = ANIM_CLIP_HEADER_BYTES;

    for (uint32_t i = 0; i < h->segment_count; i++) {
        const uint32_t next = spn_load_u32le(segment_at(table, i)->end);

        if (next <= end)
            return wire_refuse(fault, "end of a segment", at, next);
        end = next;
        at += (uint32_t)sizeof(struct anim_wire_segment);
    }
    if (end != h->file_bytes)
        return wire_refuse_unlike(
            fault, "end of the last segment",
            at - (uint32_t)sizeof(struct anim_wire_segment), end,
            h->file_bytes);
    return SPN_OK;
}

struct anim_segment_place spn__anim_clip_segment(const struct anim_clip *clip,
                                                 uint32_t segment)
{
    const struct anim_wire_segment *wire = segment_at(clip->segments, segment);
    const uint32_t offset =
        segment > 0 ? spn_load_u32le((wire - 1)->end) : clip->header.head_bytes;

    SPN_ASSERT(segment < clip->header.segment_count);
    return (struct anim_segment_place){
        .offset = offset,
        .bytes = spn_load_u32le(wire->end) - offset,
        .checksum = spn_load_u32le(wire->checksum),
    };
}

/* -- open -- */

spn_status spn__anim_clip_measure_window(const struct anim_clip_header *header,
                                         const uint8_t *head,
                                         struct anim_head_models *models,
                                         size_t *memory, size_t *window,
                                         spn_fault *fault)
{
    const uint32_t checksum =
        spn__checksum(head + ANIM_CLIP_HEADER_BYTES,
                      header->head_bytes - ANIM_CLIP_HEADER_BYTES, WIRE_SEED);
    struct anim_tracks tracks;
    size_t bytes;
    spn_status status;

    if (checksum != header->head_checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM, "checksum of the head",
                               ANIM_CLIP_HEADER_BYTES, checksum,
                               header->head_checksum);
    status = check_segments(header, head + ANIM_CLIP_HEADER_BYTES, fault);
    if (status != SPN_OK)
        return status;
    if (!spn__anim_head_count(header, head, models, &tracks, &bytes, fault))
        return SPN_ERR_FORMAT;
    if ((anim_place_count(&tracks) > 0) != (header->segment_count > 0))
        return wire_refuse(fault,
                           "segments without tracks, or tracks without "
                           "segments",
                           AT(head_bytes), header->head_bytes);
    if (anim_tracks_have_scale(&tracks) != header->has_scale)
        return wire_refuse(fault, "the flag of scales", AT(flags),
                           header->has_scale);
    *memory = bytes;
    *window = spn__anim_window_bytes(&tracks);
    return SPN_OK;
}

spn_status spn__anim_clip_measure(const struct anim_clip_header *header,
                                  const uint8_t *head,
                                  struct anim_head_models *models,
                                  size_t *memory, spn_fault *fault)
{
    size_t window;

    return spn__anim_clip_measure_window(header, head, models, memory, &window,
                                         fault);
}

void spn__anim_clip_open(const struct anim_clip_header *header,
                         const uint8_t *head, struct anim_head_models *models,
                         void *memory, struct anim_clip *clip)
{
    *clip = (struct anim_clip){
        .header = *header,
        .segments = head + ANIM_CLIP_HEADER_BYTES,
    };
    spn__anim_head_fill(header, head, models, memory, &clip->tracks);
}
