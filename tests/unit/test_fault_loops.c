/* test_fault_loops.c
 *
 * Goal: wherever one allocation, read or opening of a file fails, once or for
 *   ever, or two of them fail, nothing leaks and every read completes once.
 *   When the faults end, the runtime works as a new one.
 * Method: scenarios. Each is run with a fault in the Nth operation, for every
 *   N until nothing fails any more, and for every pair of close operations.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "sim/fault_loop.h"
#include "sim/loop_calls.h"

#include <stdio.h>

#define CLIP_US (9 * FRAME_US)
#define FRAME_US 50000

/* -- caches -- */

static bool opens(struct loop *l)
{
    return loop_open(l, 0, "a");
}

static bool starts_a_stream(struct loop *l)
{
    return loop_open(l, 0, "a") && loop_play(l, 0, 0, 3 * FRAME_US);
}

/* Play frame by frame. A fault may lose frames, but not the rest of the
 * clip. */
static bool plays(struct loop *l, uint32_t cache, const char *path,
                  uint32_t frames)
{
    if (!loop_open(l, cache, path) || !loop_play(l, cache, cache, 0))
        return false;
    for (uint32_t i = 1; i < frames; i++) {
        CHECK_EQ(spn_node_set_playback_time(l->stage.rt, l->nodes[cache],
                                            i * FRAME_US),
                 SPN_OK);
        loop_ticks(l, 3);
    }
    return loop_play(l, cache, cache, frames * FRAME_US);
}

static bool plays_two_loops(struct loop *l)
{
    return plays(l, 0, "a", 20);
}

static bool seeks(struct loop *l)
{
    bool is_there = loop_open(l, 0, "a");

    for (uint32_t i = 0; is_there && i < 6; i++)
        is_there = loop_play(l, 0, 0, i * 37 % 9 * FRAME_US);
    return is_there;
}

/* Each target is left after one or two updates, in the middle of its read. */
static bool scrubs(struct loop *l)
{
    const bool is_there = loop_open(l, 0, "b") && loop_play(l, 0, 0, 0);

    for (uint32_t i = 0; l->nodes[0] && i < 8; i++) {
        CHECK_EQ(spn_node_set_playback_time(l->stage.rt, l->nodes[0],
                                            (int64_t)i * 67 * FRAME_US),
                 SPN_OK);
        loop_ticks(l, 1 + i % 2);
    }
    return is_there && loop_play(l, 0, 0, 11 * FRAME_US);
}

static bool plays_two_streams(struct loop *l)
{
    bool is_there = loop_open(l, 0, "b") && loop_play(l, 0, 0, 0) &&
                    loop_play(l, 1, 0, 5 * FRAME_US);

    if (l->nodes[1])
        CHECK_EQ(spn_node_destroy(l->stage.rt, l->nodes[1]), SPN_OK);
    l->nodes[1] = 0;
    return is_there && loop_play(l, 0, 0, 7 * FRAME_US);
}

static bool plays_two_caches(struct loop *l)
{
    bool is_there = plays(l, 0, "a", 4);

    return plays(l, 1, "b", 10) && is_there;
}

static bool plays_a_lifted_clip(struct loop *l)
{
    return plays(l, 0, "l", 10);
}

/* The vertices of a static mesh of an open cache. */
static void copies_a_mesh(struct loop *l, uint32_t cache)
{
    static const spn_vertex_layout layout = {
        .stride = 6, .position = {0, SPN_FORMAT_QUANTIZED}};
    static uint8_t vertices[3000 * 6];
    spn_mesh_id id;

    if (spn_cache_get_mesh_id(l->stage.rt, l->caches[cache], 0, &id) != SPN_OK)
        return;
    CHECK_EQ(spn_mesh_copy_vertices(l->stage.rt, id, &layout, vertices,
                                    sizeof vertices),
             SPN_OK);
}

/* Two caches with the same static meshes. The first one closes while the
 * second one plays, or while it opens. */
static bool shares_meshes(struct loop *l)
{
    /* Two failures while nothing else is open are final. */
    bool is_there =
        loop_open(l, 0, "s0") ||
        spn_cache_get_status(l->stage.rt, l->caches[0], NULL) == SPN_ERR_MEMORY;

    copies_a_mesh(l, 0);
    is_there = plays(l, 1, "s1", 2) && is_there;
    copies_a_mesh(l, 1);
    CHECK_EQ(spn_cache_close(l->stage.rt, l->caches[0]), SPN_OK);
    CHECK_EQ(spn_cache_open(l->stage.rt, "s0", &l->caches[0]), SPN_OK);
    loop_ticks(l, 2);
    copies_a_mesh(l, 1);
    return is_there;
}

