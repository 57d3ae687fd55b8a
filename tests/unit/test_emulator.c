/* test_emulator.c
 *
 * Goal: the emulator's platform table delivers the bytes of the wrapped files
 *   when both the wrapped platform and the drive are done, one read at a time.
 *   It passes all other calls on.
 * Method: a slow disc in memory that asserts the contract of platform.h is
 *   wrapped and runs on its virtual clock. Due times are compared with a drive
 *   charged by hand.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_disc.h"
#include "emulator/emulator_state.h"
#include "harness.h"
#include "support/emulator_fixture.h"

#include <string.h>

/* -- set-up -- */

static void check_refused(const spn_emulator_config *config)
{
    static _Alignas(64) uint8_t block[1 << 20];
    spn_emulator *none = NULL;

    CHECK_EQ_U(spn_emulator_bytes(config), 0);
    CHECK_EQ(spn_emulator_init(config, block, sizeof block, &none, &emulated),
             SPN_ERR_ARG);
    CHECK(none == NULL);
}

#define REFUSE(change)                                                         \
    do {                                                                       \
        spn_emulator_config config = good_config();                            \
        spn_platform platform = slow.table;                                    \
        spn_drive_profile profile = *drives[1].profile;                        \
        spn_emulator_place place = places[1];                                  \
        spn_emulator_fault fault = {.kind = SPN_EMULATOR_STALL};               \
                                                                               \
        test_context("%s", #change);                                           \
        config.platform = &platform;                                           \
        drives[1].profile = &profile;                                          \
        config.places = &place;                                                \
        config.place_count = 1;                                                \
        config.faults = &fault;                                                \
        config.fault_count = 1;                                                \
        CHECK(spn_emulator_bytes(&config) > 0);                                \
        change;                                                                \
        check_refused(&config);                                                \
        drives[1].profile = NULL;                                              \
    } while (0)

static void emulator_validates_each_field_of_its_config(void)
{
    make_disc();
    check_refused(NULL);
    REFUSE(config.platform = NULL);
    REFUSE(platform.file_open = NULL);
    REFUSE(platform.file_close = NULL);
    REFUSE(platform.read_submit = NULL);
    REFUSE(platform.read_poll = NULL);
    REFUSE(platform.now_us = NULL);
    REFUSE(config.drives = NULL);
    REFUSE(config.drive_count = 0);
    REFUSE(config.drive_count = SPN_EMULATOR_DRIVES_MAX + 1);
    REFUSE(drives[1].profile = NULL);
    REFUSE(profile.rate_in = 0);
    REFUSE(config.places = NULL);
    REFUSE(place.pattern = NULL);
    REFUSE(place.pattern = "");
    REFUSE(place.drive = 2);
    REFUSE(place.offset = profile.layer_bytes);
    REFUSE(config.faults = NULL);
    REFUSE(fault.kind = (spn_emulator_fault_kind)0);
    REFUSE(fault.kind = (spn_emulator_fault_kind)6);
    REFUSE(fault.drive = 2);
    REFUSE(fault.file = "");
    REFUSE((fault.drive = 1, fault.offset = profile.layer_bytes));
}

/* With 32-bit addresses no block is large enough for every number. */
static void check_too_many_files(void)
{
    static _Alignas(64) uint8_t block[1 << 20];
    spn_emulator_config config = good_config();
    spn_emulator *none = NULL;

    config.file_count = UINT32_MAX;
    CHECK_EQ_U(spn_emulator_bytes(&config), 0);
    CHECK_EQ(spn_emulator_init(&config, block, sizeof block, &none, &emulated),
             SPN_ERR_MEMORY);
    CHECK(none == NULL);
}

static void emulator_validates_its_memory(void)
{
    static _Alignas(64) uint8_t block[1 << 20];
    spn_emulator_config config = good_config();
    size_t bytes;

    make_disc();
    if (sizeof(size_t) == 4)
        check_too_many_files();
    config.file_count = 10;
    bytes = spn_emulator_bytes(&config);
    CHECK(bytes < sizeof block);
#define GIVES(status, memory, bytes, emulator, table)                          \
    CHECK_EQ(spn_emulator_init(&config, memory, bytes, emulator, table), status)
    GIVES(SPN_OK, block, bytes, &emulator, &emulated);
    GIVES(SPN_ERR_MEMORY, block, bytes - 1, &emulator, &emulated);
    GIVES(SPN_ERR_MEMORY, block, 0, &emulator, &emulated);
    GIVES(SPN_ERR_ARG, block + 32, bytes, &emulator, &emulated);
    GIVES(SPN_ERR_ARG, NULL, bytes, &emulator, &emulated);
    GIVES(SPN_ERR_ARG, block, bytes, NULL, &emulated);
    GIVES(SPN_ERR_ARG, block, bytes, &emulator, NULL);
    config.file_count = 20;
    CHECK(spn_emulator_bytes(&config) > bytes);
}

static void functions_missing_in_the_wrapped_table_are_missing(void)
{
    make_emulator();
    CHECK(!emulated.thread_start && !emulated.thread_join &&
          !emulated.event_create && !emulated.event_destroy &&
          !emulated.event_signal && !emulated.event_wait);
    CHECK(!emulated.log);
    CHECK(emulated.cache_invalidate != NULL);
    emulated.cache_invalidate(emulated.user, buffer, 10);
    CHECK_EQ(slow.invalidates, 1);
    CHECK(emulated.cache_flush != NULL);
    emulated.cache_flush(emulated.user, buffer, 10);
    CHECK_EQ(slow.flushes, 1);
    CHECK_EQ_U(emulated.now_us(emulated.user), 5000000);
}

/* -- files -- */

static uint32_t log_count;

static void count_log(void *user, spn_log_level level, const char *text)
{
    (void)user;
    CHECK_EQ(level, SPN_LOG_ERROR);
    CHECK(text && text[0]);
    log_count++;
}

static void files_have_their_places(void)
{
    spn_platform_file_info info;

    make_emulator();
    CHECK_EQ_U(open_emulated("a").disc_offset, OFFSET_A);
    CHECK_EQ_U(open_emulated("b").disc_offset, OFFSET_B);
    CHECK_EQ_U(open_emulated("d").disc_offset, 0);
    info = open_emulated("disk/c");
    CHECK_EQ_U(info.disc_offset, 2 * FILE_BYTES); /* the wrapped platform's */
    CHECK_EQ_U(info.bytes, FILE_BYTES);
    CHECK_EQ(info.align_bytes, 1);
    slow.align_bytes = 512;
    CHECK_EQ(open_emulated("b").align_bytes, 512);
    CHECK_EQ(emulated.file_open(emulated.user, "none", &info),
             SPN_ERR_NOT_FOUND);
}

static void files_that_cannot_be_placed_are_closed_again(void)
{
    spn_emulator_place last = {"*", 0, 0};
    spn_emulator_config config = good_config();
    spn_platform_file_info info;
    spn_platform_file first;

    make_disc();
    slow.table.log = count_log;
    log_count = 0;
    config.places = &last;
    config.place_count = 1;
    config.file_count = 2;
    make_emulator_with(&config);
    first = open_emulated("a").file;
    (void)open_emulated("b");
    CHECK_EQ(emulated.file_open(emulated.user, "d", &info), SPN_ERR_IO);
    CHECK_EQ(log_count, 1);
    /* The table has room for an open file, but none for a place. */
    emulated.file_close(emulated.user, first);
    CHECK_EQ(emulated.file_open(emulated.user, "d", &info), SPN_ERR_IO);
    CHECK_EQ_U(open_emulated("a").disc_offset, 0);
    CHECK_EQ(log_count, 2);
    CHECK_EQ(slow.opens, 5);
    CHECK_EQ(slow.closes, 3);

    last.offset = spn__drive_disc_bytes(drives[0].profile) - FILE_BYTES + 1;
    make_emulator_with(&config);
    CHECK_EQ(emulated.file_open(emulated.user, "a", &info), SPN_ERR_IO);
    CHECK_EQ(log_count, 3);
    CHECK_EQ(slow.opens, 6);
    CHECK_EQ(slow.closes, 4);
}

static void files_are_opened_as_often_as_one_likes(void)
{
    spn_platform_file first;
    spn_platform_file second;

    make_emulator();
    first = open_emulated("d").file;
    second = open_emulated("d").file;
    CHECK(first != second);
    emulated.file_close(emulated.user, first);
    submit(3, second, 0, 100, 1);
    slow.clock_us += 10000000;
    expect_end(1, SPN_OK, 100);
    CHECK_MEM(buffer[3], data[3], 100);
    emulated.file_close(emulated.user, second);
    CHECK_EQ(slow.opens, 2);
    CHECK_EQ(slow.closes, 2);
}

static void files_lie_on_their_drives_media(void)
{
    spn_platform_file_info info;

    make_emulator();
    slow_platform_place(&slow, "d", SPN_MEDIUM_MEMORY);
    slow_platform_place(&slow, "disk/c", SPN_MEDIUM_OPTICAL);
    CHECK_EQ(open_emulated("a").medium, SPN_MEDIUM_OPTICAL);
    CHECK_EQ(open_emulated("b").medium, SPN_MEDIUM_HARD_DISK);
    CHECK_EQ(open_emulated("disk/c").medium, SPN_MEDIUM_OPTICAL);
    /* A file in memory stays in memory. */
    info = open_emulated("d");
    CHECK_EQ(info.medium, SPN_MEDIUM_MEMORY);
    CHECK(info.memory == data[3]);
    CHECK_EQ_U(info.bytes, FILE_BYTES);
    slow_platform_init(&slow);
    slow_platform_add(&slow, "e", data[0], 10);
    slow_platform_place(&slow, "e", SPN_MEDIUM_COUNT);
    CHECK_EQ(emulated.file_open(emulated.user, "e", &info), SPN_ERR_IO);
    CHECK_EQ(slow.closes, 1);
}

/* -- one read -- */

static void reads_end_at_the_time_of_the_drive(void)
{
    struct test_random random = {3};
    spn_platform_file a;

    make_emulator();
    a = open_emulated("a").file;
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t offset = test_random_below(&random, FILE_BYTES - 1);
        uint32_t most = FILE_BYTES - offset;
        uint32_t bytes = 2 + test_random_below(&random, most);
        uint64_t due_us;

        test_context("seed 3, read %u", i);
        if (bytes > most)
            bytes = most;
        due_us = model_read(0, OFFSET_A + offset, bytes);
        memset(buffer[0], 0xee, FILE_BYTES);
        submit(0, a, offset, bytes, i);
        expect_end_at(due_us, i, bytes);
        CHECK_MEM(buffer[0], data[0] + offset, bytes);
        slow.clock_us += test_random_below(&random, 50000);
    }
}

