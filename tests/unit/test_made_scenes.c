/* test_made_scenes.c
 *
 * Goal: scenes with features that no available archive has compile correctly.
 * Method: write scenes and compile them. Compare the clip with samples expanded
 *   by the test's own code, and verify the cache against the archive. Threads
 *   as in test_clip.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "cache/cache_header.h"
#include "host/host.h"
#include "support/made_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t count_of(const char *scope)
{
    return strcmp(scope, "con") == 0   ? 1
           : strcmp(scope, "uni") == 0 ? GRID_FACES
           : strcmp(scope, "fvr") == 0 ? GRID_CORNERS
                                       : GRID_POINTS;
}

static const char *const scopes[] = {"con", "uni", "var", "vtx", "fvr"};

static void colors_of_every_type_and_scope(void)
{
    static const enum abc_pod pods[] = {ABC_F32, ABC_F16, ABC_F64, ABC_U8};
    static float values[2 * 4 * GRID_CORNERS];
    static uint32_t indices[GRID_CORNERS];
    struct compile_report report;
    char name[32];

    /* Values that a half represents exactly. */
    for (uint32_t i = 0; i < 2 * 4 * GRID_CORNERS; i++)
        values[i] = (float)(i * 37 % 256) / 256.0f;
    for (uint32_t i = 0; i < GRID_CORNERS; i++)
        indices[i] = i * 5 % 7;
    for (int is_indexed = 0; is_indexed < 2; is_indexed++)
        for (uint32_t pod = 0; pod < 4; pod++) {
            made_open(&made_scene);
            for (uint32_t k = 0; k < 5 * 2 * 2; k++) {
                bool is_moving = k / 10;
                uint32_t count = count_of(scopes[k % 5]);
                uint32_t stored = is_indexed ? 7 : count;
                struct made_param color = {
                    .name = "Cd",
                    .scope = scopes[k % 5],
                    .interpretation = k / 5 % 2 ? "rgba" : "rgb",
                    .pod = pods[pod],
                    .extent = 3 + k / 5 % 2,
                    .sample_count = 1 + is_moving,
                    .counts = (const uint32_t[]){stored, stored},
                    .values = values,
                    .indices = is_indexed ? indices : NULL,
                    .index_count = count};
                struct made_mesh mesh = made_grid(name, 1);

                snprintf(name, sizeof name, "m%u", k);
                mesh.param_count = 1;
                mesh.params = &color;
                made_mesh(&made_scene, &mesh);
            }
            test_context("%s, pod %u", is_indexed ? "indexed" : "plain", pod);
            CHECK_EQ_U(made_scene_check(&report), 0);
            /* Varying and vertex values are the same. */
            CHECK_EQ_U(report.mesh_count, 16);
            CHECK_EQ_U(report.merged_mesh_count, 4);
        }
}

/* Normals lean, and the texture is stretched, in every scope at once. */
static void normals_and_texture_of_every_scope(void)
{
    static float normals[2 * 3 * GRID_CORNERS];
    static float uvs[2 * 2 * GRID_CORNERS];
    struct compile_report report;
    char name[32];

    for (uint32_t i = 0; i < 2 * GRID_CORNERS; i++) {
        normals[3 * i] = (float)(i * 7 % 11) * 0.05f;
        normals[3 * i + 1] = (float)(i * 3 % 13) * -0.04f;
        normals[3 * i + 2] = 1 + (float)(i % 3);
        uvs[2 * i] = (float)(i * 5 % 17) / 16.0f;
        uvs[2 * i + 1] = (float)(i * i % 19) / 8.0f - 1;
    }
    made_open(&made_scene);
    for (uint32_t k = 0; k < 50; k++) {
        uint32_t samples = 1 + k / 25;
        uint32_t counts[2];
        uint32_t uv_counts[2];
        struct made_param params[2] = {{.name = "N",
                                        .scope = scopes[k % 5],
                                        .interpretation = "normal",
                                        .pod = ABC_F32,
                                        .extent = 3,
                                        .sample_count = samples,
                                        .counts = counts,
                                        .values = normals},
                                       {.name = "uv",
                                        .scope = scopes[k / 5 % 5],
                                        .pod = ABC_F32,
                                        .extent = 2,
                                        .sample_count = samples,
                                        .counts = uv_counts,
                                        .values = uvs}};
        struct made_mesh mesh = made_grid(name, 1 + k % 2);

        counts[0] = counts[1] = count_of(params[0].scope);
        uv_counts[0] = uv_counts[1] = count_of(params[1].scope);
        snprintf(name, sizeof name, "m%u", k);
        mesh.param_count = 2;
        mesh.params = params;
        made_mesh(&made_scene, &mesh);
    }
    /* The warning is of a texture whose direction changes: it is random. */
    CHECK_EQ_U(made_scene_check(&report), 1);
    /* Varying and vertex values are the same. */
    CHECK_EQ_U(report.mesh_count, 46);
    CHECK_EQ_U(report.merged_mesh_count, 4);
}

