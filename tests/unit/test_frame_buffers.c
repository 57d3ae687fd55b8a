/* test_frame_buffers.c
 *
 * Goal: frames are written to the engine's buffers as they are decoded, with
 *   the same bytes as a fill at their time. Each buffer is returned once in
 *   every case.
 * Method: small caches, also lifted ones, on a virtual clock, with buffers
 *   from a pool that counts. Damage, seeks, stops, and an engine without a free
 *   buffer.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"
#include "support/tiny_truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POOL = 256, STRIDE = 56 };

static struct stage stage;

struct pool {
    spn_cache_info info;
    uint8_t *buffer[POOL];
    uint32_t frame[POOL]; /* number of the frame in the buffer */
    bool is_out[POOL];
    spn_cache cache;
    spn_node node;
    uint32_t acquired;
    uint32_t released;
    uint32_t out_most;
    bool is_empty; /* the pool gives no buffer */
};

static const spn_vertex_layout layout = {.stride = STRIDE,
                                         .position = {0, SPN_FORMAT_F32X3},
                                         .normal = {12, SPN_FORMAT_SNORM8X4},
                                         .tangent = {16, SPN_FORMAT_F32X4},
                                         .uv = {32, SPN_FORMAT_F16X2},
                                         .color = {36, SPN_FORMAT_UNORM8X4},
                                         .second_uv = {40, SPN_FORMAT_F16X2},
                                         .velocity = {44, SPN_FORMAT_F32X3}};

static size_t buffer_bytes(const struct pool *p)
{
    return (size_t)p->info.vertex_count * STRIDE;
}

static void *acquire(void *user, spn_cache cache, uint32_t frame)
{
    struct pool *p = user;

    CHECK_EQ_U(cache, p->cache);
    CHECK(frame < p->info.frame_count);
    /* A frame has one buffer, whatever the number of nodes. */
    for (uint32_t i = 0; i < POOL; i++)
        CHECK(!p->is_out[i] || p->frame[i] != frame);
    if (p->is_empty)
        return NULL;
    for (uint32_t i = 0; i < POOL; i++)
        if (!p->is_out[i]) {
            /* Each buffer has a guard word behind it. */
            if (!p->buffer[i])
                p->buffer[i] = malloc(buffer_bytes(p) + 4);
            memset(p->buffer[i], 0xcd, buffer_bytes(p) + 4);
            p->is_out[i] = true;
            p->frame[i] = frame;
            p->acquired++;
            if (p->acquired - p->released > p->out_most)
                p->out_most = p->acquired - p->released;
            return p->buffer[i];
        }
    test_fail(__FILE__, __LINE__, "more than %d frames at once", POOL);
}

static void release(void *user, spn_cache cache, uint32_t frame, void *vertices)
{
    struct pool *p = user;

    CHECK_EQ_U(cache, p->cache);
    for (uint32_t i = 0; i < POOL; i++)
        if (p->is_out[i] && p->buffer[i] == vertices) {
            CHECK_EQ_U(p->frame[i], frame);
            for (size_t k = 0; k < 4; k++)
                CHECK_EQ(p->buffer[i][buffer_bytes(p) + k], 0xcd);
            p->is_out[i] = false;
            p->released++;
            return;
        }
    test_fail(__FILE__, __LINE__, "a buffer that is not out");
}

static void pool_free(struct pool *p)
{
    for (uint32_t i = 0; i < POOL; i++)
        free(p->buffer[i]);
}

/* Make a node that does not stream yet. */
static spn_node make_node(struct pool *p, bool is_looping)
{
    spn_frame_buffers buffers = {layout, acquire, release, p};

    memset(p, 0, sizeof *p);
    CHECK_EQ(spn_cache_get_info(stage.rt, stage.cache, &p->info), SPN_OK);
    p->cache = stage.cache;
    p->node = stage_node(&stage, is_looping);
    CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, p->cache, &buffers), SPN_OK);
    return p->node;
}

