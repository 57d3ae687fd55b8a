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

spn_status spn__cache_fault(spn_status status, const char *what, uint64_t value,
                            struct spn_fault *fault)
{
    if (fault)
        *fault =
            (struct spn_fault){.what = what, .value = value, .status = status};
    return status;
}

spn_status spn__cache_unpack(const spn_codec *codec,
                             const struct cache_block_entry *entry,
                             const void *stored, uint32_t component_bytes,
                             void *target, uint32_t raw_bytes, void *workspace,
                             struct spn_fault *fault)
{
    const uint32_t bytes = entry->stored_bytes;
    const uint32_t checksum = spn__checksum(stored, bytes, WIRE_SEED);
    spn_status status = SPN_ERR_CODEC;

    if (checksum != entry->checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM, "checksum of a block",
                               0, checksum, entry->checksum);
    if (entry->is_raw && bytes == raw_bytes) {
        memcpy(target, stored, raw_bytes);
        status = SPN_OK;
    } else if (!entry->is_raw && codec) {
        status = codec->decode(stored, bytes, target, raw_bytes, workspace);
    }
    if (status != SPN_OK)
        return spn__cache_fault(status, CACHE_FAULT_COMPRESSED, bytes, fault);
    if (component_bytes == 2)
        spn_swap_u16le(target, raw_bytes / 2);
    else if (component_bytes == 4)
        swap_u32le(target, raw_bytes);
    return SPN_OK;
}

spn_status spn__cache_unpack_channel(const struct predict_ops *ops,
                                     const spn_codec *codec,
                                     const struct cache_block_entry *entry,
                                     const void *stored, enum channel channel,
                                     uint32_t count, void *target,
                                     void *workspace, uint8_t *scratch,
                                     struct spn_fault *fault)
{
    const bool is_payload = entry->coding == CODING_LIFTED;
    const bool is_planes = !is_payload && entry->order == ORDER_PLANES;
    const bool is_bytes =
        is_payload || is_planes || channel_form(channel) == FORM_U8X4;
    struct cache_block_entry as_stored = *entry;
    spn_status status;

    as_stored.is_raw = is_payload || entry->is_raw;
    status =
        spn__cache_unpack(codec, &as_stored, stored, is_bytes ? 1 : 2,
                          is_planes ? scratch : target,
                          is_payload ? entry->stored_bytes
                                     : count * channel_vertex_bytes(channel),
                          workspace, fault);
    if (status == SPN_OK && is_payload)
        memset((uint8_t *)target + entry->stored_bytes, 0, RESIDUAL_PADDING);
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
