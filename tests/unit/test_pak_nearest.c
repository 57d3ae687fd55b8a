/* test_pak_nearest.c
 *
 * Goal: a read uses the copy of an entry that is nearest to the head's way. The
 * cost of a choice does not depend on the number of reads with copies: a
 * limited number of them chooses again at a time.
 * Method: hundreds of reads of an entry with a copy at either end of a pak,
 * while the only other read moves the head to the far end.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "read/pak_nearest.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <string.h>

#define READS 600u
#define BYTES 40000u
#define BETWEEN (8u << 20)
#define EACH 16u

static struct rig rig;
static struct rig_read reads[READS];
static struct rig_read others[2];
static struct tiny_pak tiny;
static uint8_t data[BYTES];
static uint8_t between[BETWEEN];
static uint8_t buffers[READS + 2][EACH];
static spn_pak pak;

static void open_rig(void)
{
    static const struct tiny_pak_file files[] = {
        {.name = "near", .data = data, .bytes = BYTES - 1},
        {.name = "hot", .data = data, .bytes = BYTES},
        {.name = "between", .data = between, .bytes = BETWEEN},
        {.name = "far", .data = data, .bytes = BYTES - 2}};
    static const uint32_t layout[] = {0, 1, 2, 1, 3};
    struct rig_config config = {
        .read_count = READS + 2, .job_capacity = READS, .pak_count = 1};

    config.media[SPN_MEDIUM_HARD_DISK].drive =
        spn_drive_profile_find("x360_dvd12x");
    config.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_DEADLINE;
    for (uint32_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(i >> 5 ^ i >> 9);
    tiny_pak_free(&tiny);
    tiny_pak_lay_out(&tiny, files, 4, layout, 5);
    rig_open(&rig, &config);
    slow_platform_add(&rig.slow, "p", tiny.bytes, tiny.size);
    CHECK_EQ(spn__pak_mount(rig.io, "p", &pak), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_OK);
    rig.slow.command_us = 1000;
    memset(reads, 0, sizeof reads);
}

static void begin(struct rig_read *read, const char *name, uint64_t offset,
                  uint32_t buffer)
{
    spn_read_desc desc = rig_desc(&rig, read, 0, offset, EACH, buffers[buffer]);

    CHECK_EQ(spn__io_find_entry(rig.io, pak, name, &desc.entry), SPN_OK);
    rig_start(&rig, &desc, read);
}

/* The number of reads of the entry that use, or used, the second copy. */
static uint32_t count_far(void)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < READS; i++)
        count += rig.io->requests[reads[i].handle & READ_INDEX_MASK].offset >
                 BETWEEN;
    return count;
}

/* The device delivers a piece and gets another. */
static void choose_next(void)
{
    uint32_t before = rig.slow.reads;

    while (rig.slow.reads == before)
        if (!rig_step(&rig))
            rig.slow.clock_us += 100;
}

static void copies_are_chosen_for_a_limited_number_of_reads(void)
{
    open_rig();
    begin(&others[0], "near", 0, READS);
    rig_step_io(&rig);
    for (uint32_t i = 0; i < READS; i++)
        begin(&reads[i], "hot", i * (BYTES / READS), i);
    rig_step_io(&rig);
    /* Where the head is. */
    CHECK_EQ(count_far(), 0);
    begin(&others[1], "far", 0, READS + 1);
    choose_next();
    CHECK_EQ(count_far(), PAK_NEAREST_MAX);
    rig_run(&rig);
    for (uint32_t i = 0; i < READS; i++) {
        rig_check(&reads[i], SPN_OK);
        CHECK_MEM(buffers[i], data + i * (BYTES / READS), EACH);
    }
    (void)spn__pak_unmount(rig.io, pak);
    rig_run(&rig);
    rig_close(&rig);
}

TEST_MAIN(TEST(copies_are_chosen_for_a_limited_number_of_reads))
