/* test_pak_load.c
 *
 * Goal: a loaded pak is served from memory without a drive. Until it is
 * completely loaded, reads come from the disc. Reads change over in between
 * without losing bytes. Its memory is released when the last read is served,
 * not before.
 * Method: the rig's disc with a pak on a slow optical drive, stepped by the
 * test; the disc's log; the heap, which is overwritten when freed.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "read/stage/read_check.h"
#include "read/stage/step.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <string.h>

#define BIG_BYTES 150000u

static struct rig rig;
static struct rig_read reads[16];
static uint8_t buffers[16][BIG_BYTES];
static uint8_t big[BIG_BYTES];
static struct tiny_pak tiny;
static spn_pak pak;
static spn_pak_entry entry;

static void open_rig(void)
{
    static const struct tiny_pak_file files[] = {
        {.name = "big", .data = big, .bytes = BIG_BYTES},
        {.name = "small", .data = big + 1, .bytes = 3000, .copy_count = 3},
    };

    for (uint32_t i = 0; i < BIG_BYTES; i++)
        big[i] = (uint8_t)(i * 2654435761u >> 11);
    rig_open(&rig, &(struct rig_config){.pak_count = 2, .heap_pages = 128});
    tiny_pak_free(&tiny);
    tiny_pak_make(&tiny, files, 2);
    slow_platform_add(&rig.slow, "p", tiny.bytes, tiny.size);
    slow_platform_place(&rig.slow, "p", SPN_MEDIUM_OPTICAL);
    rig.slow.medium_us[SPN_MEDIUM_OPTICAL] = 1000;
    CHECK_EQ(spn__pak_mount(rig.io, "p", &pak), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(spn__io_find_entry(rig.io, pak, "big", &entry), SPN_OK);
}

static void close_rig(void)
{
    (void)spn__pak_unmount(rig.io, pak);
    rig_run(&rig);
    CHECK_EQ(spn__heap_free_pages(&rig.heap), rig.heap.page_count);
    rig_close(&rig);
}

static void load(void)
{
    CHECK_EQ(spn__pak_load(rig.io, pak, SPN_PRIORITY_NORMAL), SPN_OK);
}

static void begin(uint32_t i, uint64_t offset, uint64_t bytes,
                  spn_priority priority)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], 0, offset, bytes, buffers[i]);

    desc.entry = entry;
    desc.priority = priority;
    rig_start(&rig, &desc, &reads[i]);
}

static void check(uint32_t i, uint64_t offset, uint64_t bytes)
{
    rig_check(&reads[i], SPN_OK);
    CHECK_EQ_U(reads[i].bytes, bytes);
    CHECK_MEM(buffers[i], big + offset, bytes);
}

static void pak_in_memory_needs_no_drive(void)
{
    uint32_t before;

    open_rig();
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_EMPTY);
    load();
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_PENDING);
    rig_run(&rig);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_OK);
    load();
    before = rig.slow.reads;
    begin(0, 0, BIG_BYTES, SPN_PRIORITY_NORMAL);
    begin(1, 7777, 66666, SPN_PRIORITY_IDLE);
    while (rig_step(&rig)) {
    }
    check(0, 0, BIG_BYTES);
    check(1, 7777, 66666);
    CHECK_EQ(rig.slow.reads, before);
    close_rig();
}

static void pak_is_served_from_the_disc_while_it_loads(void)
{
    uint64_t start_us;

    open_rig();
    load();
    for (uint32_t i = 0; i < 5; i++) {
        rig_step_io(&rig);
        slow_platform_advance(&rig.slow);
    }
    start_us = rig.slow.clock_us;
    begin(0, 100, 4000, SPN_PRIORITY_URGENT);
    while (!reads[0].done_count) {
        while (rig_step(&rig)) {
        }
        slow_platform_advance(&rig.slow);
    }
    /* At most two pieces: the one at the drive, and its own. */
    CHECK(rig.slow.clock_us - start_us <= 5000);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_PENDING);
    rig_run(&rig);
    check(0, 100, 4000);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_OK);
    close_rig();
}

