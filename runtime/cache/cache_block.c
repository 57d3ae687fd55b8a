/* cache_block.c - directories, blocks and blobs: judged and unpacked.
 *
 * A directory is judged once per frame; its entries are then read without
 * looking. What comes out of a block is judged only where a value could lead
 * somewhere: predictor distances, indices, transforms. Values of channels
 * cannot: every bit pattern is a value.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_file.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "base/mem.h"
#include "cache/cache_wire.h"
#include "codec/classic/planes.h"
#include "codec/classic/predict.h"
#include "codec/lift/lift.h"

#include <stddef.h>

static uint32_t entry_at(uint32_t block)
{
    return CACHE_DIRECTORY_HEAD_BYTES + block * CACHE_DIRECTORY_ENTRY_BYTES;
}
#define REFUSE(what, field, value)                                             \
    wire_refuse(fault, (what),                                                 \
                at + offsetof(struct wire_directory_entry, field), (value))

static spn_status judge_lifted(const struct cache_block *block, uint32_t at,
                               const struct wire_directory_entry *wire,
                               struct spn_fault *fault)
{
    uint32_t stored = spn_load_u32le(wire->stored);

    if (!block->is_lifted)
        return REFUSE("block coding without layers", coding, wire->coding[0]);
    if (wire_order(wire->coding) != ORDER_INTERLEAVED)
        return REFUSE("order of residuals", coding, wire->coding[0]);
    if (!wire_is_payload(stored & ~WIRE_RAW_BIT, (stored & WIRE_RAW_BIT) != 0,
                         block->raw_bytes))
        return REFUSE("block size", stored, stored);
    if (wire->a[0] != 0 || wire->b[0] != 0 || wire->c[0] != 0)
        return REFUSE("block weights", a, wire->a[0]);
    return SPN_OK;
}

static spn_status judge_entry(const struct cache_block *block,
                              const struct cache_frame *frame, uint32_t at,
                              const struct wire_directory_entry *wire,
                              struct spn_fault *fault)
{
    bool is_channel = block->kind == CACHE_BLOCK_CHANNEL;
    uint32_t stored = spn_load_u32le(wire->stored);
    uint32_t bytes = stored & ~WIRE_RAW_BIT;
    uint32_t coding = wire_coding(wire->coding);
    uint32_t order = wire_order(wire->coding);

    if (stored == 0) {
        if (!is_channel)
            return REFUSE("block without nodes", stored, 0);
        if (!wire_is_zero((const uint8_t *)wire, sizeof *wire))
            return REFUSE("absent block", checksum, 0);
        return SPN_OK;
    }
    if ((stored & WIRE_RAW_BIT) ? bytes != block->raw_bytes
                                : bytes >= block->raw_bytes)
        return REFUSE("block size", stored, stored);
    if (coding >= CODING_COUNT || (!is_channel && coding != CODING_PLAIN))
        return REFUSE("block coding", coding, wire->coding[0]);
    if (order >= ORDER_COUNT || (!is_channel && order != ORDER_INTERLEAVED))
        return REFUSE("order of residuals", coding, wire->coding[0]);
    if (coding == CODING_LIFTED)
        return judge_lifted(block, at, wire, fault);
    if (coding == CODING_SPATIAL && !block->has_predictor)
        return REFUSE("block coding without a predictor", coding,
                      wire->coding[0]);
    if (coding == CODING_TEMPORAL) {
        if (frame->reference_count < CACHE_REFERENCES_MIN)
            return REFUSE("block coding without references", coding,
                          wire->coding[0]);
    } else if (wire->a[0] != 0 || wire->b[0] != 0 || wire->c[0] != 0) {
        return REFUSE("block weights", a, wire->a[0]);
    }
    return SPN_OK;
}

spn_status spn__cache_file_directory(const struct cache_header *header,
                                     const struct cache_block *blocks,
                                     const struct cache_frame *frame,
                                     uint32_t number, const uint8_t *directory,
                                     struct spn_fault *fault)
{
    const struct wire_directory_head *head = (const void *)directory;
    uint32_t directory_bytes = spn__cache_file_directory_bytes(header);
    uint32_t checksum = spn_load_u32le(head->checksum);
    uint32_t found = spn__checksum(
        head->number, directory_bytes - sizeof head->checksum, WIRE_SEED);
    uint32_t rest = frame->bytes - directory_bytes;

    if (found != checksum)
        return wire_refuse_for(
            fault, SPN_ERR_CHECKSUM, "checksum of a directory",
            offsetof(struct wire_directory_head, number), found, checksum);
    if (spn_load_u32le(head->number) != number)
        return wire_refuse_unlike(fault, "frame number of a directory",
                                  offsetof(struct wire_directory_head, number),
                                  spn_load_u32le(head->number), number);
    for (uint32_t i = 0; i < header->block_count; i++) {
        uint32_t at = entry_at(i);
        const struct wire_directory_entry *wire =
            (const void *)(directory + at);
        uint32_t bytes = spn_load_u32le(wire->stored) & ~WIRE_RAW_BIT;
        spn_status status = judge_entry(&blocks[i], frame, at, wire, fault);

        if (status != SPN_OK)
            return status;
        if (bytes > rest)
            return REFUSE("block size", stored, bytes);
        rest -= bytes;
    }
    if (rest != 0)
        return wire_refuse_unlike(fault, "frame size",
                                  entry_at(header->block_count), frame->bytes,
                                  frame->bytes - rest);
    return SPN_OK;
}

void spn__cache_file_block_entry(const uint8_t *directory, uint32_t block,
                                 uint32_t offset,
                                 struct cache_block_entry *entry)
{
    const struct wire_directory_entry *wire =
        (const void *)(directory + entry_at(block));
    uint32_t stored = spn_load_u32le(wire->stored);

    entry->offset = offset;
    entry->stored_bytes = stored & ~WIRE_RAW_BIT;
    entry->checksum = spn_load_u32le(wire->checksum);
    entry->is_raw = (stored & WIRE_RAW_BIT) != 0;
    entry->is_absent = stored == 0;
    entry->coding = wire_coding(wire->coding);
    entry->order = wire_order(wire->coding);
    entry->a = wire->a[0];
    entry->b = wire->b[0];
    entry->c = wire->c[0];
}

/* Nothing on little-endian machines: the compiler sees a copy onto itself. */
static void swap_u32le(void *values, uint32_t bytes)
{
    uint8_t *b = values;

    for (uint32_t at = 0; at + 4 <= bytes; at += 4) {
        uint32_t value = spn_load_u32le(b + at);

        memcpy(b + at, &value, sizeof value);
    }
}