/* The buffer of a frame must hold the shown values of a mesh at the frame's
 * time. Return whether there is a buffer. */
static bool check_mesh(const struct pool *p, uint32_t frame, uint32_t m)
{
    spn_frame_pair pair;
    spn_mesh_info mesh;
    spn_fill_result result;
    uint8_t *filled;
    size_t bytes;

    test_context("frame %u mesh %u", frame, m);
    CHECK_EQ(spn_node_get_frames(stage.rt, p->node, m, &pair), SPN_OK);
    CHECK_EQ_U(pair.floor_frame, frame);
    CHECK_EQ_U(pair.ceil_frame, frame);
    CHECK(pair.floor == pair.ceil);
    CHECK(pair.alpha == 0);
    CHECK_EQ_U(pair.is_late, 0);
    CHECK_EQ(spn_cache_get_mesh(stage.rt, stage.cache, m, &mesh), SPN_OK);
    bytes = (size_t)mesh.vertex_count * STRIDE;
    filled = malloc(bytes);
    memset(filled, 0xcd, bytes);
    CHECK_EQ(
        spn_node_fill(stage.rt, p->node, m, &layout, filled, bytes, &result),
        SPN_OK);
    CHECK_EQ_U(pair.is_visible, result.is_visible);
    CHECK(pair.is_visible || !pair.floor);
    /* The velocities of a fill are computed from two frames. */
    for (uint32_t v = 0; !mesh.has_velocities && v < mesh.vertex_count; v++)
        memset(filled + (size_t)v * STRIDE + layout.velocity.offset, 0, 12);
    if (!mesh.is_animated)
        memset(filled, 0xcd, bytes);
    if (pair.floor)
        CHECK_MEM((uint8_t *)pair.floor + (size_t)mesh.first_vertex * STRIDE,
                  filled, bytes);
    free(filled);
    return pair.floor != NULL;
}

/* Return the number of meshes in a buffer. */
static uint32_t check_shown(const struct pool *p, uint32_t frame)
{
    uint32_t count = 0;

    for (uint32_t m = 0; m < p->info.mesh_count; m++)
        count += check_mesh(p, frame, m);
    return count;
}

static void show(const struct pool *p, int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, p->node, time_us), SPN_OK);
    stage_tick(&stage, 33333);
}

/* The first mesh is hidden in this frame, so none of its bytes is written. */
static void check_hidden(const struct pool *p)
{
    spn_frame_pair first;
    spn_frame_pair second;
    spn_mesh_info mesh;

    CHECK_EQ(spn_cache_get_mesh(stage.rt, stage.cache, 0, &mesh), SPN_OK);
    CHECK_EQ(spn_node_get_frames(stage.rt, p->node, 0, &first), SPN_OK);
    CHECK_EQ_U(first.is_visible, 0);
    CHECK(!first.floor && !first.ceil);
    CHECK_EQ(spn_node_get_frames(stage.rt, p->node, 1, &second), SPN_OK);
    CHECK_EQ_U(second.is_visible, 1);
    for (size_t i = 0; i < (size_t)mesh.vertex_count * STRIDE; i++)
        CHECK_EQ(((const uint8_t *)second.floor)[i], 0xcd);
}

/* Return the number of frames that hide the first mesh. */
static uint32_t play_all(const struct tiny_options *o)
{
    struct pool p;
    uint32_t hidden = 0;

    stage_init(&stage, tiny_build(o));
    stage.config.heap_bytes = 48 << 20;
    stage_open(&stage);
    make_node(&p, false);
    stage_stream(&stage, p.node, 0);
    for (uint32_t f = 0; f < o->frame_count; f++) {
        const bool is_hidden = tiny_is_hidden(&stage.tiny->options, f, 0);

        show(&p, f * 33333);
        CHECK_EQ_U(check_shown(&p, f), p.info.mesh_count - is_hidden);
        if (is_hidden) {
            check_hidden(&p);
            hidden++;
        }
    }
    CHECK_EQ_U(p.acquired, o->frame_count);
    /* Buffers of passed frames were returned during playback. */
    CHECK(p.out_most <= 9);
    stage_stop(&stage, p.node);
    CHECK_EQ_U(p.released, p.acquired);
    pool_free(&p);
    return hidden;
}

