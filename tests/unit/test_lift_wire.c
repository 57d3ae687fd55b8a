/* Goal: shapes come back from their bytes, and no bytes make a shape that the
 * decoder must not have.
 * Method: a cloth's shape there and back; every size changed; bytes flipped and
 * random, judged again by what they became. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/lift_cloth.h"

#include "compile/lift_wire_write.h"

#include <stdlib.h>
#include <string.h>

struct rig {
    struct arena arena;
    struct lift_rig cloth;
    const struct lift_shape *shape;
    struct lift_wire wire;
    void *memory;
    size_t memory_bytes;
};

static void make(struct rig *r)
{
    arena_init(&r->arena);
    lift_cloth_make(&r->cloth, &r->arena, 16, 3);
    lift_rig_encode(&r->cloth, 65536);
    r->shape = &r->cloth.parts[0].shape;
    lift_wire_write(r->shape, &r->arena, &r->wire);
    r->memory_bytes =
        spn__lift_wire_memory(r->shape->vertex_count, r->shape->layer_count);
    r->memory = malloc(r->memory_bytes);
}

static void unmake(struct rig *r)
{
    free(r->memory);
    arena_free(&r->arena);
}

static spn_status read_shape(const struct rig *r, struct lift_shape *shape)
{
    struct spn_fault fault = {0};
    const spn_status status =
        spn__lift_wire_read(&r->wire, r->shape->vertex_count, r->memory,
                            r->memory_bytes, shape, &fault);

    CHECK(status != SPN_ERR_FORMAT || fault.what != NULL);
    if (status == SPN_OK)
        CHECK_EQ(spn__lift_judge(shape, &fault), SPN_OK);
    return status;
}

static void a_shape_comes_back(void)
{
    struct rig r;
    struct lift_shape shape;
    uint32_t count;

    make(&r);
    CHECK_EQ(read_shape(&r, &shape), SPN_OK);
    count = shape.vertex_count;
    CHECK_EQ_U(count, r.shape->vertex_count);
    CHECK_EQ_U(shape.layer_count, r.shape->layer_count);
    CHECK_EQ_U(shape.level_count, r.shape->level_count);
    for (uint32_t l = 0; l < shape.layer_count; l++) {
        CHECK_EQ_U(shape.layers[l].first, r.shape->layers[l].first);
        CHECK_EQ_U(shape.layers[l].level, r.shape->layers[l].level);
    }
    CHECK_MEM(shape.references, r.shape->references, 8 * (size_t)count);
    CHECK_MEM(shape.weights, r.shape->weights, 4 * (size_t)count);
    unmake(&r);
}

static void wrong_sizes_are_refused(void)
{
    struct rig r;
    struct lift_shape shape;

    make(&r);
    r.wire.layers_bytes -= 1;
    CHECK_EQ(read_shape(&r, &shape), SPN_ERR_FORMAT);
    r.wire.layers_bytes -= 2;
    CHECK_EQ(read_shape(&r, &shape), SPN_ERR_FORMAT);
    r.wire.layers_bytes = 0;
    CHECK_EQ(read_shape(&r, &shape), SPN_ERR_FORMAT);
    r.wire.layers_bytes = 3 * (size_t)r.shape->layer_count;
    r.wire.references_bytes--;
    CHECK_EQ(read_shape(&r, &shape), SPN_ERR_FORMAT);
    r.wire.references_bytes++;
    r.wire.weights_bytes++;
    CHECK_EQ(read_shape(&r, &shape), SPN_ERR_FORMAT);
    r.wire.weights_bytes--;
    r.memory_bytes--;
    CHECK_EQ(read_shape(&r, &shape), SPN_ERR_MEMORY);
    unmake(&r);
}

static uint8_t *copy(const uint8_t *bytes, size_t count)
{
    uint8_t *to = malloc(count);

    memcpy(to, bytes, count);
    return to;
}

/* What is read after damage was judged: read_shape checks that. */
static void damage_is_survived(void)
{
    struct test_random random = {1};
    struct lift_shape shape;
    uint32_t refused = 0;
    struct rig r;
    uint8_t *layers;
    uint8_t *references;
    uint8_t *weights;

    make(&r);
    layers = copy(r.wire.layers, r.wire.layers_bytes);
    references = copy(r.wire.references, r.wire.references_bytes);
    weights = copy(r.wire.weights, r.wire.weights_bytes);
    r.wire.layers = layers;
    r.wire.references = references;
    r.wire.weights = weights;
    for (uint32_t round = 0; round < 6000; round++) {
        uint8_t *bytes[3] = {layers, references, weights};
        const size_t sizes[3] = {r.wire.layers_bytes, r.wire.references_bytes,
                                 r.wire.weights_bytes};
        const uint32_t which = round % 3;
        uint8_t *at =
            bytes[which] + test_random_below(&random, (uint32_t)sizes[which]);
        const uint8_t saved = *at;

        *at = (uint8_t)(round % 2 ? test_random_u64(&random)
                                  : saved ^ 1u << round / 6 % 8);
        test_context("round %u", round);
        refused += read_shape(&r, &shape) != SPN_OK;
        *at = saved;
    }
    CHECK(refused > 1000);
    CHECK_EQ(read_shape(&r, &shape), SPN_OK);
    free(layers);
    free(references);
    free(weights);
    unmake(&r);
}

TEST_MAIN(TEST(a_shape_comes_back), TEST(wrong_sizes_are_refused),
          TEST(damage_is_survived))
