/* test_stream_deadline.c
 *
 * Goal: a stream's read is due when its first frame must be decoded, each read
 * by itself. Data needed at once is due soon. The scheduler has a read of each
 * stream to choose from.
 * Method: nodes that stand still on a slow disc; the requests themselves.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/node/node.h"
#include "read/engine.h"
#include "runtime.h"
#include "support/stage.h"

#define SOON_US 500000
#define DECODE_US 500000

static struct stage stage;

/* Time until the first frame ahead that a read brings is needed. */
static int64_t time_until_read(const struct cursor *s,
                               const struct group_read *r)
{
    uint64_t place = spn__cursor_place_of(s, s->wanted);

    do
        if (cache_group_slot_at(s->cache, spn__cursor_group(s, place))
                ->body_read == r - s->manager->group_reads.table + 1)
            return spn__cursor_time_until_place(s, place);
    while (spn__cursor_next_place(s, &place));
    test_fail(__FILE__, __LINE__, "the read is of no group ahead");
}

/* Returns how many reads are due later than soon. */
static uint32_t check_reads(const struct cursor *s)
{
    const struct io *io = stage.rt->io;
    uint32_t count = 0;

    for (uint32_t r = 0; r < io->read_count; r++) {
        const struct io_request *request = &io->requests[r];
        int64_t slack_us;

        if ((atomic_load_relaxed(&io->states[r]) & STATE_IN_USE) == 0)
            continue;
        slack_us = time_until_read(s, request->context) - DECODE_US;
        if (slack_us < SOON_US)
            slack_us = SOON_US;
        CHECK_EQ_U(request->deadline_us,
                   request->start_us + (uint64_t)slack_us);
        count += slack_us > SOON_US;
    }
    return count;
}

static void stream_reads_have_deadlines(void)
{
    static const struct slow_fault bad = {.kind = SLOW_ERROR,
                                          .path = "a",
                                          .offset = 40000,
                                          .bytes = 1,
                                          .times = 40};
    const struct tiny_options o = {.frame_count = 201, .is_noisy = true};

    for (uint32_t is_bad = 0; is_bad < 2; is_bad++) {
        const struct cursor *s;
        uint32_t later = 0;
        spn_node node;

        stage_init(&stage, tiny_build(&o));
        stage_open(&stage);
        stage.disc.command_us = 100000;
        if (is_bad)
            slow_platform_fault(&stage.disc, &bad);
        CHECK_EQ(spn_tuning_set(stage.rt, "request_kib", "16"), SPN_OK);
        CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_min_ms", "4000"),
                 SPN_OK);
        node = stage_node(&stage, false);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
        s = &spn__manager_node(&stage.rt->manager, node)->cursor;
        for (uint32_t t = 0; t < 400; t++) {
            stage_tick(&stage, STAGE_TICK_US);
            later += check_reads(s);
        }
        CHECK(later > 0);
        stage_close(&stage);
    }
}

/* Each node has a cache of its own: nodes of the same one share reads. */
static uint32_t reads_after_an_update(const char *drive)
{
    static const char *const paths[] = {"c0", "c1", "c2", "c3", "c4", "c5"};
    const struct tiny_options o = {.frame_count = 201, .is_noisy = true};
    uint32_t count;

    stage_init(&stage, tiny_build(&o));
    if (drive)
        stage.config.media[SPN_MEDIUM_HARD_DISK].drive =
            spn_drive_profile_find(drive);
    for (uint32_t i = 0; i < 6; i++)
        slow_platform_add(&stage.disc, paths[i], stage.tiny->bytes,
                          stage.tiny->size);
    stage.disc.command_us = 100000;
    stage_open(&stage);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_EQ(spn_cache_open(stage.rt, paths[i], &stage.cache), SPN_OK);
        while (spn_cache_get_status(stage.rt, stage.cache, NULL) == SPN_PENDING)
            stage_tick(&stage, STAGE_TICK_US);
        (void)stage_node(&stage, true);
    }
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(spn_node_set_playback_time(
                     stage.rt, stage.rt->manager.nodes[i].handle, 0),
                 SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    count = stage.rt->manager.pending[SPN_MEDIUM_HARD_DISK].reads;
    stage_close(&stage);
    return count;
}

/* The more reads it can choose from, the better. */
static void streams_each_have_a_read_that_the_scheduler_may_choose(void)
{
    CHECK_EQ(reads_after_an_update(NULL), 2);
    CHECK_EQ(reads_after_an_update("x360_dvd12x"), 6);
}

TEST_MAIN(TEST(stream_reads_have_deadlines),
          TEST(streams_each_have_a_read_that_the_scheduler_may_choose))
