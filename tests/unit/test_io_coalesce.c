/* test_io_coalesce.c
 *
 * Goal: compressed entries that lie side by side in a pak are read in one
 *   run. Each read of a run ends once with its own bytes, as it would alone. An
 *   aborted, unreadable or damaged read affects no other.
 * Method: the fixture's disc with a pak of eight entries; the disc's log and
 *   faults.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_wait.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "read/read_stats.h"
#include "read/unpack_reads.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <stdio.h>
#include <string.h>

#define ENTRIES 8u
#define LONG_BYTES 200000u
#define READS 24u
#define KIB 1024u

/* The entry that does not compress is stored. */
#define STORED 3u
static const uint32_t sizes[ENTRIES] = {9000, 3000,  LONG_BYTES, 8000,
                                        500,  66000, 100,        70000};

static struct rig rig;
static struct rig_read reads[READS];
static uint8_t buffers[READS][LONG_BYTES + 64];
static uint8_t data[ENTRIES][LONG_BYTES];
static struct tiny_pak tiny;
static spn_pak pak;

static void make_pak(void)
{
    static char names[ENTRIES][4];
    struct tiny_pak_file files[ENTRIES];
    struct test_random random = {5};

    for (uint32_t e = 0; e < ENTRIES; e++) {
        (void)snprintf(names[e], sizeof names[e], "e%u", e);
        for (uint32_t i = 0; i < sizes[e]; i++)
            data[e][i] = e == STORED || i / 50 % 2
                             ? (uint8_t)test_random_below(&random, 256)
                             : (uint8_t)(e + (i >> 6));
        files[e] = (struct tiny_pak_file){.name = names[e],
                                          .data = data[e],
                                          .bytes = sizes[e],
                                          .codec = SPN_CODEC_LZ4};
    }
    tiny_pak_free(&tiny);
    tiny_pak_make(&tiny, files, ENTRIES);
}

static void open_with(uint32_t piece_bytes, uint32_t align_bytes)
{
    struct rig_config config = {.read_count = READS,
                                .job_capacity = 256,
                                .piece_bytes = piece_bytes,
                                .unpack_bytes = 4 * (piece_bytes + 8 * KIB),
                                .pak_count = 1};

    config.media[SPN_MEDIUM_HARD_DISK].drive =
        spn_drive_profile_find("x360_dvd12x");
    config.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_DEADLINE;
    make_pak();
    rig_open(&rig, &config);
    slow_platform_add(&rig.slow, "p", tiny.bytes, tiny.size);
    rig.slow.align_bytes = align_bytes;
    rig.slow.command_us = 1000;
    memset(buffers, 0, sizeof buffers);
    CHECK_EQ(spn__pak_mount(rig.io, "p", &pak), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_OK);
}

static void close_rig(void)
{
    (void)spn__pak_unmount(rig.io, pak);
    rig_run(&rig);
    CHECK(spn__unpack_is_idle(&rig.io->unpack));
    CHECK_EQ(rig.io->unpack.lender, IO_NONE);
    CHECK_EQ_U(spn__budget_bytes(&rig.io->budget), 0);
    rig_close(&rig);
}

static void begin_part(uint32_t i, uint32_t entry, uint64_t offset,
                       uint64_t bytes)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], 0, offset, bytes, buffers[i]);
    char name[4];

    (void)snprintf(name, sizeof name, "e%u", entry);
    CHECK_EQ(spn__io_find_entry(rig.io, pak, name, &desc.entry), SPN_OK);
    desc.buffer_bytes = LONG_BYTES;
    desc.on_async = NULL;
    desc.on_done = rig_end;
    rig_start(&rig, &desc, &reads[i]);
}

static void begin(uint32_t i, uint32_t entry)
{
    begin_part(i, entry, 0, sizes[entry]);
}

static void check_part(uint32_t i, uint32_t entry, uint64_t offset,
                       uint64_t bytes)
{
    rig_check(&reads[i], SPN_OK);
    CHECK_EQ_U(reads[i].bytes, bytes);
    CHECK_MEM(buffers[i], data[entry] + offset, bytes);
    CHECK_EQ(buffers[i][bytes], 0);
    CHECK(reads[i].fault.what == NULL);
}

static void check(uint32_t i, uint32_t entry)
{
    check_part(i, entry, 0, sizes[entry]);
}

/* The offset of an entry's block in the file. */
static uint64_t place_of(uint32_t entry, uint32_t number,
                         struct pak_block *block)
{
    const struct pak_index *index = &rig.io->paks.mounts[0].index;
    struct pak_content content;
    char name[4];

    (void)snprintf(name, sizeof name, "e%u", entry);
    content = spn__pak_content(
        index, spn__pak_entry(index, spn__pak_find(index, name, 2)).content);
    *block = spn__pak_block(index, &content, number);
    return spn__pak_copy_offset(index, content.first_copy, NULL) +
           block->offset;
}

