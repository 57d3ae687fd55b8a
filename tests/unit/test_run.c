/* test_run.c
 *
 * Goal: a run delivers the bytes of every read, for any alignment, gaps and
 * overlaps, and for any part that arrives. It never violates the platform's
 * contract.
 * Method: random reads and limits, with a file in memory as the device,
 * compared byte by byte; then edge cases.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/run.h"

#include <string.h>

#define FILE_BYTES 400000u
#define READS 40u
#define PAGE PIECE_ALIGN_MAX
#define SCRATCH_BYTES (2 * PAGE)

static uint8_t file[FILE_BYTES + PAGE];
static _Alignas(PAGE) uint8_t staging[PIECE_STAGING_BYTES];
static _Alignas(PAGE) uint8_t scratch[SCRATCH_BYTES];
static _Alignas(PAGE) uint8_t memory[READS][40 * PAGE];
static struct run run;

static struct run_setup limits_of(uint32_t align)
{
    return (struct run_setup){.bytes_max = 64 * PAGE,
                              .gap_bytes_max = 16 * PAGE,
                              .align_bytes = align,
                              .staging = staging,
                              .scratch = scratch,
                              .scratch_bytes = SCRATCH_BYTES};
}

struct wanted {
    uint64_t offset;
    uint64_t bytes;
    uint64_t added;
    struct piece_target target;
};

static struct wanted wanted[READS];

static void begin(uint32_t align)
{
    struct run_setup limits = limits_of(align);

    for (uint32_t i = 0; i < FILE_BYTES; i++)
        file[i] = (uint8_t)(i * 2654435761u >> 23);
    memset(memory, 0xee, sizeof memory);
    memset(wanted, 0, sizeof wanted);
    spn__run_begin(&run, &limits);
}

static bool add(uint32_t i, uint64_t offset, uint64_t bytes, uint32_t shift)
{
    struct run_candidate read = {
        .subject = i, .offset = offset, .bytes = bytes};

    wanted[i].offset = offset;
    wanted[i].bytes = bytes;
    wanted[i].target.buffer = memory[i] + shift;
    read.target = wanted[i].target;
    if (!spn__run_add(&run, &read))
        return false;
    wanted[i].added = run.members[run.member_count - 1].bytes;
    CHECK_EQ(run.members[run.member_count - 1].subject, i);
    return true;
}

/* The platform's contract about extents. */
static void check_extents(void)
{
    uint64_t mask = run.setup.align_bytes - 1;
    uint64_t sum = 0;

    CHECK(run.extent_count >= 1);
    CHECK(run.extent_count <= SPN_PLATFORM_EXTENTS_MAX);
    CHECK_EQ_U(run.offset & mask, 0);
    for (uint32_t i = 0; i < run.extent_count; i++) {
        CHECK(run.extents[i].bytes > 0);
        CHECK_EQ_U(run.extents[i].bytes & mask, 0);
        CHECK_EQ_U((uintptr_t)run.extents[i].data & mask, 0);
        sum += run.extents[i].bytes;
    }
    CHECK_EQ_U(sum, run.bytes);
    CHECK(run.bytes - run.gap_bytes <= run.setup.bytes_max);
    CHECK_EQ_U(spn__run_gap_bytes(&run, run.bytes), run.gap_bytes);
}

/* The device delivers the first `arrived` bytes. */
static void arrive(uint32_t arrived)
{
    uint64_t at = run.offset;
    uint64_t left = arrived;

    for (uint32_t i = 0; i < run.extent_count && left > 0; i++) {
        uint64_t part =
            left < run.extents[i].bytes ? left : run.extents[i].bytes;

        memcpy(run.extents[i].data, file + at, (size_t)part);
        at += part;
        left -= part;
    }
    for (uint32_t m = 0; m < run.member_count; m++)
        spn__run_copy(&run, m, spn__run_useful(&run, m, arrived));
}

/* All bytes reported as valid are right, and nothing beyond the requested bytes
 * is written. */
