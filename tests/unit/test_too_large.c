/* test_too_large.c
 *
 * Goal: data beyond a limit of caches is refused with its kind, its count and
 *   the limit.
 * Method: archives with one too many of each kind, and clips that only claim
 *   such sizes.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/clip/clip.h"
#include "compile/layout/parts.h"
#include "compile/report/refusals.h"
#include "compile/write/tables.h"
#include "compile/write/writer.h"
#include "support/scene_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOO_LARGE "does not fit a cache: "

static void check_text(const struct diag *diag, const char *words)
{
    CHECK_EQ(diag->code, EXIT_INPUT_REFUSED);
    if (!strstr(diag->text, words))
        test_fail(__FILE__, __LINE__, "without \"%s\": %s", words, diag->text);
}

/* -- archives -- */

static void refuse_scene(const struct written_scene *scene, const char *words)
{
    struct compile_options options;
    struct abc_archive *archive;
    struct diag diag;
    char path[512];

    snprintf(path, sizeof path, "%s/large.abc", test_temp());
    scene_write(scene, path);
    compile_options_default(&options);
    options.allows_empty = true;
    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    if (!archive)
        test_fail(__FILE__, __LINE__, "not opened: %s", diag.text);
    CHECK(clip_open(archive, &options) == NULL);
    check_text(&diag, words);
    abc_close(archive);
    diag_finish(&diag);
    remove(path);
}

static const uint8_t translate[1] = {1 << 4};
static const double origin[3] = {0, 0, 0};
static const struct written_property identity_ops[] = {
    WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, translate),
    WRITTEN_SCALAR(".vals", ABC_F64, 3, 0, 1, origin)};
static const struct written_property stationary[] = {
    WRITTEN_COMPOUND(".xform", identity_ops)};

static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const int32_t three[1] = {3};
static const int32_t ring[3] = {0, 1, 2};
static const struct written_property geometry[] = {
    WRITTEN_ARRAY("P", ABC_F32, 3, 0, 1, 3, corners),
    WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 1, three),
    WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, 3, ring)};
static const struct written_property mesh[] = {
    WRITTEN_COMPOUND(".geom", geometry)};

/* A folder of 256 transforms with 256 instances. */
static void too_many_nodes_are_counted(void)
{
    enum { SIDE = 256 };
    static const struct written_property shows[] = {
        WRITTEN_SCALAR(".instanceSource", ABC_STRING, 1, 0, 1, "/n0")};
    static char names[SIDE][8];
    static struct written_object below[SIDE];
    static struct written_object objects[SIDE];
    const struct written_scene scene = {NULL, 0, objects, SIDE};

    for (uint32_t i = 0; i < SIDE; i++) {
        snprintf(names[i], sizeof names[i], "n%u", i);
        below[i] = (struct written_object)WRITTEN_OBJECT(
            names[i], WRITTEN_XFORM, stationary);
        objects[i] = (struct written_object)WRITTEN_OBJECT(
            names[i], "isInstance=1", shows);
    }
    objects[0] = (struct written_object){names[0], NULL, NULL, 0, below, SIDE};
    refuse_scene(&scene, "large.abc: " TOO_LARGE "65536 nodes, at most 65535");
}

static void too_many_frames_are_counted(void)
{
    enum { SAMPLES = 262145 };
    static const struct written_sampling samplings[] = {{10, 0.5}, {0, 1}};
    static const double two_places[6] = {0, 0, 0, 1, 0, 0};
    double *places = calloc(3 * SAMPLES, sizeof *places);
    const struct written_property flies[] = {
        WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, translate),
        WRITTEN_SCALAR(".vals", ABC_F64, 3, 1, SAMPLES, places)};
    const struct written_property hops[] = {
        WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, translate),
        WRITTEN_SCALAR(".vals", ABC_F64, 3, 2, 2, two_places)};
    const struct written_property flying[] = {
        WRITTEN_COMPOUND(".xform", flies)};
    const struct written_property hopping[] = {
        WRITTEN_COMPOUND(".xform", hops)};
    const struct written_object objects[] = {
        WRITTEN_OBJECT("few", WRITTEN_XFORM, hopping),
        WRITTEN_OBJECT("many", WRITTEN_XFORM, flying)};
    const struct written_scene scene = {samplings, 2, objects, 2};

    CHECK(places != NULL);
    for (uint32_t i = 0; i < SAMPLES; i++)
        places[3 * i] = i;
    refuse_scene(&scene,
                 "/many.xform/.vals: " TOO_LARGE "262147 frames, at most "
                 "262144; it has 262145 samples, the most of all that moves");
    free(places);
}

static void too_long_a_time_is_refused_with_its_sample(void)
{
    static const struct written_sampling samplings[] = {{-1e12, 2e12}};
    static const double places[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    static const struct written_property moves[] = {
        WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, translate),
        WRITTEN_SCALAR(".vals", ABC_F64, 3, 1, 3, places)};
    static const struct written_property moving[] = {
        WRITTEN_COMPOUND(".xform", moves)};
    static const struct written_object objects[] = {
        WRITTEN_OBJECT("slow", WRITTEN_XFORM, moving)};
    const struct written_scene scene = {samplings, 1, objects, 1};

    refuse_scene(&scene,
                 "/slow.xform/.vals: " TOO_LARGE "sample 2 is at 3e+12 s; from "
                 "the first frame to the last it is 4e+12 s, at most 1.15e+12");
}

