/* test_io_unpack.c
 *
 * Goal: reads of compressed entries deliver exactly the bytes that were
 *   packed, from any offset, to any destination, on any medium. Blocks are
 *   decoded as they arrive. A damaged block fails its read, reports its place,
 *   and affects no other read. When temporary memory is exhausted only urgent
 *   reads continue, and all others when it returns. The nearest copy is read.
 * Method: the fixture's disc with a pak that holds one content in every
 *   codec; jobs that run only when the test runs them; the disc's log and
 *   faults.
 */
/* SPDX-License-Identifier: MIT */
#include "base/checksum.h"
#include "base/endian.h"
#include "base/heap_view.h"
#include "base/wire.h"
#include "harness.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "read/stage/io_finish.h"
#include "read/stage/read_check.h"
#include "read/stage/step.h"
#include "read/unpack_reads.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <string.h>

#define BIG_BYTES 400000u /* 7 blocks */
#define READS 24u

static struct rig rig;
static struct rig_read reads[READS];
static uint8_t buffers[READS][BIG_BYTES + 64];
static uint8_t big[BIG_BYTES];
static uint8_t noise[BIG_BYTES];
static struct tiny_pak tiny;
static spn_pak pak;
static spn_fault faults[READS];

static const char *const names[] = {"store", "lz4", "deflate", "zstd", "mixed"};

/* In each block one half compresses. In "mixed" every second block does not. */
static void make_data(void)
{
    struct test_random random = {3};

    for (uint32_t i = 0; i < BIG_BYTES; i++) {
        noise[i] = (uint8_t)test_random_below(&random, 256);
        big[i] = i / 300 % 2 ? noise[i] : (uint8_t)(i >> 6);
    }
    for (uint32_t i = 0; i < BIG_BYTES; i++)
        if (i / PAK_BLOCK_BYTES % 2 == 0)
            noise[i] = (uint8_t)(i >> 5);
}

/* Order of the disc: the sort key or deadlines. */
static bool is_deadline_order;

static void open_rig(const struct rig_config *config)
{
    static const struct tiny_pak_file files[] = {
        {.name = "store", .data = big, .bytes = BIG_BYTES},
        {.name = "lz4",
         .data = big,
         .bytes = BIG_BYTES,
         .codec = SPN_CODEC_LZ4},
        {.name = "deflate",
         .data = big,
         .bytes = BIG_BYTES,
         .codec = SPN_CODEC_DEFLATE},
        {.name = "zstd",
         .data = big,
         .bytes = BIG_BYTES,
         .codec = SPN_CODEC_ZSTD,
         .copy_count = 3},
        {.name = "mixed",
         .data = noise,
         .bytes = BIG_BYTES,
         .codec = SPN_CODEC_LZ4},
        {.name = "twice", .data = noise + 9, .bytes = 9000, .copy_count = 4},
    };
    struct rig_config c = config ? *config : (struct rig_config){0};

    c.pak_count = 2;
    if (!c.read_count)
        c.read_count = READS;
    if (!c.heap_pages)
        c.heap_pages = 700;
    if (is_deadline_order) {
        c.media[SPN_MEDIUM_HARD_DISK].drive =
            spn_drive_profile_find("x360_dvd12x");
        c.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_DEADLINE;
    }
    make_data();
    rig_open(&rig, &c);
    tiny_pak_free(&tiny);
    tiny_pak_make(&tiny, files, 6);
    slow_platform_add(&rig.slow, "p", tiny.bytes, tiny.size);
    memset(buffers, 0, sizeof buffers);
    memset(faults, 0, sizeof faults);
}

static void mount(void)
{
    CHECK_EQ(spn__pak_mount(rig.io, "p", &pak), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_OK);
}

static void close_rig(void)
{
    (void)spn__pak_unmount(rig.io, pak);
    rig_run(&rig);
    CHECK(spn__unpack_is_idle(&rig.io->unpack));
    CHECK_EQ(spn__heap_free_pages(&rig.heap), rig.heap.page_count);
    CHECK_EQ_U(spn__budget_bytes(&rig.io->budget), 0);
    rig_close(&rig);
}

static void on_done(const spn_read_result *result)
{
    struct rig_read *read = result->user;

    read->done_count++;
    read->async_count++;
    read->status = result->status;
    read->bytes = result->bytes;
    read->place = ++rig.ended;
    faults[read - reads] = result->fault;
}

