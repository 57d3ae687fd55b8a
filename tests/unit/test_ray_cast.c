/* test_ray_cast.c
 *
 * Goal: a ray cast finds the nearest triangle of what spn_node_fill and
 *   spn_node_get_transforms give at the same time, and nothing else.
 * Method: compare many rays with a test of every triangle in doubles
 *   (support/ray_truth.h): at random points of triangles, at corners and along
 *   edges, anywhere; on frames and between them; with lifted, classic and
 *   static meshes, of several parts, hidden, masked, mirrored and flat.
 */
/* SPDX-License-Identifier: MIT */
#include "base/block_codec.h"
#include "harness.h"
#include "play/node/update.h"
#include "runtime.h"
#include "support/ray_truth.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_US 33333
#define SEAMS 50u

static struct stage stage;
static struct memory_sink file;
static spn_node node;
static struct test_random dice;
static uint32_t hits;
static uint32_t misses;

static void open_file(void)
{
    dice = (struct test_random){27};
    hits = misses = 0;
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", file.bytes, file.size);
    stage_open(&stage);
    node = stage_node(&stage, false);
}

/* Positions without noise, all animated: the encoder lifts every mesh. */
static void open_lifted(const struct synthetic_options *o)
{
    struct synthetic_options calm = *o;

    calm.is_noisy = false;
    calm.static_meshes = 0;
    calm.vertices += 260; /* fewer are not lifted */
    memset(&file, 0, sizeof file);
    synthetic_lift(&calm, 8, false, &file);
    open_file();
}

/* The first `seams` triangles have corners in two parts of mesh 0. */
static void open_classic(const struct synthetic_options *o, uint32_t seams)
{
    static struct synthetic_clip clip;

    memset(&file, 0, sizeof file);
    synthetic_make(&clip, o);
    for (uint32_t i = 0; i < seams; i++) {
        uint32_t *corners = clip.clip.meshes[0].indices + (size_t)i * 3;

        corners[0] = i * 7;
        corners[1 + i % 2] = 8300 + i * 5;
        corners[2 - i % 2] = i % 3 == 0 ? 300 : 8900 - i * 3;
    }
    synthetic_classic(&clip, BLOCK_CODEC_LZ4, 8, &file);
    synthetic_free(&clip);
    open_file();
}

static void finish(void)
{
    stage_close(&stage);
    memory_sink_free(&file);
    memset(&file, 0, sizeof file);
}

static void show(int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
    stage_until_ready(&stage, node);
}

/* -- rays -- */

/* -1..1 */
static float number(void)
{
    return (float)((double)test_random_below(&dice, 2000001) / 1000000 - 1);
}

static void cast(const struct ray_truth *t, spn_mesh_id mesh,
                 const spn_ray *ray)
{
    spn_ray_hit hit;

    memset(&hit, 0xee, sizeof hit);
    CHECK_EQ(mesh ? spn_mesh_ray_cast(stage.rt, mesh, ray, &hit)
                  : spn_node_ray_cast(stage.rt, node, ray, &hit),
             SPN_OK);
    ray_truth_check(t, ray, &hit);
    hits += hit.is_hit;
    misses += !hit.is_hit;
}

/* A ray to a point of a triangle. */
static void aim(const struct ray_truth *t, const float weights[3], spn_ray *ray)
{
    const struct truth_triangle *triangle =
        &t->triangles[test_random_below(&dice, t->count)];

    for (int k = 0; k < 3; k++) {
        const double point = weights[0] * triangle->corner[0][k] +
                             weights[1] * triangle->corner[1][k] +
                             weights[2] * triangle->corner[2][k];

        ray->origin[k] = (float)(number() * 2 * t->size);
        ray->direction[k] = (float)(point - ray->origin[k]);
    }
}

/* A ray in the plane of a triangle, along its first edge. */
static void aim_along(const struct ray_truth *t, spn_ray *ray)
{
    const struct truth_triangle *triangle =
        &t->triangles[test_random_below(&dice, t->count)];

    for (int k = 0; k < 3; k++) {
        ray->direction[k] =
            (float)(triangle->corner[1][k] - triangle->corner[0][k]);
        ray->origin[k] =
            (float)(triangle->corner[0][k] - 3 * (double)ray->direction[k]);
    }
    if (ray->direction[0] == 0 && ray->direction[1] == 0)
        ray->direction[2] = 1;
}

