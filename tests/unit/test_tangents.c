/* test_tangents.c
 *
 * Goal: tangents are those of MikkTSpace's reference code. Frames are packed
 *   into QTangents that decode as documented. Meshes without texture get
 *   tangents that move with them.
 * Method: vectors written by the reference (*.mktv), rotations decoded by their
 *   definition, and small meshes made by hand.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "codec/channel.h"
#include "compile/mesh/tangents.h"
#include "compile/mesh/vertices.h"
#include "support/mktv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- reference vectors -- */

/* Number corners so that equal numbers mean equal positions (and, if given,
 * equal normals and texture). */
static uint32_t *number(const struct mktv *reference, bool is_all,
                        struct arena *arena)
{
    uint32_t *zero = ARENA_NEW(arena, uint32_t, reference->corners);
    struct corner_values values[] = {{reference->positions, 3, NULL},
                                     {reference->normals, 3, NULL},
                                     {reference->uvs, 2, NULL}};
    struct vertices vertices;

    vertices_begin(&vertices, zero, reference->corners, arena, arena);
    for (int i = 0; i < (is_all ? 3 : 1); i++)
        vertices_refine(&vertices, &values[i], arena);
    return vertices.class_of;
}

struct score {
    uint32_t excused; /* corners whose reference tangent is zero or not
                       * orthogonal to the normal */
    uint32_t validated;
    uint32_t close;
    uint32_t signs_wrong;
    uint32_t vertices;
};

static void compute(const struct mktv *reference, struct arena *arena,
                    uint32_t *vertex_of, struct vec3 **tangents,
                    uint8_t **mirrored, uint32_t *vertex_count)
{
    uint32_t corners = reference->corners;
    uint32_t triangles = corners / 3;
    uint32_t *welds = number(reference, true, arena);
    uint8_t *windings = ARENA_NEW(arena, uint8_t, triangles);
    uint32_t *identity = ARENA_NEW(arena, uint32_t, corners);
    uint32_t *class_of = ARENA_NEW(arena, uint32_t, corners);
    uint32_t *part_of = ARENA_NEW(arena, uint32_t, corners);
    float *positions = ARENA_NEW(arena, float, 3 * (size_t)corners);
    float *uvs = ARENA_NEW(arena, float, 2 * (size_t)corners);
    struct vec3 *normals = ARENA_NEW(arena, struct vec3, corners);
    struct tangent_anchor *anchors =
        ARENA_NEW(arena, struct tangent_anchor, corners);
    struct tangent_topology topology;
    struct tangent_groups groups;
    struct tangent_mesh mesh;
    struct vertices vertices;

    for (uint32_t t = 0; t < triangles; t++) {
        const float *uv = reference->uvs + 6 * (size_t)t;
        windings[t] = (uint8_t)uv_winding_of(uv, uv + 2, uv + 4);
    }
    tangent_topology_make(welds, triangles, arena, arena, &topology);
    tangents_group(&topology, windings, arena, &groups);
    for (uint32_t i = 0; i < corners; i++)
        identity[i] = i;
    vertices_begin(&vertices, welds, corners, arena, arena);
    *vertex_count =
        vertices_split(&vertices, identity, groups.group_of, corners, arena,
                       vertex_of, class_of, part_of);
    *mirrored = ARENA_NEW(arena, uint8_t, *vertex_count);
    for (uint32_t i = 0; i < corners; i++) {
        uint32_t v = vertex_of[i];
        memcpy(positions + 3 * (size_t)v, reference->positions + 3 * (size_t)i,
               12);
        memcpy(uvs + 2 * (size_t)v, reference->uvs + 2 * (size_t)i, 8);
        normals[v] = vec3_load(reference->normals + 3 * (size_t)i);
        (*mirrored)[v] =
            part_of[v] != TANGENTS_NONE && groups.is_mirrored[part_of[v]];
    }
    mesh = (struct tangent_mesh){*vertex_count, triangles, vertex_of, positions,
                                 normals,       uvs,       NULL};
    *tangents = ARENA_NEW(arena, struct vec3, *vertex_count);
    tangents_anchor(&mesh, anchors);
    tangents_make(&mesh, anchors, *tangents);
}

static struct score score_of(const char *name)
{
    struct score score = {0, 0, 0, 0, 0};
    struct mktv reference;
    struct arena arena;
    struct vec3 *tangents;
    uint32_t *vertex_of;
    uint8_t *mirrored;