static void begin(uint32_t i, const char *name, uint64_t offset, uint64_t bytes,
                  spn_priority priority)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], 0, offset, bytes, buffers[i]);

    CHECK_EQ(spn__io_find_entry(rig.io, pak, name, &desc.entry), SPN_OK);
    desc.priority = priority;
    desc.buffer_bytes = BIG_BYTES;
    desc.on_async = NULL;
    desc.on_done = on_done;
    rig_start(&rig, &desc, &reads[i]);
}

static const uint8_t *bytes_of(const char *name)
{
    return strcmp(name, "mixed") == 0 ? noise : big;
}

static void check(uint32_t i, const char *name, uint64_t offset, uint64_t bytes)
{
    rig_check(&reads[i], SPN_OK);
    CHECK_EQ_U(reads[i].bytes, bytes);
    CHECK_MEM(buffers[i], bytes_of(name) + offset, bytes);
    /* No byte beyond the range was written. */
    CHECK_EQ(buffers[i][bytes], 0);
    CHECK(faults[i].what == NULL);
}

/* -- bytes -- */

static void read_ranges(void)
{
    static const uint32_t offsets[] = {0,     1,      65535,  65536,
                                       65537, 131072, 200000, BIG_BYTES - 1};
    static const uint32_t sizes[] = {1, 100, 65536, 65537, 140000};

    for (uint32_t n = 0; n < 5; n++)
        for (uint32_t o = 0; o < 8; o++) {
            memset(buffers, 0, sizeof buffers);
            for (uint32_t s = 0; s < 5; s++)
                if (sizes[s] <= BIG_BYTES - offsets[o])
                    begin(s, names[n], offsets[o], sizes[s],
                          SPN_PRIORITY_NORMAL);
            rig_run(&rig);
            for (uint32_t s = 0; s < 5; s++)
                if (sizes[s] <= BIG_BYTES - offsets[o])
                    check(s, names[n], offsets[o], sizes[s]);
        }
}

static void unpack_delivers_the_bytes_of_every_codec(void)
{
    static const uint32_t aligns[] = {1, 512, 4096};
    static const uint32_t pieces[] = {4096, 65536, 262144};

    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t p = 0; p < 3; p++) {
            test_context("align %u, pieces of %u", aligns[a], pieces[p]);
            open_rig(&(struct rig_config){.piece_bytes = pieces[p],
                                          .unpack_bytes = 600000,
                                          .job_capacity = a ? 64 : 2});
            rig.slow.align_bytes = aligns[a];
            mount();
            read_ranges();
            close_rig();
        }
}

static void unpack_reads_data_in_memory(void)
{
    open_rig(NULL);
    slow_platform_place(&rig.slow, "p", SPN_MEDIUM_MEMORY);
    mount();
    read_ranges();
    CHECK_EQ(rig.slow.reads, 0);
    close_rig();
}

static void unpack_reads_a_loaded_pak(void)
{
    uint32_t before;

    open_rig(&(struct rig_config){.heap_pages = 1500});
    mount();
    CHECK_EQ(spn__pak_load(rig.io, pak, SPN_PRIORITY_NORMAL), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_OK);
    before = rig.slow.reads;
    read_ranges();
    CHECK_EQ(rig.slow.reads, before);
    close_rig();
}

/* Start a read of a pak in memory, some of whose blocks are with the
 * workers. */
static void begin_in_memory(spn_task task)
{
    spn_read_desc desc;

    open_rig(&(struct rig_config){.heap_pages = 1500, .piece_bytes = 65536});
    mount();
    CHECK_EQ(spn__pak_load(rig.io, pak, SPN_PRIORITY_NORMAL), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_OK);
    desc = rig_desc(&rig, &reads[0], 0, 0, BIG_BYTES, buffers[0]);
    CHECK_EQ(spn__io_find_entry(rig.io, pak, "lz4", &desc.entry), SPN_OK);
    desc.task = task;
    rig_start(&rig, &desc, &reads[0]);
    for (uint32_t i = 0; i < 2; i++)
        CHECK(spn__io_step(rig.io, &(uint64_t){0}));
    CHECK_EQ(rig.io->media[SPN_MEDIUM_MEMORY].requests.queue.count, 1);
    CHECK(rig.io->unpack.borrowers.count < UNPACK_BORROWER_COUNT);
}

