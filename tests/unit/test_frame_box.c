/* test_frame_box.c
 *
 * Goal: the runtime's boxes contain every vertex of every fill: at frames,
 *   and between frames where vertices move straight. Rotating vertices leave
 *   them by no more than spn_node_get_box promises. Boxes of draw lists
 *   contain all vertices, however they move.
 * Method: random scenes with steps so coarse that quantized positions are far
 *   from the archive's are written, compiled and played in a loop. Positions
 *   are transformed in single and in double precision.
 * Threads as in test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "../../platform/consoles_stub/platform_stub.h"
#include "compile/compile.h"
#include "support/abc_files.h"
#include "support/scene_writer.h"

#include <math.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 4, POINTS = 12, XFORMS = 3, STEPS = 7 };

/* -- scenes -- */

/* A transform with a mesh, and two transforms with a mesh each below it. */
static double matrices[XFORMS][FRAMES][16];
static float positions[XFORMS][FRAMES][3 * POINTS];
static int8_t seen[XFORMS][FRAMES];

static double number(struct test_random *random, double size)
{
    return size * (test_random_below(random, 2000001) / 1000000.0 - 1);
}

/* Rotated about z and stretched along the rotated axes, for row vectors. */
static void set_linear(double m[16], double angle, double x, double y)
{
    memset(m, 0, 16 * sizeof *m);
    m[0] = x * cos(angle);
    m[1] = x * sin(angle);
    m[4] = -y * sin(angle);
    m[5] = y * cos(angle);
    m[10] = m[15] = 1;
}

/* Matrices keep their linear part, unless `turn` rotates the first one. */
static void make_scene(uint64_t seed, double turn)
{
    struct test_random random = {seed};

    for (int x = 0; x < XFORMS; x++) {
        double angle = number(&random, 3);
        double wide = 1 + number(&random, 0.9);
        double high = seed % 2 ? wide : 1 + number(&random, 0.9);

        for (int f = 0; f < FRAMES; f++) {
            set_linear(matrices[x][f], angle + (x == 0 ? turn * f : 0), wide,
                       high);
            for (int i = 0; i < 3 && turn == 0; i++)
                matrices[x][f][12 + i] = number(&random, 30);
            for (int i = 0; i < 3 * POINTS; i++)
                positions[x][f][i] =
                    turn == 0 || f == 0
                        ? (float)number(&random, 2) + (float)(seed % 3 * 100)
                        : positions[x][0][i];
            seen[x][f] = turn != 0 || test_random_below(&random, 3) > 0;
        }
    }
}

