/* test_io_pause.c
 *
 * Goal: a paused type reads nothing, in every stage of its reads, and
 *   continues at the same place when it is resumed. Other types, aborts and
 *   shutdown are not affected.
 * Method: the engine is stepped into each stage, then paused; the disc's log.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "schedule/tasks.h"
#include "support/io_rig.h"

static struct rig rig;
static struct rig_read reads[32];
static uint8_t buffers[32][20000];
static spn_file file_a;

static void begin(uint32_t i, spn_task task, uint64_t offset, uint64_t bytes,
                  spn_priority priority)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file_a, offset, bytes, buffers[i]);

    desc.task = task;
    desc.priority = priority;
    rig_start(&rig, &desc, &reads[i]);
}

static void begin_texture(uint32_t i, uint64_t offset, uint64_t bytes)
{
    begin(i, SPN_TASK_TEXTURE, offset, bytes, SPN_PRIORITY_NORMAL);
}

static void open_rig(void)
{
    rig_open(&rig, &(struct rig_config){.read_count = 32});
    file_a = rig_file(&rig, "a");
    rig.slow.command_us = 100;
}

static void pause_reads_of(spn_task task)
{
    spn__io_pause(rig.io, task, true);
}

static void resume_reads_of(spn_task task)
{
    spn__io_pause(rig.io, task, false);
}

enum state {
    BEFORE_THE_START,
    IN_THE_INBOX,
    OPENING, /* behind a read that opens another file first */
    QUEUED,
    AT_THE_DEVICE,
    AT_THE_DEVICE_TO_FAIL,
    BETWEEN_PIECES,
    AT_THE_DEVICE_AGAIN,
    STATE_COUNT
};

/* Bring read 0 (three pieces) into a state. Where needed, read 1 of another
 * type keeps the device busy. Return the number of pieces of read 0 that the
 * device reads before the pause takes effect. */
static uint32_t step_into(enum state state)
{
    static const struct slow_fault fault = {.kind = SLOW_ERROR, .times = 1};
    uint64_t due_us;

    if (state == BEFORE_THE_START)
        return 0;
    if (state == AT_THE_DEVICE_TO_FAIL)
        slow_platform_fault(&rig.slow, &fault);
    if (state == OPENING) {
        spn_read_desc desc = rig_desc(&rig, &reads[1], rig_file(&rig, "b"),
                                      50000, 100, buffers[1]);

        desc.priority = SPN_PRIORITY_URGENT;
        rig_start(&rig, &desc, &reads[1]);
    }
    if (state == QUEUED) {
        begin(1, SPN_TASK_SOUND, 50000, 100, SPN_PRIORITY_URGENT);
        rig_step_io(&rig);
    }
    begin_texture(0, 0, 10000);
    if (state == IN_THE_INBOX)
        return 0;
    if (state == OPENING) {
        CHECK(spn__io_step(rig.io, &due_us));
        CHECK_EQ(rig.slow.opens, 1);
        return 0;
    }
    rig_step_io(&rig);
    if (state == QUEUED)
        return 0;
    if (state == BETWEEN_PIECES) {
        begin(1, SPN_TASK_SOUND, 50000, 100, SPN_PRIORITY_URGENT);
        rig_step_io(&rig);
    }
    if (state == BETWEEN_PIECES || state == AT_THE_DEVICE_AGAIN) {
        CHECK(slow_platform_advance(&rig.slow));
        rig_step_io(&rig);
    }
    return state == AT_THE_DEVICE_AGAIN ? 2 : 1;
}

static uint32_t pieces_of_0(void)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < rig.slow.reads; i++)
        count += rig.slow.log[i].offset < 10000;
    return count;
}

static void pause_holds_reads_in_every_state(void)
{
    for (uint32_t state = 0; state < STATE_COUNT; state++) {
        uint32_t pieces;

        test_context("state %u", state);
        open_rig();
        pieces = step_into((enum state)state);
        pause_reads_of(SPN_TASK_TEXTURE);
        pause_reads_of(SPN_TASK_TEXTURE);
        if (state == BEFORE_THE_START)
            begin_texture(0, 0, 10000);
        begin(2, SPN_TASK_OWN, 30000, 100, SPN_PRIORITY_IDLE);
        rig_run(&rig);
        CHECK_EQ(reads[0].done_count, 0);
        CHECK_EQ(pieces_of_0(), pieces);
        rig_check_bytes(&reads[2], 0, 30000, 100);
        if (state == OPENING)
            rig_check_bytes(&reads[1], 1, 50000, 100);
        else if (state == QUEUED || state == BETWEEN_PIECES)
            rig_check_bytes(&reads[1], 0, 50000, 100);
        resume_reads_of(SPN_TASK_SOUND); /* an unrelated type */
        rig_run(&rig);
        CHECK_EQ(reads[0].done_count, 0);
        resume_reads_of(SPN_TASK_TEXTURE);
        rig_run(&rig);
        rig_check_bytes(&reads[0], 0, 0, 10000);
        CHECK_EQ(pieces_of_0(), state == AT_THE_DEVICE_TO_FAIL ? 4 : 3);
        rig_close(&rig);
    }
}