static void unload(void)
{
    CHECK_EQ(spn__pak_unload(rig.io, pak), SPN_OK);
    rig_step_io(&rig);
    spn__paks_update(rig.io);
}

static void unpack_keeps_memory_that_workers_need(void)
{
    uint32_t free_pages;

    begin_in_memory(SPN_TASK_TEXTURE);
    free_pages = spn__heap_free_pages(&rig.heap);
    unload();
    /* No worker has run yet. */
    CHECK_EQ(spn__heap_free_pages(&rig.heap), free_pages);
    rig_run(&rig);
    CHECK(spn__heap_free_pages(&rig.heap) > free_pages);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_EMPTY);
    check(0, "lz4", 0, BIG_BYTES);
    close_rig();
}

/* After the pause the read continues from the disc. */
static void unpack_paused_reads_hold_no_pak_in_memory(void)
{
    uint32_t free_pages;

    begin_in_memory(SPN_TASK_TEXTURE);
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, true);
    free_pages = spn__heap_free_pages(&rig.heap);
    unload();
    rig_run(&rig);
    CHECK(spn__heap_free_pages(&rig.heap) > free_pages);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_EMPTY);
    CHECK_EQ(reads[0].done_count, 0);
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, false);
    rig_run(&rig);
    check(0, "lz4", 0, BIG_BYTES);
    close_rig();
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

    open_rig(&(struct rig_config){.piece_bytes = 65536});
    mount();
    CHECK_EQ(spn__io_file_open(rig.io, "lz4", &read.file), SPN_OK);
    /* The extents have three pages. */
    for (uint32_t i = 0; i < 40; i++)
        CHECK_EQ(spn__heap_alloc(&rig.heap, 3 * 4096, 3 * 4096, HEAP_TAG_READ,
                                 &hole[i]),
                 SPN_OK);
    CHECK_EQ(spn__heap_alloc(&rig.heap, spn__heap_free_pages(&rig.heap) * 4096u,
                             0, HEAP_TAG_READ, &block),
             SPN_OK);
    for (uint32_t i = 0; i < 40; i += 2)
        CHECK(spn__heap_free(&rig.heap, hole[i]));
    CHECK_EQ(spn__heap_alloc(&rig.heap, 201000, 0, HEAP_TAG_READ, &read.block),
             SPN_OK);
    CHECK(spn__heap_extent_count(&rig.heap, read.block) > 10);
    CHECK_EQ(spn__io_start(rig.io, &read, &handle), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(internal.status, SPN_OK);
    CHECK_EQ_U(internal.bytes, 200000);
    CHECK_MEM(spn__heap_view(&rig.heap, read.block, 333, 200000, buffers[0]),
              big + 70000, 200000);
    CHECK(spn__heap_free(&rig.heap, read.block));
    CHECK(spn__heap_free(&rig.heap, block));
    for (uint32_t i = 1; i < 40; i += 2)
        CHECK(spn__heap_free(&rig.heap, hole[i]));
    CHECK_EQ(spn__io_file_close(rig.io, read.file), SPN_OK);
    close_rig();
}

static uint32_t storage_calls;

static spn_status give(const spn_read_want *want, void **buffer)
{
    CHECK_EQ_U(want->bytes, 150000);
    if (storage_calls++ == 0)
        return SPN_NO_MEMORY_NOW;
    *buffer = buffers[3];
    return SPN_OK;
}

static void unpack_requests_storage_of_the_raw_size(void)
{
    spn_read_desc desc;

    open_rig(NULL);
    mount();
    storage_calls = 0;
    desc = rig_desc(&rig, &reads[3], 0, 60000, 150000, NULL);
    CHECK_EQ(spn__io_find_entry(rig.io, pak, "zstd", &desc.entry), SPN_OK);
    desc.buffer_bytes = 0;
    desc.on_storage = give;
    desc.on_async = NULL;
    desc.on_done = on_done;
    rig_start(&rig, &desc, &reads[3]);
    rig_run(&rig);
    spn__io_retry_storage(rig.io, true);
    rig_run(&rig);
    CHECK_EQ(storage_calls, 2);
    check(3, "zstd", 60000, 150000);
    close_rig();
}

/* -- decoding as pages arrive -- */

