/* test_governor.c
 *
 * Goal: when the workers, the drive or the memory do not suffice, nodes leave
 *   out frames, the least important first, instead of being late; what is shown
 *   falls in proportion; all frames come back when there is enough again.
 * Method: a virtual worker takes a given time for each frame. Clips of the
 *   classic codec and of lifted meshes play on a virtual clock.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include "play/closure.h"
#include "play/level.h"
#include "play/node/node.h"
#include "player/play_worker.h"
#include "runtime.h"

#include <spindle/listener.h>
#include <spindle/memory.h>

#define FRAME_US 33333
#define FRAMES 300u
#define SECOND_US 1000000

/* More than the heap of a_heap_in_pieces_is_a_shortage_of_memory has pages. */
#define BLOCKS_MAX 2048u

static int64_t frame_us; /* of the clip */
static struct stage stage;
static struct play_worker worker;

static void on_decoded(void *user, const spn_event *event)
{
    play_worker_charge(user, event);
}

static const spn_listener listener = {.user = &worker,
                                      .decode_end = on_decoded};

static void tick(void)
{
    play_worker_run(&worker, stage.disc.clock_us + STAGE_TICK_US);
    stage_tick(&stage, STAGE_TICK_US);
    play_worker_run(&worker, stage.disc.clock_us);
}

/* Open "a", which the worker decodes at once while it is loaded. */
static void open_clip(void)
{
    spn_cache_info info;

    play_worker_init(&worker, 0, &stage.config);
    stage.config.listener = &listener;
    stage_start(&stage);
    worker.rt = stage.rt;
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    for (int i = 0; i < 1000 && spn_cache_get_status(stage.rt, stage.cache,
                                                     NULL) == SPN_PENDING;
         i++)
        tick();
    CHECK_EQ(spn_cache_get_status(stage.rt, stage.cache, NULL), SPN_OK);
    CHECK_EQ(spn_cache_get_info(stage.rt, stage.cache, &info), SPN_OK);
    frame_us = info.loop_us / info.frame_count;
}

static void open_tiny(const struct tiny_options *o)
{
    stage_init(&stage, tiny_build(o));
    open_clip();
}

static void open_classic(void)
{
    open_tiny(&(struct tiny_options){.frame_count = FRAMES});
}

/* The worker decodes `percent` of the frames of one node. */
static void set_capacity(uint32_t percent)
{
    worker.frame_us = (uint64_t)frame_us * 100 / percent;
}

static void set_time(spn_node node, int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
}

static const struct cursor *cursor_of(spn_node node)
{
    return &spn__manager_node(&stage.rt->manager, node)->cursor;
}

static const struct cache *cache_of(void)
{
    return spn__manager_cache(&stage.rt->manager, stage.cache);
}

/* -- levels -- */

/* What a cut keeps refers only to what it keeps; each cut keeps less, and
 * nothing that the one before it does not keep. */
static void check_cuts(void)
{
    const struct cache *c = cache_of();
    uint32_t before = c->header.frame_count;

    CHECK_EQ_U(spn__level_frames(c, 0), before);
    for (uint32_t cut = 0; cut <= level_cut_max(c); cut++) {
        uint32_t kept = 0;

        test_context("cut %u", cut);
        for (uint32_t n = 0; n < c->header.frame_count; n++) {
            const struct cache_frame *f = cache_frame_at(c, n);

            if (!level_keeps(c, n, cut))
                continue;
            kept++;
            CHECK(cut == 0 || level_keeps(c, n, cut - 1));
            for (uint32_t r = 0; r < f->reference_count; r++)
                CHECK(level_keeps(c, closure_reference(c, n, r), cut));
        }
        CHECK_EQ_U(spn__level_frames(c, cut), kept);
        CHECK(kept <= before);
        before = kept;
    }
    for (uint32_t n = 0; n < c->header.frame_count; n++)
        CHECK_EQ(level_keeps(c, n, level_cut_max(c)),
                 cache_frame_at(c, n)->type == CACHE_FRAME_INDEX);
}

