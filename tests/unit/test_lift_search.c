/* test_lift_search.c
 *
 * Goal: weights fitted by least squares suit calm regions as well as wild
 *   ones. The chosen references are those that predict most frames.
 * Method: a tile whose halves move by different rules, one much further than
 *   the other. Clips of triangles in memory, whose corners are one mixture of
 *   each other in their rest positions, and another one in their motion or in
 *   their UVs.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/encode/lift/lift_search.h"
#include "compile/encode/lift/lift_train.h"

#include <stdlib.h>
#include <string.h>

enum { VERTICES = 2048, FRAMES = 41 };

static int16_t around(struct test_random *random, int32_t reach)
{
    return (
        int16_t)((int32_t)test_random_below(random, 2 * (uint32_t)reach + 1) -
                 reach);
}

/* The calm half has moved by a quarter of its distance, the wild half by one
 * half, up to noise. With plain least squares the calm half would not count. */
static void calm_regions_count(void)
{
    static int16_t frame[3][4 * (VERTICES + LIFT_PADDING)];
    static const uint16_t references[4 * (VERTICES + LIFT_PADDING)];
    static const int8_t weights[4 * (VERTICES + LIFT_PADDING)];
    static const struct lift_layer layers[] = {{0, 0}, {VERTICES, 0}};
    static const struct lift_hierarchy hierarchy = {.vertex_count = VERTICES,
                                                    .layer_count = 1,
                                                    .level_count = 1,
                                                    .layers = layers,
                                                    .references = references,
                                                    .weights = weights,
                                                    .weld_first = VERTICES};
    const struct lift_target target = {.channel = CHANNEL_POSITION,
                                       .hierarchy = &hierarchy,
                                       .values = frame[2],
                                       .from = {frame[0], frame[1]},
                                       .from_count = 2};
    struct test_random random = {1};
    struct lift_scratch scratch;
    struct lift_found found;
    struct arena arena;

    for (size_t v = 0; v < VERTICES; v++)
        for (size_t i = 4 * v; i < 4 * v + 3; i++) {
            const bool is_calm = v < VERTICES / 2;
            const int16_t moved = around(&random, is_calm ? 400 : 4000);

            frame[0][i] = around(&random, 5000);
            frame[1][i] = (int16_t)(frame[0][i] + moved);
            frame[2][i] = (int16_t)(frame[0][i] + moved / (is_calm ? 4 : 2) +
                                    around(&random, is_calm ? 1 : 2000));
        }
    arena_init(&arena);
    lift_scratch_make(&scratch, VERTICES, &arena);
    lift_search(&target, &scratch, &found);
    CHECK_EQ_U(found.prediction.frame_count, 2u);
    CHECK(found.prediction.weight[1] > 8192 - 1200);
    CHECK(found.prediction.weight[1] < 8192 + 1200);
    arena_free(&arena);
}

/* -- references and weights -- */

/* In its rest position the first corner is a mixture of the two others by 5/4
 * and -1/4, in its motion by 1/4 and 3/4. In the first frame, which determines
 * the order, nothing moves. The corner with the largest coordinates is the last
 * one predicted. */
static void fill_frame(struct test_random *random, int32_t reach, uint16_t *out)
{
    for (uint32_t k = 0; k < 3; k++) {
        const int32_t shake[2] = {around(random, reach), around(random, reach)};

        out[k] = (uint16_t)(1500 + shake[0] + 3 * shake[1]);
        out[3 + k] = (uint16_t)(1400 + 4 * shake[0]);
        out[6 + k] = (uint16_t)(1000 + 4 * shake[1]);
    }
}

/* Train the hierarchy of a mesh of one part, in the arena. `of_frames` has
 * CHANNEL_COUNT pointers for each frame. `order` receives the vertex at each
 * place. */
static struct lift_hierarchy train(struct clip_mesh *mesh,
                                   const void **of_frames, uint32_t *order,
                                   struct arena *arena)
{
    uint32_t *indices = ARENA_NEW(arena, uint32_t, mesh->vertex_count);
    struct triangle_range range = {0, mesh->vertex_count / 3};
    struct lift_hierarchy hierarchy = {0};
    const struct clip clip = {
        .frame_count = FRAMES, .mesh_count = 1, .meshes = mesh};
    const struct lift_plan_mesh plan = {
        .part_count = 1,
        .vertex_at = order,
        .member_at = ARENA_NEW(arena, uint16_t, mesh->vertex_count),
        .indices = indices,
        .ranges = &range,
        .parts = &hierarchy};
    uint32_t numbers[FRAMES];
    const struct lift_frames frames = {.count = FRAMES,
                                       .numbers = numbers,
                                       .values = of_frames,
                                       .mesh_count = 1};

    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        indices[i] = order[i] = i;
    for (uint32_t f = 0; f < FRAMES; f++)
        numbers[f] = f;
    mesh->indices = indices;
    mesh->index_count = mesh->vertex_count;
    lift_train_hierarchy(&clip, &frames, 0, 0, 8, &plan, arena);
    return hierarchy;
}

/* For the positions alone the best weight is -16 of 64, with their motion
 * -7. */