static bool plays_from_memory(struct loop *l)
{
    (void)loop_read(l, "mem", 1000, 50000, LOOP_BUFFER);
    return plays(l, 0, "m", 10) && loop_until(l, loop_are_reads_over) &&
           loop_are_reads_good(l);
}

/* Frames stay when the node stops. A block takes their memory, and gives it
 * back. */
static bool keeps_all_frames(struct loop *l)
{
    spn_block block = 0;
    bool is_there;

    CHECK_EQ(spn_tuning_set(l->stage.rt, "memory_play_kib", "16384"), SPN_OK);
    is_there = plays(l, 0, "a", 8);
    if (!l->nodes[0])
        return false;
    CHECK_EQ(spn_node_stop_streaming(l->stage.rt, l->nodes[0]), SPN_OK);
    loop_ticks(l, 3);
    is_there = loop_play(l, 0, 0, 3 * FRAME_US) && is_there;
    CHECK_EQ(spn_node_stop_streaming(l->stage.rt, l->nodes[0]), SPN_OK);
    loop_ticks(l, 3);
    if (spn_block_alloc(l->stage.rt, 180000, 0, &block) == SPN_OK)
        CHECK_EQ(spn_block_free(l->stage.rt, block), SPN_OK);
    return is_there && loop_play(l, 0, 0, 4 * FRAME_US);
}

static bool stops_and_starts(struct loop *l)
{
    bool is_there = loop_open(l, 0, "a");

    for (uint32_t i = 0; is_there && i < 4; i++) {
        is_there = loop_play(l, 0, 0, 2 * i * FRAME_US);
        CHECK_EQ(spn_node_stop_streaming(l->stage.rt, l->nodes[0]), SPN_OK);
        loop_ticks(l, i);
    }
    return is_there;
}

/* Two nodes apart in time, with buffers of the engine. */
static bool plays_into_buffers(struct loop *l)
{
    if (!loop_open_with_buffers(l, 0, "b"))
        return false;
    return loop_play(l, 0, 0, 0) && loop_play(l, 1, 0, 5 * FRAME_US) &&
           loop_play(l, 0, 0, 2 * FRAME_US);
}

/* A mesh that is not decoded becomes wanted. */
static bool masks_meshes(struct loop *l)
{
    const uint32_t none = 0;
    bool is_there = loop_open(l, 0, "b");

    if (!is_there)
        return false;
    CHECK_EQ(spn_node_create(l->stage.rt, l->caches[0],
                             &(spn_node_desc){.is_looping = 1}, &l->nodes[0]),
             SPN_OK);
    CHECK_EQ(spn_node_set_mesh_mask(l->stage.rt, l->nodes[0], &none, 1),
             SPN_OK);
    is_there = loop_play(l, 0, 0, 0) && loop_play(l, 0, 0, 2 * FRAME_US);
    CHECK_EQ(spn_node_set_mesh_mask(l->stage.rt, l->nodes[0], NULL, 0), SPN_OK);
    return is_there && loop_play(l, 0, 0, 3 * FRAME_US);
}

/* To and fro in a range, then a cut that was prepared. There may be no slot for
 * the second position. */
static bool plays_a_range_and_cuts(struct loop *l)
{
    bool is_there = loop_open(l, 0, "b");

    if (!is_there)
        return false;
    CHECK_EQ(spn_node_create(l->stage.rt, l->caches[0], NULL, &l->nodes[0]),
             SPN_OK);
    CHECK_EQ(spn_node_set_range(l->stage.rt, l->nodes[0], FRAME_US,
                                3 * FRAME_US, SPN_PING_PONG),
             SPN_OK);
    for (int64_t i = 1; i < 6; i++)
        is_there = loop_play(l, 0, 0, i * FRAME_US) && is_there;
    (void)spn_node_set_streaming_time(l->stage.rt, l->nodes[0], 8 * FRAME_US);
    CHECK_EQ(
        spn_node_set_range(l->stage.rt, l->nodes[0], 0, INT64_MAX, SPN_ONCE),
        SPN_OK);
    loop_ticks(l, 10);
    return loop_play(l, 0, 0, 8 * FRAME_US) && is_there;
}

