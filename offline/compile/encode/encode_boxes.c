/* encode_boxes.c - find the ends of the positions, and round them outward. */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_boxes.h"

#include "cache/cache_box.h"

#include <string.h>

/* Append the `count` lowest bits of a value. Returns the bit behind them. */
static uint32_t put_bits(uint8_t *bytes, uint32_t at, uint32_t value,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, at++)
        bytes[at / 8] |= (uint8_t)((value >> i & 1) << (at % 8));
    return at;
}

/* The smallest and the greatest value on each axis. */
static void find_ends(const uint16_t *positions, uint32_t count,
                      uint16_t ends[3][2])
{
    for (int k = 0; k < 3; k++)
        ends[k][0] = ends[k][1] = positions[k];
    for (uint32_t i = 0; i < 3 * count; i++) {
        uint16_t *end = ends[i % 3];

        end[0] = positions[i] < end[0] ? positions[i] : end[0];
        end[1] = positions[i] > end[1] ? positions[i] : end[1];
    }
}

void encoder_boxes(const struct encoder *e, const uint8_t *values, uint8_t *out)
{
    uint32_t at = 0;

    memset(out, 0, e->layout.box_bytes);
    for (uint32_t p = 0; p < e->layout.part_count; p++) {
        const struct cache_part *part = &e->layout.parts[p];
        const struct cache_mesh mesh =
            layout_box_mesh(&e->clip->meshes[part->mesh]);
        const uint32_t block =
            e->layout.tiles[part->tile].block[CHANNEL_POSITION];
        uint16_t ends[3][2];

        if (!cache_mesh_has_boxes(&mesh))
            continue;
        find_ends(
            (const void *)(values + e->block_at[block] +
                           part->tile_vertex *
                               (size_t)channel_vertex_bytes(CHANNEL_POSITION)),
            part->vertex_count, ends);
        for (uint32_t k = 0; k < 3; k++)
            for (int end = 0; end < 2; end++)
                at = put_bits(out, at, (uint32_t)ends[k][end] >> mesh.box_shift,
                              cache_box_axis_bits(&mesh, k));
    }
}