static void request_colors(struct compile_options *options)
{
    options->color_set = "b";
}

/* A colour set is chosen by name, in any scope. A mesh without the set has no
 * colours. */
static void colors_are_chosen_by_name(void)
{
    static const uint32_t counts[] = {GRID_POINTS};
    static float values[2][3 * GRID_POINTS];
    struct made_param params[2];
    struct made_mesh mesh;
    struct compile_report report;

    for (uint32_t i = 0; i < 3 * GRID_POINTS; i++) {
        values[0][i] = (float)i / (3 * GRID_POINTS);
        values[1][i] = 1 - values[0][i];
    }
    for (uint32_t i = 0; i < 2; i++)
        params[i] = (struct made_param){.name = i ? "b" : "a",
                                        .scope = "vtx",
                                        .interpretation = "rgb",
                                        .pod = ABC_F32,
                                        .extent = 3,
                                        .sample_count = 1,
                                        .counts = counts,
                                        .values = values[i]};
    made_open(&made_scene);
    mesh = made_grid("both", 1);
    mesh.param_count = 2;
    mesh.params = params;
    made_mesh(&made_scene, &mesh);
    mesh.name = "other";
    mesh.param_count = 1;
    made_mesh(&made_scene, &mesh);
    made_scene_adjust = request_colors;
    /* The warning is of the other colour sets. */
    CHECK_EQ_U(made_scene_check(&report), 1);
    made_scene_adjust = NULL;
    CHECK_EQ_U(report.mesh_count, 2);
}

static void request_attributes(struct compile_options *options)
{
    options->keeps_velocities = true;
    options->second_uv_set = "";
}

static void ask_by_name(struct compile_options *options)
{
    request_attributes(options);
    options->second_uv_set = "light";
    options->velocity_precision_mm = 0.5;
    options->flip_v = true;
}

static void request_all_bits(struct compile_options *options)
{
    request_attributes(options);
    options->velocity_precision_mm = 0;
}

/* Two UV sets whose seams differ, and velocities of which two of three samples
 * differ. The second mesh has no velocities. */
static void write_attributes(bool has_others)
{
    static const uint32_t corners[] = {GRID_CORNERS, GRID_CORNERS};
    static const uint32_t points[] = {GRID_POINTS, GRID_POINTS};
    static float uvs[4][2 * 2 * GRID_CORNERS];
    static float velocities[2 * 3 * GRID_POINTS];
    static const char *const names[] = {"uv", "light", "detail"};
    struct made_param params[4];
    struct made_mesh mesh = made_grid("m", 2);

    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < 2 * 2 * GRID_CORNERS; i++)
            uvs[k][i] = (float)((i * 7 + k * 13) % 31) / 31 + (float)k;
        params[k] = (struct made_param){.name = names[k],
                                        .scope = k ? "fvr" : "vtx",
                                        .pod = k == 2 ? ABC_F64 : ABC_F32,
                                        .extent = 2,
                                        .sample_count = k == 1 ? 2 : 1,
                                        .counts = k ? corners : points,
                                        .values = uvs[k]};
    }
    for (uint32_t i = 0; i < 2 * 3 * GRID_POINTS; i++)
        velocities[i] = (float)(i * i % 41) * 0.25f - 3;
    params[3] = (struct made_param){.name = ".velocities",
                                    .scope = "vtx",
                                    .pod = ABC_F32,
                                    .extent = 3,
                                    .sample_count = 2,
                                    .counts = points,
                                    .values = velocities};
    made_open(&made_scene);
    mesh.param_count = has_others ? 4 : 1;
    mesh.params = params;
    made_mesh(&made_scene, &mesh);
    mesh.name = "n";
    mesh.param_count = has_others ? 2 : 1;
    made_mesh(&made_scene, &mesh);
}

