/* test_scene_import.c
 *
 * Goal: the right objects become parts, others are dropped with the right
 *   warning, and the frame times are right.
 * Method: write small archives from tables; compare parts, warnings and times.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/scene/scene_import.h"
#include "support/scene_writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- what the archives are made of -- */

static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const int32_t three[1] = {3};
static const int32_t ring[3] = {0, 1, 2};
static const int8_t hidden[1] = {0};
static const int8_t hidden_then_seen[2] = {0, 1};
static const uint8_t translate[1] = {1 << 4};
static const double two_places[6] = {0, 0, 0, 1, 2, 3};
static const double one_place[6] = {4, 5, 6, 4, 5, 6};

static const struct written_property geometry[] = {
    WRITTEN_ARRAY("P", ABC_F32, 3, 0, 1, 3, corners),
    WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 1, three),
    WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, 3, ring)};
static const struct written_property no_faces[] = {
    WRITTEN_ARRAY("P", ABC_F32, 3, 0, 1, 3, corners),
    WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 0, three),
    WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, 0, ring)};
static const struct written_property moves[] = {
    WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, translate),
    WRITTEN_SCALAR(".vals", ABC_F64, 3, 1, 2, two_places)};
static const struct written_property identity_ops[] = {
    WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, translate),
    WRITTEN_SCALAR(".vals", ABC_F64, 3, 1, 2, one_place)};

#define VISIBLE(values)                                                        \
    WRITTEN_SCALAR("visible", ABC_I8, 1, 2, WRITTEN_COUNT(values), values)
static const struct written_property mesh[] = {
    WRITTEN_COMPOUND(".geom", geometry)};
static const struct written_property empty[] = {
    WRITTEN_COMPOUND(".geom", no_faces)};
static const struct written_property hidden_mesh[] = {
    WRITTEN_COMPOUND(".geom", geometry), VISIBLE(hidden)};
static const struct written_property late_mesh[] = {
    WRITTEN_COMPOUND(".geom", geometry), VISIBLE(hidden_then_seen)};
static const struct written_property moving[] = {
    WRITTEN_COMPOUND(".xform", moves)};
static const struct written_property stationary[] = {
    WRITTEN_COMPOUND(".xform", identity_ops)};

#define MESH(name, properties) WRITTEN_OBJECT(name, WRITTEN_MESH, properties)
#define XFORM(name, properties, below)                                         \
    {                                                                          \
        name, WRITTEN_XFORM, properties, WRITTEN_COUNT(properties), below,     \
            WRITTEN_COUNT(below)                                               \
    }

#define XFORM_ALONE(name, properties)                                          \
    WRITTEN_OBJECT(name, WRITTEN_XFORM, properties)

/* -- one archive at a time -- */

static struct imported {
    struct scene_import import;
    struct timeline timeline;
    struct warnings warnings;
    struct abc_archive *archive;
    struct arena arena;
    struct diag diag;
    bool is_good;
} is;

/* Sampling 1: 10, 10.5; sampling 2: 20, 21. */
static void open_scene(const struct written_object *objects, uint32_t count)
{
    static const struct written_sampling samplings[] = {{10, 0.5}, {20, 1}};
    struct written_scene scene = {samplings, 2, objects, count};
    struct compile_options options;
    char path[512];

    memset(&is, 0, sizeof is);
    snprintf(path, sizeof path, "%s/gather.abc", test_temp());
    scene_write(&scene, path);
    compile_options_default(&options);
    options.allows_empty = true;
    diag_init(&is.diag);
    is.diag.is_silent = true;
    arena_init(&is.arena);
    is.archive = abc_open(path, &is.diag);
    test_context("%s", is.diag.text);
    CHECK(is.archive != NULL);
    is.is_good = scene_import_open(&is.import, is.archive, &options,
                                   &is.warnings, &is.arena);
    if (!is.is_good)
        return;
    timeline_begin(&is.timeline, &is.arena);
    CHECK(scene_import_times(&is.import, &is.timeline));
    CHECK(timeline_finish(&is.timeline, -1, 100));
}

static void close_scene(void)
{
    abc_close(is.archive);
    arena_free(&is.arena);
    diag_finish(&is.diag);
}

static uint64_t warned(enum warning warning)
{
    return is.warnings.of[warning].count;
}

static uint64_t warnings_in_all(void)
{
    uint64_t count = 0;

    for (int i = 0; i < WARNING_COUNT; i++)
        count += is.warnings.of[i].count;
    return count;
}