/* Jumps, loops, and late jobs, so that frames are passed before they are
 * decoded. The number of used buffers never exceeds the stated number, and
 * playback continues. */
static void play_at_random(struct tiny_options *o, uint32_t ahead_ms,
                           uint64_t seed)
{
    struct test_random random = {seed};
    char text[16];
    struct pool p;
    uint32_t needed;
    int64_t time_us = 0;

    test_context("ahead %u ms, seed %u", ahead_ms, (unsigned)seed);
    stage_init(&stage, tiny_build(o));
    stage.config.heap_bytes = 48 << 20;
    stage_open_late(&stage);
    snprintf(text, sizeof text, "%u", ahead_ms);
    CHECK_EQ(spn_tuning_set(stage.rt, "decode_ahead_ms", text), SPN_OK);
    CHECK_EQ(spn_cache_frame_buffers_needed(stage.rt, stage.cache, 1, &needed),
             SPN_OK);
    CHECK(needed <= POOL);
    make_node(&p, seed % 2);
    CHECK_EQ(spn_node_start_streaming(stage.rt, p.node, 0), SPN_OK);
    for (uint32_t i = 0; i < 400; i++) {
        uint32_t action = test_random_below(&random, 20);

        if (action == 0)
            time_us = test_random_below(&random, o->frame_count) * 33333;
        else
            time_us += action == 1 ? 400000 : 33333;
        show(&p, time_us);
        CHECK(p.acquired - p.released <= needed);
        if (test_random_below(&random, 4) == 0)
            stage_run_jobs(&stage);
    }
    for (int i = 0; i < 20; i++) {
        stage_run_jobs(&stage);
        show(&p, time_us);
    }
    CHECK_EQ_U(stage_state(&stage, p.node).is_ready, 1);
    CHECK(p.out_most * 3 > needed);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, p.node), SPN_OK);
    stage_close(&stage);
    CHECK_EQ_U(p.released, p.acquired);
    pool_free(&p);
}

