/* test_io_errors.c
 *
 * Goal: every kind of failure is retried where that can help, and ends only
 *   the read that it hit, once, with its status.
 * Method: the disc fails as the test requests.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/io_fixture.h"

static void io_errors_are_retried_twice(void)
{
    struct slow_fault fault = {.kind = SLOW_ERROR, .path = "a", .times = 2};
    spn_file file;

    rig_open(&rig, NULL);
    file = rig_file(&rig, "a");
    slow_platform_fault(&rig.slow, &fault);
    begin_normal(0, file, 0, 10000);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 10000);
    CHECK_EQ(rig.slow.reads, 5);
    rig_close(&rig);
}

static void io_errors_that_stay_end_the_read(void)
{
    struct slow_fault fault = {.offset = 5000, .bytes = 1, .path = "a"};
    spn_file file;

    for (int i = 0; i < 2; i++) {
        fault.kind = i ? SLOW_REFUSE : SLOW_ERROR;
        rig_open(&rig, NULL);
        file = rig_file(&rig, "a");
        slow_platform_fault(&rig.slow, &fault);
        begin_normal(0, file, 0, 10000);
        begin_normal(1, file, 8192, 100);
        rig_run(&rig);
        rig_check(&reads[0], SPN_ERR_IO);
        CHECK_EQ_U(reads[0].bytes, 4096); /* the previous piece is good */
        rig_check_bytes(&reads[1], 0, 8192, 100);
        CHECK_EQ(rig.slow.reads, 1 + 3 + 1);
        rig_close(&rig);
    }
}

/* Smaller pieces deliver all good bytes before the bad page. An error that
 * heals meanwhile has no effect. */
static void io_errors_keep_the_good_bytes_before_them(void)
{
    struct slow_fault fault = {.path = "a", .offset = 100000, .bytes = 1};
    spn_file file;

    for (uint32_t heals = 0; heals < 9; heals++) {
        for (int i = 0; i < 2; i++) {
            test_context("%s, heals after %u", i ? "refused" : "error", heals);
            fault.kind = i ? SLOW_REFUSE : SLOW_ERROR;
            fault.times = heals;
            rig_open(&rig, &(struct rig_config){.piece_bytes = 65536});
            file = rig_file(&rig, "a");
            slow_platform_fault(&rig.slow, &fault);
            begin_normal(0, file, 0, 120000);
            begin_normal(1, file, 110000, 5000);
            rig_run(&rig);
            rig_check_bytes(&reads[1], 0, 110000, 5000);
            if (heals == 0 || heals > 6) {
                rig_check(&reads[0], SPN_ERR_IO);
                CHECK_EQ_U(reads[0].bytes, 98304);
                /* A read of 64 KiB, failed reads of 64 KiB and 8 KiB, four
                 * reads of 8 KiB, failed reads of 4 KiB. */
                CHECK_EQ(rig.slow.reads, 1 + 3 + 4 + 1 + 3 + 1);
            } else {
                rig_check_bytes(&reads[0], 0, 0, 120000);
            }
            rig_close(&rig);
        }
    }
}

/* Three failures altogether, but never three in a row. */
static void io_retries_restart_with_each_piece(void)
{
    spn_file file;

    rig_open(&rig, NULL);
    file = rig_file(&rig, "a");
    for (uint64_t piece = 0; piece < 3; piece++)
        slow_platform_fault(&rig.slow,
                            &(struct slow_fault){.kind = SLOW_ERROR,
                                                 .offset = piece * 4096,
                                                 .bytes = 1,
                                                 .times = 2});
    begin_normal(0, file, 0, 12288);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 12288);
    CHECK_EQ(rig.slow.reads, 9);
    rig_close(&rig);
}

static void io_short_reads_are_continued(void)
{
    static const uint64_t lengths[] = {1, 7, 100, 4095};
    spn_file file;

    for (uint32_t i = 0; i < 4; i++) {
        rig_open(&rig, NULL);
        file = rig_file(&rig, "a");
        slow_platform_fault(
            &rig.slow,
            &(struct slow_fault){.kind = SLOW_SHORT, .value = lengths[i]});
        begin_normal(0, file, 50, 9000);
        rig_run(&rig);
        test_context("%llu bytes at a time", (unsigned long long)lengths[i]);
        rig_check_bytes(&reads[0], 0, 50, 9000);
        rig_close(&rig);
    }
}

