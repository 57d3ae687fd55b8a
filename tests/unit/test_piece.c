/* test_piece.c
 *
 * Goal: every planned piece has the device's alignment, makes progress, and
 * writes exactly the bytes of its read to the target. Aligned ranges are read
 * directly.
 * Method: a device in memory that serves the plan fully or partly, with many
 * offsets, lengths, alignments and memory addresses; guard bytes around the
 * target.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_view.h"
#include "harness.h"
#include "read/piece.h"

#include <string.h>

#define FILE_BYTES 300000u
#define GUARD 4096u

_Alignas(4096) static uint8_t staging[PIECE_STAGING_BYTES];
_Alignas(4096) static uint8_t arena[GUARD + 2 * FILE_BYTES + 2 * GUARD];

static uint8_t byte_at(uint64_t offset)
{
    return (uint8_t)(offset * 2654435761u >> 11);
}

/* Fill the piece's extents as a device would. Returns the number of bytes. */
static uint64_t serve(const struct piece *piece, uint32_t align, uint64_t most)
{
    uint64_t offset = piece->offset;
    uint64_t left = FILE_BYTES - offset;
    uint64_t sum = 0;

    CHECK_EQ_U(piece->offset % align, 0);
    CHECK(piece->extent_count > 0 &&
          piece->extent_count <= SPN_PLATFORM_EXTENTS_MAX);
    for (uint32_t i = 0; i < piece->extent_count; i++) {
        CHECK(piece->extents[i].bytes > 0);
        CHECK_EQ_U(piece->extents[i].bytes % align, 0);
        CHECK_EQ_U((uintptr_t)piece->extents[i].data % align, 0);
        sum += piece->extents[i].bytes;
    }
    CHECK_EQ_U(sum, piece->bytes);
    if (most > left)
        most = left;
    if (most > sum)
        most = sum;
    sum = 0;
    for (uint32_t i = 0; i < piece->extent_count; i++)
        for (uint32_t k = 0; k < piece->extents[i].bytes && sum < most; k++)
            ((uint8_t *)piece->extents[i].data)[k] = byte_at(offset + sum++);
    return most;
}

struct totals {
    uint32_t pieces;
    uint32_t staged;
};

/* Read [offset, offset + bytes) into `target`, piece by piece. */
static struct totals read_all(struct piece_target *target, uint64_t offset,
                              uint64_t bytes, uint32_t align,
                              uint32_t bytes_max, uint64_t most)
{
    struct totals totals = {0, 0};
    uint64_t done = 0;

    while (done < bytes) {
        struct piece_range range = {offset + done, done,  bytes - done,
                                    bytes_max,     align, staging};
        struct piece piece;
        uint64_t useful;

        spn__piece_plan(&piece, target, &range);
        CHECK(piece.bytes <= bytes_max);
        CHECK(piece.useful > 0 && piece.useful <= bytes - done);
        useful = spn__piece_finish(&piece, target, staging,
                                   serve(&piece, align, most));
        CHECK(useful > 0 && useful <= piece.useful);
        done += useful;
        totals.pieces++;
        totals.staged += piece.is_staged;
    }
    return totals;
}

static struct totals read_into(uint8_t *buffer, uint64_t offset, uint64_t bytes,
                               uint32_t align, uint32_t bytes_max,
                               uint64_t most)
{
    struct piece_target target = {.buffer = buffer};
    struct totals totals;

    memset(buffer - GUARD, 0xee, (size_t)bytes + 2 * GUARD);
    totals = read_all(&target, offset, bytes, align, bytes_max, most);
    for (uint64_t i = 0; i < bytes; i++)
        CHECK_EQ(buffer[i], byte_at(offset + i));
    for (uint32_t i = 1; i <= GUARD; i++) {
        CHECK_EQ(buffer[-(int)i], 0xee);
        CHECK_EQ(buffer[bytes + i - 1], 0xee);
    }
    return totals;
}

static void piece_serves_every_alignment_of_offset_length_and_memory(void)
{
    static const uint32_t aligns[] = {1, 2, 32, 512, 2048, 4096};
    static const uint32_t edges[] = {0, 1, 31, 32, 511, 512, 513, 4095, 4096};
    static const uint32_t lengths[] = {1,     2,     511,   512,   513,
                                       4096,  4097,  32767, 32768, 32769,
                                       65536, 70001, 150000};

    for (size_t a = 0; a < 6; a++)
        for (size_t o = 0; o < 9; o++)
            for (size_t m = 0; m < 9; m++)
                for (size_t n = 0; n < 13; n++) {
                    test_context("align %u, offset %u, memory %u, length %u",
                                 aligns[a], edges[o], edges[m], lengths[n]);
                    read_into(arena + GUARD + edges[m], edges[o], lengths[n],
                              aligns[a], 16384, UINT64_MAX);
                }
}

/* The last block of the file is shorter than the device's. */
static void piece_ends_at_the_end_of_the_file(void)
{
    static const uint32_t aligns[] = {1, 512, 4096};

    for (size_t a = 0; a < 3; a++)
        for (uint32_t bytes = 1; bytes < 9000; bytes += 123) {
            test_context("align %u, last %u bytes", aligns[a], bytes);
            read_into(arena + GUARD, FILE_BYTES - bytes, bytes, aligns[a], 4096,
                      UINT64_MAX);
            read_into(arena + GUARD + 5, FILE_BYTES - bytes, bytes, aligns[a],
                      8192, UINT64_MAX);
        }
}

