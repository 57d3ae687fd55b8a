/* test_made_refusals.c
 *
 * Goal: every refusal of the table can occur, with its message.
 * Method: write scenes that are refused, and open them.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/report/refusals.h"
#include "support/made_scene.h"

#include <math.h>
#include <string.h>

static bool was_refused[REFUSAL_COUNT];

/* `words` follow the file and the place in the message. */
static void expect_refused(enum refusal refusal, const char *words)
{
    const char *path = made_scene_path("refused.abc");
    struct abc_archive *archive;
    struct diag diag;

    test_context("%s", refusal_reasons[refusal].text);
    made_close(&made_scene, path);
    CHECK(made_scene_open(path, false, &diag, &archive) == NULL);
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    if (!strstr(diag.text, refusal_reasons[refusal].text))
        test_fail(__FILE__, __LINE__, "refused by another: %s", diag.text);
    if (!strstr(diag.text, words))
        test_fail(__FILE__, __LINE__, "without \"%s\": %s", words, diag.text);
    abc_close(archive);
    diag_finish(&diag);
    was_refused[refusal] = true;
}

static void refuse_mesh(const struct made_mesh *mesh, enum refusal refusal,
                        const char *words)
{
    made_open(&made_scene);
    made_mesh(&made_scene, mesh);
    expect_refused(refusal, words);
}

static void refuse_topologies(void)
{
    static const uint32_t fewer[3] = {GRID_POINTS, GRID_POINTS - 1,
                                      GRID_POINTS - 1};
    static float positions[3 * 3 * GRID_POINTS];
    static int32_t counts[3 * GRID_FACES];
    static int32_t indices[3 * GRID_CORNERS];
    struct made_mesh mesh = made_grid("fewer", 2);

    mesh.point_counts = fewer;
    refuse_mesh(&mesh, REFUSAL_TOPOLOGY,
                "/fewer: topology changes over time: sample 1 (0.0416666667 s) "
                "has 9 faces, 36 corners and 15 points, sample 0 has 9, 36 and "
                "16");
    mesh = made_grid("turned", 1);
    for (int i = 0; i < 3 * GRID_FACES; i++)
        counts[i] = 4;
    for (int i = 0; i < 3 * GRID_CORNERS; i++)
        indices[i] = mesh.indices[i % GRID_CORNERS];
    indices[2 * GRID_CORNERS + 5] = 2;
    mesh.topology_samples = 3;
    mesh.counts = counts;
    mesh.indices = indices;
    refuse_mesh(&mesh, REFUSAL_TOPOLOGY,
                "/turned: topology changes over time: corner 5 (of face 1) is "
                "point 2 in sample 2 (0.0833333333 s), point 5 in sample 1");
    /* Points change before the faces do. */
    mesh.sample_count = 3;
    mesh.point_counts = fewer;
    mesh.positions = positions;
    refuse_mesh(&mesh, REFUSAL_TOPOLOGY,
                "/turned: topology changes over time: sample 1 (0.0416666667 "
                "s) has 9 faces, 36 corners and 15 points, sample 0 has 9, 36 "
                "and 16");
}

static void refuse_matrix(const double matrix[16], const struct made_mesh *mesh,
                          const char *words)
{
    made_open(&made_scene);
    made_xform(&made_scene, "x", 1, matrix, true);
    made_mesh(&made_scene, mesh);
    made_xform_end(&made_scene);
    expect_refused(REFUSAL_NOT_FINITE, words);
}

static void refuse_matrices(void)
{
    double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, NAN, 1};
    struct made_mesh mesh = made_grid("m", 1);

    refuse_matrix(matrix, &mesh,
                  "/x: not a finite number: .vals[14] in sample 0, number 14 "
                  "of operation 0 (matrix), is nan");
    matrix[14] = 1e39;
    refuse_matrix(matrix, &mesh,
                  "/x/m: not a finite number: its translation along z at 0 s "
                  "(frame 0) is 1e+39, more than single precision holds");
    matrix[14] = 0;
    matrix[5] = -1e40;
    refuse_matrix(matrix, &mesh,
                  "/x/m: not a finite number: its scale along y at 0 s (frame "
                  "0) is 1e+40, more than single precision holds");
    /* Two points along y are within the range; three are not. */
    matrix[5] = 2e38;
    refuse_matrix(matrix, &mesh,
                  "/x/m: not a finite number: its reach along y in the world "
                  "at 0 s (frame 0) is 6e+38, more than single precision");
}

