/* test_node_event.c
 *
 * Goal: each change of caches and nodes is reported once, in a fixed order; a
 *   callback may do what geom_event.h says.
 * Method: a log of the events of small scripts on a virtual clock.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/stage.h"

#include <stdio.h>
#include <string.h>

#define FRAME_US 33333
#define FRAMES 31
#define END_US (30 * (int64_t)FRAME_US)
#define LOOP_US (31 * (int64_t)FRAME_US)

static struct stage stage;
static char events[4096]; /* one letter each, and the number of the node */
static spn_geom_event last;
static void (*react)(const spn_geom_event *event);

static void on_event(void *user, const spn_geom_event *event)
{
    static const char letters[] = "?OULFXPWEDR";
    const size_t at = strlen(events);

    CHECK_EQ_U((uintptr_t)user, 7);
    CHECK((event->kind <= SPN_GEOM_FAILED) == (event->node == 0));
    CHECK((event->status != SPN_OK) == (event->kind == SPN_GEOM_FAILED ||
                                        event->kind == SPN_GEOM_NODE_FAILED));
    CHECK(at + 8 < sizeof events);
    if (event->node)
        snprintf(events + at, sizeof events - at, "%c%u ", letters[event->kind],
                 spn__pool_index(&stage.rt->manager.node_pool, event->node));
    else
        snprintf(events + at, sizeof events - at, "%c ", letters[event->kind]);
    last = *event;
    if (react)
        react(event);
}

static void listen(void)
{
    events[0] = 0;
    react = NULL;
    CHECK_EQ(spn_geom_listen(stage.rt, on_event, (void *)(uintptr_t)7), SPN_OK);
}

static void expect(const char *expected)
{
    CHECK_STR(events, expected);
    events[0] = 0;
}

static void ticks(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        stage_tick(&stage, STAGE_TICK_US);
}

static void begin(const struct tiny_options *o)
{
    const struct tiny_options standard = {.frame_count = FRAMES};

    stage_init(&stage, tiny_build(o ? o : &standard));
    stage_start(&stage);
    listen();
}

static void open_cache(void)
{
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    while (spn_cache_get_status(stage.rt, stage.cache, NULL) == SPN_PENDING)
        ticks(1);
}

static void set_time(spn_node node, int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
}

static void play(spn_node node, int64_t from_us, int64_t to_us)
{
    const int64_t step_us =
        from_us < to_us ? STAGE_TICK_US : -(int64_t)STAGE_TICK_US;

    for (int64_t us = from_us; (us < to_us) == (step_us > 0); us += step_us) {
        set_time(node, us);
        ticks(1);
    }
    set_time(node, to_us);
    ticks(1);
}

/* -- caches -- */

static void opening_is_reported_once(void)
{
    spn_cache bad;

    begin(NULL);
    slow_platform_add(&stage.disc, "bad", "no cache", 8);
    open_cache();
    expect("O ");
    CHECK_EQ_U(last.cache, stage.cache);
    ticks(10);
    expect("");
    CHECK_EQ(spn_cache_open(stage.rt, "bad", &bad), SPN_OK);
    ticks(10);
    expect("F ");
    CHECK_EQ_U(last.cache, bad);
    CHECK_EQ(last.status, spn_cache_get_status(stage.rt, bad, NULL));
    /* The next one in the slot is another. */
    CHECK_EQ(spn_cache_close(stage.rt, bad), SPN_OK);
    ticks(2);
    CHECK_EQ(spn_cache_open(stage.rt, "bad", &bad), SPN_OK);
    ticks(10);
    expect("F ");
    stage_close(&stage);
}

static void what_was_before_is_not_reported(void)
{
    spn_node node;

    begin(NULL);
    CHECK_EQ(spn_geom_listen(stage.rt, NULL, NULL), SPN_OK);
    open_cache();
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    ticks(60);
    expect("");
    listen();
    ticks(5);
    expect("");
    stage_close(&stage);
}