static void cast_many(const struct ray_truth *t, spn_mesh_id mesh,
                      uint32_t count)
{
    const float corner[3] = {1, 0, 0};
    const float edge[3] = {0.5f, 0, 0.5f};

    for (uint32_t i = 0; i < count; i++) {
        const float a = (number() + 1) / 2;
        const float b = (number() + 1) / 2 * (1 - a);
        const float inner[3] = {a, b, 1 - a - b};
        spn_ray ray = {0};

        test_context("ray %u", i);
        switch (i % 8) {
        case 0:
            aim(t, corner, &ray);
            break;
        case 1:
            aim(t, edge, &ray);
            break;
        case 2:
            aim_along(t, &ray);
            break;
        case 3: /* along an axis */
            aim(t, inner, &ray);
            for (uint32_t k = 0; k < 3; k++)
                if (k == i / 8 % 3)
                    ray.direction[k] = ray.origin[k] > 0 ? -3 : 3;
                else {
                    ray.origin[k] += ray.direction[k];
                    ray.direction[k] = 0;
                }
            break;
        case 4: /* anywhere */
            for (int k = 0; k < 3; k++) {
                ray.origin[k] = (float)(number() * 3 * t->size);
                ray.direction[k] = number();
            }
            break;
        default:
            aim(t, inner, &ray);
        }
        if (i % 3 == 0) /* may end before it */
            ray.distance_max = (float)(t->size * (number() + 1));
        cast(t, mesh, &ray);
    }
}

static void compare(int64_t time_us, uint32_t mask, uint32_t count)
{
    struct ray_truth t;

    show(time_us);
    ray_truth_take(&t, stage.rt, stage.cache, node, mask);
    CHECK(t.count > 0);
    cast_many(&t, 0, count);
    ray_truth_free(&t);
}

/* -- claims -- */

static const struct synthetic_options several = {.frame_count = 9,
                                                 .mesh_count = 4,
                                                 .vertices = 40,
                                                 .step = 13,
                                                 .static_meshes = 1,
                                                 .is_noisy = true};

static void compare_times(void)
{
    for (uint32_t f = 0; f < 8; f += 3) {
        compare(f * FRAME_US, UINT32_MAX, 400);
        compare(f * FRAME_US + 9000, UINT32_MAX, 400);
        compare(f * FRAME_US + FRAME_US - 1, UINT32_MAX, 400);
    }
    CHECK(hits > 1000 && misses > 200);
}

static void ray_hits_what_lifted_meshes_show(void)
{
    open_lifted(&several);
    compare_times();
    finish();
}

static void ray_hits_what_classic_meshes_show(void)
{
    open_classic(&several, 0);
    compare_times();
    finish();
}

/* Aim at the triangles that have corners in two parts. */
static void cast_at_seams(void)
{
    const float inner[][3] = {
        {0.02f, 0.02f, 0.96f}, {0.02f, 0.96f, 0.02f}, {0.3f, 0.3f, 0.4f}};
    struct ray_truth t;
    struct ray_truth seams;

    ray_truth_take(&t, stage.rt, stage.cache, node, UINT32_MAX);
    seams = t;
    seams.count = SEAMS;
    for (uint32_t i = 0; i < 150; i++) {
        spn_ray ray = {0};

        test_context("ray %u to a seam", i);
        aim(&seams, inner[i % 3], &ray);
        cast(&t, 0, &ray);
    }
    ray_truth_free(&t);
}

/* Parts that the ray misses are skipped. */
static void ray_hits_meshes_of_several_parts(void)
{
    const struct synthetic_options o = {
        .frame_count = 3, .vertices = 9000, .position_step = 3};

    open_classic(&o, SEAMS);
    compare(0, UINT32_MAX, 60);
    cast_at_seams();
    finish();
    open_lifted(&o);
    compare(FRAME_US + 11111, UINT32_MAX, 60);
    CHECK(hits > 20);
    finish();
}

/* Each mesh is one triangle, somewhere else in each frame. */
static void ray_hits_what_moves_far_between_frames(void)
{
    const struct synthetic_options o = {
        .frame_count = 3, .mesh_count = 32, .vertices = 3, .is_noisy = true};

    open_classic(&o, 0);
    compare(FRAME_US, UINT32_MAX, 400);
    compare(FRAME_US + 14000, UINT32_MAX, 800);
    CHECK(hits > 400);
    finish();
}