static void check_members(uint32_t arrived)
{
    for (uint32_t m = 0; m < run.member_count; m++) {
        const struct wanted *w = &wanted[run.members[m].subject];
        uint64_t useful = spn__run_useful(&run, m, arrived);

        CHECK(useful <= w->added);
        for (uint64_t i = 0; i < useful; i++)
            if (w->target.buffer[i] != file[w->offset + i])
                test_fail(__FILE__, __LINE__, "member %u, byte %u", m,
                          (unsigned)i);
        for (uint64_t i = w->bytes; i < w->bytes + 64; i++)
            CHECK_EQ(w->target.buffer[i], 0xee);
    }
}

static void run_brings_every_read_its_bytes(void)
{
    static const uint32_t aligns[] = {1, 16, 512, PAGE};
    struct test_random random = {1};
    uint32_t members = 0;
    uint32_t gaps = 0;
    uint32_t copies = 0;

    for (uint32_t n = 0; n < 4000; n++) {
        uint32_t align = aligns[test_random_below(&random, 4)];
        uint64_t offset = test_random_below(&random, 20000);
        uint32_t arrived;

        test_context("case %u", n);
        begin(align);
        run.setup.bytes_max =
            (uint64_t)PAGE * (1 + test_random_below(&random, 64));
        run.setup.place = test_random_below(&random, 100000);
        run.setup.block_bytes = test_random_below(&random, 2) * 32768;
        for (uint32_t i = 0; i < READS; i++) {
            uint32_t size = test_random_below(&random, 3) ? 3000 : 30 * PAGE;
            uint32_t shift = test_random_below(&random, 3)
                                 ? align
                                 : test_random_below(&random, PAGE);

            if (!add(i, offset, 1 + test_random_below(&random, size), shift))
                break;
            CHECK(wanted[i].added > 0);
            if (test_random_below(&random, 2))
                offset += wanted[i].bytes;
            if (test_random_below(&random, 2))
                offset += test_random_below(&random, 20000);
            if (offset > FILE_BYTES - 30 * PAGE)
                break;
        }
        check_extents();
        CHECK(run.member_count >= 1);
        arrived = test_random_below(&random, 2)
                      ? run.bytes
                      : test_random_below(&random, (uint32_t)run.bytes + 1);
        arrive(arrived);
        check_members(arrived);
        if (arrived == run.bytes)
            for (uint32_t m = 0; m < run.member_count; m++)
                CHECK_EQ_U(spn__run_useful(&run, m, arrived),
                           run.members[m].bytes);
        members += run.member_count;
        gaps += run.gap_bytes > 0;
        copies += run.copy_count;
    }
    CHECK(members > 8000 && gaps > 1000 && copies > 2000);
}

static void run_reads_shared_bytes_once(void)
{
    begin(1);
    CHECK(add(0, 1000, 500, 0));
    CHECK(add(1, 1000, 500, 0));
    CHECK(add(2, 1200, 100, 0));
    CHECK(add(3, 1400, 300, 0));
    CHECK_EQ_U(run.bytes, 700);
    CHECK_EQ(run.extent_count, 2);
    check_extents();
    arrive(run.bytes);
    check_members(run.bytes);
    CHECK_EQ_U(spn__run_useful(&run, 3, 600), 200);
    CHECK_EQ_U(spn__run_useful(&run, 3, 400), 0);
}

static void run_bridges_a_gap_up_to_its_limit(void)
{
    begin(1);
    CHECK(add(0, 0, PAGE, 0));
    CHECK(!add(1, PAGE + 16 * PAGE + 1, PAGE, 0));
    CHECK_EQ_U(run.bytes, PAGE);
    CHECK(add(1, PAGE + 16 * PAGE, PAGE, 0));
    CHECK_EQ_U(run.gap_bytes, 16 * PAGE);
    CHECK_EQ(run.extent_count, 10);
    check_extents();
    /* Six extents are left: five for a gap. */
    CHECK(!add(2, 28 * PAGE + 1, PAGE, 0));
    CHECK(add(2, 28 * PAGE, PAGE, 0));
    CHECK_EQ(run.extent_count, SPN_PLATFORM_EXTENTS_MAX);
    CHECK(!add(3, 29 * PAGE, PAGE, 0));
    /* A read without an extent of its own still fits. */
    CHECK_EQ_U(spn__run_gap_bytes(&run, PAGE), 0);
    CHECK_EQ_U(spn__run_gap_bytes(&run, 3 * PAGE / 2), PAGE / 2);
}

