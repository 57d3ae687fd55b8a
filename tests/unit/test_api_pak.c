/* test_api_pak.c
 *
 * Goal: with public functions only, a cache in a pak plays as it plays from a
 *   file: from the disc, compressed, loaded, and while the pak is loaded and
 *   unmounted. Each wrong argument is refused.
 * Method: a stage whose disc holds a pak instead of the cache. Every frame
 *   shown is compared with the expected one.
 */
/* SPDX-License-Identifier: MIT */
#include "base/checksum.h"
#include "base/endian.h"
#include "common/codecs.h"
#include "harness.h"
#include "pak/pak_wire.h"
#include "support/stage.h"
#include "support/tiny_pak.h"

#include <stdlib.h>
#include <string.h>

static struct stage stage;
static struct tiny_pak tiny_pak;

/* The disc has the pak "p", whose entry "dir/clip" is the cache. */
static void open_stage(uint32_t codec)
{
    struct tiny_options o = {.frame_count = 61,
                             .mesh_count = 2,
                             .is_stored = codec != SPN_CODEC_STORE};
    struct tiny_cache *cache = tiny_build(&o);
    struct tiny_pak_file file = {.name = "dir/clip",
                                 .data = cache->bytes,
                                 .bytes = cache->size,
                                 .codec = codec,
                                 .copy_count = 2};

    tiny_pak_free(&tiny_pak);
    tiny_pak_make(&tiny_pak, &file, 1);
    stage_init(&stage, NULL);
    stage.tiny = cache;
    slow_platform_add(&stage.disc, "p", tiny_pak.bytes, tiny_pak.size);
    stage.disc.bytes_per_second = 8 << 20;
    stage.disc.seek_us = 20000;
    stage.config.codecs = codecs_extra;
    stage.config.codec_count = CODECS_EXTRA_COUNT;
    stage.config.pak_count = 1;
    stage_start(&stage);
}

