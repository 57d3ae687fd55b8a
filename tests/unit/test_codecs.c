/* test_codecs.c
 *
 * Goal: a runtime plays caches of every registered codec, refuses others by
 *   name, and reserves the codecs' workspaces in its block.
 * Method: the same clip compressed by each codec; configs with every set of
 *   codec tables; a decoder of the test that checks its arguments.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/block_codec.h"
#include "common/codecs.h"
#include "support/cache_checksums.h"
#include "support/cache_walk.h"
#include "support/stage.h"

#include <stdlib.h>
#include <string.h>

static struct stage stage;

static struct tiny_options clip_of(uint32_t codec)
{
    return (struct tiny_options){.codec = codec,
                                 .mesh_count = 2,
                                 .vertices = 500,
                                 .has_uvs = true,
                                 .has_colors = true};
}

static void start(uint32_t codec, const spn_codec *const *tables,
                  uint32_t count)
{
    struct tiny_options o = clip_of(codec);

    stage_init(&stage, tiny_build(&o));
    stage.config.codecs = tables;
    stage.config.codec_count = count;
}

static spn_status outcome(spn_cache cache, spn_fault *fault)
{
    spn_status status = SPN_PENDING;

    for (int i = 0; i < 200 && status == SPN_PENDING; i++) {
        stage_tick(&stage, STAGE_TICK_US);
        status = spn_cache_get_status(stage.rt, cache, fault);
    }
    return status;
}

static void codecs_all_play_the_same_frames(void)
{
    for (uint32_t id = BLOCK_CODEC_STORE; id <= BLOCK_CODEC_ZSTD; id++) {
        spn_node node;

        test_context("codec %u", id);
        start(id, codecs_extra, CODECS_EXTRA_COUNT);
        stage_open(&stage);
        node = stage_node(&stage, false);
        for (uint32_t frame = 0; frame < 31; frame += 3) {
            CHECK_EQ(spn_node_set_playback_time(stage.rt, node,
                                                frame * INT64_C(33333)),
                     SPN_OK);
            stage_until_ready(&stage, node);
            stage_check_frame(&stage, node, 0, frame);
            stage_check_frame(&stage, node, 1, frame);
        }
        CHECK_EQ(stage_state(&stage, node).frames_dropped, 0);
        stage_close(&stage);
    }
}

static void refuses(uint32_t id, const spn_codec *const *tables, uint32_t count,
                    const char *name)
{
    spn_fault fault = {0};
    spn_cache cache;

    test_context("codec %u of %u tables", id, count);
    start(id, tables, count);
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &cache), SPN_OK);
    CHECK_EQ(outcome(cache, &fault), SPN_ERR_NO_CODEC);
    CHECK_STR(fault.what, name);
    CHECK_EQ(fault.status, SPN_ERR_NO_CODEC);
    CHECK_EQ_U(fault.value, id);
    /* The rest of the file is not read. */
    CHECK_EQ(stage.disc.reads, 1);
    stage_close(&stage);
}

static void codecs_that_are_not_registered_are_refused_by_name(void)
{
    static const spn_codec *const deflate[] = {&spn_codec_deflate};
    static const spn_codec *const zstd[] = {&spn_codec_zstd};

    refuses(BLOCK_CODEC_DEFLATE, NULL, 0, "block codec deflate");
    refuses(BLOCK_CODEC_ZSTD, NULL, 0, "block codec zstd");
    refuses(BLOCK_CODEC_DEFLATE, zstd, 1, "block codec deflate");
    refuses(BLOCK_CODEC_ZSTD, deflate, 1, "block codec zstd");
}

/* -- the config -- */

static void config_refuses_tables_that_cannot_be_used(void)
{
    static const spn_codec store = {.id = BLOCK_CODEC_STORE, .name = "own"};
    static const spn_codec lz4 = {.id = BLOCK_CODEC_LZ4, .name = "own"};
    struct slow_platform disc;
    spn_codec own[3];
    const spn_codec *tables[] = {&own[0], &own[1], &own[2]};
    spn_config config = {.platform = &disc.table, .codecs = tables};
    spn_config out;

    slow_platform_init(&disc);
    for (uint32_t i = 0; i < 3; i++) {
        own[i] = spn_codec_deflate;
        own[i].id = 10 + i;
    }
    config.codec_count = 3;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    own[2].id = 11;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    own[2].id = 12;
    own[1].name = NULL;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    own[1].name = "own";
    own[0].decode = NULL;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    own[0].decode = spn_codec_deflate.decode;
    own[2].id = store.id;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    own[2].id = lz4.id;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    own[2].id = 12;
    tables[1] = NULL;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    tables[1] = &own[1];
    for (uint32_t i = 0; i < 3; i++)
        own[i].workspace_bytes = (64u << 20) / 4;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    own[0].workspace_bytes = (64u << 20) / 2;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    own[0].workspace_bytes++;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    CHECK_EQ_U(spn_memory_needed(&config), 0);
}

static void start_nothing(void *user)
{
    (void)user;
}

/* One workspace of each table for each worker, and one for spn_update. */
static void memory_counts_each_workspace_for_each_worker(void)
{
    struct slow_platform disc;
    spn_job_gate gate = {NULL, 0};
    spn_config config = {.platform = &disc.table,
                         .codecs = codecs_extra,
                         .job_submit = start_nothing,
                         .job_gate = &gate};
    size_t bytes;

    slow_platform_init(&disc);
    for (uint32_t workers = 1; workers < 5; workers++) {
        config.worker_count = workers;
        config.codec_count = 0;
        bytes = spn_memory_needed(&config);
        for (uint32_t i = 0; i < CODECS_EXTRA_COUNT; i++) {
            size_t workspaces =
                (workers + 1) * (size_t)codecs_extra[i]->workspace_bytes;
            size_t with;

            config.codec_count = i + 1;
            with = spn_memory_needed(&config);
            /* The copy of the array adds one aligned pointer for each table. */
            CHECK(with - bytes >= workspaces);
            CHECK(with - bytes <= workspaces + 64);
            bytes = with;
        }
    }
}