static void reads_end_when_the_wrapped_platform_is_done(void)
{
    spn_platform_file a;
    uint64_t due_us;

    make_emulator();
    slow.command_us = 3000000;
    a = open_emulated("a").file;
    (void)model_read(0, OFFSET_A, 1000);
    submit(0, a, 0, 1000, 1);
    expect_end_at(8000000, 1, 1000);
    /* Now the drive is slightly slower. */
    due_us = model_read(0, OFFSET_A + 400000, 1000);
    slow.command_us = due_us - slow.clock_us - 1;
    submit(0, a, 400000, 1000, 2);
    expect_pending(due_us - 1);
    expect_end_at(due_us, 2, 1000);
}

static void reads_past_the_end_come_short(void)
{
    spn_platform_file a;
    uint64_t due_us;

    make_emulator();
    a = open_emulated("a").file;
    due_us = model_read(0, OFFSET_A + FILE_BYTES - 10, 10);
    submit(0, a, FILE_BYTES - 10, 4096, 1);
    expect_end_at(due_us, 1, 10);
    submit(0, a, FILE_BYTES, 4096, 2);
    expect_end(2, SPN_OK, 0);
    submit(0, a, UINT64_MAX - 5, 4096, 3);
    expect_end(3, SPN_OK, 0);
    CHECK_MEM(buffer[0] + 10, buffer[1] + 10, 4086);
}

