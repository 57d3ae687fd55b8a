/* test_governor_nodes.c
 *
 * Goal: of several nodes the least important loses frames first, and nodes in
 *   step lose alike; a drive or a heap that does not suffice costs frames as
 *   workers do; what is late for another reason costs none.
 * Method: as in test_governor.c, which has the shortage of one node. Two nodes
 *   play at two times; the drive is slow, or pages of the heap are taken.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/paced_stage.h"

#include "play/cursor.h"

#include <spindle/memory.h>

#define FRAME_US 33333

/* More than the heap of a_heap_in_pieces_is_a_shortage_of_memory has pages. */
#define BLOCKS_MAX 2048u

static struct paced_stage paced;

/* -- several nodes -- */

/* Two nodes play at two times, for some seconds. */
static void play_two(const spn_node node[2], int64_t apart_us, int from,
                     int seconds)
{
    const int64_t end_us = (from + seconds) * PACED_SECOND_US;

    for (int64_t us = from * PACED_SECOND_US; us < end_us;
         us += STAGE_TICK_US) {
        paced_set_time(&paced, node[0], us);
        paced_set_time(&paced, node[1], us + apart_us);
        paced_tick(&paced);
    }
}

static void the_least_important_node_loses_first(void)
{
    spn_node node[2];

    for (int i = 0; i < 2; i++) {
        paced_open_classic(&paced);
        node[0] = stage_node(&paced.stage, true);
        node[1] = stage_node(&paced.stage, true);
        CHECK_EQ(spn_node_set_importance(paced.stage.rt, node[i], 9), SPN_OK);
        paced_set_capacity(&paced, 150);
        play_two(node, 5 * PACED_SECOND_US, 0, 4);
        CHECK_EQ_U(stage_state(&paced.stage, node[i]).left_out_permille, 0);
        CHECK(stage_state(&paced.stage, node[1 - i]).left_out_permille > 100);
        paced_close(&paced);
    }
}

static void view(spn_node node, const spn_view *set)
{
    CHECK_EQ(spn_node_set_view(paced.stage.rt, node, set), SPN_OK);
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
        paced_open_classic(&paced);
        CHECK_EQ(spn_tuning_set(paced.stage.rt, "unload_after_ms", "0"),
                 SPN_OK);
        node[0] = stage_node(&paced.stage, true);
        node[1] = stage_node(&paced.stage, true);
        view(node[keeps], pairs[i / 2].keeps);
        view(node[1 - keeps], pairs[i / 2].loses);
        paced_set_capacity(&paced, 150);
        play_two(node, 5 * PACED_SECOND_US, 0, 4);
        CHECK_EQ_U(stage_state(&paced.stage, node[keeps]).left_out_permille, 0);
        CHECK(stage_state(&paced.stage, node[1 - keeps]).left_out_permille >
              100);
        paced_close(&paced);
    }
    test_context("%s", "");
}

/* Two nodes apart in time, for both of which there is no capacity. */
static void check_that_both_lose(const spn_node node[2])
{
    uint32_t lost[2];

    paced_set_capacity(&paced, 100);
    play_two(node, 5 * PACED_SECOND_US, 0, 3);
    lost[0] = stage_state(&paced.stage, node[0]).left_out_permille;
    lost[1] = stage_state(&paced.stage, node[1]).left_out_permille;
    CHECK(lost[0] > 200 && lost[1] > 200);
    CHECK(lost[0] < lost[1] + 200 && lost[1] < lost[0] + 200);
    paced_close(&paced);
}

/* Distances that are nearly equal do not say so. */
static void equally_far_nodes_lose_alike(void)
{
    spn_node node[2];

    paced_open_classic(&paced);
    node[0] = stage_node(&paced.stage, true);
    node[1] = stage_node(&paced.stage, true);
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
    spn_node node[2];

    paced_open_pyramid(&paced, PACED_FRAMES);
    node[0] = stage_node(&paced.stage, true);
    node[1] = stage_node(&paced.stage, true);
    view(node[0], &all);
    paced_set_capacity(&paced, 100);
    play_two(node, 5 * PACED_SECOND_US, 0, 3);
    CHECK_EQ_U(stage_state(&paced.stage, node[0]).left_out_permille, 0);
    CHECK(stage_state(&paced.stage, node[1]).level > 1);
    view(node[1], &one);
    paced_tick(&paced);
    CHECK_EQ_U(stage_state(&paced.stage, node[1]).level, 1);
    play_two(node, 5 * PACED_SECOND_US, 3, 3);
    CHECK_EQ_U(stage_state(&paced.stage, node[0]).left_out_permille, 0);
    CHECK_EQ_U(stage_state(&paced.stage, node[1]).level, 1);
    paced_close(&paced);
}