static void requested_attributes_are_kept(void)
{
    static void (*const asks[])(struct compile_options *) = {
        request_attributes, ask_by_name, request_all_bits};
    struct compile_report report;

    for (uint32_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
        write_attributes(true);
        made_scene_adjust = asks[i];
        /* Warnings are of other sets, and of a texture that 16 bits cannot hold
         * or that flips. */
        CHECK(made_scene_check(&report) >= 1);
        made_scene_adjust = NULL;
        CHECK_EQ_U(report.mesh_count, 2);
    }
}

static void *compile_attributes(bool has_others, size_t *bytes)
{
    struct compile_report report;
    struct diag diag;
    void *cache;

    write_attributes(has_others);
    made_scene_check(&report);
    diag_init(&diag);
    CHECK(host_read_file(made_scene_path("made.sgc"), &cache, bytes, &diag));
    diag_finish(&diag);
    return cache;
}

/* The bytes are the same. */
static void attributes_that_are_not_requested_cost_nothing(void)
{
    size_t with_bytes;
    size_t without_bytes;
    void *with = compile_attributes(true, &with_bytes);
    void *without = compile_attributes(false, &without_bytes);

    CHECK_EQ_U(with_bytes, without_bytes);
    CHECK(memcmp(with, without, with_bytes) == 0);
    free(with);
    free(without);
}

/* Compile a grid with normals, texture and colours of each corner. The
 * cache's bytes are the caller's to free. */
static void *compile_params(const uint32_t *indices, size_t *bytes)
{
    static float values[4 * GRID_CORNERS];
    static const uint32_t counts[1] = {GRID_CORNERS};
    struct made_param params[] = {
        {.name = "N", .scope = "fvr", .pod = ABC_F32, .extent = 3},
        {.name = "uv", .scope = "fvr", .pod = ABC_F32, .extent = 2},
        {.name = "Col", .scope = "fvr", .pod = ABC_F32, .extent = 4}};
    struct made_mesh mesh = made_grid("m", 1);
    struct compile_report report;
    struct diag diag;
    void *cache;

    for (uint32_t i = 0; i < 4 * GRID_CORNERS; i++)
        values[i] = (float)(1 + i * 11 % 13) / 13;
    for (int i = 0; i < 3; i++) {
        params[i].sample_count = 1;
        params[i].counts = counts;
        params[i].values = values;
        params[i].indices = indices;
    }
    params[2].interpretation = "rgba";
    mesh.param_count = 3;
    mesh.params = params;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    CHECK_EQ_U(made_scene_check(&report), 0);
    diag_init(&diag);
    CHECK(host_read_file(made_scene_path("made.sgc"), &cache, bytes, &diag));
    diag_finish(&diag);
    return cache;
}

/* Blender 2.7x writes colours in this form. */
static void empty_index_arrays_count_as_no_indices(void)
{
    static const uint32_t none[1];
    size_t plain_bytes;
    size_t empty_bytes;
    void *plain = compile_params(NULL, &plain_bytes);
    void *empty = compile_params(none, &empty_bytes);

    CHECK_EQ_U(plain_bytes, empty_bytes);
    CHECK(memcmp(plain, empty, plain_bytes) == 0);
    free(plain);
    free(empty);
}

