/* lift_wire.c - planes of bytes to references, weights and layers.
 *
 * Sizes are judged first; the numbers are put together and then judged as
 * every shape is. Nothing is decompressed here.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/lift_wire.h"

#include "base/endian.h"
#include "base/mem.h"

static spn_status refuse(struct spn_fault *fault, const char *what,
                         uint64_t offset, uint64_t value)
{
    fault->what = what;
    fault->offset = offset;
    fault->value = value;
    return SPN_ERR_FORMAT;
}

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

size_t spn__lift_wire_memory(uint32_t vertex_count, uint32_t layer_count)
{
    return spn__lift_layers_bytes(layer_count) +
           spn__lift_references_bytes(vertex_count) +
           spn__lift_weights_bytes(vertex_count);
}

spn_status spn__lift_wire_layers(const uint8_t *wire, uint32_t layer_count,
                                 uint32_t vertex_count,
                                 struct lift_layer *layers,
                                 struct spn_fault *fault)
{
    uint32_t first = 0;

    for (uint32_t l = 0; l < layer_count; l++) {
        const uint8_t *entry = wire + LIFT_WIRE_LAYER_BYTES * (size_t)l;
        const uint32_t count = spn_load_u16le(entry);

        if (count > vertex_count - first)
            return refuse(fault, "vertices of a layer", l, count);
        layers[l].first = first;
        layers[l].level = entry[2];
        first += count;
    }
    layers[layer_count].first = first;
    layers[layer_count].level = 0;
    return SPN_OK;
}

void spn__lift_wire_references(const uint8_t *wire, uint32_t vertex_count,
                               uint16_t *references)
{
    const uint8_t *high = wire + LIFT_REFERENCES * (size_t)vertex_count;

    for (uint32_t j = 0; j < LIFT_REFERENCES; j++) {
        uint32_t reference = 0;

        for (uint32_t v = 0; v < vertex_count; v++) {
            const uint32_t zigzag = *wire++ | (uint32_t)*high++ << 8;

            reference += zigzag >> 1 ^ (0u - (zigzag & 1));
            references[LIFT_REFERENCES * (size_t)v + j] = (uint16_t)reference;
        }
    }
    memset(references + LIFT_REFERENCES * (size_t)vertex_count, 0,
           LIFT_REFERENCES * LIFT_PADDING * sizeof *references);
}

spn_status spn__lift_wire_weights(const uint8_t *wire, uint32_t vertex_count,
                                  int8_t *weights, struct spn_fault *fault)
{
    for (uint32_t v = 0; v < vertex_count; v++) {
        int8_t *w = weights + LIFT_REFERENCES * (size_t)v;
        int32_t rest = LIFT_WEIGHT_ONE;

        for (uint32_t j = 0; j < 3; j++) {
            w[j] = (int8_t)wire[(size_t)j * vertex_count + v];
            rest -= w[j];
        }
        if (w[0] == LIFT_WIRE_ROOT) {
            memset(w, 0, LIFT_REFERENCES);
            continue;
        }
        if (rest < -127 || rest > 127)
            return refuse(fault, "weights of a vertex", v, (uint32_t)rest);
        w[3] = (int8_t)rest;
    }
    memset(weights + LIFT_REFERENCES * (size_t)vertex_count, 0,
           LIFT_REFERENCES * LIFT_PADDING);
    return SPN_OK;
}

spn_status spn__lift_wire_rings(const uint8_t *wire, uint32_t vertex_count,
                                uint32_t slot_count, uint32_t *first,
                                uint16_t scale[3], struct spn_fault *fault)
{
    const uint32_t blocks = ring_block_count(vertex_count);

    for (uint32_t i = 0; i < 3; i++)
        scale[i] = spn_load_u16le(wire + 2 * (size_t)i);
    first[0] = 0;
    for (uint32_t b = 0; b < blocks; b++)
        first[b + 1] = first[b] + wire[LIFT_WIRE_SCALE_BYTES + b];
    if (first[blocks] != slot_count)
        return refuse(fault, "slots of rings", 0, first[blocks]);
    return SPN_OK;
}

void spn__lift_wire_neighbours(const uint8_t *wire, uint32_t slots,
                               uint16_t *neighbours)
{
    const uint32_t count = slots * RINGS_LANES;

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t zigzag = wire[i] | (uint32_t)wire[count + i] << 8;
        const uint32_t before =
            i >= RINGS_LANES ? neighbours[i - RINGS_LANES] : 0;

        neighbours[i] =
            (uint16_t)(before + (zigzag >> 1 ^ (0u - (zigzag & 1))));
    }
}

spn_status spn__lift_wire_read(const struct lift_wire *wire,
                               uint32_t vertex_count, void *memory,
                               size_t memory_bytes, struct lift_shape *out,
                               struct spn_fault *fault)
{
    const uint32_t layer_count =
        (uint32_t)(wire->layers_bytes / LIFT_WIRE_LAYER_BYTES);
    struct lift_layer *layers = memory;
    struct lift_shape shape = {.vertex_count = vertex_count,
                               .layer_count = layer_count,
                               .layers = layers};
    uint16_t *references;
    int8_t *weights;
    spn_status status;

    if (vertex_count < 1 || vertex_count > LIFT_VERTICES_MAX)
        return refuse(fault, "vertices of a shape", 0, vertex_count);
    if (wire->layers_bytes % LIFT_WIRE_LAYER_BYTES != 0 || layer_count < 1 ||
        layer_count > vertex_count)
        return refuse(fault, "bytes of layers", 0, wire->layers_bytes);
    if (wire->references_bytes !=
        LIFT_WIRE_REFERENCE_BYTES * (size_t)vertex_count)
        return refuse(fault, "bytes of references", 0, wire->references_bytes);
    if (wire->weights_bytes != LIFT_WIRE_WEIGHT_BYTES * (size_t)vertex_count)
        return refuse(fault, "bytes of weights", 0, wire->weights_bytes);
    if (memory_bytes < spn__lift_wire_memory(vertex_count, layer_count))
        return SPN_ERR_MEMORY;
    references =
        (void *)((uint8_t *)memory + spn__lift_layers_bytes(layer_count));
    weights = (int8_t *)references + spn__lift_references_bytes(vertex_count);
    status = spn__lift_wire_layers(wire->layers, layer_count, vertex_count,
                                   layers, fault);
    if (status != SPN_OK)
        return status;
    spn__lift_wire_references(wire->references, vertex_count, references);
    status =
        spn__lift_wire_weights(wire->weights, vertex_count, weights, fault);
    if (status != SPN_OK)
        return status;
    shape.level_count = layers[layer_count - 1].level + 1;
    shape.references = references;
    shape.weights = weights;
    status = spn__lift_judge(&shape, fault);
    if (status == SPN_OK)
        *out = shape;
    return status;
}