    arena_init(&arena);
    mktv_read(name, &arena, &reference);
    vertex_of = ARENA_NEW(&arena, uint32_t, reference.corners);
    compute(&reference, &arena, vertex_of, &tangents, &mirrored,
            &score.vertices);
    for (uint32_t i = 0; i < reference.corners; i++) {
        struct vec3 wanted = vec3_load(reference.tangents + 3 * (size_t)i);
        struct vec3 normal = vec3_load(reference.normals + 3 * (size_t)i);
        struct vec3 made = tangents[vertex_of[i]];

        /* Where the texture has no area the reference gives (1, 0, 0) for any
         * normal. */
        if (vec3_length(wanted) < 0.5 ||
            fabs(vec3_dot(wanted, normal)) > 1e-3) {
            score.excused++;
            continue;
        }
        score.validated++;
        score.close += vec3_length(vec3_sub(made, wanted)) < 1e-4;
        score.signs_wrong += (reference.signs[i] < 0) != mirrored[vertex_of[i]];
    }
    arena_free(&arena);
    printf("  %-18s %7u %7u %7u   %6.2f %%  %6.2f %%  %7u\n", name,
           reference.corners, score.excused, score.validated,
           100.0 * score.close / score.validated,
           100.0 * (score.validated - score.signs_wrong) / score.validated,
           score.vertices);
    return score;
}

static void tangents_are_those_of_the_reference(void)
{
    printf("  vectors            corners excused  validated  in 1e-4     signs "
           "vertices\n");
    for (size_t i = 0; i < MKTV_COUNT; i++) {
        struct score score = score_of(mktv_names[i]);

        test_context("%s", mktv_names[i]);
        CHECK(score.validated > 0);
        CHECK_EQ_U(score.close, score.validated);
        CHECK_EQ(score.signs_wrong, 0);
    }
}

/* -- meshes made by hand -- */

/* Two triangles over a common edge: 0 1 2 and 2 1 3. */
static const uint32_t quad[6] = {0, 1, 2, 2, 1, 3};

static void triangles_with_different_handedness_are_split(void)
{
    static const uint8_t alike[2] = {UV_PLAIN, UV_PLAIN};
    static const uint8_t mirrored[2] = {UV_PLAIN, UV_MIRRORED};
    static const uint8_t flat[2] = {UV_DEGENERATE, UV_MIRRORED};
    struct tangent_groups groups;
    struct tangent_topology topology;
    struct arena arena;

    arena_init(&arena);
    tangent_topology_make(quad, 2, &arena, &arena, &topology);
    tangents_group(&topology, alike, &arena, &groups);
    CHECK_EQ(groups.count, 4);
    CHECK_EQ(groups.group_of[1], groups.group_of[4]);
    CHECK_EQ(groups.group_of[2], groups.group_of[3]);
    tangents_group(&topology, mirrored, &arena, &groups);
    CHECK_EQ(groups.count, 6);
    CHECK(groups.group_of[1] != groups.group_of[4]);
    CHECK(groups.is_mirrored[groups.group_of[4]]);
    CHECK(!groups.is_mirrored[groups.group_of[1]]);
    /* A triangle without area joins a group, but does not start one. */
    tangents_group(&topology, flat, &arena, &groups);
    CHECK_EQ(groups.count, 3);
    CHECK_EQ(groups.group_of[0], TANGENTS_NONE);
    CHECK_EQ(groups.group_of[1], groups.group_of[4]);
    arena_free(&arena);
}

static void triangles_that_share_only_a_point_are_split(void)
{
    /* A bow tie: both triangles use point 0, without a common edge. */
    static const uint32_t bow[6] = {0, 1, 2, 0, 3, 4};
    static const uint8_t windings[2] = {UV_PLAIN, UV_PLAIN};
    struct tangent_groups groups;
    struct tangent_topology topology;
    struct arena arena;

    arena_init(&arena);
    tangent_topology_make(bow, 2, &arena, &arena, &topology);
    tangents_group(&topology, windings, &arena, &groups);
    CHECK_EQ(groups.count, 6);
    CHECK(groups.group_of[0] != groups.group_of[3]);
    arena_free(&arena);
}

/* 0.192 degrees, in radians. */
#define WORST_TURN 0.003351

