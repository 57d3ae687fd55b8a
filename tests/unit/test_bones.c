/* test_bones.c
 *
 * Goal: a skeleton is drawn as an octahedron for each bone and each root,
 *   between its joints, with faces that look outwards.
 * Method: build the triangles of made poses, and compare corners and normals.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "render/float3.h"
#include "view/bones.h"

#include <math.h>
#include <string.h>

#define JOINTS 4u

static struct arena arena;
static struct bones bones;
static float matrices[JOINTS * 12];
static const float none[3] = {0, 0, 0};
static const float rgb[3] = {1, 0.25f, 0};

static void set_place(uint32_t joint, float x, float y, float z)
{
    float *m = matrices + 12 * (size_t)joint;

    memset(m, 0, 12 * sizeof *m);
    m[0] = m[5] = m[10] = 1;
    m[3] = x;
    m[7] = y;
    m[11] = z;
}

static void start(void)
{
    arena_free(&arena);
    arena_init(&arena);
    bones = (struct bones){.arena = &arena};
    set_place(0, 0, 0, 0);
    set_place(1, 0, 2, 0);
    set_place(2, 3, 2, 0);
    set_place(3, 0, 2, -1);
}

static const uint16_t parents[JOINTS] = {0xffff, 0, 1, 1};
static const struct bone_pose pose = {matrices, parents, JOINTS};

/* Is a place one of the corners of octahedron `index`? */
static bool has_corner(uint32_t index, float x, float y, float z)
{
    const float place[3] = {x, y, z};

    for (uint32_t i = 0; i < BONE_VERTICES; i++)
        if (memcmp(bones.vertices[index * BONE_VERTICES + i].position, place,
                   sizeof place) == 0)
            return true;
    return false;
}

static void each_bone_and_root_has_an_octahedron(void)
{
    start();
    bones_add(&bones, &pose, none, 0.5f, rgb);
    CHECK_EQ(bones.count, JOINTS * BONE_VERTICES);
    CHECK(has_corner(0, 0, -0.5f, 0) && has_corner(0, 0, 0.5f, 0));
    CHECK(has_corner(1, 0, 0, 0) && has_corner(1, 0, 2, 0));
    CHECK(has_corner(2, 0, 2, 0) && has_corner(2, 3, 2, 0));
    CHECK(has_corner(3, 0, 2, 0) && has_corner(3, 0, 2, -1));
    CHECK(!has_corner(3, 3, 2, 0));
    for (uint64_t i = 0; i < bones.count; i++) {
        CHECK_EQ(bones.vertices[i].rgba[0], 255);
        CHECK_EQ(bones.vertices[i].rgba[1], 128);
        CHECK_EQ(bones.vertices[i].rgba[2], 0);
    }
}

static void a_skeleton_can_stand_elsewhere(void)
{
    const float offset[3] = {10, 20, 30};

    start();
    bones_add(&bones, &pose, offset, 0.5f, rgb);
    CHECK(has_corner(1, 10, 20, 30) && has_corner(1, 10, 22, 30));
}

/* The middle of the triangle, seen from the middle of the octahedron, lies in
 * the direction of the normal, which is that of its corners' order. */
static void faces_look_outwards(void)
{
    start();
    set_place(2, 0.3f, 1.1f, -0.7f);
    bones_add(&bones, &pose, none, 0.5f, rgb);
    for (uint64_t i = 0; i < bones.count; i += 3) {
        const struct bone_vertex *v = &bones.vertices[i];
        const struct bone_vertex *first =
            &bones.vertices[i / BONE_VERTICES * BONE_VERTICES];
        float out[3] = {0, 0, 0};
        float sides[2][3];
        float cross[3];

        for (int c = 0; c < 3; c++) {
            float middle = 0;

            for (uint32_t k = 0; k < BONE_VERTICES; k++)
                middle += first[k].position[c] / BONE_VERTICES;
            for (int k = 0; k < 3; k++)
                out[c] += v[k].position[c] / 3;
            out[c] -= middle;
            sides[0][c] = v[1].position[c] - v[0].position[c];
            sides[1][c] = v[2].position[c] - v[0].position[c];
        }
        float3_cross(sides[0], sides[1], cross);
        CHECK(float3_dot(out, v->normal) > 0);
        CHECK(float3_dot(cross, v->normal) > 0);
        CHECK_NEAR(float3_dot(v->normal, v->normal), 1, 1e-5);
    }
}

static void bones_without_length_or_place_are_left_out(void)
{
    start();
    set_place(2, 0, 2, 0);
    bones_add(&bones, &pose, none, 0.5f, rgb);
    CHECK_EQ(bones.count, 3 * BONE_VERTICES);
    start();
    set_place(1, NAN, 2, 0);
    set_place(2, INFINITY, 2, 0);
    bones_add(&bones, &pose, none, 0.5f, rgb);
    CHECK_EQ(bones.count, BONE_VERTICES);
    start();
    set_place(0, 3e38f, 0, 0);
    set_place(1, -3e38f, 0, 0);
    bones_add(&bones, &pose, none, 0.5f, rgb);
    for (uint64_t i = 0; i < bones.count; i++)
        for (int c = 0; c < 3; c++)
            CHECK(isfinite(bones.vertices[i].position[c]) &&
                  isfinite(bones.vertices[i].normal[c]));
}

static void a_box_has_all_joints_that_have_a_place(void)
{
    float box_min[3] = {-1, 0, 0};
    float box_max[3] = {0, 0, 0};

    start();
    set_place(3, 0, NAN, -5);
    bones_enlarge(&pose, box_min, box_max);
    CHECK(box_min[0] == -1 && box_max[0] == 3);
    CHECK(box_min[1] == 0 && box_max[1] == 2);
    CHECK(box_min[2] == 0 && box_max[2] == 0);
    arena_free(&arena);
}

TEST_MAIN(TEST(each_bone_and_root_has_an_octahedron),
          TEST(a_skeleton_can_stand_elsewhere), TEST(faces_look_outwards),
          TEST(bones_without_length_or_place_are_left_out),
          TEST(a_box_has_all_joints_that_have_a_place))