static void on_event(void *user, const spn_geom_event *event)
{
    const uint32_t is_error =
        event->kind == SPN_GEOM_FAILED || event->kind == SPN_GEOM_NODE_FAILED;

    (void)user;
    CHECK_EQ_U(event->status < 0, is_error);
}

/* A node comes, goes and comes back; so does the static data of its cache. */
static bool comes_and_goes(struct loop *l)
{
    spn_view view = {.is_visible = 1, .stream_distance = 8};
    bool is_there = loop_open(l, 0, "b");

    if (!is_there)
        return false;
    CHECK_EQ(spn_tuning_set(l->stage.rt, "unload_after_ms", "1"), SPN_OK);
    CHECK_EQ(spn_geom_listen(l->stage.rt, on_event, NULL), SPN_OK);
    CHECK_EQ(spn_node_create(l->stage.rt, l->caches[0],
                             &(spn_node_desc){.is_looping = 1}, &l->nodes[0]),
             SPN_OK);
    for (uint32_t i = 0; i < 4; i++) {
        view.distance = i % 2 ? 10 : 1;
        CHECK_EQ(spn_node_set_view(l->stage.rt, l->nodes[0], &view), SPN_OK);
        loop_ticks(l, 5);
    }
    view.distance = 1;
    CHECK_EQ(spn_node_set_view(l->stage.rt, l->nodes[0], &view), SPN_OK);
    return loop_play(l, 0, 0, 3 * FRAME_US) && is_there;
}

/* Fills that are over after the node has stopped. */
static bool fills_as_jobs(struct loop *l)
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[3][LOOP_READ_BYTES];
    spn_fill fills[3] = {0};
    const bool is_there = loop_open(l, 0, "b") && loop_play(l, 0, 0, 0);

    for (uint32_t i = 0; is_there && i < 3; i++) {
        if (spn_fill_start(l->stage.rt, l->nodes[0], 0, &layout, vertices[i],
                           sizeof vertices[i], &fills[i]) != SPN_OK)
            fills[i] = 0;
        CHECK_EQ(spn_node_set_playback_time(l->stage.rt, l->nodes[0],
                                            i * 5 * FRAME_US),
                 SPN_OK);
        if (i == 1)
            loop_ticks(l, 2);
    }
    if (is_there)
        CHECK_EQ(spn_node_stop_streaming(l->stage.rt, l->nodes[0]), SPN_OK);
    for (uint32_t i = 0; i < 3; i++)
        if (fills[i] != 0)
            CHECK_EQ(spn_fill_wait(l->stage.rt, fills[i], UINT64_MAX), SPN_OK);
    return is_there;
}

/* -- paks -- */

static bool mounts(struct loop *l)
{
    return loop_mount(l);
}

static bool reads_compressed(struct loop *l)
{
    if (!loop_mount(l))
        return false;
    (void)loop_read(l, "lz", 0, 64000, LOOP_STORAGE);
    (void)loop_read(l, "df", 33, 20000, LOOP_BUFFER);
    (void)loop_read(l, "zs", 63000, 1000, LOOP_STORAGE);
    (void)loop_read(l, "st", 1, 63999, LOOP_BUFFER);
    return loop_until(l, loop_are_reads_over) && loop_are_reads_good(l);
}

static bool is_loaded(struct loop *l)
{
    return spn_pak_get_load_status(l->stage.rt, l->pak) != SPN_PENDING;
}

static bool loads_a_pak(struct loop *l)
{
    bool is_there;

    if (!loop_mount(l))
        return false;
    CHECK_EQ(spn_pak_load(l->stage.rt, l->pak, SPN_PRIORITY_NORMAL), SPN_OK);
    (void)loop_read(l, "lz", 100, 60000, LOOP_BUFFER);
    is_there = loop_until(l, is_loaded) &&
               spn_pak_get_load_status(l->stage.rt, l->pak) == SPN_OK;
    (void)loop_read(l, "st", 100, 60000, LOOP_STORAGE);
    (void)loop_until(l, loop_are_reads_over);
    CHECK_EQ(spn_pak_unload(l->stage.rt, l->pak), SPN_OK);
    return is_there && loop_are_reads_good(l);
}

static bool plays_from_a_pak(struct loop *l)
{
    return loop_mount(l) && plays(l, 0, "c", 6);
}

