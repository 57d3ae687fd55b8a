/* test_guard.c
 *
 * Goal: a wait is reported as invalid exactly when spindle/guard.h states so.
 *   Such a wait returns the same result, is counted, kept, notified and logged
 *   once, and takes as long as the config states. Marks belong to their
 *   threads.
 * Method: a runtime in virtual time, with one rule changed at a time; threads
 *   simulated by a platform table of the test; real threads, for the thread
 *   sanitizer.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "host/host.h"
#include "observe/guards.h"
#include "support/event_log.h"
#include "support/stage.h"
#include "support/tiny_pak.h"

#include <pthread.h>
#include <spindle/emulator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES 10000u
#define READ_US 1000000u

static struct stage stage;
static struct event_log event_log;
static uint8_t data[FILE_BYTES];
static uint8_t buffer[FILE_BYTES];
static uint32_t logged;

/* A clock that advances with each query. */
static uint64_t moving_now_us(void *user)
{
    struct slow_platform *disc = user;

    return disc->clock_us += 10;
}

static void count_log(void *user, spn_log_level level, const char *text)
{
    (void)user;
    CHECK_EQ(level, SPN_LOG_WARNING);
    CHECK(strlen(text) > 0);
    logged++;
}

static void prepare(uint32_t invalid_wait_us)
{
    event_log_init(&event_log);
    logged = 0;
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "movie", data, sizeof data);
    slow_platform_add(&stage.disc, "screen", data, sizeof data);
    slow_platform_place(&stage.disc, "movie", SPN_MEDIUM_OPTICAL);
    slow_platform_place(&stage.disc, "screen", SPN_MEDIUM_OPTICAL);
    stage.disc.table.now_us = moving_now_us;
    stage.disc.table.log = count_log;
    stage.disc.command_us = READ_US;
    stage.config.listener = &event_log.listener;
    stage.config.invalid_wait_us = invalid_wait_us;
}

static void start(uint32_t invalid_wait_us)
{
    prepare(invalid_wait_us);
    stage_start(&stage);
}

static uint32_t count_invalid(void)
{
    spn_io_stats stats;

    spn_io_get_stats(stage.rt, &stats);
    return stats.invalid_waits;
}

static uint32_t invalid_waits(void)
{
    uint32_t count = count_invalid();

    CHECK_EQ_U(event_log_count(&event_log, SPN_EVENT_INVALID_WAIT), count);
    return count;
}

/* Roles and flags of the following reads. */
static uint32_t read_roles;
static uint32_t read_flags;

static spn_read begin(spn_file file, const char *path)
{
    spn_read_desc desc = {.file = file,
                          .flags = read_flags,
                          .guard_roles = read_roles,
                          .path = path,
                          .offset = 500,
                          .bytes = 1000,
                          .buffer = buffer,
                          .buffer_bytes = sizeof buffer,
                          .priority = SPN_PRIORITY_NORMAL,
                          .task = SPN_TASK_VIDEO,
                          .user = &stage};
    spn_read read = 0;

    CHECK_EQ(spn_read_start(stage.rt, &desc, &read), SPN_OK);
    return read;
}

/* Read and wait on the only thread. Return whether the wait was invalid. */
static bool is_invalid(spn_file file, const char *path)
{
    uint32_t before = invalid_waits();
    spn_read_result result;
    spn_read read = begin(file, path);

    CHECK_EQ(spn_read_wait(stage.rt, read, UINT64_MAX, &result), SPN_OK);
    CHECK_EQ(result.status, SPN_OK);
    CHECK_EQ_U(result.bytes, 1000);
    stage_tick(&stage, 1);
    CHECK(invalid_waits() - before <= 1);
    return invalid_waits() != before;
}