static void levels_leave_out_what_nobody_refers_to(void)
{
    open_classic();
    CHECK_EQ_U(cache_of()->level_max, 9);
    check_cuts();
    stage_close(&stage);
    open_tiny(&(struct tiny_options){.frame_count = 23, .distance = 7});
    check_cuts();
    stage_close(&stage);
    open_tiny(&(struct tiny_options){.frame_count = 1});
    CHECK_EQ_U(cache_of()->level_max, 0);
    stage_close(&stage);
}

static void open_pyramid(uint32_t frames, struct memory_sink *memory)
{
    const struct synthetic_options o = {
        .frame_count = frames, .vertices = 300, .mesh_count = 2, .step = 20};

    memory_sink_free(memory);
    *memory = (struct memory_sink){0};
    synthetic_lift(&o, 8, true, memory);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", memory->bytes, memory->size);
    open_clip();
}

static void levels_of_a_pyramid_are_halves(void)
{
    struct memory_sink memory = {0};
    const struct cache *c;

    open_pyramid(65, &memory);
    c = cache_of();
    CHECK_EQ_U(c->level_max, 3);
    check_cuts();
    for (uint32_t level = 0; level <= 3; level++)
        CHECK_EQ_U(spn__level_frames(c, level * LEVEL_STEPS),
                   64u / (1u << level) + 1);
    CHECK_EQ_U(spn__level_lower(c, 0, 8), 2);
    CHECK_EQ_U(spn__level_raise(c, 2, 8), 0);
    CHECK_EQ_U(spn__level_lower(c, 0, 1000), level_cut_max(c));
    stage_close(&stage);
    /* A last group that is cut off. */
    open_pyramid(70, &memory);
    check_cuts();
    stage_close(&stage);
    memory_sink_free(&memory);
}

/* -- decode capacity -- */

struct shown {
    uint32_t different; /* frames */
    uint32_t pictures;
    uint32_t late;  /* pictures */
    uint32_t worst; /* distance of the nearest shown frame */
    uint64_t trace; /* of all that was shown */
};

static uint32_t distance(uint32_t frame, uint32_t wanted)
{
    return frame > wanted ? frame - wanted : wanted - frame;
}

static void look(spn_node node, uint32_t wanted, bool was_shown[FRAMES],
                 struct shown *out)
{
    static const spn_vertex_layout layout = {
        .stride = 6, .position = {0, SPN_FORMAT_QUANTIZED}};
    static uint8_t vertices[8192 * 6];
    spn_fill_result result;
    uint32_t floor;
    uint32_t ceil;

    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                           sizeof vertices, &result),
             SPN_OK);
    floor = distance(result.floor_frame, wanted);
    ceil = distance(result.ceil_frame, wanted);
    floor = ceil < floor ? ceil : floor;
    out->worst = floor > out->worst ? floor : out->worst;
    out->pictures++;
    out->late += result.is_late;
    out->different += !was_shown[result.floor_frame];
    was_shown[result.floor_frame] = true;
    out->trace = out->trace * 31 + result.floor_frame * 1009 +
                 result.ceil_frame + result.is_late;
}

/* Play once, forward or backward, from the first picture on. Look at what is
 * shown after the first second. */
static struct shown play(spn_node node, bool is_backward)
{
    bool was_shown[FRAMES] = {false};
    struct shown shown = {0};

    set_time(node, is_backward ? (FRAMES - 1) * frame_us : 0);
    for (int i = 0; i < 1000 && !stage_state(&stage, node).is_ready; i++)
        tick();
    for (int64_t us = 0; us < (FRAMES - 1) * frame_us; us += STAGE_TICK_US) {
        const int64_t at_us = is_backward ? (FRAMES - 1) * frame_us - us : us;

        set_time(node, at_us);
        tick();
        if (us >= SECOND_US)
            look(node, (uint32_t)(at_us / frame_us), was_shown, &shown);
    }
    return shown;
}

