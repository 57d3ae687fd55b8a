/* test_fill_threads.c
 *
 * Goal: between two updates any threads fill, also different meshes of one
 *   node, and start fills; during updates they wait for them. They ask what is
 *   drawn and copy a static mesh, also when nodes are hidden, so that the cache
 *   is unloaded and comes back, and while events are reported. There are no
 *   races, and the bytes are those of a fill.
 * Method: the POSIX platform with own workers, without them, or with jobs on
 *   threads of an engine that wait. Three threads fill and start fills between
 *   two barriers. Then the caller's thread updates, seeks, stops, hides and
 *   destroys nodes while they wait for their fills. Meant for the thread
 *   sanitizer.
 */
/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "harness.h"
#include "support/tiny_cache.h"

#include "base/atomic.h"
#include "host/host.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 3,
    NODES = 2,
    VERTICES = 9000,
    STRIDE = 24,
    ROUNDS = 60,
    HIDE_ROUNDS = 10, /* all is hidden once in so many */
    UPDATES_MAX = 2000000
};

#define BYTES ((size_t)VERTICES * STRIDE)

static const spn_vertex_layout layout = {
    .stride = STRIDE,
    .position = {0, SPN_FORMAT_F32X3},
    .previous_position = {12, SPN_FORMAT_F32X3}};

struct world {
    spn_runtime *rt;
    spn_cache cache;
    spn_node nodes[NODES];
    bool is_hidden[NODES];
    uint32_t events[SPN_GEOM_RECOVERED + 1];
    pthread_barrier_t begin; /* threads may fill */
    pthread_barrier_t end;   /* no thread fills any more */
    bool is_over;            /* set before `begin` */
};

struct filler {
    struct world *world;
    uint32_t mesh;
    uint32_t filled;
    const char *wrong; /* its first failure; it goes on, for the barriers */
    bool has_copy;
    uint8_t copy[BYTES]; /* of the static mesh, the first time */
    uint8_t now[NODES][BYTES];
    uint8_t later[NODES][BYTES];
};

/* A failed check would leave the claim of the main thread. Note it instead. */
static void expect(struct filler *f, bool is_true, const char *text)
{
    if (!is_true && !f->wrong)
        f->wrong = text;
}

/* What is drawn follows from the view and from what is shown. */
static void look(struct filler *f, uint32_t i, const spn_node_state *state)
{
    const struct world *w = f->world;
    const bool is_cache = !w->is_hidden[i] && state->shown_frame != UINT32_MAX;
    spn_drawing drawing;

    expect(f, spn_node_get_drawing(w->rt, w->nodes[i], &drawing) == SPN_OK,
           "drawing");
    expect(f, (drawing.what == SPN_DRAW_CACHE) == is_cache, "what is drawn");
}

/* While the cache is loaded, its static mesh is there. */
static void copy_static(struct filler *f)
{
    const struct world *w = f->world;
    spn_mesh_id id = 0;
    const spn_status status =
        spn_cache_get_mesh_id(w->rt, w->cache, THREADS, &id);
    uint8_t *copy = f->has_copy ? f->later[0] : f->copy;

    expect(f, status == SPN_OK || status == SPN_PENDING, "mesh");
    if (status != SPN_OK)
        return;
    memset(copy, 0, BYTES);
    expect(f, spn_mesh_copy_vertices(w->rt, id, &layout, copy, BYTES) == SPN_OK,
           "copy");
    expect(f, memcmp(copy, f->copy, BYTES) == 0, "bytes of the copy");
    f->has_copy = true;
}

static spn_fill fill_both(struct filler *f, uint32_t i)
{
    const spn_node node = f->world->nodes[i];
    spn_runtime *rt = f->world->rt;
    spn_fill_result result;
    spn_fill_result same;
    spn_node_state state;
    spn_fill fill = 0;
    spn_status status;

    expect(f, spn_node_get_state(rt, node, &state) == SPN_OK, "state");
    look(f, i, &state);
    status =
        spn_node_fill(rt, node, f->mesh, &layout, f->now[i], BYTES, &result);
    expect(f, status == SPN_OK || status == SPN_PENDING, "fill");
    expect(f, (status == SPN_OK) == (state.shown_frame != UINT32_MAX), "shown");
    if (status != SPN_OK)
        return 0;
    expect(f, result.floor_frame == state.shown_frame, "frame");
    status =
        spn_fill_start(rt, node, f->mesh, &layout, f->later[i], BYTES, &fill);
    expect(f, status == SPN_OK, "start");
    if (status != SPN_OK)
        return 0;
    expect(f, spn_fill_get_result(rt, fill, &same) == SPN_OK, "result");
    expect(f, same.floor_frame == result.floor_frame, "same frame");
    return fill;
}

