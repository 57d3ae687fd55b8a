/* test_api_read.c
 *
 * Goal: every function of spindle/read.h returns the statuses stated there,
 *   and writes its outputs only on SPN_OK. A read ends with the status of its
 *   outcome.
 * Method: a valid description with one field changed at a time. One read for
 *   each outcome. The handle is queried from start to end.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include <string.h>

#define FILE_BYTES 10000u

static struct stage stage;
static uint8_t data[FILE_BYTES];
static uint8_t buffer[FILE_BYTES + 100];
static spn_read_result ended;
static uint32_t ended_count;

static void note(const spn_read_result *result)
{
    ended = *result;
    ended_count++;
}

static void start_stage(void)
{
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", data, sizeof data);
    stage.config.read_count = 4;
    stage.config.file_count = 2;
    stage_start(&stage);
    ended = (spn_read_result){0};
    ended_count = 0;
}

static spn_read_desc good(void)
{
    return (spn_read_desc){.path = "a",
                           .bytes = 100,
                           .buffer = buffer,
                           .buffer_bytes = sizeof buffer,
                           .priority = SPN_PRIORITY_NORMAL,
                           .on_done = note};
}

static spn_status try_start(const spn_read_desc *desc)
{
    spn_read read = 77;
    spn_status status = spn_read_start(stage.rt, desc, &read);

    CHECK_EQ(read == 77, status != SPN_OK);
    return status;
}

static spn_status give(const spn_read_want *want, void **out);

static void read_start_validates_each_field(void)
{
    static char longest[SPN_PATH_BYTES_MAX + 1];
    spn_read read = 77;
    spn_file file;
    spn_file closed;
    spn_read_desc d;

    start_stage();
    memset(longest, 'x', sizeof longest - 1);
    CHECK_EQ(spn_file_open(stage.rt, "a", &file), SPN_OK);
    CHECK_EQ(spn_file_open(stage.rt, "a", &closed), SPN_OK);
    CHECK_EQ(spn_file_close(stage.rt, closed), SPN_OK);
    d = good();
    CHECK_EQ(spn_read_start(NULL, &d, &read), SPN_ERR_ARG);
    CHECK_EQ(spn_read_start(stage.rt, NULL, &read), SPN_ERR_ARG);
    CHECK_EQ(spn_read_start(stage.rt, &d, NULL), SPN_ERR_ARG);
    CHECK_EQ(read, 77);
#define GIVES(expected, change)                                                \
    do {                                                                       \
        test_context("%s", #change);                                           \
        d = good();                                                            \
        change;                                                                \
        CHECK_EQ(try_start(&d), expected);                                     \
        stage_tick(&stage, 1);                                                 \
    } while (0)
    GIVES(SPN_OK, d.bytes = 0);
    GIVES(SPN_OK, d.file = file);
    GIVES(SPN_OK, (d.file = file, d.path = NULL));
    GIVES(SPN_OK, (d.file = file, d.path = longest));
    GIVES(SPN_OK, (d.bytes = 0, d.buffer_bytes = 0, d.buffer = NULL));
    GIVES(SPN_OK, d.buffer_bytes = 100);
    GIVES(SPN_OK, d.offset = UINT64_MAX); /* the read's own status */
    GIVES(SPN_OK, d.priority = SPN_PRIORITY_URGENT);
    GIVES(SPN_OK, d.priority = SPN_PRIORITY_IDLE);
    GIVES(SPN_OK, d.task = (spn_task)(SPN_TASK_COUNT - 1));
    GIVES(SPN_OK, d.on_async = note);
    GIVES(SPN_OK, d.on_done = NULL);
    GIVES(SPN_ERR_ARG, d.path = NULL);
    GIVES(SPN_ERR_ARG, d.path = "");
    GIVES(SPN_ERR_ARG, d.path = longest);
    GIVES(SPN_ERR_ARG, d.buffer = NULL);
    GIVES(SPN_ERR_ARG, d.buffer_bytes = 99);
    GIVES(SPN_ERR_ARG, d.bytes = UINT64_MAX);
    GIVES(SPN_ERR_ARG, d.priority = SPN_PRIORITY_PREEMPTED);
    GIVES(SPN_ERR_ARG, d.priority = (spn_priority)7);
    GIVES(SPN_ERR_ARG, d.task = SPN_TASK_COUNT);
    GIVES(SPN_OK, d.flags = SPN_READ_OVER_BUDGET);
    GIVES(SPN_OK, d.flags = SPN_READ_UNGUARDED);
    GIVES(SPN_ERR_ARG, d.flags = 4);
    GIVES(SPN_ERR_ARG, d.guard_roles = SPN_GUARD_AS_MEDIUM);
    GIVES(SPN_ERR_ARG, d.on_storage = give);
    GIVES(SPN_ERR_ARG, (d.on_storage = give, d.buffer = NULL));
    GIVES(SPN_ERR_HANDLE, d.file = closed);
    GIVES(SPN_ERR_HANDLE, d.file = 1);
    GIVES(SPN_ERR_HANDLE, d.file = UINT32_MAX);
