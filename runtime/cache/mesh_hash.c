/* mesh_hash.c - hash the decoded content of a static mesh.
 *
 * Values are copied to the scratch memory piece by piece: there they get the
 * order of the vertices and the byte order of files.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/mesh_hash.h"

#include "base/assert.h"
#include "base/endian.h"
#include "base/hash64.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/wire.h"
#include "cache/blob_decoder.h"
#include "cache/cache_wire_tables.h"
#include "cache/mesh_facts.h"

#include <stddef.h>

/* -- what the blobs hold -- */

/* Hash numbers of `bytes` bytes each in the scratch memory. */
static void add_numbers(struct hash64 *hash, uint8_t *scratch, uint32_t count,
                        uint32_t bytes)
{
    if (bytes == 2)
        spn_swap_u16le(scratch, count);
    for (uint32_t i = 0; bytes == 4 && i < count; i++) {
        uint32_t value;

        memcpy(&value, scratch + 4 * (size_t)i, sizeof value);
        spn_store_u32le(scratch + 4 * (size_t)i, value);
    }
    spn__hash64_add(hash, scratch, (size_t)count * bytes);
}

static void add_indices(struct hash64 *hash, const struct cache_decoder *c,
                        const struct cache_mesh *mesh, uint8_t *scratch)
{
    const uint32_t bytes = mesh->index_bytes;
    const uint32_t run = cache_indices_per_blob(bytes);
    uint8_t *const *runs =
        c->blob_data + spn__blob_first_index(c->header, bytes);
    uint32_t at = mesh->first_index;
    uint32_t left = mesh->index_count;

    while (left > 0) {
        const uint32_t take = min_u32(left, run - at % run);

        memcpy(scratch, runs[at / run] + (size_t)(at % run) * bytes,
               (size_t)take * bytes);
        add_numbers(hash, scratch, take, bytes);
        at += take;
        left -= take;
    }
}

static void add_channel(struct hash64 *hash, const struct cache_decoder *c,
                        const struct cache_part *part, enum channel channel,
                        uint8_t *scratch)
{
    const uint32_t bytes = channel_vertex_bytes(channel);
    const struct cache_tile *tile = &c->tables->tiles[part->tile];
    const uint8_t *values =
        c->blob_data[tile->blob[channel]] + (size_t)part->tile_vertex * bytes;
    const uint16_t *order =
        spn__cache_lift_order(c->tables, part->tile, c->blob_data);

    if (!order)
        memcpy(scratch, values, (size_t)part->vertex_count * bytes);
    for (uint32_t i = 0; order && i < part->vertex_count; i++)
        memcpy(scratch + (size_t)order[i] * bytes, values + (size_t)i * bytes,
               bytes);
    if (channel == CHANNEL_COLOR)
        spn__hash64_add(hash, scratch, (size_t)part->vertex_count * bytes);
    else
        add_numbers(hash, scratch, part->vertex_count * bytes / 2, 2);
}

/* A byte for each vertex. */
static void add_reflection(struct hash64 *hash, const struct cache_decoder *c,
                           const struct cache_part *part, uint8_t *scratch)
{
    const uint8_t *bits =
        c->blob_data[c->tables->tiles[part->tile].reflection_blob];
    const uint16_t *order =
        spn__cache_lift_order(c->tables, part->tile, c->blob_data);

    for (uint32_t i = 0; i < part->vertex_count; i++) {
        const uint32_t bit = part->tile_vertex + i;

        scratch[order ? order[i] : i] = bits[bit / 8] >> (bit % 8) & 1u;
    }
    spn__hash64_add(hash, scratch, part->vertex_count);
}

uint64_t spn__mesh_hash(const struct cache_decoder *c, uint32_t mesh,
                        uint8_t *scratch)
{
    const struct cache_mesh *m = &c->tables->meshes[mesh];
    const struct cache_part *parts = c->tables->parts + m->first_part;
    struct hash64 hash;

    SPN_ASSERT(cache_mesh_is_static(m));
    spn__hash64_begin(&hash, WIRE_SEED);
    spn__mesh_facts_hash(c->tables, m, &hash);
    add_indices(&hash, c, m, scratch);
    for (uint32_t k = 0; k < CHANNEL_COUNT; k++)
        for (uint32_t p = 0; p < m->part_count; p++)
            if (m->static_mask & CHANNEL_BIT(k))
                add_channel(&hash, c, &parts[p], (enum channel)k, scratch);
    for (uint32_t p = 0; p < m->part_count; p++)
        if (m->reflection == CACHE_REFLECTION_MIXED)
            add_reflection(&hash, c, &parts[p], scratch);
    return spn__hash64_end(&hash);
}

spn_status spn__mesh_hash_validate(const struct cache_decoder *c, uint32_t mesh,
                                   uint8_t *scratch, struct spn_fault *fault)
{
    const struct cache_header *h = c->header;
    const struct cache_mesh *m = &c->tables->meshes[mesh];
    const uint64_t at = h->tables_offset + h->name_bytes +
                        (uint64_t)h->node_count * sizeof(struct wire_node) +
                        (uint64_t)mesh * sizeof(struct wire_mesh) +
                        offsetof(struct wire_mesh, content_hash);
    uint64_t found;

    if (!cache_mesh_is_static(m))
        return SPN_OK;
    found = spn__mesh_hash(c, mesh, scratch);
    return found == m->content_hash
               ? SPN_OK
               : wire_refuse_for(fault, SPN_ERR_CHECKSUM,
                                 "content hash of a mesh", at, found,
                                 m->content_hash);
}
