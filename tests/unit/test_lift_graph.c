/* test_lift_graph.c
 *
 * Goal: every part becomes a hierarchy of layers that validation accepts, for
 *   any triangles. Trained weights predict the values that they were trained
 *   on.
 * Method: grids, odd meshes and an empty one; properties of the order; values
 *   that are exact mixtures of their references; the frames of a pyramid.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/lift_cloth.h"

#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "support/lift_validate.h"
#include "support/pyramid_order.h"

#include <stdlib.h>
#include <string.h>

struct made {
    struct arena arena;
    struct lift_graph graph;
    struct lift_hierarchy hierarchy;
};

/* Make the layers of a part with equal weights, and check their rules. */
static void make(struct made *made, const struct lift_part *part)
{
    struct lift_training training;
    struct spn_fault fault = {0};
    uint8_t *is_placed = calloc(part->vertex_count, 1);

    arena_init(&made->arena);
    lift_graph_make(part, &made->arena, &made->graph);
    lift_training_begin(&training, &made->graph, &made->arena);
    lift_training_finish(&training, &made->arena, &made->hierarchy);
    CHECK_EQ(lift_validate(&made->hierarchy, &fault), SPN_OK);
    CHECK_EQ_U(made->graph.vertex_count, part->vertex_count);
    for (uint32_t i = 0; i < part->vertex_count; i++) {
        CHECK(made->graph.order[i] < part->vertex_count);
        CHECK(!is_placed[made->graph.order[i]]);
        is_placed[made->graph.order[i]] = 1;
    }
    free(is_placed);
}

static uint32_t *no_welds(uint32_t count)
{
    uint32_t *weld = calloc(count, sizeof *weld);

    for (uint32_t v = 0; v < count; v++)
        weld[v] = v;
    return weld;
}

static uint16_t *places(uint32_t count)
{
    uint16_t *positions = calloc(3 * (size_t)count, sizeof *positions);

    for (uint32_t v = 0; v < count; v++) {
        positions[3 * v] = (uint16_t)(v % 91 * 700);
        positions[3 * v + 1] = (uint16_t)(v / 91 * 650);
        positions[3 * v + 2] = (uint16_t)(v * 7 % 256);
    }
    return positions;
}

static void check_part(uint32_t vertex_count, const uint32_t *indices,
                       uint32_t index_count)
{
    uint32_t *weld = no_welds(vertex_count);
    uint16_t *positions = places(vertex_count);
    const struct lift_part part = {vertex_count, index_count, indices,
                                   weld,         positions,   false};
    struct made made;

    make(&made, &part);
    arena_free(&made.arena);
    free(positions);
    free(weld);
}

static void odd_meshes_have_layers(void)
{
    struct test_random random = {1};
    uint32_t indices[3 * 400];

    check_part(1, NULL, 0);
    check_part(5000, NULL, 0);
    /* triangles of a fan around vertex 0 */
    for (uint32_t i = 0; i < 400; i++) {
        indices[3 * i] = 0;
        indices[3 * i + 1] = i + 1;
        indices[3 * i + 2] = i + 2;
    }
    check_part(500, indices, 3 * 400);
    /* random triangles, some of them degenerate */
    for (uint32_t i = 0; i < 3 * 400; i++)
        indices[i] = test_random_below(&random, 150);
    check_part(150, indices, 3 * 400);
    for (uint32_t i = 0; i < 3 * 400; i++) /* many different neighbours */
        indices[i] = i % 3 == 0 ? i / 3 % 17 : i % 3 == 1 ? i / 51 : i % 16;
    check_part(40, indices, 3 * 400);
    for (uint32_t i = 0; i < 3 * 400; i++) /* all corners at one vertex */
        indices[i] = 3;
    check_part(4, indices, 3 * 400);
    check_part(65536, indices, 3 * 400);
}

static void welded_vertices_are_last_and_equal_their_twin(void)
{
    struct lift_rig rig;
    struct arena arena;
    const struct lift_rig_part *part;
    uint32_t last;

    arena_init(&arena);
    lift_cloth_make(&rig, &arena, 20, 3);
    lift_rig_encode(&rig, 65536);
    part = rig.parts;
    last = part->hierarchy.layers[part->hierarchy.layer_count - 1].first;
    CHECK_EQ_U(part->vertex_count - last, 20u);
    for (uint32_t v = last; v < part->vertex_count; v++) {
        const uint16_t twin = part->hierarchy.references[4 * v + 3];
        int32_t weight = 0;

        for (uint32_t j = 0; j < 4; j++)
            weight += part->hierarchy.references[4 * v + j] == twin
                          ? part->hierarchy.weights[4 * v + j]
                          : 0;
        CHECK_EQ(weight, LIFT_WEIGHT_ONE);
        for (uint32_t f = 0; f < 3; f++) {
            const uint16_t *p = part->values[CHANNEL_POSITION][f];

            CHECK_MEM(p + 3 * v, p + 3 * twin, 3 * sizeof *p);
        }
    }
    arena_free(&arena);
}

