/* test_lift_wire.c
 *
 * Goal: hierarchies, one-rings and indices are restored from their bytes. No
 *   bytes give a structure that the decoder must not use.
 * Method: the structures of a cloth are written and read. Bytes are flipped,
 *   cut off and random, and each result is validated.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/lift_cloth.h"

#include "base/endian.h"
#include "codec/lift/lift_formulas.h"
#include "compile/encode/lift/index_wire_write.h"
#include "compile/encode/lift/lift_wire_write.h"
#include "support/lift_validate.h"

/* The coder is included before the functions that code with it. */
#include "compile/encode/entropy/model_writer.h"

#include "codec/lift/number_coder.h"

#include <stdlib.h>
#include <string.h>

struct rig {
    struct arena arena;
    struct lift_rig cloth;
    const struct lift_hierarchy *hierarchy;
    const struct one_rings *rings;
    uint32_t *indices;
    uint16_t *members;
    uint8_t *run;
    struct one_ring_indices triangles;
    struct one_ring_part part;
    uint16_t *weld;
    uint8_t *bytes;
    size_t count;
    uint8_t *ring_bytes;
    size_t ring_count;
    /* the arrays read back */
    struct lift_arrays to;
    struct one_ring_arrays rings_to;
    struct wire_hierarchy *work;
    struct wire_one_rings *ring_work;
};

static uint8_t *copy(const uint8_t *bytes, size_t count)
{
    uint8_t *to = malloc(count);

    memcpy(to, bytes, count);
    return to;
}

/* The cloth's triangles, and the vertices that its seams are welded to. */
static void make_triangles(struct rig *r)
{
    const struct lift_rig_part *part = &r->cloth.parts[0];
    const uint32_t count = part->vertex_count;

    r->members = ARENA_NEW(&r->arena, uint16_t, count);
    for (uint32_t i = 0; i < count; i++)
        r->members[i] = (uint16_t)part->members[part->graph.order[i]];
    r->indices = ARENA_NEW(&r->arena, uint32_t, r->cloth.index_count);
    memcpy(r->indices, r->cloth.indices,
           r->cloth.index_count * sizeof *r->indices);
    r->run = (void *)r->indices;
    r->triangles = (struct one_ring_indices){.runs = &r->run,
                                             .bytes = 4,
                                             .per_run = UINT32_MAX,
                                             .count = r->cloth.index_count};
    r->weld = ARENA_NEW(&r->arena, uint16_t, count);
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t j = 0; j < LIFT_REFERENCES; j++)
            if (r->hierarchy->weights[LIFT_REFERENCES * v + j] != 0)
                r->weld[v] = r->hierarchy->references[LIFT_REFERENCES * v + j];
    r->part = (struct one_ring_part){.indices = &r->triangles,
                                     .range = {0, r->cloth.index_count / 3},
                                     .vertex_count = count,
                                     .members = r->members,
                                     .weld = r->weld,
                                     .weld_stride = 1,
                                     .weld_first = r->hierarchy->weld_first};
}

static void write_rings(struct rig *r)
{
    const struct wire_bytes wire =
        lift_wire_write_one_rings(r->rings, &r->part, &r->arena);

    free(r->ring_bytes);
    r->ring_bytes = copy(wire.bytes, wire.count);
    r->ring_count = wire.count;
}

