/* stage.c - a runtime on a slow disc with a virtual clock. */
/* SPDX-License-Identifier: MIT */
#include "support/stage.h"

#include "harness.h"
#include "play/group_read.h"
#include "read/stage/io_finish.h"
#include "runtime.h"
#include "support/tiny_truth.h"

#include <stdlib.h>
#include <string.h>

#define TICKS_MAX 20000

/* Cancelled reads end at once, because the clock does not advance during a
 * shutdown. */
static void let_go(void *user, uint32_t tag)
{
    struct slow_platform *disc = user;

    (void)tag;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        disc->drives[i].due_us = disc->clock_us;
}

void stage_init(struct stage *s, struct tiny_cache *tiny)
{
    memset(s, 0, sizeof *s);
    slow_platform_init(&s->disc);
    s->disc.table.read_cancel = let_go;
    s->tiny = tiny;
    if (tiny)
        slow_platform_add(&s->disc, "a", tiny->bytes, tiny->size);
}

void stage_start(struct stage *s)
{
    size_t bytes;

    if (s->config.job_submit && !s->config.job_gate)
        s->config.job_gate = &s->gate;
    if (!s->config.platform)
        s->config.platform = &s->disc.table;
    if (!s->config.heap_bytes)
        s->config.heap_bytes = 8u << 20;
    if (!s->config.node_count)
        s->config.node_count = 16;
    bytes = spn_memory_needed(&s->config);
    CHECK(bytes > 0);
    s->memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    /* The runtime must not depend on the initial content of its memory. */
    memset(s->memory, 0xa5, bytes);
    CHECK_EQ(spn_init(&s->config, s->memory, bytes, &s->rt), SPN_OK);
    /* The small clips of tests stream. */
    CHECK_EQ(spn_tuning_set(s->rt, "memory_play_kib", "0"), SPN_OK);
}

void stage_open(struct stage *s)
{
    stage_start(s);
    CHECK_EQ(spn_cache_open(s->rt, "a", &s->cache), SPN_OK);
    for (int i = 0; i < TICKS_MAX; i++) {
        spn_status status = spn_cache_get_status(s->rt, s->cache, NULL);

        if (status == SPN_OK)
            return;
        CHECK_EQ(status, SPN_PENDING);
        stage_tick(s, STAGE_TICK_US);
    }
    test_fail(__FILE__, __LINE__, "%s", "the cache opens");
}

static void submit_later(void *user)
{
    (void)user;
}

void stage_run_jobs(struct stage *s)
{
    while (spn_job_step(&s->gate, 0))
        continue;
}

void stage_open_late(struct stage *s)
{
    if (!s->config.job_submit)
        s->config.job_submit = submit_later;
    stage_start(s);
    CHECK_EQ(spn_cache_open(s->rt, "a", &s->cache), SPN_OK);
    while (spn_cache_get_status(s->rt, s->cache, NULL) == SPN_PENDING) {
        stage_tick(s, STAGE_TICK_US);
        stage_run_jobs(s);
    }
}

void stage_finish_read(struct stage *s, const struct group_read *r)
{
    uint64_t due_us;

    while (r->state == READ_PENDING) {
        s->disc.clock_us += STAGE_TICK_US;
        while (spn__runtime_step(s->rt, &due_us) > 0)
            continue;
        (void)spn__io_finish(s->rt->io, s->rt->config.read_count);
    }
    CHECK_EQ(r->state, READ_DONE);
}

void stage_close(struct stage *s)
{
    if (s->rt)
        spn_shutdown(s->rt);
    s->rt = NULL;
    free(s->memory);
    if (s->tiny)
        tiny_free(s->tiny);
    s->tiny = NULL;
}

void stage_tick(struct stage *s, uint32_t us)
{
    s->disc.clock_us += us;
    spn_update(s->rt);
    CHECK(spn_check(s->rt));
}

