/* test_correspondence.c
 *
 * Goal: every triangle is matched with a face within the tolerance at all
 *   three corners, although dozens of vertices lie at one place. A triangle
 *   without such a face affects no other triangle.
 * Method: a sheet of quads whose points are rounded to steps as wide as a few
 *   quads. The vertices are the points in another order. Some triangles are
 *   damaged: reversed, moved away, doubled.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "verify/correspondence.h"

#include <math.h>
#include <string.h>

#define QUADS 12u
#define SIDE (QUADS + 1)
#define POINTS (SIDE * SIDE)
#define FACES (QUADS * QUADS)
#define CORNERS (4 * FACES)
#define TRIANGLES (2 * FACES)
#define FRAMES 3u
#define DIMENSION (FRAMES * CHECK_ROW_NUMBERS)

static int32_t face_counts[FACES];
static int32_t face_points[CORNERS];
static uint32_t face_of[CORNERS];
static uint32_t first_of[FACES];
static uint32_t vertex_of[CORNERS];
static uint32_t corner_of[POINTS];
static uint32_t point_of[POINTS]; /* the true point of each vertex */
static uint32_t vertex_at[POINTS];
static double corner_rows[CORNERS * DIMENSION];
static double vertex_rows[POINTS * DIMENSION];
static uint32_t indices[3 * (TRIANGLES + 1)];
static struct check_mesh mesh;
static struct check_rows rows;

static void place(uint32_t point, uint32_t frame, double out[3])
{
    double x = point % SIDE;
    double y = point / SIDE;

    out[0] = x * 0.7 + 0.21 * frame * y / SIDE;
    out[1] = y * 0.8 + 0.3 * frame;
    out[2] = 0;
}

static void make_faces(void)
{
    for (uint32_t f = 0; f < FACES; f++) {
        int32_t at = (int32_t)(f / QUADS * SIDE + f % QUADS);
        int32_t ring[4] = {at, at + 1, at + 1 + (int32_t)SIDE,
                           at + (int32_t)SIDE};

        face_counts[f] = 4;
        first_of[f] = 4 * f;
        for (uint32_t i = 0; i < 4; i++) {
            face_points[4 * f + i] = ring[i];
            face_of[4 * f + i] = f;
        }
    }
}

/* The triangles have the opposite orientation of their face, along one diagonal
 * or the other. */
static void make_triangles(void)
{
    for (uint32_t f = 0; f < FACES; f++) {
        static const uint32_t cuts[2][6] = {{0, 2, 1, 0, 3, 2},
                                            {1, 0, 3, 3, 2, 1}};

        for (uint32_t i = 0; i < 6; i++)
            indices[6 * f + i] =
                vertex_at[face_points[4 * f + cuts[f % 3 == 0][i]]];
    }
}

static void make_rows(void)
{
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        uint32_t at = frame * CHECK_ROW_NUMBERS;

        for (uint32_t i = 0; i < CORNERS; i++)
            place((uint32_t)face_points[i], frame,
                  corner_rows + i * DIMENSION + at);
        for (uint32_t v = 0; v < POINTS; v++) {
            double p[3];

            place(point_of[v], frame, p);
            for (int c = 0; c < 3; c++)
                vertex_rows[v * DIMENSION + at + (uint32_t)c] =
                    2 * floor(p[c] / 2 + 0.5);
        }
    }
}

static void make_mesh(uint32_t face_count, uint32_t point_count)
{
    memset(vertex_of, 0xff, sizeof vertex_of);
    memset(corner_of, 0xff, sizeof corner_of);
    memset(&mesh, 0, sizeof mesh);
    mesh.pairs.vertex_of = vertex_of;
    mesh.pairs.corner_of = corner_of;
    mesh.corners.point_count = point_count;
    mesh.corners.topology.face_count = face_count;
    mesh.corners.topology.corner_count = 4 * face_count;
    mesh.corners.topology.counts = face_counts;
    mesh.corners.topology.indices = face_points;
    mesh.corners.face_of = face_of;
    mesh.corners.first_of = first_of;
    rows = (struct check_rows){DIMENSION, corner_rows, vertex_rows};
}

