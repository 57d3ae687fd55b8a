/* test_fault_loops_playback.c
 *
 * Goal: as in test_fault_loops.c, for the ways to play: backward and at other
 *   rates, in ranges, with a second position, with masks, buffers and fills by
 *   jobs at the same time, and while the decoder is too slow.
 * Method: as there; each scenario is run for every kind of fault. Scenarios
 *   with a worker decode on a virtual clock.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "sim/fault_loop.h"
#include "sim/loop_calls.h"

#include <stdio.h>

#define FRAME_US 50000
#define TIGHT_BYTES 262144u

static void create(struct loop *l, uint32_t node)
{
    CHECK_EQ(spn_node_create(l->stage.rt, l->caches[0],
                             &(spn_node_desc){.is_looping = 1},
                             &l->nodes[node]),
             SPN_OK);
}

static void set_rate(struct loop *l, int32_t permille)
{
    CHECK_EQ(spn_node_set_rate(l->stage.rt, l->nodes[0], permille), SPN_OK);
}

static void set_range(struct loop *l, int64_t first_us, int64_t last_us,
                      spn_range_mode mode)
{
    CHECK_EQ(
        spn_node_set_range(l->stage.rt, l->nodes[0], first_us, last_us, mode),
        SPN_OK);
}

/* Play from one time to another, and wait for the last picture. */
static bool plays_on(struct loop *l, int64_t from_us, int64_t to_us,
                     int64_t step_us)
{
    for (int64_t us = from_us; step_us < 0 ? us > to_us : us < to_us;
         us += step_us) {
        CHECK_EQ(spn_node_set_playback_time(l->stage.rt, l->nodes[0], us),
                 SPN_OK);
        loop_ticks(l, 1);
    }
    return loop_play(l, 0, 0, to_us);
}

/* Backward, with the rate known and inferred; fast forward; still. */
static bool plays_at_rates(struct loop *l, const char *path)
{
    bool is_there = loop_open(l, 0, path);

    if (!is_there)
        return false;
    create(l, 0);
    set_rate(l, -1000);
    is_there = plays_on(l, 8 * FRAME_US, -4 * FRAME_US, -FRAME_US / 2);
    set_rate(l, 4000);
    is_there = plays_on(l, 0, 8 * FRAME_US, 2 * FRAME_US) && is_there;
    set_rate(l, 0);
    is_there = plays_on(l, 8 * FRAME_US, 2 * FRAME_US, -FRAME_US) && is_there;
    set_rate(l, 500);
    return plays_on(l, 2 * FRAME_US, 3 * FRAME_US, FRAME_US / 4) && is_there;
}

static bool plays_backward(struct loop *l)
{
    return plays_at_rates(l, "b");
}

static bool plays_a_lifted_clip_backward(struct loop *l)
{
    return plays_at_rates(l, "l");
}

/* A range that moves on at each step, in each mode; a single time. */
static bool plays_ranges(struct loop *l)
{
    bool is_there = loop_open(l, 0, "b");

    if (!is_there)
        return false;
    create(l, 0);
    for (uint32_t mode = SPN_ONCE; mode <= SPN_PING_PONG; mode++)
        for (int64_t first_us = 0; first_us <= 6 * FRAME_US;
             first_us += 3 * FRAME_US) {
            set_range(l, first_us, first_us + 2 * FRAME_US,
                      (spn_range_mode)mode);
            is_there =
                plays_on(l, first_us, first_us + 5 * FRAME_US, FRAME_US) &&
                is_there;
        }
    set_range(l, 5 * FRAME_US, 5 * FRAME_US, SPN_LOOP);
    return loop_play(l, 0, 0, 0) && is_there;
}

/* -- a second position, with buffers, masks and fills -- */

static bool is_second_ready(struct loop *l)
{
    return stage_state(&l->stage, l->nodes[0]).is_streaming_ready;
}

/* The mask changes while the cut is prepared; a fill that began before the cut
 * ends after it. A second position that is ready shows its picture. */