static void weights_suit_the_residuals_of_time(void)
{
    static uint16_t values[FRAMES][9];
    uint32_t order[3];
    struct clip_mesh mesh = {.vertex_count = 3,
                             .animated_mask = CHANNEL_BIT(CHANNEL_POSITION)};
    const void *of_frames[FRAMES * CHANNEL_COUNT] = {NULL};
    struct test_random random = {1};
    struct lift_hierarchy hierarchy;
    int32_t weight = 0;
    struct arena arena;

    arena_init(&arena);
    for (uint32_t f = 0; f < FRAMES; f++) {
        of_frames[f * CHANNEL_COUNT + CHANNEL_POSITION] = values[f];
        fill_frame(&random, f == 0 ? 0 : 50, values[f]);
    }
    hierarchy = train(&mesh, of_frames, order, &arena);
    CHECK_EQ_U(order[2], 0u);
    for (uint32_t j = 0; j < 4; j++)
        if (order[hierarchy.references[8 + j]] == 2)
            weight += hierarchy.weights[8 + j];
    CHECK(weight >= 30);
    arena_free(&arena);
}

/* -- moving UVs -- */

enum { TRIANGLES = 200, CORNERS = 3 * TRIANGLES };

/* With `is_of_uvs` the UVs determine the mixture of a first corner, 1/4 and
 * 3/4. The positions do not, because the other corners move equally. Otherwise
 * the noisy positions determine it, 5/4 and -1/4, and the UVs are noise, which
 * would give equal weights. */
static void fill_corners(struct test_random *random, bool is_of_uvs,
                         uint32_t triangle, uint32_t frame, uint16_t *positions,
                         uint16_t *uvs)
{
    const int32_t reach = frame == 0 ? 0 : 50;

    for (uint32_t k = 0; k < 3; k++) {
        const int32_t at = 1000 + 300 * (int32_t)triangle;
        const int32_t a = around(random, reach);
        const int32_t b = is_of_uvs ? a : around(random, reach);
        const int32_t c = is_of_uvs ? a : (5 * a - b) / 4;

        positions[k] = (uint16_t)(at + 120 + c + around(random, reach / 3));
        positions[3 + k] = (uint16_t)(at + 119 + a);
        positions[6 + k] = (uint16_t)(at + 118 + b);
    }
    for (uint32_t k = 0; k < 2; k++) {
        const int32_t a = around(random, is_of_uvs ? reach : 2);
        const int32_t b = around(random, is_of_uvs ? reach : 2);
        const int32_t c = is_of_uvs ? (a + 3 * b) / 4 : around(random, 2);

        uvs[k] = (uint16_t)(30000 + c);
        uvs[2 + k] = (uint16_t)(30000 + a);
        uvs[4 + k] = (uint16_t)(30000 + b);
    }
}

/* Return the mean weight of the second corner for the first. */
static int32_t second_weight(bool is_of_uvs, bool has_uvs)
{
    static uint16_t positions[FRAMES][3 * CORNERS];
    static uint16_t uvs[FRAMES][2 * CORNERS];
    static uint32_t order[CORNERS];
    struct clip_mesh mesh = {
        .vertex_count = CORNERS,
        .animated_mask = (uint8_t)(CHANNEL_BIT(CHANNEL_POSITION) |
                                   (has_uvs ? CHANNEL_BIT(CHANNEL_UV) : 0))};
    const void *of_frames[FRAMES * CHANNEL_COUNT] = {NULL};
    struct lift_hierarchy hierarchy;
    struct test_random random = {1};
    int32_t weight = 0;
    int32_t count = 0;
    struct arena arena;

    arena_init(&arena);
    for (uint32_t f = 0; f < FRAMES; f++) {
        of_frames[f * CHANNEL_COUNT + CHANNEL_POSITION] = positions[f];
        of_frames[f * CHANNEL_COUNT + CHANNEL_UV] = uvs[f];
        for (uint32_t t = 0; t < TRIANGLES; t++)
            fill_corners(&random, is_of_uvs, t, f, positions[f] + 9 * t,
                         uvs[f] + 6 * t);
    }
    hierarchy = train(&mesh, of_frames, order, &arena);
    for (uint32_t v = 0; v < CORNERS; v++) {
        count += order[v] % 3 == 0;
        for (uint32_t j = 4 * v; order[v] % 3 == 0 && j < 4 * v + 4; j++)
            if (order[hierarchy.references[j]] == order[v] + 1)
                weight += hierarchy.weights[j];
    }
    arena_free(&arena);
    return weight / count;
}

/* Weights are trained by positions and by UVs, and those with fewer bits are
 * kept. */
static void weights_suit_moving_uvs(void)
{
    CHECK(second_weight(true, false) > 64);
    CHECK(second_weight(true, true) < 24);
    CHECK(second_weight(false, false) > 64);
    CHECK_EQ(second_weight(false, true), second_weight(false, false));
}

TEST_MAIN(TEST(calm_regions_count), TEST(weights_suit_the_residuals_of_time),
          TEST(weights_suit_moving_uvs))