static void check_frame(const struct vec3 n, const struct vec3 t)
{
    struct vec3 b = vec3_cross(n, t);
    double length = 0;
    int16_t q[4];
    double d[4];
    struct vec3 x;
    struct vec3 y;
    struct vec3 z;

    tangents_pack(n, t, q);
    CHECK(q[3] > 0 || (q[3] == 0 && (q[0] > 0 || q[1] != 0 || q[2] != 0)));
    for (int i = 0; i < 4; i++)
        length += (double)q[i] * q[i];
    CHECK_NEAR(sqrt(length), QTANGENT_ONE, 1.001);
    for (int i = 0; i < 4; i++)
        d[i] = q[i] / sqrt(length);
    x = vec3_make(1 - 2 * (d[1] * d[1] + d[2] * d[2]),
                  2 * (d[0] * d[1] + d[2] * d[3]),
                  2 * (d[0] * d[2] - d[1] * d[3]));
    y = vec3_make(2 * (d[0] * d[1] - d[2] * d[3]),
                  1 - 2 * (d[0] * d[0] + d[2] * d[2]),
                  2 * (d[1] * d[2] + d[0] * d[3]));
    z = vec3_make(2 * (d[0] * d[2] + d[1] * d[3]),
                  2 * (d[1] * d[2] - d[0] * d[3]),
                  1 - 2 * (d[0] * d[0] + d[1] * d[1]));
    /* The squares of a rotation matrix minus the identity sum to 8 sin^2(angle
     * / 2). */
    x = vec3_sub(x, t);
    y = vec3_sub(y, b);
    z = vec3_sub(z, n);
    CHECK(sqrt(vec3_dot(x, x) + vec3_dot(y, y) + vec3_dot(z, z)) <=
          sqrt(2) * WORST_TURN);
}

/* A floor scaled by 14 in two axes: as close to the frame as unstretched
 * rounding, and better in the world, where that is wrong by more than half a
 * degree. */
static void check_stretched(struct vec3 n, struct vec3 t, uint32_t *better)
{
    static const double cofactors[9] = {14, 0, 0, 0, 196, 0, 0, 0, 14};
    double plain;
    double angle;
    double length = 0;
    int16_t q[4];

    tangents_pack(n, t, q);
    plain = tangents_world_angle(cofactors, n, tangents_normal(q));
    tangents_pack_stretched(n, t, cofactors, q);
    angle = tangents_world_angle(cofactors, n, tangents_normal(q));
    CHECK(angle <= plain);
    *better +=
        plain > TANGENTS_WORLD_DEGREES && angle <= TANGENTS_WORLD_DEGREES;
    CHECK(q[3] > 0 || (q[3] == 0 && (q[0] > 0 || q[1] != 0 || q[2] != 0)));
    for (int i = 0; i < 4; i++)
        length += (double)q[i] * q[i];
    CHECK_NEAR(sqrt(length), QTANGENT_ONE, 1.001);
    /* 0.2 degrees. */
    CHECK(vec3_length(vec3_sub(tangents_normal(q), n)) <= 0.0035);
}

static double symmetric(struct test_random *random)
{
    return (double)test_random_below(random, 2000001) / 1000000 - 1;
}

/* All four components lie midway between two steps, two of them just below and
 * two just above: rounding to nearest rotates by 0.224 degrees. */
static void worst_frame_has_a_small_error(void)
{
    const double low = 0.5 - 1e-6;
    const double high = 0.5 + 1e-6;
    const double q[4] = {low, low, high, high};

    check_frame(vec3_make(2 * (q[0] * q[2] + q[1] * q[3]),
                          2 * (q[1] * q[2] - q[0] * q[3]),
                          1 - 2 * (q[0] * q[0] + q[1] * q[1])),
                vec3_make(1 - 2 * (q[1] * q[1] + q[2] * q[2]),
                          2 * (q[0] * q[1] + q[2] * q[3]),
                          2 * (q[0] * q[2] - q[1] * q[3])));
}

static void packed_frames_are_restored(void)
{
    struct test_random random = {7};
    uint32_t better = 0;

    check_frame(vec3_make(0, 0, 1), vec3_make(1, 0, 0));
    check_frame(vec3_make(0, 0, -1), vec3_make(1, 0, 0));
    check_frame(vec3_make(0, 0, -1), vec3_make(-1, 0, 0));
    check_frame(vec3_make(0, 1, 0), vec3_make(0, 0, 1));
    check_frame(vec3_make(1, 0, 0), vec3_make(0, 1, 0));
    check_frame(vec3_make(0, 0, 1), vec3_make(-1, 0, 0));
    for (int i = 0; i < 20000; i++) {
        struct vec3 n = vec3_make(symmetric(&random), symmetric(&random),
                                  symmetric(&random));
        struct vec3 t = vec3_make(symmetric(&random), symmetric(&random),
                                  symmetric(&random));
        if (!vec3_normalize(&n))
            continue;
        t = vec3_reject(t, n);
        if (vec3_length(t) < 1e-3)
            continue;
        vec3_normalize(&t);
        check_frame(n, t);
        check_stretched(n, t, &better);
    }
    /* Of 2.5 % that are wrong by too much without stretching. */
    CHECK(better > 300);
}

