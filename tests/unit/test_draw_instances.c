/* test_draw_instances.c
 *
 * Goal: items that show the same static mesh with the same materials become one
 *   group, from a threshold on, over nodes of several caches. The matrices of a
 *   group are those of its items. What does not fit stays single.
 * Method: nodes of caches that share static meshes; then random items, compared
 *   with groups that are found by a search through all pairs.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/block_codec.h"
#include "harness.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct stage stage;

static void set_least(const char *value)
{
    CHECK_EQ(spn_tuning_set(stage.rt, "instance_min", value), SPN_OK);
}

/* -- nodes of several caches -- */

enum { CACHES = 3, MESHES = 3, STATIC_MESHES = 2, NODES = 12 };
enum { SCENE_NODES = MESHES + 1, ITEMS_MAX = NODES * SCENE_NODES };

static const char *const names[CACHES] = {"a", "b", "c"};
static struct synthetic_clip clips[CACHES];
static struct memory_sink files[CACHES];
static spn_cache caches[CACHES];
static spn_node nodes[NODES];

/* Different clips with the same static meshes. */
static void open_caches(void)
{
    stage_init(&stage, NULL);
    stage.config.heap_bytes = 32u << 20;
    for (uint32_t i = 0; i < CACHES; i++) {
        const struct synthetic_options o = {.frame_count = 5 + i,
                                            .mesh_count = MESHES,
                                            .vertices = 60,
                                            .step = 5,
                                            .static_meshes = STATIC_MESHES};

        synthetic_make(&clips[i], &o);
        synthetic_classic(&clips[i], BLOCK_CODEC_LZ4, 5, &files[i]);
        slow_platform_add(&stage.disc, names[i], files[i].bytes, files[i].size);
    }
    stage_start(&stage);
    for (uint32_t i = 0; i < CACHES; i++) {
        CHECK_EQ(spn_cache_open(stage.rt, names[i], &caches[i]), SPN_OK);
        while (spn_cache_get_status(stage.rt, caches[i], NULL) == SPN_PENDING)
            stage_tick(&stage, STAGE_TICK_US);
    }
}

static void close_caches(void)
{
    stage_close(&stage);
    for (uint32_t i = 0; i < CACHES; i++) {
        memory_sink_free(&files[i]);
        synthetic_free(&clips[i]);
    }
}

/* Each node has a time of its own, so that matrices differ. */
static void play_nodes(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const spn_node_desc desc = {.is_looping = 1};

        CHECK_EQ(
            spn_node_create(stage.rt, caches[i % CACHES], &desc, &nodes[i]),
            SPN_OK);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], i * 10000),
                 SPN_OK);
    }
    for (uint32_t i = 0; i < count; i++)
        stage_until_ready(&stage, nodes[i]);
}

static uint32_t list_all(spn_draw_item items[ITEMS_MAX], uint32_t node_count)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i < node_count; i++) {
        uint32_t count;

        CHECK_EQ(spn_node_get_draw_list(stage.rt, nodes[i], items + total,
                                        ITEMS_MAX - total, &count),
                 SPN_OK);
        CHECK_EQ_U(count, MESHES);
        total += count;
    }
    return total;
}

static void meshes_of_several_caches_are_one_group(void)
{
    static spn_draw_item items[ITEMS_MAX];
    float matrices[ITEMS_MAX][12];
    spn_draw_group groups[4];
    spn_mesh_id id;
    uint32_t count;
    uint32_t group_count = 77;

    open_caches();
    play_nodes(NODES);
    /* Nine of each mesh are too few, ten are a group. */
    for (uint32_t n = 9; n <= NODES; n++) {
        test_context("%u nodes", n);
        count = list_all(items, n);
        CHECK_EQ(spn_draw_instances(stage.rt, items, count, groups, 4,
                                    matrices[0], ITEMS_MAX, &group_count),
                 SPN_OK);
        CHECK_EQ_U(group_count, n < 10 ? 0 : STATIC_MESHES);
        for (uint32_t g = 0; g < group_count; g++) {
            CHECK_EQ(spn_cache_get_mesh_id(stage.rt, caches[1], g, &id),
                     SPN_OK);
            CHECK_EQ_U(groups[g].mesh_id, id);
            CHECK_EQ_U(groups[g].first_item, g);
            CHECK_EQ_U(groups[g].first_matrix, g * n);
            CHECK_EQ_U(groups[g].matrix_count, n);
            CHECK_EQ_U(groups[g].material_count, 1);
            CHECK_EQ_U(groups[g].materials[0].index_count, (58 + 5 * g) * 3);
        }
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t mesh = items[i].mesh;

            CHECK_EQ_U(items[i].group, group_count > 0 && mesh < STATIC_MESHES
                                           ? mesh
                                           : SPN_DRAW_SINGLE);
            if (items[i].group != SPN_DRAW_SINGLE)
                CHECK_MEM(matrices[mesh * n + i / MESHES], items[i].matrix,
                          sizeof items[i].matrix);
        }
    }
    close_caches();
}

/* -- random items -- */

enum { COUNT_MAX = 300 };

static spn_draw_item items[COUNT_MAX];
static spn_draw_item before[COUNT_MAX];
static spn_draw_group groups[COUNT_MAX];
static float matrices[COUNT_MAX + 1][12];

