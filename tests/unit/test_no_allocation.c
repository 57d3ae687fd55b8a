/* test_no_allocation.c
 *
 * Goal: nothing is allocated between spn_init and spn_shutdown.
 * Method: the linker wraps every allocator and every function that gets memory
 *   from the system (LDFLAGS_test_no_allocation). While the trap is armed each
 *   call is counted, also calls by a codec's library, which is linked
 *   statically. Eight streams play for a minute of virtual time with loops and
 *   seeks, and for a while on real threads, with every block codec, and with
 *   lifted meshes with one-rings.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/cache_walk.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"
#include "support/tiny_pak.h"

#include "base/atomic.h"
#include "base/block_codec.h"
#include "common/codecs.h"
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <zlib.h>
#include <zstd.h>

static struct atomic_u32 is_armed;
static struct atomic_u32 calls;

static void note(void)
{
    if (atomic_load_acquire(&is_armed))
        atomic_add_relaxed(&calls, 1);
}

/* X(result, name, parameters, arguments) */
#define ALLOCATORS(X)                                                          \
    X(void *, malloc, (size_t bytes), (bytes))                                 \
    X(void *, calloc, (size_t count, size_t bytes), (count, bytes))            \
    X(void *, realloc, (void *p, size_t bytes), (p, bytes))                    \
    X(void *, aligned_alloc, (size_t align, size_t bytes), (align, bytes))     \
    X(int, posix_memalign, (void **p, size_t align, size_t bytes),             \
      (p, align, bytes))                                                       \
    X(void *, mmap,                                                            \
      (void *at, size_t bytes, int protection, int flags, int file,            \
       off_t offset),                                                          \
      (at, bytes, protection, flags, file, offset))                            \
    X(int, munmap, (void *at, size_t bytes), (at, bytes))                      \
    X(int, brk, (void *end), (end))                                            \
    X(void *, sbrk, (intptr_t by), (by))

#define WRAP(result, name, parameters, arguments)                              \
    result __real_##name parameters;                                           \
    result __wrap_##name parameters;                                           \
    result __wrap_##name parameters                                            \
    {                                                                          \
        note();                                                                \
        return __real_##name arguments;                                        \
    }
ALLOCATORS(WRAP)

void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p)
{
    note();
    __real_free(p);
}

static void arm(void)
{
    atomic_store_relaxed(&calls, 0);
    atomic_store_release(&is_armed, 1);
}

static uint32_t disarm(void)
{
    atomic_store_release(&is_armed, 0);
    return atomic_load_relaxed(&calls);
}

static void allocation_trap_counts_calls(void)
{
    void *volatile p;

    arm();
    p = malloc(10);
    CHECK_EQ(atomic_load_relaxed(&calls), 1);
    free(p);
    CHECK_EQ(disarm(), 2);
}

/* The same libraries do allocate when they get no workspace. */
static void allocation_trap_covers_libraries_of_codecs(void)
{
    z_stream stream = {0};
    ZSTD_DCtx *context;

    arm();
    CHECK_EQ(inflateInit(&stream), Z_OK);
    CHECK(disarm() > 0);
    CHECK_EQ(inflateEnd(&stream), Z_OK);
    arm();
    context = ZSTD_createDCtx();
    CHECK(disarm() > 0);
    ZSTD_freeDCtx(context);
}

static struct stage stage;

