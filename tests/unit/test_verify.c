/* test_verify.c
 *
 * Goal: verify passes a compiled cache, and detects every kind of change.
 * Method: compile an archive, then compare the cache with copies of the archive
 *   in which a few bytes were changed: a point of one sample, the order of a
 *   face's corners; and with other options than those of the compile. A mesh of
 *   1 mm, without normals and texture, is compiled with steps larger than the
 *   mesh, so that dozens of its points have the same position. Threads as in
 *   test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "abc/schema.h"
#include "base/endian.h"
#include "compile/compile.h"
#include "host/host.h"
#include "support/fan_archive.h"
#include "support/made_writer.h"
#include "support/scene_writer.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE 40u

static char archive_path[512];
static char cache_path[512];
static char changed_path[512];

static const char *in_temp(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", test_temp(), name);
    return path;
}

static void compile_file(const char *path, double precision_mm)
{
    struct compile_options wish;
    struct compile_report report;
    struct diag diag;

    snprintf(archive_path, sizeof archive_path, "%s", path);
    snprintf(cache_path, sizeof cache_path, "%s/verified.sgc", test_temp());
    snprintf(changed_path, sizeof changed_path, "%s/changed.abc", test_temp());
    compile_options_default(&wish);
    wish.allows_empty = true;
    wish.input = archive_path;
    wish.output = cache_path;
    wish.no_b_frames = true; /* faster to compile */
    wish.precision_mm = precision_mm;
    diag_init(&diag);
    CHECK(compile_run(&wish, &diag, NULL, NULL, &report));
    diag_finish(&diag);
}

static void compile_as(const char *name, double precision_mm)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", test_data(), name);
    compile_file(path, precision_mm);
}

static void compile_once(void)
{
    compile_as("demo.abc", 1);
}

static void run(const char *archive, bool flip_v, char up,
                struct verify_report *report)
{
    struct verify_options options = {
        .cache = cache_path, .archive = archive, .flip_v = flip_v, .up = up};
    struct diag diag;

    diag_init(&diag);
    CHECK(verify_run(&options, &diag, report));
    diag_finish(&diag);
}

#define CHANGED_WORDS_MAX 8

/* Store 32-bit numbers in the byte order of archives. */
static void store_words(uint8_t *bytes, const void *numbers, size_t size)
{
    uint32_t words[CHANGED_WORDS_MAX];

    CHECK(size <= sizeof words);
    memcpy(words, numbers, size);
    for (size_t i = 0; i < size / 4; i++)
        spn_store_u32le(bytes + 4 * i, words[i]);
}

/* Write a copy of the archive in which the 32-bit numbers `old`, which must
 * occur once, are replaced by `new`. */
static void write_changed(const void *old, const void *new, size_t bytes)
{
    struct host_output *output;
    struct diag diag;
    uint8_t stored[4 * CHANGED_WORDS_MAX];
    void *data;
    size_t length;
    uint8_t *found = NULL;

    diag_init(&diag);
    store_words(stored, old, bytes);
    CHECK(host_read_file(archive_path, &data, &length, &diag));
    for (size_t at = 0; at + bytes <= length; at++)
        if (memcmp((uint8_t *)data + at, stored, bytes) == 0) {
            CHECK(found == NULL);
            found = (uint8_t *)data + at;
        }
    CHECK(found != NULL);
    store_words(found, new, bytes);
    output = host_output_open(changed_path, &diag);
    CHECK(output && host_output_append(output, data, length) &&
          host_output_commit(output));
    free(data);
    diag_finish(&diag);
}

static const struct abc_object *find_mesh(const struct abc_object *object,
                                          const char *name)
{
    const struct abc_object *found = NULL;

    if (strcmp(object->name, name) == 0)
        return object;
    for (uint32_t i = 0; i < object->child_count && !found; i++)
        found = find_mesh(object->children[i], name);
    return found;
}

/* Read two points of one sample, and the first entries of the face indices. */
static void read_mesh(const char *name, uint32_t sample, uint32_t first,
                      float points[6], int32_t corners[8])
{
    struct abc_archive *archive;
    struct abc_topology topology;
    struct abc_mesh mesh;
    struct arena arena;
    struct diag diag;
    const float *positions;
    uint32_t count;

    diag_init(&diag);
    arena_init(&arena);
    archive = abc_open(archive_path, &diag);
    CHECK(archive != NULL);
    CHECK(abc_mesh_open(archive, find_mesh(archive->top, name), &arena, &mesh));
    CHECK(
        abc_mesh_positions(archive, &mesh, sample, &arena, &positions, &count));
    CHECK(abc_mesh_topology(archive, &mesh, 0, count, &arena, &topology));
    memcpy(points, positions + first, 6 * sizeof *points);
    memcpy(corners, topology.indices, 8 * sizeof *corners);
    abc_close(archive);
    arena_free(&arena);
    diag_finish(&diag);
}