static void wait_for(struct filler *f, uint32_t i, spn_fill fill)
{
    const uint64_t timeout_us = i == 0 ? 100 : 1000000;
    spn_status status = SPN_ERR_TIMEOUT;

    while (status == SPN_ERR_TIMEOUT)
        status = spn_fill_wait(f->world->rt, fill, timeout_us);
    expect(f, status == SPN_OK, "wait");
    expect(f, memcmp(f->now[i], f->later[i], BYTES) == 0, "bytes");
    f->filled++;
}

/* Other threads cast the same ray at the same time. */
static void cast_ray(struct filler *f, uint32_t i)
{
    const spn_ray ray = {.origin = {0.1f, 0.2f, 9},
                         .direction = {0, 0.01f, -1}};
    spn_ray_hit hit;
    spn_ray_hit same;
    const spn_status status =
        spn_node_ray_cast(f->world->rt, f->world->nodes[i], &ray, &hit);

    expect(f, status == SPN_OK || status == SPN_PENDING, "ray");
    expect(f,
           spn_node_ray_cast(f->world->rt, f->world->nodes[i], &ray, &same) ==
               status,
           "same status");
    if (status == SPN_OK)
        expect(f, memcmp(&hit, &same, sizeof hit) == 0, "same hit");
}

static void *filler_main(void *argument)
{
    struct filler *f = argument;
    struct world *w = f->world;

    for (;;) {
        spn_fill fills[NODES];

        pthread_barrier_wait(&w->begin);
        if (w->is_over)
            return NULL;
        copy_static(f);
        for (uint32_t i = 0; i < NODES; i++)
            fills[i] = fill_both(f, i);
        for (uint32_t i = 0; i < NODES; i++)
            cast_ray(f, i);
        pthread_barrier_wait(&w->end);
        for (uint32_t i = 0; i < NODES; i++)
            if (fills[i])
                wait_for(f, i, fills[i]);
    }
}

static void set_view(struct world *w, uint32_t i, bool is_hidden)
{
    const spn_view view = {.is_visible = !is_hidden};

    w->is_hidden[i] = is_hidden;
    CHECK_EQ(spn_node_set_view(w->rt, w->nodes[i], &view), SPN_OK);
}

static void change(struct world *w, struct test_random *random, uint32_t i)
{
    const spn_node_desc desc = {.is_looping = 1};
    const int64_t time_us = test_random_below(random, 2000000);

    switch (test_random_below(random, 16)) {
    case 0:
        CHECK_EQ(spn_node_destroy(w->rt, w->nodes[i]), SPN_OK);
        CHECK_EQ(spn_node_create(w->rt, w->cache, &desc, &w->nodes[i]), SPN_OK);
        w->is_hidden[i] = false;
        break;
    case 2:
    case 3:
    case 4:
        set_view(w, i, !w->is_hidden[i]);
        break;
    case 1:
        CHECK_EQ(spn_node_stop_streaming(w->rt, w->nodes[i]), SPN_OK);
        break;
    default:
        CHECK_EQ(spn_node_set_playback_time(w->rt, w->nodes[i], time_us),
                 SPN_OK);
    }
}

/* True if all nodes that play show a frame; *shown: nodes that show one. */
static bool are_ready(const struct world *w, uint32_t *shown)
{
    *shown = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        spn_node_state state;

        CHECK_EQ(spn_node_get_state(w->rt, w->nodes[i], &state), SPN_OK);
        if (state.shown_frame != UINT32_MAX)
            ++*shown;
        else if (state.is_streaming)
            return false;
    }
    return true;
}

/* The threads look at a cache that is unloaded; then it comes back. */
static void hide_all(struct world *w)
{
    spn_status status = SPN_OK;
    spn_mesh_id id;

    for (uint32_t i = 0; i < NODES; i++)
        set_view(w, i, true);
    for (uint32_t k = 0; k < UPDATES_MAX && status == SPN_OK; k++) {
        spn_update(w->rt);
        sched_yield();
        status = spn_cache_get_mesh_id(w->rt, w->cache, THREADS, &id);
    }
    CHECK_EQ(status, SPN_PENDING);
    pthread_barrier_wait(&w->begin);
    pthread_barrier_wait(&w->end);
    for (uint32_t i = 0; i < NODES; i++)
        set_view(w, i, false);
}

/* Returns how many fills each thread must have made. */
static uint32_t updates_main(struct world *w, uint64_t seed)
{
    struct test_random random = {seed};
    uint32_t fills = 0;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t updates = 0;
        uint32_t shown;

        test_context("seed %u, round %u", (unsigned)seed, round);
        if (round % HIDE_ROUNDS == HIDE_ROUNDS - 1)
            hide_all(w);
        for (uint32_t i = 0; i < NODES; i++)
            change(w, &random, i);
        do {
            CHECK(updates++ < UPDATES_MAX);
            spn_update(w->rt);
            sched_yield();
        } while (!are_ready(w, &shown));
        fills += shown;
        pthread_barrier_wait(&w->begin);
        pthread_barrier_wait(&w->end);
        spn_update(w->rt);
        CHECK(spn_check(w->rt));
    }
    test_context("seed %u", (unsigned)seed);
    w->is_over = true;
    pthread_barrier_wait(&w->begin);
    return fills;
}