static void layers_get_finer(void)
{
    struct lift_rig rig;
    struct arena arena;
    const struct lift_hierarchy *hierarchy;
    uint32_t finest = 0;

    arena_init(&arena);
    lift_cloth_make(&rig, &arena, 60, 1);
    lift_rig_encode(&rig, 65536);
    hierarchy = &rig.parts[0].hierarchy;
    CHECK(hierarchy->level_count >= 4);
    CHECK(hierarchy->layer_count < 60);
    for (uint32_t l = 0; l < hierarchy->layer_count; l++)
        if (hierarchy->layers[l].level == hierarchy->level_count - 2)
            finest +=
                hierarchy->layers[l + 1].first - hierarchy->layers[l].first;
    /* At most every third vertex of a grid of triangles remains. */
    CHECK(3 * finest > 2 * (hierarchy->vertex_count - 60));
    arena_free(&arena);
}

/* Vertex 2 is 3/4 of vertex 0 plus 1/4 of vertex 1, which move
 * independently. */
/* Only the first layer of a level may have few vertices. Exceptions are the
 * coarsest level and the layer of welded vertices. */
static void few_vertices_join_the_layer_before(void)
{
    struct lift_rig rig;
    struct arena arena;
    const struct lift_hierarchy *hierarchy;
    uint32_t counted = 0;

    arena_init(&arena);
    lift_cloth_make(&rig, &arena, 60, 1);
    rig.merges_layers = true;
    lift_rig_encode(&rig, 65536);
    hierarchy = &rig.parts[0].hierarchy;
    for (uint32_t l = 1; l < hierarchy->layer_count; l++) {
        const struct lift_layer *layer = &hierarchy->layers[l];

        if (layer->level == 0 || layer->level != layer[-1].level)
            continue;
        test_context("layer %u", l);
        CHECK(layer[1].first - layer->first >= 32);
        counted++;
    }
    CHECK(counted >= 8);
    arena_free(&arena);
}

static void weights_are_trained(void)
{
    const uint32_t indices[3] = {0, 1, 2};
    uint32_t *weld = no_welds(3);
    uint16_t *positions = places(3);
    const struct lift_part part = {3, 3, indices, weld, positions, false};
    struct test_random random = {2};
    struct lift_training training;
    struct arena arena;
    struct lift_graph graph;
    struct lift_hierarchy hierarchy;
    int32_t of_vertex[3] = {0};
    uint32_t last;

    arena_init(&arena);
    lift_graph_make(&part, &arena, &graph);
    lift_training_begin(&training, &graph, &arena);
    last = graph.order[2];
    for (uint32_t f = 0; f < 20; f++) {
        int16_t of[3][3];
        int16_t values[4 * (3 + LIFT_PADDING)] = {0};

        for (uint32_t k = 0; k < 3; k++) {
            of[0][k] = (int16_t)(4 * test_random_below(&random, 2000));
            of[1][k] = (int16_t)(4 * test_random_below(&random, 2000));
            of[2][k] = (int16_t)(of[0][k] / 4 * 3 + of[1][k] / 4);
        }
        for (uint32_t k = 0; k < 3; k++) {
            values[k] = of[0][k];
            values[4 + k] = of[1][k];
            values[8 + k] = of[2][k];
        }
        lift_training_add(&training, values, NULL, NULL);
    }
    lift_training_finish(&training, &arena, &hierarchy);
    CHECK(last < 3);
    /* Unused references are 0 and have weight 0. */
    for (uint32_t j = 0; j < 4; j++) {
        of_vertex[hierarchy.references[8 + j]] += hierarchy.weights[8 + j];
        CHECK(j == 0 ||
              hierarchy.references[8 + j] >= hierarchy.references[7 + j]);
    }
    CHECK_EQ(of_vertex[0], 48);
    CHECK_EQ(of_vertex[1], 16);
    arena_free(&arena);
    free(positions);
    free(weld);
}

/* The sum of squared prediction errors of the last of five vertices. Weights
 * are in 64ths. */
static double error_of(const struct lift_hierarchy *hierarchy,
                       int16_t (*frames)[5], uint32_t frame_count,
                       const int32_t *weight)
{
    double sum = 0;

    for (uint32_t f = 0; f < frame_count; f++) {
        int32_t error = -64 * frames[f][4];

        for (uint32_t j = 0; j < 4; j++)
            error += weight[j] * frames[f][hierarchy->references[16 + j]];
        sum += (double)error * error;
    }
    return sum;
}