static bool cuts_twice(struct loop *l)
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[LOOP_READ_BYTES];
    const uint32_t second_mesh = 2;
    bool is_there = loop_play(l, 0, 0, 0);

    for (int64_t i = 1; i <= 2; i++) {
        spn_fill fill = 0;

        if (spn_node_set_streaming_time(l->stage.rt, l->nodes[0],
                                        i * 4 * FRAME_US) != SPN_OK)
            return false;
        CHECK_EQ(spn_node_set_mesh_mask(l->stage.rt, l->nodes[0], &second_mesh,
                                        (uint32_t)i - 1),
                 SPN_OK);
        is_there = loop_until(l, is_second_ready) && is_there;
        if (spn_fill_start(l->stage.rt, l->nodes[0], 1, &layout, vertices,
                           sizeof vertices, &fill) != SPN_OK)
            fill = 0;
        if (is_second_ready(l)) {
            CHECK_EQ(spn_node_set_playback_time(l->stage.rt, l->nodes[0],
                                                i * 4 * FRAME_US),
                     SPN_OK);
            CHECK(loop_is_ready(l, 0));
        }
        is_there = loop_play(l, 0, 0, i * 4 * FRAME_US) && is_there;
        if (fill != 0)
            CHECK_EQ(spn_fill_wait(l->stage.rt, fill, UINT64_MAX), SPN_OK);
    }
    return is_there;
}

static bool cuts(struct loop *l)
{
    return loop_open(l, 0, "b") && cuts_twice(l);
}

static bool cuts_with_buffers(struct loop *l)
{
    return loop_open_with_buffers(l, 0, "b") && cuts_twice(l);
}

/* -- hidden and shown -- */

static void set_view(struct loop *l, uint32_t node, bool is_visible)
{
    CHECK_EQ(spn_node_set_view(l->stage.rt, l->nodes[node],
                               &(spn_view){.is_visible = is_visible}),
             SPN_OK);
}

/* The vertices of the first mesh, which two caches share. */
static void copy_mesh(struct loop *l, uint32_t cache)
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[LOOP_READ_BYTES];
    spn_mesh_id id;

    if (spn_cache_get_mesh_id(l->stage.rt, l->caches[cache], 0, &id) == SPN_OK)
        CHECK_EQ(spn_mesh_copy_vertices(l->stage.rt, id, &layout, vertices,
                                        sizeof vertices),
                 SPN_OK);
}

static bool is_node_ready(struct loop *l)
{
    return loop_is_ready(l, 0);
}

/* Two caches with the same static meshes are unloaded, one after the other, and
 * come back. */
static bool hides_shared_meshes(struct loop *l)
{
    bool is_there = loop_open(l, 0, "s0");

    is_there = loop_open(l, 1, "s1") && is_there;
    if (!is_there)
        return false;
    CHECK_EQ(spn_tuning_set(l->stage.rt, "unload_after_ms", "1"), SPN_OK);
    is_there = loop_play(l, 0, 0, 0);
    is_there = loop_play(l, 1, 1, 0) && is_there;
    for (uint32_t i = 0; i < 2; i++) {
        set_view(l, i, false);
        loop_ticks(l, 3);
        copy_mesh(l, 1 - i);
    }
    for (uint32_t i = 2; i-- > 0;) {
        set_view(l, i, true);
        loop_ticks(l, 2);
        copy_mesh(l, i);
    }
    /* One that could not be loaded is tried again after a second. */
    loop_ticks(l, 70);
    copy_mesh(l, 0);
    return loop_until(l, is_node_ready) && is_there;
}

/* -- events -- */

static uint32_t events_heard;

/* An opened cache gets a node; a precached node is stopped, an unloaded cache
 * shown. */
static void react(void *user, const spn_geom_event *event)
{
    struct loop *l = user;

    events_heard++;
    switch (event->kind) {
    case SPN_GEOM_OPENED:
        create(l, 0);
        CHECK_EQ(spn_node_start_streaming(l->stage.rt, l->nodes[0], 0), SPN_OK);
        break;
    case SPN_GEOM_PRECACHED:
        set_view(l, 0, false);
        break;
    case SPN_GEOM_UNLOADED:
        set_view(l, 0, true);
        break;
    case SPN_GEOM_FAILED:
        CHECK(event->status < SPN_OK);
        break;
    case SPN_GEOM_NODE_FAILED:
        CHECK_EQ(spn_node_destroy(l->stage.rt, event->node), SPN_OK);
        l->nodes[0] = 0;
        break;
    case SPN_GEOM_LOADED:
    case SPN_GEOM_LOOPED:
    case SPN_GEOM_ENDED:
    case SPN_GEOM_DEGRADED:
    case SPN_GEOM_RECOVERED:
        break;
    }
}

