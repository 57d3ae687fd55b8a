/* test_unload.c
 *
 * Goal: the static data of a cache that nobody sees is freed and comes back,
 *   its tables and handles stay, and no call meets data that is not there.
 * Method: small caches of both codecs on a virtual clock. The file is made
 *   unreadable or damaged meanwhile; the heap is too full; the cache closes in
 *   each step of coming back.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <string.h>

#define FRAME_US 33333
#define SECOND_TICKS 60u

static struct stage stage;
static struct memory_sink lifted; /* file of open_lifted */

static void set(const char *name, const char *value)
{
    CHECK_EQ(spn_tuning_set(stage.rt, name, value), SPN_OK);
}

static void open_tiny(const struct tiny_options *o)
{
    stage_init(&stage, tiny_build(o));
    stage_open(&stage);
    set("unload_after_ms", "100");
}

static void open_small(void)
{
    open_tiny(
        &(struct tiny_options){.has_colors = true, .has_static_mesh = true});
}

/* With predicted static data: all passes of unpacking. */
static void open_lifted(void)
{
    const struct synthetic_options o = {.frame_count = 40,
                                        .vertices = 300,
                                        .mesh_count = 2,
                                        .step = 20,
                                        .has_uvs = true};

    memory_sink_free(&lifted);
    lifted = (struct memory_sink){0};
    synthetic_lift(&o, 8, true, &lifted);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", lifted.bytes, lifted.size);
    stage_open(&stage);
    set("unload_after_ms", "100");
}

static void ticks(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        stage_tick(&stage, STAGE_TICK_US);
}

static void show(spn_node node, bool is_visible)
{
    CHECK_EQ(spn_node_set_view(stage.rt, node,
                               &(spn_view){.is_visible = is_visible}),
             SPN_OK);
}

static spn_cache_info info(void)
{
    spn_cache_info out;

    CHECK_EQ(spn_cache_get_info(stage.rt, stage.cache, &out), SPN_OK);
    return out;
}

static bool is_unloaded(void)
{
    return info().static_bytes == info().table_bytes;
}

/* Heap memory of all static data and tables. */
static uint64_t static_heap(void)
{
    spn_heap_stats stats;

    spn_heap_get_stats(stage.rt, &stats);
    return stats.static_bytes;
}

static void hide(spn_node node)
{
    show(node, false);
    ticks(20);
    CHECK(is_unloaded());
}

static spn_status copy_indices(uint32_t *indices, uint32_t capacity)
{
    return spn_cache_copy_indices(stage.rt, stage.cache, 0, 4, indices,
                                  capacity);
}

/* -- given back -- */

static void a_hidden_cache_gives_its_static_data_back(void)
{
    const spn_vertex_layout layout = {.stride = 12,
                                      .position = {0, SPN_FORMAT_F32X3}};
    static uint32_t indices[2][4096];
    static uint8_t vertices[8192 * 12];
    spn_cache_info whole;
    spn_mesh_info mesh;
    spn_node node;
    uint64_t heap;
    uint64_t needed[2];
    spn_mesh_id id[2];
    spn_static_mesh shared;
    uint32_t buffers;

    open_small();
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    whole = info();
    heap = static_heap();
    CHECK(whole.static_bytes > whole.table_bytes && whole.table_bytes > 0);
    CHECK_EQ(spn_cache_get_mesh(stage.rt, stage.cache, 0, &mesh), SPN_OK);
    CHECK_EQ(copy_indices(indices[0], 4096), SPN_OK);
    CHECK_EQ(spn_cache_get_mesh_id(stage.rt, stage.cache, 1, &id[0]), SPN_OK);
    CHECK_EQ(spn_mesh_get_info(stage.rt, id[0], &shared), SPN_OK);
    CHECK_EQ(spn_cache_heap_needed(stage.rt, stage.cache, 1, &needed[0]),
             SPN_OK);
    show(node, false);
    ticks(4);
    CHECK_EQ_U(info().static_bytes, whole.static_bytes);
    ticks(10);
    /* The heap has its tables, and nothing else. */
    CHECK_EQ_U(info().static_bytes, whole.table_bytes);
    CHECK_EQ_U(info().table_bytes, whole.table_bytes);
    CHECK(static_heap() < heap);
    CHECK(stage_is_empty(&stage));
    CHECK_EQ_U(stage.rt->manager.promises.static_pages *
                   (uint64_t)stage.rt->config.heap_page_bytes,
               whole.table_bytes);
    /* Handles, names and numbers stay. */
    CHECK_EQ(spn_cache_get_status(stage.rt, stage.cache, NULL), SPN_OK);
    CHECK_EQ(stage_state(&stage, node).status, SPN_PENDING);
    CHECK(!stage_state(&stage, node).is_streaming);
    CHECK(strlen(mesh.name) > 0);
    CHECK_EQ(spn_cache_heap_needed(stage.rt, stage.cache, 1, &needed[1]),
             SPN_OK);
    CHECK_EQ_U(needed[1], needed[0]);
    CHECK_EQ(spn_cache_frame_buffers_needed(stage.rt, stage.cache, 1, &buffers),
             SPN_OK);
    /* What needs the data waits. */
    CHECK_EQ(copy_indices(indices[1], 4096), SPN_PENDING);
    CHECK_EQ(copy_indices(NULL, 4096), SPN_ERR_ARG);
    CHECK_EQ(spn_cache_get_mesh_id(stage.rt, stage.cache, 1, &id[1]),
             SPN_PENDING);
    CHECK_EQ(spn_mesh_get_info(stage.rt, id[0], &shared), SPN_ERR_HANDLE);
    for (uint32_t m = 0; m < 2; m++)
        CHECK_EQ(spn_node_fill(stage.rt, node, m, &layout, vertices,
                               sizeof vertices, NULL),
                 SPN_PENDING);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 7 * FRAME_US), SPN_OK);
    ticks(30);
    CHECK(is_unloaded());
    show(node, true);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 7);
    CHECK_EQ_U(info().static_bytes, whole.static_bytes);
    CHECK_EQ_U(static_heap(), heap);
    CHECK_EQ(stage_state(&stage, node).status, SPN_OK);
    CHECK_EQ(copy_indices(indices[1], 4096), SPN_OK);
    CHECK_MEM(indices[1], indices[0], sizeof indices[0]);
    CHECK_EQ(spn_cache_get_mesh_id(stage.rt, stage.cache, 1, &id[1]), SPN_OK);
    CHECK_EQ_U(id[1], id[0]);
    stage_close(&stage);
}

