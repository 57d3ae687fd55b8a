/* lift_wire.c - reads hierarchies and one-rings.
 *
 * Reading takes a number of steps that is bounded by the number of vertices,
 * and stays inside the arrays, whatever the bytes are. The models cannot
 * express a hierarchy or one-rings that break the rules of their headers.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift_wire.h"

#include "base/mem.h"
#include "base/wire.h"

/* The model calls the functions of the coder, so the coder comes first. */
#include "codec/lift/model_reader.h"

#include "codec/lift/lift_model.h"
#include "codec/lift/one_ring_model.h"

size_t spn__lift_layers_bytes(uint32_t layer_count)
{
    return ((size_t)layer_count + 1) * sizeof(struct lift_layer);
}

size_t spn__lift_references_bytes(uint32_t vertex_count)
{
    return LIFT_REFERENCES * ((size_t)vertex_count + LIFT_PADDING) *
           sizeof(uint16_t);
}

size_t spn__lift_weights_bytes(uint32_t vertex_count, uint32_t channel_weights)
{
    return LIFT_REFERENCES * ((size_t)vertex_count + LIFT_PADDING) *
           (1u + (channel_weights & 1u) + (channel_weights >> 1));
}

void spn__lift_weight_sets(int8_t *weights, uint32_t vertex_count,
                           uint32_t channel_weights,
                           int8_t *sets[LIFT_WEIGHT_SETS])
{
    sets[0] = weights;
    for (uint32_t k = 1; k < LIFT_WEIGHT_SETS; k++) {
        sets[k] = NULL;
        if (channel_weights >> (k - 1) & 1)
            sets[k] = weights += spn__lift_weights_bytes(vertex_count, 0);
    }
}

void spn__wire_hierarchy_begin(struct wire_hierarchy *hierarchy)
{
    number_models_reset(&hierarchy->models, sizeof hierarchy->models);
}

void spn__wire_one_rings_begin(struct wire_one_rings *rings, bool by_uvs)
{
    rings->by_uvs = by_uvs;
    rings->is_mirrored = false;
    memset(rings->sector_model.error, 0, sizeof rings->sector_model.error);
    memset(rings->neighbour_model.error, 0,
           sizeof rings->neighbour_model.error);
    memset(rings->last_weights, 0, sizeof rings->last_weights);
    number_models_reset(rings->sector_model.number,
                        sizeof rings->sector_model.number);
    number_models_reset(rings->neighbour_model.number,
                        sizeof rings->neighbour_model.number);
    number_models_reset(rings->mirrored, sizeof rings->mirrored);
    number_models_reset(&rings->range, sizeof rings->range);
}

spn_status spn__lift_wire_read_hierarchy(const uint8_t *bytes, size_t count,
                                         const struct lift_arrays *to,
                                         struct wire_hierarchy *work,
                                         struct lift_hierarchy *out,
                                         struct spn_fault *fault)
{
    struct lift_hierarchy hierarchy = {.vertex_count = to->vertex_count,
                                       .layer_count = to->layer_count,
                                       .layers = to->layers,
                                       .references = to->references,
                                       .weights = to->weights};
    struct range_decoder decoder;

    if (to->vertex_count - 1 >= LIFT_WIRE_VERTICES_MAX ||
        to->layer_count - 1 >= to->vertex_count)
        return wire_refuse(fault, "hierarchy of a tile", 0, 0);
    memset(work, 0, sizeof *work);
    spn__wire_hierarchy_begin(work);
    work->vertex_count = to->vertex_count;
    work->layer_count = to->layer_count;
    work->layers = to->layers;
    work->references = to->references;
    spn__lift_weight_sets(to->weights, to->vertex_count, to->channel_weights,
                          work->weights);
    hierarchy.channel_weights[0] = work->weights[1];
    hierarchy.channel_weights[1] = work->weights[2];
    work->member = to->members;
    memset(to->layers, 0, spn__lift_layers_bytes(to->layer_count));
    memset(to->references, 0, spn__lift_references_bytes(to->vertex_count));
    memset(to->weights, 0,
           spn__lift_weights_bytes(to->vertex_count, to->channel_weights));
    range_decoder_begin(&decoder, bytes, count);
    if (!code_hierarchy(&decoder, work) || !range_decoder_is_used_up(&decoder))
        return wire_refuse(fault, "hierarchy of a tile", 0, 0);
    hierarchy.level_count = work->level_count;
    to->layers[to->layer_count].level = to->vertex_count;
    if (work->has_welds)
        to->layers[to->layer_count].level =
            to->layers[to->layer_count - 1].first;
    hierarchy.weld_first = to->layers[to->layer_count].level;
    *out = hierarchy;
    return SPN_OK;
}

/* -- one-rings -- */