/* The vertices move along one line, by factors that are not multiples of each
 * other. */
static void weights_are_rounded_together(void)
{
    static const uint32_t indices[] = {0, 1, 2, 0, 1, 3, 0, 1, 4, 0,
                                       2, 3, 0, 2, 4, 0, 3, 4, 1, 2,
                                       3, 1, 2, 4, 1, 3, 4, 2, 3, 4};
    static const int32_t factor[5] = {-50, 10, 31, 72, 37};
    uint32_t *weld = no_welds(5);
    uint16_t *positions = places(5);
    const struct lift_part part = {5, 30, indices, weld, positions, false};
    struct test_random random = {3};
    struct lift_training training;
    struct lift_graph graph;
    struct lift_hierarchy hierarchy;
    int16_t frames[40][5];
    int32_t weight[4];
    struct arena arena;
    double least;

    arena_init(&arena);
    lift_graph_make(&part, &arena, &graph);
    lift_training_begin(&training, &graph, &arena);
    for (uint32_t f = 0; f < 40; f++) {
        int16_t values[4 * (5 + LIFT_PADDING)] = {0};
        const int32_t along = (int32_t)test_random_below(&random, 300) - 150;

        for (uint32_t v = 0; v < 5; v++) {
            frames[f][v] = (int16_t)(factor[v] * along +
                                     (int32_t)test_random_below(&random, 41));
            values[4 * v] = frames[f][v];
        }
        lift_training_add(&training, values, NULL, NULL);
    }
    lift_training_finish(&training, &arena, &hierarchy);
    for (uint32_t j = 0; j < 4; j++)
        weight[j] = hierarchy.weights[16 + j];
    least = error_of(&hierarchy, frames, 40, weight);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4; j++) {
            weight[i]++;
            weight[j]--;
            CHECK(error_of(&hierarchy, frames, 40, weight) >= 0.98 * least);
            weight[i]--;
            weight[j]++;
        }
    arena_free(&arena);
    free(positions);
    free(weld);
}

static void a_frame_comes_after_its_references(void)
{
    for (uint32_t count = 1; count < 40; count++)
        for (uint32_t distance = 1; distance <= 16; distance *= 2) {
            uint32_t order[40];
            uint8_t is_done[40] = {0};

            pyramid_order(count, distance, order);
            for (uint32_t i = 0; i < count; i++) {
                uint32_t references[LIFT_FRAMES_MAX];
                const uint32_t n = lift_pyramid_references(
                    order[i], count, distance, references);

                test_context("%u frames, frame %u", count, order[i]);
                CHECK(n == 0 || (n >= 2 && n <= LIFT_FRAMES_MAX));
                CHECK_EQ(n == 0,
                         order[i] % distance == 0 || order[i] == count - 1);
                for (uint32_t j = 0; j < n; j++) {
                    CHECK(references[j] < count);
                    CHECK(is_done[references[j]]);
                }
                CHECK(!is_done[order[i]]);
                is_done[order[i]] = 1;
            }
        }
}

static void parts_are_even_and_compact(void)
{
    uint16_t positions[3 * 1000];
    uint32_t order[1000];
    uint8_t is_there[1000] = {0};

    for (uint32_t v = 0; v < 1000; v++) {
        positions[3 * v] = (uint16_t)(v * 377 % 1000); /* mixed in x */
        positions[3 * v + 1] = 5;
        positions[3 * v + 2] = (uint16_t)(v % 7);
    }
    CHECK_EQ_U(lift_parts_count(1000, 333), 4u);
    CHECK_EQ_U(lift_parts_count(999, 333), 3u);
    lift_parts_split(positions, 1000, 4, order);
    for (uint32_t p = 0; p < 4; p++) {
        const uint32_t first = lift_parts_first(1000, 4, p);

        CHECK_EQ_U(lift_parts_first(1000, 4, p + 1) - first, 250u);
        for (uint32_t i = first; i < first + 250; i++) {
            CHECK(!is_there[order[i]]);
            is_there[order[i]] = 1;
            CHECK_EQ_U(positions[3 * order[i]] / 250, p);
            CHECK(i == first || order[i] > order[i - 1]);
        }
    }
}

TEST_MAIN(TEST(parts_are_even_and_compact), TEST(odd_meshes_have_layers),
          TEST(welded_vertices_are_last_and_equal_their_twin),
          TEST(layers_get_finer), TEST(few_vertices_join_the_layer_before),
          TEST(weights_are_trained), TEST(weights_are_rounded_together),
          TEST(a_frame_comes_after_its_references))
