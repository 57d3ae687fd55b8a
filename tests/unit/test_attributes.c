/* test_attributes.c
 *
 * Goal: a node fills velocities and second texture coordinates of an archive
 *   within half a step of the requested precision, also between frames.
 * Method: generated meshes whose velocities and coordinates are functions of
 *   the position, so that the expected value follows from each filled vertex.
 *   They are compiled by each codec and played on a virtual clock.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "cache/cache_header.h"
#include "compile/compile.h"
#include "host/host.h"
#include "support/made_scene.h"
#include "support/stage.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 6 };

static struct stage stage;

/* The archive's value at a position. */
static void velocity_of(const double p[3], double shift, double out[3])
{
    out[0] = 2 * p[1] + shift;
    out[1] = -3 * p[0] + 0.5;
    out[2] = p[2] * 4 - p[0];
}

static void second_uv_of(const double p[3], double shift, double out[2])
{
    out[0] = p[0] * 0.25 + p[2] + shift;
    out[1] = 2 - p[1] * 0.5;
}

static const uint32_t *points_of_each(void)
{
    static uint32_t counts[SAMPLES];

    for (uint32_t s = 0; s < SAMPLES; s++)
        counts[s] = GRID_POINTS;
    return counts;
}

/* A grid that sways; `shift` is added to each attribute. */
static void write_archive(const char *path, double velocity_shift,
                          double uv_shift)
{
    static float positions[SAMPLES][GRID_POINTS][3];
    static float velocities[SAMPLES][GRID_POINTS][3];
    static float uvs[SAMPLES][GRID_POINTS][2];
    struct made_mesh mesh = made_grid("m", SAMPLES);
    struct made_param params[2] = {
        {.name = ".velocities", .extent = 3, .values = velocities[0][0]},
        {.name = "light", .extent = 2, .values = uvs[0][0]}};

    for (uint32_t s = 0; s < SAMPLES; s++)
        for (uint32_t i = 0; i < GRID_POINTS; i++) {
            double p[3];
            double v[3];
            double uv[2];

            for (uint32_t k = 0; k < 3; k++) {
                positions[s][i][k] =
                    made_grid_positions[0][3 * i + k] +
                    0.1f * (float)((s * s + k * s + i * k) % 7);
                p[k] = (double)positions[s][i][k];
            }
            velocity_of(p, velocity_shift, v);
            second_uv_of(p, uv_shift, uv);
            for (uint32_t k = 0; k < 3; k++)
                velocities[s][i][k] = (float)v[k];
            for (uint32_t k = 0; k < 2; k++)
                uvs[s][i][k] = (float)uv[k];
        }
    mesh.positions = positions[0][0];
    mesh.point_counts = points_of_each();
    for (uint32_t i = 0; i < 2; i++) {
        params[i].scope = "vtx";
        params[i].pod = ABC_F32;
        params[i].sample_count = SAMPLES;
        params[i].counts = points_of_each();
    }
    mesh.params = params;
    mesh.param_count = 2;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    made_close(&made_scene, path);
}

static void compile(const char *archive, const char *cache, bool is_lifted,
                    double velocity_precision_mm)
{
    struct compile_options options;
    struct compile_report report;
    struct diag diag;

    compile_options_default(&options);
    options.input = archive;
    options.output = cache;
    options.jobs = 1;
    options.precision_mm = 0.1;
    options.velocity_precision_mm = velocity_precision_mm;
    options.keeps_velocities = true;
    options.second_uv_set = "light";
    options.is_lifted = is_lifted;
    options.lifts_all = is_lifted;
    diag_init(&diag);
    if (!compile_run(&options, &diag, NULL, NULL, &report))
        test_fail(__FILE__, __LINE__, "refused: %s", diag.text);
    CHECK_EQ_U(diag.warning_count, 0);
    diag_finish(&diag);
}

/* The tolerance is half a step of the attribute, and of the positions from
 * which the expected value is computed. */