/* Scale the constant node above all others. */
static void ray_hits_under_any_matrix(void)
{
    static const float scales[][3] = {
        {-1, 1, 1}, {-2, -0.5f, -1}, {1e-3f, 1e-3f, -1e-3f}, {1, 0, 1}};
    struct cache_node *nodes;

    open_lifted(&several);
    nodes = spn__manager_cache(&stage.rt->manager, stage.cache)->tables.nodes;
    /* Two branches, which are not behind each other. */
    nodes[3].parent = 1;
    nodes[4].parent = 3;
    for (uint32_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        struct quat_tns *top = &nodes[0].initial.tns;

        test_context("scale %u", i);
        top->rotation[0] = top->rotation[3] = 0.70710678f;
        memcpy(top->scale, scales[i], sizeof top->scale);
        compare(2 * FRAME_US + 8000, UINT32_MAX, 400);
    }
    CHECK(hits > 200);
    finish();
}

static void compare_hidden(bool is_lazy)
{
    struct synthetic_options o = several;
    const uint32_t mask = 5;
    struct ray_truth t;

    o.static_meshes = 0;
    o.hidden_first = 4;
    o.hidden_limit = 9;
    o.is_lazy = is_lazy;
    open_lifted(&o);
    /* Between a frame that has the mesh and one that hides it. */
    compare(3 * FRAME_US + 10000, UINT32_MAX, 400);
    compare(5 * FRAME_US + 10000, UINT32_MAX, 400);
    ray_truth_take(&t, stage.rt, stage.cache, node, UINT32_MAX);
    for (uint32_t i = 0; i < t.count; i++)
        CHECK(t.triangles[i].mesh != 0);
    ray_truth_free(&t);
    CHECK_EQ(spn_node_set_mesh_mask(stage.rt, node, &mask, 1), SPN_OK);
    compare(3 * FRAME_US + 10000, mask, 400);
    CHECK(hits > 200);
    finish();
}

static void ray_passes_what_is_hidden_or_masked(void)
{
    compare_hidden(false);
    compare_hidden(true);
}

static void ray_hits_static_meshes_without_a_node(void)
{
    struct synthetic_options o = synthetic_static;
    struct ray_truth t;
    spn_mesh_id mesh;

    o.vertices = 8500;
    open_classic(&o, 0);
    CHECK_EQ(spn_cache_get_mesh_id(stage.rt, stage.cache, 1, &mesh), SPN_OK);
    ray_truth_take_mesh(&t, stage.rt, mesh);
    cast_many(&t, mesh, 80);
    CHECK(hits > 20);
    ray_truth_free(&t);
    finish();
}

/* A square of two triangles: points of all edges and corners. */
static void ray_cannot_pass_an_edge(void)
{
    const struct synthetic_options o = {
        .frame_count = 1, .vertices = 200, .is_noisy = true};
    struct ray_truth t;

    open_classic(&o, 0);
    show(0);
    ray_truth_take(&t, stage.rt, stage.cache, node, UINT32_MAX);
    /* Triangle i + 1 of the strip has the corners 1 and 2 of triangle i. */
    for (uint32_t i = 0; i + 1 < t.count; i++) {
        const double(*c)[3] = (const double(*)[3])t.triangles[i].corner;
        const double(*d)[3] = (const double(*)[3])t.triangles[i + 1].corner;
        spn_ray ray = {0};
        spn_ray_hit hit;
        double beside[3];
        double side[2] = {0, 0};
        double normal[3];

        for (int k = 0; k < 3; k++) {
            ray.origin[k] = (float)((c[1][k] + c[2][k]) / 2 + number());
            ray.direction[k] = (float)((c[1][k] + c[2][k]) / 2) - ray.origin[k];
            beside[k] = c[2][k] - c[1][k];
        }
        for (int k = 0; k < 3; k++)
            normal[k] = ray.direction[(k + 1) % 3] * beside[(k + 2) % 3] -
                        ray.direction[(k + 2) % 3] * beside[(k + 1) % 3];
        for (int k = 0; k < 3; k++) {
            side[0] += normal[k] * (c[0][k] - c[1][k]);
            side[1] += normal[k] * (d[2][k] - c[1][k]);
        }
        /* Both on one side: the edge is an outline. */
        if (side[0] * side[1] > -1e-4)
            continue;
        test_context("edge %u", i);
        CHECK_EQ(spn_node_ray_cast(stage.rt, node, &ray, &hit), SPN_OK);
        CHECK(hit.is_hit && hit.distance < 2);
        hits++;
    }
    CHECK(hits > 40);
    ray_truth_free(&t);
    finish();
}

