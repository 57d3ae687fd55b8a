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

/* One run: low bytes, high bytes; sectors' weights, neighbours'. */
static void write_run(const struct ring_shape *rings, size_t first,
                      size_t count, uint8_t *neighbours, uint8_t *weights)
{
    for (size_t i = 0; i < count; i++) {
        const uint16_t before =
            i >= RINGS_LANES ? rings->neighbours[first + i - RINGS_LANES] : 0;
        const int16_t step =
            (int16_t)(uint16_t)(rings->neighbours[first + i] - before);
        const uint32_t zigzag =
            (uint32_t)step << 1 ^ (step < 0 ? UINT32_MAX : 0);

        neighbours[i] = (uint8_t)zigzag;
        neighbours[count + i] = (uint8_t)(zigzag >> 8);
        weights[i] = (uint8_t)rings->sectors[first + i];
        weights[count + i] = (uint8_t)rings->along[first + i];
    }
}

void lift_wire_write_rings(const struct ring_shape *rings, struct arena *arena,
                           struct ring_wire *out)
{
    const uint32_t blocks = ring_block_count(rings->vertex_count);
    const size_t count = RINGS_LANES * (size_t)rings->first[blocks];
    const size_t run = CACHE_RING_SLOTS_PER_BLOB * RINGS_LANES;
    uint8_t *head =
        arena_alloc(arena, LIFT_WIRE_SCALE_BYTES + (size_t)blocks, 1);
    uint8_t *neighbours = ARENA_NEW(arena, uint8_t, 2 * count);
    uint8_t *weights = ARENA_NEW(arena, uint8_t, 2 * count);

    for (size_t i = 0; i < 3; i++)
        spn_store_u16le(head + 2 * i, rings->scale[i]);
    for (uint32_t b = 0; b < blocks; b++)
        head[LIFT_WIRE_SCALE_BYTES + b] =
            (uint8_t)(rings->first[b + 1] - rings->first[b]);
    for (size_t at = 0; at < count; at += run)
        write_run(rings, at, count - at < run ? count - at : run,
                  neighbours + 2 * at, weights + 2 * at);
    *out = (struct ring_wire){
        .rings = head,
        .rings_bytes = LIFT_WIRE_SCALE_BYTES + (size_t)blocks,
        .neighbours = neighbours,
        .weights = weights,
        .slots_bytes = 2 * count,
    };
}