/* "a" is on the disc. Its mesh 1 has at most 420 vertices. */
static void eight_streams_play_a_minute(void)
{
    spn_vertex_layout layout = {.stride = 12,
                                .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[420 * 12];
    struct test_random random = {5};
    int64_t time_us[8];
    spn_node nodes[8];
    uint32_t shown_count = 0;
    spn_fill_result shown;

    stage.disc.bytes_per_second = 16 << 20;
    stage.disc.seek_us = 10000;
    stage.config.codecs = codecs_extra;
    stage.config.codec_count = CODECS_EXTRA_COUNT;
    stage_start(&stage);
    arm();
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    for (int i = 0; i < 8; i++) {
        nodes[i] = stage_node(&stage, i % 2);
        time_us[i] = i * 300000;
    }
    for (uint32_t tick = 0; tick < 3600; tick++) {
        for (int i = 0; i < 8; i++) {
            time_us[i] += STAGE_TICK_US;
            if (test_random_below(&random, 200) == 0)
                time_us[i] = test_random_below(&random, 6000000);
            CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], time_us[i]),
                     SPN_OK);
        }
        stage.disc.clock_us += STAGE_TICK_US;
        spn_update(stage.rt);
        for (int i = 0; i < 8; i++)
            shown_count +=
                spn_node_fill(stage.rt, nodes[i], 1, &layout, vertices,
                              sizeof vertices, &shown) == SPN_OK;
    }
    for (int i = 0; i < 8; i++)
        CHECK_EQ(spn_node_destroy(stage.rt, nodes[i]), SPN_OK);
    CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
    for (int i = 0; i < 100; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(disarm(), 0);
    CHECK(shown_count > 8 * 3500);
    stage_close(&stage);
}

static void eight_streams_play_a_minute_without_allocating(void)
{
    for (uint32_t id = BLOCK_CODEC_STORE; id <= BLOCK_CODEC_ZSTD; id++) {
        test_context("codec %u", id);
        stage_init(&stage, tiny_build(&(struct tiny_options){.codec = id,
                                                             .frame_count = 91,
                                                             .mesh_count = 2,
                                                             .vertices = 400,
                                                             .has_uvs = true}));
        eight_streams_play_a_minute();
    }
}

static void make_lifted(struct memory_sink *memory)
{
    synthetic_lift(&(struct synthetic_options){.frame_count = 66,
                                               .mesh_count = 2,
                                               .vertices = 400,
                                               .step = 20,
                                               .has_uvs = true,
                                               .has_colors = true,
                                               .has_second_uvs = true,
                                               .has_velocities = true},
                   8, true, memory);
    CHECK(cache_has_lifted(memory->bytes, memory->size));
}

/* Hierarchies, one-rings and tables are built when the cache is opened. */
static void eight_streams_of_lifted_meshes_do_not_allocate(void)
{
    struct memory_sink memory = {0};

    make_lifted(&memory);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
    eight_streams_play_a_minute();
    memory_sink_free(&memory);
}

/* -- paks -- */

static uint32_t reads_ended;

static void on_read(const spn_read_result *result)
{
    CHECK_EQ(result->status, SPN_OK);
    reads_ended++;
}