static void unpack_decodes_while_the_rest_is_read(void)
{
    open_rig(
        &(struct rig_config){.piece_bytes = 65536, .unpack_bytes = 1 << 20});
    rig.slow.command_us = 1000;
    mount();
    begin(0, "lz4", 0, BIG_BYTES, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig); /* the first piece is at the device */
    slow_platform_advance(&rig.slow);
    while (rig_step(&rig)) {
    }
    CHECK_EQ(reads[0].done_count, 0);
    CHECK_MEM(buffers[0], big, PAK_BLOCK_BYTES);
    rig_run(&rig);
    check(0, "lz4", 0, BIG_BYTES);
    close_rig();
}

/* A read of a part of a compressed entry reads only the blocks of that part. */
static void unpack_reads_only_requested_blocks(void)
{
    uint64_t before;

    open_rig(NULL);
    mount();
    before = rig.slow.bytes_read;
    begin(0, "lz4", 3 * PAK_BLOCK_BYTES + 5, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check(0, "lz4", 3 * PAK_BLOCK_BYTES + 5, 10);
    CHECK(rig.slow.bytes_read - before <= PAK_BLOCK_BYTES);
    close_rig();
}

/* -- temporary memory -- */

/* Run the devices and the io thread, but no worker. */
static void run_io(void)
{
    do
        rig_step_io(&rig);
    while (slow_platform_advance(&rig.slow));
}

static void unpack_continues_urgent_reads_without_memory(void)
{
    open_rig(&(struct rig_config){.piece_bytes = 65536, .job_capacity = 256});
    mount();
    CHECK_EQ(rig.io->unpack.memory_count, 2);
    for (uint32_t i = 0; i < 6; i++)
        begin(i, "lz4", i * 1000, 150000, SPN_PRIORITY_NORMAL);
    run_io();
    /* The first read has the only slot that is not reserved for urgent
     * reads. */
    CHECK_EQ(rig.io->unpack.free.count, 1);
    CHECK_EQ(rig.io->slot_waiters.count, 6);
    /* A read without temporary memory continues. */
    begin(6, "store", 0, 5000, SPN_PRIORITY_IDLE);
    run_io();
    spn__io_finish(rig.io, 10);
    CHECK_EQ(reads[6].done_count, 1);
    begin(7, "zstd", 5, 1000, SPN_PRIORITY_URGENT);
    begin(8, "zstd", 5, 1000, SPN_PRIORITY_URGENT);
    run_io();
    CHECK_EQ(rig.io->unpack.free.count, 0);
    rig_run(&rig);
    for (uint32_t i = 0; i < 6; i++)
        check(i, "lz4", i * 1000, 150000);
    check(6, "store", 0, 5000);
    check(7, "zstd", 5, 1000);
    check(8, "zstd", 5, 1000);
    CHECK(reads[7].place < reads[1].place);
    close_rig();
}

/* A read that waits for a slot between two pieces is in no queue of a medium,
 * so an urgent read does not interrupt it. */
static void check_finds_damaged_slots(void)
{
    struct unpack *unpack;
    struct unpack before;

    open_rig(&(struct rig_config){.piece_bytes = 65536});
    unpack = &rig.io->unpack;
    mount();
    begin(0, "lz4", 0, BIG_BYTES, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    CHECK(unpack->free.count < unpack->memory_count);
    CHECK(spn__unpack_check(unpack) && !spn__read_check(rig.io));
    before = *unpack;
    for (uint32_t i = 0; i < unpack->slot_count; i++) {
        struct unpack_slot slot = unpack->slots[i];

        test_context("slot %u", i);
        unpack->slots[i].users++;
        CHECK(spn__read_check(rig.io) != NULL);
        unpack->slots[i].users += 1;
        CHECK(!spn__unpack_check(unpack));
        unpack->slots[i] = slot;
        unpack->slots[i].used_bytes = unpack->slot_bytes + 1;
        CHECK(!spn__unpack_check(unpack));
        unpack->slots[i] = slot;
        if (slot.users == 0 && slot.next != IO_NONE) {
            unpack->slots[i].next = i;
            CHECK(!spn__unpack_check(unpack));
        }
        unpack->slots[i] = slot;
    }
    unpack->free.count--;
    CHECK(!spn__unpack_check(unpack));
    *unpack = before;
    unpack->borrowers.last = unpack->borrowers.first;
    CHECK(!spn__unpack_check(unpack));
    *unpack = before;
    atomic_store_relaxed(&unpack->used_peak, 0);
    CHECK(!spn__unpack_check(unpack));
    *unpack = before;
    CHECK(spn__unpack_check(unpack));
    close_rig();
}

static void unpack_interrupts_no_read_that_waits_for_a_slot(void)
{
    open_rig(&(struct rig_config){.piece_bytes = 65536, .job_capacity = 256});
    mount();
    begin(0, "lz4", 0, 150000, SPN_PRIORITY_NORMAL);
    run_io();
    CHECK_EQ(rig.io->slot_waiters.count, 1);
    CHECK_EQ(rig.io->media[SPN_MEDIUM_HARD_DISK].unfinished, IO_NONE);
    begin(1, "zstd", 5, 1000, SPN_PRIORITY_URGENT);
    run_io();
    CHECK(!rig.io->requests[reads[0].handle & READ_INDEX_MASK].is_interrupted);
    rig_run(&rig);
    check(0, "lz4", 0, 150000);
    check(1, "zstd", 5, 1000);
    close_rig();
}

/* Reads that wait for memory are aborted, paused and shut down like others. */
static void unpack_reads_that_wait_can_be_aborted_and_paused(void)
{
    open_rig(&(struct rig_config){.piece_bytes = 65536, .job_capacity = 256});
    mount();
    for (uint32_t i = 0; i < 6; i++)
        begin(i, "lz4", 0, 150000, SPN_PRIORITY_NORMAL);
    run_io();
    CHECK_EQ(spn__io_abort(rig.io, reads[3].handle), SPN_OK);
    CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
    run_io();
    spn__io_finish(rig.io, 10);
    CHECK_EQ(reads[3].status, SPN_ERR_ABORTED);
    /* The workers still process a block of it. */
    CHECK_EQ(reads[0].done_count, 0);
    spn__io_pause(rig.io, SPN_TASK_USER, true);
    rig_run(&rig);
    CHECK_EQ(reads[0].status, SPN_ERR_ABORTED);
    CHECK_EQ(reads[1].done_count, 0);
    CHECK(spn__unpack_is_idle(&rig.io->unpack));
    spn__io_pause(rig.io, SPN_TASK_USER, false);
    rig_run(&rig);
    check(1, "lz4", 0, 150000);
    check(5, "lz4", 0, 150000);
    for (uint32_t i = 6; i < 12; i++)
        begin(i, "lz4", 0, 150000, SPN_PRIORITY_NORMAL);
    run_io();
    spn__io_shutdown(rig.io);
    rig_run(&rig);
    for (uint32_t i = 6; i < 12; i++)
        CHECK_EQ(reads[i].status, SPN_ERR_SHUTDOWN);
    rig_close(&rig);
}

/* -- damage -- */

/* The offset of block `number` of an entry in the file. */
static uint64_t place_of(const char *name, uint32_t number,
                         struct pak_block *block)
{
    const struct pak_index *index = &rig.io->paks.mounts[0].index;
    uint32_t entry = spn__pak_find(index, name, (uint32_t)strlen(name));
    struct pak_content content =
        spn__pak_content(index, spn__pak_entry(index, entry).content);

    *block = spn__pak_block(index, &content, number);
    return spn__pak_copy_offset(index, content.first_copy, NULL) +
           block->offset;
}

static void damage(const char *name)
{
    struct pak_block block;
    uint64_t at;

    open_rig(
        &(struct rig_config){.piece_bytes = 65536, .unpack_bytes = 1 << 20});
    mount();
    at = place_of(name, 2, &block);
    slow_platform_fault(&rig.slow,
                        &(struct slow_fault){.kind = SLOW_FLIP,
                                             .path = "p",
                                             .offset = at + 9,
                                             .bytes = 1,
                                             .value = 8 * (at + 9) + 3});
    begin(0, name, 0, BIG_BYTES, SPN_PRIORITY_NORMAL);
    begin(1, name, 5, 2 * PAK_BLOCK_BYTES - 5, SPN_PRIORITY_NORMAL);
    begin(2, name, 3 * PAK_BLOCK_BYTES, 90000, SPN_PRIORITY_NORMAL);
    begin(3, name, PAK_BLOCK_BYTES + 10, 2 * PAK_BLOCK_BYTES,
          SPN_PRIORITY_IDLE);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_CHECKSUM);
    CHECK_EQ_U(reads[0].bytes, 2 * PAK_BLOCK_BYTES);
    CHECK_MEM(buffers[0], big, 2 * PAK_BLOCK_BYTES);
    CHECK_EQ_U(faults[0].offset, at);
    CHECK_EQ(faults[0].status, SPN_ERR_CHECKSUM);
    CHECK_EQ_U(faults[0].expected, block.checksum);
    CHECK(faults[0].value != block.checksum && faults[0].has_expected);
    CHECK_STR("checksum of a block", faults[0].what);
    CHECK_STR("p", faults[0].file);
    check(1, name, 5, 2 * PAK_BLOCK_BYTES - 5);
    check(2, name, 3 * PAK_BLOCK_BYTES, 90000);
    rig_check(&reads[3], SPN_ERR_CHECKSUM);
    CHECK_EQ_U(reads[3].bytes, PAK_BLOCK_BYTES - 10);
    CHECK_MEM(buffers[3], big + PAK_BLOCK_BYTES + 10, reads[3].bytes);
    close_rig();
}

static void unpack_damaged_block_fails_its_reads_alone(void)
{
    damage("lz4");
    damage("deflate");
    damage("store");
}

/* More ended reads than there are slots for verification. */
static void unpack_verifies_all_when_slots_are_few(void)
{
    struct pak_block block;
    uint64_t at;

    open_rig(&(struct rig_config){.job_capacity = 256});
    mount();
    at = place_of("store", 0, &block);
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_FLIP,
                                                        .path = "p",
                                                        .offset = at + 9,
                                                        .bytes = 1,
                                                        .value = 8 * (at + 9)});
    for (uint32_t i = 0; i < 20; i++)
        begin(i, "store", (uint64_t)(i % 2) * PAK_BLOCK_BYTES, PAK_BLOCK_BYTES,
              SPN_PRIORITY_NORMAL);
    run_io();
    CHECK_EQ(rig.io->unpack.borrowers.count, 0);
    CHECK(rig.io->unverified.count > 0);
    rig_run(&rig);
    for (uint32_t i = 0; i < 20; i++)
        if (i % 2)
            check(i, "store", PAK_BLOCK_BYTES, PAK_BLOCK_BYTES);
        else
            rig_check(&reads[i], SPN_ERR_CHECKSUM);
    close_rig();
}