static void too_many_materials_are_named(void)
{
    enum { SETS = 65537 };
    static const struct written_property faces[] = {
        WRITTEN_ARRAY(".faces", ABC_I32, 1, 0, 1, 1, ring)};
    static const struct written_property set[] = {
        WRITTEN_COMPOUND(".faceset", faces)};
    static char names[SETS][12];
    static struct written_object sets[SETS];
    static const struct written_object objects[] = {
        {"m", WRITTEN_MESH, mesh, 1, sets, SETS}};
    const struct written_scene scene = {NULL, 0, objects, 1};

    for (uint32_t i = 0; i < SETS; i++) {
        snprintf(names[i], sizeof names[i], "s%u", i);
        sets[i] = (struct written_object)WRITTEN_OBJECT(
            names[i], "schema=AbcGeom_FaceSet_v1", set);
    }
    snprintf(names[0], sizeof names[0], "glass");
    refuse_scene(&scene,
                 "large.abc: " TOO_LARGE "no material id is left for face set "
                 "glass: there are 65537 names of face sets, which have all "
                 "from 1 to 65535");
}

/* -- clips -- */

static void refuse_layout(const struct clip *clip, const char *words)
{
    struct layout layout;
    struct arena arena;
    struct diag diag;

    arena_init(&arena);
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!layout_make(clip, NULL, &arena, &diag, &layout));
    check_text(&diag, words);
    diag_finish(&diag);
    arena_free(&arena);
}

static void layouts_are_refused_with_numbers(void)
{
    struct clip_mesh meshes[3] = {
        {.path = "/a", .vertex_count = 65536, .index_count = UINT32_MAX - 2},
        {.path = "/b", .vertex_count = 65537, .index_count = UINT32_MAX - 2},
        {.path = "/c", .vertex_count = 65537, .index_count = 6}};
    struct clip clip = {
        .file_name = "a.abc", .frame_count = 1, .meshes = meshes};

    clip.mesh_count = 3;
    refuse_layout(&clip,
                  "a.abc: " TOO_LARGE "4294967299 indices of the triangles of "
                  "all meshes with more than 65536 vertices, at most "
                  "4294967295");
    meshes[2].vertex_count = 65536;
    refuse_layout(&clip,
                  "a.abc: " TOO_LARGE "4294967299 indices of the triangles of "
                  "all meshes with up to 65536 vertices, at most 4294967295");
    clip.mesh_count = 65536;
    refuse_layout(&clip, "a.abc: " TOO_LARGE "65536 meshes, at most 65535");
    clip.node_count = 65536;
    refuse_layout(&clip, "a.abc: " TOO_LARGE "65536 nodes, at most 65535");
    clip.frame_count = 262145;
    refuse_layout(&clip, "a.abc: " TOO_LARGE "262145 frames, at most 262144");
}

static bool swallow(void *user, const void *data, size_t bytes)
{
    (void)user;
    (void)data;
    (void)bytes;
    return true;
}

static struct cache_writer writer_of(struct arena *arena, struct diag *diag)
{
    struct cache_writer writer = {.sink = {.append = swallow},
                                  .arena = arena,
                                  .diag = diag,
                                  .file = "a.abc"};

    arena_init(arena);
    diag_init(diag);
    diag->is_silent = true;
    return writer;
}

static void names_are_refused_with_numbers(void)
{
    enum { BYTES = 32769 };
    struct clip_node *nodes = calloc(65535, sizeof *nodes);
    struct clip clip = {
        .file_name = "a.abc", .node_count = 65535, .nodes = nodes};
    struct cache_header header = {0};
    struct layout layout = {0};
    struct cache_writer writer;
    struct arena arena;
    struct diag diag;
    char *name = malloc(BYTES);

    CHECK(nodes != NULL && name != NULL);
    memset(name, 'n', BYTES - 1);
    name[BYTES - 1] = 0;
    for (uint32_t i = 0; i < 65535; i++)
        nodes[i].path = name;
    writer = writer_of(&arena, &diag);
    CHECK(!cache_writer_begin(&writer, &header, &clip, &layout, NULL, NULL, 0));
    check_text(&diag, "a.abc: " TOO_LARGE "2147516416 bytes of names of "
                      "objects and face sets, at most 2147483647");
    diag_finish(&diag);
    arena_free(&arena);
    free(name);
    free(nodes);
}

static void groups_are_refused_with_numbers(void)
{
    static uint8_t table[3 * CACHE_FRAME_ENTRY_BYTES];
    struct cache_frame frame = {.type = CACHE_FRAME_INDEX};
    struct cache_writer writer;
    struct arena arena;
    struct diag diag;

    writer = writer_of(&arena, &diag);
    writer.header.frame_count = 3;
    writer.frame_table = table;
    CHECK(cache_writer_frame(&writer, 0, 0, &frame, NULL, UINT32_MAX));
    frame.group = 1;
    CHECK(cache_writer_frame(&writer, 7, 1, &frame, NULL, UINT32_MAX));
    CHECK(!cache_writer_frame(&writer, 8, 2, &frame, NULL, 5));
    check_text(&diag, "a.abc: " TOO_LARGE "4294967300 bytes of frames from one "
                      "index frame to the next, with frame 8, at most "
                      "4294967295: ask for more index frames");
    diag_finish(&diag);
    arena_free(&arena);
}

TEST_MAIN(TEST(too_many_nodes_are_counted), TEST(too_many_frames_are_counted),
          TEST(too_long_a_time_is_refused_with_its_sample),
          TEST(too_many_materials_are_named),
          TEST(layouts_are_refused_with_numbers),
          TEST(names_are_refused_with_numbers),
          TEST(groups_are_refused_with_numbers))
