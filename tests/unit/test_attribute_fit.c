/* test_attribute_fit.c
 *
 * Goal: fit_find keeps a known vertex at its point, prefers corners that no
 *   other vertex has, and orders every unsound fit after the sound ones.
 * Method: two triangles at nearly the same place. The first is nearer to the
 *   vertices. Two more faces share a point with the second.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "verify/attribute_fit.h"

#include <math.h>
#include <string.h>

enum { FACES = 4, CORNERS = 3 * FACES, POINTS = 10, VERTICES = 3 };

/* Faces 2 and 3 are far away, except for point 3, which face 1 also has. */
static const int32_t face_points[CORNERS] = {0, 1, 2, 3, 1, 2,
                                             3, 4, 5, 3, 6, 7};
static const double places[POINTS][3] = {{0, 0, 0},   {10, 0, 0}, {0, 10, 0},
                                         {0.5, 0, 0}, {90, 0, 0}, {90, 10, 0},
                                         {90, 90, 0}, {0, 90, 0}};
/* The triangles have the opposite orientation of their face. */
static const uint32_t triangle[3] = {0, 2, 1};
static const int32_t counts[FACES] = {3, 3, 3, 3};

static uint32_t face_of[CORNERS];
static uint32_t first_of[FACES];
static uint32_t vertex_of[CORNERS];
static uint32_t corner_of[VERTICES];
static uint32_t missing[FACES];
static struct corner_reach reach[CORNERS];
static double corner_rows[CORNERS * CHECK_ROW_NUMBERS];
static double vertex_rows[VERTICES * CHECK_ROW_NUMBERS];
static const struct check_rows rows = {CHECK_ROW_NUMBERS, corner_rows,
                                       vertex_rows};
static struct check_mesh mesh;
static struct match_lists near;
static uint32_t point_first[POINTS + 1];
static uint32_t point_list[CORNERS];

static void group_by_point(void)
{
    uint32_t count = 0;

    for (int32_t p = 0; p < POINTS; p++) {
        point_first[p] = count;
        for (uint32_t i = 0; i < CORNERS; i++)
            if (face_points[i] == p)
                point_list[count++] = i;
    }
    point_first[POINTS] = count;
}

static struct fit_state make(struct arena *arena)
{
    static int32_t indices[CORNERS];
    static int32_t sizes[FACES];
    const struct match_side corners = {CORNERS, corner_rows};
    const struct match_side vertices = {VERTICES, vertex_rows};

    memcpy(indices, face_points, sizeof indices);
    memcpy(sizes, counts, sizeof sizes);
    memset(vertex_of, 0xff, sizeof vertex_of);
    memset(corner_of, 0xff, sizeof corner_of);
    for (uint32_t i = 0; i < CORNERS; i++) {
        face_of[i] = i / 3;
        first_of[i / 3] = i / 3 * 3;
        memcpy(corner_rows + i * CHECK_ROW_NUMBERS, places[face_points[i]],
               sizeof places[0]);
    }
    for (uint32_t v = 0; v < VERTICES; v++)
        memcpy(vertex_rows + v * CHECK_ROW_NUMBERS, places[v],
               sizeof places[0]);
    for (uint32_t f = 0; f < FACES; f++)
        missing[f] = 1;
    triangle_overlap_clear(reach, CORNERS);
    group_by_point();
    mesh.pairs.vertex_of = vertex_of;
    mesh.corners.point_count = POINTS;
    mesh.corners.face_of = face_of;
    mesh.corners.first_of = first_of;
    mesh.corners.topology.face_count = FACES;
    mesh.corners.topology.corner_count = CORNERS;
    mesh.corners.topology.counts = sizes;
    mesh.corners.topology.indices = indices;
    match_near(&corners, &vertices, CHECK_ROW_NUMBERS, arena, &near);
    return (struct fit_state){.mesh = &mesh,
                              .rows = &rows,
                              .near = &near,
                              .corners = {point_first, point_list},
                              .missing = missing,
                              .reach = reach,
                              .corner_of = corner_of};
}

static void check_fits(struct fit_state *state, bool is_strict,
                       uint32_t expected_count, uint32_t first_face,
                       uint32_t sound_count)
{
    struct fit_options options;
    uint32_t sound = 0;

    fit_find(state, triangle, is_strict ? FIT_UNSOUND_COST : INFINITY,
             is_strict, FIT_OPTIONS_MAX, &options);
    CHECK_EQ_U(options.count, expected_count);
    for (uint32_t i = 0; i < options.count; i++)
        sound += options.fits[i].cost < FIT_UNSOUND_COST;
    CHECK_EQ_U(sound, sound_count);
    CHECK_EQ_U(options.fits[0].corner[0] / 3, first_face);
    CHECK(!options.fits[0].is_reversed && !options.fits[0].is_overlapping);
}

static void the_nearest_face_comes_first(void)
{
    struct arena arena;
    struct fit_state state;

    arena_init(&arena);
    state = make(&arena);
    check_fits(&state, true, 2, 0, 2);
    missing[0] = 0;
    check_fits(&state, true, 1, 1, 1);
    arena_free(&arena);
}

/* Vertex 0 is known to be point 3, although point 0 is nearer. Vertex 1 is
 * known too and has the fewest corners, so the search begins there. */
static void a_known_vertex_keeps_its_point(void)
{
    struct arena arena;
    struct fit_state state;

    arena_init(&arena);
    state = make(&arena);
    corner_of[0] = 3;
    corner_of[1] = 1;
    check_fits(&state, true, 1, 1, 1);
    CHECK_EQ_U(point_first[2] - point_first[1], 2);
    CHECK_EQ_U(point_first[4] - point_first[3], 3);
    /* Without is_strict, the other face is second. */
    check_fits(&state, false, 2, 1, 1);
    /* Points that always coincide count as one. */
    memcpy(corner_rows + 3 * CHECK_ROW_NUMBERS, places[0], sizeof places[0]);
    check_fits(&state, true, 2, 0, 2);
    arena_free(&arena);
}

/* The nearest corner of vertex 0 already has another vertex. */
static void a_free_corner_comes_before_a_taken_one(void)
{
    struct arena arena;
    struct fit_state state;

    arena_init(&arena);
    state = make(&arena);
    vertex_of[0] = 2;
    check_fits(&state, true, 2, 1, 2);
    vertex_of[0] = 0;
    check_fits(&state, true, 2, 0, 2);
    arena_free(&arena);
}

TEST_MAIN(TEST(the_nearest_face_comes_first),
          TEST(a_known_vertex_keeps_its_point),
          TEST(a_free_corner_comes_before_a_taken_one))
