/* test_made_warnings.c
 *
 * Goal: every warning of the table can occur, and is a refusal with --strict.
 * Method: write scenes that cause a warning, and open them with and without
 *   --strict. Threads as in test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/clip/clip.h"
#include "compile/report/refusals.h"
#include "support/made_scene.h"
#include "verify/verify.h"

#include <math.h>
#include <string.h>

static bool was_warned[WARNING_COUNT];

/* --strict refuses the scene for this reason. */
static void expect_strict(enum warning warning, const char *words)
{
    struct abc_archive *archive;
    struct diag diag;

    CHECK(made_scene_open(made_scene_path("made.abc"), true, &diag, &archive) ==
          NULL);
    if (!strstr(diag.text, warning_reasons[warning].text))
        test_fail(__FILE__, __LINE__, "another warning: %s", diag.text);
    if (!strstr(diag.text, words))
        test_fail(__FILE__, __LINE__, "without \"%s\": %s", words, diag.text);
    abc_close(archive);
    diag_finish(&diag);
    was_warned[warning] = true;
}

/* The scene compiles with only this warning, whose message contains `words`. */
static void expect_warned(enum warning warning, const char *words)
{
    struct compile_report report;

    test_context("%s", warning_reasons[warning].text);
    CHECK_EQ_U(made_scene_check(&report), 1);
    expect_strict(warning, words);
}

static void warn_of_objects(void)
{
    static const struct {
        const char *schema;
        enum warning warning;
    } kinds[] = {{"AbcGeom_Curve_v2", WARNING_DROPPED_CURVES},
                 {"AbcGeom_Points_v1", WARNING_DROPPED_POINTS},
                 {"AbcGeom_Camera_v1", WARNING_DROPPED_CAMERA},
                 {"AbcGeom_Light_v1", WARNING_DROPPED_LIGHT},
                 {"AbcGeom_NuPatch_v2", WARNING_DROPPED_NUPATCH},
                 {"AbcMaterial_Material_v1", WARNING_DROPPED_MATERIAL},
                 {"AbcCollection_Collections_v1", WARNING_DROPPED_COLLECTION},
                 {"Somebody_Own_v1", WARNING_DROPPED_OTHER}};
    struct made_mesh mesh = made_grid("m", 1);

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        made_open(&made_scene);
        made_mesh(&made_scene, &mesh);
        made_object(&made_scene, "one", kinds[i].schema);
        made_object(&made_scene, "two", kinds[i].schema);
        expect_warned(kinds[i].warning,
                      kinds[i].warning == WARNING_DROPPED_OTHER
                          ? "/one: objects of unknown schemas are dropped (2): "
                            "Somebody_Own_v1; also /two: Somebody_Own_v1"
                          : " dropped (2): also /two");
    }
}

/* The control cage is compiled, and its hole is filled. */
static void warn_of_subdivision(void)
{
    struct made_mesh mesh = made_grid("m", 2);
    struct compile_report report;

    mesh.is_subd = true;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    mesh.name = "n";
    made_mesh(&made_scene, &mesh);
    test_context("a cage");
    CHECK_EQ_U(made_scene_check(&report), 2); /* the second warning is of the
                                               * dropped `.holes` */
    CHECK_EQ_U(report.mesh_count, 1);
    CHECK_EQ_U(report.merged_mesh_count, 1);
    CHECK_EQ_U(report.triangle_count, (uint64_t)2 * GRID_FACES);
    CHECK_EQ_U(report.frame_count, 2);
    expect_strict(WARNING_CONTROL_CAGE,
                  "/m: subdivision surfaces become their control cages (2): "
                  "also /n");
}

static struct made_param color(const char *name, const uint32_t *counts,
                               const float *values)
{
    struct made_param param = {.name = name,
                               .scope = "vtx",
                               .interpretation = "rgb",
                               .pod = ABC_F32,
                               .extent = 3,
                               .sample_count = 1,
                               .counts = counts,
                               .values = values};

    return param;
}

static void request_velocities(struct compile_options *options)
{
    options->keeps_velocities = true;
}