static void unloading_is_reported(void)
{
    const spn_view hidden = {.is_visible = 0};
    const spn_view visible = {.is_visible = 1};
    spn_node node;

    begin(&(struct tiny_options){.has_static_mesh = true});
    CHECK_EQ(spn_tuning_set(stage.rt, "unload_after_ms", "100"), SPN_OK);
    open_cache();
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    ticks(30);
    expect("O P0 ");
    CHECK_EQ(spn_node_set_view(stage.rt, node, &hidden), SPN_OK);
    ticks(20);
    expect("U ");
    CHECK_EQ(spn_node_set_view(stage.rt, node, &visible), SPN_OK);
    ticks(30);
    expect("L P0 ");
    CHECK_EQ(spn_node_set_view(stage.rt, node, &hidden), SPN_OK);
    ticks(20);
    /* It fails several times, until the file is good again. */
    stage.tiny->bytes[stage.tiny->blobs_offset + 5] ^= 0x40;
    CHECK_EQ(spn_node_set_view(stage.rt, node, &visible), SPN_OK);
    ticks(300);
    expect("U F ");
    CHECK_EQ(last.status, stage_state(&stage, node).status);
    stage.tiny->bytes[stage.tiny->blobs_offset + 5] ^= 0x40;
    ticks(100);
    expect("L P0 ");
    stage_close(&stage);
}

/* Also if it is hidden in between, while it waits for memory. */
static void a_failure_is_reported_once_until_it_is_loaded(void)
{
    const spn_view hidden = {.is_visible = 0};
    const spn_view visible = {.is_visible = 1};
    spn_cache_info info;
    spn_block block;
    spn_node node;

    begin(&(struct tiny_options){.has_static_mesh = true});
    CHECK_EQ(spn_tuning_set(stage.rt, "unload_after_ms", "100"), SPN_OK);
    open_cache();
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_set_view(stage.rt, node, &hidden), SPN_OK);
    ticks(20);
    stage.tiny->bytes[stage.tiny->blobs_offset + 5] ^= 0x40;
    CHECK_EQ(spn_node_set_view(stage.rt, node, &visible), SPN_OK);
    ticks(30);
    expect("O U F ");
    CHECK_EQ(spn_cache_get_info(stage.rt, stage.cache, &info), SPN_OK);
    CHECK_EQ(
        spn_block_alloc(stage.rt, (8u << 20) - info.table_bytes, 0, &block),
        SPN_OK);
    ticks(60);
    CHECK(stage.rt->manager.loading != NULL);
    CHECK_EQ(spn_node_set_view(stage.rt, node, &hidden), SPN_OK);
    ticks(20);
    CHECK(!stage.rt->manager.loading);
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
    CHECK_EQ(spn_node_set_view(stage.rt, node, &visible), SPN_OK);
    ticks(70);
    CHECK(stage_state(&stage, node).status < 0);
    expect("");
    stage.tiny->bytes[stage.tiny->blobs_offset + 5] ^= 0x40;
    ticks(100);
    expect("L ");
    stage_close(&stage);
}

/* A node has kept it open meanwhile. */
static void a_cache_that_is_opened_again_is_reported(void)
{
    spn_cache before;

    begin(NULL);
    open_cache();
    (void)stage_node(&stage, true);
    before = stage.cache;
    CHECK_EQ(spn_cache_close(stage.rt, before), SPN_OK);
    ticks(2);
    expect("O ");
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    CHECK(stage.cache != before);
    ticks(2);
    expect("O ");
    CHECK_EQ_U(last.cache, stage.cache);
    /* The same handle again. */
    CHECK_EQ(spn_cache_open(stage.rt, "a", &before), SPN_OK);
    CHECK_EQ_U(before, stage.cache);
    ticks(2);
    expect("");
    stage_close(&stage);
}

/* -- nodes -- */

static void precaching_is_reported_once_for_each_start_and_seek(void)
{
    spn_node node;

    begin(&(struct tiny_options){.frame_count = 301});
    open_cache();
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    ticks(60);
    expect("O P0 ");
    CHECK_EQ(last.playback_us, 0);
    CHECK_EQ_U(last.node, node);
    CHECK_EQ_U(last.cache, stage.cache);
    CHECK(stage_state(&stage, node).precached_us >= 500000);
    play(node, 0, 2000000);
    expect("");
    set_time(node, 9000000);
    ticks(1);
    expect("");
    ticks(60);
    expect("P0 ");
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 9000000), SPN_OK);
    ticks(60);
    expect("P0 ");
    stage_close(&stage);
}