static void on_event(void *user, const spn_geom_event *event)
{
    struct world *w = user;

    w->events[event->kind]++;
}

static void open_clip(struct world *w)
{
    const spn_node_desc desc = {.is_looping = 1};
    const struct tiny_options o = {.frame_count = 61,
                                   .mesh_count = THREADS,
                                   .vertices = VERTICES,
                                   .has_static_mesh = true};
    struct tiny_cache *t = tiny_build(&o);
    char path[512];

    snprintf(path, sizeof path, "%s/clip.sgc", test_temp());
    tiny_write(t, path);
    tiny_free(t);
    CHECK_EQ(spn_geom_listen(w->rt, on_event, w), SPN_OK);
    CHECK_EQ(spn_tuning_set(w->rt, "unload_after_ms", "1"), SPN_OK);
    CHECK_EQ(spn_cache_open(w->rt, path, &w->cache), SPN_OK);
    while (spn_cache_get_status(w->rt, w->cache, NULL) == SPN_PENDING)
        spn_update(w->rt);
    for (uint32_t i = 0; i < NODES; i++)
        CHECK_EQ(spn_node_create(w->rt, w->cache, &desc, &w->nodes[i]), SPN_OK);
}

/* An engine whose threads wait for jobs. */
enum { ENGINE_THREADS = 2 };

struct engine {
    spn_job_gate gate;
    sem_t submits;
    struct atomic_u32 next_index;
    struct atomic_u32 is_over;
    pthread_t threads[ENGINE_THREADS];
};

static void submit(void *user)
{
    sem_post(&((struct engine *)user)->submits);
}

static void *engine_main(void *argument)
{
    struct engine *e = argument;
    const uint32_t index = atomic_add_acq_rel(&e->next_index, 1);

    for (;;) {
        sem_wait(&e->submits);
        if (atomic_load_acquire(&e->is_over))
            return NULL;
        (void)spn_job_step(&e->gate, index);
    }
}

static void engine_start(struct engine *e, spn_config *config)
{
    memset(e, 0, sizeof *e);
    sem_init(&e->submits, 0, 0);
    for (uint32_t i = 0; i < ENGINE_THREADS; i++)
        CHECK_EQ(pthread_create(&e->threads[i], NULL, engine_main, e), 0);
    config->worker_count = ENGINE_THREADS;
    config->job_submit = submit;
    config->job_user = e;
    config->job_gate = &e->gate;
}

static void engine_end(struct engine *e)
{
    atomic_store_release(&e->is_over, 1);
    for (uint32_t i = 0; i < ENGINE_THREADS; i++)
        sem_post(&e->submits);
    for (uint32_t i = 0; i < ENGINE_THREADS; i++)
        pthread_join(e->threads[i], NULL);
    sem_destroy(&e->submits);
}

static void play_configured(spn_config *config, uint64_t seed)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    static struct filler fillers[THREADS];
    static struct world world; /* not of this stack: a check may fail */
    pthread_t threads[THREADS];
    spn_platform platform;
    size_t bytes;
    void *memory;
    uint32_t fills;

    memset(&world, 0, sizeof world);
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    config->platform = &platform;
    config->heap_bytes = 24 << 20;
    config->job_count = 64;
    bytes = spn_memory_needed(config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(config, memory, bytes, &world.rt), SPN_OK);
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
    fills = updates_main(&world, seed);
    /* Most rounds show both nodes: few of them stop or end one. */
    CHECK(fills > ROUNDS / 2);
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ_U(world.events[SPN_GEOM_OPENED], 1);
    CHECK(world.events[SPN_GEOM_UNLOADED] >= ROUNDS / HIDE_ROUNDS);
    CHECK(world.events[SPN_GEOM_LOADED] + 1 >= world.events[SPN_GEOM_UNLOADED]);
    for (uint32_t i = 0; i < THREADS; i++) {
        CHECK_STR(fillers[i].wrong ? fillers[i].wrong : "nothing", "nothing");
        CHECK_EQ_U(fillers[i].filled, fills);
    }
    spn_shutdown(world.rt);
    pthread_barrier_destroy(&world.begin);
    pthread_barrier_destroy(&world.end);
    free(memory);
    free(state);
}

static void play(uint32_t workers, uint64_t seed)
{
    spn_config config = {.worker_count = workers};

    play_configured(&config, seed);
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

static void threads_fill_beside_threads_of_an_engine(void)
{
    static struct engine engine;
    spn_config config = {0};

    engine_start(&engine, &config);
    play_configured(&config, 11);
    engine_end(&engine);
}

TEST_MAIN(TEST(threads_fill_beside_workers), TEST(threads_fill_without_workers),
          TEST(threads_fill_beside_threads_of_an_engine))
