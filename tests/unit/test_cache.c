/* test_cache.c
 *
 * Goal: a cache opens with three reads, or reports why it does not and leaves
 *   nothing behind. It can be closed in every state.
 * Method: one table after the other damaged, every truncation, memory that
 *   becomes free late, and a close after every number of updates.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include "base/endian.h"
#include "cache/cache_wire.h"

#include <string.h>

static struct stage stage;

static spn_status outcome(spn_cache cache, spn_fault *fault)
{
    spn_status status = SPN_PENDING;

    for (int i = 0; i < 200; i++) {
        status = spn_cache_get_status(stage.rt, cache, fault);
        if (status != SPN_PENDING)
            return status;
        stage_tick(&stage, STAGE_TICK_US);
    }
    return status;
}

static uint64_t live_bytes(void)
{
    spn_heap_stats stats;

    spn_heap_get_stats(stage.rt, &stats);
    return stats.live_bytes;
}

static void cache_opens_with_three_reads(void)
{
    struct tiny_options o = {.mesh_count = 2,
                             .has_uvs = true,
                             .has_colors = true,
                             .vertices = 500,
                             .plays_from_memory = true};
    spn_cache_info info;
    spn_mesh_info mesh;
    spn_material_range range;
    spn_scene_node_info node;
    uint16_t narrow[498];
    uint32_t wide[498];
    int64_t time_us;

    stage_init(&stage, tiny_build(&o));
    stage.config.piece_bytes = 1 << 20;
    stage_open(&stage);
    CHECK_EQ(stage.disc.reads, 3);
    CHECK_EQ(spn_cache_get_info(stage.rt, stage.cache, &info), SPN_OK);
    CHECK_EQ(info.frame_count, 31);
    CHECK_EQ(info.mesh_count, 2);
    CHECK_EQ(info.scene_node_count, 3);
    CHECK_EQ(info.duration_us, 30 * 33333);
    CHECK_EQ(info.loop_us, 31 * 33333);
    CHECK_EQ_U(info.file_bytes, stage.tiny->size);
    CHECK(info.static_bytes > 0);
    CHECK_EQ(info.plays_from_memory, 1);
    CHECK_EQ(spn_cache_get_frame_time(stage.rt, stage.cache, 7, &time_us),
             SPN_OK);
    CHECK_EQ(time_us, 7 * 33333);
    CHECK_EQ(spn_cache_get_mesh(stage.rt, stage.cache, 1, &mesh), SPN_OK);
    CHECK_STR(mesh.name, "root/mesh");
    CHECK_EQ(mesh.vertex_count, 500);
    CHECK_EQ(mesh.index_count, 498);
    CHECK(mesh.has_uvs && mesh.has_colors && mesh.is_animated);
    CHECK_NEAR(mesh.position_step[0], 2.0 / 65535, 1e-9);
    CHECK_EQ(spn_cache_get_material(stage.rt, stage.cache, 1, 0, &range),
             SPN_OK);
    CHECK_EQ(range.index_count, 498);
    CHECK_EQ(spn_cache_get_scene_node(stage.rt, stage.cache, 2, &node), SPN_OK);
    CHECK_EQ(node.parent, 0);
    CHECK_EQ(node.mesh, 1);
    CHECK_EQ(spn_cache_copy_indices(stage.rt, stage.cache, 1, 2, narrow, 498),
             SPN_OK);
    CHECK_EQ(spn_cache_copy_indices(stage.rt, stage.cache, 1, 4, wide, 498),
             SPN_OK);
    for (uint32_t i = 0; i < 498; i++) {
        CHECK_EQ(narrow[i], i);
        CHECK_EQ(wide[i], i);
    }
    CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
    stage_tick(&stage, 1);
    CHECK_EQ_U(live_bytes(), 0);
    stage_close(&stage);
}

static void cache_opens_clips_of_many_chunks(void)
{
    struct tiny_options o = {.frame_count = 5000, .vertices = 3, .distance = 1};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, false);
    for (int64_t f = 0; f < 5000; f += 1023) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_until_ready(&stage, node);
        stage_check_frame(&stage, node, 0, (uint32_t)f);
    }
    stage_close(&stage);
}

static void cache_counts_references_by_path(void)
{
    spn_cache again;
    spn_node node;

    stage_init(&stage, tiny_build(NULL));
    stage_open(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &again), SPN_OK);
    CHECK_EQ(again, stage.cache);
    CHECK_EQ(spn_cache_close(stage.rt, again), SPN_OK);
    CHECK_EQ(spn_cache_get_status(stage.rt, again, NULL), SPN_OK);
    node = stage_node(&stage, true);
    CHECK_EQ(spn_cache_close(stage.rt, again), SPN_OK);
    /* No reference is left, but the node plays on. */
    CHECK_EQ(spn_cache_get_status(stage.rt, again, NULL), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, 0);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(live_bytes(), 0);
    CHECK_EQ(stage.disc.opens, stage.disc.closes);
    /* A new open gives a new handle. */
    CHECK_EQ(spn_cache_open(stage.rt, "a", &again), SPN_OK);
    CHECK(again != stage.cache);
    CHECK_EQ(outcome(again, NULL), SPN_OK);
    stage_close(&stage);
}

