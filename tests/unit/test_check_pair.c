/* test_check_pair.c
 *
 * Goal: a mesh that the cache lacks is counted if it is visible in any frame.
 *   A mesh that the archive lacks is counted.
 * Method: a cache of one mesh against archives of two meshes. The second mesh
 *   is visible in some of three frames.
 * Threads as in test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "support/made_scene.h"
#include "support/made_verify.h"
#include "support/scene_writer.h"

enum { FRAMES = 3 };

/* A moving triangle, and with `visible` another one below the top. */
static void write_triangles(const char *path, const int8_t visible[FRAMES])
{
    static const int32_t counts[] = {3};
    static const int32_t corners[] = {0, 1, 2};
    static const float points[9 * FRAMES] = {0, 0, 0, 0, 2, 0, 2, 2, 0,
                                             1, 0, 0, 1, 2, 0, 3, 2, 0,
                                             2, 0, 0, 2, 2, 0, 4, 2, 0};
    static const float other_points[9 * FRAMES] = {0, 0, 0, 0, 3, 0, 2, 2, 0,
                                                   1, 0, 0, 1, 3, 0, 3, 2, 0,
                                                   2, 0, 0, 2, 3, 0, 4, 2, 0};
    const struct written_property values[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 1, FRAMES, 3, points),
        WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 1, counts),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, 3, corners)};
    /* Equal meshes would be merged. */
    const struct written_property other_values[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 1, FRAMES, 3, other_points), values[1],
        values[2]};
    const struct written_property mesh[] = {WRITTEN_COMPOUND(".geom", values)};
    const struct written_property other[] = {
        WRITTEN_COMPOUND(".geom", other_values),
        WRITTEN_SCALAR("visible", ABC_I8, 1, 1, FRAMES, visible)};
    const struct written_object top[] = {
        {"always", WRITTEN_MESH, mesh, 1, NULL, 0},
        {"other", WRITTEN_MESH, other, 2, NULL, 0}};
    static const struct written_sampling samplings[] = {{0, 0.5}};
    const struct written_scene scene = {samplings, 1, top, visible ? 2 : 1};

    scene_write(&scene, path);
}

static void compile(const char *archive, const char *cache)
{
    struct compile_options options;

    compile_options_default(&options);
    options.precision_mm = 1;
    made_compile(archive, cache, &options);
}

static void a_mesh_visible_in_any_frame_is_counted(void)
{
    const char *archive = made_scene_path("pair.abc");
    const char *cache = made_scene_path("pair.sgc");

    write_triangles(archive, NULL);
    compile(archive, cache);
    for (int mask = 0; mask < 1 << FRAMES; mask++) {
        int8_t visible[FRAMES];
        struct verify_report report;

        for (int f = 0; f < FRAMES; f++)
            visible[f] = (int8_t)(mask >> f & 1);
        test_context("visible in frames of mask %d", mask);
        write_triangles(archive, visible);
        made_verify(archive, cache, false, &report);
        CHECK_EQ_U(report.missing_meshes, mask != 0);
        CHECK_STR(report.failure ? report.failure : "passed",
                  mask ? "meshes of the archive are not in the cache"
                       : "passed");
    }
}

static void a_mesh_that_the_archive_lacks_is_counted(void)
{
    static const int8_t always[FRAMES] = {1, 1, 1};
    const char *archive = made_scene_path("pair.abc");
    const char *cache = made_scene_path("pair.sgc");
    struct verify_report report;

    write_triangles(archive, always);
    compile(archive, cache);
    write_triangles(archive, NULL);
    made_verify(archive, cache, false, &report);
    /* The mesh and the node that shows it. */
    CHECK_EQ_U(report.unknown_nodes, 2);
    CHECK_STR(report.failure, "nodes of the cache are not in the archive");
}

TEST_MAIN(TEST(a_mesh_visible_in_any_frame_is_counted),
          TEST(a_mesh_that_the_archive_lacks_is_counted))
