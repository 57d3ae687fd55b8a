/* test_world_error.c
 *
 * Goal: in every tree of transforms meshes lie where the product in doubles
 *   places them, as far as floats allow. No parent is folded without need.
 * Method: write trees whose parents go far away and whose children come back,
 *   open their clips, multiply the transforms of every frame as the runtime
 *   does, and compare the corners of the meshes.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/clip/clip_state.h"
#include "compile/clip/world_error.h"
#include "support/made_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 3, JOINTS_MAX = 12 };

/* -- trees -- */

struct joint {
    int parent; /* -1: none; always an earlier one */
    bool has_mesh;
    double m[FRAMES][16];
    double world[FRAMES][16];
};

static struct joint joints[JOINTS_MAX];
static int joint_count;
static float points[12];
/* Parameters of a test. */
static double unit_metres;
static double precision_mm;

static void clear(void)
{
    static const float near[12] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2};

    joint_count = 0;
    memcpy(points, near, sizeof points);
    unit_metres = 1;
    precision_mm = 1;
}

/* A transform at x that moves with each frame, rotated by an angle about z. */
static int add(int parent, bool has_mesh, double x, double angle)
{
    struct joint *joint = &joints[joint_count];

    joint->parent = parent;
    joint->has_mesh = has_mesh;
    for (int f = 0; f < FRAMES; f++) {
        matrix_identity(joint->m[f]);
        joint->m[f][0] = joint->m[f][5] = cos(angle);
        joint->m[f][1] = sin(angle);
        joint->m[f][4] = -sin(angle);
        joint->m[f][12] = x + 0.1 * f;
    }
    return joint_count++;
}

static void find_worlds(void)
{
    for (int i = 0; i < joint_count; i++)
        for (int f = 0; f < FRAMES; f++) {
            matrix_identity(joints[i].world[f]);
            for (int k = i; k >= 0; k = joints[k].parent)
                matrix_multiply(joints[i].world[f], joints[k].m[f],
                                joints[i].world[f]);
        }
}