static void guards_refuse_bad_arguments(void)
{
    spn_invalid_wait last = {.read = 77};
    spn_file file;

    start(0);
    CHECK_EQ(spn_guard_thread(NULL, 1), SPN_ERR_ARG);
    CHECK_EQ(spn_guard_thread(stage.rt, 0x80000000u), SPN_ERR_ARG);
    CHECK_EQ(spn_guard_medium(NULL, SPN_MEDIUM_OPTICAL, 1), SPN_ERR_ARG);
    CHECK_EQ(spn_guard_medium(stage.rt, SPN_MEDIUM_COUNT, 1), SPN_ERR_ARG);
    CHECK_EQ(spn_guard_medium(stage.rt, SPN_MEDIUM_OPTICAL, 0x80000000u),
             SPN_ERR_ARG);
    CHECK_EQ(spn_file_open(stage.rt, "movie", &file), SPN_OK);
    CHECK_EQ(spn_guard_file(NULL, file, 1), SPN_ERR_ARG);
    CHECK_EQ(spn_guard_file(stage.rt, file, 0x80000001u), SPN_ERR_ARG);
    CHECK_EQ(spn_guard_file(stage.rt, 0, 1), SPN_ERR_HANDLE);
    CHECK_EQ(spn_guard_file(stage.rt, file, 1), SPN_OK);
    CHECK_EQ(spn_file_close(stage.rt, file), SPN_OK);
    CHECK_EQ(spn_guard_file(stage.rt, file, 1), SPN_ERR_HANDLE);
    CHECK_EQ(spn_guard_get_last(NULL, &last), SPN_ERR_ARG);
    CHECK_EQ(spn_guard_get_last(stage.rt, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_guard_get_last(stage.rt, &last), SPN_EMPTY);
    CHECK_EQ(last.read, 77);
    stage_close(&stage);
}

static void a_wait_is_invalid_by_medium_and_by_file(void)
{
    spn_file file;

    start(0);
    CHECK_EQ(spn_file_open(stage.rt, "screen", &file), SPN_OK);
    /* Without a mark or without a guard, no wait is invalid. */
    CHECK_EQ(spn_guard_medium(stage.rt, SPN_MEDIUM_OPTICAL, SPN_ROLE_MAIN),
             SPN_OK);
    CHECK(!is_invalid(0, "movie"));
    CHECK_EQ(spn_guard_thread(stage.rt, SPN_ROLE_RENDER), SPN_OK);
    CHECK(!is_invalid(0, "movie"));
    CHECK_EQ(spn_guard_thread(stage.rt, SPN_ROLE_RENDER | SPN_ROLE_MAIN),
             SPN_OK);
    CHECK(is_invalid(0, "movie"));
    CHECK(is_invalid(file, NULL));
    /* The guard of a file overrides the guard of its medium. */
    CHECK_EQ(spn_guard_file(stage.rt, file, 0), SPN_OK);
    CHECK(!is_invalid(file, NULL));
    CHECK(is_invalid(0, "screen"));
    CHECK_EQ(spn_guard_file(stage.rt, file, SPN_GUARD_AS_MEDIUM), SPN_OK);
    CHECK(is_invalid(file, NULL));
    CHECK_EQ(spn_guard_medium(stage.rt, SPN_MEDIUM_OPTICAL, 0), SPN_OK);
    CHECK(!is_invalid(file, NULL));
    CHECK_EQ(spn_guard_file(stage.rt, file, SPN_ROLE_RENDER), SPN_OK);
    CHECK(is_invalid(file, NULL));
    CHECK_EQ(spn_guard_thread(stage.rt, 0), SPN_OK);
    CHECK(!is_invalid(file, NULL));
    /* The next file in this table entry begins without a guard. */
    CHECK_EQ(spn_guard_thread(stage.rt, SPN_ROLE_RENDER), SPN_OK);
    CHECK_EQ(spn_file_close(stage.rt, file), SPN_OK);
    stage_tick(&stage, 1);
    CHECK_EQ(spn_file_open(stage.rt, "screen", &file), SPN_OK);
    CHECK(!is_invalid(file, NULL));
    CHECK_EQ(logged, 1);
    stage_close(&stage);
}

static void guard_optical(void)
{
    CHECK_EQ(spn_guard_medium(stage.rt, SPN_MEDIUM_OPTICAL, SPN_ROLE_MAIN | 64),
             SPN_OK);
    CHECK_EQ(spn_guard_thread(stage.rt, SPN_ROLE_MAIN | SPN_ROLE_RENDER),
             SPN_OK);
}

static void only_waiting_threads_are_notified(void)
{
    spn_invalid_wait last;
    spn_read read;

    start(0);
    guard_optical();
    read = begin(0, "movie");
    CHECK_EQ(spn_read_wait(stage.rt, read, 0, NULL), SPN_ERR_TIMEOUT);
    CHECK_EQ(invalid_waits(), 0);
    CHECK_EQ(spn_read_wait(stage.rt, read, 5000, NULL), SPN_ERR_TIMEOUT);
    CHECK_EQ(invalid_waits(), 1);
    CHECK_EQ(spn_guard_get_last(stage.rt, &last), SPN_OK);
    CHECK_EQ(last.status, SPN_ERR_TIMEOUT);
    CHECK(last.waited_us >= 5000 && last.waited_us < 6000);
    CHECK_EQ(spn_read_wait(stage.rt, read, UINT64_MAX, NULL), SPN_OK);
    CHECK_EQ(invalid_waits(), 2);
    /* The read has ended, so no thread waits. */
    CHECK_EQ(spn_read_wait(stage.rt, read, UINT64_MAX, NULL), SPN_OK);
    CHECK_EQ(invalid_waits(), 2);
    CHECK_EQ(spn_guard_get_last(stage.rt, &last), SPN_OK);
    CHECK_EQ(last.read, read);
    CHECK_EQ(last.task, SPN_TASK_VIDEO);
    CHECK_EQ(last.medium, SPN_MEDIUM_OPTICAL);
    CHECK_EQ(last.roles, SPN_ROLE_MAIN);
    CHECK_EQ_U(last.offset, 500);
    CHECK_EQ(last.status, SPN_OK);
    CHECK(last.user == &stage);
    CHECK(last.waited_us > READ_US / 2 && last.waited_us < 2 * READ_US);
    stage_tick(&stage, 1);
    CHECK_EQ(spn_read_wait(stage.rt, read, UINT64_MAX, NULL), SPN_ERR_HANDLE);
    CHECK_EQ(invalid_waits(), 2);
    CHECK_EQ(event_log_at(&event_log, SPN_EVENT_INVALID_WAIT, 1)->roles,
             SPN_ROLE_MAIN);
    CHECK_EQ(event_log_at(&event_log, SPN_EVENT_INVALID_WAIT, 1)->medium,
             SPN_MEDIUM_OPTICAL);
    spn_io_reset_stats(stage.rt);
    event_log_init(&event_log);
    CHECK_EQ(invalid_waits(), 0);
    stage_close(&stage);
}

/* Reads by path, by file and by the path of an entry. */
static void a_read_overrides_the_guards(void)
{
    spn_read_desc desc = {.path = "movie"};
    spn_read read;
    spn_file file;

    start(0);
    CHECK_EQ(spn_file_open(stage.rt, "screen", &file), SPN_OK);
    CHECK_EQ(spn_guard_thread(stage.rt, SPN_ROLE_MAIN), SPN_OK);
    CHECK(!is_invalid(0, "movie"));
    read_roles = SPN_ROLE_RENDER;
    CHECK(!is_invalid(0, "movie"));
    read_roles = SPN_ROLE_RENDER | SPN_ROLE_MAIN;
    CHECK(is_invalid(0, "movie"));
    CHECK_EQ(spn_guard_file(stage.rt, file, 0), SPN_OK);
    CHECK(is_invalid(file, NULL));
    read_roles = 0;
    CHECK(!is_invalid(file, NULL));
    guard_optical();
    CHECK(is_invalid(0, "movie"));
    read_flags = SPN_READ_UNGUARDED;
    CHECK(!is_invalid(0, "movie"));
    CHECK_EQ(spn_guard_file(stage.rt, file, SPN_ROLE_MAIN), SPN_OK);
    CHECK(!is_invalid(file, NULL));
    read_flags = 0;
    CHECK(is_invalid(file, NULL));
    desc.guard_roles = SPN_GUARD_AS_MEDIUM;
    CHECK_EQ(spn_read_start(stage.rt, &desc, &read), SPN_ERR_ARG);
    stage_close(&stage);
}

static void a_wait_for_an_entry_covers_its_own_bytes(void)
{
    static const struct tiny_pak_file file = {
        .name = "movie", .data = data, .bytes = sizeof data, .copy_count = 2};
    static struct tiny_pak pak;
    spn_invalid_wait last;
    spn_pak mounted;

    tiny_pak_make(&pak, &file, 1);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "p", pak.bytes, pak.size);
    slow_platform_place(&stage.disc, "p", SPN_MEDIUM_OPTICAL);
    stage.disc.table.now_us = moving_now_us;
    stage.config.pak_count = 1;
    stage_start(&stage);
    CHECK_EQ(spn_pak_mount(stage.rt, "p", &mounted), SPN_OK);
    while (spn_pak_get_status(stage.rt, mounted, NULL) == SPN_PENDING)
        stage_tick(&stage, STAGE_TICK_US);
    guard_optical();
    stage.disc.command_us = READ_US;
    CHECK_EQ(spn_read_wait(stage.rt, begin(0, "movie"), UINT64_MAX, NULL),
             SPN_OK);
    CHECK_EQ(spn_guard_get_last(stage.rt, &last), SPN_OK);
    CHECK_EQ_U(last.offset, 500);
    read_flags = SPN_READ_UNGUARDED;
    CHECK_EQ(spn_read_wait(stage.rt, begin(0, "movie"), UINT64_MAX, NULL),
             SPN_OK);
    CHECK_EQ(count_invalid(), 1);
    read_flags = 0;
    CHECK_EQ(spn_guard_medium(stage.rt, SPN_MEDIUM_OPTICAL, 0), SPN_OK);
    read_roles = SPN_ROLE_MAIN;
    CHECK_EQ(spn_read_wait(stage.rt, begin(0, "movie"), UINT64_MAX, NULL),
             SPN_OK);
    CHECK_EQ(count_invalid(), 2);
    read_roles = 0;
    stage_close(&stage);
    tiny_pak_free(&pak);
}