static void check_vertex(const float out[8], const spn_mesh_info *mesh)
{
    const double p[3] = {(double)out[0], (double)out[1], (double)out[2]};
    const double slack = 5 * 0.1e-3 / 2 * 1.01;
    double velocity[3];
    double uv[2];

    velocity_of(p, 0, velocity);
    second_uv_of(p, 0, uv);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(out[3 + k], velocity[k],
                   slack + (double)mesh->velocity_step[k] / 2 + 1e-5);
    for (int k = 0; k < 2; k++)
        CHECK_NEAR(out[6 + k], uv[k],
                   slack + (double)mesh->second_uv_step[k] / 2 + 1e-5);
}

static void play(const char *cache, double velocity_step)
{
    static const spn_vertex_layout layout = {
        .stride = 32,
        .position = {0, SPN_FORMAT_F32X3},
        .velocity = {12, SPN_FORMAT_F32X3},
        .second_uv = {24, SPN_FORMAT_F32X2}};
    static float out[4 * GRID_CORNERS][8];
    spn_mesh_info mesh;
    spn_node node;
    struct diag diag;
    size_t size;
    void *bytes;

    diag_init(&diag);
    CHECK(host_read_file(cache, &bytes, &size, &diag));
    diag_finish(&diag);
    CHECK_EQ_U(((const uint8_t *)bytes)[8], CACHE_VERSION);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", bytes, size);
    stage_open(&stage);
    CHECK_EQ(spn_cache_get_mesh(stage.rt, stage.cache, 0, &mesh), SPN_OK);
    CHECK(mesh.has_second_uvs && mesh.has_velocities && !mesh.has_uvs);
    CHECK_STR(mesh.second_uv_name, "light");
    for (int k = 0; k < 3; k++)
        CHECK((double)mesh.velocity_step[k] <= velocity_step);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    for (int64_t us = 0; us < (SAMPLES - 1) * 1000000 / 24; us += 9000) {
        test_context("at %lld us", (long long)us);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, us), SPN_OK);
        stage_tick(&stage, 9000);
        CHECK_EQ(
            spn_node_fill(stage.rt, node, 0, &layout, out, sizeof out, NULL),
            SPN_OK);
        for (uint32_t v = 0; v < mesh.vertex_count; v++)
            check_vertex(out[v], &mesh);
    }
    stage_close(&stage);
    free(bytes);
}

static void nodes_fill_the_values_of_the_archive(void)
{
    const char *archive = made_scene_path("sway.abc");
    const char *cache = made_scene_path("sway.sgc");

    write_archive(archive, 0, 0);
    for (int is_lifted = 0; is_lifted < 2; is_lifted++) {
        compile(archive, cache, is_lifted, -1);
        play(cache, 24 * 0.1e-3);
        compile(archive, cache, is_lifted, 50);
        play(cache, 50e-3);
        compile(archive, cache, is_lifted, 0);
        play(cache, 20.0 / 65535);
    }
}

/* The archive differs from the cache in one attribute. */
static void verify_finds_differences(void)
{
    static const double shifts[3][2] = {{0, 0}, {0.02, 0}, {0, 0.001}};
    static const char *const failures[3] = {
        NULL, "velocity errors exceed the tolerance (mm/s)",
        "second UV errors exceed the tolerance (UV units)"};
    const char *archive = made_scene_path("sway.abc");
    const char *cache = made_scene_path("sway.sgc");

    write_archive(archive, 0, 0);
    compile(archive, cache, false, -1);
    for (int i = 0; i < 3; i++) {
        const struct verify_options options = {.cache = cache,
                                               .archive = archive};
        struct verify_report report;
        struct diag diag;

        test_context("archive %d", i);
        write_archive(archive, shifts[i][0], shifts[i][1]);
        diag_init(&diag);
        CHECK(verify_run(&options, &diag, &report));
        if (failures[i])
            CHECK_STR(report.failure, failures[i]);
        else
            CHECK(report.failure == NULL);
        CHECK(report.velocity.count > 0 && report.second_uv.count > 0);
        diag_finish(&diag);
    }
}

TEST_MAIN(TEST(nodes_fill_the_values_of_the_archive),
          TEST(verify_finds_differences))
