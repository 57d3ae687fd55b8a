/* test_anim_timelines.c
 *
 * Goal: timelines want the clips that lie ahead, and count hits and misses;
 *   clips that are wanted at one time are read in the order in which they lie
 *   in their database, whoever wants them.
 * Method: one database of made-up clips on a disc with a virtual clock, which
 *   logs its reads.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/anim_stage.h"

enum { CLIPS = 8, BYTES = 20000, SECOND = 1000000, TICK = STAGE_TICK_US };

static struct anim_stage stage;

static void open_stage(void)
{
    anim_stage_init(&stage, CLIPS, BYTES, true);
    anim_stage_open(&stage);
}

/* -- timelines -- */

static spn_anim_timeline_state timeline_state(spn_anim_timeline timeline)
{
    spn_anim_timeline_state out;

    CHECK_EQ(spn_anim_timeline_get_state(stage.stage.rt, timeline, &out),
             SPN_OK);
    return out;
}

static void set_time(spn_anim_timeline timeline, int64_t time_us)
{
    CHECK_EQ(spn_anim_timeline_set_time(stage.stage.rt, timeline, time_us),
             SPN_OK);
    anim_stage_tick(&stage, TICK);
}

/* A cue each second; the disc takes 0.2 s. The first one has no time. */
static void timeline_reads_clips_ahead(void)
{
    spn_anim_cue cues[6];
    spn_anim_timeline timeline;
    spn_anim_timeline_state now;

    open_stage();
    stage.stage.disc.command_us = 200000;
    for (uint32_t i = 0; i < 6; i++)
        cues[i] = (spn_anim_cue){(int64_t)i * SECOND + 50000,
                                 anim_stage_clip(&stage, i)};
    CHECK_EQ(spn_anim_timeline_create(stage.stage.rt, &timeline), SPN_OK);
    CHECK_EQ(spn_anim_timeline_set_cues(stage.stage.rt, timeline, cues, 6),
             SPN_OK);
    set_time(timeline, 0);
    now = timeline_state(timeline);
    CHECK_EQ_U(now.wanted, 2);
    CHECK_EQ_U(spn_anim_get_ref_count(stage.stage.rt, cues[1].anim), 1);
    CHECK_EQ(anim_stage_status(&stage, cues[2].anim), SPN_EMPTY);
    for (int64_t at = TICK; at < 4 * SECOND; at += TICK)
        set_time(timeline, at);
    now = timeline_state(timeline);
    CHECK_EQ_U(now.misses, 1);
    CHECK_EQ_U(now.hits, 3);
    CHECK_EQ_U(now.wanted, 2);
    CHECK_EQ_U(anim_stage_stats(&stage).cue_hits, 3);
    CHECK_EQ_U(anim_stage_stats(&stage).cue_misses, 1);
    CHECK_EQ_U(spn_anim_get_ref_count(stage.stage.rt, cues[0].anim), 0);
    CHECK_EQ(spn_anim_timeline_destroy(stage.stage.rt, timeline), SPN_OK);
    CHECK_EQ(spn_anim_timeline_destroy(stage.stage.rt, timeline),
             SPN_ERR_HANDLE);
    CHECK_EQ_U(spn_anim_get_ref_count(stage.stage.rt, cues[5].anim), 0);
    anim_stage_run(&stage, 3 * SECOND);
    CHECK_EQ_U(anim_stage_stats(&stage).loaded, 0);
    anim_stage_close(&stage);
}

static void jump(spn_anim_timeline timeline, int64_t time_us)
{
    CHECK_EQ(spn_anim_timeline_jump(stage.stage.rt, timeline, time_us), SPN_OK);
    anim_stage_tick(&stage, TICK);
}

/* A timeline with a cue each second. */
static spn_anim_timeline make_timeline(spn_anim_cue cues[6])
{
    spn_anim_timeline timeline = 0;

    for (uint32_t i = 0; i < 6; i++)
        cues[i] =
            (spn_anim_cue){(int64_t)i * SECOND, anim_stage_clip(&stage, i)};
    CHECK_EQ(spn_anim_timeline_create(stage.stage.rt, &timeline), SPN_OK);
    CHECK_EQ(spn_anim_timeline_set_cues(stage.stage.rt, timeline, cues, 6),
             SPN_OK);
    return timeline;
}

static void timeline_jumps_count_nothing(void)
{
    spn_anim_cue cues[6];
    spn_anim_timeline timeline;

    open_stage();
    timeline = make_timeline(cues);
    jump(timeline, 4 * SECOND);
    CHECK_EQ_U(timeline_state(timeline).wanted, 2);
    CHECK_EQ_U(spn_anim_get_ref_count(stage.stage.rt, cues[0].anim), 0);
    set_time(timeline, SECOND);
    CHECK_EQ_U(timeline_state(timeline).wanted, 3);
    CHECK_EQ_U(spn_anim_get_ref_count(stage.stage.rt, cues[5].anim), 0);
    set_time(timeline, INT64_MIN);
    CHECK_EQ_U(timeline_state(timeline).wanted, 0);
    jump(timeline, INT64_MAX);
    CHECK_EQ_U(timeline_state(timeline).wanted, 0);
    CHECK_EQ_U(timeline_state(timeline).hits, 0);
    CHECK_EQ_U(timeline_state(timeline).misses, 0);
    CHECK_EQ(spn_anim_timeline_jump(stage.stage.rt, timeline + 1, 0),
             SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_timeline_set_cues(stage.stage.rt, timeline, NULL, 0),
             SPN_OK);
    cues[1].time_us = -1;
    CHECK_EQ(spn_anim_timeline_set_cues(stage.stage.rt, timeline, cues, 6),
             SPN_ERR_ARG);
    cues[1].time_us = SECOND;
    cues[5].anim = CLIPS + 1;
    CHECK_EQ(spn_anim_timeline_set_cues(stage.stage.rt, timeline, cues, 6),
             SPN_ERR_HANDLE);
    anim_stage_close(&stage);
}