/* Frames that another node has decoded without a mesh do not count. */
static void precaching_waits_for_all_meshes(void)
{
    const uint32_t first_mesh = 1;
    spn_node other;
    spn_node node;

    begin(&(struct tiny_options){.frame_count = 301, .mesh_count = 2});
    open_cache();
    other = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_mesh_mask(stage.rt, other, &first_mesh, 1), SPN_OK);
    stage_stream(&stage, other, 12 * FRAME_US);
    ticks(60);
    expect("O P0 ");
    /* It comes to them within the decode-ahead time. */
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 5 * FRAME_US);
    ticks(60);
    CHECK(stage_state(&stage, node).is_ready);
    CHECK(stage_state(&stage, node).precached_us < 300000);
    expect("");
    CHECK_EQ(spn_node_destroy(stage.rt, other), SPN_OK);
    play(node, 5 * FRAME_US, 40 * FRAME_US);
    expect("P1 ");
    stage_close(&stage);
}

static void loops_are_reported_in_both_directions(void)
{
    spn_node node;

    begin(NULL);
    open_cache();
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    ticks(60);
    expect("O P0 ");
    play(node, 0, LOOP_US - 1);
    expect("");
    set_time(node, LOOP_US);
    ticks(1);
    expect("W0 ");
    play(node, LOOP_US, 3 * LOOP_US - 1000);
    expect("W0 ");
    play(node, 3 * LOOP_US - 1000, 2 * LOOP_US - 1);
    expect("W0 ");
    /* A jump to another loop, and a range. */
    set_time(node, 9 * LOOP_US);
    ticks(60);
    CHECK(!strchr(events, 'W'));
    events[0] = 0;
    CHECK_EQ(spn_node_set_range(stage.rt, node, 5 * FRAME_US, 10 * FRAME_US,
                                SPN_PING_PONG),
             SPN_OK);
    set_time(node, 5 * FRAME_US);
    ticks(60);
    events[0] = 0;
    play(node, 5 * FRAME_US, 21 * FRAME_US);
    expect("W0 W0 W0 ");
    stage_close(&stage);
}

static void the_end_is_reported_each_time(void)
{
    spn_node node;

    begin(NULL);
    open_cache();
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    ticks(60);
    expect("O P0 ");
    play(node, 0, END_US - 1);
    expect("");
    set_time(node, END_US);
    ticks(1);
    expect("E0 ");
    play(node, END_US, END_US + 200000);
    expect("");
    play(node, END_US, 100);
    expect("");
    play(node, 100, -50000);
    expect("E0 ");
    play(node, 0, END_US);
    expect("E0 ");
    CHECK_EQ(spn_node_set_range(stage.rt, node, 0, 10 * FRAME_US, SPN_ONCE),
             SPN_OK);
    set_time(node, 3 * FRAME_US);
    ticks(2);
    play(node, 3 * FRAME_US, 10 * FRAME_US);
    expect("E0 ");
    stage_close(&stage);
}

/* Times go on while nothing is shown; the rate that is known decides which end
 * is meant. */
static void the_end_follows_the_rate_of_a_hidden_node(void)
{
    const spn_view far = {
        .is_visible = 1, .distance = 10, .stream_distance = 1};
    spn_node node;

    begin(NULL);
    open_cache();
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 10 * FRAME_US);
    play(node, 10 * FRAME_US, 5 * FRAME_US);
    CHECK_EQ(spn_node_set_view(stage.rt, node, &far), SPN_OK);
    ticks(2);
    events[0] = 0;
    CHECK_EQ(spn_node_set_rate(stage.rt, node, 1000), SPN_OK);
    set_time(node, 0);
    ticks(1);
    expect("");
    set_time(node, END_US);
    ticks(1);
    expect("E0 ");
    stage_close(&stage);
}