static void is_stale(spn_cache cache)
{
    spn_cache_info info;
    spn_node node;

    CHECK_EQ(spn_cache_get_status(stage.rt, cache, NULL), SPN_ERR_HANDLE);
    CHECK_EQ(spn_cache_get_info(stage.rt, cache, &info), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_create(stage.rt, cache, NULL, &node), SPN_ERR_HANDLE);
    CHECK_EQ(spn_cache_close(stage.rt, cache), SPN_ERR_HANDLE);
}

/* The handle stays invalid for any number of opens of the path while a node
 * plays it, both before and after the cache has opened. */
static void cache_refuses_a_closed_handle_for_ever(void)
{
    for (int is_opening = 0; is_opening < 2; is_opening++) {
        spn_cache closed[20];
        spn_cache_info info;
        spn_node node;
        uint64_t bytes;
        uint32_t reads;

        stage_init(&stage, tiny_build(NULL));
        if (is_opening) {
            stage_start(&stage);
            CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
        } else {
            stage_open(&stage);
        }
        bytes = live_bytes();
        reads = stage.disc.reads;
        node = stage_node(&stage, true);
        closed[0] = stage.cache;
        CHECK_EQ(spn_cache_close(stage.rt, closed[0]), SPN_OK);
        for (int i = 1; i < 20; i++) {
            CHECK_EQ(spn_cache_open(stage.rt, "a", &closed[i]), SPN_OK);
            for (int k = 0; k < i; k++) {
                CHECK(closed[i] != closed[k]);
                is_stale(closed[k]);
            }
            CHECK_EQ(spn_cache_close(stage.rt, closed[i]), SPN_OK);
            is_stale(closed[i]);
        }
        /* The open returns the cache that the node plays. Nothing is read
         * again. */
        CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
        CHECK_EQ(outcome(stage.cache, NULL), SPN_OK);
        if (!is_opening) {
            CHECK_EQ_U(live_bytes(), bytes);
            CHECK_EQ_U(stage.disc.reads, reads);
        }
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
        stage_until_ready(&stage, node);
        /* The handle of the cache outlives the node. */
        CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
        stage_until_empty(&stage);
        CHECK_EQ(spn_cache_get_info(stage.rt, stage.cache, &info), SPN_OK);
        CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
        for (int i = 0; i < 20; i++)
            stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ_U(live_bytes(), 0);
        CHECK_EQ(stage.disc.opens, stage.disc.closes);
        for (int i = 0; i < 20; i++)
            is_stale(closed[i]);
        stage_close(&stage);
    }
}

/* Open a changed file. It must be refused with a reason, and leave nothing
 * behind. */
