/* test_pak_range.c
 *
 * Goal: the blocks of a range deliver exactly the requested bytes of an entry.
 * Ranges outside of the entry are refused. The chosen copy is the nearest.
 * Method: every offset and size near the edges of blocks, compared byte by
 * byte; copies compared with all distances.
 */
/* SPDX-License-Identifier: MIT */
#include "pak/pak_range.h"

#include "harness.h"
#include "pak/pak_validate.h"
#include "support/tiny_pak.h"

#include <spindle/codec.h>
#include <string.h>

#define BYTES (3 * PAK_BLOCK_BYTES + 1000)

static uint8_t data[BYTES];
static struct tiny_pak pak;
static struct pak_index index_;

/* "stored" and "packed" of the same size, "empty", and "often" in 4 copies. */
static void make(void)
{
    static const struct tiny_pak_file files[] = {
        {.name = "stored", .data = data, .bytes = BYTES},
        {.name = "packed",
         .data = data + 1,
         .bytes = BYTES - 1,
         .codec = SPN_CODEC_LZ4},
        {.name = "empty"},
        {.name = "often", .data = data + 7, .bytes = 5000, .copy_count = 4},
    };
    struct spn_fault fault;
    struct pak_header header;

    for (uint32_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(i >> 9);
    tiny_pak_free(&pak);
    tiny_pak_make(&pak, files, 4);
    CHECK_EQ(spn__pak_validate_header(pak.bytes, pak.size, &header, &fault),
             SPN_OK);
    CHECK_EQ(spn__pak_validate_index(&header, pak.bytes + PAK_HEADER_BYTES,
                                     &index_, &fault),
             SPN_OK);
}

static uint32_t content_of(const char *name)
{
    uint32_t entry = spn__pak_find(&index_, name, (uint32_t)strlen(name));

    CHECK(entry != PAK_NONE);
    return spn__pak_entry(&index_, entry).content;
}

/* The parts of all blocks are the requested bytes, in order. */
static void check_parts(const struct pak_range *range)
{
    uint64_t at = 0;

    for (uint32_t i = range->first_block; i < range->block_limit; i++) {
        struct pak_block block = spn__pak_block(&index_, &range->content, i);
        struct pak_part part = spn__pak_part(range, i, block.bytes);

        CHECK_EQ_U(part.at, at);
        CHECK(part.bytes > 0);
        CHECK(part.skip + part.bytes <= block.bytes);
        CHECK_EQ(part.is_whole, part.bytes == block.bytes);
        CHECK_EQ_U((uint64_t)i * PAK_BLOCK_BYTES + part.skip,
                   range->offset + at);
        at += part.bytes;
    }
    CHECK_EQ_U(at, range->bytes);
}

static void check_stored(const struct pak_range *range)
{
    struct pak_block first =
        spn__pak_block(&index_, &range->content, range->first_block);
    struct pak_block last =
        spn__pak_block(&index_, &range->content, range->block_limit - 1);

    if (!range->is_packed) {
        CHECK_EQ_U(range->stored_offset, range->offset);
        CHECK_EQ_U(range->stored_bytes, range->bytes);
        return;
    }
    CHECK_EQ_U(range->stored_offset, first.offset);
    CHECK_EQ_U(range->stored_offset + range->stored_bytes,
               last.offset + last.stored_bytes);
}

static void pak_range_covers_the_requested_bytes(void)
{
    static const char *const names[] = {"stored", "packed"};
    static const uint64_t edges[] = {0,      1,      65535,         65536,
                                     65537,  131071, 3 * 65536 - 1, 3 * 65536,
                                     196609, 197000, BYTES - 2,     BYTES - 1};

    make();
    for (uint32_t n = 0; n < 2; n++)
        for (uint32_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
            for (uint32_t k = i; k < sizeof edges / sizeof edges[0]; k++) {
                struct pak_range range;
                uint64_t bytes = edges[k] - edges[i];

                test_context("%s, %u to %u", names[n], (unsigned)edges[i],
                             (unsigned)edges[k]);
                CHECK_EQ(spn__pak_range(&index_, content_of(names[n]), edges[i],
                                        bytes, UINT64_MAX, &range),
                         SPN_OK);
                CHECK_EQ(range.is_packed, n == 1);
                if (bytes > 0)
                    CHECK_EQ_U(range.bytes, bytes);
                if (range.bytes == 0)
                    continue;
                check_parts(&range);
                check_stored(&range);
            }
}

static void pak_range_of_no_size_goes_to_the_end(void)
{
    struct pak_range range;

    make();
    CHECK_EQ(spn__pak_range(&index_, content_of("stored"), 70000, 0, UINT64_MAX,
                            &range),
             SPN_OK);
    CHECK_EQ_U(range.bytes, BYTES - 70000);
    CHECK_EQ(spn__pak_range(&index_, content_of("empty"), 0, 0, 0, &range),
             SPN_OK);
    CHECK_EQ_U(range.bytes, 0);
    CHECK_EQ_U(range.stored_bytes, 0);
    CHECK_EQ(spn__pak_range(&index_, content_of("stored"), BYTES, 0, 0, &range),
             SPN_OK);
    CHECK_EQ_U(range.bytes, 0);
}

static void pak_range_refuses_bytes_beyond_the_entry(void)
{
    uint32_t content;
    struct pak_range range = {.bytes = 77};

    make();
    content = content_of("stored");
    CHECK_EQ(spn__pak_range(&index_, content, BYTES + 1, 0, 0, &range),
             SPN_ERR_RANGE);
    CHECK_EQ(spn__pak_range(&index_, content, 1, BYTES, UINT64_MAX, &range),
             SPN_ERR_RANGE);
    CHECK_EQ(spn__pak_range(&index_, content, UINT64_MAX, UINT64_MAX,
                            UINT64_MAX, &range),
             SPN_ERR_RANGE);
    CHECK_EQ(spn__pak_range(&index_, content, 0, 0, BYTES - 1, &range),
             SPN_ERR_RANGE);
    CHECK_EQ_U(range.bytes, 77);
}

static void pak_range_finds_the_nearest_copy(void)
{
    struct pak_range range;
    uint64_t place = 1000000;

    make();
    CHECK_EQ(spn__pak_range(&index_, content_of("often"), 100, 50, 50, &range),
             SPN_OK);
    CHECK_EQ(range.content.copy_count, 4);
    for (uint64_t head = 0; head < place + pak.size + 100000; head += 777) {
        uint64_t at = spn__pak_nearest(&index_, &range, place, head, NULL);
        uint64_t far =
            at + place < head ? head - place - at : at + place - head;
        bool is_one = false;

        for (uint32_t i = 0; i < 4; i++) {
            uint64_t copy =
                100 + spn__pak_copy_offset(&index_,
                                           range.content.first_copy + i, NULL);
            uint64_t other =
                copy + place < head ? head - place - copy : copy + place - head;

            is_one |= copy == at;
            CHECK(far <= other);
        }
        CHECK(is_one);
    }
}

/* Three copies of 5,000 bytes, 198 kB apart. */
static void make_far_apart(struct pak_range *range, uint64_t copies[3])
{
    static const struct tiny_pak_file files[] = {
        {.name = "often", .data = data, .bytes = 5000, .copy_count = 3},
        {.name = "rest", .data = data, .bytes = BYTES, .copy_count = 3}};
    struct spn_fault fault;
    struct pak_header header;

    tiny_pak_free(&pak);
    tiny_pak_make(&pak, files, 2);
    CHECK_EQ(spn__pak_validate_header(pak.bytes, pak.size, &header, &fault),
             SPN_OK);
    CHECK_EQ(spn__pak_validate_index(&header, pak.bytes + PAK_HEADER_BYTES,
                                     &index_, &fault),
             SPN_OK);
    CHECK_EQ(spn__pak_range(&index_, content_of("often"), 0, 0, BYTES, range),
             SPN_OK);
    for (uint32_t i = 0; i < 3; i++)
        copies[i] =
            spn__pak_copy_offset(&index_, range->content.first_copy + i, NULL);
}

static uint64_t time_us(const struct forecast *forecast, uint64_t head,
                        uint64_t at)
{
    struct forecast_place from;
    struct forecast_place begin;
    struct forecast_place end;

    spn__forecast_place(forecast, head, &from);
    spn__forecast_range(forecast, at, 5000, &begin, &end);
    return (uint64_t)spn__forecast_position_us(forecast, &from, &begin) +
           spn__forecast_read_us(forecast, &from, &begin, &end);
}

/* With a known drive the copy that is available first is chosen. */
static void pak_range_finds_the_copy_available_first(void)
{
    struct forecast forecast;
    struct pak_range range;
    uint64_t copies[3];
    uint64_t place = 3570000000u - 300000; /* copies on both layers */
    uint64_t head;

    make_far_apart(&range, copies);
    spn__forecast_init(&forecast, spn_drive_profile_find("x360_dvd12x"));
    for (head = place - 500000; head < place + 1000000; head += 7777) {
        uint64_t at = spn__pak_nearest(&index_, &range, place, head, &forecast);

        for (uint32_t i = 0; i < 3; i++)
            CHECK(time_us(&forecast, head, place + at) <=
                  time_us(&forecast, head, place + copies[i]));
    }
    /* Data just behind the head is nearer in bytes but needs a seek; data ahead
     * is read through. */
    place = 1000000000;
    head = place + copies[1] + 85000;
    CHECK_EQ_U(spn__pak_nearest(&index_, &range, place, head, NULL), copies[1]);
    CHECK_EQ_U(spn__pak_nearest(&index_, &range, place, head, &forecast),
               copies[2]);
}

TEST_MAIN(TEST(pak_range_covers_the_requested_bytes),
          TEST(pak_range_of_no_size_goes_to_the_end),
          TEST(pak_range_refuses_bytes_beyond_the_entry),
          TEST(pak_range_finds_the_nearest_copy),
          TEST(pak_range_finds_the_copy_available_first))
