/* test_io_unpack.c
 *
 * Goal: reads of compressed entries deliver exactly the bytes that were
 *   packed, from any offset, to any destination, on any medium. Blocks are
 *   decoded as they arrive.
 * Method: the fixture's pak, which holds one content in every codec; jobs that
 *   run only when the test runs them; the disc's log.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_view.h"
#include "harness.h"
#include "read/engine.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "read/unpack_reads.h"
#include "support/packed_fixture.h"

#include <string.h>

static const char *const names[] = {"store", "lz4", "deflate", "zstd", "mixed"};

/* -- bytes -- */

static void read_ranges(void)
{
    static const uint32_t offsets[] = {0,     1,      65535,  65536,
                                       65537, 131072, 200000, PACKED_BYTES - 1};
    static const uint32_t sizes[] = {1, 100, 65536, 65537, 140000};

    for (uint32_t n = 0; n < 5; n++)
        for (uint32_t o = 0; o < 8; o++) {
            memset(packed.buffers, 0, sizeof packed.buffers);
            for (uint32_t s = 0; s < 5; s++)
                if (sizes[s] <= PACKED_BYTES - offsets[o])
                    packed_begin(s, names[n], offsets[o], sizes[s],
                                 SPN_PRIORITY_NORMAL);
            rig_run(&packed.rig);
            for (uint32_t s = 0; s < 5; s++)
                if (sizes[s] <= PACKED_BYTES - offsets[o])
                    packed_check(s, names[n], offsets[o], sizes[s]);
        }
}

static void unpack_delivers_the_bytes_of_every_codec(void)
{
    static const uint32_t aligns[] = {1, 512, 4096};
    static const uint32_t pieces[] = {4096, 65536, 262144};

    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t p = 0; p < 3; p++) {
            test_context("align %u, pieces of %u", aligns[a], pieces[p]);
            packed_open(&(struct rig_config){.piece_bytes = pieces[p],
                                             .unpack_bytes = 600000,
                                             .job_capacity = a ? 64 : 2});
            packed.rig.slow.align_bytes = aligns[a];
            packed_mount();
            read_ranges();
            packed_close();
        }
}

static void unpack_reads_data_in_memory(void)
{
    packed_open(NULL);
    slow_platform_place(&packed.rig.slow, "p", SPN_MEDIUM_MEMORY);
    packed_mount();
    read_ranges();
    CHECK_EQ(packed.rig.slow.reads, 0);
    packed_close();
}

static void unpack_reads_a_loaded_pak(void)
{
    uint32_t before;

    packed_open(&(struct rig_config){.heap_pages = 1500});
    packed_mount();
    CHECK_EQ(spn__pak_load(packed.rig.io, packed.pak, SPN_PRIORITY_NORMAL),
             SPN_OK);
    rig_run(&packed.rig);
    CHECK_EQ(spn__pak_load_status(packed.rig.io, packed.pak), SPN_OK);
    before = packed.rig.slow.reads;
    read_ranges();
    CHECK_EQ(packed.rig.slow.reads, before);
    packed_close();
}

/* Start a read of a pak in memory, some of whose blocks are with the
 * workers. */
static void begin_in_memory(spn_task task)
{
    spn_read_desc desc;

    packed_open(&(struct rig_config){.heap_pages = 1500, .piece_bytes = 65536});
    packed_mount();
    CHECK_EQ(spn__pak_load(packed.rig.io, packed.pak, SPN_PRIORITY_NORMAL),
             SPN_OK);
    rig_run(&packed.rig);
    CHECK_EQ(spn__pak_load_status(packed.rig.io, packed.pak), SPN_OK);
    desc = rig_desc(&packed.rig, &packed.reads[0], 0, 0, PACKED_BYTES,
                    packed.buffers[0]);
    CHECK_EQ(spn__io_find_entry(packed.rig.io, packed.pak, "lz4", &desc.entry),
             SPN_OK);
    desc.task = task;
    rig_start(&packed.rig, &desc, &packed.reads[0]);
    for (uint32_t i = 0; i < 2; i++)
        CHECK(spn__io_step(packed.rig.io, &(uint64_t){0}));
    CHECK_EQ(packed.rig.io->media[SPN_MEDIUM_MEMORY].requests.queue.count, 1);
    CHECK(packed.rig.io->unpack.borrowers.count < UNPACK_BORROWER_COUNT);
}