static void refuses(struct tiny_cache *t, size_t size, const char *what)
{
    spn_fault fault = {0};
    spn_cache cache;
    spn_node node;
    spn_status status;

    test_context("%s", what);
    stage_init(&stage, NULL);
    stage.tiny = t;
    slow_platform_add(&stage.disc, "a", t->bytes, size);
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &cache), SPN_OK);
    CHECK_EQ(spn_node_create(stage.rt, cache, NULL, &node), SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 5), SPN_OK);
    status = outcome(cache, &fault);
    CHECK(status == SPN_ERR_FORMAT || status == SPN_ERR_CHECKSUM ||
          status == SPN_ERR_VERSION || status == SPN_ERR_CODEC ||
          status == SPN_ERR_NO_CODEC);
    CHECK(fault.what != NULL);
    CHECK_EQ(stage_state(&stage, node).status, status);
    CHECK_EQ_U(live_bytes(), 0);
    CHECK_EQ(spn_cache_close(stage.rt, cache), SPN_OK);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    stage_tick(&stage, 1);
    CHECK_EQ_U(live_bytes(), 0);
    CHECK_EQ(stage.disc.opens, stage.disc.closes);
    stage_close(&stage);
}

static void cache_refuses_damage_in_every_table(void)
{
    struct tiny_options o = {.has_colors = true};
    struct tiny_cache *probe = tiny_build(&o);
    const uint64_t places[] = {0,
                               8,
                               20,
                               probe->frame_table_offset + 40,
                               probe->tables_offset + 30,
                               probe->blobs_offset,
                               probe->blobs_offset + 400,
                               probe->frames_offset - 1};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct tiny_cache *t = tiny_copy(probe);

        t->bytes[places[i]] ^= 0x10;
        refuses(t, t->size, "flipped");
    }
    tiny_free(probe);
}

static void cache_refuses_wrong_values_with_good_checksums(void)
{
    struct tiny_options o = {.has_colors = true};
    struct tiny_cache *probe = tiny_build(&o);
    uint64_t from = probe->frame_table_offset;
    uint64_t limit = probe->blobs_offset;
    uint32_t refused = 0;

    for (uint64_t at = from; at < limit; at += 7) {
        struct tiny_cache *t = tiny_copy(probe);
        spn_cache cache;
        spn_status status;

        test_context("byte %llu", (unsigned long long)at);
        t->bytes[at] ^= 0xff;
        tiny_correct_checksums(t);
        stage_init(&stage, t);
        stage_start(&stage);
        CHECK_EQ(spn_cache_open(stage.rt, "a", &cache), SPN_OK);
        status = outcome(cache, NULL);
        CHECK(status != SPN_PENDING);
        refused += status < 0;
        stage_close(&stage);
    }
    CHECK(refused > 50);
    tiny_free(probe);
}

/* A clip of 2^60 us plays to its end and through its loop. A longer one would
 * overflow the integers that hold its times. */
static void cache_refuses_clips_that_time_cannot_count(void)
{
    for (int is_long = 0; is_long < 2; is_long++) {
        struct tiny_options o = {.frame_count = 2};
        struct tiny_cache *t = tiny_build(&o);
        struct wire_header *header = (void *)t->bytes;
        struct wire_frame *last = (void *)(t->bytes + t->frame_table_offset +
                                           CACHE_FRAME_ENTRY_BYTES);
        uint64_t end_us = (UINT64_C(1) << 60) + (uint64_t)is_long;
        spn_node node;

        test_context("%llu us", (unsigned long long)end_us);
        spn_store_u64le(header->duration_us, end_us);
        spn_store_u64le(last->time_us, end_us);
        tiny_correct_checksums(t);
        if (is_long) {
            refuses(t, t->size, "too long");
            continue;
        }
        stage_init(&stage, t);
        stage_open(&stage);
        node = stage_node(&stage, true);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, (int64_t)end_us),
                 SPN_OK);
        stage_until_ready(&stage, node);
        stage_check_frame(&stage, node, 0, 1);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, -1), SPN_OK);
        stage_until_ready(&stage, node);
        stage_check_frame(&stage, node, 0, 1);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, INT64_MIN), SPN_OK);
        stage_until_ready(&stage, node);
        stage_close(&stage);
    }
}