static bool has_reads(void)
{
    bool has_reads = stage.rt->manager.caches[0].read != 0;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        has_reads = has_reads || stage.rt->manager.pending[i].reads > 0;
    return has_reads;
}

/* The first picture comes at most three updates after the reads, each of which
 * takes one, because it ends at once. */
static void it_comes_back_in_three_updates(void)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t updates = 0;
        uint32_t reads = 0;
        spn_node node;

        if (i == 0)
            open_small();
        else
            open_lifted();
        stage.disc.bytes_per_second = 0;
        stage.disc.seek_us = 0;
        node = stage_node(&stage, true);
        stage_stream(&stage, node, 0);
        hide(node);
        show(node, true);
        while (!stage_state(&stage, node).is_ready) {
            stage_tick(&stage, STAGE_TICK_US);
            updates++;
            reads += has_reads();
        }
        test_context("codec %u: %u updates, of these reads: %u", i, updates,
                     reads);
        CHECK(updates - reads <= 3);
        stage_close(&stage);
    }
    test_context("%s", "");
}

/* -- who keeps it -- */

static void one_visible_node_keeps_it(void)
{
    spn_node node[3];

    open_small();
    for (uint32_t i = 0; i < 3; i++) {
        node[i] = stage_node(&stage, true);
        CHECK_EQ(spn_node_start_streaming(stage.rt, node[i], 0), SPN_OK);
    }
    show(node[0], false);
    show(node[1], false);
    ticks(20);
    CHECK(!is_unloaded());
    CHECK(!stage_state(&stage, node[0]).is_streaming);
    CHECK(stage_state(&stage, node[2]).is_ready);
    CHECK_EQ(spn_node_destroy(stage.rt, node[2]), SPN_OK);
    ticks(20);
    CHECK(is_unloaded());
    /* A new node, and one that does not stream, are visible. */
    node[2] = stage_node(&stage, true);
    ticks(20);
    CHECK(!is_unloaded());
    hide(node[2]);
    /* Without nodes it is loaded. */
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(spn_node_destroy(stage.rt, node[i]), SPN_OK);
    ticks(20);
    CHECK(!is_unloaded());
    stage_close(&stage);
}

/* Also a node that was hidden for long and comes from far away. */
static void a_far_node_does_not_keep_it(void)
{
    spn_view view = {.is_visible = 1, .distance = 10, .stream_distance = 8};
    spn_node node;

    open_small();
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_set_view(stage.rt, node, &view), SPN_OK);
    ticks(3);
    CHECK(!is_unloaded());
    ticks(20);
    CHECK(is_unloaded());
    view.distance = 1;
    CHECK_EQ(spn_node_set_view(stage.rt, node, &view), SPN_OK);
    stage_until_ready(&stage, node);
    stage_close(&stage);
}

