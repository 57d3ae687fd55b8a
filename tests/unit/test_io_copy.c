/* test_io_copy.c
 *
 * Goal: when one copy of a pak's entry has bad bytes, a read takes them from
 *   another copy, wherever the bad bytes lie. It fails only where no copy is
 *   good. The bytes read are counted.
 * Method: entries of three copies, with bad bytes in each set of them, on the
 *   disc and as errors of the device. Every byte is compared.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_view.h"
#include "harness.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "read/read_stats.h"
#include "read/unpack_reads.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <spindle/codec.h>
#include <string.h>

#define COPIES 3u
#define BYTES (4u * PAK_BLOCK_BYTES + 1000u)
#define BLOCKS 5u

static struct rig rig;
static struct rig_read reads[4];
static struct tiny_pak tiny;
static uint8_t data[BYTES];
static uint8_t buffers[4][BYTES];
static spn_pak pak;

static const char *const names[] = {"stored", "packed"};

static void open_rig(bool is_deadline_order)
{
    static const struct tiny_pak_file files[] = {
        {.name = "stored", .data = data, .bytes = BYTES, .copy_count = COPIES},
        {.name = "packed",
         .data = data,
         .bytes = BYTES,
         .codec = SPN_CODEC_LZ4,
         .copy_count = COPIES}};
    struct rig_config config = {
        .pak_count = 1, .piece_bytes = 65536, .heap_pages = 700};

    if (is_deadline_order) {
        config.media[SPN_MEDIUM_HARD_DISK].drive =
            spn_drive_profile_find("x360_dvd12x");
        config.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_DEADLINE;
    }
    for (uint32_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(i >> 5 ^ i >> 13);
    tiny_pak_free(&tiny);
    tiny_pak_make(&tiny, files, 2);
    rig_open(&rig, &config);
    slow_platform_add(&rig.slow, "p", tiny.bytes, tiny.size);
    CHECK_EQ(spn__pak_mount(rig.io, "p", &pak), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_OK);
    memset(buffers, 0, sizeof buffers);
}

static void close_rig(void)
{
    (void)spn__pak_unmount(rig.io, pak);
    rig_run(&rig);
    CHECK(spn__unpack_is_idle(&rig.io->unpack));
    CHECK_EQ(spn__heap_free_pages(&rig.heap), rig.heap.page_count);
    rig_close(&rig);
}

static void begin_of(uint32_t i, spn_task task, const char *name,
                     uint64_t offset, uint64_t bytes)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], 0, offset, bytes, buffers[i]);

    desc.task = task;
    CHECK_EQ(spn__io_find_entry(rig.io, pak, name, &desc.entry), SPN_OK);
    rig_start(&rig, &desc, &reads[i]);
}

static void begin(uint32_t i, const char *name, uint64_t offset, uint64_t bytes)
{
    begin_of(i, 0, name, offset, bytes);
}

static void damage_at(const char *name, uint32_t copy, uint32_t block,
                      uint32_t byte, enum slow_kind kind)
{
    const struct pak_index *index = &rig.io->paks.mounts[0].index;
    uint32_t entry = spn__pak_find(index, name, (uint32_t)strlen(name));
    struct pak_content content =
        spn__pak_content(index, spn__pak_entry(index, entry).content);
    uint64_t at = spn__pak_copy_offset(index, content.first_copy + copy, NULL) +
                  spn__pak_block(index, &content, block).offset + byte;

    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = kind,
                                                        .path = "p",
                                                        .offset = at,
                                                        .bytes = 1,
                                                        .value = 8 * at + 1});
}

/* Make one byte of a block of a copy bad. */
static void damage(const char *name, uint32_t copy, uint32_t block,
                   enum slow_kind kind)
{
    damage_at(name, copy, block, 5, kind);
}

static spn_io_stats stats(void)
{
    spn_io_stats s;

    spn__io_get_stats(rig.io, &s);
    return s;
}

