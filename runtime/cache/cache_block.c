/* cache_block.c - checksum, decompression and byte order of blocks and blobs.
 *
 * Nothing here looks at values: every bit pattern of a channel is a legal one.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_block.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "base/mem.h"
#include "base/wire.h"
#include "codec/lift/lift.h"

/* On little-endian machines the compiler drops the loop: it copies each number
 * onto itself. */
static void swap_u32le(void *values, uint32_t bytes)
{
    uint8_t *b = values;

    for (uint32_t at = 0; at + 4 <= bytes; at += 4) {
        uint32_t value = spn_load_u32le(b + at);

        memcpy(b + at, &value, sizeof value);
    }
}

spn_status spn__cache_unpack(const spn_codec *codec, const void *stored,
                             uint32_t stored_bytes, uint32_t checksum,
                             bool is_raw, uint32_t component_bytes,
                             void *target, uint32_t raw_bytes, void *workspace)
{
    if (spn__checksum(stored, stored_bytes, WIRE_SEED) != checksum)
        return SPN_ERR_CHECKSUM;
    if (is_raw) {
        if (stored_bytes != raw_bytes)
            return SPN_ERR_CODEC;
        if (raw_bytes > 0)
            memcpy(target, stored, raw_bytes);
    } else {
        spn_status status;

        if (!codec)
            return SPN_ERR_CODEC;
        status =
            codec->decode(stored, stored_bytes, target, raw_bytes, workspace);
        if (status != SPN_OK)
            return status;
    }
    if (component_bytes == 2)
        spn_swap_u16le(target, raw_bytes / 2);
    else if (component_bytes == 4)
        swap_u32le(target, raw_bytes);
    return SPN_OK;
}

void spn__cache_unpack_fault(spn_status status, const void *stored,
                             uint32_t stored_bytes, uint32_t checksum,
                             uint64_t offset, struct spn_fault *fault)
{
    if (status == SPN_ERR_CHECKSUM) {
        wire_refuse_for(fault, status, "checksum of a block", offset,
                        spn__checksum(stored, stored_bytes, WIRE_SEED),
                        checksum);
        return;
    }
    wire_refuse_wide(fault, "compressed block", offset, stored_bytes);
    fault->status = status;
}

void spn__cache_coding_fault(spn_status status, const char *what,
                             uint32_t coding, uint64_t offset,
                             struct spn_fault *fault)
{
    wire_refuse_wide(fault, what, offset, coding);
    fault->status = status;
}

spn_status spn__cache_unpack_channel(const struct predict_ops *ops,
                                     const spn_codec *codec,
                                     const struct cache_block_entry *entry,
                                     const void *stored, enum channel channel,
                                     uint32_t count, void *target,
                                     void *workspace, uint8_t *scratch)
{
    bool is_planes = entry->order == ORDER_PLANES;
    bool is_payload = entry->coding == CODING_LIFTED;
    uint32_t component_bytes =
        is_planes || channel_form(channel) == FORM_U8X4 ? 1 : 2;
    spn_status status;

    if (is_payload) {
        status = spn__cache_unpack(codec, stored, entry->stored_bytes,
                                   entry->checksum, true, 1, target,
                                   entry->stored_bytes, workspace);
        if (status == SPN_OK)
            memset((uint8_t *)target + entry->stored_bytes, 0,
                   RESIDUAL_PADDING);
        return status;
    }
    status = spn__cache_unpack(
        codec, stored, entry->stored_bytes, entry->checksum, entry->is_raw,
        component_bytes, is_planes ? scratch : target,
        count * channel_vertex_bytes(channel), workspace);
    if (status == SPN_OK && is_planes)
        spn__planes_join(ops, channel, scratch, count, target,
                         scratch + BLOCK_RAW_BYTES_MAX);
    return status;
}

void spn__cache_classic_references(struct predict_stream *stream,
                                   const void *const *values, uint32_t count)
{
    stream->floor_index = values[0];
    stream->ceil_index = values[1];
    stream->previous = values[count > 2 ? 2 : 0];
    stream->previous_two = values[count > 3 ? 3 : 0];
}

uint32_t spn__cache_lifted_references(const uint8_t *payload, uint32_t bytes)
{
    uint32_t frames = bytes > 0 ? payload[0] & LIFT_FRAMES_MASK : 0;

    /* The prediction from one-rings counts as a frame, but is none. */
    if (frames > 0 && (payload[0] & LIFT_HAS_GUESS))
        frames--;
    return frames <= LIFT_FRAMES_MAX ? frames : 0;
}