static void check_shortage(uint32_t percent, uint32_t worst, bool is_backward)
{
    const uint32_t possible =
        (FRAMES - (uint32_t)(SECOND_US / frame_us)) * percent / 100;
    const spn_node node = stage_node(&stage, false);
    struct shown shown;
    spn_node_state state;
    uint32_t count;

    test_context("%u %%, backward %d", percent, is_backward);
    set_capacity(percent);
    shown = play(node, is_backward);
    CHECK(shown.different * 100 >= possible * 85);
    CHECK(shown.worst <= worst);
    /* If none were left out, all would be late. */
    CHECK(shown.late < shown.pictures / 3);
    state = stage_state(&stage, node);
    CHECK(state.level <= state.level_max);
    CHECK(state.frames_left_out > 0);
    count = state.frames_shown + state.frames_left_out + state.frames_late;
    CHECK(count == FRAMES || count == FRAMES - 1);
}

static void what_is_shown_falls_with_the_capacity(void)
{
    static const uint32_t percent[] = {90, 60, 30};
    static const uint32_t worst[] = {2, 3, 5};

    for (int i = 0; i < 3; i++) {
        open_classic();
        check_shortage(percent[i], worst[i], false);
        stage_close(&stage);
    }
    for (int i = 0; i < 3; i++) {
        struct memory_sink memory = {0};

        open_pyramid(FRAMES, &memory);
        check_shortage(percent[i], worst[i], false);
        stage_close(&stage);
        open_pyramid(FRAMES, &memory);
        check_shortage(percent[i], worst[i], true);
        stage_close(&stage);
        memory_sink_free(&memory);
    }
}

static void frames_are_late_if_none_may_be_left_out(void)
{
    struct shown shown;
    spn_node_state state;
    spn_node node;

    open_classic();
    CHECK_EQ(spn_tuning_set(stage.rt, "leave_out", "0"), SPN_OK);
    set_capacity(60);
    node = stage_node(&stage, false);
    shown = play(node, false);
    CHECK(shown.pictures > 0);
    CHECK_EQ_U(shown.late, shown.pictures);
    state = stage_state(&stage, node);
    CHECK_EQ_U(state.frames_left_out, 0);
    CHECK_EQ_U(state.left_out_permille, 0);
    stage_close(&stage);
}

static void all_frames_come_back_if_none_may_be_left_out(void)
{
    struct shown shown;
    spn_node node;

    open_classic();
    set_capacity(60);
    node = stage_node(&stage, false);
    shown = play(node, false);
    CHECK(shown.different > 0);
    CHECK(stage_state(&stage, node).left_out_permille > 0);
    CHECK_EQ(spn_tuning_set(stage.rt, "leave_out", "0"), SPN_OK);
    for (int i = 0; i < 60; i++)
        tick();
    CHECK_EQ_U(stage_state(&stage, node).left_out_permille, 0);
    CHECK_EQ(stage_state(&stage, node).shortage, SPN_SHORTAGE_NONE);
    stage_close(&stage);
}

static void decisions_are_repeatable(void)
{
    uint64_t trace = 0;

    for (int i = 0; i < 2; i++) {
        struct shown shown;

        open_classic();
        set_capacity(50);
        shown = play(stage_node(&stage, false), false);
        if (i == 1)
            CHECK_EQ_U(shown.trace, trace);
        trace = shown.trace;
        stage_close(&stage);
    }
}

/* Play for some seconds. */
static void play_on(spn_node node, int from, int seconds)
{
    const int64_t end_us = (from + seconds) * SECOND_US;

    for (int64_t us = from * SECOND_US; us < end_us; us += STAGE_TICK_US) {
        set_time(node, us);
        tick();
    }
}