static void request_attributes(struct compile_options *options)
{
    options->second_uv_set = "";
    options->keeps_velocities = true;
}

/* Velocities belong to points, even when their number matches another scope. */
static void warn_of_attributes(void)
{
    static const uint32_t counts[] = {GRID_POINTS, GRID_POINTS - 1};
    static const uint32_t corners[] = {GRID_CORNERS};
    static const uint32_t wrong[] = {GRID_POINTS + 1};
    static float values[3 * GRID_CORNERS];
    struct made_mesh mesh = made_grid("m", 1);
    struct made_param params[2];

    made_scene_adjust = request_attributes;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_NO_DATA, "requested data does not exist: "
                                   "--uv-sets 2, --velocities");
    for (int i = 0; i < 4; i++) {
        params[0] = color("map2", i == 3 ? wrong : counts, values);
        params[1] = color(".velocities", i == 1 ? corners : counts, values);
        params[0].interpretation = params[1].interpretation = NULL;
        params[0].extent = 2;
        params[1].sample_count = i == 2 ? 2 : 1;
        mesh.params = params;
        mesh.param_count = 2;
        made_open(&made_scene);
        made_mesh(&made_scene, &mesh);
        if (i == 0) {
            struct compile_report report;

            CHECK_EQ_U(made_scene_check(&report), 0);
            continue;
        }
        expect_warned(i == 3 ? WARNING_UVS_MISFIT : WARNING_VELOCITIES_MISFIT,
                      i == 1   ? ".velocities has 36 values, said to be one "
                                 "a point"
                      : i == 2 ? ".velocities has 15 values in sample 1"
                               : "map2 has 17 values, said to be one a");
    }
    /* The range does not fit into 16 bits at the requested step. */
    values[0] = 4000;
    params[1].sample_count = 1;
    made_open(&made_scene);
    mesh.params = params + 1;
    mesh.param_count = 1;
    made_scene_adjust = request_velocities;
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_PRECISION, "velocities: 62.5 mm/s instead of 24");
    values[0] = 0;
    made_scene_adjust = NULL;
}

static void warn_of_params(void)
{
    static const uint32_t counts[] = {GRID_POINTS, GRID_POINTS - 1};
    static const uint32_t wrong[] = {GRID_POINTS + 1};
    static float values[2 * 4 * GRID_POINTS];
    static float loud[4 * GRID_POINTS];
    struct made_mesh mesh = made_grid("m", 1);
    struct made_param params[2];

    for (uint32_t i = 0; i < 8 * GRID_POINTS; i++)
        values[i] = (float)(i % 5) / 4;
    loud[2] = 1.5f;
    mesh.params = params;
    mesh.param_count = 1;
    for (int is_changing = 0; is_changing < 2; is_changing++)
        for (int kind = 0; kind < 3; kind++) {
            params[0] = color("Cd", is_changing ? counts : wrong, values);
            params[0].sample_count = is_changing ? 2 : 1;
            if (kind < 2) {
                params[0].name = kind == 0 ? "N" : "uv";
                params[0].interpretation = NULL;
                params[0].extent = kind == 0 ? 3 : 2;
            }
            made_open(&made_scene);
            made_mesh(&made_scene, &mesh);
            expect_warned(
                kind == 0   ? WARNING_NORMALS_MISFIT
                : kind == 1 ? WARNING_UVS_MISFIT
                            : WARNING_COLORS_MISFIT,
                is_changing ? " has 15 values in sample 1 (0.0416666667 s), 16 "
                              "in sample 0"
                            : " has 17 values, said to be one a point, for 9 "
                              "faces, 16 points, 36 corners");
        }
    params[0] = color("Cd", counts, loud);
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_COLOR_RANGE,
                  "/m: colours outside 0..1 are clamped (1): Cd goes from 0 to "
                  "1.5");
    params[0] = color("width", counts, values);
    params[0].interpretation = NULL;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_DROPPED_PARAMS,
                  "/m: geometry parameters are dropped (1): width");
    params[0] = color("a", counts, values);
    params[1] = color("b", counts, values);
    mesh.param_count = 2;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_COLOR_SETS,
                  "/m: further colour sets are dropped (1): b");
}