static void piece_continues_after_a_short_one(void)
{
    static const uint32_t most[] = {600, 1000, 4095, 5000};

    for (size_t i = 0; i < 4; i++)
        for (uint32_t memory = 0; memory < 1024; memory += 100) {
            test_context("%u bytes at most, memory %u", most[i], memory);
            read_into(arena + GUARD + memory, 777, 20000, 512, 16384, most[i]);
            read_into(arena + GUARD + memory, 777, 20000, 1, 16384, 1);
        }
}

static void piece_reads_aligned_ranges_directly(void)
{
    uint8_t *home = arena + GUARD;

    CHECK_EQ(read_into(home, 0, 65536, 4096, 65536, UINT64_MAX).staged, 0);
    CHECK_EQ(read_into(home, 8192, 4096, 4096, 65536, UINT64_MAX).staged, 0);
    CHECK_EQ(read_into(home + 3, 5, 65537, 1, 65536, UINT64_MAX).staged, 0);
}

static void piece_stages_only_what_is_not_aligned(void)
{
    uint8_t *home = arena + GUARD;
    struct totals totals;

    /* A small read: one command. */
    totals = read_into(home, 100, 20000, 512, 65536, UINT64_MAX);
    CHECK_EQ(totals.pieces, 1);
    CHECK_EQ(totals.staged, 1);
    /* A long read: an additional command for head and tail. */
    totals = read_into(home + 100, 100, 131072, 512, 262144, UINT64_MAX);
    CHECK_EQ(totals.pieces, 3);
    CHECK_EQ(totals.staged, 2);
    totals = read_into(home, 0, 131072 + 1, 512, 262144, UINT64_MAX);
    CHECK_EQ(totals.pieces, 2);
    CHECK_EQ(totals.staged, 1);
    /* Memory and offset are never both aligned: everything goes through the
     * staging buffer. */
    totals = read_into(home + 1, 0, 131072, 512, 262144, UINT64_MAX);
    CHECK_EQ(totals.pieces, 4);
    CHECK_EQ(totals.staged, 4);
}

/* Fewer bytes than the skipped ones arrived: no progress, and no copy. */
static void piece_finish_accepts_any_number_of_bytes(void)
{
    struct piece_target target = {.buffer = arena + GUARD};
    struct piece_range range = {300, 0, 100, 4096, 512, staging};
    struct piece piece;

    spn__piece_plan(&piece, &target, &range);
    CHECK(piece.is_staged);
    CHECK_EQ(piece.skip, 300);
    CHECK_EQ_U(spn__piece_finish(&piece, &target, staging, 0), 0);
    CHECK_EQ_U(spn__piece_finish(&piece, &target, staging, 300), 0);
    CHECK_EQ_U(spn__piece_finish(&piece, &target, staging, 301), 1);
    CHECK_EQ_U(spn__piece_finish(&piece, &target, staging, 512), 100);
    CHECK_EQ_U(spn__piece_finish(&piece, &target, staging, UINT64_MAX), 100);
}

/* A block in many extents, read with and without alignment. */
static void piece_scatters_over_a_block(void)
{
    _Alignas(4096) static uint8_t memory[1 << 19];
    static const uint32_t aligns[] = {1, 512, 4096};
    struct carve carve = {.base = memory, .limit = sizeof memory};
    struct heap heap;
    heap_handle pages[64];
    heap_handle block;

    spn__heap_init(&heap, &carve, 64, 12, 64);
    CHECK(!carve.is_over);
    for (uint32_t i = 0; i < 60; i++)
        CHECK_EQ(spn__heap_alloc(&heap, 4096, 0, HEAP_TAG_USER, &pages[i]),
                 SPN_OK);
    for (uint32_t i = 0; i < 60; i += 2)
        CHECK(spn__heap_free(&heap, pages[i]));
    CHECK_EQ(spn__heap_alloc(&heap, 100001, 0, HEAP_TAG_READ, &block), SPN_OK);
    CHECK(spn__heap_extent_count(&heap, block) > SPN_PLATFORM_EXTENTS_MAX);
    for (size_t a = 0; a < 3; a++)
        for (uint64_t offset = 0; offset < 10000; offset += 617) {
            struct piece_target target = {.heap = &heap, .block = block};
            uint64_t at = 0;

            test_context("align %u, offset %u", aligns[a], (unsigned)offset);
            read_all(&target, offset, 100001, aligns[a], 262144, 33000);
            for (uint32_t i = 0; at < 100001; i++) {
                uint32_t bytes;
                const uint8_t *data = spn__heap_extent(&heap, block, i, &bytes);

                for (uint32_t k = 0; k < bytes; k++)
                    CHECK_EQ(data[k], byte_at(offset + at++));
            }
        }
    for (uint32_t i = 1; i < 60; i += 2)
        CHECK(spn__heap_is_live(&heap, pages[i]));
}

TEST_MAIN(TEST(piece_serves_every_alignment_of_offset_length_and_memory),
          TEST(piece_ends_at_the_end_of_the_file),
          TEST(piece_continues_after_a_short_one),
          TEST(piece_reads_aligned_ranges_directly),
          TEST(piece_stages_only_what_is_not_aligned),
          TEST(piece_finish_accepts_any_number_of_bytes),
          TEST(piece_scatters_over_a_block))