#undef GIVES
    stage_close(&stage);
}

static void table_of_reads_can_be_full(void)
{
    spn_read_desc d = good();

    start_stage();
    stage.disc.seek_us = 1000000;
    for (int i = 0; i < 4; i++)
        CHECK_EQ(try_start(&d), SPN_OK);
    CHECK_EQ(try_start(&d), SPN_FULL);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, 1000000);
    CHECK_EQ(ended_count, 4);
    CHECK_EQ(try_start(&d), SPN_OK);
    stage_close(&stage);
}

static void files_are_validated(void)
{
    static char path[SPN_PATH_BYTES_MAX + 1];
    spn_file files[2];
    spn_file more = 77;

    start_stage();
    memset(path, 'x', sizeof path - 1);
    CHECK_EQ(spn_file_open(NULL, "a", &more), SPN_ERR_ARG);
    CHECK_EQ(spn_file_open(stage.rt, NULL, &more), SPN_ERR_ARG);
    CHECK_EQ(spn_file_open(stage.rt, "a", NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_file_open(stage.rt, "", &more), SPN_ERR_ARG);
    CHECK_EQ(spn_file_open(stage.rt, path, &more), SPN_ERR_ARG);
    path[SPN_PATH_BYTES_MAX - 1] = 0;
    CHECK_EQ(spn_file_open(stage.rt, path, &files[0]), SPN_OK);
    CHECK_EQ(spn_file_open(stage.rt, "a", &files[1]), SPN_OK);
    CHECK_EQ(spn_file_open(stage.rt, "a", &more), SPN_ERR_TABLE_FULL);
    CHECK_EQ(more, 77);
    CHECK_EQ(spn_file_close(NULL, files[0]), SPN_ERR_ARG);
    CHECK_EQ(spn_file_close(stage.rt, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_file_close(stage.rt, UINT32_MAX), SPN_ERR_HANDLE);
    CHECK_EQ(spn_file_close(stage.rt, files[0]), SPN_OK);
    CHECK_EQ(spn_file_close(stage.rt, files[0]), SPN_ERR_HANDLE);
    stage_tick(&stage, 1);
    CHECK_EQ(spn_file_open(stage.rt, "a", &more), SPN_OK);
    CHECK_EQ(spn_file_close(stage.rt, files[0]), SPN_ERR_HANDLE);
    stage_close(&stage);
}

static void a_handle_lives_from_start_to_completion(void)
{
    spn_read_desc d = good();
    spn_read read;

    start_stage();
    stage.disc.command_us = 1000;
    CHECK_EQ(spn_read_start(stage.rt, &d, &read), SPN_OK);
    CHECK_EQ(spn_read_poll(NULL, read), SPN_ERR_ARG);
    CHECK_EQ(spn_read_abort(NULL, read), SPN_ERR_ARG);
    CHECK_EQ(spn_read_poll(stage.rt, read ^ 0x20000), SPN_ERR_HANDLE);
    CHECK_EQ(spn_read_abort(stage.rt, read ^ 0x20000), SPN_ERR_HANDLE);
    CHECK_EQ(spn_read_release(NULL, read), SPN_ERR_ARG);
    CHECK_EQ(spn_read_release(stage.rt, read ^ 0x20000), SPN_ERR_HANDLE);
    CHECK_EQ(spn_read_poll(stage.rt, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_read_abort(stage.rt, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_read_poll(stage.rt, read), SPN_PENDING);
    stage_tick(&stage, 500);
    CHECK_EQ(spn_read_poll(stage.rt, read), SPN_PENDING);
    CHECK_EQ(ended_count, 0);
    for (int i = 0; i < 4; i++)
        stage_tick(&stage, 1000);
    CHECK_EQ(ended_count, 1);
    CHECK_EQ(ended.read, read);
    CHECK_EQ(spn_read_poll(stage.rt, read), SPN_ERR_HANDLE);
    CHECK_EQ(spn_read_abort(stage.rt, read), SPN_ERR_HANDLE);
    /* A read that is aborted twice ends once. */
    CHECK_EQ(spn_read_start(stage.rt, &d, &read), SPN_OK);
    CHECK_EQ(spn_read_abort(stage.rt, read), SPN_OK);
    CHECK_EQ(spn_read_abort(stage.rt, read), SPN_OK);
    for (int i = 0; i < 4; i++)
        stage_tick(&stage, 1000);
    CHECK_EQ(ended_count, 2);
    CHECK_EQ(ended.status, SPN_ERR_ABORTED);
    stage_close(&stage);
}

static void a_read_ends_with_the_status_of_its_outcome(void)
{
    static const struct {
        spn_status status;
        uint64_t offset;
        uint64_t bytes;
        uint64_t buffer_bytes;
        uint64_t arrived;
        bool has_fault;
        enum slow_kind kind;
        uint32_t align_bytes;
    } rows[] = {
        {SPN_OK, 0, 100, 100, 100, false, 0, 0},
        {SPN_OK, 9900, 0, 100, 100, false, 0, 0},
        {SPN_OK, FILE_BYTES, 0, 0, 0, false, 0, 0},
        {SPN_ERR_RANGE, 9900, 101, 200, 0, false, 0, 0},
        {SPN_ERR_RANGE, 9900, 0, 99, 0, false, 0, 0},
        {SPN_ERR_RANGE, FILE_BYTES + 1, 0, 100, 0, false, 0, 0},
        {SPN_ERR_RANGE, UINT64_MAX, 100, 100, 0, false, 0, 0},
        {SPN_ERR_IO, 0, 100, 100, 0, true, SLOW_ERROR, 0},
        {SPN_ERR_IO, 0, 100, 100, 0, true, SLOW_REFUSE, 0},
        {SPN_ERR_IO, 0, 100, 100, 0, true, SLOW_OPEN_ERROR, 0},
        {SPN_ERR_NOT_FOUND, 0, 100, 100, 0, true, SLOW_OPEN_MISSING, 0},
        {SPN_ERR_SHORT_READ, 0, 100, 100, 0, true, SLOW_SHORT, 0},
        {SPN_ERR_PLATFORM, 0, 100, 100, 0, false, 0, 8192},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spn_read_desc d = good();
        spn_io_stats stats;

        test_context("row %zu", i);
        start_stage();
        stage.disc.align_bytes = rows[i].align_bytes;
        if (rows[i].has_fault)
            slow_platform_fault(&stage.disc,
                                &(struct slow_fault){.kind = rows[i].kind});
        d.offset = rows[i].offset;
        d.bytes = rows[i].bytes;
        d.buffer_bytes = rows[i].buffer_bytes;
        d.user = &stage;
        CHECK_EQ(try_start(&d), SPN_OK);
        for (int k = 0; k < 4; k++)
            stage_tick(&stage, 1);
        CHECK_EQ(ended_count, 1);
        CHECK_EQ(ended.status, rows[i].status);
        CHECK_EQ_U(ended.bytes, rows[i].arrived);
        CHECK(ended.buffer == buffer && ended.user == &stage);
        spn_io_get_stats(stage.rt, &stats);
        CHECK_EQ_U(stats.requests_done, rows[i].status == SPN_OK);
        CHECK_EQ_U(stats.requests_failed, rows[i].status != SPN_OK);
        CHECK_EQ_U(stats.pending, 0);
        CHECK_EQ_U(stats.pending_peak, 1);
        stage_close(&stage);
    }
}

/* -- batches and waits -- */

static void a_batch_is_validated_like_its_reads(void)
{
    spn_read_desc descs[2] = {good(), good()};
    spn_read handles[2] = {77, 77};

    start_stage();
    CHECK_EQ(spn_read_start_batch(NULL, descs, 2, handles), SPN_ERR_ARG);
    CHECK_EQ(spn_read_start_batch(stage.rt, NULL, 2, handles), SPN_ERR_ARG);
    CHECK_EQ(spn_read_start_batch(stage.rt, descs, 0, handles), SPN_ERR_ARG);
    CHECK_EQ(spn_read_start_batch(stage.rt, descs, 5, handles), SPN_ERR_ARG);
    CHECK_EQ(spn_read_start_batch(stage.rt, descs, 2, NULL), SPN_ERR_ARG);
    descs[1].path = NULL;
    CHECK_EQ(spn_read_start_batch(stage.rt, descs, 2, handles), SPN_ERR_ARG);
    CHECK(handles[0] == 77 && handles[1] == 77);
    descs[1].path = "none";
    CHECK_EQ(spn_read_start_batch(stage.rt, descs, 2, handles), SPN_OK);
    stage_tick(&stage, 1);
    CHECK_EQ(ended_count, 2);
    stage_close(&stage);
}

/* A clock that advances with each query. */
static uint64_t moving_now_us(void *user)
{
    struct slow_platform *disc = user;

    return disc->clock_us += 10;
}

static void start_moving_stage(void)
{
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", data, sizeof data);
    stage.config.read_count = 4;
    stage.disc.table.now_us = moving_now_us;
    stage.disc.command_us = 1000000;
    stage_start(&stage);
    ended_count = 0;
}

static void a_wait_runs_the_steps_where_there_are_no_threads(void)
{
    spn_read_desc d = good();
    spn_read_result result = {0};
    spn_read read;
    uint64_t start_us;

    start_moving_stage();
    d.on_async = note;
    CHECK_EQ(spn_read_start(stage.rt, &d, &read), SPN_OK);
    CHECK_EQ(spn_read_wait(NULL, read, 0, &result), SPN_ERR_ARG);
    CHECK_EQ(spn_read_wait(stage.rt, 0, 0, &result), SPN_ERR_HANDLE);
    CHECK_EQ(spn_read_wait(stage.rt, read ^ 0x20000, UINT64_MAX, &result),
             SPN_ERR_HANDLE);
    start_us = stage.disc.clock_us;
    CHECK_EQ(spn_read_wait(stage.rt, read, 0, &result), SPN_ERR_TIMEOUT);
    CHECK_EQ(stage.disc.reads, 0);
    CHECK_EQ(spn_read_wait(stage.rt, read, 5000, &result), SPN_ERR_TIMEOUT);
    CHECK(stage.disc.clock_us >= start_us + 5000);
    CHECK(stage.disc.clock_us < start_us + 6000);
    CHECK_EQ(result.read, 0);
    CHECK_EQ(spn_read_wait(stage.rt, read, UINT64_MAX, &result), SPN_OK);
    CHECK_EQ(result.read, read);
    CHECK_EQ(result.status, SPN_OK);
    CHECK_EQ_U(result.bytes, 100);
    CHECK(stage.disc.clock_us < start_us + 1010000);
    CHECK_EQ(spn_read_wait(stage.rt, read, 0, NULL), SPN_OK);
    CHECK_EQ(spn_read_poll(stage.rt, read), SPN_OK);
    stage_tick(&stage, 1);
    CHECK_EQ(ended_count, 2);
    CHECK_EQ(spn_read_wait(stage.rt, read, 0, NULL), SPN_ERR_HANDLE);
    stage_close(&stage);
}

static void a_wait_ends_when_the_clock_stands(void)
{
    spn_read_desc d = good();
    spn_read read;

    start_stage();
    stage.disc.command_us = 1000000;
    CHECK_EQ(spn_read_start(stage.rt, &d, &read), SPN_OK);
    CHECK_EQ(spn_read_wait(stage.rt, read, 1, NULL), SPN_ERR_TIMEOUT);
    CHECK_EQ(spn_read_wait(stage.rt, read, UINT64_MAX, NULL), SPN_ERR_TIMEOUT);
    stage_tick(&stage, 1000000);
    stage_tick(&stage, 1);
    CHECK_EQ(ended_count, 1);
    stage_close(&stage);
}

static spn_status inner_status[2];

static void wait_inside(const spn_read_result *result)
{
    spn_read_desc d = good();
    spn_read read;

    CHECK_EQ(spn_read_start(stage.rt, &d, &read), SPN_OK);
    inner_status[ended_count++] =
        spn_read_wait(stage.rt, read, UINT64_MAX, NULL);
    (void)result;
}

static void a_wait_is_permitted_inside_on_done_only(void)
{
    spn_read_desc d = good();
    spn_read read;

    start_moving_stage();
    stage.disc.command_us = 0;
    d.on_async = wait_inside;
    d.on_done = wait_inside;
    CHECK_EQ(spn_read_start(stage.rt, &d, &read), SPN_OK);
    stage_tick(&stage, 1);
    /* the read would wait for itself */
    CHECK_EQ(inner_status[0], SPN_ERR_STATE);
    CHECK_EQ(inner_status[1], SPN_OK);
    stage_close(&stage);
}

/* -- task types and storage -- */

static void task_types_are_validated(void)
{
    spn_task_class task_class = SPN_CLASS_COUNT;

    start_stage();
    CHECK_EQ(spn_task_pause(NULL, SPN_TASK_SOUND), SPN_ERR_ARG);
    CHECK_EQ(spn_task_resume(NULL, SPN_TASK_SOUND), SPN_ERR_ARG);
    CHECK_EQ(spn_task_pause(stage.rt, (spn_task)0), SPN_ERR_ARG);
    CHECK_EQ(spn_task_pause(stage.rt, SPN_TASK_COUNT), SPN_ERR_ARG);
    CHECK_EQ(spn_task_resume(stage.rt, (spn_task)-1), SPN_ERR_ARG);
    CHECK_EQ(spn_task_set_class(NULL, SPN_TASK_OWN, SPN_CLASS_CLIP),
             SPN_ERR_ARG);
    CHECK_EQ(spn_task_set_class(stage.rt, (spn_task)0, SPN_CLASS_CLIP),
             SPN_ERR_ARG);
    CHECK_EQ(spn_task_set_class(stage.rt, SPN_TASK_OWN, SPN_CLASS_COUNT),
             SPN_ERR_ARG);
    CHECK_EQ(spn_task_get_class(NULL, SPN_TASK_OWN, &task_class), SPN_ERR_ARG);
    CHECK_EQ(spn_task_get_class(stage.rt, SPN_TASK_COUNT, &task_class),
             SPN_ERR_ARG);
    CHECK_EQ(spn_task_get_class(stage.rt, SPN_TASK_OWN, NULL), SPN_ERR_ARG);
    CHECK_EQ(task_class, SPN_CLASS_COUNT);
    CHECK_EQ(spn_task_get_class(stage.rt, SPN_TASK_OWN, &task_class), SPN_OK);
    CHECK_EQ(task_class, SPN_CLASS_BULK);
    CHECK_EQ(spn_task_set_class(stage.rt, SPN_TASK_OWN, SPN_CLASS_CLIP),
             SPN_OK);
    CHECK_EQ(spn_task_get_class(stage.rt, SPN_TASK_OWN, &task_class), SPN_OK);
    CHECK_EQ(task_class, SPN_CLASS_CLIP);
    stage_close(&stage);
}

static void a_paused_type_waits_for_its_resume(void)
{
    spn_read_desc d = good();
    spn_read read;

    start_stage();
    d.task = (spn_task)(SPN_TASK_OWN + 3);
    CHECK_EQ(spn_task_pause(stage.rt, d.task), SPN_OK);
    CHECK_EQ(spn_read_start(stage.rt, &d, &read), SPN_OK);
    for (int i = 0; i < 5; i++)
        stage_tick(&stage, 1000);
    CHECK_EQ(ended_count, 0);
    /* No other thread can resume it, so the wait would never end. */
    CHECK_EQ(spn_read_wait(stage.rt, read, UINT64_MAX, NULL), SPN_ERR_STATE);
    CHECK_EQ(spn_task_resume(stage.rt, d.task), SPN_OK);
    CHECK_EQ(spn_read_wait(stage.rt, read, UINT64_MAX, NULL), SPN_OK);
    stage_tick(&stage, 1);
    CHECK_EQ(ended_count, 1);
    /* A read that is still paused ends with the runtime. */
    CHECK_EQ(spn_task_pause(stage.rt, d.task), SPN_OK);
    CHECK_EQ(spn_read_start(stage.rt, &d, &read), SPN_OK);
    stage_tick(&stage, 1);
    stage_close(&stage);
    CHECK_EQ(ended_count, 2);
    CHECK_EQ(ended.status, SPN_ERR_SHUTDOWN);
}

static uint32_t storage_calls;
static uint32_t refusals;

static spn_status give(const spn_read_want *want, void **out)
{
    CHECK(want->bytes <= sizeof buffer);
    if (storage_calls++ < refusals)
        return SPN_NO_MEMORY_NOW;
    *out = buffer;
    return SPN_OK;
}

static void storage_is_requested_in_every_update(void)
{
    spn_read_desc d = good();

    start_stage();
    spn_read_retry_storage(NULL);
    d.on_storage = give;
    d.bytes = 0;
    d.buffer = NULL;
    d.buffer_bytes = 0;
    storage_calls = 0;
    refusals = 4;
    CHECK_EQ(try_start(&d), SPN_OK);
    for (uint32_t i = 1; i < 4; i++) {
        stage_tick(&stage, 1000);
        CHECK_EQ(storage_calls, i);
    }
    /* Once for each step of an update, not more. */
    spn_read_retry_storage(stage.rt);
    stage_tick(&stage, 1000);
    CHECK_EQ(storage_calls, 4);
    CHECK_EQ(ended_count, 0);
    stage_tick(&stage, 1000);
    stage_tick(&stage, 1000);
    CHECK_EQ(ended_count, 1);
    CHECK_EQ(ended.status, SPN_OK);
    CHECK_EQ_U(ended.bytes, FILE_BYTES);
    CHECK(ended.buffer == buffer);
    stage_close(&stage);
}

static void statistics_need_an_output(void)
{
    spn_io_stats stats;

    start_stage();
    memset(&stats, 0x5a, sizeof stats);
    spn_io_get_stats(stage.rt, NULL);
    spn_io_get_stats(NULL, &stats);
    CHECK_EQ_U(stats.pending, 0x5a5a5a5a);
    spn_io_get_stats(stage.rt, &stats);
    CHECK_EQ_U(stats.pending, 0);
    stage_close(&stage);
}

static void statistics_cover_a_medium_or_a_type(void)
{
    spn_medium_stats medium = {.waiting = 77};
    spn_task_stats task = {.open = 77};
    spn_read_desc d = good();

    start_stage();
    CHECK_EQ(spn_io_get_medium_stats(NULL, SPN_MEDIUM_OPTICAL, &medium),
             SPN_ERR_ARG);
    CHECK_EQ(spn_io_get_medium_stats(stage.rt, SPN_MEDIUM_COUNT, &medium),
             SPN_ERR_ARG);
    CHECK_EQ(spn_io_get_medium_stats(stage.rt, SPN_MEDIUM_OPTICAL, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_io_get_task_stats(NULL, SPN_TASK_OWN, &task), SPN_ERR_ARG);
    CHECK_EQ(spn_io_get_task_stats(stage.rt, (spn_task)0, &task), SPN_ERR_ARG);
    CHECK_EQ(spn_io_get_task_stats(stage.rt, SPN_TASK_COUNT, &task),
             SPN_ERR_ARG);
    CHECK_EQ(spn_io_get_task_stats(stage.rt, SPN_TASK_OWN, NULL), SPN_ERR_ARG);
    CHECK(medium.waiting == 77 && task.open == 77);
    d.task = SPN_TASK_OWN;
    CHECK_EQ(try_start(&d), SPN_OK);
    CHECK_EQ(spn_io_get_task_stats(stage.rt, SPN_TASK_OWN, &task), SPN_OK);
    CHECK_EQ(task.open, 1);
    stage_tick(&stage, 1);
    CHECK_EQ(spn_io_get_task_stats(stage.rt, SPN_TASK_OWN, &task), SPN_OK);
    CHECK_EQ(task.open, 0);
    CHECK_EQ_U(task.done, 1);
    CHECK_EQ(spn_io_get_medium_stats(stage.rt, SPN_MEDIUM_HARD_DISK, &medium),
             SPN_OK);
    CHECK_EQ_U(medium.total.bytes, 100);
    spn_io_reset_stats(NULL);
    spn_io_reset_stats(stage.rt);
    CHECK_EQ(spn_io_get_medium_stats(stage.rt, SPN_MEDIUM_HARD_DISK, &medium),
             SPN_OK);
    CHECK_EQ_U(medium.total.bytes, 0);
    stage_close(&stage);
}

TEST_MAIN(TEST(read_start_validates_each_field),
          TEST(table_of_reads_can_be_full), TEST(files_are_validated),
          TEST(a_handle_lives_from_start_to_completion),
          TEST(a_read_ends_with_the_status_of_its_outcome),
          TEST(a_batch_is_validated_like_its_reads),
          TEST(a_wait_runs_the_steps_where_there_are_no_threads),
          TEST(a_wait_ends_when_the_clock_stands),
          TEST(a_wait_is_permitted_inside_on_done_only),
          TEST(task_types_are_validated),
          TEST(a_paused_type_waits_for_its_resume),
          TEST(storage_is_requested_in_every_update),
          TEST(statistics_need_an_output),
          TEST(statistics_cover_a_medium_or_a_type))