/* A node that needs all frames decodes them for those in step with it. */
static void nodes_in_step_have_one_limit(void)
{
    spn_node node[2];

    for (uint32_t i = 0; i < 2; i++) {
        paced_open_classic(&paced);
        node[0] = stage_node(&paced.stage, true);
        node[1] = stage_node(&paced.stage, true);
        view(node[i],
             &(spn_view){.is_visible = 1, .level_max = SPN_LEVELS_NONE});
        paced_set_capacity(&paced, 60);
        play_two(node, 2 * FRAME_US, 0, 3);
        CHECK_EQ_U(paced_cursor(&paced, node[0])->cut, 0);
        CHECK_EQ_U(paced_cursor(&paced, node[1])->cut, 0);
        paced_close(&paced);
    }
}

/* A node that scrubs needs no frame in common with the one beside it, so it
 * does not make it lose any, either. */
static void a_node_that_scrubs_loses_alone(void)
{
    const spn_view all = {.is_visible = 1, .level_max = SPN_LEVELS_NONE};
    spn_node node[2];
    bool has_lost = false;

    paced_open_classic(&paced);
    node[0] = stage_node(&paced.stage, true);
    node[1] = stage_node(&paced.stage, true);
    view(node[1], &all);
    paced_set_capacity(&paced, 30);
    for (int64_t i = 0; i < 200; i++) {
        paced_set_time(&paced, node[0], i * STAGE_TICK_US + i % 2 * 300000);
        paced_set_time(&paced, node[1], i * STAGE_TICK_US);
        paced_tick(&paced);
        CHECK_EQ_U(paced_cursor(&paced, node[1])->cut, 0);
        has_lost = has_lost || paced_cursor(&paced, node[0])->cut > 0;
    }
    CHECK(has_lost);
    paced_close(&paced);
}

static void equal_nodes_lose_alike(void)
{
    spn_node node[2];

    paced_open_classic(&paced);
    node[0] = stage_node(&paced.stage, true);
    node[1] = stage_node(&paced.stage, true);
    check_that_both_lose(node);
}

/* Nodes that need the same frames cost no more than one. If they lose, they
 * lose together, as the most important of them. */
static void nodes_in_step_lose_together(void)
{
    spn_node node[2];
    spn_node other;

    paced_open_classic(&paced);
    node[0] = stage_node(&paced.stage, true);
    node[1] = stage_node(&paced.stage, true);
    paced_set_capacity(&paced, 110);
    play_two(node, 2 * FRAME_US, 0, 3);
    CHECK_EQ_U(stage_state(&paced.stage, node[0]).left_out_permille, 0);
    CHECK_EQ_U(stage_state(&paced.stage, node[1]).left_out_permille, 0);
    paced_set_capacity(&paced, 60);
    play_two(node, 2 * FRAME_US, 3, 3);
    CHECK(paced_cursor(&paced, node[0])->cut > 0);
    CHECK_EQ_U(paced_cursor(&paced, node[0])->cut,
               paced_cursor(&paced, node[1])->cut);
    paced_close(&paced);

    paced_open_classic(&paced);
    node[0] = stage_node(&paced.stage, true);
    node[1] = stage_node(&paced.stage, true);
    other = stage_node(&paced.stage, true);
    CHECK_EQ(spn_node_set_importance(paced.stage.rt, node[0], 0), SPN_OK);
    CHECK_EQ(spn_node_set_importance(paced.stage.rt, node[1], 9), SPN_OK);
    paced_set_capacity(&paced, 150);
    for (int64_t us = 0; us < 4 * PACED_SECOND_US; us += STAGE_TICK_US) {
        paced_set_time(&paced, node[0], us);
        paced_set_time(&paced, node[1], us);
        paced_set_time(&paced, other, us + 5 * PACED_SECOND_US);
        paced_tick(&paced);
    }
    CHECK_EQ_U(paced_cursor(&paced, node[0])->cut, 0);
    CHECK_EQ_U(paced_cursor(&paced, node[1])->cut, 0);
    CHECK(paced_cursor(&paced, other)->cut > 0);
    paced_close(&paced);
}