/* -- arguments of a decoder -- */

enum { OWN_BYTES = 100 };
static uint32_t own_calls;
static uint8_t *own_workspace;

/* Deflate, with a check of the workspace, which counts the calls. */
static spn_status decode_own(const void *source, uint32_t source_bytes,
                             void *target, uint32_t target_bytes,
                             void *workspace)
{
    static _Alignas(64) uint8_t inner[1 << 20];
    uint8_t *bytes = workspace;
    uint32_t count;

    CHECK_EQ_U((uintptr_t)workspace % 64, 0);
    CHECK(own_calls == 0 || own_workspace == bytes);
    own_workspace = bytes;
    memcpy(&count, bytes, sizeof count);
    CHECK_EQ(count, own_calls);
    for (int i = sizeof count; i < OWN_BYTES; i++)
        CHECK_EQ(bytes[i], own_calls == 0 ? 0 : 0xee);
    own_calls++;
    memset(bytes, 0xee, OWN_BYTES);
    memcpy(bytes, &own_calls, sizeof own_calls);
    CHECK(target_bytes >= 1 && target_bytes <= BLOCK_RAW_BYTES_MAX);
    return spn_codec_deflate.decode(source, source_bytes, target, target_bytes,
                                    inner);
}

/* The codec's workspace lies between two others that are in use too. */
static void workspaces_are_zeroed_once(void)
{
    static const spn_codec own = {BLOCK_CODEC_DEFLATE, "own", OWN_BYTES,
                                  decode_own};
    static const spn_codec other = {77, "other", 3, decode_own};
    static const spn_codec *const tables[] = {&other, &own, &spn_codec_zstd};
    struct tiny_options o = clip_of(BLOCK_CODEC_ZSTD);
    struct tiny_cache *second = tiny_build(&o);
    spn_cache cache;
    spn_node node;

    own_calls = 0;
    start(BLOCK_CODEC_DEFLATE, tables, 3);
    slow_platform_add(&stage.disc, "b", second->bytes, second->size);
    stage_open(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "b", &cache), SPN_OK);
    CHECK_EQ(outcome(cache, NULL), SPN_OK);
    CHECK_EQ(spn_node_create(stage.rt, cache, NULL, &node), SPN_OK);
    for (int64_t time_us = 0; time_us < 1000000; time_us += 100000) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
        stage_until_ready(&stage, node);
        stage_check_frame(&stage, node, 1, (uint32_t)(time_us / 33333));
    }
    node = stage_node(&stage, true);
    for (int64_t time_us = 0; time_us < 2000000; time_us += 100000) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
        stage_until_ready(&stage, node);
    }
    CHECK(own_calls > 31);
    stage_close(&stage);
    tiny_free(second);
}

/* -- damage -- */

/* Every byte of a frame's blocks is changed in turn, under correct checksums.
 * The frame either plays with some values or is dropped with a reason. The
 * other frames are not affected. */
static void damaged_blocks_lose_only_their_frames(void)
{
    for (uint32_t id = BLOCK_CODEC_LZ4; id <= BLOCK_CODEC_ZSTD; id++) {
        struct tiny_options o = {
            .codec = id, .frame_count = 12, .vertices = 60, .distance = 5};
        struct tiny_cache *t = tiny_build(&o);
        uint8_t *good = malloc(t->size);
        size_t first = (size_t)t->frame_offset[7];
        uint32_t dropped = 0;
        struct cache_checksums places;

        memcpy(good, t->bytes, t->size);
        cache_checksums_find(&places, t->bytes, t->size);
        for (uint32_t at = 0; at < t->frame_bytes[7]; at++) {
            spn_node_state state;
            spn_node node;

            test_context("codec %u, byte %u", id, at);
            memcpy(t->bytes, good, t->size);
            t->bytes[first + at] ^= (uint8_t)(1u << (at % 8));
            cache_checksums_apply(&places, t->bytes);
            stage_init(&stage, NULL);
            slow_platform_add(&stage.disc, "a", t->bytes, t->size);
            stage.config.codecs = codecs_extra;
            stage.config.codec_count = CODECS_EXTRA_COUNT;
            stage.config.heap_bytes = 1 << 20;
            stage_open(&stage);
            stage.tiny = t;
            node = stage_node(&stage, false);
            for (uint32_t frame = 0; frame < 12; frame++) {
                CHECK_EQ(spn_node_set_playback_time(stage.rt, node,
                                                    frame * INT64_C(33333)),
                         SPN_OK);
                for (int i = 0; i < 30; i++)
                    stage_tick(&stage, 1000);
            }
            state = stage_state(&stage, node);
            CHECK(state.is_ready);
            stage_check_frame(&stage, node, 0, 11);
            CHECK(state.frames_dropped == 0 || state.fault.what != NULL);
            dropped += state.frames_dropped;
            stage.tiny = NULL;
            stage_close(&stage);
        }
        CHECK(dropped > 0);
        cache_checksums_free(&places);
        free(good);
        tiny_free(t);
    }
}

TEST_MAIN(TEST(codecs_all_play_the_same_frames),
          TEST(codecs_that_are_not_registered_are_refused_by_name),
          TEST(config_refuses_tables_that_cannot_be_used),
          TEST(memory_counts_each_workspace_for_each_worker),
          TEST(workspaces_are_zeroed_once),
          TEST(damaged_blocks_lose_only_their_frames))
