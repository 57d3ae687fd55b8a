/* cache_reader_lift.c - shapes and tables of lifted tiles, and decoding them.
 *
 * Both are the runtime's own functions, the scalar ones.
 */
/* SPDX-License-Identifier: MIT */
#include "cachefile/cache_reader_private.h"

#include <string.h>

static bool refuse(const struct cache_reader *r, uint64_t offset,
                   const struct spn_fault *fault)
{
    struct spn_fault content = *fault;

    /* A place within what was unpacked is none in the file: say the blob's. */
    content.offset = 0;
    return cache_reader_refuse(r, offset, FAULT_NO_FRAME, &content);
}

static size_t raw_bytes_of(const struct cache_blob *blob)
{
    return cache_blob_is_own(blob) ? blob->stored_bytes : blob->raw_bytes;
}

bool cache_reader_load_lift(struct cache_reader *r,
                            const struct cache_blob *blob, const uint8_t *raw,
                            uint64_t offset)
{
    const size_t number = (size_t)(blob - r->tables.blobs);
    struct spn_fault fault = {0};
    struct arena scratch;
    spn_status status;

    arena_init(&scratch);
    r->lift_data[number] =
        arena_alloc(&r->arena, spn__cache_blob_memory(&r->tables, blob), 1);
    status = spn__cache_lift_join(
        &r->tables, blob, raw, raw_bytes_of(blob), r->lift_data[number],
        ARENA_NEW(&scratch, union cache_lift_work, 1), &fault);
    arena_free(&scratch);
    return status == SPN_OK || refuse(r, offset, &fault);
}

void *cache_reader_read_indices(const struct cache_reader *r,
                                const struct cache_blob *blob,
                                const uint8_t *raw, uint64_t offset,
                                struct arena *arena)
{
    void *indices = arena_alloc(arena, blob->raw_bytes, 1);
    struct spn_fault fault = {0};
    const spn_status status = spn__cache_lift_join(
        &r->tables, blob, raw, blob->stored_bytes, indices,
        ARENA_NEW(arena, union cache_lift_work, 1), &fault);

    if (status == SPN_OK)
        return indices;
    refuse(r, offset, &fault);
    return NULL;
}

/* The reader has all indices of a mesh in one run. */
static struct one_ring_indices indices_of(const struct cache_reader *r,
                                          uint32_t mesh, uint8_t **run)
{
    const struct cache_mesh *m = &r->tables.meshes[mesh];

    *run = (void *)r->meshes[mesh].indices;
    return (struct one_ring_indices){.runs = run,
                                     .bytes = 4,
                                     .per_run = UINT32_MAX,
                                     .count = m->index_count};
}

static bool load_rings(struct cache_reader *r, uint32_t tile,
                       struct arena *scratch)
{
    const struct cache_tile *t = &r->tables.tiles[tile];
    const struct cache_blob *blob = &r->tables.blobs[t->rings_blob];
    const uint64_t offset = r->header.blobs_offset + blob->offset;
    struct one_ring_indices indices;
    struct spn_fault fault = {0};
    const uint8_t *raw;
    uint8_t *run;

    indices = indices_of(r, r->tables.parts[t->first_part].mesh, &run);
    raw =
        cache_reader_unpack(r, offset, blob->stored_bytes, blob->checksum, true,
                            1, blob->stored_bytes, scratch, FAULT_NO_FRAME);
    if (!raw)
        return false;
    r->lift_data[t->rings_blob] =
        arena_alloc(&r->arena, spn__cache_blob_memory(&r->tables, blob), 1);
    return spn__cache_lift_join_rings(
               &r->tables, tile, raw, blob->stored_bytes, NULL, &indices,
               r->lift_data, ARENA_NEW(scratch, struct wire_one_rings, 1),
               &fault) == SPN_OK ||
           refuse(r, offset, &fault);
}

bool cache_reader_join_lift(struct cache_reader *r)
{
    const struct cache_tables *t = &r->tables;
    struct arena scratch;
    bool is_good = true;

    arena_init(&scratch);
    for (uint32_t i = 0; i < r->header.tile_count && is_good; i++) {
        arena_reset(&scratch);
        if (t->tiles[i].ring_slots > 0)
            is_good = load_rings(r, i, &scratch);
    }
    arena_free(&scratch);
    return is_good;
}

spn_status cache_reader_decode_lifted(struct cache_reader *r, uint32_t tile,
                                      enum channel channel,
                                      uint32_t payload_bytes,
                                      const void *const *from,
                                      uint32_t from_count,
                                      const void *positions, const void *uvs,
                                      void *values, struct spn_fault *fault)
{
    const struct lift_hierarchy shape =
        spn__cache_lift_shape(&r->tables, tile, r->lift_data);
    struct lift_stream s =
        spn__cache_lift_stream(&r->tables, channel, &shape, r->lift_data);
    struct one_rings rings;

    if (channel == CHANNEL_QTANGENT && r->tables.tiles[tile].ring_slots > 0) {
        rings = spn__cache_lift_rings(&r->tables, tile, r->lift_data);
        s.rings = &rings;
        s.positions = positions;
        s.uvs = uvs;
    }
    s.from_count = from_count;
    for (uint32_t j = 0; j < from_count; j++)
        s.from[j] = from[j];
    return spn__lift_decode(&r->lift, &s, values, payload_bytes,
                            r->lift_workspace, values, fault);
}
