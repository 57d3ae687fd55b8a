/* fuzz_cache.c - a whole cache: decoded on every instruction set, then opened,
 * streamed and filled by the runtime.
 *
 * All instruction sets give the same bytes and the same refusals. A cache that
 * the decoder accepts can be opened and played to its end by the runtime
 * without leaks.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "fuzz/mutate_cache.h"
#include "fuzz/script_query.h"
#include "support/cache_checksums.h"
#include "support/cache_walk.h"
#include "support/slow_platform.h"

#include <spindle/spindle.h>
#include <stdlib.h>
#include <string.h>

#define HEAP_BYTES (3u << 20)
#define FILL_BYTES_MAX (64u << 10)
#define TICKS_MAX 400u
#define FRAMES_MAX 6u
#define NODES_MAX 1000u

/* -- playing -- */

struct play {
    struct slow_platform disc;
    spn_config config;
    spn_runtime *rt;
    spn_cache cache;
    spn_node node;
    spn_cache_info info;
};

static void *runtime_memory(const spn_config *config, size_t *bytes)
{
    static void *memory;
    static size_t held;

    *bytes = spn_memory_needed(config);
    CHECK(*bytes > 0);
    if (*bytes > held) {
        free(memory);
        held = (*bytes + 63) / 64 * 64;
        memory = aligned_alloc(64, held);
        CHECK(memory != NULL);
    }
    return memory;
}

static void start(struct play *p, const uint8_t *data, size_t size)
{
    void *memory;
    size_t bytes;

    memset(&p->config, 0, sizeof p->config);
    slow_platform_init(&p->disc);
    slow_platform_add(&p->disc, "a", data, size);
    p->config.platform = &p->disc.table;
    p->config.heap_bytes = HEAP_BYTES;
    p->config.file_count = 2;
    p->config.cache_count = 2;
    p->config.node_count = 2;
    p->config.read_count = 8;
    p->config.job_count = 64;
    p->config.stream_frame_count = 64;
    p->config.trace_count = 16;
    memory = runtime_memory(&p->config, &bytes);
    CHECK_EQ(spn_init(&p->config, memory, bytes, &p->rt), SPN_OK);
}

static void tick(struct play *p)
{
    p->disc.clock_us += 16667;
    spn_update(p->rt);
}

static void fill(struct play *p, uint32_t mesh)
{
    static const spn_vertex_layout layout = {
        .stride = 76,
        .position = {0, SPN_FORMAT_F32X3},
        .normal = {12, SPN_FORMAT_F32X3},
        .tangent = {24, SPN_FORMAT_F32X4},
        .uv = {40, SPN_FORMAT_F32X2},
        .color = {48, SPN_FORMAT_F32X4},
        .velocity = {64, SPN_FORMAT_F32X3}};
    spn_mesh_info mesh_info;
    uint8_t *vertices;
    size_t bytes;

    CHECK_EQ(spn_cache_get_mesh(p->rt, p->cache, mesh, &mesh_info), SPN_OK);
    bytes = (size_t)mesh_info.vertex_count * layout.stride;
    if (bytes > FILL_BYTES_MAX)
        return;
    vertices = malloc(bytes > 0 ? bytes : 1);
    (void)spn_node_fill(p->rt, p->node, mesh, &layout, vertices, bytes, NULL);
    free(vertices);
}

static void show(struct play *p, uint32_t turn)
{
    spn_node_state state;

    for (uint32_t m = 0; m < p->info.mesh_count && m < 4; m++)
        fill(p, m);
    CHECK_EQ(spn_node_get_state(p->rt, p->node, &state), SPN_OK);
    script_query_cache(p->rt, p->cache, turn);
    if (p->info.scene_node_count > 0 && p->info.scene_node_count <= NODES_MAX)
        script_query_node(p->rt, p->node, p->info.scene_node_count);
}

static void play_frames(struct play *p)
{
    const spn_node_desc desc = {.is_looping = 1};

    CHECK_EQ(spn_cache_get_info(p->rt, p->cache, &p->info), SPN_OK);
    CHECK_EQ(spn_node_create(p->rt, p->cache, &desc, &p->node), SPN_OK);
    for (uint32_t i = 0; i < FRAMES_MAX; i++) {
        const uint32_t frame =
            i < FRAMES_MAX / 2 ? i : p->info.frame_count - 1 - i % 2;
        int64_t time_us;

        if (spn_cache_get_frame_time(p->rt, p->cache, frame, &time_us) !=
            SPN_OK)
            continue;
        CHECK_EQ(spn_node_set_playback_time(p->rt, p->node, time_us + 1),
                 SPN_OK);
        for (uint32_t k = 0; k < 4; k++)
            tick(p);
        show(p, i);
    }
    CHECK_EQ(spn_node_destroy(p->rt, p->node), SPN_OK);
}

static bool holds_nothing(const struct play *p)
{
    spn_heap_stats stats;

    spn_heap_get_stats(p->rt, &stats);
    return stats.live_bytes == 0;
}

static void play(const uint8_t *data, size_t size, spn_status decoded)
{
    static struct play p;
    spn_status status = SPN_PENDING;

    start(&p, data, size);
    CHECK_EQ(spn_cache_open(p.rt, "a", &p.cache), SPN_OK);
    for (uint32_t i = 0; i < TICKS_MAX && status == SPN_PENDING; i++) {
        tick(&p);
        status = spn_cache_get_status(p.rt, p.cache, NULL);
    }
    CHECK(status != SPN_PENDING);
    if (decoded == SPN_OK)
        CHECK(status == SPN_OK || status == SPN_ERR_MEMORY ||
              status == SPN_ERR_NO_CODEC);
    if (status == SPN_OK)
        play_frames(&p);
    CHECK_EQ(spn_cache_close(p.rt, p.cache), SPN_OK);
    for (uint32_t i = 0; i < TICKS_MAX && !holds_nothing(&p); i++)
        tick(&p);
    CHECK(holds_nothing(&p));
    CHECK(spn_check(p.rt));
    spn_shutdown(p.rt);
    CHECK_EQ_U(p.disc.opens, p.disc.closes);
}

/* -- the decoder -- */

static spn_status walk(const uint8_t *data, size_t size)
{
    static uint32_t levels[FUZZ_LEVELS_MAX];
    static uint32_t level_count;
    struct spn_fault fault = {0};
    uint32_t sum;
    spn_status status;

    if (level_count == 0)
        level_count = fuzz_levels(levels);
    status = cache_walk_on(data, size, levels[0], &sum, &fault);
    /* When nothing was decoded, the instruction sets cannot differ. */
    for (uint32_t i = 1; i < level_count && sum != 0; i++) {
        struct spn_fault other = {0};
        uint32_t other_sum;

        CHECK_EQ(cache_walk_on(data, size, levels[i], &other_sum, &other),
                 status);
        CHECK_EQ_U(other_sum, sum);
        CHECK(fuzz_is_same_fault(&other, &fault));
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);
    const spn_status status = walk(copy, size);

    play(copy, size, status);
    free(copy);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed)
{
    return mutate_cache(data, size, size_max, seed);
}