spn_status spn__cache_file_unpack(const spn_codec *codec, const void *stored,
                                  uint32_t stored_bytes, uint32_t checksum,
                                  bool is_raw, uint32_t component_bytes,
                                  void *target, uint32_t raw_bytes,
                                  void *workspace)
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

void spn__cache_file_unpack_fault(spn_status status, const void *stored,
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

void spn__cache_file_coding_fault(spn_status status, const char *what,
                                  uint32_t coding, uint64_t offset,
                                  struct spn_fault *fault)
{
    wire_refuse_wide(fault, what, offset, coding);
    fault->status = status;
}

/* Of a transform, its visibility apart. */
static uint32_t row_bytes(const struct cache_block *block)
{
    return block->is_affine ? sizeof(struct wire_affine)
                            : sizeof(struct wire_quat_tns);
}

spn_status spn__cache_file_unpack_channel(const struct predict_ops *ops,
                                          const spn_codec *codec,
                                          const struct cache_block_entry *entry,
                                          const void *stored,
                                          enum channel channel, uint32_t count,
                                          void *target, void *workspace,
                                          uint8_t *scratch)
{
    bool is_planes = entry->order == ORDER_PLANES;
    bool is_payload = entry->coding == CODING_LIFTED;
    uint32_t component_bytes =
        is_planes || channel_form(channel) == FORM_U8X4 ? 1 : 2;
    spn_status status;

    if (is_payload) {
        status = spn__cache_file_unpack(codec, stored, entry->stored_bytes,
                                        entry->checksum, true, 1, target,
                                        entry->stored_bytes, workspace);
        if (status == SPN_OK)
            memset((uint8_t *)target + entry->stored_bytes, 0,
                   RESIDUAL_PADDING);
        return status;
    }
    status = spn__cache_file_unpack(
        codec, stored, entry->stored_bytes, entry->checksum, entry->is_raw,
        component_bytes, is_planes ? scratch : target,
        count * channel_vertex_bytes(channel), workspace);
    if (status == SPN_OK && is_planes)
        spn__planes_join(ops, channel, scratch, count, target,
                         scratch + BLOCK_RAW_BYTES_MAX);
    return status;
}

spn_status spn__cache_file_nodes(const struct cache_block *block,
                                 const uint8_t *raw, struct spn_fault *fault)
{
    uint32_t bytes = row_bytes(block);
    const uint8_t *visible = raw + block->count * bytes;

    for (uint32_t i = 0; i < block->count; i++) {
        struct transform transform;

        if (!spn__cache_wire_transform(raw + i * bytes, block->is_affine,
                                       &transform))
            return wire_refuse(fault, "node transform", i * bytes,
                               block->first + i);
        if (visible[i] > 1)
            return wire_refuse(fault, "node visibility",
                               block->count * bytes + i, visible[i]);
    }
    return SPN_OK;
}

void spn__cache_file_node(const struct cache_block *block, const uint8_t *raw,
                          uint32_t row, struct transform *transform,
                          bool *is_visible)
{
    uint32_t bytes = row_bytes(block);

    (void)spn__cache_wire_transform(raw + row * bytes, block->is_affine,
                                    transform);
    *is_visible = raw[block->count * bytes + row] != 0;
}

uint32_t spn__cache_file_node_block(const struct cache_header *header,
                                    uint32_t row)
{
    uint32_t first_affine =
        header->animated_node_count - header->animated_affine_count;

    if (row < first_affine)
        return row / CACHE_NODES_PER_BLOCK;
    return (first_affine + CACHE_NODES_PER_BLOCK - 1) / CACHE_NODES_PER_BLOCK +
           (row - first_affine) / CACHE_NODES_PER_BLOCK;
}

spn_status spn__cache_file_predictor(const struct cache_tables *tables,
                                     uint32_t tile, const void *entries,
                                     struct spn_fault *fault)
{
    const struct predict_entry *entry = entries;
    const struct cache_tile *t = &tables->tiles[tile];

    for (uint32_t k = 0; k < t->part_count; k++) {
        const struct cache_part *part = &tables->parts[t->first_part + k];

        for (uint32_t i = 0; i < part->vertex_count; i++, entry++) {
            uint32_t most = i < PREDICT_DISTANCE_MAX ? i : PREDICT_DISTANCE_MAX;
            uint32_t at = (part->tile_vertex + i) * (uint32_t)sizeof *entry;

            if (entry->u == PREDICT_NO_TRIANGLE)
                continue;
            /* A distance of 0 wraps around. */
            if (entry->u - 1u >= most)
                return wire_refuse(fault, "predictor distance", at, entry->u);
            if (entry->v - 1u >= most)
                return wire_refuse(fault, "predictor distance", at + 2,
                                   entry->v);
            if (entry->w - 1u >= most)
                return wire_refuse(fault, "predictor distance", at + 4,
                                   entry->w);
        }
    }
    return SPN_OK;
}

void spn__cache_file_classic(struct predict_stream *stream,
                             const void *const *values, uint32_t count)
{
    stream->floor_index = values[0];
    stream->ceil_index = values[1];
    stream->previous = values[count > 2 ? 2 : 0];
    stream->previous_two = values[count > 3 ? 3 : 0];
}

uint32_t spn__cache_file_lifted_frames(const uint8_t *payload, uint32_t bytes)
{
    uint32_t frames = bytes > 0 ? payload[0] & LIFT_FRAMES_MASK : 0;

    /* The guess is no frame that has to be there. */
    if (frames > 0 && (payload[0] & LIFT_HAS_GUESS))
        frames--;
    return frames <= LIFT_FRAMES_MAX ? frames : 0;
}

spn_status spn__cache_file_indices(const struct cache_header *header,
                                   const struct cache_tables *tables,
                                   uint32_t index_bytes, uint32_t first,
                                   uint32_t count, const void *indices,
                                   struct spn_fault *fault)
{
    const uint16_t *index16 = indices;
    const uint32_t *index32 = indices;

    for (uint32_t m = 0; m < header->mesh_count; m++) {
        const struct cache_mesh *mesh = &tables->meshes[m];
        uint32_t from = first;
        uint32_t limit = first + count;
        uint32_t mesh_limit = mesh->first_index + mesh->index_count;

        if (mesh->index_bytes != index_bytes)
            continue;
        if (from < mesh->first_index)
            from = mesh->first_index;
        if (limit > mesh_limit)
            limit = mesh_limit;
        for (uint32_t i = from; i < limit; i++) {
            uint32_t index =
                index_bytes == 2 ? index16[i - first] : index32[i - first];

            if (index >= mesh->vertex_count)
                return wire_refuse_wide(fault, "index",
                                        (uint64_t)i * index_bytes, index);
        }
    }
    return SPN_OK;
}