static void unload(void)
{
    CHECK_EQ(spn__pak_unload(packed.rig.io, packed.pak), SPN_OK);
    rig_step_io(&packed.rig);
    spn__paks_update(packed.rig.io);
}

static void unpack_keeps_memory_that_workers_need(void)
{
    uint32_t free_pages;

    begin_in_memory(SPN_TASK_TEXTURE);
    free_pages = spn__heap_free_pages(&packed.rig.heap);
    unload();
    /* No worker has run yet. */
    CHECK_EQ(spn__heap_free_pages(&packed.rig.heap), free_pages);
    rig_run(&packed.rig);
    CHECK(spn__heap_free_pages(&packed.rig.heap) > free_pages);
    CHECK_EQ(spn__pak_load_status(packed.rig.io, packed.pak), SPN_EMPTY);
    packed_check(0, "lz4", 0, PACKED_BYTES);
    packed_close();
}

/* After the pause the read continues from the disc. */
static void unpack_paused_reads_hold_no_pak_in_memory(void)
{
    uint32_t free_pages;

    begin_in_memory(SPN_TASK_TEXTURE);
    spn__io_pause(packed.rig.io, SPN_TASK_TEXTURE, true);
    free_pages = spn__heap_free_pages(&packed.rig.heap);
    unload();
    rig_run(&packed.rig);
    CHECK(spn__heap_free_pages(&packed.rig.heap) > free_pages);
    CHECK_EQ(spn__pak_load_status(packed.rig.io, packed.pak), SPN_EMPTY);
    CHECK_EQ(packed.reads[0].done_count, 0);
    spn__io_pause(packed.rig.io, SPN_TASK_TEXTURE, false);
    rig_run(&packed.rig);
    packed_check(0, "lz4", 0, PACKED_BYTES);
    packed_close();
}

static void unpack_scatters_into_the_heap(void)
{
    heap_handle block;
    heap_handle hole[40];
    spn_read handle;
    struct io_result internal = {0};
    struct io_read read = {.offset = 70000,
                           .bytes = 200000,
                           .priority = SPN_PRIORITY_NORMAL,
                           .task = SPN_TASK_GEOM_CACHE,
                           .block_offset = 333,
                           .on_done = rig_keep,
                           .context = &internal,
                           .argument = RIG_ARGUMENT};

    packed_open(&(struct rig_config){.piece_bytes = 65536});
    packed_mount();
    CHECK_EQ(spn__io_file_open(packed.rig.io, "lz4", &read.file), SPN_OK);
    /* The extents have three pages. */
    for (uint32_t i = 0; i < 40; i++)
        CHECK_EQ(spn__heap_alloc(&packed.rig.heap, 3 * 4096, 3 * 4096,
                                 HEAP_TAG_READ, &hole[i]),
                 SPN_OK);
    CHECK_EQ(spn__heap_alloc(&packed.rig.heap,
                             spn__heap_free_pages(&packed.rig.heap) * 4096u, 0,
                             HEAP_TAG_READ, &block),
             SPN_OK);
    for (uint32_t i = 0; i < 40; i += 2)
        CHECK(spn__heap_free(&packed.rig.heap, hole[i]));
    CHECK_EQ(spn__heap_alloc(&packed.rig.heap, 201000, 0, HEAP_TAG_READ,
                             &read.block),
             SPN_OK);
    CHECK(spn__heap_extent_count(&packed.rig.heap, read.block) > 10);
    CHECK_EQ(spn__io_start(packed.rig.io, &read, &handle), SPN_OK);
    rig_run(&packed.rig);
    CHECK_EQ(internal.status, SPN_OK);
    CHECK_EQ_U(internal.bytes, 200000);
    CHECK_MEM(spn__heap_view(&packed.rig.heap, read.block, 333, 200000,
                             packed.buffers[0]),
              packed_bytes("lz4") + 70000, 200000);
    CHECK(spn__heap_free(&packed.rig.heap, read.block));
    CHECK(spn__heap_free(&packed.rig.heap, block));
    for (uint32_t i = 1; i < 40; i += 2)
        CHECK(spn__heap_free(&packed.rig.heap, hole[i]));
    CHECK_EQ(spn__io_file_close(packed.rig.io, read.file), SPN_OK);
    packed_close();
}