/* Steps of 2.5 s: cues are passed that were wanted, and some that were not. */
static void timeline_counts_all_cues_of_a_long_step(void)
{
    spn_anim_cue cues[6];
    spn_anim_timeline timeline;

    open_stage();
    timeline = make_timeline(cues);
    set_time(timeline, 0);
    anim_stage_run(&stage, SECOND);
    CHECK_EQ_U(timeline_state(timeline).wanted, 3);
    anim_stage_set(&stage, "anim_ahead_ms", "0");
    set_time(timeline, 5 * SECOND / 2);
    CHECK_EQ_U(timeline_state(timeline).hits, 3);
    CHECK_EQ_U(timeline_state(timeline).misses, 0);
    /* Those that were passed, until the second update. */
    CHECK_EQ_U(timeline_state(timeline).wanted, 3);
    anim_stage_tick(&stage, TICK);
    CHECK_EQ_U(timeline_state(timeline).wanted, 0);
    set_time(timeline, INT64_MAX);
    CHECK_EQ_U(timeline_state(timeline).hits, 3);
    CHECK_EQ_U(timeline_state(timeline).misses, 3);
    CHECK_EQ_U(anim_stage_stats(&stage).cue_hits, 3);
    CHECK_EQ_U(anim_stage_stats(&stage).cue_misses, 3);
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ_U(spn_anim_get_ref_count(stage.stage.rt, cues[i].anim), 0);
    anim_stage_close(&stage);
}

/* -- the order of reads -- */

/* A disc that reads one clip at a time, in the order in which reads start. */
static void open_slow_stage(void)
{
    open_stage();
    stage.stage.disc.command_us = 5000;
    anim_stage_set(&stage, "anim_reads_max", "1");
}

static void set_cues(const spn_anim_cue *cues, uint32_t count)
{
    spn_anim_timeline timeline;

    CHECK_EQ(spn_anim_timeline_create(stage.stage.rt, &timeline), SPN_OK);
    CHECK_EQ(spn_anim_timeline_set_cues(stage.stage.rt, timeline, cues, count),
             SPN_OK);
}

/* Wait, and check which clips the disc has read since its read `first`. */
static void check_reads(uint32_t first, const uint32_t *clips, uint32_t count)
{
    anim_stage_run(&stage, SECOND / 2);
    CHECK_EQ_U(stage.stage.disc.reads - first, count);
    for (uint32_t i = 0; i < count; i++) {
        spn_anim_info info;

        test_context("read %u", i);
        CHECK_EQ(spn_anim_get_info(stage.stage.rt,
                                   anim_stage_clip(&stage, clips[i]), &info),
                 SPN_OK);
        CHECK_EQ_U(stage.stage.disc.log[first + i].offset, info.offset);
    }
}

static void clips_of_one_cue_time_are_read_in_sweeps(void)
{
    static const uint32_t wanted[5] = {6, 0, 7, 2, 4};
    static const uint32_t order[6] = {3, 4, 6, 7, 0, 2};
    spn_anim_cue cues[5];
    uint32_t first;

    open_slow_stage();
    first = stage.stage.disc.reads;
    CHECK_EQ(spn_anim_add_ref(stage.stage.rt, anim_stage_clip(&stage, 3)),
             SPN_OK);
    anim_stage_until(&stage, anim_stage_clip(&stage, 3), SPN_OK);
    for (uint32_t i = 0; i < 5; i++)
        cues[i] = (spn_anim_cue){SECOND, anim_stage_clip(&stage, wanted[i])};
    set_cues(cues, 5);
    check_reads(first, order, 6);
    anim_stage_close(&stage);
}

static void clips_of_earlier_cues_are_read_first(void)
{
    static const uint32_t order[4] = {7, 5, 2, 4};
    static const uint32_t wanted[4] = {7, 5, 4, 2};
    static const int64_t times[4] = {SECOND, SECOND + TICK, SECOND + 2 * TICK,
                                     SECOND + 2 * TICK};
    spn_anim_cue cues[4];
    uint32_t first;

    open_slow_stage();
    first = stage.stage.disc.reads;
    for (uint32_t i = 0; i < 4; i++)
        cues[i] = (spn_anim_cue){times[i], anim_stage_clip(&stage, wanted[i])};
    set_cues(cues, 4);
    check_reads(first, order, 4);
    anim_stage_close(&stage);
}

static void clips_that_begin_to_play_are_read_in_sweeps(void)
{
    static const uint32_t wanted[5] = {5, 1, 7, 3, 6};
    static const uint32_t order[5] = {1, 3, 5, 6, 7};
    spn_anim_play play;
    uint32_t first;

    open_slow_stage();
    first = stage.stage.disc.reads;
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(spn_anim_play_start(stage.stage.rt,
                                     anim_stage_clip(&stage, wanted[i]), &play),
                 SPN_OK);
    check_reads(first, order, 5);
    anim_stage_close(&stage);
}

TEST_MAIN(TEST(timeline_reads_clips_ahead), TEST(timeline_jumps_count_nothing),
          TEST(timeline_counts_all_cues_of_a_long_step),
          TEST(clips_of_one_cue_time_are_read_in_sweeps),
          TEST(clips_of_earlier_cues_are_read_first),
          TEST(clips_that_begin_to_play_are_read_in_sweeps))