static void io_no_bytes_before_the_end_is_a_short_read(void)
{
    spn_file file;

    rig_open(&rig, NULL);
    file = rig_file(&rig, "a");
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_SHORT,
                                                        .offset = 4096,
                                                        .bytes = 1,
                                                        .value = 0});
    begin_normal(0, file, 0, 9000);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_SHORT_READ);
    CHECK_EQ_U(reads[0].bytes, 4096);
    rig_close(&rig);
}

static void io_open_errors_belong_to_the_read_that_opened(void)
{
    spn_file missing;
    spn_file broken;
    spn_read_desc desc;

    rig_open(&rig, NULL);
    missing = rig_file(&rig, "no such file");
    broken = rig_file(&rig, "b");
    CHECK_EQ(rig.slow.open_attempts, 0); /* no byte was written yet */
    slow_platform_fault(
        &rig.slow,
        &(struct slow_fault){.kind = SLOW_OPEN_ERROR, .path = "b", .times = 1});
    begin_normal(0, missing, 0, 100);
    begin_normal(1, broken, 0, 100);
    begin_normal(2, broken, 100, 100);
    desc = rig_desc(&rig, &reads[3], 0, 0, 100, buffers[3]);
    desc.path = "nor this";
    rig_start(&rig, &desc, &reads[3]);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_NOT_FOUND);
    rig_check(&reads[1], SPN_ERR_IO);
    rig_check_bytes(&reads[2], 1, 100, 100); /* the read is retried */
    rig_check(&reads[3], SPN_ERR_NOT_FOUND);
    rig_close(&rig);
}

static void io_refuses_a_platform_with_a_senseless_alignment(void)
{
    static const uint32_t wrong[] = {3, 8192, 1u << 31};
    spn_file file;

    for (uint32_t i = 0; i < 3; i++) {
        rig_open(&rig, NULL);
        rig.slow.align_bytes = wrong[i];
        file = rig_file(&rig, "a");
        begin_normal(0, file, 0, 100);
        rig_run(&rig);
        rig_check(&reads[0], SPN_ERR_PLATFORM);
        rig_close(&rig);
    }
}

static spn_status (*honest_poll)(void *user, spn_platform_completion *out,
                                 uint64_t *due_us);

/* The disc's answer with a byte count far too large. */
static spn_status report_too_many_bytes(void *user,
                                        spn_platform_completion *out,
                                        uint64_t *due_us)
{
    spn_status status = honest_poll(user, out, due_us);

    if (status == SPN_OK)
        out->bytes = 1u << 30;
    return status;
}

static void io_a_byte_count_beyond_the_request_is_refused(void)
{
    spn_io_stats stats;
    spn_file file;

    rig_open(&rig, NULL);
    honest_poll = rig.slow.table.read_poll;
    rig.slow.table.read_poll = report_too_many_bytes;
    file = rig_file(&rig, "a");
    begin_normal(0, file, 0, 10000);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 10000);
    spn__io_get_stats(rig.io, &stats);
    CHECK_EQ_U(stats.bytes_read, 10000);
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_ERROR});
    begin_normal(0, file, 0, 10000);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_IO);
    CHECK_EQ_U(reads[0].bytes, 0);
    spn__io_get_stats(rig.io, &stats);
    CHECK_EQ_U(stats.bytes_read, 10000);
    rig_close(&rig);
}

TEST_MAIN(TEST(io_errors_are_retried_twice),
          TEST(io_errors_that_stay_end_the_read),
          TEST(io_errors_keep_the_good_bytes_before_them),
          TEST(io_retries_restart_with_each_piece),
          TEST(io_short_reads_are_continued),
          TEST(io_no_bytes_before_the_end_is_a_short_read),
          TEST(io_open_errors_belong_to_the_read_that_opened),
          TEST(io_refuses_a_platform_with_a_senseless_alignment),
          TEST(io_a_byte_count_beyond_the_request_is_refused))