static void reads_without_a_drive_take_their_own_time(void)
{
    spn_platform_file c;

    make_emulator();
    c = open_emulated("disk/c").file;
    submit(2, c, 0, 1000, 1);
    expect_end(1, SPN_OK, 1000);
    slow.command_us = 77;
    submit(2, c, 0, 1000, 2);
    expect_end_at(5000077, 2, 1000);
    CHECK_MEM(buffer[2], data[2], 1000);
}

static void reads_that_are_not_legal_are_refused(void)
{
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX + 1];
    spn_platform_file a;

    make_emulator();
    for (uint32_t i = 0; i <= SPN_PLATFORM_EXTENTS_MAX; i++)
        extents[i] = (spn_extent){buffer[0], 1};
    a = open_emulated("a").file;
#define SUBMIT(file, count)                                                    \
    emulated.read_submit(emulated.user, file, 0, extents, count, 1)
    CHECK_EQ(SUBMIT(a, 0), SPN_ERR_ARG);
    CHECK_EQ(SUBMIT(a, SPN_PLATFORM_EXTENTS_MAX + 1), SPN_ERR_ARG);
    CHECK_EQ(SUBMIT(a + 1, 1), SPN_ERR_ARG);
    CHECK_EQ(SUBMIT(UINT64_MAX, 1), SPN_ERR_ARG);
    emulated.file_close(emulated.user, a);
    CHECK_EQ(SUBMIT(a, 1), SPN_ERR_ARG);
    emulated.file_close(emulated.user, a);
    emulated.file_close(emulated.user, UINT64_MAX);
    CHECK_EQ(slow.closes, 1);
    expect_pending(UINT64_MAX);
}