/* -- claims -- */

static void import_keeps_meshes_and_their_ancestors(void)
{
    static const struct written_object below[] = {MESH("shape", mesh)};
    static const struct written_object locator[] = {
        {"tip", WRITTEN_XFORM, stationary, 1, NULL, 0}};
    static const struct written_object top[] = {XFORM("a", stationary, below),
                                                XFORM("b", moving, locator)};

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(is.is_good);
    CHECK_EQ(is.import.part_count, 2);
    CHECK_STR(is.import.parts[0].path, "/a");
    CHECK_STR(is.import.parts[1].path, "/a/shape");
    CHECK_EQ(is.import.parts[0].parent, -1);
    CHECK_EQ(is.import.parts[1].parent, 0);
    CHECK_EQ(is.import.parts[0].mesh, -1);
    CHECK_EQ(is.import.parts[1].mesh, 0);
    CHECK(is.import.parts[0].is_constant);
    CHECK_EQ(warned(WARNING_DROPPED_XFORM), 2);
    CHECK_EQ(warnings_in_all(), 2);
    /* What was dropped moves nothing. */
    CHECK_EQ(is.timeline.count, 1);
    close_scene();
}

static void import_finds_moving_transforms(void)
{
    static const struct written_object below[] = {MESH("shape", late_mesh)};
    static const struct written_object top[] = {XFORM("a", moving, below)};
    bool is_visible;
    double m[16];
    bool inherits;

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(is.is_good);
    CHECK(!is.import.parts[0].is_constant);
    CHECK(is.import.parts[0].is_similarity);
    CHECK_EQ(is.timeline.count, 4);
    CHECK_NEAR(is.timeline.times[0], 10, 1e-12);
    CHECK_NEAR(is.timeline.times[1], 10.5, 1e-12);
    CHECK_NEAR(is.timeline.times[2], 20, 1e-12);
    CHECK_NEAR(is.timeline.times[3], 21, 1e-12);
    CHECK(scene_import_matrix(&is.import, 0, 10.25, m, &inherits));
    CHECK(inherits);
    CHECK_NEAR(m[12], 0.5, 1e-12);
    CHECK_NEAR(m[13], 1, 1e-12);
    CHECK_NEAR(m[14], 1.5, 1e-12);
    CHECK(scene_import_is_visible(&is.import, 1, 20.9, &is_visible) &&
          !is_visible);
    CHECK(scene_import_is_visible(&is.import, 1, 21, &is_visible) &&
          is_visible);
    close_scene();
}

static void import_opens_an_instanced_mesh_once(void)
{
    static const struct written_property source[] = {
        WRITTEN_SCALAR(".instanceSource", ABC_STRING, 1, 0, 1, "/full")};
    static const struct written_property nothing[] = {
        WRITTEN_SCALAR(".instanceSource", ABC_STRING, 1, 0, 1, "/empty")};
    static const struct written_object top[] = {
        MESH("empty", empty),
        WRITTEN_OBJECT("also_empty", "isInstance=1", nothing),
        MESH("full", mesh), MESH("other", mesh),
        WRITTEN_OBJECT("twin", "isInstance=1", source)};

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(is.is_good);
    CHECK_EQ(is.import.shape_count, 2);
    CHECK_EQ(is.import.part_count, 3);
    CHECK_STR(is.import.parts[2].path, "/twin");
    CHECK_EQ(is.import.parts[0].mesh, 0);
    CHECK_EQ(is.import.parts[1].mesh, 1);
    CHECK_EQ(is.import.parts[2].mesh, 0);
    CHECK_EQ(warned(WARNING_EMPTY_MESH), 1);
    close_scene();
}

static void import_drops_meshes_that_are_hidden_for_ever(void)
{
    static const struct written_object top[] = {MESH("seen", mesh),
                                                MESH("never", hidden_mesh),
                                                MESH("late", late_mesh)};

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(is.is_good);
    CHECK_EQ(is.import.part_count, 2);
    CHECK_STR(is.import.parts[0].path, "/late");
    CHECK_STR(is.import.parts[1].path, "/seen");
    CHECK_EQ(is.import.shape_count, 2);
    CHECK_EQ(warned(WARNING_DROPPED_HIDDEN), 1);
    CHECK_EQ(warnings_in_all(), 1);
    CHECK_STR(is.warnings.of[WARNING_DROPPED_HIDDEN].named[0].place, "/never");
    close_scene();
}