static void a_damaged_frame_is_reported(void)
{
    spn_node node;

    begin(&(struct tiny_options){.frame_count = 61});
    stage.tiny->bytes[stage.tiny->frame_offset[25] +
                      stage.tiny->frame_bytes[25] / 2] ^= 0x40;
    open_cache();
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    play(node, 0, 45 * FRAME_US);
    expect("O P0 X0 ");
    CHECK_EQ(last.status, stage_state(&stage, node).status);
    stage_close(&stage);
}

static void a_heap_that_is_too_small_is_reported(void)
{
    spn_node node;

    stage_init(&stage, tiny_build(&(struct tiny_options){.frame_count = 31,
                                                         .vertices = 8000}));
    stage.config.heap_bytes = 400 << 10;
    stage_start(&stage);
    listen();
    open_cache();
    node = stage_node(&stage, false);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
        ticks(10);
        expect(i == 0 ? "O X0 " : "X0 ");
        CHECK_EQ(last.status, SPN_ERR_MEMORY);
    }
    stage_close(&stage);
}

/* A node that waits for memory, until another one stops. */
static void shortage_and_its_end_are_reported(void)
{
    const struct tiny_options o = {
        .frame_count = 61, .vertices = 4000, .is_noisy = true};
    uint64_t needed;
    spn_node node[2];

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    CHECK_EQ(spn_cache_heap_needed(stage.rt, stage.cache, 1, &needed), SPN_OK);
    stage_close(&stage);
    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = (uint32_t)(needed * 6 / 10);
    stage_start(&stage);
    listen();
    open_cache();
    for (uint32_t i = 0; i < 2; i++) {
        node[i] = stage_node(&stage, true);
        CHECK_EQ(spn_node_start_streaming(stage.rt, node[i], i * 1000000),
                 SPN_OK);
    }
    ticks(10);
    CHECK_EQ(stage_state(&stage, node[1]).status, SPN_NO_MEMORY_NOW);
    CHECK(strstr(events, "D1 ") != NULL);
    CHECK(strstr(events, "R1 ") == NULL);
    events[0] = 0;
    CHECK_EQ(spn_node_destroy(stage.rt, node[0]), SPN_OK);
    ticks(20);
    CHECK(strstr(events, "R1 ") != NULL);
    CHECK(strstr(events, "D1 ") == NULL);
    stage_close(&stage);
}

/* -- order -- */

static void events_come_in_the_order_of_slots(void)
{
    spn_node node[4];
    spn_cache other;

    begin(NULL);
    slow_platform_add(&stage.disc, "b", stage.tiny->bytes, stage.tiny->size);
    stage.disc.bytes_per_second = 0;
    stage.disc.seek_us = 0;
    open_cache();
    CHECK_EQ(spn_cache_open(stage.rt, "b", &other), SPN_OK);
    ticks(20);
    expect("O O ");
    for (uint32_t i = 0; i < 4; i++)
        node[i] = stage_node(&stage, false);
    for (uint32_t i = 4; i-- > 0;)
        set_time(node[i], END_US);
    ticks(1);
    expect("E0 E1 E2 E3 ");
    for (uint32_t i = 0; i < 4; i++)
        set_time(node[i], 0);
    ticks(30);
    expect("P0 P1 P2 P3 ");
    /* The second position of a node is none of the user's nodes. */
    CHECK_EQ(spn_node_set_streaming_time(stage.rt, node[0], 20 * FRAME_US),
             SPN_OK);
    ticks(30);
    expect("");
    stage_close(&stage);
}

/* -- callbacks -- */

static spn_node victim;

static void destroy_next(const spn_geom_event *event)
{
    spn_node_state state;
    spn_node node;

    if (event->kind != SPN_GEOM_PRECACHED || !victim)
        return;
    CHECK_EQ(spn_node_get_state(stage.rt, event->node, &state), SPN_OK);
    CHECK_EQ(spn_node_destroy(stage.rt, event->node), SPN_OK);
    CHECK_EQ(spn_node_destroy(stage.rt, victim), SPN_OK);
    CHECK_EQ(spn_node_create(stage.rt, stage.cache, NULL, &node), SPN_OK);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
    victim = 0;
}