static void make(void)
{
    struct test_random random = {5};

    for (uint32_t v = 0; v < POINTS; v++)
        point_of[v] = v;
    for (uint32_t v = POINTS; v-- > 1;) {
        uint32_t other = test_random_below(&random, v + 1);
        uint32_t point = point_of[v];

        point_of[v] = point_of[other];
        point_of[other] = point;
    }
    for (uint32_t v = 0; v < POINTS; v++)
        vertex_at[point_of[v]] = v;
    make_faces();
    make_triangles();
    make_rows();
    make_mesh(FACES, POINTS);
}

struct outcome {
    uint32_t sound;
    uint32_t unsound;
    uint32_t reversed;
    uint32_t overlapping;
    uint32_t foreign;
    uint32_t missing;
};

static struct outcome find(uint32_t triangle_count)
{
    const uint32_t points = mesh.corners.point_count;
    struct match_side corners = {mesh.corners.topology.corner_count,
                                 corner_rows};
    struct match_side vertices = {points, vertex_rows};
    struct outcome outcome = {0};
    struct correspondence result;
    struct match_lists lists;
    struct arena arena;

    arena_init(&arena);
    match_near(&corners, &vertices, DIMENSION, &arena, &lists);
    correspondence_find(&mesh, indices, 3 * triangle_count, points, &rows,
                        &lists, &arena, &result);
    for (uint32_t t = 0; t < triangle_count; t++) {
        const struct fit *fit = &result.fits[t];

        if (fit->corner[0] == MATCH_NONE) {
            outcome.foreign++;
            continue;
        }
        outcome.sound += fit->cost < FIT_UNSOUND_COST;
        outcome.unsound += fit->cost >= FIT_UNSOUND_COST;
        outcome.reversed += fit->is_reversed;
        outcome.overlapping += fit->is_overlapping;
        for (int k = 0; k < 3; k++)
            CHECK_EQ(face_of[fit->corner[k]], face_of[fit->corner[0]]);
    }
    for (uint32_t f = 0; f < mesh.corners.topology.face_count; f++)
        outcome.missing += result.missing[f];
    arena_free(&arena);
    return outcome;
}

static void correspondence_finds_a_sound_face_for_all(void)
{
    struct outcome outcome;

    make();
    outcome = find(TRIANGLES);
    CHECK_EQ(outcome.sound, TRIANGLES);
    CHECK_EQ(outcome.missing, 0);
    CHECK_EQ(outcome.overlapping, 0);
    /* Each vertex belongs to one point. */
    for (uint32_t i = 0; i < CORNERS; i++) {
        CHECK(vertex_of[i] != MATCH_NONE);
        CHECK_EQ(face_points[corner_of[vertex_of[i]]], face_points[i]);
    }
}

static void correspondence_marks_a_reversed_triangle(void)
{
    struct outcome outcome;
    uint32_t swap;

    make();
    swap = indices[3 * 77];
    indices[3 * 77] = indices[3 * 77 + 1];
    indices[3 * 77 + 1] = swap;
    outcome = find(TRIANGLES);
    CHECK_EQ(outcome.sound, TRIANGLES - 1);
    CHECK_EQ(outcome.unsound, 1);
    CHECK_EQ(outcome.reversed, 1);
    CHECK_EQ(outcome.missing, 0);
}

static void correspondence_has_no_face_for_distant_triangles(void)
{
    struct outcome outcome;
    uint32_t v;

    make();
    v = vertex_at[5 * SIDE + 5];
    for (uint32_t i = 0; i < FRAMES; i++)
        vertex_rows[v * DIMENSION + i * CHECK_ROW_NUMBERS + 2] = 100;
    outcome = find(TRIANGLES);
    /* An inner point touches four quads: about six triangles. */
    CHECK(outcome.foreign >= 4 && outcome.foreign <= 8);
    CHECK_EQ(outcome.sound, TRIANGLES - outcome.foreign);
    CHECK_EQ(outcome.missing, outcome.foreign);
}