static void errors_of_the_wrapped_platform_are_passed_on_in_time(void)
{
    spn_platform_file a;
    uint64_t due_us;

    make_emulator();
    a = open_emulated("a").file;
    slow_platform_fault(&slow,
                        &(struct slow_fault){.kind = SLOW_ERROR, .nth = 1});
    slow_platform_fault(&slow,
                        &(struct slow_fault){.kind = SLOW_REFUSE, .nth = 2});
    slow_platform_fault(
        &slow, &(struct slow_fault){.kind = SLOW_SHORT, .nth = 3, .value = 7});
    due_us = model_read(0, OFFSET_A, 100);
    submit(0, a, 0, 100, 1);
    expect_pending(due_us);
    slow.clock_us = due_us;
    expect_end(1, SPN_ERR_IO, 0);
    due_us = model_read(0, OFFSET_A, 100);
    submit(0, a, 0, 100, 2);
    expect_pending(due_us);
    slow.clock_us = due_us;
    expect_end(2, SPN_ERR_IO, 0);
    due_us = model_read(0, OFFSET_A, 100);
    submit(0, a, 0, 100, 3);
    expect_end_at(due_us, 3, 7);
}

static void faults_end_a_read_without_a_byte(void)
{
    spn_emulator_fault faults[] = {
        {.kind = SPN_EMULATOR_UNREADABLE, .drive = 0, .offset = OFFSET_A},
        {.kind = SPN_EMULATOR_DISC_SWAPPED, .drive = 1}};
    spn_emulator_config config = good_config();
    spn_emulator_disc disc;
    spn_platform_file a;
    uint64_t due_us;

    make_disc();
    config.faults = faults;
    config.fault_count = 2;
    make_emulator_with(&config);
    a = open_emulated("a").file;
    due_us = model_read(0, OFFSET_A, 1);
    submit(0, a, 0, 1000, 1);
    expect_pending(due_us);
    slow.clock_us = due_us;
    expect_end(1, SPN_ERR_IO, 0);
    CHECK_EQ(buffer[0][0], 0xee);
    CHECK_EQ(slow.reads, 0);
    CHECK_EQ(spn_emulator_get_disc(emulator, 0, &disc), SPN_OK);
    CHECK_EQ(disc, SPN_EMULATOR_DISC_IN);
    CHECK_EQ(spn_emulator_get_disc(emulator, 1, &disc), SPN_OK);
    CHECK_EQ(disc, SPN_EMULATOR_DISC_OTHER);
    CHECK_EQ(emulated.medium_disc(emulated.user, SPN_MEDIUM_OPTICAL),
             SPN_DISC_IN);
    CHECK_EQ(emulated.medium_disc(emulated.user, SPN_MEDIUM_HARD_DISK),
             SPN_DISC_OTHER);
    CHECK_EQ(emulated.medium_disc(emulated.user, SPN_MEDIUM_MEMORY),
             SPN_DISC_IN);
}