static void make_by(struct rig *r, bool by_uvs)
{
    const struct lift_rig_part *part;
    struct wire_bytes wire;
    uint32_t count;
    uint32_t slots;

    arena_init(&r->arena);
    lift_cloth_make(&r->cloth, &r->arena, 16, 3);
    r->cloth.has_channel_weights = true;
    r->cloth.has_rings_by_uvs = by_uvs;
    lift_rig_encode(&r->cloth, 65536);
    lift_rig_use_one_rings(&r->cloth);
    part = &r->cloth.parts[0];
    r->hierarchy = &part->hierarchy;
    r->rings = part->rings;
    count = r->hierarchy->vertex_count;
    make_triangles(r);
    wire = lift_wire_write_hierarchy(r->hierarchy, r->members, &r->arena);
    r->bytes = copy(wire.bytes, wire.count);
    r->count = wire.count;
    r->ring_bytes = NULL;
    write_rings(r);
    r->to = (struct lift_arrays){
        .vertex_count = count,
        .layer_count = r->hierarchy->layer_count,
        .channel_weights =
            LIFT_CHANNEL_WEIGHTS_SPACE | LIFT_CHANNEL_WEIGHTS_TIME,
        .layers = malloc(spn__lift_layers_bytes(r->hierarchy->layer_count)),
        .references = malloc(spn__lift_references_bytes(count)),
        .weights = malloc(spn__lift_weights_bytes(
            count, LIFT_CHANNEL_WEIGHTS_SPACE | LIFT_CHANNEL_WEIGHTS_TIME)),
        .members = malloc(count * sizeof(uint16_t))};
    slots = r->rings->first_slot[one_ring_batch_count(count)];
    r->rings_to = (struct one_ring_arrays){
        .by_uvs = by_uvs,
        .slot_count = slots,
        .first = malloc((one_ring_batch_count(count) + 1) * sizeof(uint32_t)),
        .slots = malloc(slots * sizeof(struct one_ring_slot)),
        .vertex = malloc(one_ring_batch_count(count) * ONE_RING_LANES),
        .scale = malloc(3 * sizeof(uint16_t))};
    r->work = malloc(sizeof *r->work);
    r->ring_work = malloc(sizeof *r->ring_work);
}

static void make(struct rig *r)
{
    make_by(r, false);
}

static void rig_free(struct rig *r)
{
    free(r->bytes);
    free(r->ring_bytes);
    free(r->to.layers);
    free(r->to.references);
    free(r->to.weights);
    free(r->to.members);
    free(r->rings_to.first);
    free(r->rings_to.slots);
    free(r->rings_to.vertex);
    free(r->rings_to.scale);
    free(r->work);
    free(r->ring_work);
    arena_free(&r->arena);
}

static spn_status read_hierarchy(const struct rig *r, const uint8_t *bytes,
                                 size_t count, struct lift_hierarchy *hierarchy)
{
    struct spn_fault fault = {0};
    const spn_status status = spn__lift_wire_read_hierarchy(
        bytes, count, &r->to, r->work, hierarchy, &fault);

    CHECK(status != SPN_ERR_FORMAT || fault.what != NULL);
    if (status == SPN_OK) {
        CHECK_EQ(lift_validate(hierarchy, &fault), SPN_OK);
        for (uint32_t v = 0; v < r->to.vertex_count; v++)
            CHECK(r->to.members[v] < r->to.vertex_count);
    }
    return status;
}

static spn_status read_rings_of(const struct rig *r, const uint8_t *bytes,
                                size_t count, struct spn_fault *fault)
{
    struct one_ring_part part = r->part;

    part.range = (struct triangle_range){UINT32_MAX, UINT32_MAX};
    return spn__lift_wire_read_one_rings(bytes, count, NULL, &part,
                                         &r->rings_to, r->ring_work, fault);
}

static spn_status read_rings(const struct rig *r, const uint8_t *bytes,
                             size_t count)
{
    struct spn_fault fault = {0};
    const spn_status status = read_rings_of(r, bytes, count, &fault);
    struct one_rings hierarchy = {.vertex_count = r->part.vertex_count,
                                  .first_slot = r->rings_to.first,
                                  .slots = r->rings_to.slots,
                                  .vertex = r->rings_to.vertex,
                                  .by_uvs = r->rings_to.by_uvs};

    CHECK(status != SPN_ERR_FORMAT || fault.what != NULL);
    memcpy(hierarchy.scale, r->rings_to.scale, sizeof hierarchy.scale);
    if (status == SPN_OK)
        CHECK_EQ(one_rings_validate(&hierarchy, &fault), SPN_OK);
    return status;
}

