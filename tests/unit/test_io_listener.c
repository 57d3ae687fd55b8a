/* test_io_listener.c
 *
 * Goal: the listener receives every event of a read, in the order that
 *   spindle/listener.h states, with correct numbers, in every case. Without a
 *   listener no event is made. A listener changes no result.
 * Method: the engine is stepped by hand in virtual time. A log checks the
 *   order of events in every run, and some logs are compared with the full
 *   expected text.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "support/event_log.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <spindle/codec.h>

#include <string.h>

#define READS 24u

static struct event_log event_log;
static struct rig rig;
static struct rig_read reads[READS];
static uint8_t buffers[READS][40000];
static spn_file file_a;

static void open_rig(const struct rig_config *more)
{
    struct rig_config config = {.read_count = READS};

    if (more)
        config = *more;
    event_log_init(&event_log);
    config.listener = &event_log.listener;
    memset(reads, 0, sizeof reads);
    rig_open(&rig, &config);
    rig.slow.command_us = 100;
    rig.slow.bytes_per_second = 40960000; /* one page takes 100 us */
    file_a = rig_file(&rig, "a");
}

static spn_read_desc desc_of(uint32_t i, uint64_t offset, uint64_t bytes)
{
    return rig_desc(&rig, &reads[i], file_a, offset, bytes, buffers[i]);
}

static void begin(uint32_t i, uint64_t offset, uint64_t bytes,
                  spn_priority priority)
{
    spn_read_desc desc = desc_of(i, offset, bytes);

    desc.priority = priority;
    rig_start(&rig, &desc, &reads[i]);
}

static void close_rig(void)
{
    rig_close(&rig);
    event_log_check(&event_log);
}

static void missing_priority_is_that_of_the_task(void)
{
    static const struct {
        spn_task task;
        spn_priority given;
        spn_priority reported;
    } rows[] = {
        {0, SPN_PRIORITY_DEFAULT, SPN_PRIORITY_NORMAL},
        {SPN_TASK_SOUND, SPN_PRIORITY_DEFAULT, SPN_PRIORITY_NORMAL},
        {SPN_TASK_GEOM_CACHE, SPN_PRIORITY_DEFAULT, SPN_PRIORITY_ABOVE_NORMAL},
        {SPN_TASK_GEOM_CACHE, SPN_PRIORITY_IDLE, SPN_PRIORITY_IDLE},
        {SPN_TASK_SOUND, SPN_PRIORITY_URGENT, SPN_PRIORITY_URGENT}};

    open_rig(NULL);
    for (uint32_t i = 0; i < 5; i++) {
        spn_read_desc desc = desc_of(0, 0, 100);

        test_context("row %u", i);
        desc.task = rows[i].task;
        desc.priority = rows[i].given;
        rig_start(&rig, &desc, &reads[0]);
        rig_run(&rig);
        CHECK_EQ(event_log_at(&event_log, SPN_EVENT_QUEUED, i)->priority,
                 rows[i].reported);
    }
    close_rig();
}

/* -- numbers -- */

static void a_read_has_events_from_queue_to_completion(void)
{
    const spn_event *e;
    spn_read_desc desc;

    open_rig(NULL);
    rig.slow.clock_us = 5000;
    desc = desc_of(0, 8192, 9000);
    desc.task = SPN_TASK_SOUND;
    desc.deadline_us = 123456;
    rig_start(&rig, &desc, &reads[0]);
    rig_run(&rig);
    CHECK_STR(event_log_letters(&event_log), "q[][][]aAdD.");
    e = event_log_at(&event_log, SPN_EVENT_QUEUED, 0);
    CHECK_EQ_U(e->now_us, 5000);
    CHECK_EQ_U(e->read, reads[0].handle);
    CHECK_EQ(e->task, SPN_TASK_SOUND);
    CHECK_EQ(e->task_class, SPN_CLASS_SOUND);
    CHECK_EQ(e->priority, SPN_PRIORITY_NORMAL);
    CHECK_EQ(e->medium, SPN_MEDIUM_HARD_DISK);
    CHECK_STR(e->path, "a");
    CHECK_EQ_U(e->offset, 8192);
    CHECK_EQ_U(e->bytes, 9000);
    CHECK_EQ_U(e->start_us, 5000);
    CHECK_EQ_U(e->deadline_us, 123456);
    CHECK(e->user == &reads[0]);
    CHECK_EQ_U(e->key >> 60, SPN_PRIORITY_NORMAL);
    CHECK_EQ_U(e->key & 0x3fffffff, 8);
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t bytes = i < 2 ? 4096 : 9000 - 8192;

        e = event_log_at(&event_log, SPN_EVENT_READ_BEGIN, i);
        CHECK_EQ_U(e->now_us, 5000 + i * 200);
        CHECK_EQ_U(e->position, 8192 + i * 4096);
        CHECK_EQ_U(e->piece_bytes, bytes);
        CHECK_EQ_U(e->seek_bytes, 0);
        e = event_log_at(&event_log, SPN_EVENT_READ_END, i);
        CHECK_EQ_U(e->position, 8192 + i * 4096);
        CHECK_EQ_U(e->piece_bytes, bytes);
        CHECK_EQ(e->status, SPN_OK);
    }
    e = event_log_at(&event_log, SPN_EVENT_COMPLETED, 0);
    CHECK_EQ(e->status, SPN_OK);
    CHECK_EQ_U(e->done_bytes, 9000);
    CHECK_EQ_U(e->now_us, rig.slow.clock_us);
    close_rig();
}