static void check_good(uint32_t i, uint64_t offset, uint64_t bytes)
{
    rig_check(&reads[i], SPN_OK);
    CHECK_EQ_U(reads[i].bytes, bytes);
    CHECK_MEM(buffers[i], data + offset, bytes);
}

static void run_one(const char *name, uint32_t mask, uint32_t block,
                    enum slow_kind kind, bool is_deadline_order)
{
    static const uint32_t part_at = PAK_BLOCK_BYTES - 100;
    static const uint32_t part_bytes = 2 * PAK_BLOCK_BYTES;

    test_context("%s, copies %u, block %u, kind %d, %d", name, mask, block,
                 (int)kind, is_deadline_order);
    open_rig(is_deadline_order);
    for (uint32_t i = 0; i < COPIES; i++)
        if (mask >> i & 1)
            damage(name, i, block, kind);
    begin(0, name, 0, BYTES);
    rig_run(&rig);
    begin(1, name, part_at, part_bytes);
    rig_run(&rig);
    if (mask + 1 < 1u << COPIES) {
        check_good(0, 0, BYTES);
        check_good(1, part_at, part_bytes);
        CHECK(stats().copies_tried <= 2 * (COPIES - 1));
    } else {
        rig_check(&reads[0], kind == SLOW_FLIP ? SPN_ERR_CHECKSUM : SPN_ERR_IO);
        CHECK(reads[0].bytes <= block * PAK_BLOCK_BYTES + 5);
        CHECK_MEM(buffers[0], data, reads[0].bytes);
        CHECK(stats().copies_tried >= COPIES - 1);
    }
    close_rig();
}

static void reads_continue_in_another_copy(void)
{
    static const uint32_t blocks[] = {0, 1, BLOCKS - 1};

    for (uint32_t n = 0; n < 2; n++)
        for (uint32_t mask = 1; mask < 1u << COPIES; mask++)
            for (uint32_t b = 0; b < 3; b++)
                for (uint32_t k = 0; k < 4; k++)
                    run_one(names[n], mask, blocks[b],
                            k & 1 ? SLOW_FLIP : SLOW_ERROR, k & 2);
}

/* Each copy has a bad block, but together they have a good copy of each
 * block. */
static void bad_blocks_of_one_copy_are_read_from_another(void)
{
    for (uint32_t n = 0; n < 2; n++) {
        open_rig(false);
        for (uint32_t i = 0; i < COPIES; i++)
            damage(names[n], i, i + 1, i == 1 ? SLOW_FLIP : SLOW_ERROR);
        begin(0, names[n], 0, BYTES);
        rig_run(&rig);
        check_good(0, 0, BYTES);
        close_rig();
    }
}

/* A block made of bytes of two copies would be bad if either of them is bad. */
static void no_block_is_of_two_copies(void)
{
    for (uint32_t n = 0; n < 2; n++)
        for (uint32_t good = 1; good < COPIES; good++) {
            test_context("%s, copy %u is good", names[n], good);
            open_rig(false);
            damage(names[n], 0, 1, SLOW_FLIP);
            damage_at(names[n], 0, 1, n ? 100 : 40000, SLOW_ERROR);
            damage(names[n], COPIES - good, 1, SLOW_ERROR);
            begin(0, names[n], 0, BYTES);
            rig_run(&rig);
            check_good(0, 0, BYTES);
            close_rig();
        }
}

static uint32_t storage_calls;

static spn_status give_nothing(const spn_read_want *want, void **buffer)
{
    (void)want;
    (void)buffer;
    storage_calls++;
    return SPN_ERR_IO;
}