static void levels_come_back_when_there_is_time(void)
{
    spn_node_state state;
    spn_node node;
    uint32_t late;

    open_classic();
    node = stage_node(&stage, true);
    set_capacity(30);
    play_on(node, 0, 4);
    state = stage_state(&stage, node);
    CHECK(state.level > 0 && state.left_out_permille > 500);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_DECODE);
    set_capacity(500);
    late = state.frames_late;
    play_on(node, 4, 5);
    state = stage_state(&stage, node);
    CHECK_EQ_U(state.left_out_permille, 0);
    CHECK_EQ_U(state.level, 0);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_NONE);
    CHECK(state.frames_late - late <= 2);
    stage_close(&stage);
}

/* Seeks and starts make frames late, but no node leaves out any. */
static void nothing_is_lost_without_shortage(void)
{
    struct test_random random = {3};
    spn_node node;

    open_classic();
    node = stage_node(&stage, true);
    set_capacity(200);
    for (int k = 0; k < 20; k++) {
        int64_t us = test_random_below(&random, FRAMES * FRAME_US);

        for (int i = 0; i < 40; i++, us += STAGE_TICK_US) {
            set_time(node, us);
            tick();
            CHECK_EQ_U(cursor_of(node)->cut, 0);
        }
    }
    stage_close(&stage);
}

/* A picture that rests gets all its frames. */
static void a_resting_node_leaves_out_nothing(void)
{
    spn_node_state state;
    spn_node node;

    open_classic();
    node = stage_node(&stage, true);
    set_capacity(30);
    play_on(node, 0, 3);
    CHECK(stage_state(&stage, node).level > 0);
    set_time(node, 3 * SECOND_US + 7 * FRAME_US);
    for (int i = 0; i < 10 * 60; i++)
        tick();
    state = stage_state(&stage, node);
    CHECK_EQ_U(state.left_out_permille, 0);
    CHECK(state.is_ready);
    CHECK_EQ_U(state.shown_frame, (3 * SECOND_US + 7 * FRAME_US) / FRAME_US);
    stage_close(&stage);
}

/* Frames come back also if times are set against the direction that the rate
 * says, so that playback goes away from where they come back. */
static void levels_come_back_against_the_direction(void)
{
    spn_node node;

    open_classic();
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_set_rate(stage.rt, node, -1000), SPN_OK);
    set_capacity(30);
    play_on(node, 0, 6);
    CHECK(cursor_of(node)->cut > 0);
    set_capacity(500);
    play_on(node, 6, 5);
    CHECK_EQ_U(cursor_of(node)->cut, 0);
    CHECK_EQ_U(cursor_of(node)->near_cut, 0);
    stage_close(&stage);
}

/* Also when it starts again: a second position would trust the old level. */
static void a_node_that_stops_leaves_out_nothing(void)
{
    spn_node_state state;
    spn_node node;

    open_classic();
    node = stage_node(&stage, true);
    set_capacity(30);
    play_on(node, 0, 3);
    CHECK(stage_state(&stage, node).level > 0);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    state = stage_state(&stage, node);
    CHECK_EQ_U(state.left_out_permille, 0);
    CHECK_EQ_U(state.level, 0);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_NONE);
    stage_close(&stage);
}

/* -- several nodes -- */

/* Two nodes play at two times, for some seconds. */
static void play_two(const spn_node node[2], int64_t apart_us, int from,
                     int seconds)
{
    const int64_t end_us = (from + seconds) * SECOND_US;

    for (int64_t us = from * SECOND_US; us < end_us; us += STAGE_TICK_US) {
        set_time(node[0], us);
        set_time(node[1], us + apart_us);
        tick();
    }
}

static void the_least_important_node_loses_first(void)
{
    spn_node node[2];

    for (int i = 0; i < 2; i++) {
        open_classic();
        node[0] = stage_node(&stage, true);
        node[1] = stage_node(&stage, true);
        CHECK_EQ(spn_node_set_importance(stage.rt, node[i], 9), SPN_OK);
        set_capacity(150);
        play_two(node, 5 * SECOND_US, 0, 4);
        CHECK_EQ_U(stage_state(&stage, node[i]).left_out_permille, 0);
        CHECK(stage_state(&stage, node[1 - i]).left_out_permille > 100);
        stage_close(&stage);
    }
}

