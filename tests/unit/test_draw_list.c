/* test_draw_list.c
 *
 * Goal: a draw list has the scene nodes that are drawn, no others, with the
 *   matrices, materials and ids that other functions return, and boxes that
 *   contain all vertices of fills.
 * Method: synthetic clips with moving, turning and hidden meshes, static ones
 *   and several materials, at frames and between them, in both directions. Each
 *   list is compared with what the other functions say. Boxes of random scenes:
 *   test_frame_box.c. Groups: test_draw_instances.c.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/block_codec.h"
#include "harness.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Mesh 0 is hidden in some frames. Meshes 0 and 1 are static. The scene node of
 * mesh 2 is below that of mesh 1; mesh 3 has two materials and two scene
 * nodes. Mesh 4 has none. Colours are animated in mesh 2 and static in mesh 3,
 * so these are not decoded together. */
enum { MESHES = 5, SCENE_NODES = MESHES + 1, STATIC_MESHES = 2, FRAMES = 23 };
enum { VERTICES = 60, STEP = 7, VERTICES_MAX = VERTICES + STEP * MESHES };
enum { HIDDEN_FIRST = 8, HIDDEN_LIMIT = 12 };

static const struct synthetic_options options = {.frame_count = FRAMES,
                                                 .mesh_count = MESHES,
                                                 .vertices = VERTICES,
                                                 .step = STEP,
                                                 .static_meshes = STATIC_MESHES,
                                                 .has_colors = true,
                                                 .hidden_first = HIDDEN_FIRST,
                                                 .hidden_limit = HIDDEN_LIMIT};

static struct stage stage;
static struct synthetic_clip clip;
static struct memory_sink file;
static spn_cache cache;
static spn_node node;
static int64_t loop_us;

static void make_scene(void)
{
    static struct clip_material materials[2] = {{.name = "7_skin"},
                                                {.name = "rest_12"}};
    struct clip_mesh *mesh;

    synthetic_make(&clip, &options);
    mesh = &clip.clip.meshes[3];
    materials[0].id = 7;
    materials[0].index_count = 30;
    materials[1].id = 12;
    materials[1].index_count = mesh->index_count - 30;
    mesh->materials = materials;
    mesh->material_count = 2;
    clip.clip.nodes[3].parent = 2;
    clip.clip.nodes[5].mesh = 3;
    synthetic_classic(&clip, BLOCK_CODEC_LZ4, 5, &file);
}

static void begin(void)
{
    spn_node_desc desc = {.is_looping = 1};
    spn_cache_info info;

    make_scene();
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", file.bytes, file.size);
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &cache), SPN_OK);
    while (spn_cache_get_status(stage.rt, cache, NULL) == SPN_PENDING)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_cache_get_info(stage.rt, cache, &info), SPN_OK);
    CHECK_EQ_U(info.scene_node_count, SCENE_NODES);
    loop_us = info.loop_us;
    CHECK_EQ(spn_node_create(stage.rt, cache, &desc, &node), SPN_OK);
}

static void finish(void)
{
    stage_close(&stage);
    memory_sink_free(&file);
    synthetic_free(&clip);
}

static void tune(const char *name, const char *value)
{
    CHECK_EQ(spn_tuning_set(stage.rt, name, value), SPN_OK);
}

static void show(int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
    stage_until_ready(&stage, node);
}

static uint32_t list(spn_draw_item items[SCENE_NODES])
{
    uint32_t count = 77;

    memset(items, 0xa5, SCENE_NODES * sizeof *items);
    CHECK_EQ(spn_node_get_draw_list(stage.rt, node, items, SCENE_NODES, &count),
             SPN_OK);
    return count;
}

static uint32_t count_items(void)
{
    spn_draw_item items[SCENE_NODES];

    return list(items);
}

/* -- comparison with the other functions -- */

static void check_materials(const spn_draw_item *item)
{
    spn_mesh_info info;
    uint32_t next = 0;

    CHECK_EQ(spn_cache_get_mesh(stage.rt, cache, item->mesh, &info), SPN_OK);
    CHECK_EQ_U(item->material_count, info.material_count);
    for (uint32_t i = 0; i < item->material_count; i++) {
        const spn_material_range *range = &item->materials[i];
        spn_material_range expected;

        CHECK_EQ(
            spn_cache_get_material(stage.rt, cache, item->mesh, i, &expected),
            SPN_OK);
        CHECK_STR(range->name, expected.name);
        CHECK_EQ_U(range->id, expected.id);
        CHECK_EQ_U(range->index_count, expected.index_count);
        CHECK_EQ_U(range->first_index, next);
        next += range->index_count;
    }
    CHECK_EQ_U(next, info.index_count);
}

