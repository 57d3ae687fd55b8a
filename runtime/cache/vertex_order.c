/* vertex_order.c - reorder the static data of lifted tiles.
 *
 * A lifted tile has one part. So a mesh owns its lifted tiles.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/vertex_order.h"

#include "base/assert.h"
#include "base/mem.h"
#include "cache/cache_lift.h"
#include "cache/mesh_hash.h"

#include <stddef.h>

/* The values of vertex order[i] are at place i. */
static void reorder(uint8_t *values, const uint16_t *order, uint32_t count,
                    uint32_t bytes, uint8_t *scratch)
{
    memcpy(scratch, values, (size_t)count * bytes);
    for (uint32_t i = 0; i < count; i++)
        memcpy(values + (size_t)order[i] * bytes, scratch + (size_t)i * bytes,
               bytes);
}

static void reorder_bits(uint8_t *bits, const uint16_t *order, uint32_t count,
                         uint8_t *scratch)
{
    const size_t bytes = ((size_t)count + 7) / 8;

    memcpy(scratch, bits, bytes);
    memset(bits, 0, bytes);
    for (uint32_t i = 0; i < count; i++)
        if ((uint32_t)scratch[i / 8] >> (i % 8) & 1u)
            bits[order[i] / 8] |= (uint8_t)(1u << (order[i] % 8));
}

static void restore_tile(const struct cache_decoder *c, uint32_t tile,
                         uint8_t *scratch)
{
    const struct cache_tile *t = &c->tables->tiles[tile];
    const uint16_t *order =
        spn__cache_lift_order(c->tables, tile, c->blob_data);

    if (!order)
        return;
    SPN_ASSERT(t->part_count == 1);
    for (uint32_t k = 0; k < CHANNEL_COUNT; k++)
        if (t->static_mask & CHANNEL_BIT(k))
            reorder(c->blob_data[t->blob[k]], order, t->vertex_count,
                    channel_vertex_bytes((enum channel)k), scratch);
    if (t->reflection_blob != CACHE_NONE)
        reorder_bits(c->blob_data[t->reflection_blob], order, t->vertex_count,
                     scratch);
}

void spn__vertex_order_restore(const struct cache_decoder *c, uint32_t mesh,
                               uint8_t *scratch)
{
    const struct cache_mesh *m = &c->tables->meshes[mesh];

    SPN_ASSERT(cache_mesh_is_static(m));
    for (uint32_t p = 0; p < m->part_count; p++)
        restore_tile(c, c->tables->parts[m->first_part + p].tile, scratch);
}