static void buffers_in_use_keep_the_stated_limit(void)
{
    struct tiny_options o = {
        .frame_count = 121, .mesh_count = 1, .vertices = 9};
    uint32_t needed;

    for (uint64_t seed = 0; seed < 8; seed++) {
        play_at_random(&o, 20, seed);
        play_at_random(&o, 500, seed);
        play_at_random(&o, 2000, seed);
    }
    stage_init(&stage, tiny_build(&o));
    stage_start(&stage);
    CHECK_EQ(spn_cache_frame_buffers_needed(NULL, 1, 1, &needed), SPN_ERR_ARG);
    CHECK_EQ(spn_cache_frame_buffers_needed(stage.rt, 0, 1, &needed),
             SPN_ERR_HANDLE);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    CHECK_EQ(spn_cache_frame_buffers_needed(stage.rt, stage.cache, 1, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_cache_frame_buffers_needed(stage.rt, stage.cache, 1, &needed),
             SPN_PENDING);
    stage_close(&stage);
}

static void buffers_hold_the_bytes_of_a_fill(void)
{
    const struct tiny_options o = {.frame_count = 61,
                                   .mesh_count = 3,
                                   .vertices = 9000,
                                   .has_colors = true,
                                   .has_attributes = true,
                                   .has_static_mesh = true,
                                   .has_uvs = true};

    CHECK_EQ_U(play_all(&o), 0);
}

static void hidden_meshes_are_not_written(void)
{
    const struct tiny_options o = {.frame_count = 61,
                                   .mesh_count = 2,
                                   .vertices = 100,
                                   .hidden_first = 2,
                                   .hidden_limit = 4};

    CHECK(play_all(&o) > 0);
}

static void lifted_frames_are_written_in_the_order_of_their_vertices(void)
{
    const struct synthetic_options o = {.frame_count = 33,
                                        .mesh_count = 2,
                                        .vertices = 700,
                                        .step = 300,
                                        .has_uvs = true,
                                        .has_colors = true,
                                        .has_second_uvs = true,
                                        .has_velocities = true,
                                        .is_calm = true,
                                        .is_mirrored = true};
    struct memory_sink memory = {0};
    struct pool p;

    synthetic_lift(&o, 8, true, &memory);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
    stage.config.heap_bytes = 32 << 20;
    stage_open(&stage);
    make_node(&p, false);
    stage_stream(&stage, p.node, 0);
    for (uint32_t f = 0; f < p.info.frame_count; f++) {
        int64_t us;

        CHECK_EQ(spn_cache_get_frame_time(stage.rt, stage.cache, f, &us),
                 SPN_OK);
        show(&p, us);
        stage_until_ready(&stage, p.node);
        CHECK_EQ_U(check_shown(&p, f), p.info.mesh_count);
    }
    stage_stop(&stage, p.node);
    CHECK_EQ_U(p.released, p.acquired);
    pool_free(&p);
    memory_sink_free(&memory);
}

/* Between two frames both have their buffers, also across the end of a loop. */
static void a_pair_is_of_the_shown_frames(void)
{
    const struct tiny_options o = {.frame_count = 21};
    spn_frame_pair pair;
    struct pool p;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    make_node(&p, true);
    CHECK_EQ(spn_node_get_frames(stage.rt, p.node, 0, &pair), SPN_PENDING);
    stage_stream(&stage, p.node, 0);
    for (int64_t us = 11111; us < 3 * 21 * 33333; us += 33333) {
        const uint32_t frame = (uint32_t)(us / 33333 % 21);

        show(&p, us);
        CHECK_EQ(spn_node_get_frames(stage.rt, p.node, 0, &pair), SPN_OK);
        CHECK_EQ_U(pair.is_visible, 1);
        CHECK_EQ_U(pair.floor_frame, frame);
        CHECK_EQ_U(pair.ceil_frame, (frame + 1) % 21);
        CHECK(pair.floor && pair.ceil && pair.floor != pair.ceil);
        CHECK_NEAR(pair.alpha, 1.0 / 3, 1e-3);
    }
    stage_stop(&stage, p.node);
    CHECK_EQ_U(p.released, p.acquired);
    pool_free(&p);
}

/* In the frame before it is hidden, a mesh stands still: the later buffer has
 * no values of it. The other meshes move on. */
static void no_mesh_is_blended_with_its_hidden_frame(void)
{
    const struct tiny_options o = {.frame_count = 61,
                                   .mesh_count = 2,
                                   .vertices = 100,
                                   .hidden_first = 2,
                                   .hidden_limit = 4};
    uint32_t last_ones = 0;
    struct pool p;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    make_node(&p, false);
    stage_stream(&stage, p.node, 0);
    for (uint32_t f = 0; f + 1 < o.frame_count; f++) {
        const struct tiny_options *made = &stage.tiny->options;
        const bool is_last =
            !tiny_is_hidden(made, f, 0) && tiny_is_hidden(made, f + 1, 0);
        spn_frame_pair pair;
        spn_fill_result result;
        uint8_t filled[100 * STRIDE];

        test_context("frame %u", f);
        show(&p, f * 33333 + 11111);
        for (uint32_t m = 0; m < 2; m++) {
            CHECK_EQ(spn_node_get_frames(stage.rt, p.node, m, &pair), SPN_OK);
            CHECK_EQ(spn_node_fill(stage.rt, p.node, m, &layout, filled,
                                   sizeof filled, &result),
                     SPN_OK);
            CHECK_EQ_U(pair.is_visible, !tiny_is_hidden(made, f, m));
            CHECK_EQ_U(pair.is_visible, result.is_visible);
            CHECK_EQ_U(pair.floor_frame, f);
            CHECK_EQ_U(pair.floor_frame, result.floor_frame);
            if (!pair.is_visible)
                continue;
            CHECK_EQ_U(pair.ceil_frame, result.ceil_frame);
            CHECK(pair.alpha == result.alpha);
            CHECK_EQ((pair.ceil == pair.floor), (m == 0 && is_last));
            CHECK_EQ_U(pair.ceil_frame, f + (m == 1 || !is_last));
            CHECK_EQ((pair.alpha == 0), (m == 0 && is_last));
        }
        last_ones += is_last;
    }
    CHECK_EQ_U(last_ones, 1);
    stage_stop(&stage, p.node);
    pool_free(&p);
}

/* Random seeks, stops, starts and damage, and a shutdown in the middle. */
static void every_buffer_comes_back_once(void)
{
    const struct tiny_options o = {.frame_count = 61, .vertices = 50};

    for (uint64_t seed = 0; seed < 60; seed++) {
        struct test_random random = {seed};
        struct tiny_cache *t = tiny_build(&o);
        struct pool p;

        test_context("seed %llu", (unsigned long long)seed);
        for (uint32_t k = 0; seed % 3 == 0 && k < 3; k++) {
            const uint32_t frame = test_random_below(&random, 61);

            t->bytes[t->frame_offset[frame] + t->frame_bytes[frame] - 1] ^= 4;
        }
        stage_init(&stage, t);
        stage.config.heap_bytes = seed % 2 ? 8 << 20 : 1 << 20;
        stage.disc.seek_us = 20000;
        stage_open(&stage);
        make_node(&p, seed % 5 == 0);
        for (uint32_t step = 0; step < 200; step++) {
            const int64_t us = test_random_below(&random, 61 * 33333);

            p.is_empty = test_random_below(&random, 20) == 0;
            if (test_random_below(&random, 20) == 0)
                CHECK_EQ(spn_node_set_playback_time(stage.rt, p.node, us),
                         SPN_OK);
            else if (test_random_below(&random, 40) == 0)
                CHECK_EQ(spn_node_stop_streaming(stage.rt, p.node), SPN_OK);
            else if (test_random_below(&random, 40) == 0)
                CHECK_EQ(spn_node_start_streaming(stage.rt, p.node, us),
                         SPN_OK);
            stage_tick(&stage, STAGE_TICK_US);
        }
        if (seed % 4 == 1)
            CHECK_EQ(spn_node_destroy(stage.rt, p.node), SPN_OK);
        if (seed % 4 == 2) {
            CHECK_EQ(spn_node_stop_streaming(stage.rt, p.node), SPN_OK);
            stage_until_empty(&stage);
            CHECK_EQ_U(p.released, p.acquired);
        }
        stage_close(&stage);
        CHECK(p.acquired > 0);
        CHECK_EQ_U(p.released, p.acquired);
        pool_free(&p);
    }
}

static void without_a_buffer_frames_are_shown_as_ever(void)
{
    const struct tiny_options o = {.frame_count = 31};
    struct pool p;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    make_node(&p, false);
    p.is_empty = true;
    stage_stream(&stage, p.node, 0);
    stage_play(&stage, p.node, 0, 20 * 33333);
    show(&p, 20 * 33333);
    CHECK_EQ_U(check_shown(&p, 20), 0);
    stage_stop(&stage, p.node);
    CHECK_EQ_U(p.acquired, 0);
    pool_free(&p);
}

/* A node that plays 30 frames a second needs 4 buffers ahead and 5 others. */
enum { ONE_NODE = 9 };

/* Make `count` nodes that stream from times `apart_us` from each other. */
static void start_nodes(struct pool *p, spn_node *nodes, uint32_t count,
                        int64_t apart_us)
{
    make_node(p, true);
    nodes[0] = p->node;
    for (uint32_t i = 1; i < count; i++)
        nodes[i] = stage_node(&stage, true);
    for (uint32_t i = 0; i < count; i++)
        CHECK_EQ(
            spn_node_start_streaming(stage.rt, nodes[i], (int64_t)i * apart_us),
            SPN_OK);
    for (uint32_t i = 0; i < count; i++)
        stage_until_ready(&stage, nodes[i]);
}

static void play_nodes(struct pool *p, const spn_node *nodes, uint32_t count,
                       int64_t apart_us, uint32_t first)
{
    for (uint32_t k = first; k < first + 120; k++) {
        for (uint32_t i = 0; i < count; i++)
            CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i],
                                                (int64_t)i * apart_us +
                                                    (int64_t)k * 16667),
                     SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
        for (uint32_t i = 0; i < count; i++) {
            spn_frame_pair pair;

            CHECK_EQ(spn_node_get_frames(stage.rt, nodes[i], 0, &pair), SPN_OK);
            CHECK(pair.floor && pair.ceil && !pair.is_late);
        }
        CHECK(p->acquired - p->released <=
              (apart_us == 0 ? 1 : count) * ONE_NODE);
    }
}