static void check_box(const spn_draw_item *item)
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    float vertices[VERTICES_MAX][3];
    float hull[2][3] = {{INFINITY, INFINITY, INFINITY},
                        {-INFINITY, -INFINITY, -INFINITY}};
    spn_fill_result result;

    CHECK_EQ(spn_node_fill(stage.rt, node, item->mesh, &layout, vertices,
                           sizeof vertices, &result),
             SPN_OK);
    CHECK(result.is_visible);
    for (uint32_t v = 0; v < VERTICES + STEP * item->mesh; v++)
        for (uint32_t r = 0; r < 3; r++) {
            const float *row = item->matrix + (size_t)r * 4;
            const float x = row[0] * vertices[v][0] + row[1] * vertices[v][1] +
                            row[2] * vertices[v][2] + row[3];

            hull[0][r] = fminf(hull[0][r], x);
            hull[1][r] = fmaxf(hull[1][r], x);
        }
    for (uint32_t r = 0; r < 3; r++) {
        const float size = item->box_max[r] - item->box_min[r];

        CHECK(item->box_min[r] <= hull[0][r] && item->box_max[r] >= hull[1][r]);
        /* At a frame, and where the matrix does not skew, the box is as large
         * as the vertices need, but for the bits that boxes in the file leave
         * out. That of a static mesh is the range of its positions. */
        if (item->mesh >= STATIC_MESHES && item->scene_node != 3 &&
            result.alpha == 0)
            CHECK(size <= (hull[1][r] - hull[0][r]) * 1.1f + 1e-4f);
    }
}

static void check_item(const spn_draw_item *item, const float *matrices)
{
    spn_mesh_id id = 77;

    CHECK_EQ_U(item->node, node);
    CHECK_MEM(item->matrix, matrices + (size_t)item->scene_node * 12,
              sizeof item->matrix);
    CHECK_EQ(spn_cache_get_mesh_id(stage.rt, cache, item->mesh, &id), SPN_OK);
    CHECK_EQ_U(item->mesh_id, id);
    CHECK((item->mesh_id != 0) == (item->mesh < STATIC_MESHES));
    CHECK_EQ_U(item->group, SPN_DRAW_SINGLE);
    CHECK_EQ_U(item->material_set, 0);
    check_materials(item);
    check_box(item);
}

/* Scene nodes of meshes outside of `mask` are not in the list. Returns the
 * number of items. */
static uint32_t check_list(uint32_t mask)
{
    spn_draw_item items[SCENE_NODES];
    float matrices[SCENE_NODES * 12];
    uint8_t visible[SCENE_NODES];
    const uint32_t count = list(items);
    uint32_t next = 0;

    CHECK_EQ(
        spn_node_get_transforms(stage.rt, node, matrices, visible, SCENE_NODES),
        SPN_OK);
    for (uint32_t i = 0; i < SCENE_NODES; i++) {
        spn_scene_node_info info;

        CHECK_EQ(spn_cache_get_scene_node(stage.rt, cache, i, &info), SPN_OK);
        if (!visible[i] || info.mesh == UINT32_MAX ||
            !(mask >> info.mesh % 32 & 1u))
            continue;
        CHECK(next < count);
        CHECK_EQ_U(items[next].scene_node, i);
        CHECK_EQ_U(items[next].mesh, info.mesh);
        check_item(&items[next++], matrices);
    }
    CHECK_EQ_U(next, count);
    return count;
}

static void items_agree_with_the_other_functions(void)
{
    uint32_t fewest = SCENE_NODES;

    begin();
    for (int32_t rate = 1000; rate >= -1000; rate -= 2000) {
        CHECK_EQ(spn_node_set_rate(stage.rt, node, rate), SPN_OK);
        /* More than a loop. */
        for (int32_t step = 0; step < 3 * (FRAMES + 3); step++) {
            uint32_t count;

            test_context("rate %d, step %d", rate, step);
            show(loop_us * step * (rate < 0 ? -1 : 1) / (3 * FRAMES));
            count = check_list(~0u);
            CHECK(count <= MESHES);
            fewest = count < fewest ? count : fewest;
        }
    }
    /* Two of mesh 3, and mesh 0 is hidden. */
    CHECK_EQ_U(fewest, MESHES - 1);
    tune("interpolate", "0");
    show(loop_us * 7 / (3 * FRAMES));
    CHECK_EQ_U(check_list(~0u), MESHES);
    finish();
}

/* -- what is left out -- */

