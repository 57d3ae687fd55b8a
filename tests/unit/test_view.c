/* test_view.c
 *
 * Goal: distance and visibility decide whether a node streams and what is drawn
 *   for it, by the rules of geom_view.h.
 * Method: a small cache on a virtual clock; each rule alone, and each of the
 *   calls that precede it. test_governor_nodes.c has views and shortages.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/stage.h"

#include <math.h>

#define FRAME_US 33333
#define FRAMES 61
#define END_US (60 * (int64_t)FRAME_US)
#define AFTER_US 1000000u /* unload_after_ms */

static struct stage stage;

static void begin(void)
{
    const struct tiny_options o = {.frame_count = FRAMES, .frame_us = FRAME_US};

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "unload_after_ms", "1000"), SPN_OK);
}

static void ticks(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        stage_tick(&stage, STAGE_TICK_US);
}

static void view(spn_node node, const spn_view *set)
{
    CHECK_EQ(spn_node_set_view(stage.rt, node, set), SPN_OK);
}

static void set_time(spn_node node, int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
}

static bool streams(spn_node node)
{
    return stage_state(&stage, node).is_streaming;
}

/* A visible node at a distance, with a limit of 8. */
static void go_to(spn_node node, float distance)
{
    view(node, &(spn_view){.is_visible = 1,
                           .distance = distance,
                           .stream_distance = 8});
    ticks(1);
}

/* -- streaming -- */

static void a_near_node_streams_by_itself(void)
{
    spn_node node;

    begin();
    node = stage_node(&stage, true);
    ticks(10);
    CHECK(!streams(node));
    go_to(node, 8.01f);
    CHECK(streams(node)); /* within 9/8 of the limit */
    go_to(node, 9.01f);
    CHECK(!streams(node));
    stage_until_empty(&stage);
    go_to(node, 8.99f);
    CHECK(!streams(node));
    go_to(node, 8);
    CHECK(streams(node));
    go_to(node, 9);
    CHECK(streams(node));
    stage_until_ready(&stage, node);
    CHECK_EQ_U(stage_state(&stage, node).shown_frame, 0);
    go_to(node, 1e30f);
    CHECK(!streams(node));
    stage_until_empty(&stage);
    stage_close(&stage);
}

/* It goes on at the time that was set meanwhile. */
static void times_hold_while_a_node_is_far(void)
{
    spn_node node;

    begin();
    node = stage_node(&stage, true);
    set_time(node, 0);
    go_to(node, 10);
    ticks(10);
    CHECK(!streams(node));
    CHECK(stage_is_empty(&stage));
    for (int64_t us = 0; us < 20 * FRAME_US; us += STAGE_TICK_US) {
        set_time(node, us);
        ticks(1);
    }
    set_time(node, 20 * FRAME_US);
    CHECK(stage_is_empty(&stage));
    CHECK_EQ(stage_state(&stage, node).playback_us, 20 * FRAME_US);
    CHECK_EQ_U(stage_state(&stage, node).frames_late, 0);
    go_to(node, 8);
    stage_until_ready(&stage, node);
    CHECK_EQ_U(stage_state(&stage, node).shown_frame, 20);
    stage_check_frame(&stage, node, 0, 20);
    stage_close(&stage);
}

/* A range that is set meanwhile holds, too. */
static void ranges_hold_while_a_node_is_far(void)
{
    spn_node node;

    begin();
    node = stage_node(&stage, true);
    go_to(node, 1);
    stage_until_ready(&stage, node);
    go_to(node, 10);
    CHECK_EQ(spn_node_set_range(stage.rt, node, 10 * FRAME_US, 20 * FRAME_US,
                                SPN_ONCE),
             SPN_OK);
    set_time(node, END_US);
    ticks(10);
    go_to(node, 1);
    stage_until_ready(&stage, node);
    CHECK_EQ_U(stage_state(&stage, node).shown_frame, 20);
    stage_close(&stage);
}

static void a_stopped_node_stays_so(void)
{
    spn_node node;

    begin();
    node = stage_node(&stage, true);
    go_to(node, 1);
    CHECK(streams(node));
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    go_to(node, 1);
    CHECK(!streams(node));
    go_to(node, 10);
    go_to(node, 1);
    CHECK(!streams(node));
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 7 * FRAME_US), SPN_OK);
    stage_until_ready(&stage, node);
    CHECK_EQ_U(stage_state(&stage, node).shown_frame, 7);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    ticks(1);
    set_time(node, 0);
    CHECK(streams(node));
    /* Started and stopped while it is far. */
    go_to(node, 10);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    CHECK(!streams(node));
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    go_to(node, 1);
    CHECK(!streams(node));
    stage_close(&stage);
}

