/* test_scene_merge.c
 *
 * Goal: equal meshes of an archive are stored once, whatever shows them; meshes
 *   that differ in anything that is stored are not. verify compares the stored
 *   mesh with all of them.
 * Method: archives of grids under transforms, compiled, verified, and read
 *   back. Pairs of meshes differ in one detail each.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/scene/scene_merge.h"

#include "base/endian.h"
#include "cache/cache_wire_tables.h"
#include "cachefile/cache_reader.h"
#include "harness.h"
#include "host/host.h"
#include "support/cache_checksums.h"
#include "support/made_scene.h"
#include "support/made_verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COPIES 100u

/* -- copies -- */

/* Open a transform that turns, scales and moves the mesh, another one for each
 * number. */
static void open_place(uint32_t number)
{
    const double scale = 1 + 0.25 * (number % 4);
    const double matrix[16] = {0, scale, 0,     0, -scale, 0, 0,      0,
                               0, 0,     scale, 0, number, 2, -scale, 1};
    char name[16];

    snprintf(name, sizeof name, "x%03u", number);
    made_xform(&made_scene, name, 1, matrix, true);
}

static void write_copies(uint32_t sample_count)
{
    struct made_mesh mesh = made_grid("m", sample_count);

    made_open(&made_scene);
    for (uint32_t i = 0; i < COPIES; i++) {
        if (i % 10 == 0)
            open_place(i);
        open_place(i);
        made_mesh(&made_scene, &mesh);
        made_xform_end(&made_scene);
        if (i % 10 == 9)
            made_xform_end(&made_scene);
    }
}

/* Every node shows mesh 0. */
static void check_nodes(void)
{
    const struct cache_tables *tables;
    struct cache_reader *reader;
    uint32_t count = 0;
    struct diag diag;

    diag_init(&diag);
    reader = cache_reader_open(made_scene_path("made.sgc"), &diag);
    CHECK(reader != NULL);
    tables = cache_reader_tables(reader);
    CHECK_EQ_U(cache_reader_header(reader)->mesh_count, 1);
    for (uint32_t n = 0; n < cache_reader_header(reader)->node_count; n++)
        count += tables->nodes[n].mesh == 0;
    CHECK_EQ_U(count, COPIES);
    cache_reader_close(reader);
    diag_finish(&diag);
}

/* made_scene_check compares all of them with the archive. */
static void hundred_equal_meshes_are_stored_once(void)
{
    for (uint32_t samples = 1; samples <= 2; samples++) {
        struct compile_report report;

        test_context("%u samples", samples);
        write_copies(samples);
        (void)made_scene_check(&report);
        CHECK_EQ_U(report.mesh_count, 1);
        CHECK_EQ_U(report.merged_mesh_count, COPIES - 1);
        check_nodes();
    }
}

/* -- differences -- */

static float positions[2][2][3 * GRID_POINTS];
static float values[2][2][3 * GRID_CORNERS];
static int32_t faces[2][GRID_FACES];

enum detail {
    SAME,
    FIRST_POSITION, /* in the first sample */
    LAST_POSITION,  /* in the last one */
    MOVING,         /* only one moves */
    CORNERS,        /* the corners of a face begin at another one */
    UV,
    LAST_UV,
    NORMAL,
    COLOR,
    SECOND_UV,
    SECOND_UV_NAME,
    HAS_COLOR,
    SET_NAME,
    SET_FACES,
    PATH, /* in name and transform alone: equal */
    DETAILS
};

static void fill_values(enum detail detail)
{
    struct made_mesh mesh = made_grid("m", 2);

    for (int m = 0; m < 2; m++) {
        memcpy(positions[m], mesh.positions, sizeof positions[m]);
        for (int s = 0; s < 2; s++)
            for (uint32_t i = 0; i < 3 * GRID_CORNERS; i++)
                values[m][s][i] = (float)(1 + (i * 7 + (uint32_t)s) % 11) / 12;
        for (int32_t f = 0; f < GRID_FACES; f++)
            faces[m][f] = f;
    }
    if (detail == FIRST_POSITION)
        positions[1][0][7] += 0.25f;
    if (detail == LAST_POSITION)
        positions[1][1][7] += 0.25f;
    if (detail == UV || detail == NORMAL || detail == COLOR ||
        detail == SECOND_UV)
        values[1][0][5] += 0.0625f;
    if (detail == LAST_UV)
        values[1][1][5] += 0.0625f;
    if (detail == SET_FACES)
        faces[1][3] = 0;
}

static void ask_second_uvs(struct compile_options *options)
{
    options->second_uv_set = "";
}

