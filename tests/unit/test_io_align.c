/* test_io_align.c
 *
 * Goal: a device that accepts only aligned reads gets only aligned reads,
 *   from every kind of read, also short and failing ones. A write-behind cache
 *   is invalidated for all bytes written.
 * Method: the disc requires an alignment of 512 or 4096 and checks each
 *   submit. Reads of every kind into buffers and heap blocks.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/io_rig.h"

#include <string.h>

#define READS 12u
#define BYTES 90000u

static struct rig rig;
static struct rig_read reads[READS];
_Alignas(4096) static uint8_t buffers[READS][BYTES + 4096];

static void open_rig(uint32_t align)
{
    rig_open(&rig, &(struct rig_config){.piece_bytes = 16384});
    rig.slow.align_bytes = align;
    rig.slow.command_us = 100;
}

static void begin(uint32_t i, spn_file file, uint64_t offset, uint64_t bytes,
                  uint32_t memory)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file, offset, bytes, buffers[i] + memory);

    rig_start(&rig, &desc, &reads[i]);
}

/* Offset, length and address near the limits of both alignments. */
static void read_random_ranges(const struct slow_fault *fault)
{
    static const uint32_t edges[] = {0, 1, 511, 512, 513, 4095, 4096, 5000};

    for (uint32_t align = 512; align <= 4096; align *= 8) {
        struct test_random random = {align};
        spn_file file;

        open_rig(align);
        if (fault)
            slow_platform_fault(&rig.slow, fault);
        file = rig_file(&rig, "b");
        for (uint32_t round = 0; round < 30; round++) {
            uint64_t offsets[READS];
            uint64_t bytes[READS];

            for (uint32_t i = 0; i < READS; i++) {
                offsets[i] = edges[test_random_below(&random, 8)];
                bytes[i] = 1 + test_random_below(&random, BYTES - 1);
                if (test_random_below(&random, 4) == 0)
                    bytes[i] = (bytes[i] + align - 1) / align * align;
                if (bytes[i] > BYTES)
                    bytes[i] = align;
                if (test_random_below(&random, 4) == 0)
                    offsets[i] = RIG_FILE_BYTES - bytes[i];
                begin(i, file, offsets[i], bytes[i],
                      edges[test_random_below(&random, 7)]);
            }
            rig_run(&rig);
            test_context("align %u, round %u", align, round);
            for (uint32_t i = 0; i < READS; i++)
                rig_check_bytes(&reads[i], 1, offsets[i], bytes[i]);
        }
        rig_close(&rig);
    }
}

static void align_reads_of_every_kind_arrive(void)
{
    read_random_ranges(NULL);
}

static void align_short_reads_are_continued(void)
{
    struct slow_fault fault = {.kind = SLOW_SHORT, .value = 5000};

    read_random_ranges(&fault);
}

static void align_errors_are_retried(void)
{
    struct slow_fault fault = {.kind = SLOW_ERROR, .times = 2};

    read_random_ranges(&fault);
}

/* Each answer ends before the first requested byte. */
static void align_no_progress_ends_the_read(void)
{
    spn_file file;

    open_rig(512);
    file = rig_file(&rig, "b");
    slow_platform_fault(&rig.slow,
                        &(struct slow_fault){.kind = SLOW_SHORT, .value = 100});
    begin(0, file, 300, 50, 0);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_SHORT_READ);
    CHECK_EQ(rig.slow.reads, 3);
    rig_close(&rig);
}

static void align_preempted_reads_continue_inside_a_block(void)
{
    spn_read_desc desc;
    spn_file file;

    open_rig(4096);
    file = rig_file(&rig, "b");
    begin(0, file, 1, 80000, 0);
    for (uint32_t i = 1; i < 5; i++) {
        rig_step_io(&rig);
        desc = rig_desc(&rig, &reads[i], file, 100 * i, 50, buffers[i] + i);
        desc.priority = SPN_PRIORITY_URGENT;
        rig_start(&rig, &desc, &reads[i]);
        CHECK(slow_platform_advance(&rig.slow));
    }
    rig_run(&rig);
    rig_check_bytes(&reads[0], 1, 1, 80000);
    for (uint32_t i = 1; i < 5; i++)
        rig_check_bytes(&reads[i], 1, 100 * i, 50);
    rig_close(&rig);
}

/* Dirty lines are also written back before the device begins. */
static void align_all_written_bytes_are_invalidated(void)
{
    spn_file file;

    open_rig(512);
    file = rig_file(&rig, "b");
    begin(0, file, 0, 3 * 16384, 0);
    rig_run(&rig);
    CHECK_EQ(rig.slow.invalidates, rig.slow.reads);
    CHECK_EQ(rig.slow.flushes, rig.slow.reads);
    CHECK_EQ(rig.slow.flushes_before, rig.slow.flushes);
    rig_close(&rig);
}

TEST_MAIN(TEST(align_reads_of_every_kind_arrive),
          TEST(align_short_reads_are_continued), TEST(align_errors_are_retried),
          TEST(align_no_progress_ends_the_read),
          TEST(align_preempted_reads_continue_inside_a_block),
          TEST(align_all_written_bytes_are_invalidated))