/* The checksum is correct, but the bytes are not valid compressed data. */
static void unpack_invalid_data_is_refused_by_its_codec(void)
{
    struct pak_block block;
    uint64_t at;

    open_rig(NULL);
    mount();
    at = place_of("lz4", 1, &block);
    memset(tiny.bytes + at, 0xff, block.stored_bytes);
    /* Change the index in memory. */
    {
        const struct pak_mount *m = &rig.io->paks.mounts[0];
        uint32_t entry = spn__pak_find(&m->index, "lz4", 3);
        struct pak_content content = spn__pak_content(
            &m->index, spn__pak_entry(&m->index, entry).content);
        uint8_t *wire = spn__heap_data(&rig.heap, m->index_block);

        wire += m->index.blocks - (const uint8_t *)wire;
        wire += (content.first_block + 1) * 10 + 6;
        spn_store_u32le(wire, spn__checksum(tiny.bytes + at, block.stored_bytes,
                                            WIRE_SEED));
    }
    begin(0, "lz4", 0, BIG_BYTES, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_CODEC);
    CHECK_EQ_U(reads[0].bytes, PAK_BLOCK_BYTES);
    CHECK_EQ_U(faults[0].offset, at);
    CHECK_STR("compressed block", faults[0].what);
    close_rig();
}