static void verify_passes_what_was_compiled(void)
{
    struct verify_report report;

    compile_once();
    run(archive_path, false, 0, &report);
    CHECK(report.failure == NULL);
    CHECK_EQ(report.frame_count, 120);
    CHECK(report.axis[0].worst > 0 && report.axis[0].worst <= 0.51);
    CHECK_EQ(report.unmatched_corners, 0);
    CHECK_EQ(report.unmatched_vertices, 0);
}

static void verify_passes_steps_as_coarse_as_the_mesh(void)
{
    static const double precisions[] = {4, 1, 0.5, 0.25, 0.1, 0.01, 0};

    for (size_t i = 0; i < sizeof precisions / sizeof precisions[0]; i++) {
        double half = precisions[i] / 2;
        struct verify_report report;

        test_context("precision %g mm", precisions[i]);
        compile_as("tiny.abc", precisions[i]);
        run(archive_path, false, 0, &report);
        CHECK_STR(report.failure ? report.failure : "passed", "passed");
        for (int axis = 0; axis < 3; axis++)
            CHECK(report.axis[axis].worst <= half + 1e-3);
    }
}

/* Moves point 50 of sample 7 of /grp/tinyShape. */
static void verify_notices_a_moved_point_among_coarse_steps(void)
{
    struct verify_report report;
    float points[6];
    float moved[6];
    int32_t corners[8];

    compile_as("tiny.abc", 0.5);
    read_mesh("tinyShape", 7, 150, points, corners);
    memcpy(moved, points, sizeof moved);
    moved[2] += 0.0006f;
    write_changed(points, moved, sizeof points);
    run(changed_path, false, 0, &report);
    CHECK_STR(report.failure, "position errors exceed the tolerance (mm)");
    CHECK_EQ(report.axis[2].frame, 7);
    CHECK_EQ(report.foreign_triangles + report.unmatched_corners, 0);
}

static void verify_notices_one_point_of_one_sample(void)
{
    struct verify_report report;
    float points[6];
    float moved[6];
    int32_t corners[8];

    compile_once();
    read_mesh("flagShape", SAMPLE, 300, points, corners);
    memcpy(moved, points, sizeof moved);
    moved[1] += 0.002f;
    write_changed(points, moved, sizeof points);
    run(changed_path, false, 0, &report);
    CHECK_STR(report.failure, "position errors exceed the tolerance (mm)");
    CHECK_EQ(report.axis[1].frame, SAMPLE);
    CHECK(report.axis[1].worst > 1.4 && report.axis[1].worst < 2.6);
    CHECK(report.axis[0].worst_share <= 1);
}

static void verify_notices_a_reversed_face(void)
{
    struct verify_report report;
    float points[6];
    int32_t corners[8];
    int32_t turned[8];

    compile_once();
    read_mesh("flagShape", SAMPLE, 300, points, corners);
    memcpy(turned, corners, sizeof turned);
    for (int i = 0; i < 4; i++)
        turned[i] = corners[3 - i];
    write_changed(corners, turned, sizeof corners);
    run(changed_path, false, 0, &report);
    CHECK(report.failure != NULL);
    CHECK_EQ(report.reversed_triangles, 2);
}

static void verify_notices_a_face_of_other_points(void)
{
    struct verify_report report;
    float points[6];
    int32_t corners[8];
    int32_t other[8];

    compile_once();
    read_mesh("flagShape", SAMPLE, 300, points, corners);
    memcpy(other, corners, sizeof other);
    other[0] = 1000;
    write_changed(corners, other, sizeof corners);
    run(changed_path, false, 0, &report);
    CHECK(report.failure != NULL);
    CHECK(report.foreign_triangles > 0);
    CHECK(report.missing_triangles > 0);
}

/* Two samples of a quad and of an octagon, clockwise seen from +z; the corner
 * before the last of each is pulled in to `dent` of the way. All of it `scale`
 * times as large, then moved along `axis`. */