/* Compare references in any order, without those of weight 0. */
static void check_vertex(const struct lift_hierarchy *a,
                         const struct lift_hierarchy *b, uint32_t v)
{
    const size_t at = LIFT_REFERENCES * (size_t)v;

    for (uint32_t j = 0; j < LIFT_REFERENCES; j++) {
        bool is_there = a->weights[at + j] == 0;

        for (uint32_t k = 0; k < LIFT_REFERENCES; k++)
            is_there =
                is_there || (b->weights[at + k] == a->weights[at + j] &&
                             b->references[at + k] == a->references[at + j] &&
                             b->channel_weights[0][at + k] ==
                                 a->channel_weights[0][at + j] &&
                             b->channel_weights[1][at + k] ==
                                 a->channel_weights[1][at + j]);
        test_context("vertex %u", v);
        CHECK(is_there);
    }
    /* Both align the signs of guesses in the same way. */
    CHECK_EQ_U(lift_sign_reference(a, v), lift_sign_reference(b, v));
}

static void a_hierarchy_is_restored(void)
{
    struct lift_hierarchy hierarchy;
    struct rig r;

    make(&r);
    CHECK_EQ(read_hierarchy(&r, r.bytes, r.count, &hierarchy), SPN_OK);
    CHECK_EQ_U(hierarchy.vertex_count, r.hierarchy->vertex_count);
    CHECK_EQ_U(hierarchy.layer_count, r.hierarchy->layer_count);
    CHECK_EQ_U(hierarchy.level_count, r.hierarchy->level_count);
    CHECK_EQ_U(hierarchy.weld_first, r.hierarchy->weld_first);
    for (uint32_t l = 0; l < hierarchy.layer_count; l++) {
        CHECK_EQ_U(hierarchy.layers[l].first, r.hierarchy->layers[l].first);
        CHECK_EQ_U(hierarchy.layers[l].level, r.hierarchy->layers[l].level);
    }
    for (uint32_t v = 0; v < hierarchy.vertex_count; v++) {
        CHECK_EQ_U(r.to.members[v], r.members[v]);
        check_vertex(r.hierarchy, &hierarchy, v);
        check_vertex(&hierarchy, r.hierarchy, v);
    }
    rig_free(&r);
}

static void check_rings(struct rig *r)
{
    const uint32_t batches = one_ring_batch_count(r->rings->vertex_count);

    CHECK_EQ(read_rings(r, r->ring_bytes, r->ring_count), SPN_OK);
    CHECK_MEM(r->rings_to.first, r->rings->first_slot,
              (batches + 1) * sizeof(uint32_t));
    CHECK_MEM(r->rings_to.slots, r->rings->slots,
              r->rings->first_slot[batches] * sizeof(struct one_ring_slot));
    CHECK_MEM(r->rings_to.vertex, r->rings->vertex, batches * ONE_RING_LANES);
    CHECK_MEM(r->rings_to.scale, r->rings->scale, sizeof r->rings->scale);
}

static void rings_are_restored(void)
{
    struct rig r;

    make(&r);
    check_rings(&r);
    rig_free(&r);
}

/* Negate the sign for the vertices of every fifth block. */
static void negate_some_signs(struct rig *r, struct one_rings *rings)
{
    const uint32_t batches = one_ring_batch_count(r->rings->vertex_count);
    const uint32_t count = r->rings->first_slot[batches];
    struct one_ring_slot *slots =
        ARENA_NEW(&r->arena, struct one_ring_slot, count);

    memcpy(slots, r->rings->slots, count * sizeof *slots);
    for (uint32_t b = 0; b < batches; b += 5)
        for (uint32_t i = 0; i < ONE_RING_LANES; i++)
            slots[r->rings->first_slot[b]].neighbour_weight[i] *= -1;
    *rings = *r->rings;
    rings->slots = slots;
    r->rings = rings;
    write_rings(r);
}

/* Signs need few bits. This also holds with the signs of some vertices
 * negated. */
