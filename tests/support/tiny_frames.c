/* tiny_frames.c - write the frames of a tiny cache: residuals, blocks,
 * directories. */
/* SPDX-License-Identifier: MIT */
#include "support/tiny_frames.h"

#include "base/block_codec.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "codec/classic/predict.h"
#include "harness.h"
#include "support/tiny_tables.h"
#include "support/tiny_truth.h"

#include <stdlib.h>

struct group_references {
    bool is_index;
    uint32_t target[4];
    uint8_t wait_mask;
};

static struct group_references links_of(const struct tiny_options *o,
                                        uint32_t frame)
{
    uint32_t group = tiny_group_of(o, frame);
    uint32_t anchor = group == 0 ? 0 : (group - 1) * o->distance;
    uint32_t ceil = anchor + o->distance;
    struct group_references l = {0};

    if (ceil > o->frame_count - 1)
        ceil = o->frame_count - 1;
    l.is_index = group == 0 || frame == ceil;
    if (l.is_index)
        return l;
    l.target[0] = anchor;
    l.target[1] = ceil;
    l.target[2] = frame - 1;
    l.target[3] = frame - 1 > anchor ? frame - 2 : anchor;
    l.wait_mask = frame - 1 == anchor ? 3 : 4;
    return l;
}

/* The true values minus the temporal prediction, which is what decoding zero
 * residuals gives. */
static void predict_temporal(const struct builder *b, uint32_t frame,
                             const struct group_references *l,
                             const struct cache_part *part,
                             enum channel channel, uint8_t *values)
{
    static uint8_t reference[4][BLOCK_RAW_BYTES_MAX];
    static uint8_t predicted[BLOCK_RAW_BYTES_MAX];
    uint32_t bytes = part->vertex_count * channel_vertex_bytes(channel);
    struct predict_ops ops;
    struct predict_stream s = {.channel = channel,
                               .coding = CODING_TEMPORAL,
                               .a = 100,
                               .b = (uint8_t)(frame * 25),
                               .c = 90,
                               .count = part->vertex_count,
                               .floor_index = reference[0],
                               .ceil_index = reference[1],
                               .previous = reference[2],
                               .previous_two = reference[3]};

    for (int r = 0; r < 4; r++)
        tiny_values(&b->o, l->target[r], part->mesh, channel,
                    part->first_vertex, part->vertex_count, reference[r]);
    memset(predicted, 0, bytes);
    spn__predict_ops_init(&ops, 0);
    if (spn__predict_decode(&ops, &s, predicted) != SPN_OK)
        abort();
    for (uint32_t i = 0; i < bytes / 2; i++) {
        uint16_t value;
        uint16_t guess;

        memcpy(&value, values + i * 2, 2);
        memcpy(&guess, predicted + i * 2, 2);
        value = (uint16_t)(value - guess);
        memcpy(values + i * 2, &value, 2);
    }
    (void)frame;
}

/* Hidden frames have no values to refer to. */
static bool has_references(const struct builder *b,
                           const struct group_references *l, uint32_t mesh)
{
    for (int r = 0; r < 4; r++)
        if (l->is_index || tiny_is_hidden(&b->o, l->target[r], mesh))
            return false;
    return true;
}

static void add_channel(const struct builder *b, uint32_t frame,
                        const struct group_references *l,
                        const struct cache_block *block, uint8_t *raw,
                        struct wire_directory_entry *entry)
{
    const struct cache_part *part = &b->parts[block->tile];
    enum channel channel = (enum channel)block->channel;

    tiny_values(&b->o, frame, part->mesh, channel, part->first_vertex,
                part->vertex_count, raw);
    if (has_references(b, l, part->mesh)) {
        predict_temporal(b, frame, l, part, channel, raw);
        entry->coding[0] = CODING_TEMPORAL;
        entry->a[0] = 100;
        entry->b[0] = (uint8_t)(frame * 25);
        entry->c[0] = 90;
    } else if (channel != CHANNEL_UV) {
        tiny_predict_spatial(channel, part->vertex_count, raw);
        entry->coding[0] = CODING_SPATIAL;
    }
    spn_swap_u16le(raw, block->raw_bytes / 2);
}

static void add_nodes(const struct builder *b, uint32_t frame,
                      const struct cache_block *block, uint8_t *raw)
{
    uint32_t bytes = block->is_affine ? 48 : 40;

    for (uint32_t i = 0; i < block->count; i++) {
        uint32_t mesh = block->first + i;

        tiny_store_row(b, frame, mesh, raw + i * bytes);
        raw[block->count * bytes + i] = !tiny_is_hidden(&b->o, frame, mesh);
    }
}