/* -- reads -- */

static bool reads_a_batch(struct loop *l)
{
    for (uint32_t i = 0; i < 8; i++)
        (void)loop_read(l, i % 3 ? "raw" : "mem", i * 5000, 20000,
                        i % 2 ? LOOP_STORAGE : LOOP_BUFFER);
    return loop_until(l, loop_are_reads_over) && loop_are_reads_good(l);
}

/* Read to the end: a file in memory, a file on the disc, compressed entries. */
static bool reads_into_the_heap(struct loop *l)
{
    (void)loop_read(l, "raw", 4000, 0, LOOP_BLOCK);
    (void)loop_read(l, "mem", 0, 0, LOOP_BLOCK);
    if (!loop_mount(l))
        return false;
    (void)loop_read(l, "lz", 0, 0, LOOP_BLOCK);
    (void)loop_read(l, "zs", 100, 60000, LOOP_BLOCK);
    return loop_until(l, loop_are_reads_over) && loop_are_reads_good(l);
}

static bool records(struct loop *l)
{
    const spn_record_desc desc = {l->events, 32, l->text, sizeof l->text};
    uint32_t count = 0;

    CHECK_EQ(spn_record_start(l->stage.rt, &desc), SPN_OK);
    (void)loop_read(l, "raw", 0, 30000, LOOP_BUFFER);
    (void)loop_open(l, 0, "a");
    (void)loop_until(l, loop_are_reads_over);
    CHECK_EQ(spn_record_get_count(l->stage.rt, &count), SPN_OK);
    return loop_are_reads_good(l) && count >= 2;
}

/* Abort a read, destroy a node and close an opening cache while they are in
 * progress. */
static bool aborts(struct loop *l)
{
    for (uint32_t i = 0; i < 6; i++) {
        struct loop_read *r = loop_read(l, "raw", i * 1000, 50000,
                                        i % 2 ? LOOP_STORAGE : LOOP_BUFFER);

        loop_ticks(l, i % 3);
        if (r->done_count == 0)
            CHECK_EQ(spn_read_abort(l->stage.rt, r->read), SPN_OK);
    }
    CHECK_EQ(spn_cache_open(l->stage.rt, "b", &l->caches[1]), SPN_OK);
    loop_ticks(l, 2);
    CHECK_EQ(spn_cache_close(l->stage.rt, l->caches[1]), SPN_OK);
    l->caches[1] = 0;
    if (loop_open(l, 0, "a")) {
        CHECK_EQ(spn_node_create(l->stage.rt, l->caches[0], NULL, &l->nodes[0]),
                 SPN_OK);
        CHECK_EQ(spn_node_set_playback_time(l->stage.rt, l->nodes[0], 0),
                 SPN_OK);
        loop_ticks(l, 1);
        CHECK_EQ(spn_node_destroy(l->stage.rt, l->nodes[0]), SPN_OK);
        l->nodes[0] = 0;
    }
    return loop_until(l, loop_are_reads_over);
}

/* Shut down while all of these are in progress. */
static bool shuts_down(struct loop *l)
{
    (void)loop_open(l, 0, "a");
    CHECK_EQ(spn_node_create(l->stage.rt, l->caches[0], NULL, &l->nodes[0]),
             SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(l->stage.rt, l->nodes[0], 0), SPN_OK);
    CHECK_EQ(spn_cache_open(l->stage.rt, "b", &l->caches[1]), SPN_OK);
    for (uint32_t i = 0; i < 4; i++)
        (void)loop_read(l, "raw", i * 9000, 30000, LOOP_BUFFER);
    loop_ticks(l, 1);
    spn_shutdown(l->stage.rt);
    l->stage.rt = NULL;
    CHECK(loop_are_reads_over(l));
    return true;
}

/* -- all of them -- */

/* The tight heap holds the memory of two streams of "b" and the index of a
 * pak. */