/* A dropped transform has a warning of its own only if no dropped object below
 * it has one. */
static void import_names_transforms_without_meshes(void)
{
    static const struct written_property shows_camera[] = {
        WRITTEN_SCALAR(".instanceSource", ABC_STRING, 1, 0, 1, "/lens/eye")};
    static const struct written_object leaf[] = {
        XFORM_ALONE("tip", stationary)};
    static const struct written_object seen[] = {
        MESH("shape", mesh), XFORM("hook", stationary, leaf),
        XFORM_ALONE("eyelet", moving)};
    static const struct written_object camera[] = {
        {"eye", "schema=AbcGeom_Camera_v1", NULL, 0, NULL, 0}};
    static const struct written_object shown[] = {
        WRITTEN_OBJECT("again", "isInstance=1", shows_camera)};
    static const struct written_object never[] = {MESH("never", hidden_mesh)};
    static const struct written_object none[] = {MESH("none", empty)};
    static const struct written_object folder[] = {
        {"inside", NULL, NULL, 0, NULL, 0}};
    static const struct written_object top[] = {
        XFORM("sail", moving, seen),        XFORM("lens", stationary, camera),
        XFORM("mirror", stationary, shown), XFORM("ghost", stationary, never),
        XFORM("husk", stationary, none),    XFORM("box", stationary, folder)};
    static const char *const named[] = {"/box", "/sail/eyelet", "/sail/hook",
                                        "/sail/hook/tip"};

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(is.is_good);
    CHECK_EQ(is.import.part_count, 2);
    CHECK_EQ(warned(WARNING_DROPPED_XFORM), WRITTEN_COUNT(named));
    for (uint32_t i = 0; i < WRITTEN_COUNT(named); i++)
        CHECK_STR(is.warnings.of[WARNING_DROPPED_XFORM].named[i].place,
                  named[i]);
    CHECK_EQ(warned(WARNING_DROPPED_CAMERA), 1);
    CHECK_EQ(warned(WARNING_DROPPED_HIDDEN), 1);
    CHECK_EQ(warned(WARNING_EMPTY_MESH), 1);
    CHECK_EQ(warnings_in_all(), WRITTEN_COUNT(named) + 3);
    close_scene();
}

static void import_keeps_transforms_where_no_mesh_is_left(void)
{
    static const struct written_object below[] = {MESH("never", hidden_mesh),
                                                  MESH("empty", empty),
                                                  MESH("also", hidden_mesh)};
    static const struct written_object top[] = {
        XFORM("a", moving, below),
        {"b", WRITTEN_XFORM, stationary, 1, NULL, 0}};

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(is.is_good);
    CHECK_EQ(is.import.shape_count, 0);
    CHECK_EQ(is.import.part_count, 2);
    CHECK_STR(is.import.parts[0].path, "/a");
    CHECK_STR(is.import.parts[1].path, "/b");
    CHECK_EQ(is.timeline.count, 2);
    CHECK_EQ(warned(WARNING_DROPPED_HIDDEN), 2);
    CHECK_STR(is.warnings.of[WARNING_DROPPED_HIDDEN].named[0].place, "/a/also");
    CHECK_EQ(warned(WARNING_DROPPED_XFORM), 0);
    CHECK_EQ(warned(WARNING_EMPTY_MESH), 1);
    close_scene();
}

static void import_opens_an_empty_archive(void)
{
    open_scene(NULL, 0);
    CHECK(is.is_good);
    CHECK_EQ(is.import.part_count, 0);
    CHECK_EQ(is.timeline.count, 1);
    CHECK_NEAR(is.timeline.times[0], -1, 0);
    close_scene();
}