/* Reads of one block each, some of which end with an error. The file begins in
 * the middle of a block. */
static void expect_error(uint32_t f, spn_platform_file file, uint64_t offset,
                         bool is_error)
{
    spn_platform_completion end;
    uint64_t due_us;

    submit(f, file, offset, 2, 1);
    slow.clock_us = spn_emulator_due_us(emulator);
    CHECK_EQ(emulated.read_poll(emulated.user, &end, &due_us), SPN_OK);
    CHECK_EQ(end.status, is_error ? SPN_ERR_IO : SPN_OK);
}

static void faults_of_a_file_are_at_its_place(void)
{
    const uint64_t block = 32768;
    const uint64_t skip = block - OFFSET_A % block;
    spn_emulator_fault faults[] = {
        {.kind = SPN_EMULATOR_UNREADABLE,
         .file = "a",
         .offset = skip + block,
         .bytes = 1},
        /* The range ends at the end of the file. */
        {.kind = SPN_EMULATOR_UNREADABLE,
         .drive = 1,
         .file = "b",
         .offset = FILE_BYTES - 1,
         .times = 1},
        /* None of these faults has a place on the disc. */
        {.kind = SPN_EMULATOR_UNREADABLE, .drive = 1, .file = "a"},
        {.kind = SPN_EMULATOR_UNREADABLE, .file = "a", .offset = FILE_BYTES},
        {.kind = SPN_EMULATOR_UNREADABLE, .file = "disk/c"},
        {.kind = SPN_EMULATOR_UNREADABLE, .file = "none"},
        {.kind = SPN_EMULATOR_UNREADABLE, .file = "*"},
    };
    spn_emulator_config config = good_config();
    spn_platform_file a;
    spn_platform_file b;

    make_disc();
    config.faults = faults;
    config.fault_count = sizeof faults / sizeof faults[0];
    make_emulator_with(&config);
    a = open_emulated("a").file;
    b = open_emulated("b").file;
    expect_error(0, a, 0, false);
    expect_error(0, a, skip + block - 2, false);
    expect_error(0, a, skip + block - 1, true);
    expect_error(0, a, skip + 2 * block - 1, true);
    expect_error(0, a, skip + 2 * block, false);
    emulated.file_close(emulated.user, a);
    a = open_emulated("a").file;
    expect_error(0, a, skip + block - 2, false);
    expect_error(0, a, skip + block - 1, true);
    expect_error(1, b, 0, false);
    expect_error(1, b, FILE_BYTES - 2, true);
    expect_error(1, b, FILE_BYTES - 2, false);
    expect_error(3, open_emulated("d").file, 0, false);
    expect_error(2, open_emulated("disk/c").file, 0, false);
}