static void an_invalid_wait_stalls_for_the_stated_time(void)
{
    uint64_t before_us;

    for (uint32_t is_guarded = 0; is_guarded < 2; is_guarded++) {
        start(3000000);
        if (is_guarded)
            guard_optical();
        before_us = stage.disc.clock_us;
        CHECK_EQ(is_invalid(0, "movie"), is_guarded);
        if (is_guarded)
            CHECK(stage.disc.clock_us - before_us >= 3000000);
        else
            CHECK(stage.disc.clock_us - before_us < 2000000);
        CHECK(stage.disc.clock_us - before_us < 3100000);
        stage_close(&stage);
    }
}

/* On the Wii's drive a command takes 0.6 ms, a third of the stroke 126 ms, half
 * a rotation 8.8 ms, and the transfer of 1000 bytes almost nothing. The wrapped
 * disc answers at once. */
static void an_invalid_wait_stalls_as_its_drive_would(void)
{
    for (uint32_t has_drive = 0; has_drive < 2; has_drive++) {
        uint64_t before_us;
        uint64_t took_us;

        prepare(SPN_INVALID_WAIT_DRIVE);
        stage.disc.command_us = 1;
        if (has_drive)
            stage.config.media[SPN_MEDIUM_OPTICAL].drive =
                spn_drive_profile_find("wii_dvd6x");
        stage_start(&stage);
        guard_optical();
        before_us = stage.disc.clock_us;
        CHECK(is_invalid(0, "movie"));
        took_us = stage.disc.clock_us - before_us;
        test_context("%u us", (unsigned)took_us);
        if (has_drive)
            CHECK(took_us >= 120000 && took_us < 150000);
        else
            CHECK(took_us < 10000);
        stage_close(&stage);
    }
}