static void write_faces_at(const char *path, float dent, float scale,
                           uint32_t axis, float far)
{
    static const int32_t counts[] = {4, 8};
    static const int32_t corners[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    float points[2 * 36] = {0, 0, 0, 0, 2, 0, 2, 2, 0, 2, 0, 0,
                            5, 1, 0, 5, 2, 0, 6, 3, 0, 7, 3, 0,
                            8, 2, 0, 8, 1, 0, 7, 0, 0, 6, 0, 0};
    const struct written_property values[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 1, 2, 12, points),
        WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 2, counts),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, 12, corners)};
    const struct written_property mesh[] = {WRITTEN_COMPOUND(".geom", values)};
    const struct written_object top[] = {
        WRITTEN_OBJECT("mesh", WRITTEN_MESH, mesh)};
    static const struct written_sampling samplings[] = {{0, 0.5}};
    const struct written_scene scene = {samplings, 1, top, 1};

    /* cppcheck-suppress overlappingWriteFunction ; 36 numbers behind 36 */
    memcpy(points + 36, points, 36 * sizeof *points);
    points[36 + 9] -= 1.9f * dent;
    points[36 + 10] += 1.7f * dent;
    points[36 + 30] -= 1.5f * dent;
    points[36 + 31] += 2.5f * dent;
    points[36] += 0.25f; /* they move in any case, far away, too */
    for (uint32_t i = 0; i < 2 * 36; i++)
        points[i] = points[i] * scale + (i % 3 == axis ? far : 0);
    scene_write(&scene, path);
}

static void write_faces(const char *path, float dent)
{
    write_faces_at(path, dent, 1, 0, 0);
}

static void verify_notices_flipped_triangles(void)
{
    struct verify_report report;

    write_faces(in_temp("plain.abc"), 0);
    compile_file(in_temp("plain.abc"), 1);
    run(archive_path, false, 0, &report);
    CHECK_STR(report.failure ? report.failure : "passed", "passed");
    CHECK_EQ_U(report.flipped_triangles, 0);

    write_faces(changed_path, 1);
    run(changed_path, false, 0, &report);
    CHECK_STR(report.failure,
              "faces have flipped triangles that another triangulation avoids");
    CHECK_EQ_U(report.wrong_triangulations, 2);
    CHECK(report.flipped_triangles >= 2);
}

/* In single precision, areas of faces far from the origin have large rounding
 * errors. Triangles that may be flipped by rounding alone are not counted. */
static void verify_excuses_small_faces_far_away(void)
{
    struct verify_report report;

    for (uint32_t axis = 0; axis < 3; axis++)
        for (uint32_t is_far = 0; is_far < 2; is_far++) {
            float far = is_far ? -8192 : -16;

            test_context("axis %u, %g", axis, (double)far);
            write_faces_at(in_temp("far.abc"), 0, 1.0f / 256, axis, far);
            compile_file(in_temp("far.abc"), 0.05);
            write_faces_at(changed_path, 1, 1.0f / 256, axis, far);
            run(changed_path, false, 0, &report);
            CHECK_EQ_U(report.wrong_triangulations, is_far ? 0 : 2);
        }
}

/* A face of `count` corners, clockwise seen from +z, in two samples. `first`
 * and `later`: the distance of every second corner from the centre; that of the
 * others is 1. */
static void write_disc(const char *path, uint32_t count, double first,
                       double later)
{
    enum { DISC_MAX = 48 };
    const int32_t counts[] = {(int32_t)count};
    int32_t corners[DISC_MAX];
    float points[2 * 3 * DISC_MAX] = {0};

    CHECK(count <= DISC_MAX);
    for (uint32_t i = 0; i < count; i++)
        corners[i] = (int32_t)i;
    for (uint32_t i = 0; i < 2 * count; i++) {
        double angle = -6.283185307179586 * (i % count) / count;
        double radius = i % count % 2 == 0 ? 1 : i < count ? first : later;

        points[3 * i] = (float)(radius * cos(angle));
        points[3 * i + 1] = (float)(radius * sin(angle));
        points[3 * i + 2] = i < count ? 0 : 0.25f;
    }
    {
        const struct written_property values[] = {
            WRITTEN_ARRAY("P", ABC_F32, 3, 1, 2, count, points),
            WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 1, counts),
            WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, count, corners)};
        const struct written_property mesh[] = {
            WRITTEN_COMPOUND(".geom", values)};
        const struct written_object top[] = {
            WRITTEN_OBJECT("mesh", WRITTEN_MESH, mesh)};
        static const struct written_sampling samplings[] = {{0, 0.5}};
        const struct written_scene scene = {samplings, 1, top, 1};

        scene_write(&scene, path);
    }
}