spn_node stage_node(struct stage *s, bool is_looping)
{
    spn_node_desc desc = {.is_looping = is_looping};
    spn_node node = 0;

    CHECK_EQ(spn_node_create(s->rt, s->cache, &desc, &node), SPN_OK);
    return node;
}

spn_node_state stage_state(const struct stage *s, spn_node node)
{
    spn_node_state state;

    CHECK_EQ(spn_node_get_state(s->rt, node, &state), SPN_OK);
    return state;
}

void stage_until_ready(struct stage *s, spn_node node)
{
    for (int i = 0; i < TICKS_MAX; i++) {
        if (stage_state(s, node).is_ready)
            return;
        stage_tick(s, STAGE_TICK_US);
    }
    test_fail(__FILE__, __LINE__, "%s", "the node becomes ready");
}

bool stage_is_empty(const struct stage *s)
{
    spn_heap_stats stats;

    spn_heap_get_stats(s->rt, &stats);
    return stats.compressed_bytes == 0 && stats.decoded_bytes == 0;
}

void stage_until_empty(struct stage *s)
{
    for (int i = 0; i < TICKS_MAX; i++) {
        if (stage_is_empty(s))
            return;
        stage_tick(s, STAGE_TICK_US);
    }
    test_fail(__FILE__, __LINE__, "%s", "the heap becomes empty");
}

void stage_check_frame(struct stage *s, spn_node node, uint32_t mesh,
                       uint32_t frame)
{
    const struct tiny_options *o = &s->tiny->options;
    spn_vertex_layout layout = {
        .stride = 16,
        .position = {0, SPN_FORMAT_QUANTIZED},
        .uv = {8, SPN_FORMAT_QUANTIZED},
        .color = {12, SPN_FORMAT_QUANTIZED},
    };
    size_t bytes = (size_t)o->vertices * layout.stride;
    uint8_t *vertices = malloc(bytes);
    uint16_t *truth = malloc((size_t)o->vertices * 6);
    spn_fill_result result;

    CHECK_EQ(
        spn_node_fill(s->rt, node, mesh, &layout, vertices, bytes, &result),
        SPN_OK);
    CHECK_EQ(result.floor_frame, frame);
    CHECK(result.is_visible);
    tiny_values(o, frame, mesh, CHANNEL_POSITION, 0, o->vertices, truth);
    for (uint32_t v = 0; v < o->vertices; v++)
        if (memcmp(vertices + v * 16, truth + v * 3, 6) != 0) {
            test_context("mesh %u frame %u vertex %u", mesh, frame, v);
            CHECK_MEM(vertices + v * 16, truth + v * 3, 6);
        }
    if (o->has_uvs && mesh < o->mesh_count) {
        tiny_values(o, frame, mesh, CHANNEL_UV, 0, o->vertices, truth);
        for (uint32_t v = 0; v < o->vertices; v++)
            CHECK_MEM(vertices + v * 16 + 8, truth + v * 2, 4);
    }
    free(vertices);
    free(truth);
}

void stage_stream(struct stage *s, spn_node node, int64_t time_us)
{
    CHECK_EQ(spn_node_start_streaming(s->rt, node, time_us), SPN_OK);
    stage_until_ready(s, node);
}

void stage_play(struct stage *s, spn_node node, int64_t from_us, int64_t to_us)
{
    uint32_t frame_us = s->tiny->options.frame_us;
    uint32_t frame_count = s->tiny->options.frame_count;

    for (int64_t t = from_us; t < to_us; t += STAGE_TICK_US) {
        uint32_t frame = (uint32_t)(t / frame_us % frame_count);

        CHECK_EQ(spn_node_set_playback_time(s->rt, node, t), SPN_OK);
        stage_tick(s, STAGE_TICK_US);
        CHECK_EQ(stage_state(s, node).shown_frame, frame);
        stage_check_frame(s, node, 0, frame);
    }
}

void stage_stop(struct stage *s, spn_node node)
{
    CHECK_EQ(spn_node_stop_streaming(s->rt, node), SPN_OK);
    stage_until_empty(s);
    stage_close(s);
}