/* The emulated drive continues at its head, which takes almost no time. Such a
 * wait is also invalid. */
static void an_invalid_wait_stalls_as_the_emulated_drive_would(void)
{
    const spn_emulator_drive drive = {.profile =
                                          spn_drive_profile_find("wii_dvd6x")};
    const spn_emulator_place anywhere = {"*", 0, 0};
    spn_emulator_config config = {.drives = &drive,
                                  .drive_count = 1,
                                  .places = &anywhere,
                                  .place_count = 1};
    spn_emulator *emulator;
    spn_platform table;
    void *memory;
    size_t bytes;

    for (uint32_t k = 0; k < 3; k++) {
        /* 0 is the default. */
        static const uint32_t waits[] = {0, SPN_INVALID_WAIT_DRIVE, 1};
        uint64_t before_us;
        uint64_t took_us;

        prepare(waits[k]);
        stage.disc.command_us = 1;
        config.platform = &stage.disc.table;
        bytes = spn_emulator_bytes(&config);
        memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
        CHECK_EQ(spn_emulator_init(&config, memory, bytes, &emulator, &table),
                 SPN_OK);
        stage.config.platform = &table;
        stage_start(&stage);
        CHECK_EQ(spn_read_wait(stage.rt, begin(0, "movie"), UINT64_MAX, NULL),
                 SPN_OK);
        guard_optical();
        before_us = stage.disc.clock_us;
        CHECK(is_invalid(0, "movie"));
        took_us = stage.disc.clock_us - before_us;
        test_context("%u: %u us", k, (unsigned)took_us);
        if (waits[k] != 1)
            CHECK(took_us >= 120000 && took_us < 150000);
        else
            CHECK(took_us < 20000);
        stage_close(&stage);
        free(memory);
    }
}