/* Without a limit, the view starts nothing. */
static void a_view_without_limit_starts_nothing(void)
{
    spn_node node;

    begin();
    node = stage_node(&stage, true);
    view(node, &(spn_view){.is_visible = 1});
    ticks(3);
    CHECK(!streams(node));
    set_time(node, 0);
    ticks(1);
    CHECK(streams(node));
    stage_close(&stage);
}

static void a_hidden_node_stops_after_a_while(void)
{
    const spn_view hidden = {.distance = 1};
    const spn_view visible = {.is_visible = 1, .distance = 1};
    spn_node node;

    begin();
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    view(node, &hidden);
    ticks(AFTER_US / STAGE_TICK_US - 2);
    CHECK(streams(node));
    /* A short glimpse begins the time anew. */
    view(node, &visible);
    ticks(1);
    view(node, &hidden);
    ticks(AFTER_US / STAGE_TICK_US - 1);
    CHECK(streams(node));
    ticks(3);
    CHECK(!streams(node));
    stage_until_empty(&stage);
    view(node, &visible);
    ticks(1);
    CHECK(streams(node));
    stage_until_ready(&stage, node);
    CHECK_EQ(spn_tuning_set(stage.rt, "unload_after_ms", "0"), SPN_OK);
    view(node, &hidden);
    ticks(2 * AFTER_US / STAGE_TICK_US);
    CHECK(streams(node));
    CHECK(stage_state(&stage, node).is_ready);
    stage_close(&stage);
}

/* The clock has run before the first update. */
static void time_counts_from_the_view_on(void)
{
    spn_node node;

    stage_init(&stage, tiny_build(NULL));
    stage.disc.clock_us = 60000000;
    stage_start(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "unload_after_ms", "1000"), SPN_OK);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    node = stage_node(&stage, true);
    view(node, &(spn_view){.distance = 1});
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    ticks(AFTER_US / STAGE_TICK_US - 1);
    CHECK(streams(node));
    ticks(3);
    CHECK(!streams(node));
    stage_close(&stage);
}

static void no_view_means_no_limits(void)
{
    spn_node node;

    begin();
    node = stage_node(&stage, true);
    go_to(node, 10);
    set_time(node, 0);
    ticks(2);
    CHECK(!streams(node));
    view(node, NULL);
    ticks(1);
    CHECK(streams(node));
    stage_until_ready(&stage, node);
    stage_close(&stage);
}

/* The next node in the slot has no view. */
static void a_view_ends_with_its_node(void)
{
    spn_node node[16];

    begin();
    for (uint32_t i = 0; i < 16; i++) {
        node[i] = stage_node(&stage, true);
        view(node[i], &(spn_view){.distance = 10, .stream_distance = 8});
    }
    ticks(1);
    for (uint32_t i = 0; i < 16; i++)
        CHECK_EQ(spn_node_destroy(stage.rt, node[i]), SPN_OK);
    ticks(2);
    for (uint32_t i = 0; i < 16; i++) {
        node[i] = stage_node(&stage, true);
        set_time(node[i], 0);
    }
    ticks(1);
    for (uint32_t i = 0; i < 16; i++) {
        CHECK(streams(node[i]));
        CHECK_EQ_U(stage.rt->manager.nodes[i].cursor.importance, 3);
    }
    stage_close(&stage);
}

/* A hidden node is prepared for a cut. */
static void a_view_leaves_the_second_position_alone(void)
{
    spn_node node;

    begin();
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_streaming_time(stage.rt, node, 30 * FRAME_US),
             SPN_OK);
    view(node, &(spn_view){.distance = 10, .stream_distance = 8});
    ticks(2 * AFTER_US / STAGE_TICK_US);
    CHECK(!streams(node));
    CHECK(stage_state(&stage, node).is_streaming_ready);
    set_time(node, 30 * FRAME_US);
    go_to(node, 1);
    CHECK(stage_state(&stage, node).is_ready);
    stage_check_frame(&stage, node, 0, 30);
    stage_close(&stage);
}

/* -- what is drawn -- */

static void check_drawing(spn_node node, spn_draw what, uintptr_t stand_in)
{
    spn_drawing drawing = {SPN_DRAW_NOTHING, 77};

    CHECK_EQ(spn_node_get_drawing(stage.rt, node, &drawing), SPN_OK);
    CHECK_EQ(drawing.what, what);
    CHECK_EQ_U(drawing.stand_in, stand_in);
}