static void a_second_position_keeps_it(void)
{
    spn_node node;

    open_small();
    node = stage_node(&stage, false);
    hide(node);
    CHECK_EQ(spn_node_set_streaming_time(stage.rt, node, 5 * FRAME_US), SPN_OK);
    ticks(20);
    CHECK(!is_unloaded());
    CHECK(stage_state(&stage, node).is_streaming_ready);
    CHECK_EQ(spn_node_set_streaming_time(stage.rt, node, SPN_NO_TIME), SPN_OK);
    ticks(20);
    CHECK(is_unloaded());
    stage_close(&stage);
}

/* A node that can never play its cache waits like any other. */
static void a_refused_node_is_pending_meanwhile(void)
{
    const spn_vertex_layout layout = {.stride = 12,
                                      .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[8192 * 12];
    spn_node node;

    stage_init(&stage, tiny_build(&(struct tiny_options){0}));
    stage.config.stream_frame_count = 8;
    stage_open(&stage);
    set("unload_after_ms", "100");
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    ticks(2);
    CHECK_EQ(stage_state(&stage, node).status, SPN_ERR_TABLE_FULL);
    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                           sizeof vertices, NULL),
             SPN_ERR_TABLE_FULL);
    hide(node);
    CHECK_EQ(stage_state(&stage, node).status, SPN_PENDING);
    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                           sizeof vertices, NULL),
             SPN_PENDING);
    show(node, true);
    ticks(20);
    CHECK_EQ(stage_state(&stage, node).status, SPN_ERR_TABLE_FULL);
    stage_close(&stage);
}

static void tuning_keeps_it(void)
{
    spn_node node;

    open_small();
    set("unload_hidden", "0");
    node = stage_node(&stage, true);
    show(node, false);
    ticks(30);
    CHECK(!is_unloaded());
    set("unload_hidden", "1");
    ticks(2);
    CHECK(is_unloaded());
    set("unload_hidden", "0");
    ticks(20);
    CHECK(!is_unloaded());
    set("unload_hidden", "1");
    set("unload_after_ms", "0");
    ticks(30);
    CHECK(!is_unloaded());
    stage_close(&stage);
}

/* A fill that runs keeps the data that it reads. */
static void a_fill_keeps_it(void)
{
    const spn_vertex_layout layout = {.stride = 12,
                                      .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[8192 * 12];
    spn_fill fill;
    spn_node node;

    stage_init(&stage,
               tiny_build(&(struct tiny_options){.has_static_mesh = true}));
    stage_open_late(&stage);
    set("unload_after_ms", "100");
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    while (!stage_state(&stage, node).is_ready) {
        stage_tick(&stage, STAGE_TICK_US);
        stage_run_jobs(&stage);
    }
    CHECK_EQ(spn_fill_start(stage.rt, node, 1, &layout, vertices,
                            sizeof vertices, &fill),
             SPN_OK);
    show(node, false);
    ticks(30);
    CHECK(!is_unloaded());
    CHECK_EQ(spn_fill_wait(stage.rt, fill, UINT64_MAX), SPN_OK);
    ticks(3);
    CHECK(is_unloaded());
    stage_run_jobs(&stage);
    stage_close(&stage);
}

/* -- what goes wrong -- */

static void damage_byte(uint64_t at)
{
    stage.tiny->bytes[at] ^= 0x40;
}

/* The tables stay, the error is told, and it is tried again. */
static void a_damaged_file_comes_back_when_it_is_good(void)
{
    spn_node node;
    spn_node_state state;
    uint64_t bytes;

    open_small();
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    bytes = info().table_bytes;
    hide(node);
    damage_byte(stage.tiny->blobs_offset + 5);
    show(node, true);
    ticks(30);
    state = stage_state(&stage, node);
    CHECK(state.status < 0);
    CHECK_EQ(state.fault.status, state.status);
    CHECK(state.fault.file && strcmp(state.fault.file, "a") == 0);
    CHECK_EQ(spn_cache_get_status(stage.rt, stage.cache, NULL), SPN_OK);
    CHECK_EQ_U(info().static_bytes, bytes);
    ticks(3 * SECOND_TICKS);
    CHECK(stage_state(&stage, node).status < 0);
    CHECK_EQ_U(info().static_bytes, bytes);
    /* Hidden, it is not read. */
    hide(node);
    show(node, true);
    damage_byte(stage.tiny->blobs_offset + 5);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 0);
    CHECK_EQ(stage_state(&stage, node).status, SPN_OK);
    stage_close(&stage);
}