static void without_texture_tangents_move_with_the_triangle(void)
{
    float rest[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    float turned[12];
    struct vec3 up[4];
    struct vec3 still[4];
    struct vec3 moved[4];
    struct tangent_anchor anchors[4];
    struct tangent_mesh mesh = {4, 2, quad, rest, up, NULL, NULL};

    for (int v = 0; v < 4; v++)
        up[v] = vec3_make(0, 0, 1);
    tangents_anchor(&mesh, anchors);
    tangents_make(&mesh, anchors, still);
    /* A rotation by 90 degrees about z. */
    for (int v = 0; v < 4; v++) {
        turned[3 * v] = -rest[3 * v + 1];
        turned[3 * v + 1] = rest[3 * v];
        turned[3 * v + 2] = 5;
    }
    mesh.positions = turned;
    tangents_make(&mesh, anchors, moved);
    for (int v = 0; v < 4; v++) {
        struct vec3 wanted = vec3_make(-still[v].y, still[v].x, 0);

        CHECK_NEAR(vec3_length(vec3_sub(moved[v], wanted)), 0, 1e-6);
        CHECK_NEAR(vec3_length(vec3_sub(still[v], still[0])), 0, 1e-6);
    }
}

static void triangles_without_area_have_tangents(void)
{
    float flat[12] = {0};
    float uvs[8] = {0, 0, 1, 0, 0, 1, 1, 1};
    struct vec3 normals[4];
    struct vec3 tangents[4];
    struct tangent_anchor anchors[4];
    struct tangent_mesh mesh = {4, 2, quad, flat, normals, uvs, NULL};

    for (int v = 0; v < 4; v++)
        normals[v] = vec3_make(v == 0, v == 1, v > 1);
    tangents_anchor(&mesh, anchors);
    tangents_make(&mesh, anchors, tangents);
    for (int v = 0; v < 4; v++) {
        CHECK_NEAR(vec3_length(tangents[v]), 1, 1e-12);
        CHECK_NEAR(vec3_dot(tangents[v], normals[v]), 0, 1e-12);
    }
}

static void angles_are_those_of_the_library(void)
{
    for (int i = 0; i <= 10000; i++) {
        double angle = ARITH_PI * i / 10000;

        CHECK_NEAR(arith_angle(sin(angle), cos(angle)), angle, 1e-12);
        CHECK_NEAR(arith_sin(angle), sin(angle), 1e-12);
        CHECK_NEAR(arith_angle(i, 10000), atan2(i, 10000), 1e-15);
        CHECK_NEAR(arith_angle(10000, i - 10000), atan2(10000, i - 10000),
                   1e-15);
    }
    CHECK_NEAR(arith_angle(1e-30, 1), 1e-30, 1e-45);
    CHECK_NEAR(arith_angle(1e-200, -1e200), ARITH_PI, 1e-15);
    CHECK_NEAR(arith_angle(0, 0), 0, 0);
    CHECK_NEAR(arith_angle(0, -1), ARITH_PI, 0);
}

/* Angles computed several at a time equal those computed one by one. */
static void many_angles_are_those_of_each(void)
{
    enum { COUNT = 101 };
    double y[COUNT];
    double x[COUNT];
    double angles[COUNT];

    for (int i = 0; i < COUNT; i++) {
        y[i] = i % 7 == 0 ? 0 : sin(0.031 * i) * (1 + i);
        x[i] = i % 7 == 0 ? 0 : cos(0.031 * i) * (1 + i);
    }
    for (uint32_t count = 0; count <= COUNT; count++) {
        for (uint32_t i = 0; i < COUNT; i++)
            angles[i] = -1;
        arith_angles(y, x, count, angles);
        for (uint32_t i = 0; i < COUNT; i++)
            CHECK_NEAR(angles[i], i < count ? arith_angle(y[i], x[i]) : -1, 0);
    }
}

TEST_MAIN(TEST(tangents_are_those_of_the_reference),
          TEST(triangles_with_different_handedness_are_split),
          TEST(triangles_that_share_only_a_point_are_split),
          TEST(packed_frames_are_restored), TEST(worst_frame_has_a_small_error),
          TEST(without_texture_tangents_move_with_the_triangle),
          TEST(triangles_without_area_have_tangents),
          TEST(angles_are_those_of_the_library),
          TEST(many_angles_are_those_of_each))