/* The parameter of a detail. */
static struct made_param param_of(enum detail detail, int m)
{
    static const uint32_t counts[2] = {GRID_CORNERS, GRID_CORNERS};
    struct made_param param = {.name = "uv",
                               .scope = "fvr",
                               .pod = ABC_F32,
                               .extent = 2,
                               .sample_count = detail == LAST_UV ? 2 : 1,
                               .counts = counts,
                               .values = values[m][0]};
    static float joined[2][2][2 * GRID_CORNERS];

    if (detail == NORMAL) {
        param.name = "N";
        param.extent = 3;
    } else if (detail == COLOR || detail == HAS_COLOR) {
        param.name = "Cd";
        param.extent = 3;
        param.interpretation = "rgb";
    } else if (detail == SECOND_UV || detail == SECOND_UV_NAME) {
        param.name = detail == SECOND_UV_NAME && m == 1 ? "mask" : "light";
    } else if (detail == LAST_UV) {
        for (int s = 0; s < 2; s++)
            memcpy(joined[m][s], values[m][s], sizeof joined[m][s]);
        param.values = joined[m][0];
    }
    return param;
}

static void write_mesh(enum detail detail, int m)
{
    struct made_mesh mesh = made_grid("m", 2);
    const struct made_param param = param_of(detail, m);
    const struct made_face_set set = {
        .name = detail == SET_NAME && m == 1 ? "other" : "set",
        .faces = faces[m],
        .face_count = 4,
        .sample_count = 1};
    static int32_t indices[GRID_CORNERS];

    memcpy(indices, mesh.indices, sizeof indices);
    if (detail == CORNERS && m == 1) {
        const int32_t first = indices[0];

        memmove(indices, indices + 1, 3 * sizeof *indices);
        indices[3] = first;
    }
    mesh.indices = indices;
    mesh.positions = positions[m][0];
    if (detail == MOVING && m == 1)
        mesh.sample_count = 1;
    mesh.param_count = detail != HAS_COLOR || m == 1;
    mesh.params = &param;
    mesh.set_count = 1;
    mesh.sets = &set;
    if (detail == PATH && m == 1)
        mesh.name = "other";
    open_place((uint32_t)m);
    made_mesh(&made_scene, &mesh);
    made_xform_end(&made_scene);
}

static uint32_t merged_with(enum detail detail)
{
    struct compile_report report;

    fill_values(detail);
    made_open(&made_scene);
    for (int m = 0; m < 2; m++)
        write_mesh(detail, m);
    made_scene_adjust = ask_second_uvs;
    (void)made_scene_check(&report);
    made_scene_adjust = NULL;
    CHECK_EQ_U(report.mesh_count + report.merged_mesh_count, 2);
    return report.merged_mesh_count;
}

static void meshes_that_differ_in_a_detail_are_kept(void)
{
    for (uint32_t detail = 0; detail < DETAILS; detail++) {
        test_context("detail %u", detail);
        CHECK_EQ_U(merged_with((enum detail)detail),
                   detail == SAME || detail == PATH);
    }
}

/* -- verify -- */

/* The archive has two different meshes of the same faces. In the cache, both
 * nodes are made to show the first one. */
static void verify_compares_each_object_with_the_shared_mesh(void)
{
    struct verify_report report;
    struct cache_checksums places;
    struct cache_header h;
    struct wire_node *nodes;
    struct diag diag;
    void *bytes;
    size_t size;
    FILE *file;

    CHECK_EQ_U(merged_with(FIRST_POSITION), 0);
    diag_init(&diag);
    CHECK(host_read_file(made_scene_path("made.sgc"), &bytes, &size, &diag));
    diag_finish(&diag);
    CHECK_EQ(spn__cache_header_read(bytes, size, &h, NULL), SPN_OK);
    nodes = (void *)((uint8_t *)bytes + h.tables_offset + h.name_bytes);
    for (uint32_t n = 0; n < h.node_count; n++)
        if (spn_load_u32le(nodes[n].mesh) == 1)
            spn_store_u32le(nodes[n].mesh, 0);
    cache_checksums_find(&places, bytes, size);
    cache_checksums_apply(&places, bytes);
    cache_checksums_free(&places);
    file = fopen(made_scene_path("made.sgc"), "wb");
    CHECK(file != NULL);
    CHECK_EQ_U(fwrite(bytes, 1, size, file), size);
    CHECK_EQ(fclose(file), 0);
    free(bytes);
    made_verify(made_scene_path("made.abc"), made_scene_path("made.sgc"), false,
                &report);
    CHECK(report.failure != NULL);
}

TEST_MAIN(TEST(hundred_equal_meshes_are_stored_once),
          TEST(meshes_that_differ_in_a_detail_are_kept),
          TEST(verify_compares_each_object_with_the_shared_mesh))