static void write_joint(struct made_writer *scene, int number)
{
    static const int32_t counts[4] = {3, 3, 3, 3};
    static const int32_t indices[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    static const uint32_t point_count = 4;
    const struct made_mesh mesh = {.name = "m",
                                   .sample_count = 1,
                                   .point_counts = &point_count,
                                   .positions = points,
                                   .topology_samples = 1,
                                   .face_count = 4,
                                   .counts = counts,
                                   .corner_count = 12,
                                   .indices = indices};
    char name[16];

    snprintf(name, sizeof name, "j%d", number);
    made_xform(scene, name, FRAMES, joints[number].m[0], true);
    if (joints[number].has_mesh)
        made_mesh(scene, &mesh);
    for (int i = number + 1; i < joint_count; i++)
        if (joints[i].parent == number)
            write_joint(scene, i);
    made_xform_end(scene);
}

/* -- clips -- */

struct found {
    uint32_t nodes;
    uint32_t affine_nodes;
    uint64_t warnings; /* warnings about transforms */
    char detail[128];  /* text of the first of them */
    double share;      /* largest error of a corner, relative to the scene's
                        * size */
};

/* Joint of a node: "/j0/j3/m" and "/j0/j3" belong to joint 3. */
static const struct joint *joint_of(const char *path)
{
    const char *last = NULL;

    for (const char *at = path; (at = strstr(at, "/j")) != NULL; at += 2)
        last = at;
    CHECK(last != NULL);
    return &joints[atoi(last + 2)];
}

static void compare_node(const struct joint *joint, int frame,
                         const float place[12], struct frame_box *box,
                         double *worst)
{
    const double *world = joint->world[frame];

    for (int v = 0; v < 4; v++) {
        const float *p = points + 3 * v;
        double square = 0;
        double at[3];

        for (int i = 0; i < 3; i++) {
            double found = (double)place[4 * i + 3];

            at[i] = world[12 + i];
            for (int k = 0; k < 3; k++) {
                at[i] += p[k] * world[4 * k + i];
                found += (double)p[k] * place[4 * i + k];
            }
            square += (found - at[i]) * (found - at[i]);
        }
        frame_box_add_point(box, at);
        *worst = fmax(*worst, sqrt(square));
    }
}

static void compare_frames(struct clip *clip, struct found *found)
{
    struct frame_box box;
    struct arena arena;
    double size = 0;
    double worst = 0;

    arena_init(&arena);
    frame_box_init(&box);
    CHECK_EQ(clip->frame_count, FRAMES);
    for (uint32_t f = 0; f < FRAMES; f++) {
        float places[2 * JOINTS_MAX][12];
        struct clip_frame frame;

        CHECK(clip_frame_produce(clip, f, &arena, &frame));
        for (uint32_t n = 0; n < clip->node_count; n++) {
            int32_t parent = clip->nodes[n].parent;

            spn__transform_resolve(&frame.nodes[n].transform, places[n]);
            if (parent >= 0)
                spn__transform_multiply(places[parent], places[n], places[n]);
            if (clip->nodes[n].mesh >= 0)
                compare_node(joint_of(clip->nodes[n].path), (int)f, places[n],
                             &box, &worst);
        }
    }
    for (int i = 0; i < 3; i++)
        size += (box.max[i] - box.min[i]) * (box.max[i] - box.min[i]);
    found->share = worst / sqrt(size);
    arena_free(&arena);
}

static struct found open_tree(void)
{
    static struct made_writer scene;
    struct compile_options options;
    struct abc_archive *archive;
    struct found found = {0};
    struct clip *clip;
    struct diag diag;
    char path[512];

    find_worlds();
    snprintf(path, sizeof path, "%s/tree.abc", test_temp());
    made_open(&scene);
    for (int i = 0; i < joint_count; i++)
        if (joints[i].parent < 0)
            write_joint(&scene, i);
    made_close(&scene, path);
    compile_options_default(&options);
    options.jobs = 2;
    options.unit_metres = unit_metres;
    options.precision_mm = precision_mm;
    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    CHECK(archive != NULL);
    clip = clip_open(archive, &options);
    if (!clip)
        test_fail(__FILE__, __LINE__, "refused: %s", diag.text);
    found.nodes = clip->node_count;
    found.warnings = clip->state->warnings.of[WARNING_TRANSFORM].count;
    if (found.warnings > 0)
        snprintf(found.detail, sizeof found.detail, "%s",
                 clip->state->warnings.of[WARNING_TRANSFORM].named[0].detail);
    for (uint32_t i = 0; i < clip->node_count; i++)
        found.affine_nodes += clip->nodes[i].is_affine;
    compare_frames(clip, &found);
    clip_close(clip);
    abc_close(archive);
    diag_finish(&diag);
    return found;
}

/* -- claims -- */

static void parents_without_precision_loss_are_kept(void)
{
    struct found found;

    clear();
    add(-1, false, 10, 0.3);
    add(0, true, -9, 0.5);
    add(0, true, 4, 0.7);
    found = open_tree();
    CHECK_EQ(found.nodes, 3);
    CHECK(found.share <= WORLD_ERROR_SHARE);
}

static void a_parent_that_its_children_cancel_is_folded(void)
{
    struct found found;

    clear();
    add(-1, false, 1e6, 0);
    add(0, true, -1e6 + 0.123, 0);
    add(0, true, -1e6 + 1.1, 0.5);
    found = open_tree();
    CHECK_EQ(found.nodes, 2);
    CHECK_EQ(found.affine_nodes, 0);
    CHECK(found.share <= WORLD_ERROR_SHARE);
}

/* The second parent is folded with the first; its children share it. */
static void nodes_below_a_folded_parent_stay_shared(void)
{
    struct found found;

    clear();
    add(-1, false, 1e6, 0);
    add(0, true, -1e6, 0.3);
    add(1, true, 2, 0.1);
    add(1, true, 4, 0.2);
    add(0, true, -1e6, 0);
    found = open_tree();
    /* Joints 1 (and its mesh), 2, 3 and 4. */
    CHECK_EQ(found.nodes, 5);
    CHECK(found.share <= WORLD_ERROR_SHARE);
}

static void precision_loss_far_below_is_corrected(void)
{
    struct found found;

    clear();
    add(-1, false, 1, 0.1);
    for (int i = 0; i < 4; i++) {
        add(2 * i, true, 3, 0.2);
        add(2 * i, false, i == 2 ? 1e6 : i == 3 ? -1e6 : 1, 0);
    }
    add(8, true, 0.5, 0.2);
    add(8, true, 1.5, 0.3);
    joints[7].has_mesh = false; /* with a mesh there the scene would be large */
    add(7, true, -1e6, 0);
    found = open_tree();
    CHECK(found.share <= WORLD_ERROR_SHARE);
    /* The first parent is still one node. */
    CHECK(found.nodes > 7);
}

/* A rotation by 90 degrees at 500 km: as a quaternion its error is 60 mm. */
static void a_far_root_becomes_affine(void)
{
    struct found found;

    clear();
    for (int i = 0; i < 12; i += 3)
        points[i] += 500000;
    add(-1, true, 0, acos(-1) / 2);
    for (int f = 0; f < FRAMES; f++)
        joints[0].m[f][13] = -500000;
    found = open_tree();
    CHECK_EQ(found.nodes, 1);
    CHECK_EQ(found.affine_nodes, 1);
    CHECK_EQ_U(found.warnings, 0);
    CHECK(found.share <= WORLD_ERROR_SHARE);
}

/* A warning where no float has the needed precision. */
static void precision_beyond_floats_causes_a_warning(void)
{
    struct found found;

    clear();
    for (int i = 0; i < 12; i += 3)
        points[i] += 1e7f;
    add(-1, true, 0, 0.5);
    for (int f = 0; f < FRAMES; f++) {
        joints[0].m[f][12] = -1e7 * cos(0.5) + f;
        joints[0].m[f][13] = -1e7 * sin(0.5);
    }
    found = open_tree();
    CHECK_EQ_U(found.warnings, 1);
    CHECK(found.share > WORLD_ERROR_SHARE_MAX);
}

/* At 10,000 km the step of a float is a metre: a motion of 0.25 m is lost. The
 * coordinates explain the error, so nothing can be corrected. */
static void motion_lost_far_away_is_a_warning(void)
{
    struct found found;

    clear();
    add(-1, true, 1e7, 0);
    for (int f = 0; f < FRAMES; f++)
        joints[0].m[f][12] = 1e7 + 0.25 * f;
    found = open_tree();
    CHECK_EQ_U(found.warnings, 1);
    CHECK_STR(found.detail, "500 mm, more than the precision's 1");
    unit_metres = 0.001;
    found = open_tree();
    CHECK_EQ_U(found.warnings, 0);
    precision_mm = 0.25;
    found = open_tree();
    CHECK_EQ_U(found.warnings, 1);
    CHECK_STR(found.detail, "0.5 mm, more than the precision's 0.25");
    /* Sixteen bits for each axis, at any unit. */
    unit_metres = 1;
    precision_mm = 0;
    found = open_tree();
    CHECK_EQ_U(found.warnings, 0);
}

/* A joint that brings the last one back to its start. */
static void come_back(int parent, double x)
{
    int joint = add(parent, true, x, 0);

    find_worlds();
    for (int f = 0; f < FRAMES; f++) {
        const double *w = joints[parent].world[f];
        double *m = joints[joint].m[f];
        double place = m[12];

        /* The inverse of a rotation and a translation. */
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                m[4 * i + k] = w[4 * k + i];
        for (int k = 0; k < 3; k++)
            m[12 + k] = (place - w[12]) * w[4 * k] - w[13] * w[4 * k + 1] -
                        w[14] * w[4 * k + 2];
    }
}

static void random_trees_keep_meshes_in_place(void)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct test_random random = {seed};
        struct found found;

        test_context("seed %u", (unsigned)seed);
        clear();
        add(-1, false, 100, 0.2);
        while (joint_count < 6)
            add((int)test_random_below(&random, (uint32_t)joint_count), false,
                pow(10, test_random_below(&random, 8)),
                test_random_below(&random, 600) / 100.0);
        while (joint_count < JOINTS_MAX)
            come_back((int)test_random_below(&random, 6),
                      test_random_below(&random, 9));
        found = open_tree();
        CHECK(found.share <= WORLD_ERROR_SHARE);
        CHECK_EQ_U(found.warnings, 0);
    }
}

TEST_MAIN(TEST(parents_without_precision_loss_are_kept),
          TEST(a_parent_that_its_children_cancel_is_folded),
          TEST(nodes_below_a_folded_parent_stay_shared),
          TEST(precision_loss_far_below_is_corrected),
          TEST(a_far_root_becomes_affine),
          TEST(precision_beyond_floats_causes_a_warning),
          TEST(motion_lost_far_away_is_a_warning),
          TEST(random_trees_keep_meshes_in_place))
