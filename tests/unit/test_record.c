/* test_record.c
 *
 * Goal: a record has every started read, with path and time, in order. Reads
 * without space are counted as lost, and have no other effect. The caller owns
 * the arrays again after the record was stopped.
 * Method: the rig's disc with a pak; arrays of every size, with guards.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/pak_mount.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <string.h>

#define EVENTS 18u
#define TEXT 200u
#define GUARD 0x7b

static struct rig rig;
static struct rig_read reads[8];
static uint8_t buffers[8][3000];
static spn_record_event events[EVENTS + 1];
static char text[TEXT + 1];
static struct tiny_pak tiny;

static void open_rig(void)
{
    static const struct tiny_pak_file files[] = {
        {.name = "dir/entry", .data = buffers, .bytes = 3000}};

    rig_open(&rig, &(struct rig_config){.pak_count = 1});
    tiny_pak_free(&tiny);
    tiny_pak_make(&tiny, files, 1);
    slow_platform_add(&rig.slow, "p", tiny.bytes, tiny.size);
}

static void start(uint32_t event_count, uint32_t text_bytes)
{
    spn_record_desc desc = {events, event_count, text, text_bytes};

    memset(events, GUARD, sizeof events);
    memset(text, GUARD, sizeof text);
    CHECK_EQ(spn__record_start(&rig.io->record, &desc), SPN_OK);
}

static void check_guards(uint32_t event_count, uint32_t text_bytes)
{
    const uint8_t *behind = (const uint8_t *)&events[event_count];

    for (uint32_t i = 0; i < sizeof events[0]; i++)
        CHECK_EQ(behind[i], GUARD);
    CHECK_EQ(text[text_bytes], GUARD);
}

static uint32_t stop(uint32_t *lost)
{
    uint32_t count = 0;

    CHECK_EQ(spn__record_stop(&rig.io->record, &count, lost), SPN_PENDING);
    io_signal(rig.io, IO_SIGNAL_RECORD);
    rig_run(&rig);
    CHECK_EQ(spn__record_stop(&rig.io->record, &count, lost), SPN_OK);
    CHECK_EQ(spn__record_stop(&rig.io->record, &count, lost), SPN_ERR_STATE);
    return count;
}

static void begin(uint32_t i, const char *path, uint64_t offset, uint64_t bytes)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], 0, offset, bytes, buffers[i]);

    desc.path = path;
    desc.buffer_bytes = sizeof buffers[i];
    desc.deadline_us = i;
    desc.task = (spn_task)(1 + i);
    rig.slow.clock_us += 10;
    rig_start(&rig, &desc, &reads[i]);
}

static void check_event(uint32_t i, const char *path, uint64_t offset,
                        uint64_t bytes)
{
    CHECK_STR(path, text + events[i].path);
    CHECK_EQ_U(events[i].offset, offset);
    CHECK_EQ_U(events[i].bytes, bytes);
}

static void record_has_every_read(void)
{
    uint32_t lost = 9;
    uint32_t count = 0;
    spn_pak pak;

    open_rig();
    CHECK_EQ(spn__record_count(&rig.io->record, &count), SPN_ERR_STATE);
    start(EVENTS, TEXT);
    CHECK_EQ(spn__pak_mount(rig.io, "p", &pak), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(spn__record_count(&rig.io->record, &count), SPN_OK);
    CHECK_EQ(count, 0);
    begin(0, "a", 5, 100);
    begin(1, "dir/entry", 7, 0);
    begin(2, "b", 0, 50);
    begin(3, "a", 6, 1000);
    rig_run(&rig);
    CHECK_EQ(spn__record_count(&rig.io->record, &count), SPN_OK);
    CHECK_EQ(count, 4);
    CHECK_EQ(stop(&lost), 4);
    CHECK_EQ(lost, 0);
    check_event(0, "a", 5, 100);
    check_event(1, "dir/entry", 7, 2993);
    check_event(2, "b", 0, 50);
    check_event(3, "a", 6, 1000);
    /* The text is stored once. */
    CHECK_EQ(events[3].path, events[0].path);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQ(events[i].task, 1 + i);
        CHECK_EQ_U(events[i].deadline_us, i);
        CHECK_EQ(events[i].priority, SPN_PRIORITY_NORMAL);
        CHECK(i == 0 || events[i].at_us == events[i - 1].at_us + 10);
    }
    begin(4, "a", 0, 1);
    rig_run(&rig);
    check_guards(4, TEXT);
    rig_close(&rig);
}

static uint64_t current_thread;

static uint64_t thread_current(void *user)
{
    (void)user;
    return current_thread;
}

/* Start a read by a thread, `think_us` after the event before, and let it end
 * if requested. */
static void think(uint32_t i, uint64_t thread, uint64_t think_us, bool ends)
{
    current_thread = thread;
    rig.slow.clock_us += think_us - 10; /* begin adds this */
    begin(i, "a", 0, 10);
    if (ends)
        rig_run(&rig);
}

static void check_chain(uint32_t i, uint32_t thread, uint32_t after,
                        uint64_t think_us)
{
    test_context("event %u", (unsigned)i);
    CHECK_EQ(events[i].thread, thread);
    CHECK_EQ(events[i].after, after);
    CHECK_EQ_U(events[i].think_us, think_us);
}