/* A grid whose texture goes from `near` to `far` in one value. */
static void make_far_texture(float near, float far)
{
    static const uint32_t count = GRID_POINTS;
    static float values[2 * GRID_POINTS];
    struct made_mesh mesh = made_grid("m", 1);
    struct made_param uv = {.name = "uv",
                            .scope = "vtx",
                            .pod = ABC_F32,
                            .extent = 2,
                            .sample_count = 1,
                            .counts = &count,
                            .values = values};

    for (int i = 0; i < GRID_POINTS; i++) {
        values[2 * i] = near + (float)(i % GRID_SIDE) / GRID_SIDE;
        values[2 * i + 1] = (float)(i / GRID_SIDE) / GRID_SIDE;
    }
    values[2 * (GRID_POINTS - 1)] = far;
    mesh.param_count = 1;
    mesh.params = &uv;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
}

/* Half a texel of a texture of 2048 is half a step of 16 bits over a range of
 * 32, minus the error of floats. */
static void warn_of_far_texture(void)
{
    struct compile_report report;

    make_far_texture(0, 31);
    CHECK_EQ_U(made_scene_check(&report), 0);
    make_far_texture(0, 33);
    expect_warned(WARNING_PRECISION,
                  "/m: precision is not reached (1): u goes from 0 to 33: off "
                  "by 0.528 texels of a texture of 2048, not by 0.5");
    make_far_texture(0, 1000);
    expect_warned(WARNING_PRECISION, "u goes from 0 to 1000: off by 16 texels");
    make_far_texture(0, 1e30f);
    expect_warned(WARNING_PRECISION, "u goes from 0 to 1.00000002e+30: off ");
    /* Far from 0 but close together: all floats of the range are
     * represented. */
    make_far_texture(1e6f, 1e6f + 1);
    CHECK_EQ_U(made_scene_check(&report), 0);
}

/* A quad, clockwise seen from +z, in two samples. */
static struct made_mesh quad(const float *positions)
{
    static const uint32_t point_counts[2] = {4, 4};
    static const int32_t indices[4] = {0, 1, 2, 3};
    static const int32_t count = 4;
    struct made_mesh mesh = {.name = "quad",
                             .sample_count = 2,
                             .point_counts = point_counts,
                             .positions = positions,
                             .topology_samples = 1,
                             .face_count = 1,
                             .counts = &count,
                             .corner_count = 4,
                             .indices = indices};

    return mesh;
}

/* A figure of eight: its edges intersect in the middle, however it is
 * triangulated. */
static void warn_of_large_face(void)
{
    enum { COUNT = 200 };
    static const uint32_t point_count = COUNT;
    static const int32_t count = COUNT;
    static float positions[3 * COUNT];
    static int32_t indices[COUNT];
    struct made_mesh mesh = {.name = "eight",
                             .sample_count = 1,
                             .point_counts = &point_count,
                             .positions = positions,
                             .topology_samples = 1,
                             .face_count = 1,
                             .counts = &count,
                             .corner_count = COUNT,
                             .indices = indices};

    for (int i = 0; i < COUNT; i++) {
        double angle = 6.283185307179586 * (i + 0.5) / COUNT;

        indices[i] = i;
        positions[3 * i] = (float)(2 * cos(angle));
        positions[3 * i + 1] = (float)(sin(2 * angle) * (1 + 0.3 * cos(angle)));
    }
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_FLIPPED,
                  "/eight: faces have flipped triangles (1): 1 "
                  "faces, the first is face 0, in frame 0; 1 have more than "
                  "32 corners");
}

/* A face that no triangulation and no constant handedness fits in both
 * samples. */