/* Nodes in step use the buffers of one. Nodes apart use no more than stated.
 * One that stops leaves the buffers of the others alone. */
static void nodes_share_the_buffers_of_their_cache(void)
{
    const struct tiny_options o = {.frame_count = 121, .vertices = 20};

    for (int64_t apart_us = 0; apart_us <= 1000000; apart_us += 1000000) {
        spn_node nodes[3];
        uint32_t needed;
        uint32_t before;
        struct pool p;

        stage_init(&stage, tiny_build(&o));
        stage.config.heap_bytes = 48 << 20;
        stage_open(&stage);
        start_nodes(&p, nodes, 3, apart_us);
        CHECK_EQ(spn_cache_frame_buffers_needed(stage.rt, p.cache, 3, &needed),
                 SPN_OK);
        CHECK_EQ_U(needed, 3 * ONE_NODE);
        CHECK_EQ(
            spn_cache_frame_buffers_needed(stage.rt, p.cache, 1000, &needed),
            SPN_OK);
        CHECK_EQ_U(needed, o.frame_count);
        play_nodes(&p, nodes, 3, apart_us, 0);
        before = p.released;
        CHECK_EQ(spn_node_stop_streaming(stage.rt, nodes[2]), SPN_OK);
        CHECK_EQ_U(p.released, before);
        CHECK_EQ(spn_node_destroy(stage.rt, nodes[1]), SPN_OK);
        play_nodes(&p, nodes, 1, apart_us, 120);
        stage_stop(&stage, nodes[0]);
        CHECK_EQ_U(p.released, p.acquired);
        pool_free(&p);
    }
}