static const struct written_sampling sampling = {0, 0.125};
static const uint8_t matrix_op = 3 << 4;
static const int32_t triangles[POINTS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const int32_t three[POINTS / 3] = {3, 3, 3, 3};

/* Properties of one transform and its mesh. */
struct written_branch {
    struct written_property values[2];
    struct written_property xform[1];
    struct written_property geometry[3];
    struct written_property mesh[2];
    struct written_object below[3];
};

static void write_branch(struct written_branch *b, int x)
{
    const struct written_branch made = {
        .values = {WRITTEN_SCALAR(".ops", ABC_U8, 1, 0, 1, &matrix_op),
                   WRITTEN_SCALAR(".vals", ABC_F64, 16, 1, FRAMES,
                                  matrices[x])},
        .xform = {WRITTEN_COMPOUND(".xform", b->values)},
        .geometry = {WRITTEN_ARRAY("P", ABC_F32, 3, 1, FRAMES, POINTS,
                                   positions[x]),
                     WRITTEN_ARRAY(".faceCounts", ABC_I32, 1, 0, 1, POINTS / 3,
                                   three),
                     WRITTEN_ARRAY(".faceIndices", ABC_I32, 1, 0, 1, POINTS,
                                   triangles)},
        .mesh = {WRITTEN_COMPOUND(".geom", b->geometry),
                 WRITTEN_SCALAR("visible", ABC_I8, 1, 1, FRAMES, seen[x])},
        .below = {WRITTEN_OBJECT("mesh", WRITTEN_MESH, b->mesh)}};

    memcpy(b, &made, sizeof *b);
}

static void write_archive(const char *path)
{
    static const char *const names[] = {"top", "b", "c"};
    static struct written_branch branches[XFORMS];
    struct written_scene scene = {&sampling, 1, NULL, 1};
    struct written_object objects[XFORMS];

    for (int x = 0; x < XFORMS; x++) {
        write_branch(&branches[x], x);
        objects[x] = (struct written_object){names[x],          WRITTEN_XFORM,
                                             branches[x].xform, 1,
                                             branches[x].below, 1};
    }
    branches[0].below[1] = objects[1];
    branches[0].below[2] = objects[2];
    objects[0].child_count = 3;
    scene.objects = objects;
    scene_write(&scene, path);
}

/* -- played -- */

static spn_platform_stub stub;
static spn_runtime *rt;
static spn_cache cache;
static spn_node node;
static spn_cache_info info;
static void *memory;
static char *file;

static void open_scene(double precision_mm)
{
    struct compile_options options;
    struct compile_report report;
    spn_platform platform;
    spn_config config = {.platform = &platform, .heap_bytes = 4 << 20};
    spn_node_desc desc = {.is_looping = 1};
    struct diag diag;
    char archive[512];
    char output[512];
    size_t bytes;

    snprintf(archive, sizeof archive, "%s/box.abc", test_temp());
    snprintf(output, sizeof output, "%s/box.sgc", test_temp());
    write_archive(archive);
    compile_options_default(&options);
    options.input = archive;
    options.output = output;
    options.precision_mm = precision_mm;
    diag_init(&diag);
    if (!compile_run(&options, &diag, NULL, NULL, &report))
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    diag_finish(&diag);
    memset(&stub, 0, sizeof stub);
    file = file_text(output, &bytes);
    stub.files[0] = (spn_stub_file){"box", file, bytes};
    stub.file_count = 1;
    spn_platform_stub_init(&stub, &platform);
    bytes = (spn_memory_needed(&config) + 63) / 64 * 64;
    memory = aligned_alloc(64, bytes);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    CHECK_EQ(spn_cache_open(rt, "box", &cache), SPN_OK);
    while (spn_cache_get_status(rt, cache, NULL) == SPN_PENDING)
        spn_update(rt);
    CHECK_EQ(spn_cache_get_info(rt, cache, &info), SPN_OK);
    CHECK_EQ(info.frame_count, FRAMES);
    CHECK_EQ(spn_node_create(rt, cache, &desc, &node), SPN_OK);
}

static void close_scene(void)
{
    spn_shutdown(rt);
    free(memory);
    free(file);
}

static void show(int64_t time_us)
{
    spn_node_state state = {0};

    CHECK_EQ(spn_node_set_playback_time(rt, node, time_us), SPN_OK);
    while (!state.is_ready) {
        spn_update(rt);
        stub.clock_us += 4000;
        CHECK_EQ(spn_node_get_state(rt, node, &state), SPN_OK);
        CHECK_EQ(state.status, SPN_OK);
    }
}

/* The greatest distance of a vertex outside of the shown box, and the greatest
 * distance between the vertices and the box inside it. */
struct gap {
    double outside;
    double inside;
    double largest; /* largest coordinate */
    unsigned vertices;
};

static void grow_hull(const float m[12], const float p[3], double hull[2][3])
{
    for (int i = 0; i < 3; i++) {
        const float *row = m + 4 * i;
        float single = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
        double exact = (double)row[0] * p[0] + (double)row[1] * p[1] +
                       (double)row[2] * p[2] + row[3];

        hull[0][i] = fmin(hull[0][i], fmin(single, exact));
        hull[1][i] = fmax(hull[1][i], fmax(single, exact));
    }
}

static void find_hull(double hull[2][3], unsigned *vertices)
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    float worlds[2 * XFORMS][12];
    uint8_t visible[2 * XFORMS];

    CHECK(info.scene_node_count <= 2 * XFORMS);
    CHECK_EQ(spn_node_get_transforms(rt, node, worlds[0], visible, 2 * XFORMS),
             SPN_OK);
    for (uint32_t n = 0; n < info.scene_node_count; n++) {
        float filled[3 * POINTS];
        spn_scene_node_info scene_node;
        spn_fill_result result;

        CHECK_EQ(spn_cache_get_scene_node(rt, cache, n, &scene_node), SPN_OK);
        if (scene_node.mesh == UINT32_MAX || !visible[n])
            continue;
        CHECK_EQ(spn_node_fill(rt, node, scene_node.mesh, &layout, filled,
                               sizeof filled, &result),
                 SPN_OK);
        CHECK(result.is_visible && !result.is_late);
        for (int v = 0; v < POINTS; v++)
            grow_hull(worlds[n], filled + 3 * v, hull);
        *vertices += POINTS;
    }
}