static void warn_of_change(void)
{
    static const float crossed[2 * 12] = {0, 0, 0, 0, 2, 0, 2, 2, 0, 2, 0, 0,
                                          0, 0, 0, 0, 2, 0, 4, 1, 0, 2, 2, 0};
    static const float still[2 * 12] = {0, 0, 0, 0, 2, 0, 2, 2, 0, 2, 0, 0,
                                        0, 0, 0, 0, 2, 0, 2, 2, 0, 2, 0, 0};
    static const float uvs[2 * 8] = {0, 0, 0, 1, 1,  1, 1,  0,
                                     0, 0, 0, 1, -1, 1, -1, 0};
    static const uint32_t counts[2] = {4, 4};
    struct made_param uv = {.name = "uv",
                            .scope = "vtx",
                            .pod = ABC_F32,
                            .extent = 2,
                            .sample_count = 2,
                            .counts = counts,
                            .values = uvs};
    struct made_mesh mesh = quad(crossed);

    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_FLIPPED, "/quad: faces have flipped triangles (1): 1 "
                                   "faces, the first is face 0, in frame 1");
    mesh = quad(still);
    mesh.param_count = 1;
    mesh.params = &uv;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_HANDEDNESS,
                  "/quad: corners whose texture changes its handedness (1): 4 "
                  "corners, the first in frame 1");
}

static void warn_of_what_is_not_there(void)
{
    static const double still[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                     0, 0, 1, 0, 3, 4, 5, 1};
    struct made_mesh mesh = made_grid("m", 1);

    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    made_xform(&made_scene, "alone", 1, still, true);
    made_xform_end(&made_scene);
    expect_warned(WARNING_DROPPED_XFORM,
                  "/alone: transforms with nothing below them are dropped (1)");
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    mesh.name = "never";
    mesh.is_hidden = true;
    made_xform(&made_scene, "above", 1, still, true);
    made_mesh(&made_scene, &mesh);
    made_xform_end(&made_scene);
    expect_warned(WARNING_DROPPED_HIDDEN,
                  "/above/never: meshes that are never visible are dropped "
                  "(1)");
}

/* User properties are counted, without a warning, also with --strict. */
static void user_properties_cause_no_warning(void)
{
    struct made_mesh mesh = made_grid("m", 1);
    struct compile_report report;
    struct abc_archive *archive;
    struct clip *clip;
    struct diag diag;

    mesh.has_user = true;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    mesh.name = "n";
    made_mesh(&made_scene, &mesh);
    CHECK_EQ_U(made_scene_check(&report), 0);
    CHECK_EQ_U(report.user_property_count, 2);
    clip = made_scene_open(made_scene_path("made.abc"), true, &diag, &archive);
    test_context("%s", diag.text);
    CHECK(clip != NULL);
    clip_close(clip);
    abc_close(archive);
    diag_finish(&diag);
}

static void warn_of_the_rest(void)
{
    static const int32_t faces[] = {0, 1, 2, GRID_FACES, -1};
    const struct made_face_set sets[] = {{"mat_1", faces, 2, 1},
                                         {"mat_2", faces + 1, 2, 1},
                                         {"mat_3", faces + 2, 3, 1}};
    static const int32_t moving[] = {0, 1, 0, 2};
    static const struct made_face_set changing[] = {{"mat_4", moving, 2, 2}};
    static float far[3 * GRID_POINTS];
    struct made_mesh mesh = made_grid("m", 1);

    mesh.has_tag = true;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_DROPPED_FOREIGN,
                  "/m: properties outside the schema are dropped (1): tag");
    mesh = made_grid("m", 1);
    mesh.sets = sets;
    mesh.set_count = 2;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_FACE_TWICE,
                  "/m: faces in two face sets (1): 1 faces, the first is face "
                  "1 in mat_1 and mat_2");
    mesh.sets = sets + 2;
    mesh.set_count = 1;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_FACE_OUTSIDE,
                  "/m: face sets name faces that the mesh does not have (1): 2 "
                  "of them, the first is face 9 in mat_3, the mesh has 9");
    mesh.sets = changing;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_FACE_SETS_CHANGE,
                  "/m/mat_4: face sets change over time (1): sample 1 "
                  "(0.0416666667 s) has other faces than sample 0");
    mesh = made_grid("m", 1);
    for (int i = 0; i < 3 * GRID_POINTS; i++)
        far[i] = made_grid_positions[0][i] * 1000;
    mesh.positions = far;
    made_open(&made_scene);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_PRECISION, "/m: precision is not reached (1): ");
    made_open(&made_scene);
    mesh = made_grid("empty", 0);
    made_mesh(&made_scene, &mesh);
    mesh = made_grid("m", 1);
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_EMPTY_MESH,
                  "/empty: empty meshes are dropped (1): P has no samples");
}