static void rings_by_uvs_are_restored(void)
{
    struct one_rings mirrored;
    struct rig r;
    size_t plain;

    make(&r);
    plain = r.ring_count;
    rig_free(&r);
    make_by(&r, true);
    CHECK(r.ring_count < plain * 3 / 4);
    check_rings(&r);
    negate_some_signs(&r, &mirrored);
    check_rings(&r);
    rig_free(&r);
}

/* One-rings have the given lengths. `vertex` lists the vertex at each lane. */
static void windows_are_dealt_by_length(void)
{
    static const uint8_t lengths[11] = {6, 5, 6, 0, 7, 5, 6, 6, 6, 3, 6};
    static const uint8_t vertex[16] = {3, 11, 12, 13, 14, 15, 9,  1,
                                       5, 0,  2,  6,  7,  8,  10, 4};
    struct one_ring_window *window = calloc(1, sizeof *window);
    uint32_t first[11] = {0, 0, 0, 0, 0, 0, 0, 0, 10};
    struct one_ring_slot slots[22];
    uint8_t lanes[ONE_RING_WINDOW + 16];
    struct one_ring_arrays to = {
        .first = first, .slots = slots, .vertex = lanes};

    for (uint32_t i = 0; i < sizeof lengths; i++) {
        window->ring[i].count = lengths[i];
        for (uint32_t k = 0; k < lengths[i]; k++) {
            window->ring[i].vertex[k] = (uint16_t)(100 * i + k);
            window->sector_weights[i][k] = (int8_t)(10 * i + k);
            window->neighbour_weights[i][k] = (int8_t)(-10 * (int)i - (int)k);
        }
    }
    to.slot_count = 21;
    CHECK(!spn__one_rings_pack(window, ONE_RING_WINDOW, sizeof lengths, &to));
    to.slot_count = 22;
    CHECK(spn__one_rings_pack(window, ONE_RING_WINDOW, sizeof lengths, &to));
    CHECK_MEM(lanes + ONE_RING_WINDOW, vertex, sizeof vertex);
    CHECK_EQ_U(first[9], 15);
    CHECK_EQ_U(first[10], 22);
    /* A complete one-ring, one that is shorter than its block, and an empty
     * one. */
    CHECK_EQ_U(slots[21].neighbour[7], 406);
    CHECK_EQ(slots[21].sector_weight[7], 46);
    CHECK_EQ(slots[21].neighbour_weight[7], -46);
    CHECK_EQ_U(slots[14].neighbour[6], 902);
    CHECK_EQ(slots[12].sector_weight[6], 92);
    CHECK_EQ(slots[13].sector_weight[6], 0);
    CHECK_EQ(slots[13].neighbour_weight[6], 0);
    CHECK_EQ_U(slots[10].neighbour[0], 0);
    CHECK_EQ(slots[10].neighbour_weight[0], 0);
    free(window);
}

/* The refusal comes before any array is written. */
static void check_counts(const struct rig *r)
{
    struct spn_fault fault = {0};
    struct lift_hierarchy hierarchy;

    CHECK_EQ(spn__lift_wire_read_hierarchy(r->bytes, r->count, &r->to, r->work,
                                           &hierarchy, &fault),
             SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "hierarchy of a tile");
}

static void wrong_counts_are_refused(void)
{
    struct lift_hierarchy hierarchy;
    struct rig r;
    uint32_t count;

    make(&r);
    count = r.to.vertex_count;
    r.to.vertex_count = 0;
    CHECK_EQ(read_hierarchy(&r, r.bytes, r.count, &hierarchy), SPN_ERR_FORMAT);
    r.to.vertex_count = count - 1;
    CHECK_EQ(read_hierarchy(&r, r.bytes, r.count, &hierarchy), SPN_ERR_FORMAT);
    r.to.vertex_count = count;
    r.to.layer_count--;
    CHECK_EQ(read_hierarchy(&r, r.bytes, r.count, &hierarchy), SPN_ERR_FORMAT);
    r.to.layer_count = 0;
    CHECK_EQ(read_hierarchy(&r, r.bytes, r.count, &hierarchy), SPN_ERR_FORMAT);
    count = r.hierarchy->layer_count;
    r.to.layer_count = r.to.vertex_count + 1;
    check_counts(&r);
    r.to.vertex_count = LIFT_WIRE_VERTICES_MAX + 1;
    r.to.layer_count = count;
    check_counts(&r);
    r.rings_to.slot_count--;
    CHECK_EQ(read_rings(&r, r.ring_bytes, r.ring_count), SPN_ERR_FORMAT);
    r.rings_to.slot_count = 0;
    CHECK_EQ(read_rings(&r, r.ring_bytes, r.ring_count), SPN_ERR_FORMAT);
    rig_free(&r);
}