static uint32_t storage_calls;

static spn_status give(const spn_read_want *want, void **buffer)
{
    CHECK_EQ_U(want->bytes, 150000);
    if (storage_calls++ == 0)
        return SPN_NO_MEMORY_NOW;
    *buffer = packed.buffers[3];
    return SPN_OK;
}

static void unpack_requests_storage_of_the_raw_size(void)
{
    spn_read_desc desc;

    packed_open(NULL);
    packed_mount();
    storage_calls = 0;
    desc = rig_desc(&packed.rig, &packed.reads[3], 0, 60000, 150000, NULL);
    CHECK_EQ(spn__io_find_entry(packed.rig.io, packed.pak, "zstd", &desc.entry),
             SPN_OK);
    desc.buffer_bytes = 0;
    desc.on_storage = give;
    desc.on_async = NULL;
    desc.on_done = rig_end;
    rig_start(&packed.rig, &desc, &packed.reads[3]);
    rig_run(&packed.rig);
    spn__io_retry_storage(packed.rig.io, true);
    rig_run(&packed.rig);
    CHECK_EQ(storage_calls, 2);
    packed_check(3, "zstd", 60000, 150000);
    packed_close();
}

/* -- decoding as pages arrive -- */

static void unpack_decodes_while_the_rest_is_read(void)
{
    packed_open(
        &(struct rig_config){.piece_bytes = 65536, .unpack_bytes = 1 << 20});
    packed.rig.slow.command_us = 1000;
    packed_mount();
    packed_begin(0, "lz4", 0, PACKED_BYTES, SPN_PRIORITY_NORMAL);
    rig_step_io(&packed.rig); /* the first piece is at the device */
    slow_platform_advance(&packed.rig.slow);
    while (rig_step(&packed.rig)) {
    }
    CHECK_EQ(packed.reads[0].done_count, 0);
    CHECK_MEM(packed.buffers[0], packed_bytes("lz4"), PAK_BLOCK_BYTES);
    rig_run(&packed.rig);
    packed_check(0, "lz4", 0, PACKED_BYTES);
    packed_close();
}

/* A read of a part of a compressed entry reads only the blocks of that part. */
static void unpack_reads_only_requested_blocks(void)
{
    uint64_t before;

    packed_open(NULL);
    packed_mount();
    before = packed.rig.slow.bytes_read;
    packed_begin(0, "lz4", 3 * PAK_BLOCK_BYTES + 5, 10, SPN_PRIORITY_NORMAL);
    rig_run(&packed.rig);
    packed_check(0, "lz4", 3 * PAK_BLOCK_BYTES + 5, 10);
    CHECK(packed.rig.slow.bytes_read - before <= PAK_BLOCK_BYTES);
    packed_close();
}

/* -- in the order of the scheduler -- */

static void unpack_delivers_the_bytes_in_the_order_of_deadlines(void)
{
    packed_by_deadline(unpack_delivers_the_bytes_of_every_codec);
    packed_by_deadline(unpack_scatters_into_the_heap);
    packed_by_deadline(unpack_requests_storage_of_the_raw_size);
    packed_by_deadline(unpack_decodes_while_the_rest_is_read);
    packed_by_deadline(unpack_reads_only_requested_blocks);
}

TEST_MAIN(TEST(unpack_delivers_the_bytes_of_every_codec),
          TEST(unpack_reads_data_in_memory), TEST(unpack_reads_a_loaded_pak),
          TEST(unpack_keeps_memory_that_workers_need),
          TEST(unpack_paused_reads_hold_no_pak_in_memory),
          TEST(unpack_scatters_into_the_heap),
          TEST(unpack_requests_storage_of_the_raw_size),
          TEST(unpack_decodes_while_the_rest_is_read),
          TEST(unpack_reads_only_requested_blocks),
          TEST(unpack_delivers_the_bytes_in_the_order_of_deadlines))
