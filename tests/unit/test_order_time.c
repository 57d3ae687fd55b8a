/* test_order_time.c
 *
 * Goal: the model estimates how long a recorded game waits for a drive: the
 * drive's own times for consecutive reads, less for files in reading order,
 * nothing for files that do not exist.
 * Method: traces by hand, compared with the drive's arithmetic and with the
 * simulation through the real runtime.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive.h"
#include "harness.h"
#include "pack/order_time.h"

#include <spindle/drive_profile.h>

#define NONE READ_TRACE_NO_READ
#define MIB UINT64_C(1048576)

static uint64_t serve(struct drive *drive, const struct order_time_read *read,
                      uint64_t now_us)
{
    struct drive_cost cost;
    uint64_t end_us = 0;

    CHECK_EQ(spn__drive_read(drive, read->offset, read->bytes, now_us, &cost,
                             &end_us),
             SPN_OK);
    return end_us;
}

/* The initial state of the model. Returns the time at which the drive is
 * ready. */
static uint64_t spin_up(struct drive *drive, const spn_drive_profile *profile)
{
    const struct order_time_read first = {0, ORDER_TIME_FIRST_BYTES};

    spn__drive_init(drive, profile);
    return serve(drive, &first, 0);
}

static void dependent_reads_take_the_drives_times(void)
{
    static const struct order_time_read reads[] = {
        {.offset = 500 * MIB, .bytes = 70000},
        {.offset = 1, .bytes = 0}, /* left out */
        {.offset = 100 * MIB, .bytes = 3000},
        {.offset = 900 * MIB, .bytes = MIB},
    };
    struct traced_read traced[] = {
        {.at_us = 1000, .after = NONE},
        {.after = 0, .think_us = 200},
        {.after = 1, .think_us = 300},
        {.after = 2, .think_us = 5000, .scene = 1},
    };
    const struct read_trace trace = {.reads = traced, .read_count = 4};
    const spn_drive_profile *profile = spn_drive_profile_find("wii_dvd6x");
    struct drive drive;
    uint64_t begin_us;
    uint64_t first_us;
    uint64_t third_us;
    uint64_t fourth_us;

    begin_us = spin_up(&drive, profile);
    first_us = serve(&drive, &reads[0], begin_us + 1000);
    third_us = serve(&drive, &reads[2], first_us + 500);
    fourth_us = serve(&drive, &reads[3], third_us + 5000);
    /* Each scene counts from its first read. */
    CHECK_EQ_U(order_time_us(&trace, reads, profile),
               (third_us - begin_us - 1000) + (fourth_us - third_us - 5000));
}

static void simultaneous_reads_are_served_in_ascending_order(void)
{
    static const struct order_time_read reads[] = {
        {.offset = 800 * MIB, .bytes = 4096},
        {.offset = 200 * MIB, .bytes = 4096},
        {.offset = 600 * MIB, .bytes = 4096},
        {.offset = 400 * MIB, .bytes = 4096},
        {.offset = 200 * MIB + 9000, .bytes = 4096}, /* close after another */
    };
    static const struct order_time_read upward[] = {
        {.offset = 200 * MIB,
         .bytes = 9000 + 4096}, /* so both are read at once */
        {.offset = 400 * MIB, .bytes = 4096},
        {.offset = 600 * MIB, .bytes = 4096},
        {.offset = 800 * MIB, .bytes = 4096},
    };
    struct traced_read traced[5];
    const struct read_trace trace = {.reads = traced, .read_count = 5};
    const spn_drive_profile *profile = spn_drive_profile_find("x360_dvd12x");
    struct drive drive;
    uint64_t begin_us;
    uint64_t now_us;

    for (uint32_t i = 0; i < 5; i++)
        traced[i] = (struct traced_read){.after = NONE};
    begin_us = spin_up(&drive, profile);
    now_us = begin_us;
    for (uint32_t i = 0; i < 4; i++)
        now_us = serve(&drive, &upward[i], now_us);
    CHECK_EQ_U(order_time_us(&trace, reads, profile), now_us - begin_us);
}

static void reads_of_no_bytes_take_no_time(void)
{
    static const struct order_time_read none = {.bytes = 0};
    struct traced_read traced = {.after = NONE};
    struct read_trace trace = {.reads = &traced, .read_count = 1};
    const spn_drive_profile *profile = spn_drive_profile_find("hdd_5400");

    CHECK_EQ_U(order_time_us(&trace, &none, profile), 0);
    trace.read_count = 0;
    CHECK_EQ_U(order_time_us(&trace, &none, profile), 0);
}

/* The model uses the runtime's scheduler: an urgent read comes before nearer
 * reads, an idle one after all others. */
static void model_uses_priorities(void)
{
    static const struct order_time_read reads[] = {
        {.offset = 200 * MIB, .bytes = 4096},
        {.offset = 400 * MIB, .bytes = 4096},
        {.offset = 600 * MIB, .bytes = 4096},
    };
    static const uint32_t order[] = {2, 1, 0};
    struct traced_read traced[] = {
        {.after = NONE, .priority = SPN_PRIORITY_IDLE},
        {.after = NONE, .priority = SPN_PRIORITY_NORMAL},
        {.after = NONE, .priority = SPN_PRIORITY_URGENT},
    };
    const struct read_trace trace = {.reads = traced, .read_count = 3};
    const spn_drive_profile *profile = spn_drive_profile_find("ps2_dvd4x");
    struct drive drive;
    uint64_t begin_us = spin_up(&drive, profile);
    uint64_t now_us = begin_us;

    for (uint32_t i = 0; i < 3; i++)
        now_us = serve(&drive, &reads[order[i]], now_us);
    CHECK_EQ_U(order_time_us(&trace, reads, profile), now_us - begin_us);
}

TEST_MAIN(TEST(dependent_reads_take_the_drives_times),
          TEST(simultaneous_reads_are_served_in_ascending_order),
          TEST(reads_of_no_bytes_take_no_time), TEST(model_uses_priorities))