/* A face of 40 corners has the triangulation of its first frame: triangles that
 * are flipped later are counted, but are no failure. Flipped in the first
 * frame, the triangulation is wrong, like one of 32 corners in any frame. */
static void verify_examines_large_faces_in_the_first_frame(void)
{
    struct verify_report report;

    write_disc(in_temp("disc.abc"), 40, 1, 0.5);
    compile_file(in_temp("disc.abc"), 1);
    run(archive_path, false, 0, &report);
    CHECK_STR(report.failure ? report.failure : "passed", "passed");
    CHECK(report.flipped_triangles > 5);
    CHECK_EQ_U(report.wrong_triangulations, 0);

    compile_file(in_temp("disc.abc"), 100);
    write_disc(changed_path, 40, 0.9, 0.4);
    run(changed_path, false, 0, &report);
    CHECK_EQ_U(report.wrong_triangulations, 1);

    write_disc(in_temp("disc.abc"), 32, 1, 1);
    compile_file(in_temp("disc.abc"), 1);
    write_disc(changed_path, 32, 1, 0.5);
    run(changed_path, false, 0, &report);
    CHECK_EQ_U(report.wrong_triangulations, 1);
}

static void verify_notices_other_options(void)
{
    struct verify_report report;

    compile_once();
    run(archive_path, true, 0, &report);
    CHECK_STR(report.failure, "UV errors exceed the tolerance (UV units)");
    run(archive_path, false, 'Z', &report);
    CHECK_STR(report.failure,
              "world transform errors exceed the tolerance (mm)");
}

/* Write a scene of transforms: `count` children below one root. */
static void write_transforms(const char *path, uint32_t count, double last)
{
    static const uint8_t translate[1] = {1 << 4};
    const double places[6] = {0, 0, 0, 1, 2, last};
    const struct written_property values[] = {
        {".ops", ABC_SCALAR, ABC_U8, 1, 0, 1, 1, translate, NULL, NULL, 0,
         NULL},
        {".vals", ABC_SCALAR, ABC_F64, 3, 1, 2, 1, places, NULL, NULL, 0,
         NULL}};
    const struct written_property xform[] = {{".xform", ABC_COMPOUND, ABC_BOOL,
                                              0, 0, 0, 0, NULL, NULL, values, 2,
                                              NULL}};
    const struct written_object below[] = {
        {"left", WRITTEN_XFORM, xform, 1, NULL, 0},
        {"right", WRITTEN_XFORM, xform, 1, NULL, 0}};
    const struct written_object top[] = {
        {"root", WRITTEN_XFORM, xform, 1, below, count}};
    static const struct written_sampling samplings[] = {{0, 0.5}};
    const struct written_scene scene = {samplings, 1, top, 1};

    scene_write(&scene, path);
}

static void verify_compares_transforms_without_a_mesh(void)
{
    struct verify_report report;

    write_transforms(in_temp("two.abc"), 2, 3);
    compile_file(in_temp("two.abc"), 1);
    run(archive_path, false, 0, &report);
    CHECK_STR(report.failure ? report.failure : "passed", "passed");
    CHECK_EQ(report.mesh_count, 0);
    CHECK_EQ(report.frame_count, 2);
    CHECK_EQ(report.node_count, 3);
    CHECK_EQ(report.transform.count, 2 * 3 * 8);

    /* The scene is 9.11 units large. Root and child both move, so the child
     * moves by the sum. */
    write_transforms(changed_path, 2, 3.00004);
    run(changed_path, false, 0, &report);
    CHECK_STR(report.failure ? report.failure : "passed", "passed");
    write_transforms(changed_path, 2, 3.00005);
    run(changed_path, false, 0, &report);
    CHECK_STR(report.failure,
              "world transform errors exceed the tolerance (mm)");
    write_transforms(changed_path, 1, 3);
    run(changed_path, false, 0, &report);
    CHECK_STR(report.failure, "nodes of the cache are not in the archive");
    write_transforms(in_temp("one.abc"), 1, 3);
    compile_file(in_temp("one.abc"), 1);
    write_transforms(changed_path, 2, 3);
    run(changed_path, false, 0, &report);
    CHECK_STR(report.failure, "transforms of the archive are not in the cache");
    CHECK_EQ(report.missing_nodes, 1);
}

