/* lift_wire.c - bits to shapes and rings.
 *
 * Whatever the bytes are, reading ends after as many steps as there are
 * vertices, inside the arrays; what came out is judged as every shape is.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/lift_wire.h"

#include "base/mem.h"
#include "base/wire.h"

/* The coder stands before the model, which is made of it. */
#include "geom/model_reader.h"

#include "geom/lift_model.h"

size_t spn__lift_layers_bytes(uint32_t layer_count)
{
    return ((size_t)layer_count + 1) * sizeof(struct lift_layer);
}

size_t spn__lift_references_bytes(uint32_t vertex_count)
{
    return LIFT_REFERENCES * ((size_t)vertex_count + LIFT_PADDING) *
           sizeof(uint16_t);
}

size_t spn__lift_weights_bytes(uint32_t vertex_count)
{
    return LIFT_REFERENCES * ((size_t)vertex_count + LIFT_PADDING);
}

/* All models are chances. */
#define RESET(models)                                                          \
    chance_reset((void *)(models), (sizeof *(models)) / (sizeof(struct chance)))

void spn__wire_shape_begin(struct wire_shape *shape)
{
    RESET(&shape->models);
    memset(shape->recent, 0, sizeof shape->recent);
    shape->last_weight = 0;
}

void spn__wire_rings_begin(struct wire_rings *rings)
{
    memset(&rings->sector, 0, sizeof rings->sector);
    memset(&rings->along, 0, sizeof rings->along);
    memset(rings->before, 0, sizeof rings->before);
    RESET(&rings->sector.number);
    RESET(&rings->along.number);
}

spn_status spn__lift_wire_shape(const uint8_t *bytes, size_t count,
                                const struct lift_arrays *to,
                                struct wire_shape *work, struct lift_shape *out,
                                struct spn_fault *fault)
{
    struct lift_shape shape = {.vertex_count = to->vertex_count,
                               .layer_count = to->layer_count,
                               .layers = to->layers,
                               .references = to->references,
                               .weights = to->weights};
    struct range_decoder decoder;
    spn_status status;

    if (to->vertex_count < 1 || to->vertex_count > LIFT_WIRE_VERTICES_MAX ||
        to->vertex_count > to->mesh_vertex_count)
        return wire_refuse(fault, "vertices of a shape", 0, to->vertex_count);
    if (to->layer_count < 1 || to->layer_count > to->vertex_count)
        return wire_refuse(fault, "layers of a shape", 0, to->layer_count);
    memset(work, 0, sizeof *work);
    spn__wire_shape_begin(work);
    work->vertex_count = to->vertex_count;
    work->layer_count = to->layer_count;
    work->mesh_vertex_count = to->mesh_vertex_count;
    work->layers = to->layers;
    work->references = to->references;
    work->weights = to->weights;
    memset(to->layers, 0, spn__lift_layers_bytes(to->layer_count));
    memset(to->references, 0, spn__lift_references_bytes(to->vertex_count));
    memset(to->weights, 0, spn__lift_weights_bytes(to->vertex_count));
    range_decoder_begin(&decoder, bytes, count);
    if (!code_shape(&decoder, work) || !range_decoder_is_used_up(&decoder))
        return wire_refuse(fault, "shape of a tile", 0, 0);
    for (uint32_t i = 0; i < to->vertex_count; i++)
        to->numbers[work->place[i]] = work->number[i];
    shape.level_count = work->level_count;
    to->layers[to->layer_count].level = to->vertex_count;
    if (work->has_welds)
        to->layers[to->layer_count].level =
            to->layers[to->layer_count - 1].first;
    shape.weld_first = to->layers[to->layer_count].level;
    status = spn__lift_judge(&shape, fault);
    if (status == SPN_OK)
        *out = shape;
    return status;
}

/* ---- rings --------------------------------------------------------------- */

/* One block: its slots are those of its longest ring. A ring's unused slots
 * repeat its last neighbour, with weights of 0. */
static bool read_block(struct range_decoder *decoder,
                       const struct ring_part_of *part,
                       const struct ring_arrays *to, struct wire_rings *work,
                       uint32_t block)
{
    const uint32_t start = to->first[block];
    uint32_t counts[RINGS_LANES] = {0};
    uint32_t limit = start;

    for (uint32_t lane = 0; lane < RINGS_LANES; lane++) {
        const uint32_t v = RINGS_LANES * block + lane;
        int8_t sectors[RINGS_SLOTS_MAX] = {0};
        int8_t along[RINGS_SLOTS_MAX] = {0};
        struct ring_around ring;

        if (v >= part->vertex_count)
            break;
        spn__ring_walk(&work->corners, ring_welded(part, v), &ring);
        if (ring.count > to->slot_count - start ||
            !code_ring(decoder, work, &ring, sectors, along))
            return false;
        counts[lane] = ring.count;
        limit = start + ring.count > limit ? start + ring.count : limit;
        for (uint32_t k = 0; k < ring.count; k++) {
            const size_t at = RINGS_LANES * ((size_t)start + k) + lane;

            to->neighbours[at] = ring.vertex[k];
            to->sectors[at] = sectors[k];
            to->along[at] = along[k];
        }
    }
    for (uint32_t lane = 0; lane < RINGS_LANES; lane++)
        for (uint32_t s = start + counts[lane]; s < limit; s++) {
            const size_t at = RINGS_LANES * (size_t)s + lane;

            to->neighbours[at] =
                s > start ? to->neighbours[at - RINGS_LANES] : 0;
            to->sectors[at] = 0;
            to->along[at] = 0;
        }
    to->first[block + 1] = limit;
    return true;
}

spn_status spn__lift_wire_rings(const uint8_t *bytes, size_t count,
                                const struct ring_part_of *part,
                                const struct ring_arrays *to,
                                struct wire_rings *work,
                                struct spn_fault *fault)
{
    const uint32_t blocks = ring_block_count(part->vertex_count);
    struct ring_shape shape = {.vertex_count = part->vertex_count,
                               .first = to->first,
                               .neighbours = to->neighbours,
                               .sectors = to->sectors,
                               .along = to->along};
    struct range_decoder decoder;

    spn__wire_rings_begin(work);
    spn__ring_corners_find(part, &work->corners);
    range_decoder_begin(&decoder, bytes, count);
    code_rings_head(&decoder, work, to->scale);
    to->first[0] = 0;
    for (uint32_t b = 0; b < blocks; b++)
        if (!read_block(&decoder, part, to, work, b))
            return wire_refuse(fault, "rings of a tile", 0, b);
    if (to->first[blocks] != to->slot_count ||
        !range_decoder_is_used_up(&decoder))
        return wire_refuse(fault, "rings of a tile", 0, blocks);
    memcpy(shape.scale, to->scale, sizeof shape.scale);
    return spn__rings_judge(&shape, fault);
}