static void a_callback_may_change_caches_and_nodes(void)
{
    spn_node node[3];

    begin(NULL);
    stage.disc.bytes_per_second = 0;
    open_cache();
    for (uint32_t i = 0; i < 3; i++) {
        node[i] = stage_node(&stage, false);
        CHECK_EQ(spn_node_start_streaming(stage.rt, node[i], 0), SPN_OK);
    }
    victim = node[1];
    events[0] = 0;
    react = destroy_next;
    ticks(60);
    expect("P0 P2 P3 ");
    stage_close(&stage);
}

static void call_what_is_forbidden(const spn_geom_event *event)
{
    const uint64_t before_us = stage.rt->manager.now_us;

    (void)event;
    stage.disc.clock_us += 10;
    spn_update(stage.rt);
    spn_shutdown(stage.rt);
    CHECK_EQ_U(stage.rt->manager.now_us, before_us);
    CHECK_EQ(spn_geom_listen(stage.rt, NULL, NULL), SPN_OK);
}

/* The update and the shutdown have no effect, and the function can be removed.
 */
static void a_callback_cannot_update(void)
{
    spn_node node;

    begin(NULL);
    react = call_what_is_forbidden;
    open_cache();
    expect("O ");
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    ticks(60);
    expect("");
    stage_close(&stage);
}

static void listen_anew(const spn_geom_event *event)
{
    if (event->kind != SPN_GEOM_PRECACHED)
        return;
    CHECK_EQ(spn_geom_listen(stage.rt, NULL, NULL), SPN_OK);
    CHECK_EQ(spn_geom_listen(stage.rt, on_event, (void *)(uintptr_t)7), SPN_OK);
}

static void replace(const spn_geom_event *event)
{
    (void)event;
    CHECK_EQ(spn_geom_listen(stage.rt, on_event, (void *)(uintptr_t)7), SPN_OK);
}

/* Start at the end of the clip, and tick until the node has precached. The time
 * is set before tick `set_at`. Returns the number of ticks. */
static uint32_t precache_at_the_end(uint32_t set_at,
                                    void (*reaction)(const spn_geom_event *))
{
    uint32_t tick = 0;
    spn_node node;

    begin(NULL);
    open_cache();
    events[0] = 0;
    react = reaction;
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, END_US), SPN_OK);
    while (!strchr(events, 'P') && tick < 100) {
        if (++tick == set_at)
            CHECK_EQ(spn_node_set_playback_time(stage.rt, node, END_US),
                     SPN_OK);
        ticks(1);
    }
    ticks(3);
    return tick;
}

static void a_function_set_after_none_gets_later_events(void)
{
    const uint32_t last_tick = precache_at_the_end(0, NULL);

    expect("P0 ");
    stage_close(&stage);
    precache_at_the_end(last_tick, NULL);
    expect("P0 E0 ");
    stage_close(&stage);
    precache_at_the_end(last_tick, replace);
    expect("P0 E0 ");
    stage_close(&stage);
    precache_at_the_end(last_tick, listen_anew);
    expect("P0 ");
    stage_close(&stage);
}

static void wrong_arguments_are_refused(void)
{
    CHECK_EQ(spn_geom_listen(NULL, on_event, NULL), SPN_ERR_ARG);
}

TEST_MAIN(TEST(opening_is_reported_once), TEST(what_was_before_is_not_reported),
          TEST(unloading_is_reported),
          TEST(a_failure_is_reported_once_until_it_is_loaded),
          TEST(a_cache_that_is_opened_again_is_reported),
          TEST(precaching_is_reported_once_for_each_start_and_seek),

          TEST(precaching_waits_for_all_meshes),
          TEST(loops_are_reported_in_both_directions),
          TEST(the_end_is_reported_each_time),
          TEST(the_end_follows_the_rate_of_a_hidden_node),
          TEST(a_damaged_frame_is_reported),
          TEST(a_heap_that_is_too_small_is_reported),
          TEST(shortage_and_its_end_are_reported),
          TEST(events_come_in_the_order_of_slots),
          TEST(a_callback_may_change_caches_and_nodes),
          TEST(a_callback_cannot_update),
          TEST(a_function_set_after_none_gets_later_events),
          TEST(wrong_arguments_are_refused))