static void truncations_and_more_are_refused_by(bool by_uvs)
{
    struct lift_hierarchy hierarchy;
    struct rig r;
    uint8_t *bytes;

    make_by(&r, by_uvs);
    for (size_t count = 0; count < r.count; count++) {
        bytes = copy(r.bytes, count);
        test_context("%zu of %zu bytes", count, r.count);
        CHECK_EQ(read_hierarchy(&r, bytes, count, &hierarchy), SPN_ERR_FORMAT);
        free(bytes);
    }
    for (size_t count = 0; count < r.ring_count; count++) {
        bytes = copy(r.ring_bytes, count);
        test_context("%zu of %zu bytes of rings", count, r.ring_count);
        CHECK_EQ(read_rings(&r, bytes, count), SPN_ERR_FORMAT);
        free(bytes);
    }
    bytes = malloc(r.count + 1);
    memcpy(bytes, r.bytes, r.count);
    bytes[r.count] = 0;
    CHECK_EQ(read_hierarchy(&r, bytes, r.count + 1, &hierarchy),
             SPN_ERR_FORMAT);
    free(bytes);
    rig_free(&r);
}

static void truncations_and_extra_bytes_are_refused(void)
{
    truncations_and_more_are_refused_by(false);
    truncations_and_more_are_refused_by(true);
}

/* read_hierarchy validates the result of damaged bytes. */
static void damage_is_survived_by(bool by_uvs)
{
    struct test_random random = {1};
    struct lift_hierarchy hierarchy;
    uint32_t refused = 0;
    struct rig r;

    make_by(&r, by_uvs);
    for (uint32_t round = 0; round < 6000; round++) {
        uint8_t *bytes = round % 2 ? r.ring_bytes : r.bytes;
        const size_t count = round % 2 ? r.ring_count : r.count;
        uint8_t *at = bytes + test_random_below(&random, (uint32_t)count);
        const uint8_t saved = *at;

        *at = (uint8_t)(round % 4 < 2 ? test_random_u64(&random)
                                      : saved ^ 1u << round / 4 % 8);
        test_context("round %u", round);
        refused += (round % 2 ? read_rings(&r, bytes, count)
                              : read_hierarchy(&r, bytes, count, &hierarchy)) !=
                   SPN_OK;
        *at = saved;
    }
    CHECK(refused > 2000);
    for (uint32_t round = 0; round < 2000; round++) {
        uint8_t noise[256];

        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (uint8_t)test_random_u64(&random);
        noise[0] = 0;
        (void)read_hierarchy(&r, noise, sizeof noise, &hierarchy);
        (void)read_rings(&r, noise, sizeof noise);
    }
    CHECK_EQ(read_hierarchy(&r, r.bytes, r.count, &hierarchy), SPN_OK);
    rig_free(&r);
}

static void damage_is_survived(void)
{
    damage_is_survived_by(false);
    damage_is_survived_by(true);
}

/* Of one-rings: the range of their triangles, and the scales. */
static void encode_head(struct range_encoder *e, uint32_t first, uint32_t count)
{
    struct number_model range;

    number_models_reset(&range, sizeof range);
    (void)code_number(e, &range, first);
    (void)code_number(e, &range, count);
    for (int i = 0; i < 3; i++)
        range_encode_even(e, 16, 0);
}