static void refuse_positions(void)
{
    static float positions[2 * 3 * GRID_POINTS];
    struct made_mesh mesh = made_grid("m", 2);

    memcpy(positions, made_grid_positions, sizeof positions);
    mesh.positions = positions;
    positions[3 * GRID_POINTS + 7] = -INFINITY;
    refuse_mesh(&mesh, REFUSAL_NOT_FINITE,
                "/m: not a finite number: P of point 2 in sample 1 "
                "(0.0416666667 s) is (2, -inf, ");
    /* Each point is finite, but their distance is not. */
    positions[3 * GRID_POINTS + 7] = 3e38f;
    positions[10] = -3e38f;
    refuse_mesh(&mesh, REFUSAL_NOT_FINITE,
                "/m: not a finite number: P along y is from -3.00000001e+38 of "
                "point 3 in sample 0 (0 s) to 3.00000001e+38 of point 2 in "
                "sample 1 (0.0416666667 s), wider than single precision holds");
}

static void refuse_scenes_without_meshes(void)
{
    static const double still[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                     0, 0, 1, 0, 3, 4, 5, 1};
    struct made_mesh mesh = made_grid("never", 1);

    made_open(&made_scene);
    expect_refused(REFUSAL_NO_MESHES,
                   "abc: there are no meshes: the archive has none");
    made_open(&made_scene);
    made_xform(&made_scene, "alone", 1, still, true);
    made_object(&made_scene, "lens", "AbcGeom_Camera_v1");
    made_object(&made_scene, "eye", "AbcGeom_Camera_v1");
    made_xform_end(&made_scene);
    expect_refused(REFUSAL_NO_MESHES,
                   ": the archive has none; it has 1 transform, 2 cameras");
    mesh.is_hidden = true;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    mesh = made_grid("empty", 0);
    made_mesh(&made_scene, &mesh);
    made_object(&made_scene, "path", "AbcGeom_Curve_v2");
    expect_refused(REFUSAL_NO_MESHES,
                   ": 1 never visible, 1 empty; it has 1 group of curves");
}

static void request_attributes(struct compile_options *options)
{
    options->second_uv_set = "";
    options->keeps_velocities = true;
}

/* A parameter of points whose float 5 is not a number. */
static void refuse_attributes(const struct made_mesh *mesh,
                              struct made_param *param)
{
    static float wide[3 * GRID_POINTS];
    const float *values = param->values;

    made_scene_adjust = request_attributes;
    param->interpretation = NULL;
    param->pod = ABC_F32;
    param->extent = 2;
    param->name = "map2";
    refuse_mesh(mesh, REFUSAL_NOT_FINITE,
                "/m: not a finite number: map2 of point 2 in sample 0 is (0, "
                "nan)");
    param->extent = 3;
    param->name = ".velocities";
    refuse_mesh(mesh, REFUSAL_NOT_FINITE,
                "/m: not a finite number: .velocities of point 1 in sample 0 "
                "is (0, 0, nan)");
    wide[5] = 3e38f;
    wide[11] = -3e38f;
    param->values = wide;
    refuse_mesh(mesh, REFUSAL_NOT_FINITE,
                "/m: not a finite number: .velocities along z is from "
                "-3.00000001e+38 of point 3 in sample 0 to 3.00000001e+38 of "
                "point 1 in sample 0, wider than");
    param->values = values;
    made_scene_adjust = NULL;
}