/* An unreadable sector loses the bytes behind it, not those before it. */
static void unpack_reads_up_to_a_bad_sector(void)
{
    static const char *const all[] = {"lz4", "deflate", "mixed"};

    for (uint32_t n = 0; n < 3; n++) {
        struct pak_block block;
        uint64_t at;

        open_rig(&(struct rig_config){.piece_bytes = 262144,
                                      .unpack_bytes = 1 << 20});
        rig.slow.align_bytes = 512;
        mount();
        at = place_of(all[n], 3, &block);
        slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_ERROR,
                                                            .path = "p",
                                                            .offset = at + 4000,
                                                            .bytes = 1});
        begin(0, all[n], 100, BIG_BYTES - 100, SPN_PRIORITY_NORMAL);
        begin(1, all[n], 4 * PAK_BLOCK_BYTES, 90000, SPN_PRIORITY_NORMAL);
        rig_run(&rig);
        rig_check(&reads[0], SPN_ERR_IO);
        CHECK_EQ_U(reads[0].bytes, 3 * PAK_BLOCK_BYTES - 100);
        CHECK_MEM(buffers[0], bytes_of(all[n]) + 100, reads[0].bytes);
        check(1, all[n], 4 * PAK_BLOCK_BYTES, 90000);
        close_rig();
    }
}