static void view(spn_node node, const spn_view *set)
{
    CHECK_EQ(spn_node_set_view(stage.rt, node, set), SPN_OK);
}

/* Of equally important nodes the farther one, and of all a hidden one. */
static void views_say_who_loses_first(void)
{
    const spn_view near = {.is_visible = 1, .distance = 3};
    const spn_view far = {.is_visible = 1, .distance = 30};
    const spn_view hidden = {.distance = 1};
    const spn_view set = {.distance = 40, .importance = 8};
    const struct {
        const spn_view *keeps;
        const spn_view *loses;
    } pairs[] = {{&near, &far}, {&far, &hidden}, {&set, &near}};
    spn_node node[2];

    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t keeps = i % 2;

        test_context("pair %u", i);
        open_classic();
        CHECK_EQ(spn_tuning_set(stage.rt, "unload_after_ms", "0"), SPN_OK);
        node[0] = stage_node(&stage, true);
        node[1] = stage_node(&stage, true);
        view(node[keeps], pairs[i / 2].keeps);
        view(node[1 - keeps], pairs[i / 2].loses);
        set_capacity(150);
        play_two(node, 5 * SECOND_US, 0, 4);
        CHECK_EQ_U(stage_state(&stage, node[keeps]).left_out_permille, 0);
        CHECK(stage_state(&stage, node[1 - keeps]).left_out_permille > 100);
        stage_close(&stage);
    }
    test_context("%s", "");
}

/* Two nodes apart in time, for both of which there is no capacity. */
static void check_that_both_lose(const spn_node node[2])
{
    uint32_t lost[2];

    set_capacity(100);
    play_two(node, 5 * SECOND_US, 0, 3);
    lost[0] = stage_state(&stage, node[0]).left_out_permille;
    lost[1] = stage_state(&stage, node[1]).left_out_permille;
    CHECK(lost[0] > 200 && lost[1] > 200);
    CHECK(distance(lost[0], lost[1]) < 200);
    stage_close(&stage);
}

/* Distances that are nearly equal do not say so. */
static void equally_far_nodes_lose_alike(void)
{
    spn_node node[2];

    open_classic();
    node[0] = stage_node(&stage, true);
    node[1] = stage_node(&stage, true);
    view(node[0], &(spn_view){.is_visible = 1, .distance = 20.5f});
    view(node[1], &(spn_view){.is_visible = 1, .distance = 21.5f});
    check_that_both_lose(node);
}

/* The other node loses instead, and a node that leaves out too much gets it
 * back at once. */
static void a_view_limits_the_level(void)
{
    const spn_view all = {.is_visible = 1, .level_max = SPN_LEVELS_NONE};
    const spn_view one = {.is_visible = 1, .level_max = 1};
    struct memory_sink memory = {0};
    spn_node node[2];

    open_pyramid(FRAMES, &memory);
    node[0] = stage_node(&stage, true);
    node[1] = stage_node(&stage, true);
    view(node[0], &all);
    set_capacity(100);
    play_two(node, 5 * SECOND_US, 0, 3);
    CHECK_EQ_U(stage_state(&stage, node[0]).left_out_permille, 0);
    CHECK(stage_state(&stage, node[1]).level > 1);
    view(node[1], &one);
    tick();
    CHECK_EQ_U(stage_state(&stage, node[1]).level, 1);
    play_two(node, 5 * SECOND_US, 3, 3);
    CHECK_EQ_U(stage_state(&stage, node[0]).left_out_permille, 0);
    CHECK_EQ_U(stage_state(&stage, node[1]).level, 1);
    stage_close(&stage);
    memory_sink_free(&memory);
}

/* A node that needs all frames decodes them for those in step with it. */
static void nodes_in_step_have_one_limit(void)
{
    spn_node node[2];

    for (uint32_t i = 0; i < 2; i++) {
        open_classic();
        node[0] = stage_node(&stage, true);
        node[1] = stage_node(&stage, true);
        view(node[i],
             &(spn_view){.is_visible = 1, .level_max = SPN_LEVELS_NONE});
        set_capacity(60);
        play_two(node, 2 * FRAME_US, 0, 3);
        CHECK_EQ_U(cursor_of(node[0])->cut, 0);
        CHECK_EQ_U(cursor_of(node[1])->cut, 0);
        stage_close(&stage);
    }
}