static void record_has_the_previous_read_of_each_thread(void)
{
    uint32_t lost;

    open_rig();
    rig.slow.command_us = 1000;
    rig.slow.table.thread_current = thread_current;
    start(EVENTS, TEXT);
    think(0, 77, 100, true);
    think(1, 77, 200, true);  /* after the read before */
    think(2, 55, 300, true);  /* the first read of a thread waits for none */
    think(3, 77, 400, false); /* after the read of its own thread */
    think(4, 55, 500, false); /* while one read is in progress */
    think(5, 77, 600, true);  /* and two of its own thread */
    CHECK_EQ(stop(&lost), 6);
    check_chain(0, 0, 0, 0);
    check_chain(1, 0, 1, 200);
    check_chain(2, 1, 0, 0);
    check_chain(3, 0, 2, 300 + 1000 + 400);
    check_chain(4, 1, 3, 400 + 500);
    check_chain(5, 0, 2, 300 + 1000 + 400 + 500 + 600);
    for (uint32_t i = 0; i < 6; i++)
        CHECK(events[i].end_us >= events[i].at_us + 1000);
    /* Reads that end after the record do not change it, nor the next one. */
    start(EVENTS, TEXT);
    think(0, 77, 100, false);
    rig_step_io(&rig);
    CHECK_EQ(spn__record_stop(&rig.io->record, &lost, &lost), SPN_PENDING);
    io_signal(rig.io, IO_SIGNAL_RECORD);
    rig_step_io(&rig);
    CHECK_EQ(spn__record_stop(&rig.io->record, &lost, &lost), SPN_OK);
    start(EVENTS, TEXT);
    rig_run(&rig);
    CHECK_EQ(reads[0].done_count, 1);
    CHECK_EQ(stop(&lost), 0);
    check_guards(0, 0);
    rig_close(&rig);
}

static void record_counts_sixteen_threads(void)
{
    uint32_t lost;

    open_rig();
    start(EVENTS, TEXT);
    rig.slow.table.thread_current = thread_current;
    for (uint32_t i = 0; i < EVENTS; i++)
        think(i % 8, 1000 - i, 10, true);
    CHECK_EQ(stop(&lost), EVENTS);
    for (uint32_t i = 0; i < EVENTS; i++)
        CHECK_EQ(events[i].thread, i < 16 ? i : 15);
    rig_close(&rig);
}

static void record_counts_lost_reads(void)
{
    open_rig();
    for (uint32_t room = 1; room <= 5; room++)
        for (uint32_t bytes = 1; bytes < 12; bytes++) {
            uint32_t lost;
            uint32_t count;

            start(room, bytes);
            for (uint32_t i = 0; i < 5; i++)
                begin(i, i % 2 ? "b" : "nowhere", i, 10);
            rig_run(&rig);
            count = stop(&lost);
            CHECK_EQ(count + lost, 5);
            CHECK(count <= room);
            /* "nowhere" takes 8 bytes, "b" 2. */
            if (bytes >= 10)
                CHECK_EQ(count, room);
            else if (bytes < 2)
                CHECK_EQ(count, 0);
            check_guards(count, bytes);
        }
    rig_close(&rig);
}

static void record_refuses_bad_arguments(void)
{
    spn_record_desc good = {events, 1, text, 1};
    spn_record_desc bad;
    uint32_t n;

    open_rig();
    CHECK_EQ(spn__record_start(&rig.io->record, NULL), SPN_ERR_ARG);
    bad = good;
    bad.events = NULL;
    CHECK_EQ(spn__record_start(&rig.io->record, &bad), SPN_ERR_ARG);
    bad = good;
    bad.event_count_max = 0;
    CHECK_EQ(spn__record_start(&rig.io->record, &bad), SPN_ERR_ARG);
    bad = good;
    bad.text = NULL;
    CHECK_EQ(spn__record_start(&rig.io->record, &bad), SPN_ERR_ARG);
    bad = good;
    bad.text_bytes = 0;
    CHECK_EQ(spn__record_start(&rig.io->record, &bad), SPN_ERR_ARG);
    CHECK_EQ(spn__record_stop(&rig.io->record, NULL, &n), SPN_ERR_ARG);
    CHECK_EQ(spn__record_stop(&rig.io->record, &n, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn__record_count(&rig.io->record, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn__record_stop(&rig.io->record, &n, &n), SPN_ERR_STATE);
    CHECK_EQ(spn__record_start(&rig.io->record, &good), SPN_OK);
    CHECK_EQ(spn__record_start(&rig.io->record, &good), SPN_ERR_STATE);
    rig_close(&rig);
}

static void check_finds_damaged_records(void)
{
    struct record *record;

    open_rig();
    record = &rig.io->record;
    CHECK(spn__record_check(record));
    start(EVENTS, TEXT);
    begin(0, "a", 5, 100);
    begin(1, "b", 0, 50);
    rig_run(&rig);
    CHECK(spn__record_check(record));
    events[1].path = record->text_used;
    CHECK(!spn__record_check(record));
    events[1].path = 0;
    events[1].after = 2;
    CHECK(!spn__record_check(record));
    events[1].after = 0;
    events[0].thread = record->thread_count;
    CHECK(!spn__record_check(record));
    events[0].thread = 0;
    record->text_used = TEXT + 1;
    CHECK(!spn__record_check(record));
    record->text_used = 4;
    atomic_store_relaxed(&record->count, EVENTS + 1);
    CHECK(!spn__record_check(record));
    atomic_store_relaxed(&record->count, 2);
    CHECK(spn__record_check(record));
    record->is_begun = false;
    CHECK(!spn__record_check(record));
    record->is_begun = true;
    rig_close(&rig);
}

TEST_MAIN(TEST(record_has_every_read),
          TEST(record_has_the_previous_read_of_each_thread),
          TEST(record_counts_sixteen_threads), TEST(record_counts_lost_reads),
          TEST(record_refuses_bad_arguments), TEST(check_finds_damaged_records))
