/* static_meshes.c - decode all blobs; join tiles and runs to meshes. */
/* SPDX-License-Identifier: MIT */
#include "cachefile/static_meshes.h"

#include "cache/blob_decoder.h"
#include "cache/mesh_hash.h"

static bool load_blob(struct cache_reader *r, uint32_t number)
{
    const struct cache_blob *blob = &r->tables.blobs[number];
    const uint64_t offset = r->header.blobs_offset + blob->offset;
    const struct cache_block_entry entry = cache_blob_entry(blob);
    const size_t bytes = spn__cache_blob_memory(&r->tables, blob);
    const struct blob_job job = {
        .cache = &r->decoder, .blob = number, .stored = r->map.data + offset};
    struct spn_fault fault = {0};

    /* The size of tables is constant, that of shapes, rings and coded indices
     * follows from the tile: none can be large. */
    r->blob_data[number] = cache_blob_is_expanded(blob)
                               ? arena_alloc(&r->arena, bytes, 1)
                               : cache_reader_alloc(r, &r->arena, &entry, bytes,
                                                    offset, FAULT_NO_FRAME);
    if (!r->blob_data[number])
        return false;
    return spn__blob_decode(&job, &r->scratch, &fault) == SPN_OK ||
           cache_reader_refuse(r, 0, FAULT_NO_FRAME, &fault);
}

static bool load_blobs(struct cache_reader *r)
{
    for (uint32_t pass = 0; pass < BLOB_PASS_COUNT; pass++)
        for (uint32_t i = 0; i < r->header.blob_count; i++)
            if (spn__blob_pass(&r->tables.blobs[i]) == pass && !load_blob(r, i))
                return false;
    return true;
}

static bool validate_hashes(struct cache_reader *r)
{
    struct spn_fault fault = {0};

    for (uint32_t m = 0; m < r->header.mesh_count; m++)
        if (spn__mesh_hash_validate(&r->decoder, m, r->scratch.memory,
                                    &fault) != SPN_OK)
            return cache_reader_refuse(r, 0, FAULT_NO_FRAME, &fault);
    return true;
}

static void join_reflection(struct cache_reader *r, uint32_t tile,
                            const uint8_t *bits)
{
    const struct cache_tile *t = &r->tables.tiles[tile];
    const uint16_t *order =
        spn__cache_lift_order(&r->tables, tile, r->blob_data);

    for (uint32_t k = 0; k < t->part_count; k++) {
        const struct cache_part *part = &r->tables.parts[t->first_part + k];
        const struct cache_mesh *mesh = &r->tables.meshes[part->mesh];
        uint8_t **out = &r->static_meshes[part->mesh].reflection;

        if (mesh->reflection != CACHE_REFLECTION_MIXED)
            continue;
        if (!*out)
            *out = ARENA_NEW(&r->arena, uint8_t, mesh->vertex_count / 8 + 1);
        for (uint32_t i = 0; i < part->vertex_count; i++) {
            uint32_t from = part->tile_vertex + i;
            uint32_t to = part->first_vertex + (order ? order[i] : i);

            if (bits[from / 8] >> (from % 8) & 1)
                (*out)[to / 8] |= (uint8_t)(1u << (to % 8));
        }
    }
}

static void join_indices(struct cache_reader *r, uint32_t mesh)
{
    const struct cache_mesh *m = &r->tables.meshes[mesh];
    const bool is_wide = m->index_bytes == 4;
    const uint32_t per_run =
        is_wide ? CACHE_INDICES_PER_BLOB_32 : CACHE_INDICES_PER_BLOB_16;
    const uint32_t first_blob =
        spn__blob_first_index(&r->header, m->index_bytes);
    uint32_t *out = ARENA_NEW(&r->arena, uint32_t, m->index_count);

    for (uint32_t i = 0; i < m->index_count; i++) {
        const uint32_t at = m->first_index + i;
        const void *run = r->blob_data[first_blob + at / per_run];

        out[i] = is_wide ? ((const uint32_t *)run)[at % per_run]
                         : ((const uint16_t *)run)[at % per_run];
    }
    r->static_meshes[mesh].indices = out;
}

bool static_meshes_load(struct cache_reader *r)
{
    const struct cache_header *h = &r->header;

    r->static_meshes = ARENA_NEW(&r->arena, struct static_mesh, h->mesh_count);
    r->static_channels =
        ARENA_NEW(&r->arena, struct mesh_channels, h->mesh_count);
    if (!load_blobs(r) || !validate_hashes(r))
        return false;
    for (uint32_t i = 0; i < h->blob_count; i++) {
        const struct cache_blob *blob = &r->tables.blobs[i];

        if (blob->kind == CACHE_BLOB_CHANNEL)
            cache_reader_scatter(r, blob->tile, (enum channel)blob->channel,
                                 r->blob_data[i], NULL, &r->arena,
                                 r->static_channels);
        if (blob->kind == CACHE_BLOB_REFLECTION)
            join_reflection(r, blob->tile, r->blob_data[i]);
    }
    for (uint32_t m = 0; m < h->mesh_count; m++)
        join_indices(r, m);
    return true;
}