static void unpack_accepts_short_pieces(void)
{
    open_rig(
        &(struct rig_config){.piece_bytes = 262144, .unpack_bytes = 1 << 20});
    mount();
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_SHORT,
                                                        .path = "p",
                                                        .times = 2,
                                                        .value = 100000});
    begin(0, "lz4", 1, BIG_BYTES - 1, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check(0, "lz4", 1, BIG_BYTES - 1);
    close_rig();
}

static void unpack_refuses_a_missing_codec(void)
{
    open_rig(NULL);
    mount();
    rig.io->unpack.codec_count = 0;
    begin(0, "zstd", 0, 100, SPN_PRIORITY_NORMAL);
    begin(1, "lz4", 0, 100, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_NO_CODEC);
    CHECK_STR("block codec zstd", faults[0].what);
    check(1, "lz4", 0, 100);
    close_rig();
}

/* -- copies -- */

static struct pak_content content_of(const char *name)
{
    const struct pak_index *index = &rig.io->paks.mounts[0].index;
    uint32_t entry = spn__pak_find(index, name, (uint32_t)strlen(name));

    return spn__pak_content(index, spn__pak_entry(index, entry).content);
}

static uint64_t head_of_disc(void)
{
    return rig.slow.log[rig.slow.reads - 1].offset +
           rig.slow.log[rig.slow.reads - 1].bytes;
}

/* The head seeks to the nearest copy. */
static uint64_t least_distance(const struct pak_content *content, uint64_t head)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < content->copy_count; i++) {
        uint64_t at = spn__pak_copy_offset(&rig.io->paks.mounts[0].index,
                                           content->first_copy + i, NULL);
        uint64_t far = at < head ? head - at : at - head;

        least = far < least ? far : least;
    }
    return least;
}

static void unpack_reads_the_copy_next_to_the_head(void)
{
    static const char *const all[] = {"twice", "zstd"};

    for (uint32_t n = 0; n < 2; n++)
        for (uint64_t from = 0; from < 5; from++) {
            struct pak_content content;
            uint64_t head;
            uint64_t chosen;

            open_rig(&(struct rig_config){.piece_bytes = 1 << 20});
            mount();
            content = content_of(all[n]);
            /* Move the head to a place in the pak. */
            begin(0, "store", from * 90000, 10, SPN_PRIORITY_URGENT);
            if (from == 4)
                begin(1, "mixed", BIG_BYTES - 9, 9, SPN_PRIORITY_ABOVE_NORMAL);
            rig_run(&rig);
            head = head_of_disc();
            begin(2, all[n], 0, 100, SPN_PRIORITY_NORMAL);
            rig_run(&rig);
            chosen = rig.slow.log[rig.slow.reads - 1].offset;
            CHECK_EQ_U(chosen < head ? head - chosen : chosen - head,
                       least_distance(&content, head));
            close_rig();
        }
}

/* -- in the order of the scheduler -- */

static void by_deadline(void (*claim)(void))
{
    is_deadline_order = true;
    claim();
    is_deadline_order = false;
}

static void unpack_delivers_the_bytes_in_the_order_of_deadlines(void)
{
    by_deadline(unpack_delivers_the_bytes_of_every_codec);
    by_deadline(unpack_scatters_into_the_heap);
    by_deadline(unpack_requests_storage_of_the_raw_size);
    by_deadline(unpack_decodes_while_the_rest_is_read);
    by_deadline(unpack_reads_only_requested_blocks);
}

static void unpack_waits_for_memory_in_the_order_of_deadlines(void)
{
    by_deadline(unpack_continues_urgent_reads_without_memory);
    by_deadline(unpack_reads_that_wait_can_be_aborted_and_paused);
}

static void unpack_finds_damage_in_the_order_of_deadlines(void)
{
    by_deadline(unpack_damaged_block_fails_its_reads_alone);
    by_deadline(unpack_invalid_data_is_refused_by_its_codec);
    by_deadline(unpack_reads_up_to_a_bad_sector);
    by_deadline(unpack_accepts_short_pieces);
    by_deadline(unpack_refuses_a_missing_codec);
}

