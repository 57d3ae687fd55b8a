/* test_io_extents.c
 *
 * Goal: a read into many pieces of memory fills them in order, and writes no
 *   byte beside them, for every alignment of the device and every kind of
 *   buffer between.
 * Method: random extents, from one byte to some pages, with guards between
 *   them; plain files and compressed entries, in both orders, with every
 *   alignment; each kind of wrong list.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/pak_mount.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <stdlib.h>
#include <string.h>

#define READS 6u
#define EXTENTS 400u
#define BYTES 150000u
#define AREA (BYTES + 1u + EXTENTS * 4097u)
#define GUARD 0x7b

static struct rig rig;
static struct rig_read reads[READS];
static spn_extent extents[READS][EXTENTS];
static uint32_t extent_counts[READS];
static uint8_t *areas[READS];
static uint8_t data[BYTES];
static uint8_t gathered[BYTES];
static struct tiny_pak pak;

static void open_rig(uint32_t align, bool is_deadline_order)
{
    static const struct tiny_pak_file file = {
        .name = "entry", .data = data, .bytes = BYTES, .codec = SPN_CODEC_LZ4};
    struct rig_config config = {.piece_bytes = 16384, .pak_count = 1};

    if (is_deadline_order) {
        config.media[SPN_MEDIUM_HARD_DISK].drive =
            spn_drive_profile_find("x360_dvd12x");
        config.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_DEADLINE;
    }
    for (uint32_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(i / 5 * 7 + i / 1000);
    rig_open(&rig, &config);
    tiny_pak_free(&pak);
    tiny_pak_make(&pak, &file, 1);
    slow_platform_add(&rig.slow, "p", pak.bytes, pak.size);
    rig.slow.align_bytes = align;
    rig.slow.command_us = 100;
}

/* Make extents of `bytes` bytes together, in any order in their area, with gaps
 * between them. */
static void make_extents(struct test_random *random, uint32_t i, uint64_t bytes)
{
    static const uint32_t most[] = {1, 100, 5000, 20000};
    uint8_t *at = areas[i];

    memset(areas[i], GUARD, AREA);
    extent_counts[i] = 0;
    while (bytes > 0) {
        spn_extent *extent = &extents[i][extent_counts[i]++];

        extent->bytes =
            1 + test_random_below(random, most[test_random_below(random, 4)]);
        /* The last extent of the table takes the rest. */
        if (extent->bytes > bytes || extent_counts[i] == EXTENTS)
            extent->bytes = (uint32_t)bytes;
        /* Some extents begin at a page. */
        at += 1 + test_random_below(random, 50);
        if (test_random_below(random, 2))
            at += (4096 - (uintptr_t)at % 4096) % 4096;
        extent->data = at;
        at += extent->bytes;
        bytes -= extent->bytes;
    }
    CHECK(at < areas[i] + AREA);
    for (uint32_t k = extent_counts[i]; k > 1; k--) {
        uint32_t other = test_random_below(random, k);
        spn_extent kept = extents[i][k - 1];

        extents[i][k - 1] = extents[i][other];
        extents[i][other] = kept;
    }
}

static void begin(uint32_t i, spn_file file, uint64_t offset, uint64_t bytes)
{
    spn_read_desc desc = rig_desc(&rig, &reads[i], file, offset, bytes, NULL);

    desc.extents = extents[i];
    desc.extent_count = extent_counts[i];
    desc.buffer_bytes = bytes;
    rig_start(&rig, &desc, &reads[i]);
}

/* Copy the bytes out and restore the guard bytes. */
static void gather(uint32_t i, uint64_t bytes)
{
    uint64_t done = 0;

    rig_check(&reads[i], SPN_OK);
    CHECK_EQ_U(reads[i].bytes, bytes);
    for (uint32_t k = 0; k < extent_counts[i]; k++) {
        memcpy(gathered + done, extents[i][k].data, extents[i][k].bytes);
        memset(extents[i][k].data, GUARD, extents[i][k].bytes);
        done += extents[i][k].bytes;
    }
    CHECK_EQ_U(done, bytes);
    for (uint32_t k = 0; k < AREA; k++)
        if (areas[i][k] != GUARD)
            test_fail(__FILE__, __LINE__, "byte %u beside", (unsigned)k);
}

