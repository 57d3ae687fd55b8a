/* cache_lift.c - load hierarchies, one-rings, tables and coded indices.
 *
 * The sizes of all arrays follow from the tile, which the table parser has
 * validated. Several arrays of one blob lie in one piece of memory, one after
 * the other.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_lift.h"

#include "base/mem.h"
#include "base/wire.h"

/* -- arrays -- */

static struct lift_arrays arrays_of(const struct cache_tile *tile,
                                    uint8_t *data)
{
    uint8_t *references = data + spn__lift_layers_bytes(tile->layer_count);
    uint8_t *weights =
        references + spn__lift_references_bytes(tile->vertex_count);
    uint8_t *members = weights + spn__lift_weights_bytes(tile->vertex_count,
                                                         tile->channel_weights);

    return (struct lift_arrays){.vertex_count = tile->vertex_count,
                                .layer_count = tile->layer_count,
                                .channel_weights = tile->channel_weights,
                                .layers = (void *)data,
                                .references = (void *)references,
                                .weights = (void *)weights,
                                .members = (void *)members};
}

/* The order in memory: slots, first[], scales, vertices of the lanes. */
static struct one_ring_arrays one_ring_arrays_of(const struct cache_tile *tile,
                                                 void *data)
{
    struct one_ring_slot *slots = data;
    uint32_t *first = (void *)(slots + tile->one_ring_slots);
    uint16_t *scale =
        (void *)(first + one_ring_batch_count(tile->vertex_count) + 1);

    return (struct one_ring_arrays){.by_uvs = tile->one_rings_by_uvs,
                                    .slot_count = tile->one_ring_slots,
                                    .first = first,
                                    .slots = slots,
                                    .vertex = (uint8_t *)(scale + 4),
                                    .scale = scale};
}

static size_t one_rings_bytes(const struct cache_tile *tile)
{
    const size_t batches = one_ring_batch_count(tile->vertex_count);

    return tile->one_ring_slots * sizeof(struct one_ring_slot) +
           (batches + 1) * sizeof(uint32_t) + 4 * sizeof(uint16_t) +
           batches * ONE_RING_LANES;
}

size_t spn__cache_blob_memory(const struct cache_tables *tables,
                              const struct cache_blob *blob)
{
    const struct cache_tile *tile;

    if (blob->kind == CACHE_BLOB_TABLES)
        return sizeof(struct residual_tables);
    if (!cache_blob_is_expanded(blob) || cache_blob_is_index(blob))
        return blob->raw_bytes;
    tile = &tables->tiles[blob->tile];
    if (blob->kind == CACHE_BLOB_ONE_RINGS)
        return one_rings_bytes(tile);
    return spn__lift_layers_bytes(tile->layer_count) +
           spn__lift_references_bytes(tile->vertex_count) +
           spn__lift_weights_bytes(tile->vertex_count, tile->channel_weights) +
           tile->vertex_count * sizeof(uint16_t) +
           (SPN_WITH_RAY_CASTS ? tile->vertex_count * sizeof(uint16_t) : 0);
}

/* -- load -- */

/* The last array of a hierarchy: for each member its place. */
static uint16_t *places_of(const struct lift_arrays *arrays)
{
    return arrays->members + arrays->vertex_count;
}

static void find_places(const struct lift_arrays *arrays)
{
    uint16_t *places = places_of(arrays);

    for (uint32_t i = 0; i < arrays->vertex_count; i++)
        places[arrays->members[i]] = (uint16_t)i;
}

spn_status spn__cache_lift_load(const struct cache_tables *tables,
                                const struct cache_blob *blob,
                                const uint8_t *raw, size_t bytes, void *data,
                                union cache_lift_workspace *work,
                                struct spn_fault *fault)
{
    struct lift_arrays arrays;
    struct lift_hierarchy hierarchy;
    spn_status status;

    if (blob->kind == CACHE_BLOB_TABLES)
        return spn__residual_tables_expand(raw, bytes, data, fault);
    if (cache_blob_is_index(blob)) {
        const uint32_t width = blob->kind == CACHE_BLOB_INDEX16 ? 2 : 4;

        return spn__index_wire_read(raw, bytes, width, blob->raw_bytes / width,
                                    data, &work->indices, fault);
    }
    arrays = arrays_of(&tables->tiles[blob->tile], data);
    status = spn__lift_wire_read_hierarchy(raw, bytes, &arrays,
                                           &work->hierarchy, &hierarchy, fault);
    if (SPN_WITH_RAY_CASTS && status == SPN_OK)
        find_places(&arrays);
    return status;
}