static void correspondence_keeps_a_displaced_vertex_at_its_point(void)
{
    struct outcome outcome;
    uint32_t v;

    make();
    v = vertex_at[5 * SIDE + 5];
    /* The vertex is far away in one frame, which is not the first. */
    vertex_rows[v * DIMENSION + CHECK_ROW_NUMBERS + 2] = 100;
    outcome = find(TRIANGLES);
    CHECK_EQ(outcome.foreign, 0);
    CHECK_EQ(outcome.missing, 0);
    CHECK(outcome.unsound >= 4 && outcome.unsound <= 8);
    CHECK_EQ(outcome.reversed, 0);
}

/* Two quads share an edge; a third one lies in front of the first, and is
 * nearer to the vertices of the first. A seed in the third quad leads to
 * failures in the second. One triangle is reversed, so that every seed leads to
 * a failure.
 */
static void correspondence_keeps_the_seed_with_the_fewest_unmatched(void)
{
    static const double places[10][3] = {
        {0, 0, 0},   {10, 0, 0},  {10, 10, 0},  {0, 10, 0},    {20, 0, 0},
        {20, 10, 0}, {0, 0, 0.5}, {10, 0, 0.5}, {10, 10, 0.5}, {0, 10, 0.5}};
    static const int32_t quads[12] = {0, 1, 2, 3, 1, 4, 5, 2, 6, 7, 8, 9};
    static const uint32_t triangles[18] = {0, 2, 1, 0, 3, 2, 1, 5, 4,
                                           1, 5, 2, 6, 8, 7, 6, 9, 8};
    struct outcome outcome;

    make_faces();
    memset(corner_rows, 0, sizeof corner_rows);
    memset(vertex_rows, 0, sizeof vertex_rows);
    memcpy(face_points, quads, sizeof quads);
    memcpy(indices, triangles, sizeof triangles);
    for (uint32_t i = 0; i < 12; i++)
        memcpy(corner_rows + i * DIMENSION, places[quads[i]], sizeof places[0]);
    for (uint32_t v = 0; v < 10; v++) {
        memcpy(vertex_rows + v * DIMENSION, places[v], sizeof places[0]);
        vertex_rows[v * DIMENSION + 2] = v < 6 ? 0.4 : 0.5;
    }
    make_mesh(3, 10);
    outcome = find(6);
    CHECK_EQ(outcome.sound, 5);
    CHECK_EQ(outcome.reversed, 1);
    CHECK_EQ(outcome.missing, 0);
    for (uint32_t v = 0; v < 10; v++)
        CHECK_EQ(face_points[corner_of[v]], v);
}

static void correspondence_has_no_face_for_a_doubled_triangle(void)
{
    struct outcome outcome;

    make();
    memcpy(indices + 3 * TRIANGLES, indices, 3 * sizeof *indices);
    outcome = find(TRIANGLES + 1);
    CHECK_EQ(outcome.sound, TRIANGLES);
    CHECK_EQ(outcome.foreign, 1);
    CHECK_EQ(outcome.missing, 0);
}

/* Point 41 of face 38 becomes its neighbour, which is not in that face. */
static void correspondence_keeps_the_face_of_a_triangle_with_a_wrong_vertex(
    void)
{
    struct outcome outcome;

    make();
    CHECK_EQ_U(indices[3 * 77], vertex_at[41]);
    indices[3 * 77] = vertex_at[40];
    outcome = find(TRIANGLES);
    CHECK_EQ(outcome.sound, TRIANGLES - 1);
    CHECK_EQ(outcome.unsound, 1);
    CHECK_EQ(outcome.foreign, 0);
    CHECK_EQ(outcome.missing, 0);
}

TEST_MAIN(TEST(correspondence_finds_a_sound_face_for_all),
          TEST(correspondence_keeps_the_seed_with_the_fewest_unmatched),
          TEST(correspondence_marks_a_reversed_triangle),
          TEST(correspondence_has_no_face_for_distant_triangles),
          TEST(correspondence_keeps_the_face_of_a_triangle_with_a_wrong_vertex),
          TEST(correspondence_keeps_a_displaced_vertex_at_its_point),
          TEST(correspondence_has_no_face_for_a_doubled_triangle))
