/* test_lift_model.c
 *
 * Goal: payloads that no encoder writes are read as the format states, or
 *   refused at the place of the error.
 * Method: hierarchies and one-rings made by hand, written bit by bit as the
 *   format's text states: weights that leave their range, welds in a hierarchy
 *   of one layer, a one-ring with more neighbours than the table of waves
 *   covers.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <string.h>

/* The coder comes before the models, which call it. */
#include "compile/encode/entropy/model_writer.h"

#include "base/checksum.h"
#include "codec/lift/lift_model.h"
#include "codec/lift/one_ring_model.h"
#include "support/lift_validate.h"

#define VERTICES_MAX 16u
#define NUMBERS (LIFT_REFERENCES * (VERTICES_MAX + LIFT_PADDING))

/* The arrays of a hierarchy that a reader fills or a writer has. */
struct arrays {
    struct lift_layer layers[VERTICES_MAX + 1];
    uint16_t references[NUMBERS];
    int8_t weights[3 * NUMBERS]; /* all sets of weights */
    int8_t channel[NUMBERS];
    uint16_t members[VERTICES_MAX];
};

static struct arrays written;
static struct arrays read_back;
static struct wire_hierarchy writer;
static struct wire_hierarchy reader;

/* Make vertices in layer 0, and one vertex in layer 1. It refers to the first
 * `count` vertices with these weights. The last weight follows from the
 * others. */
static void make_shape(uint32_t vertex_count, uint32_t count,
                       const int8_t weights[3])
{
    const uint32_t last = vertex_count - 1;

    memset(&written, 0, sizeof written);
    memset(&writer, 0, sizeof writer);
    spn__wire_hierarchy_begin(&writer);
    writer.vertex_count = vertex_count;
    writer.layer_count = count > 0 ? 2 : 1;
    writer.level_count = 1;
    writer.layers = written.layers;
    writer.references = written.references;
    writer.weights[0] = written.weights;
    writer.member = written.members;
    for (uint32_t v = 0; v < vertex_count; v++)
        written.members[v] = (uint16_t)v;
    if (count == 0)
        return;
    writer.layer_of[last] = 1;
    writer.count[last] = (uint8_t)count;
    for (uint32_t j = 0; j < count; j++)
        written.references[LIFT_REFERENCES * last + j] = (uint16_t)j;
    memcpy(written.weights + LIFT_REFERENCES * last, weights, 3);
}

/* Write the hierarchy without validation, and read it back. */
static spn_status read_hierarchy(struct lift_hierarchy *hierarchy,
                                 struct spn_fault *fault)
{
    struct lift_arrays to = {
        .vertex_count = writer.vertex_count,
        .layer_count = writer.layer_count,
        .channel_weights =
            (writer.weights[1] ? LIFT_CHANNEL_WEIGHTS_SPACE : 0u) |
            (writer.weights[2] ? LIFT_CHANNEL_WEIGHTS_TIME : 0u),
        .layers = read_back.layers,
        .references = read_back.references,
        .weights = read_back.weights,
        .members = read_back.members};
    struct range_encoder encoder;
    struct arena arena;
    spn_status status;

    arena_init(&arena);
    range_encoder_begin(&encoder, &arena);
    (void)code_hierarchy(&encoder, &writer);
    range_encoder_end(&encoder);
    status = spn__lift_wire_read_hierarchy(encoder.bytes, encoder.count, &to,
                                           &reader, hierarchy, fault);
    arena_free(&arena);
    return status;
}

static void weights_beyond_a_byte_are_refused(void)
{
    static const struct {
        int8_t weights[3];
        int32_t rest;
    } made[] = {{{127, 64, 0}, -127},    {{127, 65, 0}, -128},
                {{127, 127, 127}, -317}, {{-63, 0, 0}, 127},
                {{-64, 0, 0}, 128},      {{-127, -127, -127}, 445}};

    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        struct spn_fault fault = {0};
        struct lift_hierarchy hierarchy;
        const bool is_good = made[i].rest >= -127 && made[i].rest <= 127;

        make_shape(5, 4, made[i].weights);
        test_context("the rest is %d", (int)made[i].rest);
        CHECK_EQ(read_hierarchy(&hierarchy, &fault),
                 is_good ? SPN_OK : SPN_ERR_FORMAT);
        if (is_good)
            CHECK_EQ(hierarchy.weights[LIFT_REFERENCES * 4 + 3], made[i].rest);
        else
            CHECK_STR(fault.what, "hierarchy of a tile");
    }
}

/* Channel weights are coded as differences to the general weights, and those in
 * time in steps of two. A value beyond a byte is refused, and so is a step
 * beyond its limits. */
static void channel_weights_stay_in_bytes(void)
{
    static const struct {
        int8_t base;
        int8_t channel;
    } made[] = {{60, 126}, {60, -126}, {0, 6}};
    const int8_t equal[3] = {16, 16, 16};

    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        for (int k = 1; k <= 2; k++) {
            const int8_t weights[3] = {made[i].base, equal[1], equal[2]};
            const size_t at = LIFT_REFERENCES * 4;
            struct spn_fault fault = {0};
            struct lift_hierarchy hierarchy;

            make_shape(5, 4, weights);
            writer.weights[k] = written.channel;
            written.channel[at] = made[i].channel;
            test_context("%d by %d, kind %d", made[i].channel, made[i].base, k);
            CHECK_EQ(read_hierarchy(&hierarchy, &fault), SPN_OK);
            CHECK(hierarchy.channel_weights[k - 1] != NULL &&
                  hierarchy.channel_weights[2 - k] == NULL);
            /* Without a general weight there is no channel weight. */
            CHECK_EQ(hierarchy.channel_weights[k - 1][at],
                     made[i].base ? made[i].channel : 0);
            CHECK_EQ(lift_validate(&hierarchy, &fault), SPN_OK);
        }
}