static void check_range(const struct rig *r, uint32_t first, uint32_t count,
                        const char *what, uint32_t value)
{
    struct arena arena;
    struct range_encoder e;
    struct spn_fault fault = {0};

    arena_init(&arena);
    range_encoder_begin(&e, &arena);
    encode_head(&e, first, count);
    range_encoder_end(&e);
    test_context("%u triangles from %u on", count, first);
    CHECK_EQ(read_rings_of(r, e.bytes, e.count, &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, what);
    if (value > 0)
        CHECK_EQ_U(fault.value, value);
    arena_free(&arena);
}

/* No triangle is read before the range is validated. */
static void ranges_of_triangles_are_validated(void)
{
    const char *first = "first triangle of a part";
    const char *count = "triangles of a part";
    uint32_t triangles;
    uint32_t most;
    struct rig r;

    make(&r);
    triangles = r.triangles.count / 3;
    check_range(&r, triangles + 1, 0, first, triangles + 1);
    check_range(&r, UINT32_MAX, 0, first, UINT32_MAX);
    check_range(&r, UINT32_MAX, 2, first, UINT32_MAX);
    check_range(&r, 0, triangles + 1, count, triangles + 1);
    check_range(&r, 1, triangles, count, triangles);
    check_range(&r, triangles, UINT32_MAX, count, UINT32_MAX);
    check_range(&r, triangles, 0, "rings of a tile", 0);
    /* The mesh has many more triangles than the part may examine. */
    most = triangle_range_max(r.part.vertex_count);
    r.triangles.count = UINT32_MAX;
    check_range(&r, 0, most + 1, count, most + 1);
    rig_free(&r);
}

/* Write the first weight of a one-ring as its difference to the largest weight
 * 64, and read it. */
static spn_status read_first_weight(const struct rig *r, uint32_t weight)
{
    struct number_model number;
    struct range_encoder e;
    struct spn_fault fault = {0};
    spn_status status;
    struct arena arena;

    arena_init(&arena);
    number_models_reset(&number, sizeof number);
    range_encoder_begin(&e, &arena);
    encode_head(&e, 0, r->part.range.count);
    range_encode_even(&e, 7, 64);
    (void)code_near(&e, &number, 64, weight);
    range_encoder_end(&e);
    status = read_rings_of(r, e.bytes, e.count, &fault);
    CHECK_STR(fault.what, "rings of a tile");
    /* the fault's value is the vertex, not the end of the bytes */
    CHECK_EQ_U(fault.value, 0);
    arena_free(&arena);
    return status;
}

/* Numbers of 32 bits are coded, but weights have 8. The sums wrap around. */
static void weights_beyond_bytes_are_refused(void)
{
    static const uint32_t weights[] = {128, UINT32_MAX - 127, INT32_MAX,
                                       0x80000000u, 0x80000040u};
    struct rig r;

    make(&r);
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        test_context("weight %x", weights[i]);
        CHECK_EQ(read_first_weight(&r, weights[i]), SPN_ERR_FORMAT);
    }
    rig_free(&r);
}

/* -- indices -- */

static spn_status read_indices(const uint8_t *bytes, size_t bytes_count,
                               uint32_t width, uint32_t count, void *out)
{
    struct wire_indices work;
    struct spn_fault fault = {0};
    const spn_status status = spn__index_wire_read(bytes, bytes_count, width,
                                                   count, out, &work, &fault);

    CHECK(status == SPN_OK || fault.what != NULL);
    return status;
}