/* Sort the vertices of a window by the length of their one-rings. */
static void sort_lanes(const struct one_ring_window *window, uint32_t count,
                       uint8_t *vertex)
{
    for (uint32_t length = 0; length <= ONE_RING_SLOTS_MAX; length++)
        for (uint32_t i = 0; i < count; i++)
            if (window->ring[i].count == length)
                *vertex++ = (uint8_t)i;
}

/* Write slot `k` of a batch. */
static void write_slot(const struct one_ring_window *window,
                       const uint8_t *vertex, uint32_t k,
                       struct one_ring_slot *out)
{
    for (uint32_t lane = 0; lane < ONE_RING_LANES; lane++) {
        const uint32_t i = vertex[lane];
        const struct one_ring *ring = &window->ring[i];

        if (k < ring->count) {
            out->neighbour[lane] = ring->vertex[k];
            out->sector_weight[lane] = window->sector_weights[i][k];
            out->neighbour_weight[lane] = window->neighbour_weights[i][k];
        } else {
            out->neighbour[lane] = 0;
            if (k > 0)
                out->neighbour[lane] = out[-1].neighbour[lane];
            out->sector_weight[lane] = 0;
            out->neighbour_weight[lane] = 0;
        }
    }
}

bool spn__one_rings_pack(struct one_ring_window *window, uint32_t first,
                         uint32_t count, const struct one_ring_arrays *to)
{
    const uint32_t batches = one_ring_batch_count(count);
    uint8_t *vertex = to->vertex + first;
    uint32_t *slots = to->first + first / ONE_RING_LANES;

    for (uint32_t i = count; i < batches * ONE_RING_LANES; i++)
        window->ring[i].count = 0;
    sort_lanes(window, batches * ONE_RING_LANES, vertex);
    for (uint32_t b = 0; b < batches; b++, vertex += ONE_RING_LANES) {
        const uint32_t longest = window->ring[vertex[ONE_RING_LANES - 1]].count;

        if (longest > to->slot_count - slots[b])
            return false;
        for (uint32_t k = 0; k < longest; k++)
            write_slot(window, vertex, k, to->slots + slots[b] + k);
        slots[b + 1] = slots[b] + longest;
    }
    return true;
}

/* Read the one-rings of the window that begins with vertex `first`. */
static bool read_window(struct range_decoder *decoder,
                        const struct one_ring_part *part,
                        const struct one_ring_arrays *to,
                        struct wire_one_rings *work, uint32_t first)
{
    struct one_ring_window *window = &work->window;
    const uint32_t left = part->vertex_count - first;
    const uint32_t count = left < ONE_RING_WINDOW ? left : ONE_RING_WINDOW;

    for (uint32_t i = 0; i < count; i++) {
        spn__one_ring_walk(&work->corners, one_ring_welded(part, first + i),
                           &window->ring[i]);
        if (!code_one_ring(decoder, work, &window->ring[i],
                           window->sector_weights[i],
                           window->neighbour_weights[i]))
            return false;
    }
    return spn__one_rings_pack(window, first, count, to);
}

spn_status spn__lift_wire_read_one_rings(const uint8_t *bytes, size_t count,
                                         const struct range_source *more,
                                         struct one_ring_part *part,
                                         const struct one_ring_arrays *to,
                                         struct wire_one_rings *work,
                                         struct spn_fault *fault)
{
    const uint32_t batches = one_ring_batch_count(part->vertex_count);
    const uint32_t triangles = part->indices->count / 3;
    struct range_decoder decoder;

    spn__wire_one_rings_begin(work, to->by_uvs);
    range_decoder_begin_pieces(&decoder, bytes, count, more);
    code_one_rings_head(&decoder, work, &part->range, to->scale);
    if (part->range.first > triangles)
        return wire_refuse(fault, "first triangle of a part", 0,
                           part->range.first);
    if (part->range.count > triangles - part->range.first ||
        part->range.count > triangle_range_max(part->vertex_count))
        return wire_refuse(fault, "triangles of a part", 0, part->range.count);
    spn__one_ring_corners_find(part, &work->corners);
    to->first[0] = 0;
    for (uint32_t v = 0; v < part->vertex_count; v += ONE_RING_WINDOW)
        if (!read_window(&decoder, part, to, work, v))
            return wire_refuse(fault, "rings of a tile", 0, v);
    if (to->first[batches] != to->slot_count ||
        !range_decoder_is_used_up(&decoder))
        return wire_refuse(fault, "rings of a tile", 0, batches);
    for (uint32_t i = 0; i < 3; i++)
        if (to->scale[i] > ONE_RING_SCALE_ONE)
            return wire_refuse(fault, "scale of an axis", i, to->scale[i]);
    return SPN_OK;
}