static void large_meshes_have_wide_indices(void)
{
    enum { WIDE = 300 };
    struct made_mesh mesh = {.name = "wide", .sample_count = 1};
    uint32_t point_count = WIDE * WIDE;
    float *positions = calloc(3 * (size_t)point_count, sizeof *positions);
    int32_t *counts = calloc(point_count, sizeof *counts);
    int32_t *indices = calloc(4 * (size_t)point_count, sizeof *indices);
    struct compile_report report;

    for (uint32_t i = 0; i < point_count; i++) {
        positions[3 * i] = (float)(i % WIDE) * 0.1f;
        positions[3 * i + 1] = (float)(i / WIDE) * 0.1f;
        positions[3 * i + 2] = (float)(i % 17 + i / WIDE % 5) * 0.1f;
    }
    for (int32_t i = 0; i < WIDE * (WIDE - 1); i++) {
        const int32_t corners[4] = {i, i + WIDE, i + WIDE + 1, i + 1};

        if (i % WIDE == WIDE - 1)
            continue;
        counts[mesh.face_count++] = 4;
        memcpy(indices + mesh.corner_count, corners, sizeof corners);
        mesh.corner_count += 4;
    }
    mesh.point_counts = &point_count;
    mesh.positions = positions;
    mesh.topology_samples = 1;
    mesh.counts = counts;
    mesh.indices = indices;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    CHECK_EQ_U(made_scene_check(&report), 0);
    CHECK_EQ_U(report.vertex_count, point_count);
    free(positions);
    free(counts);
    free(indices);
}

/* Faces with no, one and two corners, with the same point three times, and
 * without area, between regular faces. Each corner has its own UVs. */
static void faces_without_triangles_do_not_shift_later_faces(void)
{
    static const int32_t counts[] = {0, 4, 2, 3, 1, 3, 0, 4, 3, 5, 0};
    static const int32_t indices[] = {0, 4, 5, 1, 2, 3, 5,  5, 5,  7,  1, 5, 6,
                                      2, 6, 7, 3, 8, 9, 10, 8, 12, 13, 9, 5};
    static float uvs[2 * 25];
    uint32_t count = 25;
    struct made_param uv = {.name = "uv",
                            .scope = "fvr",
                            .pod = ABC_F32,
                            .extent = 2,
                            .sample_count = 1,
                            .counts = &count,
                            .values = uvs};
    struct made_mesh mesh = made_grid("m", 2);
    struct compile_report report;

    for (uint32_t i = 0; i < 25; i++) {
        uvs[2 * i] = (float)(i * 7 % 25) / 25;
        uvs[2 * i + 1] = (float)(i * 11 % 25) / 25;
    }
    mesh.face_count = 11;
    mesh.counts = counts;
    mesh.corner_count = 25;
    mesh.indices = indices;
    mesh.param_count = 1;
    mesh.params = &uv;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    CHECK_EQ_U(made_scene_check(&report), 0);
    CHECK_EQ_U(report.triangle_count, 2 + 1 + 2 + 1 + 3);
}

/* A polygon with teeth all around. */
static void large_faces_are_triangulated_like_small_ones(void)
{
    enum { CORNERS = 2400 };
    static float positions[3 * CORNERS];
    static int32_t indices[CORNERS];
    static const uint32_t point_count = CORNERS;
    static const int32_t count = CORNERS;
    struct made_mesh mesh = made_grid("saw", 1);
    struct compile_report report;

    for (int32_t i = 0; i < CORNERS; i++) {
        double angle = i * -6.283185307179586 / CORNERS;

        positions[3 * i] = (float)(cos(angle) * (5 + i % 2));
        positions[3 * i + 1] = (float)(sin(angle) * (5 + i % 2));
        indices[i] = i;
    }
    mesh.point_counts = &point_count;
    mesh.positions = positions;
    mesh.face_count = 1;
    mesh.counts = &count;
    mesh.corner_count = CORNERS;
    mesh.indices = indices;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    CHECK_EQ_U(made_scene_check(&report), 0);
    CHECK_EQ_U(report.triangle_count, CORNERS - 2);
}

/* Eight equal samples of each property count as static. */
static void repeated_samples_are_static(void)
{
    static float positions[8 * 3 * GRID_POINTS];
    static float uvs[8 * 2 * GRID_POINTS];
    static uint32_t counts[8];
    struct made_param uv = {.name = "uv",
                            .scope = "vtx",
                            .pod = ABC_F32,
                            .extent = 2,
                            .sample_count = 8,
                            .counts = counts,
                            .values = uvs};
    struct made_mesh mesh = made_grid("m", 8);
    struct compile_report report;

    for (uint32_t s = 0; s < 8; s++) {
        memcpy(positions + s * 3 * (size_t)GRID_POINTS, made_grid_positions[0],
               sizeof made_grid_positions[0]);
        counts[s] = GRID_POINTS;
        for (uint32_t i = 0; i < 2 * GRID_POINTS; i++)
            uvs[s * 2 * GRID_POINTS + i] = (float)i / 32;
    }
    mesh.positions = positions;
    mesh.point_counts = counts;
    mesh.param_count = 1;
    mesh.params = &uv;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    CHECK_EQ_U(made_scene_check(&report), 0);
    CHECK_EQ_U(report.frame_count, 1);
}