/* A node that scrubs needs no frame in common with the one beside it, so it
 * does not make it lose any, either. */
static void a_node_that_scrubs_loses_alone(void)
{
    const spn_view all = {.is_visible = 1, .level_max = SPN_LEVELS_NONE};
    spn_node node[2];
    bool has_lost = false;

    open_classic();
    node[0] = stage_node(&stage, true);
    node[1] = stage_node(&stage, true);
    view(node[1], &all);
    set_capacity(30);
    for (int64_t i = 0; i < 200; i++) {
        set_time(node[0], i * STAGE_TICK_US + i % 2 * 300000);
        set_time(node[1], i * STAGE_TICK_US);
        tick();
        CHECK_EQ_U(cursor_of(node[1])->cut, 0);
        has_lost = has_lost || cursor_of(node[0])->cut > 0;
    }
    CHECK(has_lost);
    stage_close(&stage);
}

static void equal_nodes_lose_alike(void)
{
    spn_node node[2];

    open_classic();
    node[0] = stage_node(&stage, true);
    node[1] = stage_node(&stage, true);
    check_that_both_lose(node);
}

/* Nodes that need the same frames cost no more than one. If they lose, they
 * lose together, as the most important of them. */
static void nodes_in_step_lose_together(void)
{
    spn_node node[2];
    spn_node other;

    open_classic();
    node[0] = stage_node(&stage, true);
    node[1] = stage_node(&stage, true);
    set_capacity(110);
    play_two(node, 2 * FRAME_US, 0, 3);
    CHECK_EQ_U(stage_state(&stage, node[0]).left_out_permille, 0);
    CHECK_EQ_U(stage_state(&stage, node[1]).left_out_permille, 0);
    set_capacity(60);
    play_two(node, 2 * FRAME_US, 3, 3);
    CHECK(cursor_of(node[0])->cut > 0);
    CHECK_EQ_U(cursor_of(node[0])->cut, cursor_of(node[1])->cut);
    stage_close(&stage);

    open_classic();
    node[0] = stage_node(&stage, true);
    node[1] = stage_node(&stage, true);
    other = stage_node(&stage, true);
    CHECK_EQ(spn_node_set_importance(stage.rt, node[0], 0), SPN_OK);
    CHECK_EQ(spn_node_set_importance(stage.rt, node[1], 9), SPN_OK);
    set_capacity(150);
    for (int64_t us = 0; us < 4 * SECOND_US; us += STAGE_TICK_US) {
        set_time(node[0], us);
        set_time(node[1], us);
        set_time(other, us + 5 * SECOND_US);
        tick();
    }
    CHECK_EQ_U(cursor_of(node[0])->cut, 0);
    CHECK_EQ_U(cursor_of(node[1])->cut, 0);
    CHECK(cursor_of(other)->cut > 0);
    stage_close(&stage);
}

/* -- the drive -- */

/* A group has about 300 kB, for a third of a second. */
static spn_node open_large(uint64_t bytes_per_second, uint64_t seek_us)
{
    open_tiny(&(struct tiny_options){
        .frame_count = FRAMES, .vertices = 5000, .is_stored = true});
    stage.disc.bytes_per_second = bytes_per_second;
    stage.disc.seek_us = seek_us;
    return stage_node(&stage, true);
}

static void a_slow_drive_reads_index_frames(void)
{
    const spn_node node = open_large(400000, 5000);
    spn_node_state state;
    uint32_t late;

    play_on(node, 0, 6);
    state = stage_state(&stage, node);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_DRIVE);
    CHECK(state.level > 0);
    late = state.frames_late;
    CHECK(late > 0);
    play_on(node, 6, 3);
    CHECK(stage_state(&stage, node).frames_late - late <= 5);
    /* A fast drive: all frames come back. */
    stage.disc.bytes_per_second = 100000000;
    play_on(node, 9, 9);
    state = stage_state(&stage, node);
    CHECK_EQ_U(state.left_out_permille, 0);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_NONE);
    stage_close(&stage);
}

