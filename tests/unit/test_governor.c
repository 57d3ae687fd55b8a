/* test_governor.c
 *
 * Goal: when the workers do not suffice, a node leaves out frames, the least
 *   important first, instead of being late; what is shown falls in proportion;
 *   all frames come back when there is enough again.
 * Method: a virtual worker takes a given time for each frame. Clips of the
 *   classic codec and of lifted meshes play on a virtual clock. Several nodes,
 *   and other shortages: test_governor_nodes.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/paced_stage.h"

#include "play/cursor.h"
#include "play/frame_slot.h"
#include "play/level.h"

#define FRAME_US 33333

static struct paced_stage paced;

/* -- levels -- */

/* What a cut keeps refers only to what it keeps; each cut keeps less, and
 * nothing that the one before it does not keep. */
static void check_cuts(void)
{
    const struct cache *c = paced_cache(&paced);
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
                CHECK(level_keeps(c, cache_reference(c, n, r), cut));
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
    paced_open_classic(&paced);
    CHECK_EQ_U(paced_cache(&paced)->level_max, 9);
    check_cuts();
    paced_close(&paced);
    paced_open_tiny(&paced,
                    &(struct tiny_options){.frame_count = 23, .distance = 7});
    check_cuts();
    paced_close(&paced);
    paced_open_tiny(&paced, &(struct tiny_options){.frame_count = 1});
    CHECK_EQ_U(paced_cache(&paced)->level_max, 0);
    paced_close(&paced);
}