static void empty_meshes_are_left_out(void)
{
    static const uint32_t none = 0;
    static const int32_t short_counts[] = {2, 2};
    static const int32_t folded[] = {0, 0, 1, 1};
    struct made_mesh mesh;
    struct compile_report report;

    made_open(&made_scene);
    mesh = made_grid("no_samples", 0);
    made_mesh(&made_scene, &mesh);
    mesh = made_grid("no_points", 1);
    mesh.point_counts = &none;
    mesh.face_count = 0;
    mesh.corner_count = 0;
    made_mesh(&made_scene, &mesh);
    mesh = made_grid("no_triangles", 1);
    mesh.face_count = 2;
    mesh.counts = short_counts;
    mesh.corner_count = 4;
    made_mesh(&made_scene, &mesh);
    mesh = made_grid("no_area", 1);
    mesh.face_count = 1;
    mesh.corner_count = 4;
    mesh.indices = folded;
    made_mesh(&made_scene, &mesh);
    mesh = made_grid("sound", 2);
    made_mesh(&made_scene, &mesh);
    CHECK_EQ_U(made_scene_check(&report), 1);
    CHECK_EQ_U(report.mesh_count, 1);
}

/* Mirrored, sheared, scaled to 0 and back; the parent is stretched. */
/* Compile and verify ignore damage in data that they drop: faces with too many
 * corners in a mesh that is never visible, UVs out of range in a mesh without
 * triangles. */
static void damage_in_dropped_data_is_ignored(void)
{
    static const int32_t wrong[GRID_FACES] = {5, 4, 4, 4, 4, 4, 4, 4, 4};
    static const int32_t line[2] = {0, 1};
    static const int32_t two = 2;
    static const float uvs[4] = {0, 0, 1, 1};
    static const uint32_t counts[1] = {2};
    static const uint32_t outside[2] = {0, 2};
    struct made_param uv = {.name = "uv",
                            .scope = "fvr",
                            .pod = ABC_F32,
                            .extent = 2,
                            .sample_count = 1,
                            .counts = counts,
                            .values = uvs,
                            .indices = outside,
                            .index_count = 2};
    struct made_mesh mesh = made_grid("seen", 1);
    struct compile_report report;

    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    mesh.name = "never";
    mesh.counts = wrong;
    mesh.is_hidden = true;
    made_mesh(&made_scene, &mesh);
    mesh = made_grid("none", 1);
    mesh.counts = &two;
    mesh.face_count = 1;
    mesh.indices = line;
    mesh.corner_count = 2;
    mesh.param_count = 1;
    mesh.params = &uv;
    made_mesh(&made_scene, &mesh);
    mesh.name = "faceless";
    mesh.topology_samples = 0;
    made_mesh(&made_scene, &mesh);
    CHECK_EQ_U(made_scene_check(&report), 2); /* one mesh is hidden, two are
                                               * empty */
    CHECK_EQ_U(report.mesh_count, 1);
}