static void run_is_full_at_its_byte_limit(void)
{
    begin(1);
    run.setup.bytes_max = 2 * PAGE;
    CHECK(add(0, 0, PAGE, 0));
    CHECK(add(1, 2 * PAGE, 2 * PAGE, 0));
    CHECK_EQ_U(run.members[1].bytes, PAGE);
    CHECK(run.is_full);
    CHECK(!add(2, 4 * PAGE, 1, 0));
    CHECK_EQ_U(run.bytes, 3 * PAGE);
    arrive(run.bytes);
    check_members(run.bytes);
}

/* A read within the run costs nothing. */
static void full_run_still_takes_reads_within_it(void)
{
    for (uint32_t align = 1; align <= 512; align *= 8) {
        begin(align);
        run.setup.bytes_max = 4 * PAGE;
        CHECK(add(0, 0, 9 * PAGE, 0));
        CHECK(run.is_full);
        CHECK(spn__run_takes(&run, 4 * PAGE - 1));
        CHECK(!spn__run_takes(&run, 4 * PAGE));
        CHECK(add(1, 0, 9 * PAGE, 0));
        CHECK(add(2, 100, 50, 17));
        CHECK(add(3, 3 * PAGE, 9 * PAGE, 3));
        CHECK(!add(4, 4 * PAGE, 1, 0));
        CHECK_EQ_U(run.bytes, 4 * PAGE);
        CHECK_EQ_U(run.members[1].bytes, 4 * PAGE);
        CHECK_EQ_U(run.members[2].bytes, 50);
        CHECK_EQ_U(run.members[3].bytes, PAGE);
        check_extents();
        arrive(run.bytes);
        check_members(run.bytes);
    }
}

/* The drive reads whole blocks: a block shared by two pieces is read twice. */
static void run_is_cut_where_a_block_ends(void)
{
    begin(1);
    run.setup.bytes_max = 20 * PAGE;
    run.setup.block_bytes = 8 * PAGE;
    run.setup.place = 5 * PAGE + 7;
    CHECK(add(0, 0, PAGE, 0));
    CHECK(add(1, PAGE, 30 * PAGE, 0));
    CHECK_EQ_U((run.setup.place + run.bytes) % (8 * PAGE), 0);
    CHECK_EQ_U(run.bytes, 19 * PAGE - 7);
    CHECK(run.is_full);
    /* A run that fits is not cut. */
    begin(1);
    run.setup.bytes_max = 20 * PAGE;
    run.setup.block_bytes = 8 * PAGE;
    CHECK(add(0, 0, PAGE, 0));
    CHECK(add(1, PAGE, 19 * PAGE, 0));
    CHECK_EQ_U(run.bytes, 20 * PAGE);
    CHECK_EQ_U(spn__piece_cut(100, 50, 0), 50);
    CHECK_EQ_U(spn__piece_cut(100, 50, 1000), 50);
    CHECK_EQ_U(spn__piece_cut(100, 50, 120), 20);
    CHECK_EQ_U(spn__piece_cut(100, 50, 50), 50);
}

static void run_has_no_gaps_without_a_scratch(void)
{
    begin(1);
    run.setup.scratch = NULL;
    CHECK(add(0, 0, PAGE, 0));
    CHECK(!add(1, PAGE + 1, PAGE, 0));
    CHECK(add(1, PAGE, PAGE, 0));
}

TEST_MAIN(TEST(run_brings_every_read_its_bytes),
          TEST(run_reads_shared_bytes_once),
          TEST(run_bridges_a_gap_up_to_its_limit),
          TEST(run_is_full_at_its_byte_limit),
          TEST(full_run_still_takes_reads_within_it),
          TEST(run_is_cut_where_a_block_ends),
          TEST(run_has_no_gaps_without_a_scratch))
