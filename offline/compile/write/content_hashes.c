/* content_hashes.c - decode static data and hash it. */
/* SPDX-License-Identifier: MIT */
#include "compile/write/content_hashes.h"

#include "base/endian.h"
#include "cache/blob_decoder.h"
#include "cache/cache_wire_tables.h"
#include "cache/mesh_hash.h"
#include "common/arena.h"
#include "common/codecs.h"

static bool has_static_mesh(const struct cache_header *header,
                            const struct cache_tables *tables)
{
    for (uint32_t m = 0; m < header->mesh_count; m++)
        if (cache_mesh_is_static(&tables->meshes[m]))
            return true;
    return false;
}

/* Is the content of a static mesh in the blob, or needed to decode it? */
static bool is_needed(const struct cache_tables *tables,
                      const struct cache_blob *blob)
{
    return cache_blob_is_index(blob) || blob->kind == CACHE_BLOB_TABLES ||
           tables->tiles[blob->tile].animated_mask == 0;
}

static bool decode(const struct cache_decoder *decoder, uint8_t **blob_data,
                   const uint8_t *blobs, const struct decode_scratch *scratch,
                   struct arena *arena, struct spn_fault *fault)
{
    const struct cache_tables *tables = decoder->tables;

    for (uint32_t pass = 0; pass < BLOB_PASS_COUNT; pass++)
        for (uint32_t i = 0; i < decoder->header->blob_count; i++) {
            const struct cache_blob *blob = &tables->blobs[i];
            const struct blob_job job = {
                .cache = decoder, .blob = i, .stored = blobs + blob->offset};

            if (spn__blob_pass(blob) != pass || !is_needed(tables, blob))
                continue;
            blob_data[i] =
                arena_alloc(arena, spn__cache_blob_memory(tables, blob), 1);
            if (spn__blob_decode(&job, scratch, fault) != SPN_OK)
                return false;
        }
    return true;
}

static void store(const struct cache_decoder *decoder,
                  const struct decode_scratch *scratch, uint8_t *bytes)
{
    const struct cache_header *h = decoder->header;
    struct wire_mesh *meshes =
        (void *)(bytes + h->name_bytes +
                 h->node_count * sizeof(struct wire_node));

    for (uint32_t m = 0; m < h->mesh_count; m++)
        if (cache_mesh_is_static(&decoder->tables->meshes[m]))
            spn_store_u64le(meshes[m].content_hash,
                            spn__mesh_hash(decoder, m, scratch->memory));
}

bool content_hashes_store(const struct cache_header *header,
                          const struct cache_tables *tables,
                          const uint8_t *blobs, uint8_t *bytes,
                          struct spn_fault *fault)
{
    const spn_codec *codec = codecs_find(header->codec);
    struct predict_ops predict;
    struct lift_ops lift;
    struct arena arena;
    uint8_t **blob_data;
    struct cache_decoder decoder;
    struct decode_scratch scratch;
    bool is_good;

    if (!has_static_mesh(header, tables))
        return true;
    arena_init(&arena);
    spn__predict_ops_init(&predict, 0);
    spn__lift_ops_init(&lift, 0);
    blob_data = ARENA_NEW(&arena, uint8_t *, header->blob_count);
    decoder = (struct cache_decoder){.header = header,
                                     .tables = tables,
                                     .blob_data = blob_data,
                                     .codec = codec,
                                     .predict = &predict,
                                     .lift = &lift};
    scratch.memory = arena_alloc(&arena, DECODE_SCRATCH_BYTES, 1);
    scratch.codec_workspace = arena_alloc(&arena, codec->workspace_bytes, 1);
    is_good = decode(&decoder, blob_data, blobs, &scratch, &arena, fault);
    if (is_good)
        store(&decoder, &scratch, bytes);
    arena_free(&arena);
    return is_good;
}