/* A read of another copy would get no memory either. */
static void errors_of_storage_try_no_copy(void)
{
    for (uint32_t n = 0; n < 2; n++) {
        spn_read_desc desc;

        open_rig(false);
        storage_calls = 0;
        desc = rig_desc(&rig, &reads[0], 0, 0, BYTES, NULL);
        desc.buffer_bytes = 0;
        desc.on_storage = give_nothing;
        CHECK_EQ(spn__io_find_entry(rig.io, pak, names[n], &desc.entry),
                 SPN_OK);
        rig_start(&rig, &desc, &reads[0]);
        rig_run(&rig);
        rig_check(&reads[0], SPN_ERR_IO);
        CHECK_EQ_U(storage_calls, 1);
        CHECK_EQ_U(stats().copies_tried, 0);
        close_rig();
    }
}

/* Read into extents of a heap, whose cursor must move back for the second
 * copy. */
static void reads_into_the_heap_go_back(void)
{
    struct io_result internal = {0};
    struct io_read read = {.bytes = BYTES,
                           .priority = SPN_PRIORITY_NORMAL,
                           .task = SPN_TASK_GEOM_CACHE,
                           .on_done = rig_keep,
                           .context = &internal,
                           .argument = RIG_ARGUMENT};
    heap_handle holes[60];
    spn_read handle;

    for (uint32_t n = 0; n < 2; n++) {
        open_rig(false);
        for (uint32_t i = 0; i < 60; i++)
            CHECK_EQ(spn__heap_alloc(&rig.heap, 5 * 4096, 5 * 4096,
                                     HEAP_TAG_READ, &holes[i]),
                     SPN_OK);
        for (uint32_t i = 0; i < 60; i += 2)
            CHECK(spn__heap_free(&rig.heap, holes[i]));
        CHECK_EQ(
            spn__heap_alloc(&rig.heap, BYTES, 0, HEAP_TAG_READ, &read.block),
            SPN_OK);
        damage(names[n], 0, 1, SLOW_FLIP);
        CHECK_EQ(spn__io_file_open(rig.io, names[n], &read.file), SPN_OK);
        CHECK_EQ(spn__io_start(rig.io, &read, &handle), SPN_OK);
        rig_run(&rig);
        CHECK_EQ(internal.status, SPN_OK);
        CHECK_EQ_U(stats().copies_tried, 1);
        CHECK_MEM(spn__heap_view(&rig.heap, read.block, 0, BYTES, buffers[1]),
                  data, BYTES);
        CHECK(spn__heap_free(&rig.heap, read.block));
        for (uint32_t i = 1; i < 60; i += 2)
            CHECK(spn__heap_free(&rig.heap, holes[i]));
        CHECK_EQ(spn__io_file_close(rig.io, read.file), SPN_OK);
        close_rig();
    }
}

static void aborts_and_shutdown_try_no_copy(void)
{
    for (uint32_t is_shut = 0; is_shut < 2; is_shut++) {
        open_rig(false);
        damage("packed", 0, 0, SLOW_FLIP);
        rig.slow.command_us = 100;
        begin(0, "packed", 0, BYTES);
        rig_step_io(&rig);
        if (is_shut)
            spn__io_shutdown(rig.io);
        else
            CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
        rig_run(&rig);
        rig_check(&reads[0], is_shut ? SPN_ERR_SHUTDOWN : SPN_ERR_ABORTED);
        CHECK_EQ_U(stats().copies_tried, 0);
        if (!is_shut)
            close_rig();
        else
            rig_close(&rig);
    }
}

