/* deadline_fixture.c - see deadline_fixture.h. */
/* SPDX-License-Identifier: MIT */
#include "support/deadline_fixture.h"

#include "harness.h"

#include <spindle/drive_profile.h>

const spn_drive_profile plain = {
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

struct forecast forecast;
struct deadline_rules rules;
struct deadline_scheduler scheduler;
struct forecast_place head;

void start_with(const spn_drive_profile *profile)
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

void start_bare(const spn_drive_profile *profile)
{
    start_with(profile);
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        rules.classes[i] =
            (struct deadline_rule){.binding_us = UINT32_MAX,
                                   .age_limit_us = 30 * SECOND_US,
                                   .penalty = 2048};
    rules.tardy_us = 50 * MS;
    rules.age = 0;
    rules.backlog = UINT32_MAX;
}

struct deadline_item item_at(uint64_t offset, uint64_t bytes,
                             enum deadline_class class, uint64_t deadline_us)
{
    struct deadline_item item = {.arrival_us = NOW_US,
                                 .deadline_us = deadline_us,
                                 .class = class,
                                 .key = 7};

    spn__forecast_range(&forecast, offset, bytes, &item.begin, &item.end);
    return item;
}

struct deadline_item *add_item(uint64_t offset, uint64_t bytes,
                               enum deadline_class class, uint64_t deadline_us)
{
    struct deadline_item item = item_at(offset, bytes, class, deadline_us);

    item.subject = scheduler.count;
    spn__deadline_offer(&scheduler, &item);
    return &scheduler.items[scheduler.count - 1];
}

uint32_t choose_item(void)
{
    uint32_t index = spn__deadline_choose(&scheduler, &head, NOW_US);

    CHECK(spn__deadline_check(&scheduler));
    return index;
}
