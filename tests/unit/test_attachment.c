/* test_attachment.c
 *
 * Goal: a scene node is found by the hash of its name, also if names have the
 *   same hash. Its transform is the one among all transforms, at every time and
 *   at every depth.
 * Method: a small cache. Its tables are changed in memory: to hashes that are
 *   equal, and to a chain of scene nodes.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/node/update.h"
#include "runtime.h"
#include "support/stage.h"

#include <string.h>

#define MESHES 70u
#define NODES (MESHES + 1u)

static struct stage stage;

static void open_cache(void)
{
    const struct tiny_options o = {.mesh_count = MESHES, .vertices = 3};

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
}

static struct cache_node *nodes_of_cache(void)
{
    return spn__manager_cache(&stage.rt->manager, stage.cache)->tables.nodes;
}

static void name_hash_is_xxh64(void)
{
    char name[5001];

    CHECK_EQ_U(spn_name_hash(""), 0xef46db3751d8e999u);
    CHECK_EQ_U(spn_name_hash("abc"), 0x44bc2cf5ad770999u);
    CHECK_EQ_U(spn_name_hash(NULL), spn_name_hash(""));
    memset(name, 'a', 5000);
    name[5000] = 0;
    CHECK_EQ_U(spn_name_hash(name), spn_name_hash(name + 5000 - 4096));
    CHECK(spn_name_hash(name) != spn_name_hash(name + 5000 - 4095));
}

static void scene_node_is_found_by_its_name(void)
{
    spn_scene_node_info info;
    uint32_t found = 0;

    open_cache();
    for (uint32_t i = 0; i < NODES; i++) {
        CHECK_EQ(spn_cache_get_scene_node(stage.rt, stage.cache, i, &info),
                 SPN_OK);
        found = 0;
        do
            CHECK_EQ(spn_cache_find_scene_node(stage.rt, stage.cache,
                                               spn_name_hash(info.name), found,
                                               &found),
                     SPN_OK);
        while (found < i && found++ < NODES);
        CHECK_EQ_U(found, i);
    }
    found = 7;
    CHECK_EQ(spn_cache_find_scene_node(stage.rt, stage.cache,
                                       spn_name_hash("nowhere"), 0, &found),
             SPN_ERR_NOT_FOUND);
    CHECK_EQ_U(found, 7);
    CHECK_EQ(spn_cache_find_scene_node(stage.rt, stage.cache, 0, 0, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_cache_find_scene_node(NULL, stage.cache, 0, 0, &found),
             SPN_ERR_ARG);
    CHECK_EQ(spn_cache_find_scene_node(stage.rt, 0, 0, 0, &found),
             SPN_ERR_HANDLE);
    stage_close(&stage);
}

static void search_goes_on_behind_a_collision(void)
{
    uint32_t found;

    open_cache();
    nodes_of_cache()[3].name_hash = 12345;
    nodes_of_cache()[9].name_hash = 12345;
    CHECK_EQ(spn_cache_find_scene_node(stage.rt, stage.cache, 12345, 0, &found),
             SPN_OK);
    CHECK_EQ_U(found, 3);
    CHECK_EQ(spn_cache_find_scene_node(stage.rt, stage.cache, 12345, 4, &found),
             SPN_OK);
    CHECK_EQ_U(found, 9);
    CHECK_EQ(
        spn_cache_find_scene_node(stage.rt, stage.cache, 12345, 10, &found),
        SPN_ERR_NOT_FOUND);
    CHECK_EQ(spn_cache_find_scene_node(stage.rt, stage.cache, 12345, UINT32_MAX,
                                       &found),
             SPN_ERR_NOT_FOUND);
    stage_close(&stage);
}

/* The transform of each scene node is that of spn_node_get_transforms. */
static void check_transforms(spn_node node)
{
    static float matrices[NODES * 12];
    static uint8_t visible[NODES];

    CHECK_EQ(spn_node_get_transforms(stage.rt, node, matrices, visible, NODES),
             SPN_OK);
    for (uint32_t i = 0; i < NODES; i++) {
        float matrix[12];
        uint32_t is_visible = 2;

        CHECK_EQ(spn_node_get_transform(stage.rt, node, i, matrix, &is_visible),
                 SPN_OK);
        test_context("scene node %u", i);
        CHECK_MEM(matrix, matrices + (size_t)i * 12, sizeof matrix);
        CHECK_EQ_U(is_visible, visible[i]);
    }
}

static void transform_is_the_one_among_all(void)
{
    const int64_t times_us[] = {0, 11111, 4 * 33333 + 7000, 29 * 33333};
    float matrix[12] = {0};
    spn_node node;

    open_cache();
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_get_transform(stage.rt, node, 0, matrix, NULL),
             SPN_PENDING);
    for (uint32_t i = 0; i < sizeof times_us / sizeof times_us[0]; i++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, times_us[i]),
                 SPN_OK);
        stage_until_ready(&stage, node);
        check_transforms(node);
    }
    /* Each scene node below the one before, so that translations add up. */
    for (uint32_t i = 1; i < NODES; i++)
        nodes_of_cache()[i].parent = i - 1;
    check_transforms(node);
    CHECK_EQ(spn_node_get_transform(stage.rt, node, NODES - 1, matrix, NULL),
             SPN_OK);
    CHECK(matrix[3] > 60 * 0.25f);
    CHECK_EQ(spn_node_get_transform(stage.rt, node, NODES, matrix, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_node_get_transform(stage.rt, node, 0, NULL, NULL),
             SPN_ERR_ARG);
    stage_close(&stage);
}

TEST_MAIN(TEST(name_hash_is_xxh64), TEST(scene_node_is_found_by_its_name),
          TEST(search_goes_on_behind_a_collision),
          TEST(transform_is_the_one_among_all))