spn_status spn__cache_lift_load_one_rings(
    const struct cache_tables *tables, uint32_t tile, const uint8_t *raw,
    size_t bytes, const struct range_source *more, uint8_t *const *runs,
    uint8_t *const *blob_data, struct wire_one_rings *work,
    struct spn_fault *fault)
{
    const struct cache_tile *t = &tables->tiles[tile];
    const struct cache_part *first = &tables->parts[t->first_part];
    const struct cache_mesh *m = &tables->meshes[first->mesh];
    const struct one_ring_indices indices = {
        .runs = runs,
        .bytes = m->index_bytes,
        .per_run = cache_indices_per_blob(m->index_bytes),
        .first = m->first_index,
        .count = m->index_count};
    const struct lift_hierarchy hierarchy =
        spn__cache_lift_hierarchy(tables, tile, blob_data);
    struct one_ring_part part = {
        .indices = &indices,
        .first = first->first_vertex,
        .vertex_count = t->vertex_count,
        .members = arrays_of(t, blob_data[t->hierarchy_blob]).members,
        .weld = hierarchy.references,
        .weld_stride = LIFT_REFERENCES,
        .weld_first = hierarchy.weld_first};
    const struct one_ring_arrays arrays =
        one_ring_arrays_of(t, blob_data[t->one_rings_blob]);

    return spn__lift_wire_read_one_rings(raw, bytes, more, &part, &arrays, work,
                                         fault);
}

/* -- use -- */

struct one_rings spn__cache_lift_one_rings(const struct cache_tables *tables,
                                           uint32_t tile,
                                           uint8_t *const *blob_data)
{
    const struct cache_tile *t = &tables->tiles[tile];
    const struct one_ring_arrays arrays =
        one_ring_arrays_of(t, blob_data[t->one_rings_blob]);
    struct one_rings rings = {.vertex_count = t->vertex_count,
                              .first_slot = arrays.first,
                              .slots = arrays.slots,
                              .vertex = arrays.vertex,
                              .by_uvs = arrays.by_uvs};

    memcpy(rings.scale, arrays.scale, sizeof rings.scale);
    return rings;
}

struct lift_hierarchy spn__cache_lift_hierarchy(
    const struct cache_tables *tables, uint32_t tile, uint8_t *const *blob_data)
{
    const struct cache_tile *t = &tables->tiles[tile];
    const struct lift_arrays arrays =
        arrays_of(t, blob_data[t->hierarchy_blob]);
    int8_t *sets[LIFT_WEIGHT_SETS];

    spn__lift_weight_sets(arrays.weights, t->vertex_count, t->channel_weights,
                          sets);
    return (struct lift_hierarchy){
        .vertex_count = t->vertex_count,
        .layer_count = t->layer_count,
        .level_count = arrays.layers[t->layer_count - 1].level + 1,
        .layers = arrays.layers,
        .references = arrays.references,
        .weights = arrays.weights,
        .channel_weights = {sets[1], sets[2]},
        .weld_first = arrays.layers[t->layer_count].level,
    };
}

/* Within a layer vertices keep their order. If every layer starts with the
 * vertex whose number is its own first place, no vertex has left its place. */
const uint16_t *spn__cache_lift_order(const struct cache_tables *tables,
                                      uint32_t tile, uint8_t *const *blob_data)
{
    const struct cache_tile *t = &tables->tiles[tile];
    struct lift_arrays arrays;

    if (!cache_tile_is_lifted(t))
        return NULL;
    arrays = arrays_of(t, blob_data[t->hierarchy_blob]);
    for (uint32_t l = 0; l < t->layer_count; l++)
        if (arrays.members[arrays.layers[l].first] != arrays.layers[l].first)
            return arrays.members;
    return NULL;
}

#if SPN_WITH_RAY_CASTS

const uint16_t *spn__cache_lift_places(const struct cache_tables *tables,
                                       uint32_t tile, uint8_t *const *blob_data)
{
    const struct cache_tile *t = &tables->tiles[tile];
    struct lift_arrays arrays;

    if (!spn__cache_lift_order(tables, tile, blob_data))
        return NULL;
    arrays = arrays_of(t, blob_data[t->hierarchy_blob]);
    return places_of(&arrays);
}

#endif

struct lift_input spn__cache_lift_input(const struct cache_tables *tables,
                                        enum channel channel,
                                        const struct lift_hierarchy *hierarchy,
                                        uint8_t *const *blob_data)
{
    return (struct lift_input){
        .channel = channel,
        .hierarchy = hierarchy,
        .tables = (const void *)blob_data[tables->tables_blob[channel]],
    };
}