static void ray_cast_validates_its_arguments(void)
{
    static const spn_ray good = {.direction = {0, 0, 1}};
    const float bad[] = {NAN, INFINITY, -INFINITY};
    spn_ray_hit hit = {.mesh = 77};
    spn_ray ray = good;
    spn_mesh_id mesh;

    open_classic(&several, 0);
    CHECK_EQ(spn_cache_get_mesh_id(stage.rt, stage.cache, 0, &mesh), SPN_OK);
    CHECK_EQ(spn_node_ray_cast(stage.rt, node, &ray, &hit), SPN_PENDING);
    show(0);
    CHECK_EQ(spn_node_ray_cast(NULL, node, &ray, &hit), SPN_ERR_ARG);
    CHECK_EQ(spn_node_ray_cast(stage.rt, node, NULL, &hit), SPN_ERR_ARG);
    CHECK_EQ(spn_node_ray_cast(stage.rt, node, &ray, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_node_ray_cast(stage.rt, 0, &ray, &hit), SPN_ERR_HANDLE);
    CHECK_EQ(spn_mesh_ray_cast(NULL, mesh, &ray, &hit), SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_ray_cast(stage.rt, mesh, NULL, &hit), SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_ray_cast(stage.rt, mesh, &ray, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_ray_cast(stage.rt, mesh + 1, &ray, &hit), SPN_ERR_HANDLE);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 7; k++) {
            ray = good;
            if (k < 3)
                ray.origin[k] = bad[i];
            else if (k < 6)
                ray.direction[k - 3] = bad[i];
            else
                ray.distance_max = bad[i];
            CHECK_EQ(spn_node_ray_cast(stage.rt, node, &ray, &hit),
                     k == 6 && i == 1 ? SPN_OK : SPN_ERR_ARG);
        }
    hit.mesh = 77;
    ray = (spn_ray){.direction = {0, 0, 0}};
    CHECK_EQ(spn_node_ray_cast(stage.rt, node, &ray, &hit), SPN_ERR_ARG);
    CHECK_EQ(spn_mesh_ray_cast(stage.rt, mesh, &ray, &hit), SPN_ERR_ARG);
    ray = good;
    ray.distance_max = -1;
    CHECK_EQ(spn_node_ray_cast(stage.rt, node, &ray, &hit), SPN_ERR_ARG);
    CHECK_EQ_U(hit.mesh, 77);
    finish();
}

/* Directions of any length are the same ray. */
static void ray_cast_ignores_the_length_of_the_direction(void)
{
    const float lengths[] = {1e-30f, 1e-3f, 1, 1e30f};
    struct ray_truth t;

    open_lifted(&several);
    show(FRAME_US + 5000);
    ray_truth_take(&t, stage.rt, stage.cache, node, UINT32_MAX);
    for (uint32_t i = 0; i < 4; i++) {
        const float inner[3] = {0.25f, 0.25f, 0.5f};
        spn_ray ray = {0};

        dice = (struct test_random){5};
        aim(&t, inner, &ray);
        for (int k = 0; k < 3; k++)
            ray.direction[k] *= lengths[i];
        cast(&t, 0, &ray);
    }
    CHECK_EQ_U(hits, 4);
    ray_truth_free(&t);
    finish();
}

TEST_MAIN(TEST(ray_hits_what_lifted_meshes_show),
          TEST(ray_hits_what_classic_meshes_show),
          TEST(ray_hits_meshes_of_several_parts),
          TEST(ray_hits_what_moves_far_between_frames),
          TEST(ray_hits_under_any_matrix),
          TEST(ray_passes_what_is_hidden_or_masked),
          TEST(ray_hits_static_meshes_without_a_node),
          TEST(ray_cannot_pass_an_edge), TEST(ray_cast_validates_its_arguments),
          TEST(ray_cast_ignores_the_length_of_the_direction))