/* -- the drive -- */

/* A group has about 300 kB, for a third of a second. */
static spn_node open_large(uint64_t bytes_per_second, uint64_t seek_us)
{
    paced_open_tiny(&paced, &(struct tiny_options){.frame_count = PACED_FRAMES,
                                                   .vertices = 5000,
                                                   .is_stored = true});
    paced.stage.disc.bytes_per_second = bytes_per_second;
    paced.stage.disc.seek_us = seek_us;
    return stage_node(&paced.stage, true);
}

static void a_slow_drive_reads_index_frames(void)
{
    const spn_node node = open_large(400000, 5000);
    spn_node_state state;
    uint32_t late;

    paced_play(&paced, node, 0, 6);
    state = stage_state(&paced.stage, node);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_DRIVE);
    CHECK(state.level > 0);
    late = state.frames_late;
    CHECK(late > 0);
    paced_play(&paced, node, 6, 3);
    CHECK(stage_state(&paced.stage, node).frames_late - late <= 5);
    /* A fast drive: all frames come back. */
    paced.stage.disc.bytes_per_second = 100000000;
    paced_play(&paced, node, 9, 9);
    state = stage_state(&paced.stage, node);
    CHECK_EQ_U(state.left_out_permille, 0);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_NONE);
    paced_close(&paced);
}

/* To seek over the frames that are left out takes longer than to read them. */
static void a_level_that_saves_no_drive_time_is_not_lowered(void)
{
    const spn_node node = open_large(700000, 1200000);

    paced_play(&paced, node, 0, 8);
    CHECK(stage_state(&paced.stage, node).frames_late > 10);
    CHECK_EQ_U(paced_cursor(&paced, node)->cut, 0);
    paced_close(&paced);
}

/* -- times in which the governor does not look -- */

/* Nothing is left out for what is late only now: for 0.3 s. */
static void check_nothing_is_lost(spn_node node, int64_t from_us)
{
    bool was_late = false;

    CHECK_EQ_U(paced_cursor(&paced, node)->cut, 0);
    for (int64_t us = 0; us < 300000; us += STAGE_TICK_US) {
        paced_set_time(&paced, node, from_us + us);
        paced_tick(&paced);
        was_late = was_late || !stage_state(&paced.stage, node).is_ready;
        CHECK_EQ_U(paced_cursor(&paced, node)->cut, 0);
    }
    CHECK(was_late);
}

/* One update comes two seconds late, and the picture has leapt: to what was
 * read, or not. The workers and the drive suffice. */
static void a_hitch_is_not_a_shortage(void)
{
    spn_node node;

    paced_open_classic(&paced);
    node = stage_node(&paced.stage, true);
    paced_set_capacity(&paced, 200);
    paced_play(&paced, node, 0, 3);
    paced.stage.disc.clock_us += 2 * PACED_SECOND_US;
    check_nothing_is_lost(node, 4 * PACED_SECOND_US);
    paced_close(&paced);

    node = open_large(4000000, 5000);
    paced_play(&paced, node, 0, 3);
    paced.stage.disc.clock_us += 2 * PACED_SECOND_US;
    check_nothing_is_lost(node, 7 * PACED_SECOND_US);
    paced_close(&paced);
}

/* Frames are late when they may be left out again after a while. */
static void shortage_counts_from_when_frames_may_be_left_out(void)
{
    spn_node node;

    paced_open_classic(&paced);
    node = stage_node(&paced.stage, true);
    paced_set_capacity(&paced, 200);
    CHECK_EQ(spn_tuning_set(paced.stage.rt, "leave_out", "0"), SPN_OK);
    paced_play(&paced, node, 0, 3);
    CHECK_EQ(spn_tuning_set(paced.stage.rt, "leave_out", "1"), SPN_OK);
    check_nothing_is_lost(node, 4 * PACED_SECOND_US);
    paced_close(&paced);

    node = open_large(4000000, 5000);
    CHECK_EQ(spn_tuning_set(paced.stage.rt, "leave_out", "0"), SPN_OK);
    paced_play(&paced, node, 0, 3);
    CHECK_EQ(spn_tuning_set(paced.stage.rt, "leave_out", "1"), SPN_OK);
    check_nothing_is_lost(node, 7 * PACED_SECOND_US);
    paced_close(&paced);
}