/* The cloth's indices, numbered by first use as in caches. */
static void indices_are_restored(void)
{
    for (uint32_t width = 2; width <= 4; width += 2) {
        struct wire_bytes wire;
        uint8_t *indices;
        uint8_t *out;
        struct rig r;
        size_t bytes;

        make(&r);
        bytes = (size_t)r.cloth.index_count * width;
        indices = malloc(bytes);
        out = malloc(bytes);
        for (uint32_t i = 0; i < r.cloth.index_count; i++)
            for (uint32_t k = 0; k < width; k++)
                indices[width * i + k] =
                    (uint8_t)(r.cloth.indices[i] >> (8 * k));
        wire = index_wire_write(indices, width, r.cloth.index_count, &r.arena);
        CHECK(wire.count > 0 && wire.count < bytes / 4);
        CHECK_EQ(read_indices(wire.bytes, wire.count, width,
                              r.cloth.index_count, out),
                 SPN_OK);
        for (uint32_t i = 0; i < r.cloth.index_count; i++)
            CHECK_EQ_U(width == 2 ? ((uint16_t *)(void *)out)[i]
                                  : ((uint32_t *)(void *)out)[i],
                       r.cloth.indices[i]);
        for (size_t count = 0; count < wire.count; count++) {
            uint8_t *cut = copy(wire.bytes, count);

            test_context("%zu of %zu bytes", count, wire.count);
            CHECK_EQ(read_indices(cut, count, width, r.cloth.index_count, out),
                     SPN_ERR_FORMAT);
            free(cut);
        }
        free(indices);
        free(out);
        rig_free(&r);
    }
}

/* Random triangles, and random bytes. */
static void random_indices_are_restored(void)
{
    struct test_random random = {4};
    struct arena arena;

    arena_init(&arena);
    for (uint32_t round = 0; round < 300; round++) {
        const uint32_t width = round % 2 ? 2 : 4;
        const uint32_t limit = round % 3 == 0 ? 8
                               : width == 2   ? 65535
                                              : 1 << 22;
        uint8_t indices[90 * 4];
        uint32_t out[90];
        uint8_t noise[64];
        struct wire_bytes wire;

        for (uint32_t i = 0; i < 90; i++) {
            const uint32_t index = test_random_below(&random, limit);

            for (uint32_t k = 0; k < width; k++)
                indices[width * i + k] = (uint8_t)(index >> (8 * k));
        }
        wire = index_wire_write(indices, width, 90, &arena);
        test_context("round %u", round);
        CHECK_EQ(read_indices(wire.bytes, wire.count, width, 90, out), SPN_OK);
        for (uint32_t i = 0; i < 90; i++)
            CHECK_EQ_U(width == 2 ? ((uint16_t *)(void *)out)[i] : out[i],
                       width == 2 ? spn_load_u16le(indices + 2 * i)
                                  : spn_load_u32le(indices + 4 * i));
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (uint8_t)(i ? test_random_u64(&random) : 0);
        (void)read_indices(noise, sizeof noise, width, 90, out);
    }
    arena_free(&arena);
}

/* The first vertex may have any 32-bit number, and so may a later vertex far
 * from it. The largest number is not a valid index. */
static void distant_indices_are_restored(void)
{
    static const uint32_t far[] = {0x80000000u, 0,           0x7fffffffu,
                                   0xfffffffeu, 0x10000000u, 1};
    uint8_t indices[sizeof far];
    uint32_t out[6] = {0};
    struct wire_bytes wire;
    struct arena arena;

    arena_init(&arena);
    for (uint32_t i = 0; i < 6; i++)
        spn_store_u32le(indices + 4 * i, far[i]);
    wire = index_wire_write(indices, 4, 6, &arena);
    CHECK_EQ(read_indices(wire.bytes, wire.count, 4, 6, out), SPN_OK);
    CHECK_MEM(out, far, sizeof far);
    spn_store_u32le(indices + 8, UINT32_MAX);
    wire = index_wire_write(indices, 4, 6, &arena);
    CHECK_EQ(read_indices(wire.bytes, wire.count, 4, 6, out), SPN_ERR_FORMAT);
    arena_free(&arena);
}

/* A byte that waits for a carry receives it through any number of bytes of
 * 255. */