/* Positions have 16 bits, and boxes leave out none: each end is one number. */
static void add_boxes(const struct builder *b, uint32_t frame, size_t at)
{
    static uint8_t raw[BLOCK_RAW_BYTES_MAX];

    for (uint32_t p = 0; p < b->part_count; p++) {
        const struct cache_part *part = &b->parts[p];
        uint16_t ends[3][2];
        uint16_t value;

        if (part->mesh == b->o.mesh_count)
            continue;
        tiny_values(&b->o, frame, part->mesh, CHANNEL_POSITION,
                    part->first_vertex, part->vertex_count, raw);
        for (uint32_t i = 0; i < 3 * part->vertex_count; i++) {
            memcpy(&value, raw + 2 * (size_t)i, sizeof value);
            if (i < 3)
                ends[i][0] = ends[i][1] = value;
            if (value < ends[i % 3][0])
                ends[i % 3][0] = value;
            if (value > ends[i % 3][1])
                ends[i % 3][1] = value;
        }
        for (uint32_t k = 0; k < 6; k++, at += 2)
            spn_store_u16le(b->out.bytes + at, ends[k / 2][k % 2]);
    }
}

uint32_t tiny_box_bytes(const struct builder *b)
{
    uint32_t bytes = 0;

    for (uint32_t p = 0; p < b->part_count; p++)
        bytes += b->parts[p].mesh == b->o.mesh_count ? 0 : 12;
    return bytes;
}

void tiny_add_frame(struct builder *b, uint32_t frame)
{
    static uint8_t raw[BLOCK_RAW_BYTES_MAX];
    static uint8_t packed[BLOCK_RAW_BYTES_MAX];
    size_t start = b->out.size;
    uint32_t boxes_at = CACHE_DIRECTORY_HEAD_BYTES +
                        b->block_count * CACHE_DIRECTORY_ENTRY_BYTES;
    uint32_t directory_bytes = boxes_at + tiny_box_bytes(b);
    struct group_references l = links_of(&b->o, frame);

    tiny_grow(&b->out, NULL, directory_bytes);
    spn_store_u32le(b->out.bytes + start + 4, frame);
    add_boxes(b, frame, start + boxes_at);
    for (uint32_t i = 0; i < b->block_count; i++) {
        const struct cache_block *block = &b->blocks[i];
        struct wire_directory_entry entry = {0};
        uint32_t stored;

        if (block->kind == CACHE_BLOCK_CHANNEL &&
            tiny_is_hidden(&b->o, frame, b->parts[block->tile].mesh))
            continue;
        if (block->kind == CACHE_BLOCK_NODES)
            add_nodes(b, frame, block, raw);
        else
            add_channel(b, frame, &l, block, raw, &entry);
        stored = tiny_pack(&b->o, raw, block->raw_bytes, packed);
        spn_store_u32le(entry.stored, stored);
        spn_store_u32le(
            entry.checksum,
            spn__checksum(packed, stored & ~WIRE_RAW_BIT, WIRE_SEED));
        tiny_grow(&b->out, packed, stored & ~WIRE_RAW_BIT);
        memcpy(b->out.bytes + start + CACHE_DIRECTORY_HEAD_BYTES +
                   i * sizeof entry,
               &entry, sizeof entry);
    }
    spn_store_u32le(b->out.bytes + start,
                    spn__checksum(b->out.bytes + start + 4, directory_bytes - 4,
                                  WIRE_SEED));
    b->tiny->frame_offset[frame] = start;
    b->tiny->frame_bytes[frame] = (uint32_t)(b->out.size - start);
    b->tiny->frame_group[frame] = tiny_group_of(&b->o, frame);
}

void tiny_add_frame_entry(struct builder *b, uint32_t stored, uint32_t frame)
{
    struct wire_frame *wire =
        (void *)(b->out.bytes + b->tiny->frame_table_offset +
                 stored * sizeof(struct wire_frame));
    struct group_references l = links_of(&b->o, frame);
    int64_t time_us = (int64_t)frame * b->o.frame_us;

    spn_store_u64le(wire->offset, b->tiny->frame_offset[frame]);
    spn_store_f64le(wire->seconds, (double)time_us * 1e-6);
    spn_store_u64le(wire->time_us, (uint64_t)time_us);
    spn_store_u32le(wire->bytes, b->tiny->frame_bytes[frame]);
    spn_store_u32le(wire->number, frame);
    spn_store_u32le(wire->group, b->tiny->frame_group[frame]);
    wire->type[0] = l.is_index ? CACHE_FRAME_INDEX : CACHE_FRAME_B;
    wire->reference_count[0] = l.is_index ? 0 : 4;
    wire->wait_mask[0] = l.wait_mask;
    for (int r = 0; r < 4 && !l.is_index; r++)
        spn_store_u16le(wire->reference[r], (uint16_t)(l.target[r] - frame));
    for (int k = 0; k < 3; k++) {
        spn_store_f32le(wire->box_min[k], (float)frame);
        spn_store_f32le(wire->box_max[k], (float)frame + 2);
    }
}
