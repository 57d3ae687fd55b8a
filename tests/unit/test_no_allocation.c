/* Goal: between spn_init and spn_shutdown nothing is ever allocated.
 * Method: the linker wraps every allocator and every way to ask the system
 * for memory (LDFLAGS_test_no_allocation); while the trap is armed a call
 * counts, also one by a decoder's library, which is linked in whole. Eight
 * streams play for a minute of virtual time with loops and seeks, and for a
 * while on real threads, with every block codec. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include "../../platform/posix/platform_posix.h"
#include "base/atomic.h"
#include "base/block_codec.h"
#include "common/codecs.h"

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

static void the_trap_works(void)
{
    void *volatile p;

    arm();
    p = malloc(10);
    CHECK_EQ(atomic_load_relaxed(&calls), 1);
    free(p);
    CHECK_EQ(disarm(), 2);
}

/* The same libraries, asked to help themselves. */
static void the_trap_reaches_into_the_decoders_libraries(void)
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

static void eight_streams_play_a_minute(uint32_t codec)
{
    struct tiny_options o = {.codec = codec,
                             .frame_count = 91,
                             .mesh_count = 2,
                             .vertices = 400,
                             .has_uvs = true};
    spn_vertex_layout layout = {.stride = 12,
                                .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[400 * 12];
    struct test_random random = {5};
    int64_t time_us[8];
    spn_node nodes[8];
    uint32_t shown_count = 0;
    spn_fill_result shown;

    stage_init(&stage, tiny_build(&o));
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
        eight_streams_play_a_minute(id);
    }
}

static void threads_play(uint32_t codec)
{
    struct tiny_options o = {
        .codec = codec, .frame_count = 61, .vertices = 400};
    struct tiny_cache *t = tiny_build(&o);
    void *state =
        aligned_alloc(64, (spn_platform_posix_bytes() + 63) / 64 * 64);
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
    CHECK(file && fwrite(t->bytes, 1, t->size, file) == t->size);
    CHECK_EQ(fclose(file), 0);
    CHECK_EQ(
        spn_platform_posix_init(state, spn_platform_posix_bytes(), &platform),
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
    tiny_free(t);
}

static void threads_do_not_allocate_either(void)
{
    for (uint32_t id = BLOCK_CODEC_STORE; id <= BLOCK_CODEC_ZSTD; id++) {
        test_context("codec %u", id);
        threads_play(id);
    }
}

TEST_MAIN(TEST(the_trap_works),
          TEST(the_trap_reaches_into_the_decoders_libraries),
          TEST(eight_streams_play_a_minute_without_allocating),
          TEST(threads_do_not_allocate_either))