static void read_a_mix(uint32_t align, bool is_deadline_order)
{
    struct test_random random = {align + is_deadline_order};
    spn_file files[2];
    spn_pak mounted;

    open_rig(align, is_deadline_order);
    CHECK_EQ(spn__pak_mount(rig.io, "p", &mounted), SPN_OK);
    rig_run(&rig);
    files[0] = rig_file(&rig, "b");
    files[1] = rig_file(&rig, "entry");
    for (uint32_t round = 0; round < 10; round++) {
        uint64_t offsets[READS];
        uint64_t bytes[READS];

        test_context("align %u, deadline %d, round %u", align,
                     is_deadline_order, round);
        for (uint32_t i = 0; i < READS; i++) {
            bytes[i] = 1 + test_random_below(&random, BYTES - 1);
            offsets[i] =
                test_random_below(&random, BYTES + 1 - (uint32_t)bytes[i]);
            make_extents(&random, i, bytes[i]);
            begin(i, files[i & 1], offsets[i], bytes[i]);
        }
        rig_run(&rig);
        for (uint32_t i = 0; i < READS; i++) {
            gather(i, bytes[i]);
            if (i & 1)
                CHECK_MEM(gathered, data + offsets[i], bytes[i]);
            for (uint64_t k = 0; !(i & 1) && k < bytes[i]; k++)
                if (gathered[k] != rig_byte(1, offsets[i] + k))
                    test_fail(__FILE__, __LINE__, "byte %u", (unsigned)k);
        }
    }
    (void)spn__io_file_close(rig.io, files[0]);
    (void)spn__io_file_close(rig.io, files[1]);
    rig_run(&rig);
    (void)spn__pak_unmount(rig.io, mounted);
    rig_run(&rig);
    rig_close(&rig);
}

static void extents_are_filled_in_their_order(void)
{
    static const uint32_t aligns[] = {1, 512, 4096};

    for (uint32_t i = 0; i < READS; i++)
        CHECK((areas[i] = malloc(AREA)) != NULL);
    for (uint32_t i = 0; i < 3; i++) {
        read_a_mix(aligns[i], false);
        read_a_mix(aligns[i], true);
    }
    for (uint32_t i = 0; i < READS; i++)
        free(areas[i]);
    tiny_pak_free(&pak);
}

static spn_status give(const spn_read_want *want, void **buffer)
{
    (void)want;
    (void)buffer;
    return SPN_ERR_MEMORY;
}

#define REFUSE(change)                                                         \
    do {                                                                       \
        spn_extent list[2] = {{data, 100}, {data + 500, 50}};                  \
        spn_read_desc desc = rig_desc(&rig, &reads[0], file, 0, 150, NULL);    \
                                                                               \
        desc.extents = list;                                                   \
        desc.extent_count = 2;                                                 \
        desc.buffer_bytes = 150;                                               \
        change;                                                                \
        test_context("%s", #change);                                           \
        CHECK_EQ(spn__io_read_start(rig.io, &desc, &handle), SPN_ERR_ARG);     \
    } while (0)

static void wrong_lists_are_refused(void)
{
    spn_read handle;
    spn_file file;

    open_rig(1, false);
    file = rig_file(&rig, "b");
    REFUSE(desc.buffer = data);
    REFUSE(desc.buffer_bytes = 151);
    REFUSE(desc.buffer_bytes = 149);
    REFUSE(desc.extent_count = 1);
    REFUSE(desc.extent_count = 0);
    REFUSE(list[1].bytes = 0);
    REFUSE(list[0].data = NULL);
    REFUSE((desc.on_storage = give, desc.buffer_bytes = 0, desc.bytes = 0));
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
    rig_run(&rig);
    rig_close(&rig);
    tiny_pak_free(&pak);
}

TEST_MAIN(TEST(extents_are_filled_in_their_order),
          TEST(wrong_lists_are_refused))
