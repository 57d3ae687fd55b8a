/* test_correspondence_fan.c
 *
 * Goal: where thousands of faces meet at one point, the number of examined
 *   corners grows linearly, not quadratically.
 * Method: fans of triangles around a point, side by side or touching only at
 *   that point. Examined corners are counted.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "verify/correspondence.h"

#include <math.h>
#include <string.h>

#define FACES 4000u
#define CORNERS (3 * FACES)
#define POINTS_MAX (2 * FACES + 1)
#define RADIUS 50000.0
#define LOOKS_MAX 8u /* one face for each triangle */

static int32_t face_counts[FACES];
static int32_t face_points[CORNERS];
static uint32_t face_of[CORNERS];
static uint32_t first_of[FACES];
static uint32_t vertex_of[CORNERS];
static uint32_t corner_of[POINTS_MAX];
static uint32_t indices[CORNERS];
static double corner_rows[CORNERS * CHECK_ROW_NUMBERS];
static double vertex_rows[POINTS_MAX * CHECK_ROW_NUMBERS];
static struct check_mesh mesh;

/* Make a fan whose vertices are its points. Return their number. */
static uint32_t make(uint32_t faces, bool is_joined, bool is_narrow)
{
    uint32_t rim = is_joined ? faces : 2 * faces;

    memset(&mesh, 0, sizeof mesh);
    memset(vertex_of, 0xff, sizeof vertex_of);
    memset(corner_of, 0xff, sizeof corner_of);
    for (uint32_t i = 0; i < rim; i++) {
        double angle = is_narrow ? i % 2 : 6.283185307179586 * i / rim;
        double *row = vertex_rows + ((size_t)i + 1) * CHECK_ROW_NUMBERS;

        row[0] = RADIUS * cos(angle);
        row[1] = RADIUS * sin(angle);
    }
    for (uint32_t f = 0; f < faces; f++) {
        uint32_t at = is_joined ? f : 2 * f;
        uint32_t ring[3] = {0, 1 + (at + 1) % rim, 1 + at};

        face_counts[f] = 3;
        first_of[f] = 3 * f;
        for (uint32_t k = 0; k < 3; k++) {
            face_of[3 * f + k] = f;
            face_points[3 * f + k] = (int32_t)ring[k];
            /* The triangles have the opposite orientation of their face. */
            indices[3 * f + k] = ring[(3 - k) % 3];
            memcpy(corner_rows + (3 * f + k) * CHECK_ROW_NUMBERS,
                   vertex_rows + ring[k] * CHECK_ROW_NUMBERS,
                   CHECK_ROW_NUMBERS * sizeof *corner_rows);
        }
    }
    mesh.pairs.vertex_of = vertex_of;
    mesh.pairs.corner_of = corner_of;
    mesh.corners.point_count = rim + 1;
    mesh.corners.topology.face_count = faces;
    mesh.corners.topology.corner_count = 3 * faces;
    mesh.corners.topology.counts = face_counts;
    mesh.corners.topology.indices = face_points;
    mesh.corners.face_of = face_of;
    mesh.corners.first_of = first_of;
    return rim + 1;
}

static void find(uint32_t faces, uint32_t points, struct arena *arena,
                 struct correspondence *result)
{
    struct check_rows rows = {CHECK_ROW_NUMBERS, corner_rows, vertex_rows};
    struct match_side corners = {3 * faces, corner_rows};
    struct match_side vertices = {points, vertex_rows};
    struct match_lists lists;

    arena_init(arena);
    match_near(&corners, &vertices, CHECK_ROW_NUMBERS, arena, &lists);
    correspondence_find(&mesh, indices, 3 * faces, points, &rows, &lists, arena,
                        result);
}

static void correspondence_fan(bool is_joined)
{
    struct correspondence result;
    struct arena arena;

    find(FACES, make(FACES, is_joined, false), &arena, &result);
    for (uint32_t t = 0; t < FACES; t++) {
        CHECK(result.fits[t].cost < FIT_UNSOUND_COST);
        for (uint32_t k = 0; k < 3; k++)
            CHECK_EQ_U(result.fits[t].corner[k], 3 * t + (3 - k) % 3);
        CHECK_EQ_U(result.missing[t], 0);
    }
    CHECK(result.candidate_count > 0);
    CHECK(result.candidate_count <= (uint64_t)LOOKS_MAX * FACES);
    arena_free(&arena);
}

static void correspondence_walks_a_fan_once(void)
{
    correspondence_fan(true);
}

static void correspondence_finds_triangles_that_meet_at_a_point_alone(void)
{
    correspondence_fan(false);
}

/* A list of near corners is too short for all faces, and is the same for all
 * vertices at one place. */
static void correspondence_finds_more_faces_than_lists_hold(void)
{
    enum { NARROW = 2 * MATCH_NEAR_MAX };
    struct correspondence result;
    struct arena arena;

    find(NARROW, make(NARROW, false, true), &arena, &result);
    for (uint32_t t = 0; t < NARROW; t++) {
        CHECK(result.fits[t].cost < FIT_UNSOUND_COST);
        CHECK_EQ_U(result.missing[t], 0);
    }
    arena_free(&arena);
}

TEST_MAIN(TEST(correspondence_walks_a_fan_once),
          TEST(correspondence_finds_more_faces_than_lists_hold),
          TEST(correspondence_finds_triangles_that_meet_at_a_point_alone))