/* -- marks -- */

static uint64_t fake_thread;

static uint64_t fake_thread_current(void *user)
{
    (void)user;
    return fake_thread;
}

static spn_status never_started(void *user, const spn_thread_desc *desc,
                                uint64_t *thread)
{
    (void)user;
    (void)desc;
    (void)thread;
    return SPN_ERR_PLATFORM;
}

static void marks_belong_to_their_threads(void)
{
    spn_platform platform = {.thread_start = never_started,
                             .thread_current = fake_thread_current};
    struct guard guard;

    spn__guard_init(&guard, &platform, 0);
    fake_thread = 900;
    CHECK_EQ(spn__guard_mark(&guard, 0), SPN_OK); /* uses no slot */
    for (uint32_t i = 1; i <= SPN_GUARD_THREADS_MAX; i++) {
        fake_thread = i;
        CHECK_EQ_U(spn__guard_roles(&guard), 0);
        CHECK_EQ(spn__guard_mark(&guard, i), SPN_OK);
    }
    fake_thread = 500;
    CHECK_EQ(spn__guard_mark(&guard, 1), SPN_ERR_TABLE_FULL);
    CHECK_EQ_U(spn__guard_roles(&guard), 0);
    fake_thread = 3;
    CHECK_EQ(spn__guard_mark(&guard, 0), SPN_OK);
    for (uint32_t i = 1; i <= SPN_GUARD_THREADS_MAX; i++) {
        fake_thread = i;
        CHECK_EQ_U(spn__guard_roles(&guard), i == 3 ? 0 : i);
    }
    /* Its slot belongs to another thread. */
    fake_thread = 500;
    CHECK_EQ(spn__guard_mark(&guard, 77), SPN_OK);
    CHECK_EQ_U(spn__guard_roles(&guard), 77);
    fake_thread = 3;
    CHECK_EQ(spn__guard_mark(&guard, 1), SPN_ERR_TABLE_FULL);
    CHECK_EQ_U(spn__guard_roles(&guard), 0);
    fake_thread = UINT64_C(500) << 32 | 500;
    CHECK_EQ_U(spn__guard_roles(&guard), 0);
    platform.thread_current = NULL;
    CHECK_EQ(spn__guard_mark(&guard, 1), SPN_ERR_PLATFORM);
}

/* -- real threads -- */

#define ROUNDS 60u
#define STALL_US 1000u

struct reader {
    pthread_t thread;
    uint32_t roles;
    uint32_t ended;
    uint64_t waited_us;
    uint8_t bytes[FILE_BYTES];
};

static spn_runtime *rt;
static spn_platform posix;
static char path[512];

static bool is_good_with(struct guard *guard, struct atomic_u32 *word,
                         uint32_t value)
{
    uint32_t before = atomic_load_relaxed(word);
    bool is_good;

    atomic_store_relaxed(word, value);
    is_good = spn__guard_check(guard);
    atomic_store_relaxed(word, before);
    return is_good;
}

static void check_finds_damaged_marks(void)
{
    static struct guard guard;
    spn_platform platform = {.thread_current = fake_thread_current};

    spn__guard_init(&guard, &platform, 0);
    CHECK(spn__guard_check(&guard));
    for (fake_thread = 1; fake_thread <= 3; fake_thread++)
        CHECK_EQ(spn__guard_mark(&guard, 4), SPN_OK);
    fake_thread = 2;
    CHECK_EQ(spn__guard_mark(&guard, 0), SPN_OK);
    CHECK(spn__guard_check(&guard));
    CHECK(!is_good_with(&guard, &guard.marks[0].roles, 0));
    CHECK(!is_good_with(&guard, &guard.marks[1].roles, 4));
    CHECK(!is_good_with(&guard, &guard.marks[2].thread[0], 1));
    CHECK(!is_good_with(&guard, &guard.marks[2].state, 1));
    CHECK(!is_good_with(&guard, &guard.has_marks, 0));
    CHECK(!is_good_with(&guard, &guard.is_locked, 1));
    CHECK(spn__guard_check(&guard));
}

