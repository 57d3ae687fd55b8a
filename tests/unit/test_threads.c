/* test_threads.c
 *
 * Goal: on real threads there are no races, hangs or accesses after the end,
 *   whatever the caller does and whenever it stops.
 * Method: random scripts of opening, seeking, filling, stopping, destroying and
 *   closing, ended by a shutdown in the middle; the POSIX platform with 1 to 4
 *   workers, and jobs on threads of an engine. Meant for the thread sanitizer.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/tiny_cache.h"

#include "base/atomic.h"
#include "host/host.h"

#include <pthread.h>
#include <semaphore.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>

#define NODES 6

static char path[512];

static void write_clip(void)
{
    struct tiny_options o = {
        .frame_count = 61, .mesh_count = 3, .vertices = 300};
    struct tiny_cache *t = tiny_build(&o);

    snprintf(path, sizeof path, "%s/clip.sgc", test_temp());
    tiny_write(t, path);
    tiny_free(t);
}

struct script {
    spn_runtime *rt;
    spn_cache cache;
    spn_node nodes[NODES];
    struct test_random random;
    uint32_t filled;
    uint32_t unloads;
    uint32_t buffers; /* buffers acquired and not released */
    uint32_t written; /* written, of the released ones */
};

#define STRIDE 12u
#define VERTICES (3u * 300u)
static const spn_vertex_layout layout = {.stride = STRIDE,
                                         .position = {0, SPN_FORMAT_F32X3}};

/* Frames are written to memory that is freed with them, so a late write is
 * detected. */
static void *acquire(void *user, spn_cache cache, uint32_t frame)
{
    struct script *s = user;

    (void)cache;
    (void)frame;
    s->buffers++;
    return calloc(VERTICES, STRIDE);
}

static void release(void *user, spn_cache cache, uint32_t frame, void *vertices)
{
    struct script *s = user;
    uint8_t any = 0;

    (void)cache;
    (void)frame;
    for (uint32_t i = 0; i < VERTICES * STRIDE; i++)
        any |= ((const uint8_t *)vertices)[i];
    s->written += any != 0;
    s->buffers--;
    free(vertices);
}

/* Half of the scripts have buffers from the start. */
static void set_buffers(struct script *s)
{
    const spn_frame_buffers buffers = {layout, acquire, release, s};

    CHECK_EQ(spn_cache_set_frame_buffers(s->rt, s->cache, &buffers), SPN_OK);
}

static void show_all(struct script *s, bool is_visible)
{
    const spn_view view = {.is_visible = is_visible};

    for (uint32_t k = 0; k < NODES; k++)
        if (s->nodes[k])
            CHECK_EQ(spn_node_set_view(s->rt, s->nodes[k], &view), SPN_OK);
}

/* Until the cache is unloaded; or not so long. Then it is loaded again while
 * the script goes on. */
static void hide_all(struct script *s)
{
    const uint32_t updates = 1 + test_random_below(&s->random, 500);

    show_all(s, false);
    for (uint32_t k = 0; k < updates; k++) {
        spn_cache_info info = {.table_bytes = 1};

        spn_update(s->rt);
        if (spn_cache_get_info(s->rt, s->cache, &info) == SPN_OK &&
            info.static_bytes == info.table_bytes) {
            s->unloads++;
            break;
        }
    }
    show_all(s, true);
}

static void change(struct script *s, uint32_t i)
{
    static uint8_t vertices[300 * 12];
    int64_t time_us = test_random_below(&s->random, 4000000);
    spn_node_desc desc = {.is_looping = 1};
    spn_fill_result shown;

    if (!s->nodes[i]) {
        if (spn_node_create(s->rt, s->cache, &desc, &s->nodes[i]) != SPN_OK)
            s->nodes[i] = 0;
        return;
    }
    switch (test_random_below(&s->random, 20)) {
    case 0:
        CHECK_EQ(spn_node_destroy(s->rt, s->nodes[i]), SPN_OK);
        s->nodes[i] = 0;
        return;
    case 1:
        CHECK_EQ(spn_node_stop_streaming(s->rt, s->nodes[i]), SPN_OK);
        return;
    case 2:
        CHECK_EQ(spn_node_start_streaming(s->rt, s->nodes[i], time_us), SPN_OK);
        return;
    case 3:
        CHECK_EQ(spn_node_set_playback_time(s->rt, s->nodes[i], time_us),
                 SPN_OK);
        return;
    case 4: {
        spn_node_state state = {0};

        CHECK_EQ(spn_node_set_playback_time(s->rt, s->nodes[i], time_us),
                 SPN_OK);
        /* A node that stands still may keep frames without meshes that this one
         * wants. */
        for (uint32_t k = 0; k < NODES; k++)
            if (s->nodes[k])
                CHECK_EQ(spn_node_set_mesh_mask(s->rt, s->nodes[k], NULL, 0),
                         SPN_OK);
        while (!state.is_ready) {
            spn_update(s->rt);
            CHECK_EQ(spn_node_get_state(s->rt, s->nodes[i], &state), SPN_OK);
        }
        return;
    }
    case 7:
        hide_all(s);
        return;
    case 5:
    case 6: {
        const uint32_t mask = test_random_below(&s->random, 8);

        CHECK_EQ(spn_node_set_mesh_mask(s->rt, s->nodes[i], &mask, 1), SPN_OK);
        return;
    }
    default:
        s->filled += spn_node_fill(s->rt, s->nodes[i], 1, &layout, vertices,
                                   sizeof vertices, &shown) == SPN_OK;
    }
}