/* To seek over the frames that are left out takes longer than to read them. */
static void a_level_that_saves_no_drive_time_is_not_lowered(void)
{
    const spn_node node = open_large(700000, 1200000);

    play_on(node, 0, 8);
    CHECK(stage_state(&stage, node).frames_late > 10);
    CHECK_EQ_U(cursor_of(node)->cut, 0);
    stage_close(&stage);
}

/* -- times in which the governor does not look -- */

/* Nothing is left out for what is late only now: for 0.3 s. */
static void check_nothing_is_lost(spn_node node, int64_t from_us)
{
    bool was_late = false;

    CHECK_EQ_U(cursor_of(node)->cut, 0);
    for (int64_t us = 0; us < 300000; us += STAGE_TICK_US) {
        set_time(node, from_us + us);
        tick();
        was_late = was_late || !stage_state(&stage, node).is_ready;
        CHECK_EQ_U(cursor_of(node)->cut, 0);
    }
    CHECK(was_late);
}

/* One update comes two seconds late, and the picture has leapt: to what was
 * read, or not. The workers and the drive suffice. */
static void a_hitch_is_not_a_shortage(void)
{
    spn_node node;

    open_classic();
    node = stage_node(&stage, true);
    set_capacity(200);
    play_on(node, 0, 3);
    stage.disc.clock_us += 2 * SECOND_US;
    check_nothing_is_lost(node, 4 * SECOND_US);
    stage_close(&stage);

    node = open_large(4000000, 5000);
    play_on(node, 0, 3);
    stage.disc.clock_us += 2 * SECOND_US;
    check_nothing_is_lost(node, 7 * SECOND_US);
    stage_close(&stage);
}

/* Frames are late when they may be left out again after a while. */
static void shortage_counts_from_when_frames_may_be_left_out(void)
{
    spn_node node;

    open_classic();
    node = stage_node(&stage, true);
    set_capacity(200);
    CHECK_EQ(spn_tuning_set(stage.rt, "leave_out", "0"), SPN_OK);
    play_on(node, 0, 3);
    CHECK_EQ(spn_tuning_set(stage.rt, "leave_out", "1"), SPN_OK);
    check_nothing_is_lost(node, 4 * SECOND_US);
    stage_close(&stage);

    node = open_large(4000000, 5000);
    CHECK_EQ(spn_tuning_set(stage.rt, "leave_out", "0"), SPN_OK);
    play_on(node, 0, 3);
    CHECK_EQ(spn_tuning_set(stage.rt, "leave_out", "1"), SPN_OK);
    check_nothing_is_lost(node, 7 * SECOND_US);
    stage_close(&stage);
}

/* A second position leaves out frames before its node does. It says that it is
 * ready only if a cut shows the picture at once. */
static void a_second_position_is_ready_for_its_node(void)
{
    uint32_t ready = 0;
    int64_t us = 0;
    spn_node node;

    open_classic();
    node = stage_node(&stage, true);
    set_capacity(110);
    for (int k = 0; k < 40; k++) {
        const int64_t cut_us = us + 4 * SECOND_US + k * FRAME_US;

        CHECK_EQ(spn_node_set_streaming_time(stage.rt, node, cut_us), SPN_OK);
        for (int i = 0; i < 60 && !stage_state(&stage, node).is_streaming_ready;
             i++, us += STAGE_TICK_US) {
            set_time(node, us);
            tick();
        }
        if (!stage_state(&stage, node).is_streaming_ready)
            continue;
        test_context("cut %d", k);
        us = cut_us;
        set_time(node, us);
        CHECK(stage_state(&stage, node).is_ready);
        ready++;
    }
    CHECK(ready > 20);
    stage_close(&stage);
}