static void import_names_each_kind_that_it_drops(void)
{
    static const struct {
        const char *schema;
        enum warning warning;
    } kinds[] = {
        {"schema=AbcGeom_Curve_v2", WARNING_DROPPED_CURVES},
        {"schema=AbcGeom_Points_v1", WARNING_DROPPED_POINTS},
        {"schema=AbcGeom_Camera_v1", WARNING_DROPPED_CAMERA},
        {"schema=AbcGeom_Light_v1", WARNING_DROPPED_LIGHT},
        {"schema=AbcGeom_NuPatch_v2", WARNING_DROPPED_NUPATCH},
        {"schema=AbcMaterial_Material_v1", WARNING_DROPPED_MATERIAL},
        {"schema=AbcCollection_Collections_v1", WARNING_DROPPED_COLLECTION},
        {"schema=House_Door_v1", WARNING_DROPPED_OTHER}};

    for (size_t i = 0; i < WRITTEN_COUNT(kinds); i++) {
        const struct written_object top[] = {
            MESH("seen", mesh),
            {"one", kinds[i].schema, NULL, 0, NULL, 0},
            {"two", kinds[i].schema, NULL, 0, NULL, 0}};

        open_scene(top, WRITTEN_COUNT(top));
        test_context("%s", kinds[i].schema);
        CHECK(is.is_good);
        CHECK_EQ(is.import.part_count, 1);
        CHECK_EQ(warned(kinds[i].warning), 2);
        CHECK_EQ(warnings_in_all(), 2);
        CHECK_STR(is.warnings.of[kinds[i].warning].named[0].place, "/one");
        CHECK_STR(is.warnings.of[kinds[i].warning].named[1].place, "/two");
        close_scene();
    }
}

/* Once, however often it is shown, and not where nothing of it is kept. */
static void import_takes_the_cages_of_subdivision_surfaces(void)
{
    static const struct written_property again[] = {
        WRITTEN_SCALAR(".instanceSource", ABC_STRING, 1, 0, 1, "/smooth")};
    static const struct written_object top[] = {
        WRITTEN_OBJECT("smooth", WRITTEN_SUBD, mesh),
        WRITTEN_OBJECT("twin", "isInstance=1", again),
        WRITTEN_OBJECT("never", WRITTEN_SUBD, hidden_mesh)};

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(is.is_good);
    CHECK_EQ(is.import.part_count, 2);
    CHECK_EQ(is.import.shape_count, 1);
    CHECK_STR(is.import.parts[1].path, "/twin");
    CHECK_EQ(is.import.parts[1].mesh, 0);
    CHECK_EQ(warned(WARNING_DROPPED_HIDDEN), 1);
    CHECK_EQ(warned(WARNING_CONTROL_CAGE), 1);
    CHECK_STR(is.warnings.of[WARNING_CONTROL_CAGE].named[0].place, "/smooth");
    CHECK_EQ(warnings_in_all(), 2);
    close_scene();
}

/* Is `name` the `index`th that a warning names, of `place`? */
static void check_named(enum warning warning, uint32_t index, const char *place,
                        const char *name)
{
    test_context("%s, %u", warning_reasons[warning].text, index);
    CHECK(index < is.warnings.of[warning].count);
    CHECK_STR(is.warnings.of[warning].named[index].place, place);
    CHECK_STR(is.warnings.of[warning].named[index].detail, name);
}

/* Whatever hangs on an object that is kept, and is neither of its schema nor
 * used, is named once, however often it is shown. */
static void import_names_each_property_that_it_drops(void)
{
    static const float numbers[9] = {0};
    static const struct written_property values[] = {
        WRITTEN_ARRAY("width", ABC_F32, 1, 0, 1, 3, numbers),
        WRITTEN_SCALAR("flag", ABC_U8, 1, 0, 1, translate)};
    static const struct written_property users[] = {
        WRITTEN_SCALAR("id", ABC_U8, 1, 0, 1, translate),
        WRITTEN_COMPOUND("more", values)};
    static const struct written_property rich[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 0, 1, 3, corners),
        WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 1, three),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, 3, ring),
        WRITTEN_ARRAY(".velocities", ABC_F32, 3, 0, 1, 3, numbers),
        WRITTEN_ARRAY(".accelerations", ABC_F32, 3, 0, 0, 0, numbers),
        WRITTEN_ARRAY("rest", ABC_F32, 3, 0, 1, 3, numbers),
        WRITTEN_COMPOUND(".arbGeomParams", values),
        WRITTEN_COMPOUND(".userProperties", users)};
    static const struct written_property rich_mesh[] = {
        WRITTEN_COMPOUND(".geom", rich),
        WRITTEN_SCALAR("tag", ABC_U8, 1, 0, 1, translate)};
    static const struct written_property rich_moves[] = {
        WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, translate),
        WRITTEN_SCALAR(".vals", ABC_F64, 3, 1, 2, two_places),
        WRITTEN_COMPOUND(".userProperties", users)};
    static const struct written_property rich_xform[] = {
        WRITTEN_COMPOUND(".xform", rich_moves)};
    static const struct written_property twin[] = {
        WRITTEN_SCALAR(".instanceSource", ABC_STRING, 1, 0, 1, "/a")};
    static const struct written_object below[] = {MESH("m", rich_mesh)};
    static const struct written_object top[] = {
        XFORM("a", rich_xform, below),
        WRITTEN_OBJECT("twin", "isInstance=1", twin),
        {"folder", NULL, users, 1, NULL, 0}};

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(is.is_good);
    CHECK_EQ(is.import.part_count, 4);
    CHECK_EQ(warned(WARNING_DROPPED_PARAMS), 4);
    check_named(WARNING_DROPPED_PARAMS, 0, "/a/m", ".velocities");
    check_named(WARNING_DROPPED_PARAMS, 1, "/a/m", "rest");
    check_named(WARNING_DROPPED_PARAMS, 2, "/a/m", "flag");
    check_named(WARNING_DROPPED_PARAMS, 3, "/a/m", "width");
    CHECK_EQ(warned(WARNING_DROPPED_FOREIGN), 2);
    check_named(WARNING_DROPPED_FOREIGN, 0, "/a/m", "tag");
    check_named(WARNING_DROPPED_FOREIGN, 1, "/folder", "id");
    CHECK_EQ(warnings_in_all(), 6);
    CHECK_EQ_U(is.warnings.user_property_count, 4);
    close_scene();
}