static void masked_meshes_are_left_out(void)
{
    const uint32_t mask = 1u << 1 | 1u << 3;

    begin();
    show(0);
    CHECK_EQ_U(check_list(~0u), 5);
    CHECK_EQ(spn_node_set_mesh_mask(stage.rt, node, &mask, 1), SPN_OK);
    /* Also those that are still decoded, and static ones. */
    CHECK_EQ_U(check_list(mask), 3);
    for (int32_t f = 1; f < FRAMES; f++) {
        test_context("frame %d", f);
        show(loop_us * f / FRAMES);
        CHECK_EQ_U(check_list(mask), 3);
    }
    /* A mesh of the mask that no shown frame has cannot be drawn yet. */
    CHECK_EQ(spn_node_set_mesh_mask(stage.rt, node, NULL, 0), SPN_OK);
    test_context("without mask");
    CHECK_EQ_U(check_list(mask | 1u), 4);
    show(loop_us + loop_us / 2);
    for (uint32_t i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(check_list(~0u), 4);
    finish();
}

static void nothing_is_listed_unless_the_cache_is_drawn(void)
{
    const spn_view visible = {.is_visible = 1, .distance = 1};
    const spn_view stand_in = {.is_visible = 1,
                               .distance = 10,
                               .stand_in_distance = 8,
                               .stand_in_other = 5};

    begin();
    CHECK_EQ_U(count_items(), 0); /* no frame is decoded */
    show(loop_us / 2 + 1);
    CHECK(count_items() > 0);
    CHECK_EQ(spn_node_set_view(stage.rt, node, &(spn_view){0}), SPN_OK);
    CHECK_EQ_U(count_items(), 0);
    CHECK_EQ(spn_node_set_view(stage.rt, node, &stand_in), SPN_OK);
    CHECK_EQ_U(count_items(), 0);
    CHECK_EQ(spn_node_set_view(stage.rt, node, &visible), SPN_OK);
    CHECK(count_items() > 0);
    tune("geometry", "0");
    CHECK_EQ_U(count_items(), 0);
    tune("geometry", "1");
    show(loop_us / 2 + 1);
    CHECK(count_items() > 0);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    CHECK_EQ_U(count_items(), 0);
    finish();
}

static void unloaded_caches_have_no_items(void)
{
    spn_cache_info info;

    begin();
    show(0);
    tune("unload_after_ms", "1");
    CHECK_EQ(spn_node_set_view(stage.rt, node, &(spn_view){0}), SPN_OK);
    for (uint32_t i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_cache_get_info(stage.rt, cache, &info), SPN_OK);
    CHECK_EQ_U(info.static_bytes, info.table_bytes);
    CHECK_EQ(spn_node_set_view(stage.rt, node, NULL), SPN_OK);
    CHECK_EQ_U(count_items(), 0);
    stage_until_ready(&stage, node);
    CHECK_EQ_U(check_list(~0u), 5);
    finish();
}

static void draw_modes_select_meshes(void)
{
    begin();
    show(0);
    tune("debug_draw_mode", "1");
    CHECK_EQ_U(check_list(~3u), 3);
    tune("e_GeomCacheDebugDrawMode", "2");
    CHECK_EQ_U(check_list(3), 2);
    tune("debug_draw_mode", "3");
    CHECK_EQ_U(check_list(~0u), 5);
    finish();
}

/* The node plays on, and so do the names of its materials. */
static void closed_caches_are_listed_while_they_play(void)
{
    spn_draw_item items[SCENE_NODES];
    uint32_t count;

    begin();
    show(0);
    CHECK_EQ(spn_cache_close(stage.rt, cache), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    count = list(items);
    CHECK_EQ_U(count, 5);
    CHECK_EQ_U(items[3].mesh, 3);
    CHECK_STR(items[3].materials[0].name, "7_skin");
    CHECK_EQ_U(items[3].materials[1].id, 12);
    finish();
}

/* -- arguments -- */

static void wrong_arguments_are_refused(void)
{
    spn_draw_item items[SCENE_NODES];
    uint32_t count = 77;
    spn_cache opening;
    spn_node early;

    begin();
    show(0);
    memset(items, 0xa5, sizeof items);
    CHECK_EQ(spn_node_get_draw_list(NULL, node, items, SCENE_NODES, &count),
             SPN_ERR_ARG);
    CHECK_EQ(spn_node_get_draw_list(stage.rt, node, NULL, SCENE_NODES, &count),
             SPN_ERR_ARG);
    CHECK_EQ(spn_node_get_draw_list(stage.rt, node, items, SCENE_NODES, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_node_get_draw_list(stage.rt, 0, items, SCENE_NODES, &count),
             SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_get_draw_list(stage.rt, node, items, 0, &count),
             SPN_ERR_ARG);
    CHECK_EQ(
        spn_node_get_draw_list(stage.rt, node, items, SCENE_NODES - 1, &count),
        SPN_ERR_ARG);
    CHECK_EQ_U(count, 77);
    for (size_t i = 0; i < sizeof items; i++)
        CHECK(((const uint8_t *)items)[i] == 0xa5);
    CHECK_EQ(spn_cache_open(stage.rt, "missing", &opening), SPN_OK);
    CHECK_EQ(spn_node_create(stage.rt, opening, NULL, &early), SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, early, 0), SPN_OK);
    for (uint32_t i = 0; i < 10; i++) {
        count = 77;
        CHECK_EQ(spn_node_get_draw_list(stage.rt, early, NULL, 0, &count),
                 SPN_OK);
        CHECK_EQ_U(count, 0);
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK_EQ(spn_cache_get_status(stage.rt, opening, NULL), SPN_ERR_NOT_FOUND);
    finish();
}

TEST_MAIN(TEST(items_agree_with_the_other_functions),
          TEST(masked_meshes_are_left_out),
          TEST(nothing_is_listed_unless_the_cache_is_drawn),
          TEST(unloaded_caches_have_no_items), TEST(draw_modes_select_meshes),
          TEST(closed_caches_are_listed_while_they_play),
          TEST(wrong_arguments_are_refused))