static const struct loop_case scenarios[] = {
    {"open", opens, 0, 0, NULL, NULL},
    {"stream start", starts_a_stream, 0, 0, NULL, NULL},
    {"play loop", plays_two_loops, 0, 0, NULL, NULL},
    {"seek", seeks, 0, 0, NULL, NULL},
    {"scrub", scrubs, 262144, 0, NULL, NULL},
    {"two streams", plays_two_streams, 0, 0, NULL, NULL},
    {"two caches", plays_two_caches, 0, 0, NULL, NULL},
    {"tight heap", plays_two_streams, 262144, 0, NULL, NULL},
    {"lifted clip", plays_a_lifted_clip, 0, 0, NULL, NULL},
    {"shared meshes", shares_meshes, 4u << 20, 0, NULL, NULL},
    {"memory medium", plays_from_memory, 0, 0, NULL, NULL},
    {"from memory", keeps_all_frames, 262144, 0, NULL, NULL},
    {"stop and start", stops_and_starts, 0, 0, NULL, NULL},
    {"frame buffers", plays_into_buffers, 0, 0, NULL, NULL},
    {"buffers, tight heap", plays_into_buffers, 262144, 0, NULL, NULL},
    {"fills as jobs", fills_as_jobs, 262144, 0, NULL, NULL},
    {"masks", masks_meshes, 262144, 0, NULL, NULL},
    {"range and cut", plays_a_range_and_cuts, 262144, 0, NULL, NULL},
    {"views", comes_and_goes, 262144, 0, NULL, NULL},
    {"pak mount", mounts, 0, 0, NULL, NULL},
    {"compressed read", reads_compressed, 0, 0, NULL, NULL},
    {"pak load", loads_a_pak, 0, 0, NULL, NULL},
    {"cache in a pak", plays_from_a_pak, 0, 0, NULL, NULL},
    {"batch", reads_a_batch, 0, 0, NULL, NULL},
    {"into the heap", reads_into_the_heap, 0, 0, NULL, NULL},
    {"record", records, 0, 0, NULL, NULL},
    {"abort", aborts, 0, 0, NULL, NULL},
    {"shutdown", shuts_down, 0, 0, NULL, NULL},
};

static void run_all(enum loop_fault fault)
{
    uint64_t runs = 0;

    for (uint32_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
        runs += loop_run(&scenarios[i], fault);
    printf("fault %d: %u scenarios, %u runs\n", (int)fault,
           (unsigned)(sizeof scenarios / sizeof scenarios[0]), (unsigned)runs);
    /* Each scenario has at least two runs without a failure. */
    CHECK(runs > 4 * sizeof scenarios / sizeof scenarios[0]);
}

static void run_pairs(enum loop_fault first, enum loop_fault second)
{
    uint64_t runs = 0;

    for (uint32_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
        runs += loop_run_pairs(&scenarios[i], first, second);
    printf("faults %d and %d: %u runs\n", (int)first, (int)second,
           (unsigned)runs);
    /* In each scenario a first fault occurred, without a second one. */
    CHECK(runs > 2 * sizeof scenarios / sizeof scenarios[0]);
}

static void runtime_survives_every_failed_allocation(void)
{
    run_all(LOOP_ALLOCATION);
}

static void runtime_survives_every_failed_read(void)
{
    run_all(LOOP_READ);
}

static void runtime_survives_every_short_read(void)
{
    run_all(LOOP_SHORT);
}

static void runtime_survives_every_damaged_read(void)
{
    run_all(LOOP_DAMAGE);
}

static void runtime_survives_every_refused_read(void)
{
    run_all(LOOP_REFUSE);
}

static void runtime_survives_every_failed_open(void)
{
    run_all(LOOP_OPEN);
}

static void runtime_survives_pairs_of_failed_allocations(void)
{
    run_pairs(LOOP_ALLOCATION, LOOP_ALLOCATION);
}

static void runtime_survives_pairs_of_failed_reads(void)
{
    run_pairs(LOOP_READ, LOOP_READ);
    run_pairs(LOOP_READ, LOOP_REFUSE);
}

static void runtime_survives_pairs_of_failed_allocations_and_reads(void)
{
    run_pairs(LOOP_ALLOCATION, LOOP_READ);
    run_pairs(LOOP_READ, LOOP_ALLOCATION);
}

TEST_MAIN(TEST(runtime_survives_every_failed_allocation),
          TEST(runtime_survives_every_failed_read),
          TEST(runtime_survives_every_short_read),
          TEST(runtime_survives_every_damaged_read),
          TEST(runtime_survives_every_refused_read),
          TEST(runtime_survives_every_failed_open),
          TEST(runtime_survives_pairs_of_failed_allocations),
          TEST(runtime_survives_pairs_of_failed_reads),
          TEST(runtime_survives_pairs_of_failed_allocations_and_reads))
