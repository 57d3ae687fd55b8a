/* anim_clip.c - headers of clip files and of clips in databases
 * (packed_clip.h), the table of segments, and the order of checks.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_clip.h"

#include "anim/anim_head_reader.h"
#include "anim/anim_wire.h"
#include "anim/packed_clip.h"
#include "anim/pose/anim_window.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "base/mem.h"

SPN_STATIC_ASSERT(ANIM_CLIP_HEADER_BYTES == sizeof(struct anim_wire_clip),
                  anim_clip_header_bytes);
SPN_STATIC_ASSERT(ANIM_CHECKED_ENTRY == sizeof(struct anim_wire_segment),
                  anim_checked_entry);
SPN_STATIC_ASSERT(PACKED_CLIP_HEADER_BYTES == sizeof(struct anim_wire_packed),
                  packed_clip_header_bytes);
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
    if (h->segment_frames < ANIM_SEGMENT_FRAMES_MIN ||
        h->segment_frames > ANIM_SEGMENT_FRAMES_MAX ||
        (h->segment_frames & (h->segment_frames - 1)) != 0)
        return wire_refuse(fault, "frames of a segment", AT(segment_frames),
                           h->segment_frames);
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
    const uint32_t segments = (h->frame_count - 1) / h->segment_frames + 1;

    if (h->head_bytes > h->file_bytes)
        return wire_refuse(fault, "head size", AT(head_bytes), h->head_bytes);
    /* A clip in which nothing is animated ends with its head. */
    h->segment_count = h->head_bytes < h->file_bytes ? segments : 0;
    if (h->head_bytes < h->table_at ||
        (h->head_bytes - h->table_at) / h->entry_bytes < h->segment_count)
        return wire_refuse(fault, "head size", AT(head_bytes), h->head_bytes);
    return SPN_OK;
}

static spn_status read_header(const uint8_t *bytes, uint32_t table_at,
                              uint32_t entry_bytes,
                              struct anim_clip_header *header, spn_fault *fault)
{
    const struct anim_wire_clip *wire = (const void *)bytes;
    const uint32_t version = spn_load_u16le(wire->version);
    const uint32_t flags = wire->flags[0];
    struct anim_clip_header h = {
        .loop_closes = flags & ANIM_LOOP_CLOSES,
        .has_cuts = flags & ANIM_HAS_CUTS,
        .loops = flags & ANIM_LOOPS,
        .is_additive = flags & ANIM_IS_ADDITIVE,
        .has_root_motion = flags & ANIM_HAS_ROOT_MOTION,
        .has_scale = flags & ANIM_HAS_SCALE,
        .joint_count = spn_load_u16le(wire->joint_count),
        .float_track_count = spn_load_u16le(wire->float_track_count),
        .segment_frames = wire->segment_frames[0],
        .frame_count = spn_load_u32le(wire->frame_count),
        .rate_numerator = spn_load_u32le(wire->rate_numerator),
        .rate_denominator = spn_load_u32le(wire->rate_denominator),
        .skeleton = spn_load_u64le(wire->skeleton),
        .rest_pose_hash = spn_load_u32le(wire->rest_pose_hash),
        .head_bytes = spn_load_u32le(wire->head_bytes),
        .file_bytes = spn_load_u32le(wire->file_bytes),
        .head_checksum = spn_load_u32le(wire->head_checksum),
        .table_at = table_at,
        .entry_bytes = entry_bytes,
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

spn_status spn__anim_clip_read_header(const uint8_t *bytes,
                                      struct anim_clip_header *header,
                                      spn_fault *fault)
{
    return read_header(bytes, ANIM_CLIP_HEADER_BYTES, ANIM_CHECKED_ENTRY,
                       header, fault);
}

/* -- header of a clip in a database -- */

static uint32_t flags_of(const struct clip_facts *facts)
{
    return (facts->flags & CLIP_LOOP_CLOSES ? ANIM_LOOP_CLOSES : 0) |
           (facts->flags & CLIP_LOOPS ? ANIM_LOOPS : 0) |
           (facts->flags & CLIP_IS_ADDITIVE ? ANIM_IS_ADDITIVE : 0) |
           (facts->flags & CLIP_HAS_ROOT_MOTION ? ANIM_HAS_ROOT_MOTION : 0) |
           (facts->flags & CLIP_HAS_SCALE ? ANIM_HAS_SCALE : 0);
}

void spn__packed_clip_expand(const uint8_t *packed,
                             const struct clip_facts *facts,
                             struct anim_wire_clip *wire)
{
    const struct anim_wire_packed *p = (const void *)packed;