static void unpacked_bytes_are_counted(void)
{
    spn_io_stats s;

    open_rig(false);
    begin(0, "stored", 0, BYTES);
    rig_run(&rig);
    CHECK_EQ_U(stats().packed_bytes + stats().unpacked_bytes, 0);
    CHECK_EQ_U(stats().unpack_bytes_peak, 0);
    begin(1, "packed", 0, BYTES);
    rig_step_io(&rig);
    CHECK(stats().unpack_bytes > 0);
    rig_run(&rig);
    s = stats();
    CHECK_EQ_U(s.unpacked_bytes, BYTES);
    CHECK(s.packed_bytes > 0 && s.packed_bytes < BYTES);
    CHECK_EQ_U(s.unpack_bytes, 0);
    CHECK(s.unpack_bytes_peak >= PAK_BLOCK_BYTES &&
          s.unpack_bytes_peak <= 4 * PAK_BLOCK_BYTES);
    spn__io_reset_stats(rig.io);
    CHECK_EQ_U(stats().unpacked_bytes + stats().unpack_bytes_peak, 0);
    begin(2, "packed", 10, 10);
    rig_run(&rig);
    CHECK_EQ_U(stats().unpacked_bytes, PAK_BLOCK_BYTES);
    close_rig();
}

static spn_task_stats task_stats(spn_task task)
{
    spn_task_stats s;

    spn__io_get_task_stats(rig.io, task, &s);
    return s;
}

/* The last second ends with the sixteenth part of a second that has ended. */
static void unpacked_bytes_are_counted_by_type_and_second(void)
{
    open_rig(false);
    rig.slow.clock_us = 10000000;
    begin_of(0, SPN_TASK_TEXTURE, "packed", 0, BYTES);
    begin_of(1, SPN_TASK_SOUND, "packed", 10, 10);
    begin_of(2, SPN_TASK_SOUND, "stored", 0, BYTES);
    rig_run(&rig);
    CHECK_EQ_U(task_stats(SPN_TASK_TEXTURE).unpacked_bytes, BYTES);
    CHECK_EQ_U(task_stats(SPN_TASK_SOUND).unpacked_bytes, PAK_BLOCK_BYTES);
    CHECK(task_stats(SPN_TASK_SOUND).packed_bytes > 0);
    CHECK_EQ_U(task_stats(SPN_TASK_TEXTURE).packed_bytes +
                   task_stats(SPN_TASK_SOUND).packed_bytes,
               stats().packed_bytes);
    CHECK_EQ_U(task_stats(SPN_TASK_MUSIC).unpacked_bytes, 0);
    /* `bytes` counts stored bytes, `good_bytes` counts decoded bytes. */
    CHECK_EQ_U(task_stats(SPN_TASK_TEXTURE).total.bytes,
               task_stats(SPN_TASK_TEXTURE).packed_bytes);
    CHECK_EQ_U(task_stats(SPN_TASK_TEXTURE).total.good_bytes, BYTES);
    CHECK_EQ_U(task_stats(SPN_TASK_SOUND).total.good_bytes, BYTES + 10);
    rig.slow.clock_us += 100000;
    CHECK_EQ_U(stats().unpacked_bytes_per_second, BYTES + PAK_BLOCK_BYTES);
    spn__io_reset_stats(rig.io);
    CHECK_EQ_U(task_stats(SPN_TASK_TEXTURE).unpacked_bytes, 0);
    CHECK_EQ_U(task_stats(SPN_TASK_TEXTURE).packed_bytes, 0);
    CHECK_EQ_U(stats().unpacked_bytes_per_second, BYTES + PAK_BLOCK_BYTES);
    rig.slow.clock_us += 2000000;
    CHECK_EQ_U(stats().unpacked_bytes_per_second, 0);
    begin_of(3, SPN_TASK_TEXTURE, "packed", 10, 10);
    rig_run(&rig);
    CHECK_EQ_U(task_stats(SPN_TASK_TEXTURE).unpacked_bytes, PAK_BLOCK_BYTES);
    close_rig();
}

TEST_MAIN(TEST(reads_continue_in_another_copy),
          TEST(bad_blocks_of_one_copy_are_read_from_another),
          TEST(no_block_is_of_two_copies), TEST(errors_of_storage_try_no_copy),
          TEST(reads_into_the_heap_go_back),
          TEST(aborts_and_shutdown_try_no_copy),
          TEST(unpacked_bytes_are_counted),
          TEST(unpacked_bytes_are_counted_by_type_and_second))