static void run_script(struct script *s, uint32_t updates)
{
    int64_t time_us = 0;

    CHECK_EQ(spn_tuning_set(s->rt, "unload_after_ms", "1"), SPN_OK);
    CHECK_EQ(spn_cache_open(s->rt, path, &s->cache), SPN_OK);
    if (updates % 2 != 0)
        set_buffers(s);
    /* Some scripts begin while the cache opens. */
    while (updates % 4 != 0 &&
           spn_cache_get_status(s->rt, s->cache, NULL) == SPN_PENDING)
        spn_update(s->rt);
    for (uint32_t n = 0; n < updates; n++) {
        uint32_t i = test_random_below(&s->random, NODES);

        time_us += 10000;
        for (uint32_t k = 0; k < NODES; k++)
            if (s->nodes[k] && k != i)
                CHECK_EQ(
                    spn_node_set_playback_time(s->rt, s->nodes[k], time_us),
                    SPN_OK);
        change(s, i);
        spn_update(s->rt);
        if (n % 16 == 0)
            CHECK(spn_check(s->rt));
    }
}

/* -- an engine's job system -- */

struct engine {
    sem_t jobs; /* one for each announced step */
    spn_job_gate gate;
    struct atomic_u32 is_over;
    struct atomic_u32 next_index;
};

static void submit(void *user)
{
    struct engine *e = user;

    sem_post(&e->jobs);
}

static void *engine_main(void *argument)
{
    struct engine *e = argument;
    uint32_t index = atomic_add_acq_rel(&e->next_index, 1);

    for (;;) {
        sem_wait(&e->jobs);
        if (atomic_load_acquire(&e->is_over))
            return NULL;
        (void)spn_job_step(&e->gate, index);
    }
}

/* Totals of all scripts. */
struct totals {
    uint32_t filled;
    uint32_t unloads;
    uint32_t written;
};

static void play(uint64_t seed, uint32_t workers, bool has_engine,
                 struct totals *totals)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    struct script script = {.random = {seed}};
    struct engine engine = {0};
    pthread_t threads[4];
    spn_platform platform;
    spn_config config = {.platform = &platform,
                         .heap_bytes = 4 << 20,
                         .node_count = NODES,
                         .worker_count = workers,
                         .job_count = 64};
    size_t bytes;
    void *memory;

    test_context("seed %llu", (unsigned long long)seed);
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    if (has_engine) {
        sem_init(&engine.jobs, 0, 0);
        config.job_submit = submit;
        config.job_user = &engine;
        config.job_gate = &engine.gate;
    }
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &script.rt), SPN_OK);
    for (uint32_t i = 0; has_engine && i < workers; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, engine_main, &engine), 0);
    run_script(&script, 30 + test_random_below(&script.random, 900));
    spn_shutdown(script.rt);
    free(memory);
    if (has_engine) {
        /* Besides its threads, this thread runs the remaining steps. */
        while (sem_trywait(&engine.jobs) == 0)
            CHECK_EQ(spn_job_step(&engine.gate, 0), 0);
        atomic_store_release(&engine.is_over, 1);
        for (uint32_t i = 0; i < workers; i++)
            sem_post(&engine.jobs);
        for (uint32_t i = 0; i < workers; i++)
            pthread_join(threads[i], NULL);
        sem_destroy(&engine.jobs);
    }
    CHECK_EQ_U(script.buffers, 0);
    free(state);
    totals->filled += script.filled;
    totals->unloads += script.unloads;
    totals->written += script.written;
}

static void scripts_run_on_own_workers(void)
{
    struct totals totals = {0};

    write_clip();
    for (uint64_t seed = 1; seed <= 24; seed++)
        play(seed, 1 + seed % 4, false, &totals);
    CHECK(totals.filled > 0);
    CHECK(totals.unloads > 0);
    CHECK(totals.written > 0);
}

static void scripts_run_on_the_threads_of_an_engine(void)
{
    struct totals totals = {0};

    write_clip();
    for (uint64_t seed = 50; seed <= 65; seed++)
        play(seed, 1 + seed % 4, true, &totals);
    CHECK(totals.filled > 0);
    CHECK(totals.unloads > 0);
    CHECK(totals.written > 0);
}

TEST_MAIN(TEST(scripts_run_on_own_workers),
          TEST(scripts_run_on_the_threads_of_an_engine))