static void levels_of_a_pyramid_are_halves(void)
{
    const struct cache *c;

    paced_open_pyramid(&paced, 65);
    c = paced_cache(&paced);
    CHECK_EQ_U(c->level_max, 3);
    check_cuts();
    for (uint32_t level = 0; level <= 3; level++)
        CHECK_EQ_U(spn__level_frames(c, level * LEVEL_STEPS),
                   64u / (1u << level) + 1);
    CHECK_EQ_U(spn__level_lower(c, 0, 8), 2);
    CHECK_EQ_U(spn__level_raise(c, 2, 8), 0);
    CHECK_EQ_U(spn__level_lower(c, 0, 1000), level_cut_max(c));
    paced_close(&paced);
    /* A last group that is cut off. */
    paced_open_pyramid(&paced, 70);
    check_cuts();
    paced_close(&paced);
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

static void look(spn_node node, uint32_t wanted, bool was_shown[PACED_FRAMES],
                 struct shown *out)
{
    static const spn_vertex_layout layout = {
        .stride = 6, .position = {0, SPN_FORMAT_QUANTIZED}};
    static uint8_t vertices[8192 * 6];
    spn_fill_result result;
    uint32_t floor;
    uint32_t ceil;

    CHECK_EQ(spn_node_fill(paced.stage.rt, node, 0, &layout, vertices,
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
    bool was_shown[PACED_FRAMES] = {false};
    struct shown shown = {0};

    paced_set_time(&paced, node,
                   is_backward ? (PACED_FRAMES - 1) * paced.frame_us : 0);
    for (int i = 0; i < 1000 && !stage_state(&paced.stage, node).is_ready; i++)
        paced_tick(&paced);
    for (int64_t us = 0; us < (PACED_FRAMES - 1) * paced.frame_us;
         us += STAGE_TICK_US) {
        const int64_t at_us =
            is_backward ? (PACED_FRAMES - 1) * paced.frame_us - us : us;

        paced_set_time(&paced, node, at_us);
        paced_tick(&paced);
        if (us >= PACED_SECOND_US)
            look(node, (uint32_t)(at_us / paced.frame_us), was_shown, &shown);
    }
    return shown;
}

static void check_shortage(uint32_t percent, uint32_t worst, bool is_backward)
{
    const uint32_t possible =
        (PACED_FRAMES - (uint32_t)(PACED_SECOND_US / paced.frame_us)) *
        percent / 100;
    const spn_node node = stage_node(&paced.stage, false);
    struct shown shown;
    spn_node_state state;
    uint32_t count;

    test_context("%u %%, backward %d", percent, is_backward);
    paced_set_capacity(&paced, percent);
    shown = play(node, is_backward);
    CHECK(shown.different * 100 >= possible * 85);
    CHECK(shown.worst <= worst);
    /* If none were left out, all would be late. */
    CHECK(shown.late < shown.pictures / 3);
    state = stage_state(&paced.stage, node);
    CHECK(state.level <= state.level_max);
    CHECK(state.frames_left_out > 0);
    count = state.frames_shown + state.frames_left_out + state.frames_late;
    CHECK(count == PACED_FRAMES || count == PACED_FRAMES - 1);
}

static void what_is_shown_falls_with_the_capacity(void)
{
    static const uint32_t percent[] = {90, 60, 30};
    static const uint32_t worst[] = {2, 3, 5};

    for (int i = 0; i < 3; i++) {
        paced_open_classic(&paced);
        check_shortage(percent[i], worst[i], false);
        paced_close(&paced);
    }
    for (int i = 0; i < 3; i++) {
        paced_open_pyramid(&paced, PACED_FRAMES);
        check_shortage(percent[i], worst[i], false);
        paced_close(&paced);
        paced_open_pyramid(&paced, PACED_FRAMES);
        check_shortage(percent[i], worst[i], true);
        paced_close(&paced);
    }
}

static void frames_are_late_if_none_may_be_left_out(void)
{
    struct shown shown;
    spn_node_state state;
    spn_node node;

    paced_open_classic(&paced);
    CHECK_EQ(spn_tuning_set(paced.stage.rt, "leave_out", "0"), SPN_OK);
    paced_set_capacity(&paced, 60);
    node = stage_node(&paced.stage, false);
    shown = play(node, false);
    CHECK(shown.pictures > 0);
    CHECK_EQ_U(shown.late, shown.pictures);
    state = stage_state(&paced.stage, node);
    CHECK_EQ_U(state.frames_left_out, 0);
    CHECK_EQ_U(state.left_out_permille, 0);
    paced_close(&paced);
}

static void all_frames_come_back_if_none_may_be_left_out(void)
{
    struct shown shown;
    spn_node node;

    paced_open_classic(&paced);
    paced_set_capacity(&paced, 60);
    node = stage_node(&paced.stage, false);
    shown = play(node, false);
    CHECK(shown.different > 0);
    CHECK(stage_state(&paced.stage, node).left_out_permille > 0);
    CHECK_EQ(spn_tuning_set(paced.stage.rt, "leave_out", "0"), SPN_OK);
    for (int i = 0; i < 60; i++)
        paced_tick(&paced);
    CHECK_EQ_U(stage_state(&paced.stage, node).left_out_permille, 0);
    CHECK_EQ(stage_state(&paced.stage, node).shortage, SPN_SHORTAGE_NONE);
    paced_close(&paced);
}

static void decisions_are_repeatable(void)
{
    uint64_t trace = 0;

    for (int i = 0; i < 2; i++) {
        struct shown shown;

        paced_open_classic(&paced);
        paced_set_capacity(&paced, 50);
        shown = play(stage_node(&paced.stage, false), false);
        if (i == 1)
            CHECK_EQ_U(shown.trace, trace);
        trace = shown.trace;
        paced_close(&paced);
    }
}

static void levels_come_back_when_there_is_time(void)
{
    spn_node_state state;
    spn_node node;
    uint32_t late;

    paced_open_classic(&paced);
    node = stage_node(&paced.stage, true);
    paced_set_capacity(&paced, 30);
    paced_play(&paced, node, 0, 4);
    state = stage_state(&paced.stage, node);
    CHECK(state.level > 0 && state.left_out_permille > 500);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_DECODE);
    paced_set_capacity(&paced, 500);
    late = state.frames_late;
    paced_play(&paced, node, 4, 5);
    state = stage_state(&paced.stage, node);
    CHECK_EQ_U(state.left_out_permille, 0);
    CHECK_EQ_U(state.level, 0);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_NONE);
    CHECK(state.frames_late - late <= 2);
    paced_close(&paced);
}

/* Seeks and starts make frames late, but no node leaves out any. */
static void nothing_is_lost_without_shortage(void)
{
    struct test_random random = {3};
    spn_node node;

    paced_open_classic(&paced);
    node = stage_node(&paced.stage, true);
    paced_set_capacity(&paced, 200);
    for (int k = 0; k < 20; k++) {
        int64_t us = test_random_below(&random, PACED_FRAMES * FRAME_US);

        for (int i = 0; i < 40; i++, us += STAGE_TICK_US) {
            paced_set_time(&paced, node, us);
            paced_tick(&paced);
            CHECK_EQ_U(paced_cursor(&paced, node)->cut, 0);
        }
    }
    paced_close(&paced);
}

/* A picture that rests gets all its frames. */
static void a_resting_node_leaves_out_nothing(void)
{
    spn_node_state state;
    spn_node node;

    paced_open_classic(&paced);
    node = stage_node(&paced.stage, true);
    paced_set_capacity(&paced, 30);
    paced_play(&paced, node, 0, 3);
    CHECK(stage_state(&paced.stage, node).level > 0);
    paced_set_time(&paced, node, 3 * PACED_SECOND_US + 7 * FRAME_US);
    for (int i = 0; i < 10 * 60; i++)
        paced_tick(&paced);
    state = stage_state(&paced.stage, node);
    CHECK_EQ_U(state.left_out_permille, 0);
    CHECK(state.is_ready);
    CHECK_EQ_U(state.shown_frame,
               (3 * PACED_SECOND_US + 7 * FRAME_US) / FRAME_US);
    paced_close(&paced);
}

/* Frames come back also if times are set against the direction that the rate
 * says, so that playback goes away from where they come back. */
static void levels_come_back_against_the_direction(void)
{
    spn_node node;

    paced_open_classic(&paced);
    node = stage_node(&paced.stage, true);
    CHECK_EQ(spn_node_set_rate(paced.stage.rt, node, -1000), SPN_OK);
    paced_set_capacity(&paced, 30);
    paced_play(&paced, node, 0, 6);
    CHECK(paced_cursor(&paced, node)->cut > 0);
    paced_set_capacity(&paced, 500);
    paced_play(&paced, node, 6, 5);
    CHECK_EQ_U(paced_cursor(&paced, node)->cut, 0);
    CHECK_EQ_U(paced_cursor(&paced, node)->near_cut, 0);
    paced_close(&paced);
}

/* Also when it starts again: a second position would trust the old level. */
static void a_node_that_stops_leaves_out_nothing(void)
{
    spn_node_state state;
    spn_node node;

    paced_open_classic(&paced);
    node = stage_node(&paced.stage, true);
    paced_set_capacity(&paced, 30);
    paced_play(&paced, node, 0, 3);
    CHECK(stage_state(&paced.stage, node).level > 0);
    CHECK_EQ(spn_node_stop_streaming(paced.stage.rt, node), SPN_OK);
    state = stage_state(&paced.stage, node);
    CHECK_EQ_U(state.left_out_permille, 0);
    CHECK_EQ_U(state.level, 0);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_NONE);
    paced_close(&paced);
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
          TEST(a_node_that_stops_leaves_out_nothing))
