/* test_check_mesh.c
 *
 * Goal: normals that an archive lacks are those of its faces, weighted by the
 *   angles of the corners. A texture without area in the first frames keeps the
 *   handedness of the triangles that share vertices with it. Each of several
 *   vertices for one corner is compared in every frame.
 * Method: a pyramid of uneven faces, and two quads of which one is textured
 *   later; each is compiled and verified against its archive. A square is
 *   compiled from two triangles that share no point, and verified as one face.
 * Threads as in test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "support/made_scene.h"
#include "support/made_verify.h"
#include "support/scene_writer.h"

enum { SAMPLES = 3 };

static void check_verified(const char *archive, struct verify_report *report)
{
    const char *cache = made_scene_path("mesh.sgc");
    struct compile_options options;

    compile_options_default(&options);
    options.precision_mm = 1;
    options.index_distance = 1; /* so that frames have no invisible mesh */
    made_compile(archive, cache, &options);
    made_verify(archive, cache, false, report);
    CHECK_STR(report->failure ? report->failure : "passed", "passed");
}

static void normals_are_weighted_by_angle(void)
{
    static const int32_t counts[] = {3, 3, 3, 3};
    static const int32_t corners[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1};
    static const float points[] = {0.5f, 0.25f, 3, 0, 0, 0, 0,   4,
                                   1,    7,     4, 0, 1, 0, 0.5f};
    const struct written_property values[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 0, 1, 5, points),
        WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 4, counts),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, 12, corners)};
    const struct written_property mesh[] = {WRITTEN_COMPOUND(".geom", values)};
    const struct written_object top[] = {
        WRITTEN_OBJECT("pyramid", WRITTEN_MESH, mesh)};
    const struct written_scene scene = {NULL, 0, top, 1};
    const char *archive = made_scene_path("pyramid.abc");
    struct verify_report report;

    scene_write(&scene, archive);
    check_verified(archive, &report);
    CHECK_EQ_U(report.normal.count, 12);
}

/* The mesh is invisible in the first sample, but the archive has its texture
 * there. */
static void textures_keep_the_handedness_of_shared_vertices(void)
{
    static const int32_t counts[] = {4, 4};
    static const int32_t corners[] = {0, 3, 4, 1, 1, 4, 5, 2};
    static const float points[18 * SAMPLES] = {
        0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0,
        0, 0, 1, 1, 0, 1, 2, 0, 1, 0, 1, 1, 1, 1, 1, 2, 1, 1,
        0, 0, 2, 1, 0, 2, 2, 0, 2, 0, 1, 2, 1, 1, 2, 2, 1, 2};
    /* Per point. The UVs of the second quad are first a line, then mirrored. */
    static const float uvs[12 * SAMPLES] = {0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1,
                                            0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1,
                                            0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1};
    static const int8_t visible[SAMPLES] = {0, 0, 1};
    const struct written_property values[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 1, SAMPLES, 6, points),
        WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 2, counts),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, 8, corners),
        {"uv", ABC_ARRAY, ABC_F32, 2, 1, SAMPLES, 6, uvs,
         "geoScope=vtx;interpretation=vector", NULL, 0, NULL}};
    const struct written_property mesh[] = {
        WRITTEN_COMPOUND(".geom", values),
        WRITTEN_SCALAR("visible", ABC_I8, 1, 1, SAMPLES, visible)};
    const struct written_object top[] = {
        WRITTEN_OBJECT("quads", WRITTEN_MESH, mesh)};
    static const struct written_sampling samplings[] = {{0, 0.5}};
    const struct written_scene scene = {samplings, 1, top, 1};
    const char *archive = made_scene_path("quads.abc");
    struct verify_report report;

    scene_write(&scene, archive);
    check_verified(archive, &report);
    /* In all frames except the first. */
    CHECK_EQ_U(report.uv.count, 2 * 8 * (SAMPLES - 1));
    CHECK(report.tangent.count > 0);
}

/* A square of one face or, with `is_split`, of two triangles that share no
 * point. In frame 1, which is not among the sampled frames, point `moved` lies
 * elsewhere in the plane of the square. */
enum { MANY = 60, NO_POINT = 6 };

static void write_square(const char *path, bool is_split, uint32_t moved)
{
    static const int32_t counts[] = {3, 3};
    static const int32_t four[] = {4};
    static const int32_t corners[] = {0, 1, 2, 3, 4, 5};
    static const float places[6][2] = {{0, 0}, {0, 1}, {1, 1},
                                       {0, 0}, {1, 1}, {1, 0}};
    static const uint32_t of_face[4] = {0, 1, 2, 5};
    static float points[MANY * 6 * 3];
    const uint32_t point_count = is_split ? 6 : 4;
    const struct written_property values[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 1, MANY, point_count, points),
        WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, is_split ? 2 : 1,
                      is_split ? counts : four),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, point_count, corners)};
    const struct written_property mesh[] = {WRITTEN_COMPOUND(".geom", values)};
    const struct written_object top[] = {
        WRITTEN_OBJECT("square", WRITTEN_MESH, mesh)};
    static const struct written_sampling samplings[] = {{0, 0.5}};
    const struct written_scene scene = {samplings, 1, top, 1};

    for (uint32_t f = 0; f < MANY; f++)
        for (uint32_t i = 0; i < point_count; i++) {
            const float *place = places[is_split ? i : of_face[i]];
            float *point = points + 3 * (f * point_count + i);

            point[0] = place[0] + (f == 1 && i == moved ? 0.01f : 0);
            point[1] = place[1];
            point[2] = 0.125f * (float)f;
        }
    scene_write(&scene, path);
}

static void every_vertex_of_a_corner_is_compared(void)
{
    const char *archive = made_scene_path("square.abc");
    const char *cache = made_scene_path("square.sgc");
    struct compile_options options;

    compile_options_default(&options);
    options.precision_mm = 1;
    for (uint32_t moved = 0; moved <= NO_POINT; moved++) {
        struct verify_report report;

        test_context("point %u", moved);
        write_square(archive, true, moved);
        made_compile(archive, cache, &options);
        write_square(archive, false, NO_POINT);
        made_verify(archive, cache, false, &report);
        CHECK_STR(report.failure ? report.failure : "passed",
                  moved == NO_POINT
                      ? "passed"
                      : "position errors exceed the tolerance (mm)");
        CHECK_EQ_U(report.position.count, 6 * MANY);
    }
}

TEST_MAIN(TEST(normals_are_weighted_by_angle),
          TEST(every_vertex_of_a_corner_is_compared),
          TEST(textures_keep_the_handedness_of_shared_vertices))