/* A second position leaves out frames before its node does. It says that it is
 * ready only if a cut shows the picture at once. */
static void a_second_position_is_ready_for_its_node(void)
{
    uint32_t ready = 0;
    int64_t us = 0;
    spn_node node;

    paced_open_classic(&paced);
    node = stage_node(&paced.stage, true);
    paced_set_capacity(&paced, 110);
    for (int k = 0; k < 40; k++) {
        const int64_t cut_us = us + 4 * PACED_SECOND_US + k * FRAME_US;

        CHECK_EQ(spn_node_set_streaming_time(paced.stage.rt, node, cut_us),
                 SPN_OK);
        for (int i = 0;
             i < 60 && !stage_state(&paced.stage, node).is_streaming_ready;
             i++, us += STAGE_TICK_US) {
            paced_set_time(&paced, node, us);
            paced_tick(&paced);
        }
        if (!stage_state(&paced.stage, node).is_streaming_ready)
            continue;
        test_context("cut %d", k);
        us = cut_us;
        paced_set_time(&paced, node, us);
        CHECK(stage_state(&paced.stage, node).is_ready);
        ready++;
    }
    CHECK(ready > 20);
    paced_close(&paced);
}

/* Blocks of the game take every second page of the heap. */
static uint32_t cut_heap(spn_block blocks[BLOCKS_MAX])
{
    uint32_t count = 0;

    while (count < BLOCKS_MAX &&
           spn_block_alloc(paced.stage.rt, 1, 0, &blocks[count]) == SPN_OK)
        count++;
    CHECK(count > 0 && count < BLOCKS_MAX);
    for (uint32_t i = 1; i < count; i += 2) {
        CHECK_EQ(spn_block_free(paced.stage.rt, blocks[i]), SPN_OK);
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

    stage_init(&paced.stage,
               tiny_build(&(struct tiny_options){.frame_count = PACED_FRAMES,
                                                 .vertices = 2000}));
    paced.stage.config.heap_bytes = 4 << 20;
    paced.stage.config.heap_page_bytes = 4096;
    paced_open(&paced);
    count = cut_heap(blocks);
    node = stage_node(&paced.stage, true);
    paced_play(&paced, node, 0, 4);
    state = stage_state(&paced.stage, node);
    CHECK_EQ(state.status, SPN_OK);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_MEMORY);
    CHECK(state.level > 0);
    CHECK(state.left_out_permille > 0);
    for (uint32_t i = 0; i < count; i += 2)
        CHECK_EQ(spn_block_free(paced.stage.rt, blocks[i]), SPN_OK);
    paced_play(&paced, node, 4, 6);
    late = stage_state(&paced.stage, node).frames_late;
    paced_play(&paced, node, 10, 2);
    state = stage_state(&paced.stage, node);
    CHECK_EQ(state.shortage, SPN_SHORTAGE_NONE);
    CHECK_EQ_U(state.level, 0);
    CHECK_EQ_U(state.left_out_permille, 0);
    CHECK_EQ_U(state.frames_late, late);
    stage_stop(&paced.stage, node);
}

static void wrong_arguments_are_refused(void)
{
    spn_node node;

    paced_open_classic(&paced);
    node = stage_node(&paced.stage, true);
    CHECK_EQ(spn_node_set_importance(NULL, node, 1), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_importance(paced.stage.rt, 0, 1), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_set_importance(paced.stage.rt, node, UINT32_MAX), SPN_OK);
    CHECK_EQ(spn_node_destroy(paced.stage.rt, node), SPN_OK);
    CHECK_EQ(spn_node_set_importance(paced.stage.rt, node, 1), SPN_ERR_HANDLE);
    paced_close(&paced);
}

TEST_MAIN(TEST(the_least_important_node_loses_first),
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