static void unpack_reads_the_nearest_copy_in_the_order_of_deadlines(void)
{
    by_deadline(unpack_reads_the_copy_next_to_the_head);
}

enum waits { NOTHING, ABORTED, WAITING };

/* Return the place where "twice" is read while another read waits or was
 * aborted. */
static uint64_t place_beside(enum waits waits)
{
    spn_read_desc descs[2];
    spn_file files[2];
    uint64_t due_us;
    uint32_t begun;
    uint32_t i;
    uint64_t at;

    open_rig(&(struct rig_config){.piece_bytes = 1 << 20});
    slow_platform_add(&rig.slow, "behind", big, BIG_BYTES);
    mount();
    files[0] = rig_file(&rig, "a");
    files[1] = rig_file(&rig, "behind");
    /* The files stay open from here on. */
    for (i = 0; i < 2; i++) {
        descs[i] = rig_desc(&rig, &reads[i], files[i], 0, 11, buffers[i]);
        rig_start(&rig, &descs[i], &reads[i]);
        rig_run(&rig);
        descs[i] =
            rig_desc(&rig, &reads[2 + i], files[i], 0, 11, buffers[2 + i]);
    }
    begin(4, "store", 0, 10, SPN_PRIORITY_URGENT);
    rig_step_io(&rig);
    begin(5, "twice", 0, 100, SPN_PRIORITY_NORMAL);
    descs[0].priority = SPN_PRIORITY_URGENT;
    rig_start(&rig, &descs[0], &reads[2]);
    if (waits != NOTHING)
        rig_start(&rig, &descs[1], &reads[3]);
    begun = rig.slow.reads;
    while (rig.slow.reads == begun)
        if (!spn__io_step(rig.io, &due_us))
            CHECK(slow_platform_advance(&rig.slow));
    CHECK_EQ_U(rig.slow.log[begun].bytes, 11);
    if (waits == ABORTED)
        CHECK_EQ(spn__io_abort(rig.io, reads[3].handle), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(reads[5].status, SPN_OK);
    for (i = begun; i + 1 < rig.slow.reads && rig.slow.log[i].bytes != 100;)
        i++;
    CHECK_EQ_U(rig.slow.log[i].bytes, 100);
    at = rig.slow.log[i].offset;
    for (i = 0; i < 2; i++)
        CHECK_EQ(spn__io_file_close(rig.io, files[i]), SPN_OK);
    close_rig();
    return at;
}

/* The copy near a waiting read is chosen. If that read is aborted before, the
 * copy nearest to the head is. */
static void unpack_reads_the_copy_near_waiting_reads(void)
{
    is_deadline_order = true;
    CHECK(place_beside(WAITING) != place_beside(NOTHING));
    CHECK_EQ_U(place_beside(ABORTED), place_beside(NOTHING));
    is_deadline_order = false;
}

TEST_MAIN(TEST(unpack_delivers_the_bytes_of_every_codec),
          TEST(unpack_reads_data_in_memory), TEST(unpack_reads_a_loaded_pak),
          TEST(unpack_keeps_memory_that_workers_need),
          TEST(unpack_paused_reads_hold_no_pak_in_memory),
          TEST(unpack_scatters_into_the_heap),
          TEST(unpack_requests_storage_of_the_raw_size),
          TEST(unpack_decodes_while_the_rest_is_read),
          TEST(unpack_reads_only_requested_blocks),
          TEST(unpack_continues_urgent_reads_without_memory),
          TEST(check_finds_damaged_slots),
          TEST(unpack_interrupts_no_read_that_waits_for_a_slot),
          TEST(unpack_reads_that_wait_can_be_aborted_and_paused),
          TEST(unpack_damaged_block_fails_its_reads_alone),
          TEST(unpack_verifies_all_when_slots_are_few),
          TEST(unpack_invalid_data_is_refused_by_its_codec),
          TEST(unpack_reads_up_to_a_bad_sector),
          TEST(unpack_accepts_short_pieces),
          TEST(unpack_refuses_a_missing_codec),
          TEST(unpack_reads_the_copy_next_to_the_head),
          TEST(unpack_delivers_the_bytes_in_the_order_of_deadlines),
          TEST(unpack_waits_for_memory_in_the_order_of_deadlines),
          TEST(unpack_finds_damage_in_the_order_of_deadlines),
          TEST(unpack_reads_the_nearest_copy_in_the_order_of_deadlines),
          TEST(unpack_reads_the_copy_near_waiting_reads))
