/* test_fill_threads.c
 *
 * Goal: between two updates any threads fill, also different meshes of one
 *   node, and start fills; during updates they wait for them. There are no
 *   races, and the bytes are those of a fill.
 * Method: the POSIX platform with own workers, without them, or with jobs on
 *   threads that wait. Three threads fill and start fills between two barriers.
 *   Then the caller's thread updates, seeks, stops and destroys nodes while
 *   they wait. Meant for the thread sanitizer.
 */
/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "harness.h"
#include "support/tiny_cache.h"

#include "host/host.h"

#include <pthread.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, NODES = 2, VERTICES = 9000, STRIDE = 24, ROUNDS = 60 };

#define BYTES ((size_t)VERTICES * STRIDE)

static const spn_vertex_layout layout = {
    .stride = STRIDE,
    .position = {0, SPN_FORMAT_F32X3},
    .previous_position = {12, SPN_FORMAT_F32X3}};

struct world {
    spn_runtime *rt;
    spn_cache cache;
    spn_node nodes[NODES];
    pthread_barrier_t begin; /* threads may fill */
    pthread_barrier_t end;   /* no thread fills any more */
    bool is_over;            /* set before `begin` */
};

struct filler {
    struct world *world;
    uint32_t mesh;
    uint32_t filled;
    uint8_t now[NODES][BYTES];
    uint8_t later[NODES][BYTES];
};

static void *filler_main(void *argument)
{
    struct filler *f = argument;
    struct world *w = f->world;

    for (;;) {
        spn_fill fills[NODES] = {0};

        pthread_barrier_wait(&w->begin);
        if (w->is_over)
            return NULL;
        for (uint32_t i = 0; i < NODES; i++) {
            spn_fill_result result;
            spn_node_state state;
            spn_fill_result same;

            CHECK_EQ(spn_node_get_state(w->rt, w->nodes[i], &state), SPN_OK);
            if (spn_node_fill(w->rt, w->nodes[i], f->mesh, &layout, f->now[i],
                              BYTES, &result) != SPN_OK)
                continue;
            CHECK_EQ_U(result.floor_frame, state.shown_frame);
            CHECK_EQ(spn_fill_start(w->rt, w->nodes[i], f->mesh, &layout,
                                    f->later[i], BYTES, &fills[i]),
                     SPN_OK);
            CHECK_EQ(spn_fill_get_result(w->rt, fills[i], &same), SPN_OK);
            CHECK_EQ_U(same.floor_frame, result.floor_frame);
        }
        pthread_barrier_wait(&w->end);
        for (uint32_t i = 0; i < NODES; i++) {
            spn_status status = SPN_ERR_TIMEOUT;

            if (!fills[i])
                continue;
            while (status == SPN_ERR_TIMEOUT)
                status = spn_fill_wait(w->rt, fills[i], i == 0 ? 100 : 1000000);
            CHECK_EQ(status, SPN_OK);
            CHECK_MEM(f->now[i], f->later[i], BYTES);
            f->filled++;
        }
    }
}

static void change(struct world *w, struct test_random *random, uint32_t i)
{
    const spn_node_desc desc = {.is_looping = 1};
    const int64_t time_us = test_random_below(random, 2000000);

    switch (test_random_below(random, 12)) {
    case 0:
        CHECK_EQ(spn_node_destroy(w->rt, w->nodes[i]), SPN_OK);
        CHECK_EQ(spn_node_create(w->rt, w->cache, &desc, &w->nodes[i]), SPN_OK);
        break;
    case 1:
        CHECK_EQ(spn_node_stop_streaming(w->rt, w->nodes[i]), SPN_OK);
        break;
    default:
        CHECK_EQ(spn_node_set_playback_time(w->rt, w->nodes[i], time_us),
                 SPN_OK);
    }
}

static void *updates_main(struct world *w, uint64_t seed)
{
    struct test_random random = {seed};
    uint32_t ready = 0;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < NODES; i++)
            change(w, &random, i);
        /* Mostly until both show something. */
        for (uint32_t k = 0; k < 2000 && ready < NODES; k++) {
            ready = 0;
            spn_update(w->rt);
            for (uint32_t i = 0; i < NODES; i++) {
                spn_node_state state;

                CHECK_EQ(spn_node_get_state(w->rt, w->nodes[i], &state),
                         SPN_OK);
                ready += state.shown_frame != UINT32_MAX || !state.is_streaming;
            }
        }
        ready = 0;
        pthread_barrier_wait(&w->begin);
        pthread_barrier_wait(&w->end);
        spn_update(w->rt);
        CHECK(spn_check(w->rt));
    }
    w->is_over = true;
    pthread_barrier_wait(&w->begin);
    return NULL;
}

static void open_clip(struct world *w)
{
    const spn_node_desc desc = {.is_looping = 1};
    const struct tiny_options o = {
        .frame_count = 61, .mesh_count = THREADS, .vertices = VERTICES};
    struct tiny_cache *t = tiny_build(&o);
    char path[512];

    snprintf(path, sizeof path, "%s/clip.sgc", test_temp());
    tiny_write(t, path);
    tiny_free(t);
    CHECK_EQ(spn_cache_open(w->rt, path, &w->cache), SPN_OK);
    while (spn_cache_get_status(w->rt, w->cache, NULL) == SPN_PENDING)
        spn_update(w->rt);
    for (uint32_t i = 0; i < NODES; i++)
        CHECK_EQ(spn_node_create(w->rt, w->cache, &desc, &w->nodes[i]), SPN_OK);
}

static void play(uint32_t workers, uint64_t seed)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    static struct filler fillers[THREADS];
    struct world world = {0};
    pthread_t threads[THREADS];
    spn_platform platform;
    spn_config config = {.platform = &platform,
                         .heap_bytes = 24 << 20,
                         .worker_count = workers,
                         .job_count = 64};
    size_t bytes;
    void *memory;
    uint32_t filled = 0;

    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &world.rt), SPN_OK);
    open_clip(&world);
    pthread_barrier_init(&world.begin, NULL, THREADS + 1);
    pthread_barrier_init(&world.end, NULL, THREADS + 1);
    for (uint32_t i = 0; i < THREADS; i++) {
        memset(&fillers[i], 0, sizeof fillers[i]);
        fillers[i].world = &world;
        fillers[i].mesh = i;
        CHECK_EQ(pthread_create(&threads[i], NULL, filler_main, &fillers[i]),
                 0);
    }
    updates_main(&world, seed);
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        filled += fillers[i].filled;
    }
    CHECK(filled > ROUNDS);
    spn_shutdown(world.rt);
    pthread_barrier_destroy(&world.begin);
    pthread_barrier_destroy(&world.end);
    free(memory);
    free(state);
}

static void threads_fill_beside_workers(void)
{
    for (uint64_t seed = 1; seed <= 3; seed++)
        play(1 + (uint32_t)seed % 2, seed);
}

static void threads_fill_without_workers(void)
{
    play(SPN_NO_WORKERS, 7);
}

TEST_MAIN(TEST(threads_fill_beside_workers), TEST(threads_fill_without_workers))