/* Others have the memory: it comes back when they stop, and lets go when it is
 * not wanted any more. */
static void it_waits_for_memory(void)
{
    spn_block block;
    spn_node node;

    open_small();
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    hide(node);
    CHECK_EQ(
        spn_block_alloc(stage.rt, (8u << 20) - info().table_bytes, 0, &block),
        SPN_OK);
    show(node, true);
    ticks(30);
    CHECK(is_unloaded());
    CHECK_EQ(stage_state(&stage, node).status, SPN_PENDING);
    CHECK(stage.rt->manager.loading == &stage.rt->manager.caches[0]);
    show(node, false);
    ticks(10);
    CHECK(!stage.rt->manager.loading);
    show(node, true);
    ticks(10);
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
    stage_until_ready(&stage, node);
    stage_close(&stage);
}

/* Close and destroy after each number of updates. */
static void it_can_close_at_any_time(void)
{
    for (uint32_t codec = 0; codec < 2; codec++)
        for (uint32_t after = 0; after < 8; after++) {
            spn_node node;

            test_context("codec %u, after %u updates", codec, after);
            if (codec == 0)
                open_small();
            else
                open_lifted();
            node = stage_node(&stage, true);
            stage_stream(&stage, node, 0);
            hide(node);
            show(node, true);
            ticks(after);
            if (after % 2)
                CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
            CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
            ticks(after % 3);
            if (after % 2) {
                ticks(10);
                CHECK_EQ_U(static_heap(), 0);
            }
            stage_close(&stage);
        }
    test_context("%s", "");
}

/* Two caches come back one after the other, in the order in which they are
 * found. */
static void caches_come_back_one_by_one(void)
{
    spn_cache other;
    spn_node node[2];

    open_small();
    slow_platform_add(&stage.disc, "b", stage.tiny->bytes, stage.tiny->size);
    CHECK_EQ(spn_cache_open(stage.rt, "b", &other), SPN_OK);
    node[0] = stage_node(&stage, true);
    CHECK_EQ(spn_node_create(stage.rt, other, NULL, &node[1]), SPN_OK);
    for (uint32_t i = 0; i < 2; i++)
        stage_stream(&stage, node[i], 0);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 2; i++)
            show(node[i], false);
        ticks(20);
        CHECK(is_unloaded());
        for (uint32_t i = 0; i < 2; i++)
            show(node[i], true);
        for (uint32_t i = 0; i < 2; i++)
            stage_until_ready(&stage, node[i]);
    }
    stage_close(&stage);
}

/* The one that would load next is not wanted any more: others load. */
static void a_selected_cache_does_not_block_others(void)
{
    const struct cache *caches;
    spn_cache other[2];
    spn_node hidden;
    spn_node seen;

    open_small();
    caches = stage.rt->manager.caches;
    slow_platform_add(&stage.disc, "b", stage.tiny->bytes, stage.tiny->size);
    slow_platform_add(&stage.disc, "c", stage.tiny->bytes, stage.tiny->size);
    hidden = stage_node(&stage, true);
    hide(hidden);
    CHECK_EQ(spn_cache_open(stage.rt, "b", &other[0]), SPN_OK);
    CHECK_EQ(spn_cache_open(stage.rt, "c", &other[1]), SPN_OK);
    ticks(1);
    CHECK(stage.rt->manager.loading == &caches[1]);
    seen = stage_node(&stage, true);
    for (uint32_t i = 0; i < 60 && stage.rt->manager.loading != caches; i++)
        ticks(1);
    CHECK(stage.rt->manager.loading == caches && is_unloaded());
    CHECK_EQ(spn_node_destroy(stage.rt, seen), SPN_OK);
    ticks(60);
    CHECK(is_unloaded());
    CHECK_EQ(spn_cache_get_status(stage.rt, other[1], NULL), SPN_OK);
    stage_close(&stage);
}

TEST_MAIN(TEST(a_hidden_cache_gives_its_static_data_back),
          TEST(it_comes_back_in_three_updates), TEST(one_visible_node_keeps_it),
          TEST(a_far_node_does_not_keep_it), TEST(a_second_position_keeps_it),
          TEST(a_refused_node_is_pending_meanwhile), TEST(tuning_keeps_it),
          TEST(a_fill_keeps_it),
          TEST(a_damaged_file_comes_back_when_it_is_good),
          TEST(it_waits_for_memory), TEST(it_can_close_at_any_time),
          TEST(caches_come_back_one_by_one),
          TEST(a_selected_cache_does_not_block_others))