/* Blocks of the game take every second page of the heap. */
static uint32_t cut_heap(spn_block blocks[BLOCKS_MAX])
{
    uint32_t count = 0;

    while (count < BLOCKS_MAX &&
           spn_block_alloc(stage.rt, 1, 0, &blocks[count]) == SPN_OK)
        count++;
    CHECK(count > 0 && count < BLOCKS_MAX);
    for (uint32_t i = 1; i < count; i += 2) {
        CHECK_EQ(spn_block_free(stage.rt, blocks[i]), SPN_OK);
        blocks[i] = 0;
    }
    return count;
}

/* The promise of a node fits the heap, but a frame needs pages in a row, and
 * there are none. The node leaves out more and more for lack of memory. When
 * the blocks are gone, it shows all frames again. */
static void a_heap_in_pieces_is_a_shortage_of_memory(void)
{
    static spn_block blocks[BLOCKS_MAX];
    spn_node_state state;
    uint32_t count;
    uint32_t late;
    spn_node node;

    stage_init(&stage, tiny_build(&(struct tiny_options){.frame_count = FRAMES,
                                                         .vertices = 2000}));
    stage.config.heap_bytes = 4 << 20;
    stage.config.heap_page_bytes = 4096;
    open_clip();
    count = cut_heap(blocks);
    node = stage_node(&stage, true);
    play_on(node, 0, 4);
    state = stage_state(&stage, node);
    CHECK_EQ(state.status, SPN_OK);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_MEMORY);
    CHECK(state.level > 0);
    CHECK(state.left_out_permille > 0);
    for (uint32_t i = 0; i < count; i += 2)
        CHECK_EQ(spn_block_free(stage.rt, blocks[i]), SPN_OK);
    play_on(node, 4, 6);
    late = stage_state(&stage, node).frames_late;
    play_on(node, 10, 2);
    state = stage_state(&stage, node);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_NONE);
    CHECK_EQ_U(state.level, 0);
    CHECK_EQ_U(state.left_out_permille, 0);
    CHECK_EQ_U(state.frames_late, late);
    stage_stop(&stage, node);
}

static void wrong_arguments_are_refused(void)
{
    spn_node node;

    open_classic();
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_set_importance(NULL, node, 1), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_importance(stage.rt, 0, 1), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_set_importance(stage.rt, node, UINT32_MAX), SPN_OK);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    CHECK_EQ(spn_node_set_importance(stage.rt, node, 1), SPN_ERR_HANDLE);
    stage_close(&stage);
}

TEST_MAIN(TEST(levels_leave_out_what_nobody_refers_to),
          TEST(levels_of_a_pyramid_are_halves),
          TEST(what_is_shown_falls_with_the_capacity),
          TEST(frames_are_late_if_none_may_be_left_out),
          TEST(all_frames_come_back_if_none_may_be_left_out),
          TEST(decisions_are_repeatable),
          TEST(levels_come_back_when_there_is_time),
          TEST(levels_come_back_against_the_direction),
          TEST(nothing_is_lost_without_shortage),
          TEST(a_resting_node_leaves_out_nothing),
          TEST(a_node_that_stops_leaves_out_nothing),
          TEST(the_least_important_node_loses_first),
          TEST(views_say_who_loses_first), TEST(equally_far_nodes_lose_alike),
          TEST(a_view_limits_the_level), TEST(nodes_in_step_have_one_limit),
          TEST(a_node_that_scrubs_loses_alone), TEST(equal_nodes_lose_alike),
          TEST(nodes_in_step_lose_together),
          TEST(a_slow_drive_reads_index_frames),
          TEST(a_level_that_saves_no_drive_time_is_not_lowered),
          TEST(a_hitch_is_not_a_shortage),
          TEST(shortage_counts_from_when_frames_may_be_left_out),
          TEST(a_second_position_is_ready_for_its_node),
          TEST(a_heap_in_pieces_is_a_shortage_of_memory),
          TEST(wrong_arguments_are_refused))