static void pause_delays_no_abort_and_no_shutdown(void)
{
    for (uint32_t state = 0; state < STATE_COUNT; state++)
        for (uint32_t is_shutdown = 0; is_shutdown < 2; is_shutdown++) {
            test_context("state %u, shutdown %u", state, is_shutdown);
            open_rig();
            step_into((enum state)state);
            pause_reads_of(SPN_TASK_TEXTURE);
            if (state == BEFORE_THE_START)
                begin_texture(0, 0, 10000);
            rig_run(&rig);
            if (is_shutdown)
                spn__io_shutdown(rig.io);
            else
                CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
            rig_run(&rig);
            rig_check(&reads[0],
                      is_shutdown ? SPN_ERR_SHUTDOWN : SPN_ERR_ABORTED);
            rig_close(&rig);
        }
}

/* A file that only paused reads need is not opened. */
static void pause_opens_no_file(void)
{
    open_rig();
    pause_reads_of(SPN_TASK_TEXTURE);
    begin_texture(0, 0, 100);
    rig_run(&rig);
    CHECK_EQ(rig.slow.opens, 0);
    resume_reads_of(SPN_TASK_TEXTURE);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 100);
    rig_close(&rig);
}

/* A paused read is no longer an interrupted one. An urgent read finds no read
 * whose class it could raise. */
static void pause_leaves_no_preemption_behind(void)
{
    open_rig();
    begin(0, SPN_TASK_TEXTURE, 0, 10000, SPN_PRIORITY_IDLE);
    rig_step_io(&rig);
    pause_reads_of(SPN_TASK_TEXTURE);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    begin(1, SPN_TASK_SOUND, 50000, 100, SPN_PRIORITY_URGENT);
    rig_step_io(&rig);
    resume_reads_of(SPN_TASK_TEXTURE);
    begin(2, SPN_TASK_SOUND, 60000, 100, SPN_PRIORITY_BELOW_NORMAL);
    rig_run(&rig);
    CHECK(reads[2].place < reads[0].place);
    rig_check_bytes(&reads[0], 0, 0, 10000);
    rig_close(&rig);
}

/* Resumed reads have their old order: by offset, and equal ones in order of
 * arrival. */
static void pause_keeps_the_order(void)
{
    open_rig();
    begin(30, SPN_TASK_SOUND, 0, 1, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    pause_reads_of(SPN_TASK_TEXTURE);
    for (uint32_t i = 0; i < 6; i++)
        begin_texture(i, i < 3 ? 50000 : 10000, 10);
    begin(6, SPN_TASK_SOUND, 90000, 10, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    begin(7, SPN_TASK_SOUND, 30000, 10, SPN_PRIORITY_NORMAL);
    resume_reads_of(SPN_TASK_TEXTURE);
    rig_run(&rig);
    CHECK_EQ(reads[6].place, 2);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(reads[3 + i].place, 3 + i);
    CHECK_EQ(reads[7].place, 6);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(reads[i].place, 7 + i);
    rig_close(&rig);
}

static void pause_is_for_each_type_alone(void)
{
    open_rig();
    for (uint32_t task = 1; task < SPN_TASK_COUNT; task++)
        if (task % 3 == 0)
            pause_reads_of((spn_task)task);
    for (uint32_t task = 1; task < SPN_TASK_COUNT; task++)
        begin(task, (spn_task)task, task * 1000, 100, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    for (uint32_t task = 1; task < SPN_TASK_COUNT; task++)
        CHECK_EQ(reads[task].done_count, task % 3 != 0);
    for (uint32_t task = 3; task < SPN_TASK_COUNT; task += 3) {
        resume_reads_of((spn_task)task);
        rig_run(&rig);
        rig_check_bytes(&reads[task], 0, task * 1000, 100);
    }
    rig_close(&rig);
}

static void classes_begin_as_stated_and_can_be_changed(void)
{
    static const spn_task sounds[] = {SPN_TASK_SOUND_BANK, SPN_TASK_MUSIC,
                                      SPN_TASK_SOUND};
    struct tasks tasks;
    uint32_t bulk = 0;

    spn__tasks_init(&tasks);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(spn__tasks_class(&tasks, sounds[i]), SPN_CLASS_SOUND);
    CHECK_EQ(spn__tasks_class(&tasks, SPN_TASK_ANIMATION), SPN_CLASS_CLIP);
    CHECK_EQ(spn__tasks_class(&tasks, SPN_TASK_GEOM_CACHE), SPN_CLASS_STREAM);
    CHECK_EQ(spn__tasks_class(&tasks, SPN_TASK_VIDEO), SPN_CLASS_STREAM);
    for (uint32_t task = 1; task < SPN_TASK_COUNT; task++)
        bulk += spn__tasks_class(&tasks, (spn_task)task) == SPN_CLASS_BULK;
    CHECK_EQ(bulk, 31 - 6);
    spn__tasks_set_class(&tasks, (spn_task)31, SPN_CLASS_CLIP);
    CHECK_EQ(spn__tasks_class(&tasks, (spn_task)31), SPN_CLASS_CLIP);
    CHECK_EQ(spn__tasks_class(&tasks, (spn_task)30), SPN_CLASS_BULK);
    CHECK(!spn__tasks_is_good((spn_task)0));
    CHECK(spn__tasks_is_good((spn_task)31));
    CHECK(!spn__tasks_is_good((spn_task)32));
}

TEST_MAIN(TEST(pause_holds_reads_in_every_state),
          TEST(pause_delays_no_abort_and_no_shutdown),
          TEST(pause_opens_no_file), TEST(pause_leaves_no_preemption_behind),
          TEST(pause_keeps_the_order), TEST(pause_is_for_each_type_alone),
          TEST(classes_begin_as_stated_and_can_be_changed))