enum { FIRST = 11, LAST = 12, OTHER = 13 };

static const spn_view stand_ins = {.is_visible = 1,
                                   .distance = 5,
                                   .stand_in_distance = 8,
                                   .stand_in_first = FIRST,
                                   .stand_in_last = LAST,
                                   .stand_in_other = OTHER};

static void a_stand_in_is_drawn_until_a_frame_is_decoded(void)
{
    spn_node node;

    begin();
    node = stage_node(&stage, true);
    check_drawing(node, SPN_DRAW_NOTHING, 0);
    view(node, &stand_ins);
    check_drawing(node, SPN_DRAW_STAND_IN, FIRST);
    set_time(node, FRAME_US);
    check_drawing(node, SPN_DRAW_STAND_IN, OTHER);
    stage_until_ready(&stage, node);
    check_drawing(node, SPN_DRAW_CACHE, 0);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    check_drawing(node, SPN_DRAW_STAND_IN, OTHER);
    CHECK_EQ(spn_tuning_set(stage.rt, "geometry", "0"), SPN_OK);
    check_drawing(node, SPN_DRAW_NOTHING, 0);
    CHECK_EQ(spn_tuning_set(stage.rt, "geometry", "1"), SPN_OK);
    view(node, NULL);
    check_drawing(node, SPN_DRAW_NOTHING, 0);
    set_time(node, FRAME_US);
    stage_until_ready(&stage, node);
    check_drawing(node, SPN_DRAW_CACHE, 0);
    stage_close(&stage);
}

static void a_stand_in_is_drawn_far_away(void)
{
    spn_view set = stand_ins;
    spn_node node;

    begin();
    node = stage_node(&stage, true);
    view(node, &set);
    stage_stream(&stage, node, FRAME_US);
    for (uint32_t i = 0; i < 2; i++) {
        set.distance = 9;
        view(node, &set);
        check_drawing(node, SPN_DRAW_CACHE, 0);
        set.distance = 9.01f;
        view(node, &set);
        check_drawing(node, SPN_DRAW_STAND_IN, OTHER);
        CHECK(streams(node));
        set.distance = 8.5f;
        view(node, &set);
        check_drawing(node, SPN_DRAW_STAND_IN, OTHER);
        set.is_visible = 0;
        view(node, &set);
        check_drawing(node, SPN_DRAW_NOTHING, 0);
        set.is_visible = 1;
        set.distance = 8;
        view(node, &set);
        check_drawing(node, SPN_DRAW_CACHE, 0);
    }
    /* No stand-in for this time. */
    set.distance = 100;
    set.stand_in_other = 0;
    view(node, &set);
    check_drawing(node, SPN_DRAW_CACHE, 0);
    set.is_visible = 0;
    view(node, &set);
    check_drawing(node, SPN_DRAW_NOTHING, 0);
    stage_close(&stage);
}

static void check_stand_in(spn_node node, int64_t time_us, uintptr_t expected)
{
    set_time(node, time_us);
    check_drawing(node, SPN_DRAW_STAND_IN, expected);
}

static void stand_ins_follow_the_time(void)
{
    spn_view set = stand_ins;
    spn_node once;
    spn_node loop;

    begin();
    once = stage_node(&stage, false);
    loop = stage_node(&stage, true);
    set.distance = 100;
    view(once, &set);
    view(loop, &set);
    check_stand_in(once, -5, FIRST);
    check_stand_in(once, 0, FIRST);
    check_stand_in(once, 1, OTHER);
    check_stand_in(once, END_US - 1, OTHER);
    check_stand_in(once, END_US, LAST);
    check_stand_in(once, END_US + 5, LAST);
    check_stand_in(loop, -5, OTHER);
    check_stand_in(loop, 0, FIRST);
    check_stand_in(loop, END_US, OTHER);
    CHECK_EQ(spn_node_set_range(stage.rt, once, 10, 20, SPN_ONCE), SPN_OK);
    check_stand_in(once, 10, FIRST);
    check_stand_in(once, 11, OTHER);
    check_stand_in(once, 20, LAST);
    /* One for all. */
    set.stand_in_first = 0;
    set.stand_in_last = 0;
    view(once, &set);
    check_stand_in(once, 10, OTHER);
    check_stand_in(once, 15, OTHER);
    check_stand_in(once, 20, OTHER);
    stage_close(&stage);
}

