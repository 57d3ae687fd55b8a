/* cache_lift.c - blobs to shapes, rings and tables.
 *
 * Sizes follow from the tile, which the tables' parser has judged. Nothing is
 * decompressed here, and shapes are put together anew from pointers wherever
 * one is wanted.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/cache_lift.h"

#include "base/mem.h"
#include "base/wire.h"

/* Set in a place that is turned round. */
#define IS_TURNED 0x80000000u

/* ---- arrays -------------------------------------------------------------- */

static struct lift_arrays arrays_of(const struct cache_tile *tile, void *data)
{
    const struct lift_arrays arrays = {
        .vertex_count = tile->vertex_count,
        .layer_count = tile->layer_count,
        .layers = data,
        .references = (void *)((uint8_t *)data +
                               spn__lift_layers_bytes(tile->layer_count)),
        .weights = (int8_t *)data + spn__lift_layers_bytes(tile->layer_count) +
                   spn__lift_references_bytes(tile->vertex_count),
    };

    return arrays;
}

/* Slots, then first[], the scales and whose lanes they are. */
static struct ring_arrays ring_arrays_of(const struct cache_tile *tile,
                                         void *data)
{
    struct ring_slot *slots = data;
    uint32_t *first = (void *)(slots + tile->ring_slots);
    uint16_t *scale =
        (void *)(first + ring_block_count(tile->vertex_count) + 1);
    const struct ring_arrays arrays = {.slot_count = tile->ring_slots,
                                       .first = first,
                                       .slots = slots,
                                       .vertex = (uint8_t *)(scale + 4),
                                       .scale = scale};

    return arrays;
}

static size_t rings_bytes(const struct cache_tile *tile)
{
    const size_t blocks = ring_block_count(tile->vertex_count);

    return tile->ring_slots * sizeof(struct ring_slot) +
           (blocks + 1) * sizeof(uint32_t) + 4 * sizeof(uint16_t) +
           blocks * RINGS_LANES;
}

size_t spn__cache_blob_memory(const struct cache_tables *tables,
                              const struct cache_blob *blob)
{
    const struct cache_tile *tile;

    if (blob->kind == CACHE_BLOB_TABLES)
        return sizeof(struct triples_tables);
    if (!cache_blob_is_lift(blob) || cache_blob_is_index(blob))
        return blob->raw_bytes;
    tile = &tables->tiles[blob->tile];
    if (blob->kind == CACHE_BLOB_RINGS)
        return rings_bytes(tile);
    return spn__lift_layers_bytes(tile->layer_count) +
           spn__lift_references_bytes(tile->vertex_count) +
           spn__lift_weights_bytes(tile->vertex_count);
}

/* ---- from bytes ---------------------------------------------------------- */

static uint32_t mesh_of(const struct cache_tables *tables,
                        const struct cache_tile *tile)
{
    return tables->parts[tile->first_part].mesh;
}

spn_status spn__cache_lift_join(const struct cache_tables *tables,
                                const struct cache_blob *blob,
                                const uint8_t *raw, size_t bytes, void *data,
                                uint32_t *places, union cache_lift_work *work,
                                struct spn_fault *fault)
{
    const struct cache_tile *tile;
    struct lift_arrays arrays;
    struct lift_shape shape;

    if (blob->kind == CACHE_BLOB_TABLES)
        return spn__triples_tables(raw, bytes, data, fault);
    if (cache_blob_is_index(blob)) {
        const uint32_t width = blob->kind == CACHE_BLOB_INDEX16 ? 2 : 4;

        return spn__index_wire_read(raw, bytes, width, blob->raw_bytes / width,
                                    data, &work->indices, fault);
    }
    tile = &tables->tiles[blob->tile];
    arrays = arrays_of(tile, data);
    arrays.mesh_vertex_count =
        tables->meshes[mesh_of(tables, tile)].vertex_count;
    arrays.numbers = places + tile->first_place;
    return spn__lift_wire_shape(raw, bytes, &arrays, &work->shape, &shape,
                                fault);
}

struct ring_indices spn__cache_lift_indices(const struct cache_tables *tables,
                                            uint32_t mesh, uint8_t *const *runs)
{
    const struct cache_mesh *m = &tables->meshes[mesh];
    const struct ring_indices indices = {
        .runs = runs,
        .bytes = m->index_bytes,
        .per_run = m->index_bytes == 2 ? CACHE_INDICES_PER_BLOB_16
                                       : CACHE_INDICES_PER_BLOB_32,
        .first = m->first_index,
        .count = m->index_count};

    return indices;
}