/* Write an object that moves at `count` times, every half second from `start`
 * on. Its child has samples at other times, but no .ops, so they change
 * nothing. */
static void write_times(const char *path, double start, uint32_t count)
{
    static const uint8_t translate[1] = {1 << 4};
    const double places[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
    const struct written_property moves[] = {
        WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, translate),
        WRITTEN_SCALAR(".vals", ABC_F64, 3, 1, count, places)};
    const struct written_property rests[] = {
        WRITTEN_SCALAR(".vals", ABC_F64, 3, 2, 3, places)};
    const struct written_property moving[] = {
        WRITTEN_COMPOUND(".xform", moves)};
    const struct written_property resting[] = {
        WRITTEN_COMPOUND(".xform", rests)};
    const struct written_object below[] = {
        WRITTEN_OBJECT("below", WRITTEN_XFORM, resting)};
    const struct written_object top[] = {
        {"root", WRITTEN_XFORM, moving, 1, below, 1}};
    const struct written_sampling samplings[] = {{start, 0.5}, {0.1, 0.3}};
    const struct written_scene scene = {samplings, 2, top, 1};

    scene_write(&scene, path);
}

static void check_times(double start, uint32_t count, uint64_t missing,
                        uint64_t surplus)
{
    struct verify_report report;

    write_times(changed_path, start, count);
    run(changed_path, false, 0, &report);
    test_context("%u samples from %g on", count, start);
    CHECK_EQ_U(report.missing_frames, missing);
    CHECK_EQ_U(report.surplus_frames, surplus);
}

static void verify_counts_frames_that_one_side_lacks(void)
{
    write_times(in_temp("three.abc"), 0, 3);
    compile_file(in_temp("three.abc"), 1);
    check_times(0, 3, 0, 0);
    check_times(-0.5, 4, 1, 0);
    check_times(0, 4, 1, 0);
    check_times(0, 2, 0, 1);
    check_times(0.5, 2, 0, 1);
    check_times(0.25, 3, 3, 3);
    /* Within the tolerance of times, and beyond it. */
    check_times(1e-5, 3, 0, 0);
    check_times(1.02e-5, 3, 3, 3);
    check_times(-1.02e-5, 3, 3, 3);
}

/* A triangle moves from 0 to 0.5 s, its parent from 0.25 s on: one frame is
 * between two samples of the triangle. */
static void verify_passes_points_between_samples(void)
{
    static const int32_t counts[] = {3};
    static const int32_t corners[] = {0, 1, 2};
    static const float points[] = {0, 0, 0, 0, 2, 0, 2, 2, 0,
                                   5, 0, 1, 5, 2, 1, 7, 2, 1};
    static const uint8_t translate[1] = {1 << 4};
    static const double places[6] = {0, 0, 0, 1, 0, 0};
    const struct written_property values[] = {
        WRITTEN_ARRAY("P", ABC_F32, 3, 1, 2, 3, points),
        WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, 1, counts),
        WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, 3, corners)};
    const struct written_property moves[] = {
        WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, translate),
        WRITTEN_SCALAR(".vals", ABC_F64, 3, 2, 2, places)};
    const struct written_property mesh[] = {WRITTEN_COMPOUND(".geom", values)};
    const struct written_property moving[] = {
        WRITTEN_COMPOUND(".xform", moves)};
    const struct written_object below[] = {
        WRITTEN_OBJECT("mesh", WRITTEN_MESH, mesh)};
    const struct written_object top[] = {
        {"moving", WRITTEN_XFORM, moving, 1, below, 1}};
    static const struct written_sampling samplings[] = {{0, 0.5}, {0.25, 0.5}};
    const struct written_scene scene = {samplings, 2, top, 1};
    struct verify_report report;

    scene_write(&scene, in_temp("between.abc"));
    compile_file(in_temp("between.abc"), 1);
    run(archive_path, false, 0, &report);
    CHECK_STR(report.failure ? report.failure : "passed", "passed");
    CHECK_EQ(report.frame_count, 4);
}

/* Discs: faces of `count` corners each, around the same centre. */
#define COIN 20000u
#define COINS_MAX 3u