/* Start reads of all entries up to `count`, the last one first, and let the
 * device begin. */
static void begin_all(uint32_t count)
{
    for (uint32_t e = count; e-- > 0;)
        begin(e, e);
    rig_step_io(&rig);
}

/* -- bytes -- */

static void join_reads_neighbours_in_one_run(void)
{
    static const uint32_t aligns[] = {1, 512, 2048, 4096};

    for (uint32_t a = 0; a < 4; a++) {
        uint32_t before;
        spn_medium_stats stats;

        test_context("aligned to %u", aligns[a]);
        open_with(256 * KIB, aligns[a]);
        before = rig.slow.reads;
        begin_all(4);
        /* All reads share the memory of one. */
        CHECK_EQ(rig.slow.reads, before + 1);
        CHECK_EQ(rig.io->unpack.memory_count - rig.io->unpack.free.count, 1);
        CHECK_EQ(UNPACK_BORROWER_COUNT - rig.io->unpack.borrowers.count, 2);
        rig_run(&rig);
        CHECK_EQ(rig.slow.reads, before + 1);
        spn__io_get_medium_stats(rig.io, SPN_MEDIUM_HARD_DISK, &stats);
        CHECK_EQ_U(stats.total.coalesced, 3);
        for (uint32_t e = 0; e < 4; e++)
            check(e, e);
        close_rig();
    }
}

/* Parts of entries, each read twice, some of which begin before. */
static void join_delivers_the_bytes_of_any_range(void)
{
    static const uint32_t aligns[] = {1, 512, 4096};
    static const uint32_t pieces[] = {4096, 32 * KIB, 64 * KIB, 256 * KIB};

    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t p = 0; p < 4; p++)
            for (uint32_t round = 0; round < 8; round++) {
                struct test_random random = {round + 1};
                uint32_t entries[READS] = {0};
                uint64_t offsets[READS] = {0};
                uint64_t bytes[READS];

                test_context("align %u, piece %u, round %u", aligns[a],
                             pieces[p], round);
                open_with(pieces[p], aligns[a]);
                for (uint32_t i = 0; i < READS; i++) {
                    entries[i] = i % 2 ? entries[i - 1]
                                       : test_random_below(&random, ENTRIES);
                    offsets[i] =
                        i % 2 ? offsets[i - 1]
                              : test_random_below(&random, sizes[entries[i]]);
                    bytes[i] = 1 + test_random_below(
                                       &random, (uint32_t)(sizes[entries[i]] -
                                                           offsets[i]));
                    begin_part(i, entries[i], offsets[i], bytes[i]);
                    for (uint32_t s = test_random_below(&random, 3); s > 0; s--)
                        (void)rig_step(&rig);
                }
                rig_run(&rig);
                for (uint32_t i = 0; i < READS; i++)
                    check_part(i, entries[i], offsets[i], bytes[i]);
                close_rig();
            }
}

/* The next run begins with the first read that did not fit. */
static void join_leaves_nothing_behind(void)
{
    uint32_t first;

    open_with(64 * KIB, 1);
    first = rig.slow.reads;
    begin_all(ENTRIES);
    rig_run(&rig);
    for (uint32_t e = 0; e < ENTRIES; e++)
        check(e, e);
    CHECK(rig.slow.reads - first < ENTRIES);
    for (uint32_t i = first + 1; i < rig.slow.reads; i++)
        CHECK(rig.slow.log[i].offset >=
              rig.slow.log[i - 1].offset + rig.slow.log[i - 1].bytes);
    close_rig();
}

/* No worker runs. Reads without a slot wait until one is free. */
static void join_waits_for_slots(void)
{
    open_with(32 * KIB, 1);
    for (uint32_t i = 0; i < READS; i++)
        begin(i, i % 2 ? 1 : 4);
    while (slow_platform_due_us(&rig.slow) != UINT64_MAX) {
        rig_step_io(&rig);
        (void)slow_platform_advance(&rig.slow);
    }
    rig_run(&rig);
    for (uint32_t i = 0; i < READS; i++)
        check(i, i % 2 ? 1 : 4);
    close_rig();
}

/* -- outcomes of runs -- */

static void join_ends_aborted_reads_alone(void)
{
    for (uint32_t mask = 1; mask < 16; mask++) {
        uint32_t before;

        test_context("mask %u", mask);
        open_with(256 * KIB, 1);
        before = rig.slow.reads;
        begin_all(4);
        for (uint32_t e = 0; e < 4; e++)
            if (mask >> e & 1)
                CHECK_EQ(spn__io_abort(rig.io, reads[e].handle), SPN_OK);
        rig_run(&rig);
        CHECK_EQ(rig.slow.cancels, mask == 15);
        CHECK_EQ(rig.slow.reads, before + 1);
        for (uint32_t e = 0; e < 4; e++)
            if (mask >> e & 1)
                rig_check(&reads[e], SPN_ERR_ABORTED);
            else
                check(e, e);
        close_rig();
    }
}