/* All that happens follows from events. */
static bool reacts_to_events(struct loop *l)
{
    events_heard = 0;
    CHECK_EQ(spn_tuning_set(l->stage.rt, "unload_after_ms", "1"), SPN_OK);
    CHECK_EQ(spn_geom_listen(l->stage.rt, react, l), SPN_OK);
    CHECK_EQ(spn_cache_open(l->stage.rt, "b", &l->caches[0]), SPN_OK);
    loop_ticks(l, 40);
    CHECK_EQ(spn_geom_listen(l->stage.rt, NULL, NULL), SPN_OK);
    return events_heard >= 4 && l->nodes[0] != 0 &&
           loop_until(l, is_node_ready);
}

/* -- the governor -- */

/* Frames take three times as long to decode as to play, so the node leaves out
 * some, until all are decoded. */
static bool leaves_out_frames(struct loop *l, const char *path)
{
    uint32_t left_out = 0;

    if (!loop_open(l, 0, path) || !loop_play(l, 0, 0, 0))
        return false;
    for (int64_t i = 0; i < 150; i++) {
        const int64_t us = i * STAGE_TICK_US;

        CHECK_EQ(spn_node_set_playback_time(l->stage.rt, l->nodes[0], us),
                 SPN_OK);
        loop_ticks(l, 1);
        left_out += stage_state(&l->stage, l->nodes[0]).left_out_permille;
    }
    return left_out > 0;
}

static bool decodes_slowly(struct loop *l)
{
    return leaves_out_frames(l, "b");
}

static bool decodes_a_lifted_clip_slowly(struct loop *l)
{
    return leaves_out_frames(l, "l");
}

/* -- all of them -- */

static const struct loop_case scenarios[] = {
    {"rates", plays_backward, TIGHT_BYTES, 0, NULL, NULL},
    {"rates, lifted clip", plays_a_lifted_clip_backward, 0, 0, NULL, NULL},
    {"ranges", plays_ranges, TIGHT_BYTES, 0, NULL, NULL},
    {"cuts", cuts, 0, 0, NULL, NULL},
    {"cuts with buffers", cuts_with_buffers, 0, 0, NULL, NULL},
    {"cuts, tight heap", cuts_with_buffers, TIGHT_BYTES, 0, NULL, NULL},
    {"hidden, shared meshes", hides_shared_meshes, 4u << 20, 0, NULL, NULL},
    {"events", reacts_to_events, TIGHT_BYTES, 0, NULL, NULL},
    {"slow decoder", decodes_slowly, TIGHT_BYTES, 150000, NULL, NULL},
    {"slow decoder, lifted clip", decodes_a_lifted_clip_slowly, 0, 150000, NULL,
     NULL},
};

#define SCENARIOS (sizeof scenarios / sizeof scenarios[0])

static void run_all(enum loop_fault fault)
{
    uint64_t runs = 0;

    for (uint32_t i = 0; i < SCENARIOS; i++)
        runs += loop_run(&scenarios[i], fault);
    printf("fault %d: %u runs\n", (int)fault, (unsigned)runs);
    CHECK(runs > 4 * SCENARIOS);
}

static void run_pairs(enum loop_fault first, enum loop_fault second)
{
    uint64_t runs = 0;

    for (uint32_t i = 0; i < SCENARIOS; i++)
        runs += loop_run_pairs(&scenarios[i], first, second);
    printf("faults %d and %d: %u runs\n", (int)first, (int)second,
           (unsigned)runs);
    CHECK(runs > 2 * SCENARIOS);
}

static void playback_survives_every_failed_allocation(void)
{
    run_all(LOOP_ALLOCATION);
}

static void playback_survives_every_fault_of_a_read(void)
{
    run_all(LOOP_READ);
    run_all(LOOP_SHORT);
    run_all(LOOP_DAMAGE);
    run_all(LOOP_REFUSE);
}

static void playback_survives_pairs_of_faults(void)
{
    run_pairs(LOOP_ALLOCATION, LOOP_ALLOCATION);
    run_pairs(LOOP_READ, LOOP_ALLOCATION);
    run_pairs(LOOP_ALLOCATION, LOOP_READ);
}

TEST_MAIN(TEST(playback_survives_every_failed_allocation),
          TEST(playback_survives_every_fault_of_a_read),
          TEST(playback_survives_pairs_of_faults))