static void *read_and_wait(void *argument)
{
    struct reader *r = argument;
    spn_read_desc desc = {.path = path,
                          .bytes = FILE_BYTES,
                          .buffer = r->bytes,
                          .buffer_bytes = FILE_BYTES,
                          .priority = SPN_PRIORITY_NORMAL};

    if (spn_guard_thread(rt, r->roles) != SPN_OK)
        return NULL;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        spn_invalid_wait last;
        uint64_t before_us;
        spn_read read;

        if (spn_read_start(rt, &desc, &read) != SPN_OK)
            continue;
        before_us = posix.now_us(posix.user);
        if (spn_read_wait(rt, read, UINT64_MAX, NULL) == SPN_OK)
            r->ended++;
        r->waited_us += posix.now_us(posix.user) - before_us;
        (void)spn_guard_get_last(rt, &last);
    }
    spn_guard_thread(rt, 0);
    return NULL;
}

static void threads_are_distinguished(void)
{
    static struct reader readers[3];
    void *state = malloc(host_platform_bytes());
    spn_config config = {.platform = &posix,
                         .heap_bytes = 65536,
                         .read_count = 3 * ROUNDS,
                         .invalid_wait_us = STALL_US,
                         .listener = &event_log.listener};
    spn_io_stats stats;
    uint32_t event_total;
    size_t bytes;
    void *memory;
    FILE *out;

    snprintf(path, sizeof path, "%s/data", test_temp());
    out = fopen(path, "wb");
    CHECK(out && fwrite(data, 1, sizeof data, out) == sizeof data);
    CHECK_EQ(fclose(out), 0);
    event_log_init(&event_log);
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &posix), SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    CHECK_EQ(spn_guard_medium(rt, SPN_MEDIUM_HARD_DISK, SPN_ROLE_MAIN), SPN_OK);
    for (uint32_t i = 0; i < 3; i++) {
        /* 0: unmarked, 1: main, 2: render, which may wait */
        readers[i].roles = i;
        CHECK_EQ(pthread_create(&readers[i].thread, NULL, read_and_wait,
                                &readers[i]),
                 0);
    }
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(pthread_join(readers[i].thread, NULL), 0);
    spn_io_get_stats(rt, &stats);
    spn_shutdown(rt);
    event_total = event_log_count(&event_log, SPN_EVENT_INVALID_WAIT);
    CHECK_EQ_U(stats.invalid_waits, event_total);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(readers[i].ended, ROUNDS);
    CHECK(event_total <= ROUNDS);
    CHECK(readers[1].waited_us >= (uint64_t)event_total * STALL_US);
    for (uint32_t i = 0; i < event_total; i++)
        CHECK_EQ(event_log_at(&event_log, SPN_EVENT_INVALID_WAIT, i)->roles,
                 SPN_ROLE_MAIN);
    event_log_check(&event_log);
    free(memory);
    free(state);
}

static void the_emulator_passes_thread_numbers_on(void)
{
    const spn_emulator_drive drive = {.profile =
                                          spn_drive_profile_find("wii_dvd6x")};
    spn_platform inner;
    spn_emulator_config config = {
        .platform = &inner, .drives = &drive, .drive_count = 1};
    spn_emulator *emulator;
    spn_platform table;
    size_t bytes;
    void *memory;

    stage_init(&stage, NULL);
    for (uint32_t knows = 0; knows < 2; knows++) {
        inner = stage.disc.table;
        inner.thread_current = knows ? fake_thread_current : NULL;
        bytes = spn_emulator_bytes(&config);
        memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
        CHECK_EQ(spn_emulator_init(&config, memory, bytes, &emulator, &table),
                 SPN_OK);
        CHECK_EQ(table.thread_current != NULL, knows);
        fake_thread = 4711;
        if (knows)
            CHECK_EQ_U(table.thread_current(table.user), 4711);
        free(memory);
    }
}

TEST_MAIN(TEST(guards_refuse_bad_arguments),
          TEST(a_wait_is_invalid_by_medium_and_by_file),
          TEST(only_waiting_threads_are_notified),
          TEST(a_wait_for_an_entry_covers_its_own_bytes),
          TEST(a_read_overrides_the_guards),
          TEST(an_invalid_wait_stalls_for_the_stated_time),
          TEST(an_invalid_wait_stalls_as_its_drive_would),
          TEST(an_invalid_wait_stalls_as_the_emulated_drive_would),
          TEST(marks_belong_to_their_threads), TEST(check_finds_damaged_marks),
          TEST(threads_are_distinguished),
          TEST(the_emulator_passes_thread_numbers_on))