/* However long its name is. */
static void import_accepts_objects_without_a_schema(void)
{
    static char metadata[400] = "schema=";
    struct written_object top[] = {MESH("seen", mesh),
                                   {"odd", metadata, NULL, 0, NULL, 0}};

    memset(metadata + 7, 'x', sizeof metadata - 8);
    open_scene(top, WRITTEN_COUNT(top));
    CHECK(is.is_good);
    check_named(WARNING_DROPPED_OTHER, 0, "/odd", metadata + 7);
    close_scene();
    memcpy(metadata + 7, "AbcGeom_", 8);
    open_scene(top, WRITTEN_COUNT(top));
    CHECK(!is.is_good);
    CHECK(strstr(is.diag.text, "/odd: unknown kind of geometry: AbcGeom_xx") !=
          NULL);
    CHECK(strlen(is.diag.text) < 700);
    close_scene();
}

/* What a transform's numbers are, and what they make. */
static void import_names_the_number_that_is_not_finite(void)
{
    static const uint8_t two_ops[2] = {0, 1 << 4};
    static const uint8_t scales[3] = {0, 0, 0};
    static double values[2 * 9] = {1, 1, 1, 0, 0, 0, 0, 0, 0,
                                   1, 1, 1, 0, 0, 0, 0, 0, 0};
    struct written_property channels[] = {
        WRITTEN_SCALAR(".ops", ABC_U8, 2, 0, 1, two_ops),
        WRITTEN_SCALAR(".vals", ABC_F64, 6, 1, 2, values)};
    const struct written_property xform[] = {
        WRITTEN_COMPOUND(".xform", channels)};
    const struct written_object below[] = {MESH("m", mesh)};
    const struct written_object top[] = {XFORM("a", xform, below)};

    values[6 + 4] = NAN;
    open_scene(top, WRITTEN_COUNT(top));
    CHECK(!is.is_good);
    test_context("%s", is.diag.text);
    CHECK(strstr(is.diag.text,
                 "gather.abc: /a: not a finite number: .vals[4] in sample 1 "
                 "(10.5 s), number 1 of operation 1 (translate), is nan") !=
          NULL);
    close_scene();
    for (int i = 0; i < 3; i++)
        values[6 + i] = 1;
    values[6 + 4] = -2e226;
    open_scene(top, WRITTEN_COUNT(top));
    CHECK(!is.is_good);
    test_context("%s", is.diag.text);
    CHECK(strstr(is.diag.text,
                 ".vals[4] in sample 1 (10.5 s), number 1 of operation 1 "
                 "(translate), is -2e+226, more than single precision holds") !=
          NULL);
    close_scene();
    channels[0] = (struct written_property)WRITTEN_SCALAR(".ops", ABC_U8, 3, 0,
                                                          1, scales);
    channels[1] = (struct written_property)WRITTEN_SCALAR(".vals", ABC_F64, 9,
                                                          1, 2, values);
    values[6 + 4] = 0;
    for (int i = 0; i < 9; i++)
        values[9 + i] = i % 3 == 1 ? -1e90 : 1;
    open_scene(top, WRITTEN_COUNT(top));
    CHECK(!is.is_good);
    test_context("%s", is.diag.text);
    CHECK(strstr(is.diag.text,
                 "/a: not a finite number: the operations of .vals in sample 1 "
                 "(10.5 s) make a matrix with -1e+270 in row 1, column 1, more "
                 "than single precision holds") != NULL);
    close_scene();
}

