/* cache_lift.c - blobs to shapes and tables.
 *
 * Sizes follow from the tile, which the tables' parser has judged. Nothing is
 * decompressed here, and shapes are put together anew from pointers wherever
 * one is wanted.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/cache_lift.h"

#include "base/mem.h"
#include "geom/lift_wire.h"

/* first[], then the scales. */
static size_t rings_bytes(const struct cache_tile *tile)
{
    return (ring_block_count(tile->vertex_count) + (size_t)1) *
               sizeof(uint32_t) +
           4 * sizeof(uint16_t);
}

size_t spn__cache_blob_memory(const struct cache_tables *tables,
                              const struct cache_blob *blob)
{
    switch ((enum cache_blob_kind)blob->kind) {
    case CACHE_BLOB_TABLES:
        return sizeof(struct triples_tables);
    case CACHE_BLOB_LAYERS:
        return spn__lift_layers_bytes(tables->tiles[blob->tile].layer_count);
    case CACHE_BLOB_REFERENCES:
        return spn__lift_references_bytes(
            tables->tiles[blob->tile].vertex_count);
    case CACHE_BLOB_WEIGHTS:
        return spn__lift_weights_bytes(tables->tiles[blob->tile].vertex_count);
    case CACHE_BLOB_RINGS:
        return rings_bytes(&tables->tiles[blob->tile]);
    case CACHE_BLOB_NEIGHBOURS:
    case CACHE_BLOB_RING_WEIGHTS:
        return cache_blob_has_array(blob)
                   ? (size_t)tables->tiles[blob->tile].ring_slots *
                         LIFT_WIRE_SLOT_BYTES
                   : 0;
    case CACHE_BLOB_CHANNEL:
    case CACHE_BLOB_PREDICTOR:
    case CACHE_BLOB_REFLECTION:
    case CACHE_BLOB_INDEX16:
    case CACHE_BLOB_INDEX32:
        break;
    }
    return blob->raw_bytes;
}

/* A run of a tile's slots to its place in the array. */
static void join_slots(const struct cache_tile *tile,
                       const struct cache_blob *blob, const uint8_t *raw,
                       void *data)
{
    const size_t at =
        (size_t)blob->run * CACHE_RING_SLOTS_PER_BLOB * RINGS_LANES;
    const uint32_t count = blob->raw_bytes / 2;
    uint8_t *sectors = (uint8_t *)data + at;

    if (blob->kind == CACHE_BLOB_NEIGHBOURS) {
        spn__lift_wire_neighbours(raw, count / RINGS_LANES,
                                  (uint16_t *)data + at);
        return;
    }
    memcpy(sectors, raw, count);
    memcpy(sectors + (size_t)tile->ring_slots * RINGS_LANES, raw + count,
           count);
}

spn_status spn__cache_lift_join(const struct cache_tables *tables,
                                const struct cache_blob *blob,
                                const uint8_t *raw, void *data,
                                struct spn_fault *fault)
{
    const struct cache_tile *tile;

    if (blob->kind == CACHE_BLOB_TABLES)
        return spn__triples_tables(raw, TRIPLES_WIRE_BYTES, data, fault);
    tile = &tables->tiles[blob->tile];
    if (blob->kind == CACHE_BLOB_LAYERS)
        return spn__lift_wire_layers(raw, tile->layer_count, tile->vertex_count,
                                     data, fault);
    if (blob->kind == CACHE_BLOB_WEIGHTS)
        return spn__lift_wire_weights(raw, tile->vertex_count, data, fault);
    if (blob->kind == CACHE_BLOB_RINGS)
        return spn__lift_wire_rings(
            raw, tile->vertex_count, tile->ring_slots, data,
            (uint16_t *)((uint32_t *)data +
                         ring_block_count(tile->vertex_count) + 1),
            fault);
    if (blob->kind == CACHE_BLOB_REFERENCES)
        spn__lift_wire_references(raw, tile->vertex_count, data);
    else
        join_slots(tile, blob, raw, data);
    return SPN_OK;
}

struct ring_shape spn__cache_lift_rings(const struct cache_tables *tables,
                                        uint32_t tile,
                                        uint8_t *const *blob_data)
{
    const struct cache_tile *t = &tables->tiles[tile];
    const uint32_t *first = (const void *)blob_data[t->rings_blob];
    const uint32_t blocks = ring_block_count(t->vertex_count);
    const int8_t *sectors = (const void *)blob_data[t->ring_weights_blob];
    struct ring_shape rings = {
        .vertex_count = t->vertex_count,
        .first = first,
        .neighbours = (const void *)blob_data[t->neighbours_blob],
        .sectors = sectors,
        .along = sectors + (size_t)t->ring_slots * RINGS_LANES,
    };

    memcpy(rings.scale, first + blocks + 1, sizeof rings.scale);
    return rings;
}

spn_status spn__cache_lift_judge(const struct cache_tables *tables,
                                 uint32_t tile, uint8_t *const *blob_data,
                                 struct spn_fault *fault)
{
    const struct lift_shape shape =
        spn__cache_lift_shape(tables, tile, blob_data);
    struct ring_shape rings;
    spn_status status = spn__lift_judge(&shape, fault);

    if (status != SPN_OK || tables->tiles[tile].ring_slots == 0)
        return status;
    rings = spn__cache_lift_rings(tables, tile, blob_data);
    return spn__rings_judge(&rings, fault);
}

struct lift_shape spn__cache_lift_shape(const struct cache_tables *tables,
                                        uint32_t tile,
                                        uint8_t *const *blob_data)
{
    const struct cache_tile *t = &tables->tiles[tile];
    const struct lift_layer *layers = (const void *)blob_data[t->layers_blob];

    return (struct lift_shape){
        .vertex_count = t->vertex_count,
        .layer_count = t->layer_count,
        .level_count = layers[t->layer_count - 1].level + 1,
        .layers = layers,
        .references = (const void *)blob_data[t->references_blob],
        .weights = (const void *)blob_data[t->weights_blob],
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