/* Reads that wait, were begun, or are at the drive when loading ends. */
static void pak_reads_change_over_when_it_is_loaded(void)
{
    uint32_t before;

    open_rig();
    load();
    begin(0, 10, 100000, SPN_PRIORITY_BELOW_NORMAL);
    begin(1, 20, 100000, SPN_PRIORITY_BELOW_NORMAL);
    begin(2, 30, 50000, SPN_PRIORITY_ABOVE_NORMAL);
    for (uint32_t i = 0; i < 1000; i++) {
        if (spn__pak_load_status(rig.io, pak) == SPN_OK)
            break;
        while (rig_step(&rig)) {
        }
        slow_platform_advance(&rig.slow);
    }
    before = rig.slow.reads;
    rig_run(&rig);
    /* One piece may have been at the drive. */
    CHECK(rig.slow.reads - before <= 1);
    check(0, 10, 100000);
    check(1, 20, 100000);
    check(2, 30, 50000);
    close_rig();
}

static void pak_memory_is_released_while_its_reads_are_paused(void)
{
    uint32_t pages;

    open_rig();
    load();
    rig_run(&rig);
    pages = spn__heap_free_pages(&rig.heap);
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, true);
    for (uint32_t i = 0; i < 4; i++) {
        spn_read_desc desc = rig_desc(&rig, &reads[i], 0, i, 90000, buffers[i]);
        uint64_t due_us;

        desc.entry = entry;
        desc.task = SPN_TASK_TEXTURE;
        rig_start(&rig, &desc, &reads[i]);
        spn__io_pause(rig.io, SPN_TASK_TEXTURE, false);
        for (uint32_t k = 0; k < i; k++)
            spn__io_step(rig.io, &due_us);
        spn__io_pause(rig.io, SPN_TASK_TEXTURE, true);
        spn__io_step(rig.io, &due_us);
    }
    CHECK_EQ(rig.io->paks.mounts[0].memory_users, 0);
    CHECK_EQ(spn__pak_unload(rig.io, pak), SPN_OK);
    CHECK_EQ(spn__pak_unload(rig.io, pak), SPN_OK);
    CHECK_EQ(spn__pak_load(rig.io, pak, SPN_PRIORITY_NORMAL), SPN_ERR_STATE);
    rig_run(&rig);
    CHECK(spn__heap_free_pages(&rig.heap) > pages);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_EMPTY);
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, false);
    rig_run(&rig);
    for (uint32_t i = 0; i < 4; i++)
        check(i, i, 90000);
    begin(5, 3, 5000, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check(5, 3, 5000);
    close_rig();
}

static void pak_load_ends_at_any_time(void)
{
    for (uint32_t steps = 0; steps < 60; steps++) {
        test_context("%u steps", steps);
        open_rig();
        load();
        begin(0, 5, 30000, SPN_PRIORITY_NORMAL);
        for (uint32_t i = 0; i < steps; i++)
            if (!rig_step(&rig))
                slow_platform_advance(&rig.slow);
        if (steps % 2)
            CHECK_EQ(spn__pak_unload(rig.io, pak), SPN_OK);
        else
            CHECK_EQ(spn__pak_unmount(rig.io, pak), SPN_OK);
        rig_run(&rig);
        check(0, 5, 30000);
        close_rig();
    }
}

static void pak_that_cannot_be_loaded_stays_on_the_disc(void)
{
    open_rig();
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_ERROR,
                                                        .path = "p",
                                                        .offset = 100000,
                                                        .bytes = 1});
    load();
    rig_run(&rig);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_ERR_IO);
    begin(0, 0, 50000, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check(0, 0, 50000);
    slow_platform_clear_faults(&rig.slow);
    load();
    rig_run(&rig);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_OK);
    close_rig();
}

static void pak_load_waits_for_memory(void)
{
    heap_handle most;

    open_rig();
    CHECK_EQ(spn__heap_alloc(&rig.heap, 100 * 4096, 0, HEAP_TAG_READ, &most),
             SPN_OK);
    load();
    rig_run(&rig);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_PENDING);
    CHECK(spn__heap_free(&rig.heap, most));
    rig_run(&rig);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_OK);
    CHECK_EQ(spn__pak_load(rig.io, pak, SPN_PRIORITY_PREEMPTED), SPN_ERR_ARG);
    CHECK_EQ(spn__pak_load(rig.io, 0, SPN_PRIORITY_NORMAL), SPN_ERR_HANDLE);
    close_rig();
}