    memset(wire, 0, sizeof *wire);
    memcpy(wire->signature, ANIM_CLIP_SIGNATURE, sizeof wire->signature);
    spn_store_u16le(wire->version, ANIM_VERSION);
    wire->flags[0] = (uint8_t)(flags_of(facts) | p->flags[0]);
    wire->segment_frames[0] = p->segment_frames[0];
    spn_store_u16le(wire->joint_count, (uint16_t)facts->joint_count);
    memcpy(wire->float_track_count, p->float_track_count,
           sizeof wire->float_track_count);
    spn_store_u32le(wire->frame_count, facts->frame_count);
    spn_store_u32le(wire->rate_numerator, facts->rate_numerator);
    spn_store_u32le(wire->rate_denominator, facts->rate_denominator);
    spn_store_u64le(wire->skeleton, facts->skeleton);
    spn_store_u32le(wire->rest_pose_hash, facts->rest_pose_hash);
    memcpy(wire->head_bytes, p->head_bytes, sizeof wire->head_bytes);
    spn_store_u32le(wire->file_bytes, facts->bytes);
    memcpy(wire->checksum, p->checksum, sizeof wire->checksum);
}

spn_status spn__packed_clip_read_header(const uint8_t *bytes,
                                        const struct clip_facts *facts,
                                        struct anim_clip_header *header,
                                        spn_fault *fault)
{
    const struct anim_wire_packed *p = (const void *)bytes;
    const uint32_t flags = p->flags[0];
    struct anim_wire_clip wire;
    spn_status status;

    if (flags & ~ANIM_HAS_CUTS)
        return wire_refuse(fault, "flags",
                           offsetof(struct anim_wire_packed, flags), flags);
    spn__packed_clip_expand(bytes, facts, &wire);
    status = read_header((const uint8_t *)&wire, PACKED_CLIP_HEADER_BYTES,
                         packed_clip_entry_bytes(facts->bytes), header, fault);
    /* An offset in the whole header says nothing. */
    if (status != SPN_OK && fault)
        fault->offset = 0;
    return status;
}

/* -- table of segments -- */

/* Where a segment ends. */
static uint32_t end_of(const struct anim_clip_header *h, const uint8_t *table,
                       uint32_t segment)
{
    const uint8_t *entry = table + segment * h->entry_bytes;

    return h->entry_bytes == 2 ? spn_load_u16le(entry) : spn_load_u32le(entry);
}

static spn_status check_segments(const struct anim_clip_header *h,
                                 const uint8_t *table, spn_fault *fault)
{
    uint32_t end = h->head_bytes;
    uint32_t at = h->table_at;

    for (uint32_t i = 0; i < h->segment_count; i++) {
        const uint32_t next = end_of(h, table, i);

        if (next <= end)
            return wire_refuse(fault, "end of a segment", at, next);
        end = next;
        at += h->entry_bytes;
    }
    if (end != h->file_bytes)
        return wire_refuse_unlike(fault, "end of the last segment",
                                  at - h->entry_bytes, end, h->file_bytes);
    return SPN_OK;
}

struct anim_segment_place spn__anim_clip_segment(const struct anim_clip *clip,
                                                 uint32_t segment)
{
    const struct anim_clip_header *h = &clip->header;
    const uint8_t *entry = clip->segments + segment * h->entry_bytes;
    const uint32_t offset =
        segment > 0 ? end_of(h, clip->segments, segment - 1) : h->head_bytes;

    SPN_ASSERT(segment < h->segment_count);
    return (struct anim_segment_place){
        .offset = offset,
        .bytes = end_of(h, clip->segments, segment) - offset,
        .checksum = anim_clip_has_checksums(h) ? spn_load_u32le(entry + 4) : 0,
    };
}

/* -- open -- */

/* Where a field of the header lies; in a database it is not there. */
static uint32_t place_of(const struct anim_clip_header *h, uint32_t at)
{
    return anim_clip_has_checksums(h) ? at : 0;
}

static spn_status check_head(const struct anim_clip_header *h,
                             const uint8_t *head, spn_fault *fault)
{
    uint32_t checksum;

    if (!anim_clip_has_checksums(h))
        return SPN_OK;
    checksum = spn__checksum(head + h->table_at, h->head_bytes - h->table_at,
                             WIRE_SEED);
    if (checksum != h->head_checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM, "checksum of the head",
                               h->table_at, checksum, h->head_checksum);
    return SPN_OK;
}

spn_status spn__anim_clip_measure_window(const struct anim_clip_header *header,
                                         const uint8_t *head,
                                         struct anim_head_models *models,
                                         size_t *memory, size_t *window,
                                         spn_fault *fault)
{
    struct anim_tracks tracks;
    size_t bytes;
    spn_status status = check_head(header, head, fault);

    if (status == SPN_OK)
        status = check_segments(header, head + header->table_at, fault);
    if (status != SPN_OK)
        return status;
    if (!spn__anim_head_count(header, head, models, &tracks, &bytes, fault))
        return SPN_ERR_FORMAT;
    if ((anim_place_count(&tracks) > 0) != (header->segment_count > 0))
        return wire_refuse(fault,
                           "segments without tracks, or tracks without "
                           "segments",
                           place_of(header, AT(head_bytes)),
                           header->head_bytes);
    if (anim_tracks_have_scale(&tracks) != header->has_scale)
        return wire_refuse(fault, "the flag of scales",
                           place_of(header, AT(flags)), header->has_scale);
    *memory = bytes;
    *window = spn__anim_window_bytes(&tracks, header->segment_frames);
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
        .segments = head + header->table_at,
    };
    spn__anim_head_fill(header, head, models, memory, &clip->tracks);
}
