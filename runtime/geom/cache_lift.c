/* cache_lift.c - blobs to shapes and tables.
 *
 * Sizes follow from the tile, which the tables' parser has judged. Nothing is
 * decompressed here, and shapes are put together anew from pointers wherever
 * one is wanted.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/cache_lift.h"

#include "geom/lift_wire.h"

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
    case CACHE_BLOB_CHANNEL:
    case CACHE_BLOB_PREDICTOR:
    case CACHE_BLOB_REFLECTION:
    case CACHE_BLOB_INDEX16:
    case CACHE_BLOB_INDEX32:
        break;
    }
    return blob->raw_bytes;
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
    spn__lift_wire_references(raw, tile->vertex_count, data);
    return SPN_OK;
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
