/* test_play_reads.c
 *
 * Goal: the reads of a run are tallied once, by class, and only those of the
 *   drive.
 * Method: send events of completions to the listener.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "player/play_reads.h"

#include <spindle/status.h>

static struct play_reads reads;
static spn_listener listener;

static void start(void)
{
    static const struct play_reads none;

    reads = none;
    listener = play_reads_listener(&reads);
}

static void complete(spn_task_class task_class, uint64_t deadline_us,
                     uint64_t ended_us, spn_status status)
{
    const spn_event event = {.kind = SPN_EVENT_COMPLETED,
                             .task_class = task_class,
                             .medium = SPN_MEDIUM_OPTICAL,
                             .start_us = 1000,
                             .deadline_us = deadline_us,
                             .status = status,
                             .done_bytes = 100,
                             .ended_us = ended_us};

    listener.completed(listener.user, &event);
}

static void waits_and_late_reads_are_counted_by_class(void)
{
    start();
    play_reads_begin(&reads, 500);
    complete(SPN_CLASS_SOUND, 2000, 2000, SPN_OK);
    complete(SPN_CLASS_CLIP, 2000, 2001, SPN_OK);
    complete(SPN_CLASS_STREAM, 0, 9000, SPN_OK);
    complete(SPN_CLASS_STREAM, 3000, 4000, SPN_OK);
    complete(SPN_CLASS_BULK, 3000, 1700, SPN_OK);
    CHECK_EQ_U(reads.done, 5);
    CHECK_EQ_U(reads.bytes, 500);
    CHECK_EQ_U(reads.tally.classes[DEADLINE_SOUND].longest_us, 1000);
    CHECK_EQ_U(reads.tally.classes[DEADLINE_SOUND].late, 0);
    CHECK_EQ_U(reads.tally.classes[DEADLINE_CLIP].late, 1);
    CHECK_EQ_U(reads.tally.classes[DEADLINE_STREAM].count, 2);
    CHECK_EQ_U(reads.tally.classes[DEADLINE_STREAM].late, 1);
    CHECK_EQ_U(reads.tally.classes[DEADLINE_STREAM].longest_us, 8000);
    CHECK_EQ_U(reads.tally.classes[DEADLINE_BULK].sum_us, 700);
    tally_free(&reads.tally);
}

static void errors_are_late_and_aborts_are_ignored(void)
{
    start();
    play_reads_begin(&reads, 0);
    complete(SPN_CLASS_STREAM, 2000, 9000, SPN_ERR_IO);
    complete(SPN_CLASS_STREAM, 2000, 9000, SPN_ERR_ABORTED);
    CHECK_EQ_U(reads.done, 0);
    complete(SPN_CLASS_STREAM, 0, 9000, SPN_ERR_TIMEOUT);
    complete(SPN_CLASS_STREAM, 9500, 9000, SPN_ERR_IO);
    CHECK_EQ_U(reads.failed, 3);
    CHECK_EQ_U(tally_sum(&reads.tally).count, 3);
    CHECK_EQ_U(tally_sum(&reads.tally).late, 2);
    CHECK_EQ_U(tally_wait_us(&reads.tally, DEADLINE_STREAM, 990), 0);
    tally_free(&reads.tally);
}

static void reads_before_the_run_or_from_other_media_are_ignored(void)
{
    spn_event event = {.medium = SPN_MEDIUM_MEMORY, .status = SPN_OK};

    start();
    complete(SPN_CLASS_STREAM, 2000, 9000, SPN_OK);
    play_reads_begin(&reads, 9500);
    listener.completed(listener.user, &event);
    event.medium = SPN_MEDIUM_COUNT;
    listener.completed(listener.user, &event);
    CHECK_EQ_U(reads.done, 0);
    CHECK_EQ_U(tally_sum(&reads.tally).count, 0);
    tally_free(&reads.tally);
}

/* A shutdown ends waiting reads at any time and with any status. */
static void waiting_reads_count_at_the_end(void)
{
    start();
    play_reads_begin(&reads, 0);
    play_reads_end(&reads, 5000);
    complete(SPN_CLASS_STREAM, 5000, 6000, SPN_ERR_SHUTDOWN);
    complete(SPN_CLASS_STREAM, 0, 6000, SPN_ERR_SHUTDOWN);
    CHECK_EQ_U(tally_sum(&reads.tally).count, 0);
    CHECK_EQ_U(tally_sum(&reads.tally).waiting, 2);
    CHECK_EQ_U(tally_sum(&reads.tally).longest_us, 4000);
    complete(SPN_CLASS_STREAM, 4999, 6000, SPN_OK);
    CHECK_EQ_U(tally_sum(&reads.tally).count, 1);
    CHECK_EQ_U(tally_sum(&reads.tally).late, 1);
    CHECK_EQ_U(tally_sum(&reads.tally).waiting, 3);
    CHECK_EQ_U(reads.tally.classes[DEADLINE_STREAM].longest_us, 4000);
    CHECK_EQ_U(reads.done + reads.failed, 0);
    tally_free(&reads.tally);
}

TEST_MAIN(TEST(waits_and_late_reads_are_counted_by_class),
          TEST(errors_are_late_and_aborts_are_ignored),
          TEST(reads_before_the_run_or_from_other_media_are_ignored),
          TEST(waiting_reads_count_at_the_end))