/* Frames that are decoded ahead have no buffer before they are shown soon. */
static void only_frames_that_are_shown_soon_have_buffers(void)
{
    const struct tiny_options o = {.frame_count = 121, .vertices = 20};
    struct pool p;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 48 << 20;
    stage_open(&stage);
    make_node(&p, true);
    stage_stream(&stage, p.node, 0);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, p.node).precached_us >= 500000);
    /* 0, and what is needed within 0.1 s: the frames 1 to 4. */
    CHECK_EQ_U(p.acquired, 5);
    CHECK_EQ_U(p.released, 0);
    stage_stop(&stage, p.node);
    pool_free(&p);
}

/* At any rate, in both directions, the buffers are written in time, and are no
 * more than stated. */
static void fast_playback_finds_its_buffers(void)
{
    static const int rates[] = {-8, -4, -1, 2, 4, 8};
    const struct tiny_options o = {.frame_count = 121, .vertices = 20};

    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        uint32_t late = 0;
        struct pool p;

        test_context("rate %d", rates[r]);
        stage_init(&stage, tiny_build(&o));
        stage.config.heap_bytes = 48 << 20;
        stage_open(&stage);
        make_node(&p, true);
        stage_stream(&stage, p.node, 0);
        for (int k = 0; k < 600; k++) {
            if (k == 60)
                late = stage_state(&stage, p.node).frames_late;
            CHECK_EQ(spn_node_set_playback_time(stage.rt, p.node,
                                                (int64_t)k * rates[r] * 16667),
                     SPN_OK);
            stage_tick(&stage, STAGE_TICK_US);
        }
        CHECK_EQ_U(stage_state(&stage, p.node).frames_late, late);
        CHECK(p.out_most <= ONE_NODE);
        stage_stop(&stage, p.node);
        pool_free(&p);
    }
}