static void the_seek_is_the_distance_from_the_last_end(void)
{
    open_rig(NULL);
    begin(0, 100000, 4096, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    begin(1, 20000, 100, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    begin(2, 20100, 100, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    CHECK_EQ_U(event_log_at(&event_log, SPN_EVENT_READ_BEGIN, 0)->seek_bytes,
               0);
    CHECK_EQ_U(event_log_at(&event_log, SPN_EVENT_READ_BEGIN, 1)->seek_bytes,
               104096 - 20000);
    CHECK_EQ_U(event_log_at(&event_log, SPN_EVENT_READ_END, 1)->seek_bytes,
               104096 - 20000);
    CHECK_EQ_U(event_log_at(&event_log, SPN_EVENT_READ_BEGIN, 2)->seek_bytes,
               0);
    close_rig();
}

/* Each block of a compressed entry has an event, with the read that it belongs
 * to. */
static void blocks_of_paks_have_events(void)
{
    static uint8_t data[100000];
    static const struct tiny_pak_file file = {.name = "packed",
                                              .data = data,
                                              .bytes = sizeof data,
                                              .codec = SPN_CODEC_LZ4};
    static struct tiny_pak tiny;
    struct rig_config config = {.pak_count = 1, .piece_bytes = 65536};
    spn_read_desc desc;
    spn_pak pak;
    uint32_t before;
    const spn_event *e;

    tiny_pak_make(&tiny, &file, 1);
    open_rig(&config);
    slow_platform_add(&rig.slow, "p", tiny.bytes, tiny.size);
    CHECK_EQ(spn__pak_mount(rig.io, "p", &pak), SPN_OK);
    rig_run(&rig);
    before = (uint32_t)strlen(event_log_letters(&event_log));
    desc = desc_of(0, 60000, 40000);
    desc.buffer = buffers[0];
    desc.file = 0;
    desc.task = SPN_TASK_TEXTURE;
    CHECK_EQ(spn__io_find_entry(rig.io, pak, "packed", &desc.entry), SPN_OK);
    rig_start(&rig, &desc, &reads[0]);
    rig_run(&rig);
    CHECK_EQ(reads[0].status, SPN_OK);
    CHECK_STR(event_log_letters(&event_log) + before, "q[]{}{}aAdD.");
    for (uint32_t i = 0; i < 2; i++) {
        e = event_log_at(&event_log, SPN_EVENT_DECOMPRESS_BEGIN, i);
        CHECK_EQ_U(e->read, reads[0].handle);
        CHECK_EQ(e->task, SPN_TASK_TEXTURE);
        CHECK(e->user == &reads[0]);
        CHECK_EQ(e->offset > 0, i);
        CHECK(e->bytes > 0 && e->bytes < 65536);
        e = event_log_at(&event_log, SPN_EVENT_DECOMPRESS_END, i);
        CHECK_EQ(e->status, SPN_OK);
    }
    (void)spn__pak_unmount(rig.io, pak);
    close_rig();
    tiny_pak_free(&tiny);
}

/* -- outcomes of a read -- */

static void an_urgent_read_has_a_preempt_event(void)
{
    const spn_event *e;

    open_rig(NULL);
    begin(0, 0, 12288, SPN_PRIORITY_BELOW_NORMAL);
    rig_step_io(&rig);
    begin(1, 500000, 100, SPN_PRIORITY_URGENT);
    rig_run(&rig);
    CHECK_STR(event_log_letters(&event_log), "q[q]p[]aAdD.[][]aAdD.");
    e = event_log_at(&event_log, SPN_EVENT_PREEMPTED, 0);
    CHECK_EQ_U(e->read, reads[0].handle);
    CHECK_EQ_U(e->by, reads[1].handle);
    CHECK_EQ(e->priority, SPN_PRIORITY_PREEMPTED);
    CHECK_EQ_U(e->key >> 60, SPN_PRIORITY_PREEMPTED);
    close_rig();
}

static struct rig_config by_deadline(void)
{
    struct rig_config config = {.read_count = READS, .piece_bytes = 16384};

    config.media[SPN_MEDIUM_HARD_DISK].drive =
        spn_drive_profile_find("x360_dvd12x");
    config.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_DEADLINE;
    return config;
}

/* The deadline scheduler also preempts for any better read, with one event each
 * time. */
static void the_scheduler_has_a_preempt_event(void)
{
    struct rig_config config = by_deadline();
    const spn_event *e;

    config.piece_bytes = 4096;
    open_rig(&config);
    begin(0, 0, 16384, SPN_PRIORITY_BELOW_NORMAL);
    rig_step_io(&rig);
    begin(1, 500000, 8192, SPN_PRIORITY_URGENT);
    rig_run(&rig);
    CHECK_STR(event_log_letters(&event_log), "q[q]p[][]aAdD.[][][]aAdD.");
    e = event_log_at(&event_log, SPN_EVENT_PREEMPTED, 0);
    CHECK_EQ_U(e->read, reads[0].handle);
    CHECK_EQ_U(e->by, reads[1].handle);
    CHECK_EQ(e->priority, SPN_PRIORITY_BELOW_NORMAL);
    close_rig();
}

static void an_abort_has_events_in_every_state(void)
{
    static const char *const letters[] = {
        "xaAdD.",          /* the read is in the inbox */
        "q[qxaAdD.]aAdD.", /* the read is in the queue behind read 1 */
        "q[]xaAdD.",       /* the read is at the device */
    };

    for (uint32_t state = 0; state < 3; state++) {
        test_context("state %u", state);
        open_rig(NULL);
        if (state == 1) {
            begin(1, 500000, 100, SPN_PRIORITY_URGENT);
            rig_step_io(&rig);
        }
        begin(0, 0, 12288, SPN_PRIORITY_NORMAL);
        if (state > 0)
            rig_step_io(&rig);
        CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
        rig_run(&rig);
        CHECK_STR(event_log_letters(&event_log), letters[state]);
        CHECK_EQ(event_log_at(&event_log, SPN_EVENT_ABORTED, 0)->status,
                 SPN_ERR_ABORTED);
        CHECK_EQ_U(event_log_at(&event_log, SPN_EVENT_ABORTED, 0)->read,
                   reads[0].handle);
        close_rig();
    }
}

static void shutdown_has_events_of_an_abort(void)
{
    open_rig(NULL);
    begin(0, 0, 12288, SPN_PRIORITY_NORMAL);
    begin(1, 500000, 12288, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    close_rig();
    CHECK_EQ(event_log_count(&event_log, SPN_EVENT_ABORTED), 2);
    CHECK_EQ(event_log_at(&event_log, SPN_EVENT_ABORTED, 0)->status,
             SPN_ERR_SHUTDOWN);
}

static void failures_have_events_for_each_piece(void)
{
    static const struct slow_fault error = {.kind = SLOW_ERROR, .times = 1};
    static const struct slow_fault refuse = {.kind = SLOW_REFUSE, .times = 1};

    for (uint32_t i = 0; i < 2; i++) {
        open_rig(NULL);
        slow_platform_fault(&rig.slow, i ? &refuse : &error);
        begin(0, 0, 100, SPN_PRIORITY_NORMAL);
        rig_run(&rig);
        CHECK_STR(event_log_letters(&event_log), "q[][]aAdD.");
        CHECK_EQ(event_log_at(&event_log, SPN_EVENT_READ_END, 0)->status,
                 SPN_ERR_IO);
        CHECK_EQ(event_log_at(&event_log, SPN_EVENT_READ_END, 1)->status,
                 SPN_OK);
        close_rig();
    }
}

static void a_read_without_a_file_is_completed_alone(void)
{
    spn_read_desc desc;

    open_rig(NULL);
    desc = desc_of(0, 0, 100);
    desc.file = 0;
    desc.path = "not there";
    desc.on_async = NULL;
    desc.on_done = NULL;
    rig_start(&rig, &desc, &reads[0]);
    rig_run(&rig);
    CHECK_STR(event_log_letters(&event_log), ".");
    CHECK_EQ(event_log_at(&event_log, SPN_EVENT_COMPLETED, 0)->status,
             SPN_ERR_NOT_FOUND);
    CHECK_EQ(event_log_at(&event_log, SPN_EVENT_COMPLETED, 0)->medium,
             SPN_MEDIUM_COUNT);
    close_rig();
}

static void a_paused_read_is_queued_again(void)
{
    open_rig(NULL);
    begin(0, 0, 100, SPN_PRIORITY_NORMAL);
    begin(1, 5000, 100, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    spn__io_pause(rig.io, SPN_TASK_USER, true);
    rig_run(&rig);
    CHECK_STR(event_log_letters(&event_log), "qq[]aAdD.");
    spn__io_pause(rig.io, SPN_TASK_USER, false);
    rig_run(&rig);
    CHECK_STR(event_log_letters(&event_log), "qq[]aAdD.q[]aAdD.");
    close_rig();
}

static uint32_t refusals;

static spn_status give_storage(const spn_read_want *want, void **buffer)
{
    const struct rig_read *read = want->user;

    if (refusals > 0) {
        refusals--;
        return SPN_NO_MEMORY_NOW;
    }
    *buffer = read->buffer;
    return SPN_OK;
}

static void missing_storage_has_an_event(void)
{
    spn_read_desc desc;

    open_rig(NULL);
    refusals = 1;
    desc = desc_of(0, 0, 100);
    desc.buffer = NULL;
    desc.buffer_bytes = 0;
    desc.on_storage = give_storage;
    rig_start(&rig, &desc, &reads[0]);
    rig_run(&rig);
    CHECK_STR(event_log_letters(&event_log), "qsS");
    CHECK_EQ(event_log_at(&event_log, SPN_EVENT_CALLBACK_END, 0)->status,
             SPN_NO_MEMORY_NOW);
    spn__io_retry_storage(rig.io, true);
    rig_run(&rig);
    CHECK_STR(event_log_letters(&event_log), "qsSqsS[]aAdD.");
    close_rig();
}

static void reads_in_memory_have_events(void)
{
    open_rig(NULL);
    slow_platform_place(&rig.slow, "b", SPN_MEDIUM_MEMORY);
    file_a = rig_file(&rig, "b");
    begin(0, 0, 5000, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    CHECK_STR(event_log_letters(&event_log), "q[][]aAdD.");
    CHECK_EQ(event_log_at(&event_log, SPN_EVENT_READ_BEGIN, 0)->medium,
             SPN_MEDIUM_MEMORY);
    close_rig();
}

static void reads_of_one_run_have_separate_events(void)
{
    struct rig_config config = by_deadline();
    const spn_event *e;

    open_rig(&config);
    begin(0, 0, 4096, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    begin(1, 20000, 3000, SPN_PRIORITY_NORMAL);
    begin(2, 40000, 2000, SPN_PRIORITY_NORMAL);
    begin(3, 30000, 1000, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    CHECK(strncmp(event_log_letters(&event_log), "q[]aAdD.qqq[[[]]]", 17) == 0);
    CHECK_EQ(event_log_at(&event_log, SPN_EVENT_READ_BEGIN, 0)->together, 1);
    for (uint32_t i = 1; i <= 3; i++) {
        static const uint32_t reads_by_place[] = {0, 1, 3, 2};
        static const uint64_t places[] = {0, 20000, 30000, 40000};
        static const uint64_t bytes[] = {0, 3000, 1000, 2000};

        for (uint32_t is_end = 0; is_end < 2; is_end++) {
            e = event_log_at(&event_log,
                             is_end ? SPN_EVENT_READ_END : SPN_EVENT_READ_BEGIN,
                             i);
            CHECK_EQ_U(e->read, reads[reads_by_place[i]].handle);
            CHECK_EQ(e->together, 3);
            CHECK_EQ_U(e->position, places[i]);
            CHECK_EQ_U(e->piece_bytes, bytes[i]);
            CHECK_EQ_U(e->seek_bytes, i == 1 ? 20000 - 4096 : 0);
            CHECK_EQ(e->status, SPN_OK);
        }
    }
    close_rig();
}

static void a_failed_run_has_events_for_each_read(void)
{
    static const struct slow_fault error = {.kind = SLOW_ERROR, .times = 1};
    static const struct slow_fault refuse = {.kind = SLOW_REFUSE, .times = 1};

    for (uint32_t is_refused = 0; is_refused < 2; is_refused++) {
        struct rig_config config = by_deadline();

        open_rig(&config);
        slow_platform_fault(&rig.slow, is_refused ? &refuse : &error);
        begin(0, 20000, 3000, SPN_PRIORITY_NORMAL);
        begin(1, 30000, 1000, SPN_PRIORITY_NORMAL);
        rig_run(&rig);
        CHECK(strncmp(event_log_letters(&event_log), "qq[[]][]", 8) == 0);
        for (uint32_t i = 0; i < 4; i++)
            CHECK_EQ(event_log_at(&event_log, SPN_EVENT_READ_END, i)->status,
                     i < 2 ? SPN_ERR_IO : SPN_OK);
        rig_check_bytes(&reads[0], 0, 20000, 3000);
        rig_check_bytes(&reads[1], 0, 30000, 1000);
        close_rig();
    }
}

/* -- random runs -- */

static void run_at_random(uint64_t seed, bool is_deadline_order)
{
    struct rig_config config = by_deadline();
    struct test_random random = {seed};
    struct slow_fault fault = {.kind = SLOW_ERROR, .nth = 7, .times = 9};

    open_rig(is_deadline_order ? &config : NULL);
    slow_platform_fault(&rig.slow, &fault);
    for (uint32_t round = 0; round < 1500; round++) {
        uint32_t i = test_random_below(&random, READS);

        if (!reads[i].handle || reads[i].done_count) {
            begin(i, test_random_below(&random, 900000),
                  1 + test_random_below(&random, 39999),
                  test_random_below(&random, 3) ? SPN_PRIORITY_NORMAL
                                                : SPN_PRIORITY_URGENT);
        } else if (test_random_below(&random, 3) == 0) {
            CHECK_EQ(spn__io_abort(rig.io, reads[i].handle), SPN_OK);
        }
        if (test_random_below(&random, 20) == 0)
            spn__io_pause(rig.io, SPN_TASK_USER,
                          test_random_below(&random, 4) == 0);
        for (uint32_t k = test_random_below(&random, 6); k > 0; k--)
            rig_step(&rig);
        if (test_random_below(&random, 2))
            slow_platform_advance(&rig.slow);
    }
    close_rig();
}

static void random_runs_keep_the_rules_and_repeat(void)
{
    uint32_t preempted = 0;
    uint32_t together = 0;

    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t hash;

        run_at_random(seed, seed & 1);
        hash = event_log_hash(&event_log);
        CHECK(event_log_count(&event_log, SPN_EVENT_ABORTED) > 0);
        preempted += event_log_count(&event_log, SPN_EVENT_PREEMPTED);
        for (uint32_t n = 0; n < atomic_load_relaxed(&event_log.count); n++)
            together += event_log.events[n].together > 1;
        run_at_random(seed, seed & 1);
        CHECK_EQ_U(event_log_hash(&event_log), hash);
    }
    CHECK(preempted > 0);
    CHECK(together > 0);
}

static uint32_t only_completed;

static void count(void *user, const spn_event *event)
{
    CHECK(user == &only_completed);
    CHECK_EQ(event->kind, SPN_EVENT_COMPLETED);
    only_completed++;
}

static void functions_that_are_missing_are_not_called(void)
{
    spn_listener listener = {.user = &only_completed, .completed = count};
    struct rig_config config = {.listener = &listener};

    only_completed = 0;
    rig_open(&rig, &config);
    memset(&listener, 0xff, sizeof listener); /* the runtime has a copy */
    file_a = rig_file(&rig, "a");
    begin(0, 0, 10000, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 10000);
    CHECK_EQ(only_completed, 1);
    rig_close(&rig);
}

TEST_MAIN(TEST(missing_priority_is_that_of_the_task),
          TEST(a_read_has_events_from_queue_to_completion),
          TEST(the_seek_is_the_distance_from_the_last_end),
          TEST(blocks_of_paks_have_events),
          TEST(an_urgent_read_has_a_preempt_event),
          TEST(the_scheduler_has_a_preempt_event),
          TEST(an_abort_has_events_in_every_state),
          TEST(shutdown_has_events_of_an_abort),
          TEST(failures_have_events_for_each_piece),
          TEST(a_read_without_a_file_is_completed_alone),
          TEST(a_paused_read_is_queued_again),
          TEST(missing_storage_has_an_event), TEST(reads_in_memory_have_events),
          TEST(reads_of_one_run_have_separate_events),
          TEST(a_failed_run_has_events_for_each_read),
          TEST(random_runs_keep_the_rules_and_repeat),
          TEST(functions_that_are_missing_are_not_called))