/* 10,000 km from the mesh's origin and back, rotated: floats there are a metre
 * apart. verify also reports the error. */
static void warn_of_transforms(void)
{
    static const double turned[16] = {0.6, 0.8, 0, 0, -0.8, 0.6,  0, 0,
                                      0,   0,   1, 0, -6e6, -8e6, 0, 1};
    struct verify_options verify = {.cache = made_scene_path("made.sgc"),
                                    .archive = made_scene_path("made.abc")};
    static float far[3 * GRID_POINTS];
    struct made_mesh mesh = made_grid("m", 1);
    struct compile_options options;
    struct compile_report report;
    struct verify_report verdict;
    struct diag diag;

    for (int i = 0; i < 3 * GRID_POINTS; i++)
        far[i] = made_grid_positions[0][i] * 8 + (i % 3 ? 0 : 1e7f);
    mesh.positions = far;
    made_open(&made_scene);
    made_xform(&made_scene, "turned", 1, turned, true);
    made_mesh(&made_scene, &mesh);
    made_xform_end(&made_scene);
    made_close(&made_scene, verify.archive);
    compile_options_default(&options);
    options.input = verify.archive;
    options.output = verify.cache;
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(compile_run(&options, &diag, NULL, NULL, &report));
    CHECK_EQ_U(diag.warning_count, 1);
    CHECK(verify_run(&verify, &diag, &verdict));
    CHECK_STR(verdict.failure,
              "world transform errors exceed the tolerance (mm)");
    diag_finish(&diag);
    expect_strict(WARNING_TRANSFORM,
                  "/turned/m: world transforms have rounding errors (1)");
}

/* Below a transform that scales an axis to a hundredth, errors of normals grow
 * a hundredfold. */
static void warn_of_stretched_normals(void)
{
    static const double flat[16] = {1, 0, 0,    0, 0, 1, 0, 0,
                                    0, 0, 0.01, 0, 0, 0, 0, 1};
    static const uint32_t count = 1;
    static const float normal[3] = {0.35f, 0.91f, 0.004f};
    struct made_param param = {.name = "N",
                               .scope = "con",
                               .pod = ABC_F32,
                               .extent = 3,
                               .sample_count = 1,
                               .counts = &count,
                               .values = normal};
    struct made_mesh mesh = made_grid("m", 1);

    mesh.param_count = 1;
    mesh.params = &param;
    made_open(&made_scene);
    made_xform(&made_scene, "x", 1, flat, true);
    made_mesh(&made_scene, &mesh);
    made_xform_end(&made_scene);
    expect_warned(WARNING_STRETCHED_NORMALS,
                  " degrees instead of 0.5, stretched by /x/m at 0 s");
}

static void warn_of_near_samples(void)
{
    struct made_mesh mesh = made_grid("m", 2);

    made_open(&made_scene);
    made_scene.step_s = 4e-6;
    made_mesh(&made_scene, &mesh);
    expect_warned(WARNING_MERGED,
                  "/m.geom/P: samples nearer than 10 µs are merged (1): "
                  "1 of 2 have no frame of their own");
}

static void every_warning_can_occur(void)
{
    warn_of_objects();
    warn_of_subdivision();
    warn_of_attributes();
    warn_of_params();
    warn_of_far_texture();
    warn_of_change();
    warn_of_large_face();
    warn_of_what_is_not_there();
    warn_of_the_rest();
    warn_of_transforms();
    warn_of_stretched_normals();
    warn_of_near_samples();
    for (int i = 0; i < WARNING_COUNT; i++)
        if (!was_warned[i])
            test_fail(__FILE__, __LINE__, "never: %s", warning_reasons[i].text);
}

TEST_MAIN(TEST(every_warning_can_occur), TEST(user_properties_cause_no_warning))
