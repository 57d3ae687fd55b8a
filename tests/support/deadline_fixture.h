/* deadline_fixture.h - what the tests of the scheduler share: a drive whose
 * every seek takes 105 ms and every megabyte 100, so that costs are plain, and
 * reads that wait for it. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_DEADLINE_FIXTURE_H
#define TESTS_SUPPORT_DEADLINE_FIXTURE_H

#include "harness.h"

#include "schedule/deadline.h"
#include <spindle/drive_profile.h>

#define MS 1000u
#define SECOND_US 1000000u
#define MB 1000000u
#define NOW_US (UINT64_C(1000) * SECOND_US)
#define NO_DEADLINE UINT64_MAX

/* 100 ms and half of a turn of 10 ms; 10 MB/s; no buffer, no command. */
static const spn_drive_profile plain = {
    .name = "plain",
    .about = "every seek is the same",
    .motion = SPN_DRIVE_CLV,
    .distance = SPN_DRIVE_BY_BYTES,
    .layers = 1,
    .layer_bytes = UINT64_C(10000) * MB,
    .radius_in_um = 24000,
    .radius_out_um = 24001,
    .pitch_nm = 740,
    .rate_in = 10 * MB,
    .rate_out = 10 * MB,
    .turns_mhz = 100000,
    .seek = {.unit = 1,
             .near_piece = {100000, 0, 0},
             .far_piece = {100000, 0, 0}},
    .ecc_bytes = 1000,
    .interface_rate = 100 * MB,
    .slow_percent = 100,
};
#define SEEK_US 105000

static struct forecast forecast;
static struct deadline_rules rules;
static struct deadline_scheduler scheduler;
static struct forecast_place head;

static inline void start_with(const spn_drive_profile *profile)
{
    static _Alignas(64) uint8_t memory[65536];
    struct carve carve = {.base = memory, .limit = sizeof memory};
    const char *what = "";

    test_context("%s", profile->name);
    CHECK_EQ(spn_drive_profile_check(profile, &what), SPN_OK);
    rules = spn__deadline_rules;
    spn__forecast_init(&forecast, profile);
    spn__deadline_init(&scheduler, &carve, DEADLINE_ITEMS_MAX, &forecast,
                       &rules);
    CHECK(!carve.is_over);
    spn__forecast_place(&forecast, 0, &head);
    spn__deadline_clear(&scheduler);
}

/* No class has an advantage, nothing hurries, nothing ages, and to miss a
 * deadline costs two seeks. */
static inline void start_bare(const spn_drive_profile *profile)
{
    start_with(profile);
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        rules.classes[i] = (struct deadline_rule){.hard_us = UINT32_MAX,
                                                  .patience_us = 30 * SECOND_US,
                                                  .penalty = 2048};
    rules.soft_us = 50 * MS;
    rules.age = 0;
    rules.backlog = UINT32_MAX;
}

static inline struct deadline_item item_at(uint64_t offset, uint64_t bytes,
                                           enum deadline_class class,
                                           uint64_t deadline_us)
{
    struct deadline_item item = {.arrival_us = NOW_US,
                                 .deadline_us = deadline_us,
                                 .class = class,
                                 .key = 7};

    spn__forecast_range(&forecast, offset, bytes, &item.begin, &item.end);
    return item;
}

static inline struct deadline_item *add(uint64_t offset, uint64_t bytes,
                                        enum deadline_class class,
                                        uint64_t deadline_us)
{
    struct deadline_item item = item_at(offset, bytes, class, deadline_us);

    item.subject = scheduler.count;
    spn__deadline_offer(&scheduler, &item);
    return &scheduler.items[scheduler.count - 1];
}

static inline uint32_t choose(void)
{
    return spn__deadline_choose(&scheduler, &head, NOW_US);
}

#endif