static void random_bits_are_restored(void)
{
    struct test_random random = {3};

    for (uint32_t round = 0; round < 200; round++) {
        struct chance to[4];
        struct chance from[4];
        struct range_encoder encoder;
        struct range_decoder decoder;
        struct test_random again = random;
        struct arena arena;
        const uint32_t skew = 1 + round % 40;

        arena_init(&arena);
        chance_reset(to, 4);
        chance_reset(from, 4);
        range_encoder_begin(&encoder, &arena);
        for (uint32_t i = 0; i < 3000; i++) {
            const uint32_t bit = test_random_below(&random, skew) == 0;

            range_encode_bit(&encoder, &to[i % 4], bit);
            range_encode_even(&encoder, i % 7, i);
        }
        range_encoder_end(&encoder);
        range_decoder_begin(&decoder, encoder.bytes, encoder.count);
        for (uint32_t i = 0; i < 3000; i++) {
            const uint32_t bit = test_random_below(&again, skew) == 0;

            CHECK_EQ_U(range_decode_bit(&decoder, &from[i % 4]), bit);
            CHECK_EQ_U(range_decode_even(&decoder, i % 7),
                       i & ((1u << i % 7) - 1));
        }
        CHECK(range_decoder_is_used_up(&decoder));
        arena_free(&arena);
    }
}

/* A source that returns a few bytes at a time. */
struct pieces_of_bytes {
    const uint8_t *at;
    const uint8_t *end;
    uint32_t bytes; /* bytes of each piece; the first piece is empty */
    bool is_begun;
};

static const uint8_t *next_piece(void *user, uint32_t *bytes)
{
    struct pieces_of_bytes *c = user;
    const uint8_t *piece = c->at;
    const size_t left = (size_t)(c->end - c->at);

    if (left == 0)
        return NULL;
    *bytes = c->bytes < left ? c->bytes : (uint32_t)left;
    if (!c->is_begun)
        *bytes = 0;
    c->is_begun = true;
    c->at += *bytes;
    return piece;
}

static spn_status read_rings_in_pieces(const struct rig *r,
                                       const uint8_t *bytes, size_t whole,
                                       size_t count, uint32_t piece_bytes)
{
    struct pieces_of_bytes pieces_of_bytes = {bytes + whole, bytes + count,
                                              piece_bytes, false};
    const struct range_source more = {next_piece, &pieces_of_bytes};
    struct one_ring_part part = r->part;
    struct spn_fault fault = {0};

    part.range = (struct triangle_range){UINT32_MAX, UINT32_MAX};
    return spn__lift_wire_read_one_rings(bytes, whole, &more, &part,
                                         &r->rings_to, r->ring_work, &fault);
}

static void rings_in_pieces_are_the_same(void)
{
    static const uint32_t pieces[] = {1, 2, 7, 4096, UINT32_MAX};
    struct rig r;

    make(&r);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        for (size_t whole = 0; whole <= r.ring_count;
             whole += r.ring_count / 2) {
            const size_t slots =
                r.rings
                    ->first_slot[one_ring_batch_count(r.rings->vertex_count)] *
                sizeof(struct one_ring_slot);
            uint8_t *bytes = malloc(r.ring_count + 1);

            memcpy(bytes, r.ring_bytes, r.ring_count);
            bytes[r.ring_count] = 0;
            memset(r.rings_to.slots, 0xee, slots);
            CHECK_EQ(
                read_rings_in_pieces(&r, bytes, whole, r.ring_count, pieces[i]),
                SPN_OK);
            CHECK_MEM(r.rings_to.slots, r.rings->slots, slots);
            /* One extra byte, which is not read, lies in a piece of its own. */
            CHECK_EQ(read_rings_in_pieces(&r, bytes, whole, r.ring_count + 1,
                                          pieces[i]),
                     SPN_ERR_FORMAT);
            free(bytes);
            if (r.ring_count < 2)
                break;
        }
    rig_free(&r);
}

TEST_MAIN(TEST(random_bits_are_restored), TEST(rings_in_pieces_are_the_same),
          TEST(indices_are_restored), TEST(random_indices_are_restored),
          TEST(distant_indices_are_restored),
          TEST(ranges_of_triangles_are_validated),
          TEST(weights_beyond_bytes_are_refused), TEST(a_hierarchy_is_restored),
          TEST(rings_are_restored), TEST(rings_by_uvs_are_restored),
          TEST(windows_are_dealt_by_length), TEST(wrong_counts_are_refused),
          TEST(truncations_and_extra_bytes_are_refused),
          TEST(damage_is_survived))
