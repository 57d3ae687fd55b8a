/* lift_wire_write.c - layers, references and weights as planes of bytes. */
/* SPDX-License-Identifier: MIT */
#include "compile/lift_wire_write.h"

#include "base/endian.h"

static uint8_t *write_layers(const struct lift_shape *shape,
                             struct arena *arena)
{
    uint8_t *out =
        arena_alloc(arena, shape->layer_count, LIFT_WIRE_LAYER_BYTES);

    for (uint32_t l = 0; l < shape->layer_count; l++) {
        uint8_t *entry = out + LIFT_WIRE_LAYER_BYTES * (size_t)l;

        spn_store_u16le(entry, (uint16_t)(shape->layers[l + 1].first -
                                          shape->layers[l].first));
        entry[2] = (uint8_t)shape->layers[l].level;
    }
    return out;
}

static uint8_t *write_references(const struct lift_shape *shape,
                                 struct arena *arena)
{
    const size_t count = LIFT_REFERENCES * (size_t)shape->vertex_count;
    uint8_t *out = ARENA_NEW(arena, uint8_t, 2 * count);
    size_t at = 0;

    for (uint32_t j = 0; j < LIFT_REFERENCES; j++) {
        uint16_t before = 0;

        for (uint32_t v = 0; v < shape->vertex_count; v++, at++) {
            const uint16_t r =
                shape->references[LIFT_REFERENCES * (size_t)v + j];
            const int16_t step = (int16_t)(uint16_t)(r - before);
            const uint32_t zigzag =
                (uint32_t)step << 1 ^ (step < 0 ? UINT32_MAX : 0);

            out[at] = (uint8_t)zigzag;
            out[count + at] = (uint8_t)(zigzag >> 8);
            before = r;
        }
    }
    return out;
}

static uint8_t *write_weights(const struct lift_shape *shape,
                              struct arena *arena)
{
    const size_t count = shape->vertex_count;
    uint8_t *out = arena_alloc(arena, count, LIFT_WIRE_WEIGHT_BYTES);

    for (uint32_t v = 0; v < count; v++) {
        const int8_t *w = shape->weights + LIFT_REFERENCES * (size_t)v;

        for (uint32_t j = 0; j < 3; j++)
            out[j * count + v] = (uint8_t)w[j];
        if ((w[0] | w[1] | w[2] | w[3]) == 0)
            out[v] = (uint8_t)LIFT_WIRE_ROOT;
    }
    return out;
}

void lift_wire_write(const struct lift_shape *shape, struct arena *arena,
                     struct lift_wire *out)
{
    const size_t count = shape->vertex_count;

    out->layers = write_layers(shape, arena);
    out->layers_bytes = LIFT_WIRE_LAYER_BYTES * (size_t)shape->layer_count;
    out->references = write_references(shape, arena);
    out->references_bytes = LIFT_WIRE_REFERENCE_BYTES * count;
    out->weights = write_weights(shape, arena);
    out->weights_bytes = LIFT_WIRE_WEIGHT_BYTES * count;
}