/* A folder has no schema, and nothing to be dropped. */
static void import_visits_folders(void)
{
    static const struct written_object below[] = {MESH("shape", mesh)};
    static const struct written_object top[] = {
        {"folder", NULL, NULL, 0, below, 1}};

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(is.is_good);
    CHECK_EQ(is.import.part_count, 1);
    CHECK_STR(is.import.parts[0].path, "/folder/shape");
    CHECK_EQ(is.import.parts[0].parent, -1);
    CHECK_EQ(warnings_in_all(), 0);
    close_scene();
}

static void import_refuses_geometry_of_an_unknown_kind(void)
{
    static const struct written_object top[] = {
        MESH("seen", mesh),
        {"odd", "schema=AbcGeom_PolyMesh_v9;schemaBaseType=AbcGeom_GeomBase_v1",
         NULL, 0, NULL, 0}};

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(!is.is_good);
    CHECK(strstr(is.diag.text, "/odd: unknown kind of geometry: "
                               "AbcGeom_PolyMesh_v9") != NULL);
    CHECK_EQ(is.diag.code, EXIT_INPUT_REFUSED);
    close_scene();
}

/* Three reasons for a refusal, and yet there are times. */
static void survey_continues_when_a_scene_is_refused(void)
{
    static const int32_t two_rings[6] = {0, 1, 2, 0, 2, 1};
    static const double no_places[6] = {0, 0, 0, 1, NAN, 3};
    static const struct written_property turning[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 0, 1, 3, corners),
        WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 1, three),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 2, 2, 3, two_rings)};
    static const struct written_property turning_mesh[] = {
        WRITTEN_COMPOUND(".geom", turning)};
    static const struct written_property leaves[] = {
        WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, translate),
        WRITTEN_SCALAR(".vals", ABC_F64, 3, 1, 2, no_places)};
    static const struct written_property leaving[] = {
        WRITTEN_COMPOUND(".xform", leaves)};
    static const struct written_object below[] = {MESH("shape", turning_mesh)};
    static const struct written_object top[] = {
        {"odd", "schema=AbcGeom_PolyMesh_v9;schemaBaseType=AbcGeom_GeomBase_v1",
         NULL, 0, NULL, 0},
        XFORM("a", leaving, below)};
    static const double wanted[] = {10, 10.5, 20, 21};
    struct compile_options options;

    open_scene(top, WRITTEN_COUNT(top));
    CHECK(!is.is_good);
    compile_options_default(&options);
    options.allows_empty = true;
    timeline_begin(&is.timeline, &is.arena);
    CHECK(scene_import_survey(&is.import, is.archive, &options, &is.timeline,
                              &is.arena));
    CHECK(timeline_finish(&is.timeline, -1, 100));
    CHECK_EQ(is.timeline.count, WRITTEN_COUNT(wanted));
    for (uint32_t i = 0; i < WRITTEN_COUNT(wanted); i++)
        CHECK_NEAR(is.timeline.times[i], wanted[i], 1e-12);
    close_scene();
}

TEST_MAIN(TEST(import_keeps_meshes_and_their_ancestors),
          TEST(import_finds_moving_transforms),
          TEST(import_opens_an_instanced_mesh_once),
          TEST(import_drops_meshes_that_are_hidden_for_ever),
          TEST(import_names_transforms_without_meshes),
          TEST(import_keeps_transforms_where_no_mesh_is_left),
          TEST(import_opens_an_empty_archive),
          TEST(import_takes_the_cages_of_subdivision_surfaces),
          TEST(import_names_each_kind_that_it_drops),
          TEST(import_names_each_property_that_it_drops),
          TEST(import_accepts_objects_without_a_schema),
          TEST(import_names_the_number_that_is_not_finite),
          TEST(import_visits_folders),
          TEST(import_refuses_geometry_of_an_unknown_kind),
          TEST(survey_continues_when_a_scene_is_refused))