static void transforms_of_all_kinds(void)
{
    static const double mirrored[2][16] = {
        {-2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1},
        {0, -2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 8, 6, 7, 1}};
    static const double sheared[2][16] = {
        {1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0.25, 1, 0, 0, 1, 0, 1},
        {1, 0, 0, 0, -0.5, 1, 0, 0, 0, 0, -3, 0, 0, 1, 4, 1}};
    static const double vanishing[2][16] = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1},
        {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1}};
    static const double stretched[16] = {1, 0, 0, 0, 0, 3, 0, 0,
                                         0, 0, 1, 0, 1, 1, 1, 1};
    static const double turned[2][16] = {
        {0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
        {0.8, 0.6, 0, 0, -0.6, 0.8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    struct made_mesh mesh = made_grid("m", 2);
    struct compile_report report;

    made_open(&made_scene);
    made_xform(&made_scene, "stretched", 1, stretched, true);
    made_xform(&made_scene, "turned", 2, turned[0], true);
    made_mesh(&made_scene, &mesh);
    made_xform(&made_scene, "sheared", 2, sheared[0], true);
    made_mesh(&made_scene, &mesh);
    made_xform_end(&made_scene);
    made_xform(&made_scene, "alone", 2, mirrored[0], false);
    made_mesh(&made_scene, &mesh);
    made_xform_end(&made_scene);
    made_xform_end(&made_scene);
    made_xform(&made_scene, "vanishing", 2, vanishing[0], true);
    made_mesh(&made_scene, &mesh);
    made_xform_end(&made_scene);
    made_xform_end(&made_scene);
    CHECK_EQ_U(made_scene_check(&report), 0);
    CHECK_EQ_U(report.mesh_count, 1);
    CHECK_EQ_U(report.merged_mesh_count, 3);
}

/* A moving transform above an object that does not inherit has no effect. */
static void transforms_that_are_not_inherited_add_no_frames(void)
{
    static double moving[3][16];
    static const double still[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                     0, 0, 1, 0, 3, 4, 5, 1};
    struct made_mesh mesh = made_grid("m", 1);
    struct compile_report report;

    for (int s = 0; s < 3; s++) {
        memcpy(moving[s], still, sizeof still);
        moving[s][12] = s;
    }
    for (int has_other = 0; has_other < 2; has_other++) {
        made_open(&made_scene);
        made_xform(&made_scene, "moving", 3, moving[0], true);
        made_xform(&made_scene, "alone", 1, still, false);
        made_mesh(&made_scene, &mesh);
        made_xform_end(&made_scene);
        if (has_other)
            made_mesh(&made_scene, &mesh);
        made_xform_end(&made_scene);
        CHECK_EQ_U(made_scene_check(&report), 0);
        CHECK_EQ_U(report.frame_count, has_other ? 3 : 1);
    }
}

/* A moving grid of 24 m, so far from the origin that the distance of floats is
 * larger than a step of 1 mm. */
static void far_meshes_keep_their_precision(void)
{
    static const float places[] = {32768, 40000, 100000, 16777216};
    static float far[2 * 3 * GRID_POINTS];
    struct made_mesh mesh = made_grid("far", 2);
    struct compile_report report;

    mesh.positions = far;
    for (int i = 0; i < 4; i++) {
        test_context("at %g", (double)places[i]);
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < 3 * GRID_POINTS; k++)
                far[3 * GRID_POINTS * s + k] =
                    8 * made_grid_positions[s][k] + (k % 3 ? 0 : places[i]);
        made_open(&made_scene);
        made_mesh(&made_scene, &mesh);
        CHECK_EQ_U(made_scene_check(&report), 0);
    }
}

/* A plane has one normal, so the mean error of normals equals the largest. */
static void rotated_plates_have_right_normals(void)
{
    for (int step = -100; step <= 100; step++) {
        struct made_mesh mesh = made_grid("plate", 1);
        struct compile_report report;
        double slope = 0.0162 * step;

        for (int i = 0; i < GRID_POINTS; i++) {
            float *p = made_grid_positions[0] + 3 * (size_t)i;

            p[2] = (float)(p[0] * slope * 0.7 + p[1] * (1 - slope));
        }
        test_context("slope %g", slope);
        made_open(&made_scene);
        made_mesh(&made_scene, &mesh);
        (void)made_scene_check(&report);
    }
}

TEST_MAIN(TEST(requested_attributes_are_kept),
          TEST(attributes_that_are_not_requested_cost_nothing),
          TEST(colors_are_chosen_by_name), TEST(colors_of_every_type_and_scope),
          TEST(normals_and_texture_of_every_scope),
          TEST(empty_index_arrays_count_as_no_indices),
          TEST(large_meshes_have_wide_indices),
          TEST(faces_without_triangles_do_not_shift_later_faces),
          TEST(large_faces_are_triangulated_like_small_ones),
          TEST(repeated_samples_are_static), TEST(empty_meshes_are_left_out),
          TEST(damage_in_dropped_data_is_ignored),
          TEST(transforms_of_all_kinds),
          TEST(transforms_that_are_not_inherited_add_no_frames),
          TEST(far_meshes_keep_their_precision),
          TEST(rotated_plates_have_right_normals))