static spn_pak mount(void)
{
    spn_pak pak = 0;

    CHECK_EQ(spn_pak_mount(stage.rt, "p", &pak), SPN_OK);
    for (int i = 0; i < 1000; i++) {
        if (spn_pak_get_status(stage.rt, pak, NULL) != SPN_PENDING)
            break;
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK_EQ(spn_pak_get_status(stage.rt, pak, NULL), SPN_OK);
    return pak;
}

static void open_cache(void)
{
    CHECK_EQ(spn_cache_open(stage.rt, "dir/clip", &stage.cache), SPN_OK);
    for (int i = 0; i < 1000; i++) {
        if (spn_cache_get_status(stage.rt, stage.cache, NULL) != SPN_PENDING)
            break;
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK_EQ(spn_cache_get_status(stage.rt, stage.cache, NULL), SPN_OK);
}

static void play(spn_node node, uint32_t first, uint32_t limit)
{
    for (uint32_t frame = first; frame < limit; frame++) {
        CHECK_EQ(
            spn_node_set_playback_time(stage.rt, node, (int64_t)frame * 33333),
            SPN_OK);
        stage_tick(&stage, 100);
        stage_until_ready(&stage, node);
        stage_check_frame(&stage, node, 0, frame);
        stage_check_frame(&stage, node, 1, frame);
    }
}

static void pak_plays_a_cache(void)
{
    for (uint32_t codec = 0; codec < 4; codec++) {
        spn_pak pak;
        spn_node node;

        test_context("codec %u", codec);
        open_stage(codec);
        pak = mount();
        open_cache();
        node = stage_node(&stage, false);
        play(node, 0, 15);
        CHECK_EQ(spn_pak_load(stage.rt, pak, SPN_PRIORITY_NORMAL), SPN_OK);
        play(node, 15, 35);
        for (int i = 0; i < 1000; i++)
            if (spn_pak_get_load_status(stage.rt, pak) == SPN_PENDING)
                stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ(spn_pak_get_load_status(stage.rt, pak), SPN_OK);
        play(node, 35, 45);
        CHECK_EQ(spn_pak_unmount(stage.rt, pak), SPN_OK);
        play(node, 45, 61);
        CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
        CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
        for (int i = 0; i < 100; i++)
            stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ(stage.disc.opens, stage.disc.closes);
        {
            spn_heap_stats stats;

            spn_heap_get_stats(stage.rt, &stats);
            CHECK_EQ_U(stats.live_bytes, 0);
        }
        stage_close(&stage);
    }
}

/* Overwrite a compressed block in every copy, with the checksum of the good
 * bytes or of the new ones. Return the number of the cache's bytes in it. */
static uint64_t damage_block(uint32_t block, bool is_mended)
{
    struct tiny_pak_tables tables;
    const struct pak_wire_copy *copies;
    struct pak_wire_block *blocks;
    uint32_t first;
    uint32_t limit;

    CHECK(tiny_pak_find(tiny_pak.bytes, tiny_pak.size, &tables));
    copies = (const void *)(tiny_pak.bytes + tables.copies);
    blocks = (void *)(tiny_pak.bytes + tables.blocks);
    first = spn_load_u32le(blocks[block - 1].end);
    limit = spn_load_u32le(blocks[block].end);
    for (uint32_t c = 0; c < 2; c++) {
        uint8_t *copy = tiny_pak.bytes + spn_load_u64le(copies[c].offset);

        memset(copy + first, 0xff, limit - first);
        if (is_mended)
            spn_store_u32le(
                blocks[block].checksum,
                spn__checksum(copy + first, limit - first, WIRE_SEED));
    }
    tiny_pak_correct_checksums(tiny_pak.bytes, tiny_pak.size);
    return (uint64_t)block * PAK_BLOCK_BYTES;
}

/* A block that cannot be decoded is lost like an unreadable page, and playback
 * continues behind it. */
static void pak_block_that_is_damaged_costs_its_frames(void)
{
    static const spn_status statuses[] = {SPN_ERR_CHECKSUM, SPN_ERR_CODEC};

    for (uint32_t i = 0; i < 2; i++) {
        const struct tiny_cache *t;
        uint32_t shown = 0;
        spn_node_state state;
        spn_node node;
        uint64_t start;

        open_stage(SPN_CODEC_LZ4);
        t = stage.tiny;
        start = damage_block(3, i == 1);
        (void)mount();
        open_cache();
        node = stage_node(&stage, false);
        stage_stream(&stage, node, 0);
        for (uint32_t f = 0; f < 61; f++) {
            const uint64_t offset = t->frame_offset[f];
            const bool is_hit = offset < start + PAK_BLOCK_BYTES &&
                                offset + t->frame_bytes[f] > start;

            test_context("variant %u, frame %u", i, f);
            CHECK_EQ(
                spn_node_set_playback_time(stage.rt, node, (int64_t)f * 33333),
                SPN_OK);
            for (int k = 0; k < 20; k++)
                stage_tick(&stage, STAGE_TICK_US);
            state = stage_state(&stage, node);
            CHECK(!is_hit || state.shown_frame != f);
            if (state.shown_frame == f) {
                shown++;
                stage_check_frame(&stage, node, 0, f);
            }
        }
        /* The first and the last frames, and more than half of all. */
        CHECK_EQ_U(state.shown_frame, 60);
        CHECK(shown > 30 && shown < 61);
        CHECK_EQ_U(state.frames_dropped, 61 - shown);
        CHECK_EQ(state.status, statuses[i]);
        CHECK_STR(state.fault.what, "unreadable frame");
        CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
        stage_close(&stage);
    }
}

/* The runtime shuts down with everything mounted, loaded and playing. */
static void pak_ends_with_the_runtime(void)
{
    for (uint32_t ticks = 0; ticks < 12; ticks++) {
        spn_pak pak = 0;

        open_stage(SPN_CODEC_ZSTD);
        CHECK_EQ(spn_pak_mount(stage.rt, "p", &pak), SPN_OK);
        CHECK_EQ(spn_pak_load(stage.rt, pak, SPN_PRIORITY_NORMAL), SPN_OK);
        for (uint32_t i = 0; i < ticks; i++)
            stage_tick(&stage, STAGE_TICK_US);
        stage_close(&stage);
        CHECK_EQ(stage.disc.opens, stage.disc.closes);
    }
}

static spn_status wait_for(const spn_pak *paks, uint32_t count, uint32_t *which)
{
    spn_status status = SPN_PENDING;

    for (int i = 0; i < 1000 && status == SPN_PENDING; i++) {
        status = spn_pak_get_status_all(stage.rt, paks, count, which);
        stage_tick(&stage, STAGE_TICK_US);
    }
    return status;
}

static void paks_of_a_level_are_named_in_one_call(void)
{
    static const char *const paths[] = {"p", "q", "p"};
    static const char *const bad[] = {"q", "none", "p"};
    static const char *const many[] = {"p", "q", "p", "q"};
    spn_pak paks[4] = {0};
    spn_pak_entry entry;
    uint32_t which = 9;

    open_stage(SPN_CODEC_LZ4);
    stage_close(&stage);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "p", tiny_pak.bytes, tiny_pak.size);
    slow_platform_add(&stage.disc, "q", tiny_pak.bytes, tiny_pak.size);
    stage.disc.command_us = 1000;
    stage.config.pak_count = 3;
    stage_start(&stage);
    CHECK_EQ(spn_pak_mount_all(NULL, paths, 3, paks), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_mount_all(stage.rt, NULL, 3, paks), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_mount_all(stage.rt, paths, 0, paks), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_mount_all(stage.rt, paths, 3, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_load_all(NULL, paks, 3, SPN_PRIORITY_IDLE), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_load_all(stage.rt, NULL, 3, SPN_PRIORITY_IDLE),
             SPN_ERR_ARG);
    CHECK_EQ(spn_pak_unmount_all(stage.rt, NULL, 3), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_unmount_all(NULL, paks, 3), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_get_status_all(NULL, paks, 3, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_get_status_all(stage.rt, NULL, 3, NULL), SPN_ERR_ARG);
    /* One path too many: no pak is mounted. */
    CHECK_EQ(spn_pak_mount_all(stage.rt, many, 4, paks), SPN_ERR_TABLE_FULL);
    CHECK_EQ(spn_pak_get_status(stage.rt, paks[0], NULL), SPN_ERR_HANDLE);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_pak_mount_all(stage.rt, paths, 3, paks), SPN_OK);
    CHECK_EQ(spn_pak_get_status_all(stage.rt, paks, 3, &which), SPN_PENDING);
    CHECK_EQ(which, 0);
    CHECK_EQ(wait_for(paks, 3, NULL), SPN_OK);
    CHECK_EQ(spn_pak_find(stage.rt, 0, "dir/clip", &entry), SPN_OK);
    CHECK_EQ(entry.pak, paks[2]);
    CHECK_EQ(spn_pak_load_all(stage.rt, paks, 3, SPN_PRIORITY_NORMAL), SPN_OK);
    CHECK_EQ(spn_pak_get_status_all(stage.rt, paks, 3, NULL), SPN_PENDING);
    CHECK_EQ(wait_for(paks, 3, NULL), SPN_OK);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(spn_pak_get_load_status(stage.rt, paks[i]), SPN_OK);
    CHECK_EQ(spn_pak_unmount_all(stage.rt, paks, 3), SPN_OK);
    CHECK_EQ(spn_pak_unmount_all(stage.rt, paks, 3), SPN_ERR_HANDLE);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_is_empty(&stage));
    /* The second of three paths does not exist. */
    CHECK_EQ(spn_pak_mount_all(stage.rt, bad, 3, paks), SPN_OK);
    CHECK_EQ(wait_for(paks, 3, &which), SPN_ERR_NOT_FOUND);
    CHECK_EQ(which, 1);
    CHECK_EQ(spn_pak_load_all(stage.rt, paks, 3, SPN_PRIORITY_NORMAL),
             SPN_ERR_STATE);
    stage_close(&stage);
}

static void pak_functions_refuse_bad_arguments(void)
{
    spn_pak_entry entry;
    spn_pak_entry_info info;
    uint32_t count;
    spn_fault fault;
    spn_pak pak;

    open_stage(SPN_CODEC_STORE);
    pak = mount();
    CHECK_EQ(spn_pak_mount(NULL, "p", &pak), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_mount(stage.rt, NULL, &pak), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_mount(stage.rt, "p", NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_unmount(NULL, pak), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_unmount(stage.rt, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_pak_get_status(NULL, pak, &fault), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_get_status(stage.rt, 99, &fault), SPN_ERR_HANDLE);
    CHECK_EQ(spn_pak_load(NULL, pak, SPN_PRIORITY_NORMAL), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_load(stage.rt, pak, (spn_priority)7), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_load(stage.rt, 99, SPN_PRIORITY_NORMAL), SPN_ERR_HANDLE);
    CHECK_EQ(spn_pak_unload(NULL, pak), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_unload(stage.rt, 99), SPN_ERR_HANDLE);
    CHECK_EQ(spn_pak_get_load_status(NULL, pak), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_get_load_status(stage.rt, 99), SPN_ERR_HANDLE);
    CHECK_EQ(spn_pak_find(NULL, pak, "a", &entry), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_find(stage.rt, pak, NULL, &entry), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_find(stage.rt, pak, "a", NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_find(stage.rt, 99, "a", &entry), SPN_ERR_HANDLE);
    CHECK_EQ(spn_pak_find(stage.rt, pak, "a", &entry), SPN_ERR_NOT_FOUND);
    CHECK_EQ(spn_pak_find(stage.rt, pak, "", &entry), SPN_ERR_NOT_FOUND);
    CHECK_EQ(spn_pak_find(stage.rt, pak, "dir/clip", &entry), SPN_OK);
    CHECK_EQ(spn_pak_get_entry(NULL, entry, &info), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_get_entry(stage.rt, entry, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_get_entry(stage.rt, entry, &info), SPN_OK);
    CHECK_EQ_U(info.bytes, stage.tiny->size);
    CHECK_EQ(info.copy_count, 2);
    entry.index = 1;
    CHECK_EQ(spn_pak_get_entry(stage.rt, entry, &info), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_get_entry_count(NULL, pak, &count), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_get_entry_count(stage.rt, pak, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_pak_get_entry_count(stage.rt, 99, &count), SPN_ERR_HANDLE);
    CHECK_EQ(spn_pak_get_entry_count(stage.rt, pak, &count), SPN_OK);
    CHECK_EQ(count, 1);
    stage_close(&stage);
}

/* The pak never fits into the heap. */
static void pak_that_never_fits_is_refused(void)
{
    spn_pak pak;
    uint32_t ticks = 0;

    open_stage(SPN_CODEC_STORE);
    stage_close(&stage);
    open_stage(SPN_CODEC_STORE);
    spn_shutdown(stage.rt);
    free(stage.memory);
    stage.config.heap_bytes = 65536;
    CHECK(tiny_pak.size > 65536);
    stage_start(&stage);
    pak = mount();
    CHECK_EQ(spn_pak_load(stage.rt, pak, SPN_PRIORITY_NORMAL), SPN_OK);
    while (spn_pak_get_load_status(stage.rt, pak) == SPN_PENDING &&
           ticks++ < 100)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_pak_get_load_status(stage.rt, pak), SPN_ERR_MEMORY);
    stage_close(&stage);
}

static void paks_take_no_memory_unless_requested(void)
{
    spn_config with;
    spn_pak pak = 0;

    open_stage(SPN_CODEC_STORE);
    with = stage.config;
    spn_shutdown(stage.rt);
    free(stage.memory);
    stage.config.pak_count = 0;
    CHECK(spn_memory_needed(&stage.config) + (1 << 20) <=
          spn_memory_needed(&with));
    stage_start(&stage);
    CHECK_EQ(spn_pak_mount(stage.rt, "p", &pak), SPN_ERR_TABLE_FULL);
    stage_close(&stage);
}

TEST_MAIN(TEST(pak_plays_a_cache),
          TEST(pak_block_that_is_damaged_costs_its_frames),
          TEST(pak_ends_with_the_runtime),
          TEST(paks_of_a_level_are_named_in_one_call),
          TEST(pak_functions_refuse_bad_arguments),
          TEST(pak_that_never_fits_is_refused),
          TEST(paks_take_no_memory_unless_requested))
