/* test_io_expect.c
 *
 * Goal: the expected time of a read is a typical seek, the command and the
 *   transfer at the file's place, corrected by the learnt errors of the drive.
 *   Without a profile no time is stated.
 * Method: comparison with the drive's arithmetic; results of drives that are
 *   faster or slower than their profile.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_disc.h"
#include "harness.h"
#include "read/engine.h"
#include "read/io_expect.h"
#include "read/io_report.h"
#include "support/io_rig.h"

#define NOTHING 77u

static struct rig rig;
static struct rig_read read_a;
static uint8_t buffer[4096];
static struct io_report report;

/* Open the rig and read from "a", so that its place is known. */
static spn_file open_on(const spn_drive_profile *drive)
{
    struct rig_config config = {0};
    spn_read_desc desc;
    spn_file file;

    config.media[SPN_MEDIUM_HARD_DISK].drive = drive;
    rig_open(&rig, &config);
    file = rig_file(&rig, "a");
    desc = rig_desc(&rig, &read_a, file, 0, 10, buffer);
    rig_start(&rig, &desc, &read_a);
    rig_run(&rig);
    rig_check(&read_a, SPN_OK);
    return file;
}

/* Report a read as the io thread does. */
static struct device_report *report_read(void)
{
    report = (struct io_report){0};
    rig.io->seen = &report;
    return &report.media[SPN_MEDIUM_HARD_DISK];
}

static uint64_t expected(spn_file file, uint64_t bytes)
{
    uint64_t us = NOTHING;

    CHECK(spn__io_expect(rig.io, file, bytes, &us));
    return us;
}

static void a_read_takes_a_seek_and_its_transfer(void)
{
    const spn_drive_profile *p;

    for (uint32_t i = 0; (p = spn_drive_profile_at(i)) != NULL; i++) {
        spn_file file = open_on(p);
        struct forecast forecast;
        uint64_t seek_us;

        test_context("profile %u", i);
        spn__forecast_init(&forecast, p);
        seek_us = spn__drive_typical_us(forecast.profile);
        (void)report_read();
        CHECK_EQ_U(expected(file, 0), p->command_us + seek_us);
        CHECK_EQ_U(expected(file, 1000000) - expected(file, 0),
                   1000000 * UINT64_C(1000000) / spn__drive_rate(p, 0));
        /* Beyond 4 GiB the time does not grow. */
        CHECK_EQ_U(expected(file, UINT64_MAX),
                   expected(file, UINT64_C(1) << 32));
        rig_close(&rig);
    }
}

static void learnt_errors_correct_it(void)
{
    const spn_drive_profile *p = spn_drive_profile_find("x360_dvd12x");
    spn_file file = open_on(p);
    struct device_report *device = report_read();
    uint64_t seek_us = expected(file, 0);
    uint64_t transfer_us = expected(file, 1000000) - seek_us;

    device->rate_scale = 2 * FORECAST_SCALE_ONE;
    CHECK_EQ_U(expected(file, 1000000), seek_us + 2 * transfer_us);
    device->rate_scale = 0; /* no error is learnt yet */
    CHECK_EQ_U(expected(file, 1000000), seek_us + transfer_us);
    for (uint32_t i = 0; i <= FORECAST_BUCKETS; i++)
        device->error_us[i] = 5000;
    CHECK_EQ_U(expected(file, 0), seek_us + 5000);
    /* A corrected seek time is never negative. */
    for (uint32_t i = 0; i <= FORECAST_BUCKETS; i++)
        device->error_us[i] = INT32_MIN;
    CHECK_EQ_U(expected(file, 0), p->command_us);
    rig_close(&rig);
}

static void no_time_is_stated_without_a_profile(void)
{
    spn_file file = open_on(NULL);
    uint64_t us = NOTHING;
    spn_file other;

    CHECK(!spn__io_expect(rig.io, file, 10, &us)); /* no drive */
    rig_close(&rig);
    file = open_on(spn_drive_profile_at(0));
    other = rig_file(&rig, "b");
    /* a file that was never read */
    CHECK(!spn__io_expect(rig.io, other, 10, &us));
    CHECK(!spn__io_expect(rig.io, 0, 10, &us));
    CHECK_EQ_U(us, NOTHING);
    CHECK(spn__io_expect(rig.io, file, 10, &us));
    rig_close(&rig);
}

TEST_MAIN(TEST(a_read_takes_a_seek_and_its_transfer),
          TEST(learnt_errors_correct_it),
          TEST(no_time_is_stated_without_a_profile))