/* Vertices are in the box of their item, with the matrix in single and in
 * double precision. */
static void check_draw_list(void)
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    spn_draw_item items[2 * XFORMS];
    uint32_t count = 0;

    CHECK_EQ(spn_node_get_draw_list(rt, node, items, 2 * XFORMS, &count),
             SPN_OK);
    for (uint32_t n = 0; n < count; n++) {
        double hull[2][3] = {{INFINITY, INFINITY, INFINITY},
                             {-INFINITY, -INFINITY, -INFINITY}};
        float filled[3 * POINTS];

        CHECK_EQ(spn_node_fill(rt, node, items[n].mesh, &layout, filled,
                               sizeof filled, NULL),
                 SPN_OK);
        for (int v = 0; v < POINTS; v++)
            grow_hull(items[n].matrix, filled + 3 * v, hull);
        for (int i = 0; i < 3; i++)
            CHECK(items[n].box_min[i] <= hull[0][i] &&
                  items[n].box_max[i] >= hull[1][i]);
    }
}

static struct gap measure(void)
{
    double hull[2][3] = {{INFINITY, INFINITY, INFINITY},
                         {-INFINITY, -INFINITY, -INFINITY}};
    struct gap gap = {-INFINITY, -INFINITY, 0, 0};
    float low[3];
    float high[3];

    find_hull(hull, &gap.vertices);
    check_draw_list();
    CHECK_EQ(spn_node_get_box(rt, node, low, high), SPN_OK);
    for (int i = 0; i < 3 && gap.vertices > 0; i++) {
        CHECK(low[i] <= high[i]);
        CHECK(low[i] >= info.box_min[i] && high[i] <= info.box_max[i]);
        gap.outside =
            fmax(gap.outside, fmax(low[i] - hull[0][i], hull[1][i] - high[i]));
        gap.inside =
            fmax(gap.inside, fmax(hull[0][i] - low[i], high[i] - hull[1][i]));
        gap.largest =
            fmax(gap.largest, fmax(fabs(hull[0][i]), fabs(hull[1][i])));
    }
    return gap;
}

/* -- claims -- */

static bool is_vanishing(uint32_t frame)
{
    for (int x = 0; x < XFORMS; x++)
        if (!seen[x][frame] && seen[x][(frame + FRAMES - 1) % FRAMES])
            return true;
    return false;
}

static void boxes_contain_vertices_that_move_straight(void)
{
    static const double precisions[] = {5000, 1000, 30, 1};
    unsigned vertices = 0;

    for (uint64_t seed = 0; seed < 24; seed++) {
        make_scene(seed, 0);
        open_scene(precisions[seed / 3 % 4]);
        for (uint32_t f = 0; f < FRAMES; f++) {
            int64_t from = info.loop_us * f / FRAMES;

            for (int step = 0; step < STEPS; step++) {
                struct gap gap;

                test_context("seed %u, frame %u, step %d", (unsigned)seed, f,
                             step);
                show(from + info.loop_us / FRAMES * step / STEPS);
                gap = measure();
                vertices += gap.vertices;
                if (gap.vertices == 0)
                    continue;
                CHECK(gap.outside <= 0);
                /* The box is not larger than rounding requires. */
                if (step == 0 && !is_vanishing(f))
                    CHECK(gap.inside <= 2e-5 * (gap.largest + 300));
            }
        }
        close_scene();
    }
    CHECK(vertices > 10000);
}

static void rotating_vertices_leave_boxes_by_the_stated_bound(void)
{
    double leaves = 0;

    for (uint64_t seed = 0; seed < 9; seed++) {
        double angle = 0.4 + 0.2 * (double)(seed / 3);

        make_scene(seed, angle);
        open_scene(1);
        for (int step = 0; step < STEPS * (FRAMES - 1); step++) {
            struct gap gap;
            double radius = 0;

            test_context("seed %u, step %d", (unsigned)seed, step);
            show(info.loop_us / FRAMES * step / STEPS);
            gap = measure();
            radius = sqrt(2) * gap.largest;
            if (step % STEPS == 0)
                CHECK(gap.outside <= 0);
            CHECK(gap.outside <= radius * (1 - cos(angle / 2)));
            leaves = fmax(leaves, gap.outside);
        }
        close_scene();
    }
    CHECK(leaves > 0);
}

TEST_MAIN(TEST(boxes_contain_vertices_that_move_straight),
          TEST(rotating_vertices_leave_boxes_by_the_stated_bound))