static void cache_refuses_truncations(void)
{
    struct tiny_cache *probe = tiny_build(NULL);

    for (size_t cut = 0; cut < probe->size; cut += cut < 400 ? 37 : 997)
        refuses(tiny_copy(probe), cut, "truncated");
    tiny_free(probe);
}

static void cache_reports_errors_of_the_disc(void)
{
    spn_cache cache;
    struct slow_fault fault = {.kind = SLOW_ERROR, .path = "a"};

    stage_init(&stage, tiny_build(NULL));
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "none", &cache), SPN_OK);
    CHECK_EQ(outcome(cache, NULL), SPN_ERR_NOT_FOUND);
    slow_platform_fault(&stage.disc, &fault);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &cache), SPN_OK);
    CHECK_EQ(outcome(cache, NULL), SPN_ERR_IO);
    CHECK_EQ_U(live_bytes(), 0);
    stage_close(&stage);
}

/* A drive that returns fewer bytes than the file has does not prove the file
 * wrong. */
static void cache_distinguishes_short_reads_from_short_files(void)
{
    struct slow_fault fault = {.kind = SLOW_SHORT, .path = "a", .bytes = 1};
    struct tiny_cache *probe = tiny_build(NULL);
    const uint64_t size = probe->size;

    tiny_free(probe);
    for (fault.offset = 0; fault.offset < size; fault.offset += 97) {
        const struct slow_fault *ordered;
        spn_cache cache;
        spn_status status;

        test_context("at %u", (unsigned)fault.offset);
        stage_init(&stage, tiny_build(NULL));
        stage_start(&stage);
        ordered = slow_platform_fault(&stage.disc, &fault);
        CHECK_EQ(spn_cache_open(stage.rt, "a", &cache), SPN_OK);
        status = outcome(cache, NULL);
        /* Frames are read only when they are played. */
        CHECK_EQ(status, ordered->hits > 0 ? SPN_ERR_SHORT_READ : SPN_OK);
        CHECK(ordered->hits > 0 || fault.offset >= CACHE_HEADER_BYTES);
        stage_close(&stage);
    }
}

static void cache_closes_in_every_state(void)
{
    struct tiny_options o = {.vertices = 3000, .mesh_count = 3};

    for (int ticks = 0; ticks < 40; ticks++) {
        spn_cache cache;

        test_context("after %d ticks", ticks);
        stage_init(&stage, tiny_build(&o));
        stage.disc.bytes_per_second = 1 << 20;
        stage.disc.seek_us = 5000;
        stage_start(&stage);
        CHECK_EQ(spn_tuning_set(stage.rt, "update_steps_max", "2"), SPN_OK);
        CHECK_EQ(spn_cache_open(stage.rt, "a", &cache), SPN_OK);
        for (int i = 0; i < ticks; i++)
            stage_tick(&stage, 3000);
        CHECK_EQ(spn_cache_close(stage.rt, cache), SPN_OK);
        CHECK_EQ(spn_cache_get_status(stage.rt, cache, NULL), SPN_ERR_HANDLE);
        /* An open during the close does not return the closing cache. */
        CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
        CHECK_EQ(outcome(stage.cache, NULL), SPN_OK);
        CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
        for (int i = 0; i < 100; i++)
            stage_tick(&stage, 10000);
        CHECK_EQ_U(live_bytes(), 0);
        CHECK_EQ(stage.disc.opens, stage.disc.closes);
        stage_close(&stage);
    }
}