static void invalid_buffers_are_refused(void)
{
    const struct tiny_options o = {.frame_count = 31};
    spn_frame_buffers good;
    spn_frame_buffers bad;
    spn_frame_pair pair;
    struct pool p;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    make_node(&p, false);
    good = (spn_frame_buffers){layout, acquire, release, &p};
    CHECK_EQ(spn_cache_set_frame_buffers(NULL, p.cache, &good), SPN_ERR_ARG);
    CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, 0, &good), SPN_ERR_HANDLE);
    bad = good;
    bad.acquire = NULL;
    CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, p.cache, &bad), SPN_ERR_ARG);
    bad = good;
    bad.release = NULL;
    CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, p.cache, &bad), SPN_ERR_ARG);
    bad = good;
    bad.layout.stride = 0;
    CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, p.cache, &bad), SPN_ERR_ARG);
    bad = good;
    bad.layout.stride = 68;
    bad.layout.previous_position = (spn_attribute){56, SPN_FORMAT_F32X3};
    CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, p.cache, &bad), SPN_ERR_ARG);
    CHECK_EQ(spn_node_get_frames(stage.rt, p.node, 0, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_node_get_frames(stage.rt, p.node, p.info.mesh_count, &pair),
             SPN_ERR_ARG);
    CHECK_EQ(spn_node_get_frames(stage.rt, 0, 0, &pair), SPN_ERR_HANDLE);

    /* Buffers cannot be changed while the node streams or before all are
     * returned. */
    stage.disc.command_us = 1000000;
    CHECK_EQ(spn_node_start_streaming(stage.rt, p.node, 0), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, p.cache, NULL),
             SPN_ERR_STATE);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, p.node), SPN_OK);
    CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, p.cache, NULL),
             SPN_ERR_STATE);
    stage.disc.command_us = 0;
    stage_until_empty(&stage);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, p.cache, NULL), SPN_OK);
    CHECK_EQ_U(p.released, p.acquired);
    /* The pool has no buffer now. */
    p.is_empty = true;
    p.acquired = 0;
    stage_stream(&stage, p.node, 0);
    CHECK_EQ_U(check_shown(&p, 0), 0);
    CHECK_EQ_U(p.acquired, 0);
    stage_stop(&stage, p.node);
    pool_free(&p);
}

TEST_MAIN(TEST(buffers_in_use_keep_the_stated_limit),
          TEST(buffers_hold_the_bytes_of_a_fill),
          TEST(no_mesh_is_blended_with_its_hidden_frame),
          TEST(hidden_meshes_are_not_written),
          TEST(lifted_frames_are_written_in_the_order_of_their_vertices),
          TEST(a_pair_is_of_the_shown_frames),
          TEST(every_buffer_comes_back_once),
          TEST(without_a_buffer_frames_are_shown_as_ever),
          TEST(nodes_share_the_buffers_of_their_cache),
          TEST(only_frames_that_are_shown_soon_have_buffers),
          TEST(fast_playback_finds_its_buffers),
          TEST(invalid_buffers_are_refused))