static void write_coins(const char *path, uint32_t coins, uint32_t count,
                        float radius, float z)
{
    static struct made_writer scene;
    static float positions[3 * COINS_MAX * COIN];
    static int32_t indices[COINS_MAX * COIN];
    const uint32_t points[1] = {coins * count};
    const int32_t each = (int32_t)count;
    const int32_t counts[COINS_MAX] = {each, each, each};
    struct made_mesh mesh = {.name = "coin",
                             .sample_count = 1,
                             .point_counts = points,
                             .positions = positions,
                             .topology_samples = 1,
                             .face_count = coins,
                             .counts = counts,
                             .corner_count = coins * count,
                             .indices = indices};

    for (uint32_t i = 0; i < coins * count; i++) {
        double angle = i % count * -6.283185307179586 / count;
        float far = radius * (1 + 0.005f * (float)(i / count));

        positions[3 * i] = (float)cos(angle) * far;
        positions[3 * i + 1] = (float)sin(angle) * far;
        positions[3 * i + 2] = z;
        indices[i] = (int32_t)i;
    }
    made_open(&scene);
    made_mesh(&scene, &mesh);
    made_close(&scene, path);
}

/* A search through all pairs of corners for every triangle would take hours. */
static void verify_matches_a_large_face_quickly(void)
{
    struct verify_report report;

    write_coins(in_temp("coin.abc"), 1, COIN, 5, 0);
    compile_file(in_temp("coin.abc"), 1);
    run(archive_path, false, 0, &report);
    CHECK_STR(report.failure ? report.failure : "passed", "passed");
    CHECK_EQ_U(report.triangle_count, COIN - 2);
    /* No corner matches. */
    write_coins(changed_path, 1, COIN, 5, 1);
    run(changed_path, false, 0, &report);
    CHECK_STR(report.failure, "face corners are far from every vertex");
    CHECK_EQ_U(report.unmatched_corners, COIN);
    CHECK_EQ_U(report.missing_triangles, COIN - 2);
}

/* Each vertex is near several corners of each disc. */
static void verify_finds_large_faces_among_coarse_steps(void)
{
    struct verify_report report;

    write_coins(in_temp("coin.abc"), 3, 600, 0.05f, 0);
    compile_file(in_temp("coin.abc"), 1);
    run(archive_path, false, 0, &report);
    CHECK_STR(report.failure ? report.failure : "passed", "passed");
    CHECK_EQ_U(report.triangle_count, 3 * 598);
}

/* Thousands of faces meet at one point, with one vertex or one each. */
static void verify_handles_a_large_fan(void)
{
    struct verify_report report;

    fan_archive_write(in_temp("fan.abc"), 20000, false);
    compile_file(in_temp("fan.abc"), 1);
    run(archive_path, false, 0, &report);
    CHECK_STR(report.failure ? report.failure : "passed", "passed");
    CHECK_EQ_U(report.triangle_count, 20000);
    fan_archive_write(in_temp("fan.abc"), 1000, true);
    compile_file(in_temp("fan.abc"), 1);
    run(archive_path, false, 0, &report);
    CHECK_STR(report.failure ? report.failure : "passed", "passed");
    CHECK_EQ_U(report.vertex_count, 3000);
}

static void verify_of_a_cache_alone_decodes_it(void)
{
    struct verify_report report;

    compile_once();
    run(NULL, false, 0, &report);
    CHECK_EQ(report.vertex_count, 2142);
}

TEST_MAIN(TEST(verify_passes_what_was_compiled),
          TEST(verify_passes_steps_as_coarse_as_the_mesh),
          TEST(verify_notices_a_moved_point_among_coarse_steps),
          TEST(verify_notices_one_point_of_one_sample),
          TEST(verify_notices_a_reversed_face),
          TEST(verify_notices_a_face_of_other_points),
          TEST(verify_notices_flipped_triangles),
          TEST(verify_excuses_small_faces_far_away),
          TEST(verify_examines_large_faces_in_the_first_frame),
          TEST(verify_notices_other_options),
          TEST(verify_compares_transforms_without_a_mesh),
          TEST(verify_counts_frames_that_one_side_lacks),
          TEST(verify_passes_points_between_samples),
          TEST(verify_matches_a_large_face_quickly),
          TEST(verify_finds_large_faces_among_coarse_steps),
          TEST(verify_handles_a_large_fan),
          TEST(verify_of_a_cache_alone_decodes_it))