/* A weight of 128. The writer can code it relative to a wrong base, which the
 * reader does not have. */
static void channel_weights_beyond_bytes_are_refused(void)
{
    const int8_t weights[3] = {64, 0, 0};

    for (int k = 1; k <= 2; k++) {
        struct spn_fault fault = {0};
        struct lift_hierarchy hierarchy;

        make_shape(2, 1, weights);
        writer.weights[k] = written.channel;
        written.channel[LIFT_REFERENCES] = -128;
        CHECK_EQ(read_hierarchy(&hierarchy, &fault), SPN_ERR_FORMAT);
        CHECK_STR(fault.what, "hierarchy of a tile");
    }
}

/* Welded vertices follow others. A hierarchy of one layer has none, for either
 * value of the bit. */
static void one_layer_has_no_welds(void)
{
    struct spn_fault fault = {0};
    struct lift_hierarchy hierarchy;

    for (int has_welds = 0; has_welds < 2; has_welds++) {
        make_shape(3, 0, NULL);
        writer.has_welds = has_welds != 0;
        CHECK_EQ(read_hierarchy(&hierarchy, &fault), SPN_OK);
        CHECK_EQ_U(hierarchy.weld_first, 3);
        CHECK_EQ_U(hierarchy.layers[1].level, 3);
    }
}

/* -- rings -- */

#define RIM 14u
#define FAN (RIM + 1)

/* A fan, whose triangles all have vertex 0. */
static uint32_t corners[3 * RIM];
static uint8_t *runs[1] = {(uint8_t *)corners};
static const struct one_ring_indices triangles = {
    .runs = runs, .bytes = 4, .per_run = 3 * RIM, .count = 3 * RIM};
static const struct one_ring_part fan = {.indices = &triangles,
                                         .range = {0, RIM},
                                         .vertex_count = FAN,
                                         .weld_first = FAN};
static struct wire_one_rings rings;

/* The one-rings of all vertices have the predicted weights, except for the
 * first two values of `neighbour_weights`, so that the payload is short. */
static void write_fan(struct range_encoder *encoder,
                      int8_t neighbour_weights[RIM])
{
    struct triangle_range range = fan.range;
    uint16_t scale[3] = {1, 2, 3};

    for (uint32_t i = 0; i < RIM; i++) {
        corners[3 * i] = 0;
        corners[3 * i + 1] = 1 + i;
        corners[3 * i + 2] = 1 + (i + 1) % RIM;
    }
    spn__wire_one_rings_begin(&rings, false);
    spn__one_ring_corners_find(&fan, &rings.corners);
    rings.weight_max = 100;
    code_one_rings_head(encoder, &rings, &range, scale);
    for (uint32_t v = 0; v < FAN; v++) {
        int8_t sector_weights[ONE_RING_SLOTS_MAX] = {0};
        int8_t none[ONE_RING_SLOTS_MAX] = {0};
        struct one_ring ring;

        spn__one_ring_walk(&rings.corners, v, &ring);
        for (uint32_t k = 0; k < ring.count; k++)
            sector_weights[k] = (int8_t)rings.weight_max;
        CHECK(code_one_ring(encoder, &rings, &ring, sector_weights,
                            v ? none : neighbour_weights));
    }
}

static void rings_of_many_neighbours_are_restored(void)
{
    struct one_ring_slot slots[3 + RIM];
    uint32_t first[3];
    uint8_t vertex[2 * ONE_RING_LANES];
    uint16_t scale[3];
    const struct one_ring_arrays to = {.slot_count = 3 + RIM,
                                       .first = first,
                                       .slots = slots,
                                       .vertex = vertex,
                                       .scale = scale};
    struct one_ring_part part = fan;
    struct spn_fault fault = {0};
    int8_t neighbour_weights[ONE_RING_SLOTS_MAX] = {100, 91};
    struct range_encoder encoder;
    struct arena arena;

    /* A wave with a factor of 58/32, as one-rings longer than the table
     * have. */
    for (uint32_t k = 2; k < RIM; k++)
        neighbour_weights[k] = (int8_t)((58 * neighbour_weights[k - 1] -
                                         32 * neighbour_weights[k - 2]) /
                                        32);
    arena_init(&arena);
    range_encoder_begin(&encoder, &arena);
    write_fan(&encoder, neighbour_weights);
    range_encoder_end(&encoder);
    CHECK_EQ_U(encoder.count, 24);
    CHECK_EQ_U(spn__checksum(encoder.bytes, encoder.count, 0), 0x4f5a12b6u);
    CHECK_EQ(spn__lift_wire_read_one_rings(encoder.bytes, encoder.count, NULL,
                                           &part, &to, &rings, &fault),
             SPN_OK);
    /* The longest one-ring is in the last lane. */
    CHECK_EQ_U(vertex[2 * ONE_RING_LANES - 1], 0);
    for (uint32_t k = 0; k < RIM; k++) {
        CHECK_EQ_U(slots[3 + k].neighbour[ONE_RING_LANES - 1], 1 + k);
        CHECK_EQ(slots[3 + k].sector_weight[ONE_RING_LANES - 1], 100);
        CHECK_EQ(slots[3 + k].neighbour_weight[ONE_RING_LANES - 1],
                 neighbour_weights[k]);
    }
    arena_free(&arena);
}

TEST_MAIN(TEST(weights_beyond_a_byte_are_refused),
          TEST(channel_weights_stay_in_bytes),
          TEST(channel_weights_beyond_bytes_are_refused),
          TEST(one_layer_has_no_welds),
          TEST(rings_of_many_neighbours_are_restored))