/* Mounted, read, loaded, read, unloaded, unmounted: twice. */
static void paks_are_read_without_allocating(void)
{
    static uint8_t data[300000];
    static uint8_t buffer[4][300000];
    static const struct tiny_pak_file files[] = {
        {.name = "lz", .data = data, .bytes = 300000, .codec = SPN_CODEC_LZ4},
        {.name = "df", .data = data, .bytes = 299999, .codec = 2},
        {.name = "zs", .data = data, .bytes = 299998, .codec = 3},
        {.name = "raw", .data = data + 4, .bytes = 200000},
    };
    struct tiny_pak pak;
    spn_pak handle = 0;

    for (uint32_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i / 100 % 2 ? i * 2654435761u >> 16 : i >> 8);
    tiny_pak_make(&pak, files, 4);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "p", pak.bytes, pak.size);
    stage.config.codecs = codecs_extra;
    stage.config.codec_count = CODECS_EXTRA_COUNT;
    stage.config.pak_count = 1;
    stage_start(&stage);
    reads_ended = 0;
    arm();
    for (uint32_t round = 0; round < 4; round++) {
        if (round % 2 == 0)
            CHECK_EQ(spn_pak_mount(stage.rt, "p", &handle), SPN_OK);
        else
            CHECK_EQ(spn_pak_load(stage.rt, handle, SPN_PRIORITY_NORMAL),
                     SPN_OK);
        for (uint32_t i = 0; i < 50; i++)
            stage_tick(&stage, STAGE_TICK_US);
        for (uint32_t i = 0; i < 4; i++) {
            spn_read_desc desc = {.path = files[i].name,
                                  .offset = i * 1000,
                                  .buffer = buffer[i],
                                  .buffer_bytes = sizeof buffer[i],
                                  .priority = SPN_PRIORITY_NORMAL,
                                  .on_done = on_read};
            spn_read read;

            CHECK_EQ(spn_read_start(stage.rt, &desc, &read), SPN_OK);
        }
        for (uint32_t i = 0; i < 50; i++)
            stage_tick(&stage, STAGE_TICK_US);
        if (round % 2 == 0)
            continue;
        CHECK_EQ(spn_pak_unload(stage.rt, handle), SPN_OK);
        CHECK_EQ(spn_pak_unmount(stage.rt, handle), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK_EQ(disarm(), 0);
    CHECK_EQ(reads_ended, 16);
    stage_close(&stage);
    tiny_pak_free(&pak);
}

static void threads_play(const uint8_t *clip, size_t clip_bytes)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform platform;
    spn_config config = {.platform = &platform,
                         .heap_bytes = 4 << 20,
                         .node_count = 4,
                         .worker_count = 2,
                         .codecs = codecs_extra,
                         .codec_count = CODECS_EXTRA_COUNT};
    spn_node_desc desc = {.is_looping = 1};
    spn_runtime *rt;
    spn_cache cache;
    spn_node nodes[4];
    size_t bytes;
    void *memory;
    char path[512];
    FILE *file;
    uint32_t found;

    snprintf(path, sizeof path, "%s/clip.sgc", test_temp());
    file = fopen(path, "wb");
    CHECK(file && fwrite(clip, 1, clip_bytes, file) == clip_bytes);
    CHECK_EQ(fclose(file), 0);
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    arm();
    CHECK_EQ(spn_cache_open(rt, path, &cache), SPN_OK);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ(spn_node_create(rt, cache, &desc, &nodes[i]), SPN_OK);
    for (uint32_t step = 0; step < 300; step++) {
        spn_node_state node = {0};

        for (uint32_t i = 0; i < 4; i++)
            CHECK_EQ(spn_node_set_playback_time(
                         rt, nodes[i],
                         step * 20000 + i * 500000 +
                             (step % 100 == 99 ? 900000u : 0)),
                     SPN_OK);
        do {
            spn_update(rt);
            CHECK_EQ(spn_node_get_state(rt, nodes[step % 4], &node), SPN_OK);
        } while (!node.is_ready);
    }
    found = disarm();
    spn_shutdown(rt);
    CHECK_EQ(found, 0);
    free(memory);
    free(state);
}

static void threads_do_not_allocate(void)
{
    struct memory_sink lifted = {0};

    for (uint32_t id = BLOCK_CODEC_STORE; id <= BLOCK_CODEC_ZSTD; id++) {
        struct tiny_cache *t = tiny_build(&(struct tiny_options){
            .codec = id, .frame_count = 61, .vertices = 400});

        test_context("codec %u", id);
        threads_play(t->bytes, t->size);
        tiny_free(t);
    }
    test_context("lifted");
    make_lifted(&lifted);
    threads_play(lifted.bytes, lifted.size);
    memory_sink_free(&lifted);
}

TEST_MAIN(TEST(allocation_trap_counts_calls),
          TEST(allocation_trap_covers_libraries_of_codecs),
          TEST(eight_streams_play_a_minute_without_allocating),
          TEST(eight_streams_of_lifted_meshes_do_not_allocate),
          TEST(paks_are_read_without_allocating), TEST(threads_do_not_allocate))
