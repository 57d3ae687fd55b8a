/* encode_frame.c - copies the values of a frame into blocks, and joins its
 * stored blocks.
 *
 * A clip delivers values mesh by mesh. They are copied to the layout of the
 * cache's blocks: the parts of a tile one after another, and node after node.
 * The stored blocks are then joined behind their directory.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_frame.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "compile/encode/encode_boxes.h"
#include "compile/write/tables.h"

#include <string.h>

static void gather_nodes(const struct encoder *e, const struct cache_block *b,
                         const struct clip_frame *frame, uint8_t *out)
{
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t node = e->layout.animated_nodes[b->first + i];

        out += tables_store_transform(out, &frame->nodes[node].transform);
    }
    for (uint32_t i = 0; i < b->count; i++)
        out[i] =
            frame->nodes[e->layout.animated_nodes[b->first + i]].is_visible;
}

void encoder_copy_part(const struct encoder *e, const struct cache_part *part,
                       uint32_t channel, const uint8_t *values, uint8_t *out)
{
    const size_t bytes = channel_vertex_bytes((enum channel)channel);
    const uint32_t *order = encoder_order(e, part->mesh);

    if (!order) {
        memcpy(out, values + part->first_vertex * bytes,
               part->vertex_count * bytes);
        return;
    }
    order += part->first_vertex;
    for (uint32_t i = 0; i < part->vertex_count; i++)
        memcpy(out + i * bytes, values + order[i] * bytes, bytes);
}

static void gather_channel(const struct encoder *e, const struct cache_block *b,
                           const struct clip_frame *frame, uint8_t *out)
{
    const struct cache_tile *tile = &e->layout.tiles[b->tile];
    uint32_t vertex_bytes = channel_vertex_bytes((enum channel)b->channel);

    for (uint32_t k = 0; k < tile->part_count; k++) {
        const struct cache_part *part = &e->layout.parts[tile->first_part + k];
        const uint8_t *values = frame->meshes[part->mesh].channel[b->channel];
        uint8_t *target = out + (size_t)part->tile_vertex * vertex_bytes;

        /* A hidden mesh may come without values. */
        if (values)
            encoder_copy_part(e, part, b->channel, values, target);
        else
            memset(target, 0, (size_t)part->vertex_count * vertex_bytes);
    }
}

void encoder_gather(const struct encoder *e, const struct clip_frame *frame,
                    struct frame_values *out)
{
    const struct layout *l = &e->layout;

    memcpy(out->box_min, frame->box_min, sizeof out->box_min);
    memcpy(out->box_max, frame->box_max, sizeof out->box_max);
    for (uint32_t t = 0; t < l->tile_count; t++)
        out->is_visible[t] = false;
    for (uint32_t p = 0; p < l->part_count; p++)
        if (frame->meshes[l->parts[p].mesh].is_visible)
            out->is_visible[l->parts[p].tile] = true;
    for (uint32_t i = 0; i < l->block_count; i++) {
        if (l->blocks[i].kind == CACHE_BLOCK_NODES)
            gather_nodes(e, &l->blocks[i], frame, out->bytes + e->block_at[i]);
        else
            gather_channel(e, &l->blocks[i], frame,
                           out->bytes + e->block_at[i]);
    }
    encoder_boxes(e, out->bytes, out->boxes);
}

uint8_t *encoder_join(const struct encoder *e, uint32_t number,
                      const uint8_t *boxes, const struct stream_result *results,
                      struct arena *arena, uint64_t *joined_bytes)
{
    uint32_t block_count = e->layout.block_count;
    uint32_t directory_bytes =
        spn__cache_directory_bytes(&(struct cache_header){
            .block_count = block_count, .box_bytes = e->layout.box_bytes});
    struct wire_directory_head *head;
    struct wire_directory_entry *entry;
    uint8_t *joined;
    uint8_t *next;

    *joined_bytes = directory_bytes;
    for (uint32_t i = 0; i < block_count; i++)
        *joined_bytes += results[i].stored_bytes;
    joined = arena_alloc(arena, (size_t)*joined_bytes, 1);
    head = (void *)joined;
    entry = (void *)(joined + CACHE_DIRECTORY_HEAD_BYTES);
    next = joined + directory_bytes;
    for (uint32_t i = 0; i < block_count; i++, entry++) {
        const struct stream_result *r = &results[i];

        if (r->is_absent)
            continue;
        spn_store_u32le(entry->stored,
                        r->stored_bytes | (r->is_raw ? WIRE_RAW_BIT : 0));
        spn_store_u32le(entry->checksum, r->checksum);
        entry->coding[0] = wire_coding_byte(r->coding, r->order);
        entry->a[0] = r->motion_factor;
        entry->b[0] = r->lerp_factor;
        entry->c[0] = r->motion_weight;
        memcpy(next, r->stored, r->stored_bytes);
        next += r->stored_bytes;
    }
    memcpy(entry, boxes, e->layout.box_bytes);
    spn_store_u32le(head->number, number);
    spn_store_u32le(head->checksum,
                    spn__checksum(head->number,
                                  directory_bytes - sizeof head->checksum,
                                  WIRE_SEED));
    return joined;
}