/* Some blocks are with the workers. Their memory is free after the last one. */
static void join_ends_reads_that_are_aborted_later(void)
{
    open_with(256 * KIB, 1);
    begin_all(4);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    CHECK_EQ(rig.io->unpack.memory_count - rig.io->unpack.free.count, 1);
    CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_ABORTED);
    for (uint32_t e = 1; e < 4; e++)
        check(e, e);
    close_rig();
}

static void join_ends_a_run_at_shutdown(void)
{
    open_with(256 * KIB, 1);
    begin_all(4);
    spn__io_shutdown(rig.io);
    rig_run(&rig);
    for (uint32_t e = 0; e < 4; e++)
        rig_check(&reads[e], SPN_ERR_SHUTDOWN);
    CHECK_EQ(rig.slow.cancels, 1);
    rig_close(&rig);
}

/* Each entry in turn has the bad byte. */
static void join_fails_only_unreadable_entries(void)
{
    static const enum slow_kind kinds[] = {SLOW_ERROR, SLOW_REFUSE};

    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t bad = 0; bad < 4; bad++) {
            struct pak_block block;
            struct slow_fault fault = {
                .kind = kinds[k], .path = "p", .bytes = 1};

            test_context("kind %u, entry %u", k, bad);
            open_with(256 * KIB, 1);
            fault.offset = place_of(bad, 0, &block) + 1;
            slow_platform_fault(&rig.slow, &fault);
            begin_all(4);
            rig_run(&rig);
            for (uint32_t e = 0; e < 4; e++)
                if (e == bad)
                    rig_check(&reads[e], SPN_ERR_IO);
                else
                    check(e, e);
            close_rig();
        }
}

static void join_fails_only_damaged_entries(void)
{
    for (uint32_t bad = 0; bad < 4; bad++) {
        struct pak_block block;
        struct slow_fault fault = {.kind = SLOW_FLIP, .path = "p", .bytes = 1};

        test_context("entry %u", bad);
        open_with(256 * KIB, 1);
        fault.offset = place_of(bad, 0, &block) + 5;
        fault.value = 8 * fault.offset + 2;
        slow_platform_fault(&rig.slow, &fault);
        begin_all(4);
        rig_run(&rig);
        for (uint32_t e = 0; e < 4; e++) {
            if (e != bad) {
                check(e, e);
                continue;
            }
            rig_check(&reads[e], SPN_ERR_CHECKSUM);
            CHECK_EQ_U(reads[e].fault.offset, fault.offset - 5);
        }
        close_rig();
    }
}

/* The bytes of a short run are used, and the rest is read again. */
static void join_keeps_the_bytes_of_a_short_run(void)
{
    for (uint64_t arrived = 0; arrived <= 120000; arrived += 1300) {
        struct slow_fault fault = {.kind = SLOW_SHORT, .value = arrived};

        test_context("%u bytes", (unsigned)arrived);
        open_with(256 * KIB, 1);
        fault.nth = rig.slow.reads + 1;
        slow_platform_fault(&rig.slow, &fault);
        begin_all(4);
        rig_run(&rig);
        for (uint32_t e = 0; e < 4; e++)
            check(e, e);
        close_rig();
    }
}

static void join_lets_urgent_reads_between(void)
{
    spn_read_desc desc;
    uint32_t before;

    open_with(32 * KIB, 1);
    begin_all(ENTRIES);
    before = rig.slow.reads;
    desc = rig_desc(&rig, &reads[ENTRIES], rig_file(&rig, "c"), 1000, 100,
                    buffers[ENTRIES]);
    desc.priority = SPN_PRIORITY_URGENT;
    rig_start(&rig, &desc, &reads[ENTRIES]);
    rig_run(&rig);
    CHECK_EQ_U(rig.slow.log[before].bytes, 100);
    rig_check_bytes(&reads[ENTRIES], 2, 1000, 100);
    for (uint32_t e = 0; e < ENTRIES; e++)
        check(e, e);
    close_rig();
    tiny_pak_free(&tiny);
}

TEST_MAIN(TEST(join_reads_neighbours_in_one_run),
          TEST(join_delivers_the_bytes_of_any_range),
          TEST(join_leaves_nothing_behind), TEST(join_waits_for_slots),
          TEST(join_ends_aborted_reads_alone),
          TEST(join_ends_reads_that_are_aborted_later),
          TEST(join_ends_a_run_at_shutdown),
          TEST(join_fails_only_unreadable_entries),
          TEST(join_fails_only_damaged_entries),
          TEST(join_keeps_the_bytes_of_a_short_run),
          TEST(join_lets_urgent_reads_between))