/* A range of one time has no other, whatever follows at its ends. */
static void check_one_time(spn_node node)
{
    spn_view set = stand_ins;

    set.distance = 100;
    for (uint32_t mode = SPN_ONCE; mode <= SPN_PING_PONG; mode++) {
        test_context("mode %u", mode);
        view(node, &set);
        CHECK_EQ(
            spn_node_set_range(stage.rt, node, 10, 10, (spn_range_mode)mode),
            SPN_OK);
        check_stand_in(node, 5, FIRST);
        check_stand_in(node, 10, FIRST);
        check_stand_in(node, 15, FIRST);
    }
    set.stand_in_first = 0;
    view(node, &set);
    check_stand_in(node, 5, OTHER);
    CHECK_EQ(spn_node_set_range(stage.rt, node, 10, 10, SPN_ONCE), SPN_OK);
    check_stand_in(node, 5, LAST);
    test_context("%s", "");
}

static void a_range_of_one_time_has_its_stand_in(void)
{
    spn_cache cache;
    spn_node node;

    begin();
    check_one_time(stage_node(&stage, true));
    /* The same before the cache is open. */
    CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
    CHECK_EQ(spn_cache_open(stage.rt, "none", &cache), SPN_OK);
    CHECK_EQ(spn_node_create(stage.rt, cache, NULL, &node), SPN_OK);
    check_one_time(node);
    stage_close(&stage);
}

/* Also before the cache is open, and when it has failed. */
static void a_stand_in_needs_no_cache(void)
{
    spn_cache cache;
    spn_node node;

    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "bad", "no cache", 8);
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "bad", &cache), SPN_OK);
    CHECK_EQ(spn_node_create(stage.rt, cache, NULL, &node), SPN_OK);
    view(node, &stand_ins);
    check_stand_in(node, 0, FIRST);
    check_stand_in(node, END_US, OTHER);
    ticks(20);
    CHECK(spn_cache_get_status(stage.rt, cache, NULL) < 0);
    check_stand_in(node, 0, FIRST);
    stage_close(&stage);
}

/* -- arguments -- */

static void wrong_arguments_are_refused(void)
{
    const float bad[] = {-1, -1e-30f, INFINITY, -INFINITY, NAN};
    spn_drawing drawing = {SPN_DRAW_CACHE, 5};
    spn_view set = {.is_visible = 1, .distance = -0.0f};
    float *const fields[] = {&set.distance, &set.stream_distance,
                             &set.stand_in_distance};
    spn_node node;

    begin();
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_set_view(NULL, node, &set), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_view(stage.rt, 0, &set), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_set_view(stage.rt, node, &set), SPN_OK);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 5; k++) {
            *fields[i] = bad[k];
            CHECK_EQ(spn_node_set_view(stage.rt, node, &set), SPN_ERR_ARG);
            *fields[i] = 0;
        }
    CHECK_EQ_U(stage.rt->manager.nodes[0].cursor.nearness, UINT16_MAX);
    CHECK_EQ(spn_node_get_drawing(NULL, node, &drawing), SPN_ERR_ARG);
    CHECK_EQ(spn_node_get_drawing(stage.rt, node, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_node_get_drawing(stage.rt, 0, &drawing), SPN_ERR_HANDLE);
    CHECK_EQ(drawing.what, SPN_DRAW_CACHE);
    CHECK_EQ_U(drawing.stand_in, 5);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    CHECK_EQ(spn_node_set_view(stage.rt, node, &set), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_get_drawing(stage.rt, node, &drawing), SPN_ERR_HANDLE);
    stage_close(&stage);
}

TEST_MAIN(TEST(a_near_node_streams_by_itself),
          TEST(times_hold_while_a_node_is_far),
          TEST(ranges_hold_while_a_node_is_far), TEST(a_stopped_node_stays_so),
          TEST(a_view_without_limit_starts_nothing),
          TEST(a_hidden_node_stops_after_a_while),
          TEST(time_counts_from_the_view_on), TEST(no_view_means_no_limits),
          TEST(a_view_ends_with_its_node),
          TEST(a_view_leaves_the_second_position_alone),
          TEST(a_stand_in_is_drawn_until_a_frame_is_decoded),
          TEST(a_stand_in_is_drawn_far_away), TEST(stand_ins_follow_the_time),
          TEST(a_range_of_one_time_has_its_stand_in),
          TEST(a_stand_in_needs_no_cache), TEST(wrong_arguments_are_refused))