/* Two caches with room for one. The second waits until the first is closed. */
static void cache_waits_for_memory(void)
{
    struct tiny_options o = {.vertices = 30000,
                             .has_static_mesh = true,
                             .has_colors = true,
                             .is_noisy = true,
                             .frame_count = 2};
    spn_cache second;
    uint64_t one;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    one = live_bytes();
    stage_close(&stage);

    stage_init(&stage, tiny_build(&o));
    slow_platform_add(&stage.disc, "b", stage.tiny->bytes, stage.tiny->size);
    stage.config.heap_bytes = (uint32_t)one * 5 / 2;
    stage_open(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "b", &second), SPN_OK);
    CHECK_EQ(outcome(second, NULL), SPN_PENDING);
    CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
    CHECK_EQ(outcome(second, NULL), SPN_OK);
    stage_close(&stage);

    /* A cache that can never fit is refused. */
    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = (uint32_t)one / 2;
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &second), SPN_OK);
    CHECK_EQ(outcome(second, NULL), SPN_ERR_MEMORY);
    CHECK_EQ_U(live_bytes(), 0);
    stage_close(&stage);
}

static spn_status open_in(const struct tiny_cache *tiny, uint32_t pages)
{
    spn_status status;

    stage_init(&stage, tiny_copy(tiny));
    stage.config.heap_bytes = pages * 4096;
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    status = outcome(stage.cache, NULL);
    stage_close(&stage);
    return status;
}

/* Alone in a heap, no other cache can make room, so the cache is refused and
 * does not wait. */
static void cache_opens_or_is_refused_in_every_heap(void)
{
    const struct tiny_options shapes[] = {
        {.vertices = 3, .mesh_count = 300},
        {.vertices = 2500,
         .has_static_mesh = true,
         .has_colors = true,
         .is_noisy = true},
        {.vertices = 3, .frame_count = 4000, .distance = 1},
        {.vertices = 3, .frame_count = 300, .mesh_count = 200},
    };

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct tiny_cache *tiny = tiny_build(&shapes[i]);
        uint32_t opened = 0;

        for (uint32_t pages = 16; opened < 5; pages++) {
            spn_status status = open_in(tiny, pages);

            test_context("shape %zu, %u pages", i, pages);
            CHECK(status == SPN_OK || status == SPN_ERR_MEMORY);
            opened += status == SPN_OK;
            CHECK(pages < 1000);
        }
        tiny_free(tiny);
    }
}

/* A cache that played and was closed leaves no trace. */
static void cache_leaves_a_heap_as_it_was(void)
{
    struct tiny_options big = {.vertices = 20000,
                               .has_static_mesh = true,
                               .has_colors = true,
                               .is_noisy = true,
                               .frame_count = 2};
    struct tiny_options played = {.vertices = 6000, .frame_count = 2};
    struct tiny_cache *other = tiny_build(&big);
    uint32_t pages = 150;
    spn_cache cache;
    spn_node node;

    while (open_in(other, pages) != SPN_OK)
        pages++;
    stage_init(&stage, tiny_build(&played));
    slow_platform_add(&stage.disc, "b", other->bytes, other->size);
    stage.config.heap_bytes = pages * 4096;
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    stage_until_ready(&stage, node);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(live_bytes(), 0);
    CHECK_EQ(spn_cache_open(stage.rt, "b", &cache), SPN_OK);
    CHECK_EQ(outcome(cache, NULL), SPN_OK);
    stage_close(&stage);
    tiny_free(other);
}

TEST_MAIN(TEST(cache_opens_with_three_reads),
          TEST(cache_opens_clips_of_many_chunks),
          TEST(cache_counts_references_by_path),
          TEST(cache_refuses_a_closed_handle_for_ever),
          TEST(cache_refuses_damage_in_every_table),
          TEST(cache_refuses_wrong_values_with_good_checksums),
          TEST(cache_refuses_clips_that_time_cannot_count),
          TEST(cache_refuses_truncations),
          TEST(cache_reports_errors_of_the_disc),
          TEST(cache_distinguishes_short_reads_from_short_files),
          TEST(cache_closes_in_every_state), TEST(cache_waits_for_memory),
          TEST(cache_opens_or_is_refused_in_every_heap),
          TEST(cache_leaves_a_heap_as_it_was))