static void pak_is_loaded_when_it_is_mounted(void)
{
    open_rig();
    CHECK_EQ(spn__pak_unmount(rig.io, pak), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(spn__pak_mount(rig.io, "p", &pak), SPN_OK);
    load();
    rig_run(&rig);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_OK);
    close_rig();
}

/* A load request of a pak that cannot be mounted also ends with an error. */
/* Check that the check of the engine finds a wrong mount. */
#define CHECK_FINDS(damage)                                                    \
    do {                                                                       \
        struct pak_mount before = *mount;                                      \
                                                                               \
        test_context("%s", #damage);                                           \
        CHECK(spn__read_check(rig.io) == NULL);                                \
        damage;                                                                \
        CHECK(spn__read_check(rig.io) != NULL);                                \
        *mount = before;                                                       \
    } while (0)

static void check_finds_damaged_mounts(void)
{
    struct pak_mount *mount;

    open_rig();
    load();
    rig_run(&rig);
    begin(0, 0, BIG_BYTES, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    mount = rig.io->paks.mounts;
    CHECK(mount->memory_users > 0);
    CHECK_FINDS(mount->phase = PAK_FREE);
    CHECK_FINDS(mount->phase = PAK_READS_INDEX);
    CHECK_FINDS(mount->status = SPN_PENDING);
    CHECK_FINDS(mount->is_leaving = true);
    CHECK_FINDS(mount->load = PAK_LOAD_NONE);
    CHECK_FINDS(atomic_store_relaxed(&mount->serving, PAK_SERVED_FROM_DISC));
    CHECK_FINDS(atomic_store_relaxed(&mount->is_ready, 0));
    CHECK_FINDS(mount->memory_users++);
    CHECK_FINDS(spn__paks_hold_again(mount));
    CHECK_FINDS(mount->memory_block = 0);
    mount = &rig.io->paks.mounts[1];
    CHECK_FINDS(mount->index_block = 5);
    CHECK_FINDS(atomic_store_relaxed(&mount->is_ready, 1));
    rig.io->paks.held_bytes++;
    CHECK(spn__read_check(rig.io) != NULL);
    rig.io->paks.held_bytes--;
    rig_run(&rig);
    check(0, 0, BIG_BYTES);
    close_rig();
}

static void pak_that_cannot_be_mounted_is_not_loaded(void)
{
    open_rig();
    CHECK_EQ(spn__pak_unmount(rig.io, pak), SPN_OK);
    rig_run(&rig);
    for (uint32_t offset = 0; offset <= PAK_HEADER_BYTES;
         offset += PAK_HEADER_BYTES) {
        slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_ERROR,
                                                            .path = "p",
                                                            .offset = offset,
                                                            .bytes = 1});
        CHECK_EQ(spn__pak_mount(rig.io, "p", &pak), SPN_OK);
        load();
        rig_run(&rig);
        CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_ERR_IO);
        CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_ERR_IO);
        CHECK_EQ(spn__pak_load(rig.io, pak, SPN_PRIORITY_NORMAL),
                 SPN_ERR_STATE);
        slow_platform_clear_faults(&rig.slow);
        CHECK_EQ(spn__pak_unmount(rig.io, pak), SPN_OK);
        rig_run(&rig);
    }
    CHECK_EQ(spn__pak_mount(rig.io, "p", &pak), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(spn__pak_load_status(rig.io, pak), SPN_EMPTY);
    close_rig();
}

TEST_MAIN(TEST(pak_in_memory_needs_no_drive),
          TEST(pak_is_served_from_the_disc_while_it_loads),
          TEST(pak_reads_change_over_when_it_is_loaded),
          TEST(pak_memory_is_released_while_its_reads_are_paused),
          TEST(pak_load_ends_at_any_time),
          TEST(pak_that_cannot_be_loaded_stays_on_the_disc),
          TEST(pak_load_waits_for_memory),
          TEST(pak_is_loaded_when_it_is_mounted),
          TEST(pak_that_cannot_be_mounted_is_not_loaded),
          TEST(check_finds_damaged_mounts))