static void refuse_params(void)
{
    static const char *const names[] = {"N", "uv", "Cd"};
    static const char *const words[] = {
        "/m: not a finite number: N of point 1 in sample 0 is (0, 0, nan)",
        "/m: not a finite number: uv of point 2 in sample 0 is (0, nan)",
        "/m: not a finite number: Cd of point 1 in sample 0 is (0, 0, nan)"};
    static const uint32_t counts[] = {GRID_POINTS};
    static float values[4 * GRID_POINTS];
    struct made_mesh mesh = made_grid("m", 1);
    struct made_param param;

    values[5] = NAN;
    for (uint32_t i = 0; i < 3; i++) {
        param = (struct made_param){.name = names[i],
                                    .scope = "vtx",
                                    .interpretation = i == 2 ? "rgb" : NULL,
                                    .pod = i == 2 ? ABC_F16 : ABC_F32,
                                    .extent = i == 1 ? 2 : 3,
                                    .sample_count = 1,
                                    .counts = counts,
                                    .values = values};

        mesh.param_count = 1;
        mesh.params = &param;
        refuse_mesh(&mesh, REFUSAL_NOT_FINITE, words[i]);
    }
    refuse_attributes(&mesh, &param);
    values[5] = 3e38f;
    values[9] = -3e38f;
    param.name = "uv";
    param.interpretation = NULL;
    param.pod = ABC_F32;
    param.extent = 2;
    refuse_mesh(
        &mesh, REFUSAL_NOT_FINITE,
        "/m: not a finite number: uv along v is from -3.00000001e+38 of "
        "point 4 in sample 0 to 3.00000001e+38 of point 2 in sample 0, "
        "wider than");
}

static void request_colors(struct compile_options *options)
{
    options->color_set = "c";
}

static void request_second_uvs(struct compile_options *options)
{
    options->second_uv_set = "light";
}

/* A name that no object has. Scenes without a mesh have a refusal of their
 * own. */
static void refuse_names(void)
{
    static const uint32_t counts[] = {1};
    static const float values[3];
    struct made_param params[2] = {{.name = "a",
                                    .scope = "con",
                                    .interpretation = "rgb",
                                    .pod = ABC_F32,
                                    .extent = 3,
                                    .sample_count = 1,
                                    .counts = counts,
                                    .values = values}};
    struct made_mesh mesh = made_grid("m", 1);

    params[1] = params[0];
    params[1].name = "b\n";
    made_scene_adjust = request_colors;
    refuse_mesh(&mesh, REFUSAL_NO_PARAM, "--colors c: there are none");
    mesh.params = params;
    mesh.param_count = 2;
    refuse_mesh(&mesh, REFUSAL_NO_PARAM, "--colors c: there are a, b\\x0a");
    made_scene_adjust = request_second_uvs;
    refuse_mesh(&mesh, REFUSAL_NO_PARAM, "--uv-sets light: there are none");
    params[0].name = "map2";
    params[0].extent = 2;
    params[0].interpretation = NULL;
    refuse_mesh(&mesh, REFUSAL_NO_PARAM, "--uv-sets light: there are map2");
    made_scene_adjust = NULL;
}

/* One number of each kind. */
static void refuse_numbers(void)
{
    refuse_matrices();
    refuse_positions();
    refuse_params();
}

static void every_refusal_can_occur(void)
{
    static const char *const schemas[] = {"AbcGeom_PolyMesh_v2",
                                          "AbcGeom_Xform_v4", "AbcGeom_Hair_v1",
                                          "AbcGeom_FaceSet_v2"};
    struct made_mesh mesh = made_grid("m", 1);

    refuse_topologies();
    refuse_numbers();
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
        made_open(&made_scene);
        made_mesh(&made_scene, &mesh);
        made_object(&made_scene, "unknown", schemas[i]);
        expect_refused(REFUSAL_UNKNOWN_GEOMETRY, schemas[i]);
    }
    refuse_scenes_without_meshes();
    refuse_names();
    /* A clip beyond the limits of a cache is too large for a test. test_clip
     * has one that claims to be. */
    was_refused[REFUSAL_TOO_LARGE] = true;
    for (int i = 0; i < REFUSAL_COUNT; i++)
        if (!was_refused[i])
            test_fail(__FILE__, __LINE__, "never: %s", refusal_reasons[i].text);
}

TEST_MAIN(TEST(every_refusal_can_occur))