static void make_items(struct test_random *random, uint32_t count)
{
    const uint32_t meshes = 1 + test_random_below(random, 30);
    const uint32_t sets = 1 + test_random_below(random, 3);

    memset(items, 0x5a, sizeof items);
    for (uint32_t i = 0; i < count; i++) {
        /* High and low bits of ids matter. 0: animated. */
        const uint64_t mesh = test_random_below(random, meshes);

        items[i].mesh_id = mesh % 2 ? mesh << 40 : mesh;
        items[i].material_set = test_random_below(random, sets);
        items[i].matrix[0] = (float)i;
        items[i].group = test_random_below(random, 5);
    }
    memcpy(before, items, sizeof items);
}

static bool is_same(uint32_t i, uint32_t k)
{
    return before[i].mesh_id == before[k].mesh_id &&
           before[i].material_set == before[k].material_set;
}

/* Check what the item and those like it have become. Returns the number of
 * matrices of a group that begins with the item. */
static uint32_t check_item(uint32_t i, uint32_t count, uint32_t least,
                           const uint32_t capacity[2], uint32_t used[2])
{
    uint32_t like = 0;

    for (uint32_t k = 0; k < count && before[i].mesh_id != 0; k++) {
        if (!is_same(i, k))
            continue;
        CHECK_EQ_U(items[k].group, items[i].group);
        if (k < i)
            return 0; /* was checked with the first one */
        like++;
    }
    if (like == 0 || least == 0 || like < least || used[0] == capacity[0] ||
        like > capacity[1] - used[1]) {
        CHECK_EQ_U(items[i].group, SPN_DRAW_SINGLE);
        return 0;
    }
    CHECK_EQ_U(items[i].group, used[0]);
    CHECK_EQ_U(groups[used[0]].mesh_id, before[i].mesh_id);
    CHECK(groups[used[0]].materials == before[i].materials);
    CHECK_EQ_U(groups[used[0]].first_item, i);
    CHECK_EQ_U(groups[used[0]].first_matrix, used[1]);
    CHECK_EQ_U(groups[used[0]].matrix_count, like);
    for (uint32_t k = i; k < count; k++)
        if (is_same(i, k))
            CHECK_MEM(matrices[used[1]++], before[k].matrix, 48);
    used[0]++;
    return like;
}

static void check_random(struct test_random *random)
{
    const uint32_t count = test_random_below(random, COUNT_MAX + 1);
    const uint32_t least = test_random_below(random, 20);
    const uint32_t capacity[2] = {
        test_random_below(random, 4) ? COUNT_MAX : test_random_below(random, 9),
        test_random_below(random, 4) ? COUNT_MAX
                                     : test_random_below(random, COUNT_MAX)};
    uint32_t used[2] = {0, 0};
    uint32_t group_count = 77;
    char value[12];

    snprintf(value, sizeof value, "%u", least);
    set_least(value);
    make_items(random, count);
    memset(matrices, 0xa5, sizeof matrices);
    CHECK_EQ(spn_draw_instances(stage.rt, items, count, groups, capacity[0],
                                matrices[0], capacity[1], &group_count),
             SPN_OK);
    for (uint32_t i = 0; i < count; i++)
        (void)check_item(i, count, least, capacity, used);
    CHECK_EQ_U(group_count, used[0]);
    /* Nothing else is written. */
    for (uint32_t i = 0; i < sizeof matrices[0]; i++)
        CHECK(((const uint8_t *)matrices[used[1]])[i] == 0xa5);
    for (uint32_t i = 0; i < COUNT_MAX; i++) {
        if (i < count) {
            items[i].group = before[i].group;
            items[i].order = before[i].order;
        }
        CHECK_MEM(&items[i], &before[i], sizeof items[i]);
    }
}

static void random_items_are_grouped_as_a_search_finds_them(void)
{
    stage_init(&stage, NULL);
    stage_start(&stage);
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct test_random random = {seed};

        test_context("seed %u", (unsigned)seed);
        check_random(&random);
    }
    stage_close(&stage);
}

/* -- arguments -- */

static void wrong_arguments_are_refused(void)
{
    struct test_random random = {1};
    uint32_t count = 77;

    stage_init(&stage, NULL);
    stage_start(&stage);
    make_items(&random, 20);
    CHECK_EQ(
        spn_draw_instances(NULL, items, 20, groups, 9, matrices[0], 20, &count),
        SPN_ERR_ARG);
    CHECK_EQ(spn_draw_instances(stage.rt, NULL, 20, groups, 9, matrices[0], 20,
                                &count),
             SPN_ERR_ARG);
    CHECK_EQ(spn_draw_instances(stage.rt, items, 20, NULL, 9, matrices[0], 20,
                                &count),
             SPN_ERR_ARG);
    CHECK_EQ(
        spn_draw_instances(stage.rt, items, 20, groups, 9, NULL, 20, &count),
        SPN_ERR_ARG);
    CHECK_EQ(spn_draw_instances(stage.rt, items, 20, groups, 9, matrices[0], 20,
                                NULL),
             SPN_ERR_ARG);
    CHECK_EQ_U(count, 77);
    CHECK_MEM(items, before, sizeof items);
    CHECK_EQ(spn_draw_instances(stage.rt, NULL, 0, NULL, 0, NULL, 0, &count),
             SPN_OK);
    CHECK_EQ_U(count, 0);
    stage_close(&stage);
}

TEST_MAIN(TEST(meshes_of_several_caches_are_one_group),
          TEST(random_items_are_grouped_as_a_search_finds_them),
          TEST(wrong_arguments_are_refused))