static void statistics_are_counted_per_drive(void)
{
    spn_emulator_stats stats = {.reads = 4711};
    spn_emulator_disc disc = SPN_EMULATOR_DISC_OUT;

    make_emulator();
    submit(1, open_emulated("b").file, 0, 1000, 1);
    CHECK_EQ(spn_emulator_get_stats(emulator, 2, &stats), SPN_ERR_ARG);
    CHECK_EQ(spn_emulator_get_stats(emulator, 0, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_emulator_get_stats(NULL, 0, &stats), SPN_ERR_ARG);
    CHECK_EQ_U(stats.reads, 4711);
    CHECK_EQ(spn_emulator_get_disc(emulator, 2, &disc), SPN_ERR_ARG);
    CHECK_EQ(spn_emulator_get_disc(emulator, 0, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_emulator_get_disc(NULL, 0, &disc), SPN_ERR_ARG);
    CHECK_EQ(disc, SPN_EMULATOR_DISC_OUT);
    CHECK_EQ(spn_emulator_get_stats(emulator, 0, &stats), SPN_OK);
    CHECK_EQ_U(stats.reads, 0);
    CHECK_EQ(spn_emulator_get_stats(emulator, 1, &stats), SPN_OK);
    CHECK_EQ_U(stats.reads, 1);
    CHECK_EQ_U(stats.bytes, 1000);
    CHECK_EQ_U(stats.seeks, 1);
    CHECK_EQ_U(stats.busy_us, model_read(1, OFFSET_B, 1000) - slow.clock_us);
}

/* The wrapped disc has the bytes earlier than the emulated drive. */
static void completed_reads_are_due_without_a_poll(void)
{
    spn_platform_completion end;
    uint64_t first_us;
    uint64_t due_us;
    uint64_t poll_us;

    make_emulator();
    slow.command_us = 1;
    submit(1, open_emulated("b").file, 0, 1000, 7);
    first_us = spn_emulator_due_us(emulator);
    CHECK_EQ_U(first_us, slow.clock_us + 1); /* of the other disc */
    slow.clock_us = first_us;
    due_us = spn_emulator_due_us(emulator);
    CHECK(due_us > first_us);
    CHECK_EQ(emulated.read_poll(emulated.user, &end, &poll_us), SPN_PENDING);
    CHECK_EQ_U(poll_us, due_us);
    slow.clock_us = due_us;
    expect_end(7, SPN_OK, 1000);
}

/* An emulation in real time must report its delays. */
static void late_polls_are_counted(void)
{
    static const uint64_t late_us[] = {0, 700, 2000, 2001, 900, 5000};
    static const uint64_t latest_us[] = {0, 700, 2000, 2001, 2001, 5000};
    static const uint32_t counts[] = {0, 0, 0, 1, 1, 2};
    spn_emulator_stats stats;
    spn_platform_file b;

    make_emulator();
    b = open_emulated("b").file;
    for (uint32_t i = 0; i < 6; i++) {
        submit(1, b, i * 1000, 1000, i + 1);
        slow.clock_us = spn_emulator_due_us(emulator) + late_us[i];
        expect_end(i + 1, SPN_OK, 1000);
        CHECK_EQ(spn_emulator_get_stats(emulator, 1, &stats), SPN_OK);
        CHECK_EQ_U(stats.latest_us, latest_us[i]);
        CHECK_EQ_U(stats.taken_late, counts[i]);
    }
    /* A cancelled read does not count as late. */
    submit(1, b, 0, 1000, 9);
    slow.clock_us += 100000;
    emulated.read_cancel(emulated.user, 9);
    expect_end(9, SPN_OK, 1000);
    CHECK_EQ(spn_emulator_get_stats(emulator, 1, &stats), SPN_OK);
    CHECK_EQ_U(stats.latest_us, 5000);
    CHECK_EQ(spn_emulator_get_stats(emulator, 0, &stats), SPN_OK);
    CHECK_EQ_U(stats.latest_us + stats.taken_late, 0);
}

/* Check that the check of the emulator finds a wrong value of a field. */
#define CHECK_FINDS(type, field, wrong)                                        \
    do {                                                                       \
        const type before = (field);                                           \
                                                                               \
        test_context("%s", #field);                                            \
        CHECK(spn__emulator_check(emulator));                                  \
        (field) = (wrong);                                                     \
        CHECK(!spn__emulator_check(emulator));                                 \
        (field) = before;                                                      \
    } while (0)

static void check_finds_damage(void)
{
    spn_emulator_config config = good_config();
    spn_emulator_fault fault = {.kind = SPN_EMULATOR_BAD_SECTORS,
                                .drive = 1,
                                .offset = OFFSET_B,
                                .bytes = 1,
                                .retries = 2,
                                .times = 1};
    spn_platform_file a;
    spn_platform_file b;

    config.faults = &fault;
    config.fault_count = 1;
    make_disc();
    make_emulator_with(&config);
    slow.command_us = 100;
    a = open_emulated("a").file;
    b = open_emulated("b").file;
    (void)open_emulated("d");
    submit(0, a, 0, 30000, 1);
    submit(1, b, 0, 20000, 2);
    CHECK_FINDS(uint32_t, emulator->files[b].drive, 2);
    CHECK_FINDS(uint64_t, emulator->files[b].bytes, UINT64_MAX);
    CHECK_FINDS(uint64_t, emulator->files[b].offset, UINT64_MAX);
    CHECK_FINDS(uint32_t, emulator->places.file_capacity, 0);
    CHECK_FINDS(uint64_t, emulator->drives[1].drive.head, UINT64_MAX);
    CHECK_FINDS(uint64_t, emulator->drives[1].stats.reads, 7);
    CHECK_FINDS(uint32_t, emulator->drives[1].states[0].hits, 2);
    CHECK_FINDS(uint32_t, emulator->drives[1].states[0].hits_before, 2);
    CHECK_FINDS(uint32_t, emulator->reads.slots[1].completion.tag, 1);
    CHECK_FINDS(uint32_t, emulator->reads.slots[1].arrival, 0);
    CHECK_FINDS(uint64_t, emulator->reads.slots[1].due_us, 5);
    CHECK(spn__emulator_check(emulator));
    emulator->reads.slots[0].state = EMULATED_READ_INSIDE;
    emulator->reads.slots[1].state = EMULATED_READ_INSIDE;
    CHECK(!spn__emulator_check(emulator));
    emulator->reads.slots[0].state = EMULATED_READ_WAITING;
    CHECK(spn__emulator_check(emulator));
}

TEST_MAIN(TEST(emulator_validates_each_field_of_its_config),
          TEST(emulator_validates_its_memory),
          TEST(functions_missing_in_the_wrapped_table_are_missing),
          TEST(files_have_their_places), TEST(files_lie_on_their_drives_media),
          TEST(files_that_cannot_be_placed_are_closed_again),
          TEST(files_are_opened_as_often_as_one_likes),
          TEST(reads_end_at_the_time_of_the_drive),
          TEST(reads_end_when_the_wrapped_platform_is_done),
          TEST(reads_past_the_end_come_short),
          TEST(reads_without_a_drive_take_their_own_time),
          TEST(reads_that_are_not_legal_are_refused),
          TEST(errors_of_the_wrapped_platform_are_passed_on_in_time),
          TEST(faults_end_a_read_without_a_byte),
          TEST(faults_of_a_file_are_at_its_place),
          TEST(statistics_are_counted_per_drive),
          TEST(completed_reads_are_due_without_a_poll),
          TEST(late_polls_are_counted), TEST(check_finds_damage))