/* From which vertex stands at each place to the place of each vertex, cycle by
 * cycle. False: it was no permutation. */
static bool turn_round(uint32_t *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = i;
        uint32_t vertex = places[i];

        if (vertex & IS_TURNED)
            continue;
        /* Each step turns a place, so a path that does not close ends. */
        for (;;) {
            const uint32_t next = places[vertex];

            if (next & IS_TURNED)
                return false;
            places[vertex] = place | IS_TURNED;
            if (vertex == i)
                break;
            place = vertex;
            vertex = next;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        places[i] &= ~IS_TURNED;
    return true;
}

spn_status spn__cache_lift_place(const struct cache_tables *tables,
                                 uint32_t mesh, uint32_t *places,
                                 const struct ring_indices *indices,
                                 struct spn_fault *fault)
{
    const struct cache_mesh *m = &tables->meshes[mesh];
    const uint32_t tile = tables->parts[m->first_part].tile;
    uint32_t *of = places + tables->tiles[tile].first_place;

    if (!turn_round(of, m->vertex_count))
        return wire_refuse(fault, "vertices of the shapes of a mesh", 0, mesh);
    for (uint32_t i = 0; i < indices->count; i++) {
        const uint32_t at = indices->first + i;
        uint8_t *run = indices->runs[at / indices->per_run];

        if (indices->bytes == 2) {
            uint16_t *index = (uint16_t *)(void *)run + at % indices->per_run;

            *index = (uint16_t)of[*index];
        } else {
            uint32_t *index = (uint32_t *)(void *)run + at % indices->per_run;

            *index = of[*index];
        }
    }
    return SPN_OK;
}

spn_status spn__cache_lift_join_rings(
    const struct cache_tables *tables, uint32_t tile, const uint8_t *raw,
    size_t bytes, const struct ring_indices *indices, uint8_t *const *blob_data,
    union cache_lift_work *work, struct spn_fault *fault)
{
    const struct cache_tile *t = &tables->tiles[tile];
    const struct lift_shape shape =
        spn__cache_lift_shape(tables, tile, blob_data);
    const struct ring_part_of part = {
        .indices = indices,
        .first = tables->parts[t->first_part].first_vertex,
        .vertex_count = t->vertex_count,
        .weld = shape.references,
        .weld_stride = LIFT_REFERENCES,
        .weld_first = shape.weld_first};
    const struct ring_arrays arrays =
        ring_arrays_of(t, blob_data[t->rings_blob]);

    return spn__lift_wire_rings(raw, bytes, &part, &arrays, &work->rings,
                                fault);
}

/* ---- to decode with ------------------------------------------------------ */

struct ring_shape spn__cache_lift_rings(const struct cache_tables *tables,
                                        uint32_t tile,
                                        uint8_t *const *blob_data)
{
    const struct cache_tile *t = &tables->tiles[tile];
    const struct ring_arrays arrays =
        ring_arrays_of(t, blob_data[t->rings_blob]);
    struct ring_shape rings = {.vertex_count = t->vertex_count,
                               .first = arrays.first,
                               .slots = arrays.slots,
                               .vertex = arrays.vertex};

    memcpy(rings.scale, arrays.scale, sizeof rings.scale);
    return rings;
}

struct lift_shape spn__cache_lift_shape(const struct cache_tables *tables,
                                        uint32_t tile,
                                        uint8_t *const *blob_data)
{
    const struct cache_tile *t = &tables->tiles[tile];
    const struct lift_arrays arrays = arrays_of(t, blob_data[t->shape_blob]);

    return (struct lift_shape){
        .vertex_count = t->vertex_count,
        .layer_count = t->layer_count,
        .level_count = arrays.layers[t->layer_count - 1].level + 1,
        .layers = arrays.layers,
        .references = arrays.references,
        .weights = arrays.weights,
        .weld_first = arrays.layers[t->layer_count].level,
    };
}

struct lift_stream spn__cache_lift_stream(const struct cache_tables *tables,
                                          enum channel channel,
                                          const struct lift_shape *shape,
                                          uint8_t *const *blob_data)
{
    return (struct lift_stream){
        .channel = channel,
        .shape = shape,
        .tables = (const void *)blob_data[tables->tables_blob[channel]],
    };
}
