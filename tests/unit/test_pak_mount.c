/* test_pak_mount.c
 *
 * Goal: a pak is mounted after its index was read at once and validated. A
 * truncated or invalid one reports the offset. Names are found, in the latest
 * mount first. Entries are read like files, by handle and by path. An unmounted
 * pak is removed when its last user has ended, and leaves nothing behind.
 * Method: the rig's disc with small paks; its log; the heap, which must be as
 * empty at the end as at the start.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_view.h"
#include "harness.h"
#include "read/engine.h"
#include "read/io_start.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <stdlib.h>
#include <string.h>

#define BIG_BYTES 200000u

static struct rig rig;
static struct rig_read reads[16];
static uint8_t buffers[16][BIG_BYTES + 4096];
static uint8_t big[BIG_BYTES];
static uint8_t other[BIG_BYTES];
static struct tiny_pak paks[4];

static void fill(uint8_t *bytes, uint32_t seed)
{
    struct test_random random = {seed};

    for (uint32_t i = 0; i < BIG_BYTES; i++)
        bytes[i] = (uint8_t)test_random_below(&random, 256);
}

/* "p" has big, small, "a" and "empty"; "q" another "small"; "none" no files. */
static void open_rig(const struct rig_config *config)
{
    static const struct tiny_pak_file p[] = {
        {.name = "dir/big", .data = big, .bytes = BIG_BYTES},
        {.name = "small", .data = big + 5, .bytes = 100},
        {.name = "a", .data = big + 9, .bytes = 3000},
        {.name = "empty"},
    };
    static const struct tiny_pak_file q[] = {
        {.name = "small", .data = other, .bytes = 200},
        {.name = "more", .data = other + 1, .bytes = 10},
    };
    struct rig_config c = config ? *config : (struct rig_config){0};

    if (!c.pak_count)
        c.pak_count = 4;
    fill(big, 1);
    fill(other, 2);
    rig_open(&rig, &c);
    for (uint32_t i = 0; i < 4; i++)
        tiny_pak_free(&paks[i]);
    tiny_pak_make(&paks[0], p, 4);
    tiny_pak_make(&paks[1], q, 2);
    tiny_pak_make(&paks[2], NULL, 0);
    slow_platform_add(&rig.slow, "p", paks[0].bytes, paks[0].size);
    slow_platform_add(&rig.slow, "q", paks[1].bytes, paks[1].size);
    slow_platform_add(&rig.slow, "none", paks[2].bytes, paks[2].size);
}

static void close_rig(void)
{
    uint32_t pages = rig.heap.page_count;

    rig_run(&rig);
    CHECK_EQ(spn__heap_free_pages(&rig.heap), pages);
    rig_close(&rig);
}

static spn_pak mount(const char *path)
{
    spn_pak pak = 0;

    CHECK_EQ(spn__pak_mount(rig.io, path, &pak), SPN_OK);
    CHECK(pak != 0);
    return pak;
}

static spn_pak mount_good(const char *path)
{
    spn_pak pak = mount(path);

    rig_run(&rig);
    CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_OK);
    return pak;
}

static void unmount(spn_pak pak)
{
    CHECK_EQ(spn__pak_unmount(rig.io, pak), SPN_OK);
    CHECK_EQ(spn__pak_unmount(rig.io, pak), SPN_ERR_HANDLE);
    CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_ERR_HANDLE);
}

static spn_pak_entry find(spn_pak pak, const char *name)
{
    spn_pak_entry entry = {0, 0};

    CHECK_EQ(spn__io_find_entry(rig.io, pak, name, &entry), SPN_OK);
    CHECK(entry.pak != 0);
    return entry;
}

static void begin_entry(uint32_t i, spn_pak_entry entry, uint64_t offset,
                        uint64_t bytes)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], 0, offset, bytes, buffers[i]);

    desc.entry = entry;
    desc.buffer_bytes = BIG_BYTES;
    rig_start(&rig, &desc, &reads[i]);
}

static void begin_path(uint32_t i, const char *path, uint64_t offset,
                       uint64_t bytes)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], 0, offset, bytes, buffers[i]);

    desc.path = path;
    desc.buffer_bytes = BIG_BYTES;
    rig_start(&rig, &desc, &reads[i]);
}

static void check_bytes(uint32_t i, const uint8_t *expected, uint64_t bytes)
{
    rig_check(&reads[i], SPN_OK);
    CHECK_EQ_U(reads[i].bytes, bytes);
    CHECK_MEM(buffers[i], expected, bytes);
}

/* -- mounting -- */

static void pak_is_mounted_with_two_reads(void)
{
    spn_pak pak;

    open_rig(NULL);
    pak = mount("p");
    CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_PENDING);
    CHECK_EQ(spn__io_find_entry(rig.io, pak, "small", &(spn_pak_entry){0, 0}),
             SPN_PENDING);
    CHECK_EQ(spn__io_find_entry(rig.io, 0, "small", &(spn_pak_entry){0, 0}),
             SPN_ERR_NOT_FOUND);
    rig_run(&rig);
    CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_OK);
    CHECK_EQ(rig.slow.reads, 2);
    CHECK_EQ_U(rig.slow.log[1].offset, PAK_HEADER_BYTES);
    CHECK_EQ_U(rig.slow.log[1].bytes,
               rig.io->paks.mounts[0].header.index_bytes);
    CHECK_EQ_U(spn__heap_bytes(&rig.heap, rig.io->paks.mounts[0].index_block),
               rig.io->paks.mounts[0].header.index_bytes);
    unmount(pak);
    close_rig();
}

static void pak_of_no_files_is_mounted(void)
{
    spn_pak pak;
    uint32_t count = 7;

    open_rig(NULL);
    pak = mount_good("none");
    CHECK_EQ(spn__io_count_entries(rig.io, pak, &count), SPN_OK);
    CHECK_EQ(count, 0);
    CHECK_EQ(spn__io_find_entry(rig.io, pak, "a", &(spn_pak_entry){0, 0}),
             SPN_ERR_NOT_FOUND);
    unmount(pak);
    close_rig();
}

static void pak_mount_refuses_bad_arguments(void)
{
    spn_pak all[5];

    open_rig(NULL);
    CHECK_EQ(spn__pak_mount(rig.io, NULL, all), SPN_ERR_ARG);
    CHECK_EQ(spn__pak_mount(rig.io, "", all), SPN_ERR_ARG);
    CHECK_EQ(spn__pak_mount(rig.io, "p", NULL), SPN_ERR_ARG);
    CHECK_EQ(spn__pak_status(rig.io, 0, NULL), SPN_ERR_HANDLE);
    CHECK_EQ(spn__pak_status(rig.io, UINT32_MAX, NULL), SPN_ERR_HANDLE);
    CHECK_EQ(spn__pak_unmount(rig.io, 0x1ff), SPN_ERR_HANDLE);
    for (uint32_t i = 0; i < 4; i++)
        all[i] = mount("p");
    CHECK_EQ(spn__pak_mount(rig.io, "p", &all[4]), SPN_ERR_TABLE_FULL);
    rig_run(&rig);
    unmount(all[2]);
    rig_run(&rig);
    all[2] = mount("p");
    for (uint32_t i = 0; i < 4; i++)
        unmount(all[i]);
    close_rig();
}

/* The status of mounting a file with these bytes. */
static spn_status status_of(const uint8_t *bytes, size_t size, spn_fault *fault)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    spn_status status;
    spn_pak pak;

    memcpy(copy, bytes, size);
    slow_platform_add(&rig.slow, "x", copy, size);
    pak = mount("x");
    rig_run(&rig);
    status = spn__pak_status(rig.io, pak, fault);
    unmount(pak);
    rig_run(&rig);
    CHECK_EQ(spn__heap_free_pages(&rig.heap), rig.heap.page_count);
    rig.slow.file_count--;
    free(copy);
    return status;
}

static void pak_mount_refuses_every_truncation(void)
{
    spn_fault fault;

    open_rig(NULL);
    for (size_t size = 0; size < paks[1].size; size += size < 600 ? 1 : 61) {
        test_context("%u bytes", (unsigned)size);
        fault = (spn_fault){0};
        CHECK(status_of(paks[1].bytes, size, &fault) < SPN_OK);
        CHECK(fault.what && fault.file);
        CHECK_STR("x", fault.file);
    }
    CHECK_EQ(status_of(paks[1].bytes, paks[1].size, &fault), SPN_OK);
    close_rig();
}

static void pak_mount_refuses_an_invalid_index(void)
{
    uint32_t bytes;
    uint8_t *copy;
    spn_fault fault;

    open_rig(NULL);
    bytes = PAK_HEADER_BYTES + 159; /* bytes of its index */
    copy = malloc(paks[1].size);
    for (uint32_t at = 0; at < bytes; at++) {
        test_context("byte %u", at);
        memcpy(copy, paks[1].bytes, paks[1].size);
        copy[at] ^= 0x41;
        if (at >= PAK_HEADER_BYTES && at % 2)
            tiny_pak_correct_checksums(copy, paks[1].size);
        fault = (spn_fault){0};
        if (status_of(copy, paks[1].size, &fault) < SPN_OK)
            CHECK(fault.what != NULL);
        else
            CHECK_EQ(tiny_pak_walk(copy, paks[1].size, &fault),
                     SPN_ERR_CHECKSUM);
    }
    free(copy);
    close_rig();
}

static void pak_mount_reports_errors_of_the_device(void)
{
    spn_fault fault;
    spn_pak pak;

    open_rig(NULL);
    pak = mount("nowhere");
    rig_run(&rig);
    CHECK_EQ(spn__pak_status(rig.io, pak, &fault), SPN_ERR_NOT_FOUND);
    CHECK_STR("header", fault.what);
    unmount(pak);
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_ERROR,
                                                        .path = "p",
                                                        .offset = 128,
                                                        .bytes = 1});
    pak = mount("p");
    rig_run(&rig);
    CHECK_EQ(spn__pak_status(rig.io, pak, &fault), SPN_ERR_IO);
    CHECK_STR("index", fault.what);
    CHECK_EQ_U(fault.offset, 128);
    unmount(pak);
    close_rig();
}

static void pak_mount_waits_for_memory(void)
{
    heap_handle all;
    spn_pak pak;

    open_rig(NULL);
    CHECK_EQ(spn__heap_alloc(&rig.heap, 64 * 4096, 0, HEAP_TAG_READ, &all),
             SPN_OK);
    pak = mount("p");
    rig_run(&rig);
    CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_PENDING);
    CHECK(spn__heap_free(&rig.heap, all));
    rig_run(&rig);
    CHECK_EQ(spn__pak_status(rig.io, pak, NULL), SPN_OK);
    unmount(pak);
    close_rig();
}

/* Unmount in every state of mounting. */
static void pak_is_unmounted_at_any_time(void)
{
    for (uint32_t steps = 0; steps < 40; steps++) {
        spn_pak pak;

        test_context("%u steps", steps);
        open_rig(NULL);
        rig.slow.command_us = 1000;
        pak = mount("p");
        for (uint32_t i = 0; i < steps; i++)
            if (!rig_step(&rig))
                slow_platform_advance(&rig.slow);
        unmount(pak);
        close_rig();
    }
}

/* -- finding -- */

static void latest_mounted_pak_hides_names_of_earlier_ones(void)
{
    spn_pak p;
    spn_pak q;
    spn_pak_entry_info info;

    open_rig(NULL);
    p = mount_good("p");
    q = mount_good("q");
    CHECK_EQ(find(0, "small").pak, q);
    CHECK_EQ(find(0, "dir/big").pak, p);
    CHECK_EQ(find(p, "small").pak, p);
    CHECK_EQ(spn__io_find_entry(rig.io, q, "dir/big", &(spn_pak_entry){0, 0}),
             SPN_ERR_NOT_FOUND);
    CHECK_EQ(spn__io_get_entry(rig.io, find(0, "small"), &info), SPN_OK);
    CHECK_EQ_U(info.bytes, 200);
    CHECK_EQ(info.copy_count, 1);
    CHECK_EQ(spn__io_get_entry(rig.io, (spn_pak_entry){q, 2}, &info),
             SPN_ERR_ARG);
    unmount(q);
    CHECK_EQ(find(0, "small").pak, p);
    rig_run(&rig);
    /* The slot of q is used again, as the latest mount. */
    q = mount_good("p");
    CHECK_EQ(find(0, "small").pak, q);
    unmount(p);
    CHECK_EQ(find(0, "dir/big").pak, q);
    unmount(q);
    CHECK_EQ(spn__io_find_entry(rig.io, 0, "small", &(spn_pak_entry){0, 0}),
             SPN_ERR_NOT_FOUND);
    close_rig();
}

/* -- reading -- */

static void pak_entries_are_read_like_files(void)
{
    spn_pak p;
    spn_pak_entry entry;

    open_rig(NULL);
    p = mount_good("p");
    entry = find(0, "dir/big");
    begin_entry(0, entry, 0, 0);
    begin_entry(1, entry, 70001, 12345);
    begin_entry(2, entry, BIG_BYTES - 1, 0);
    begin_entry(3, entry, BIG_BYTES, 0);
    begin_entry(4, find(0, "empty"), 0, 0);
    begin_entry(5, entry, 1, BIG_BYTES);
    begin_entry(6, entry, UINT64_MAX, 0);
    begin_path(7, "small", 50, 0);
    rig_run(&rig);
    check_bytes(0, big, BIG_BYTES);
    check_bytes(1, big + 70001, 12345);
    check_bytes(2, big + BIG_BYTES - 1, 1);
    check_bytes(3, big, 0);
    check_bytes(4, big, 0);
    rig_check(&reads[5], SPN_ERR_RANGE);
    rig_check(&reads[6], SPN_ERR_RANGE);
    check_bytes(7, big + 55, 50);
    unmount(p);
    close_rig();
}

static void entries_of_unmounted_paks_are_refused(void)
{
    spn_read_desc desc;
    spn_read read;
    spn_pak p;
    spn_pak_entry entry;

    open_rig(NULL);
    p = mount_good("p");
    entry = find(p, "small");
    desc = rig_desc(&rig, &reads[0], 0, 0, 10, buffers[0]);
    desc.entry = (spn_pak_entry){p, 4};
    CHECK_EQ(spn__io_read_start(rig.io, &desc, &read), SPN_ERR_ARG);
    desc.entry = (spn_pak_entry){p + 1, 0};
    CHECK_EQ(spn__io_read_start(rig.io, &desc, &read), SPN_ERR_HANDLE);
    desc.entry = entry;
    unmount(p);
    CHECK_EQ(spn__io_read_start(rig.io, &desc, &read), SPN_ERR_HANDLE);
    p = mount("p");
    desc.entry = (spn_pak_entry){p, 0};
    CHECK_EQ(spn__io_read_start(rig.io, &desc, &read), SPN_PENDING);
    rig_run(&rig);
    unmount(p);
    close_rig();
}

static void pak_paths_are_looked_for_in_paks_first(void)
{
    spn_pak p;
    spn_file file;
    struct file_facts facts;

    open_rig(NULL);
    begin_path(0, "a", 0, 100);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 100);
    p = mount_good("p");
    begin_path(1, "a", 0, 0);
    begin_path(2, "b", 0, 100);
    file = rig_file(&rig, "a");
    CHECK_EQ(spn__io_file_facts(rig.io, file, &facts), SPN_OK);
    CHECK_EQ_U(facts.bytes, 3000);
    rig_run(&rig);
    check_bytes(1, big + 9, 3000);
    rig_check_bytes(&reads[2], 1, 0, 100);
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
    unmount(p);
    rig_run(&rig);
    begin_path(3, "a", 0, 100);
    rig_run(&rig);
    rig_check_bytes(&reads[3], 0, 0, 100);
    close_rig();

    open_rig(&(struct rig_config){.has_loose_files_only = true});
    p = mount_good("p");
    begin_path(4, "a", 0, 100);
    begin_path(5, "small", 0, 0);
    begin_entry(6, find(0, "small"), 0, 0);
    rig_run(&rig);
    rig_check_bytes(&reads[4], 0, 0, 100);
    rig_check(&reads[5], SPN_ERR_NOT_FOUND);
    check_bytes(6, big + 5, 100);
    unmount(p);
    close_rig();
}

static void pak_files_lie_where_their_entry_does(void)
{
    static const char *const names[] = {"small", "dir/big", "a"};

    for (uint32_t i = 0; i < 3; i++) {
        const struct pak_index *index;
        struct pak_content content;
        struct file_facts facts;
        struct file_facts pak;
        spn_file file;
        spn_pak p;

        open_rig(NULL);
        /* Leaves a free place in the table. */
        file = rig_file(&rig, "c");
        begin_path(0, "c", 0, 1);
        rig_run(&rig);
        CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
        p = mount_good("p");
        index = &rig.io->paks.mounts[0].index;
        content = spn__pak_content(
            index, spn__pak_entry(index, find(p, names[i]).index).content);
        CHECK_EQ(
            spn__files_facts(&rig.io->files, rig.io->paks.mounts[0].file, &pak),
            SPN_OK);
        file = rig_file(&rig, names[i]);
        CHECK_EQ(spn__files_facts(&rig.io->files, file, &facts), SPN_OK);
        CHECK_EQ_U(facts.place,
                   pak.place +
                       spn__pak_copy_offset(index, content.first_copy, NULL));
        CHECK(facts.place > 0);
        CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
        unmount(p);
        close_rig();
    }
}

static void pak_files_are_read_until_they_are_closed(void)
{
    spn_pak p;
    spn_file file;

    open_rig(NULL);
    p = mount_good("p");
    file = rig_file(&rig, "dir/big");
    begin_entry(0, find(p, "small"), 0, 0);
    unmount(p);
    rig_run(&rig);
    check_bytes(0, big + 5, 100);
    CHECK(spn__heap_free_pages(&rig.heap) < rig.heap.page_count);
    for (uint32_t i = 1; i < 4; i++) {
        spn_read_desc desc =
            rig_desc(&rig, &reads[i], file, i * 1000, 40000, buffers[i]);

        rig_start(&rig, &desc, &reads[i]);
    }
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
    rig_run(&rig);
    for (uint32_t i = 1; i < 4; i++)
        check_bytes(i, big + i * 1000, 40000);
    close_rig();
}

/* -- into the heap, into storage -- */

static spn_status give(const spn_read_want *want, void **buffer)
{
    struct rig_read *read = want->user;

    CHECK_EQ_U(want->bytes, 70000);
    *buffer = buffers[7];
    read->buffer = buffers[7];
    return SPN_OK;
}

static void pak_reads_scatter_into_the_heap_and_storage(void)
{
    heap_handle block;
    spn_read handle;
    struct io_result internal = {0};
    struct io_read read = {.offset = 30000,
                           .bytes = 90000,
                           .priority = SPN_PRIORITY_NORMAL,
                           .task = SPN_TASK_GEOM_CACHE,
                           .on_done = rig_keep,
                           .context = &internal,
                           .argument = RIG_ARGUMENT};
    spn_read_desc desc;
    uint8_t *bounce = buffers[8];
    spn_pak p;

    open_rig(NULL);
    p = mount_good("p");
    read.file = rig_file(&rig, "dir/big");
    CHECK_EQ(spn__heap_alloc(&rig.heap, 100000, 0, HEAP_TAG_READ, &block),
             SPN_OK);
    read.block = block;
    read.block_offset = 77;
    CHECK_EQ(spn__io_start(rig.io, &read, &handle), SPN_OK);
    desc = rig_desc(&rig, &reads[7], read.file, 5, 70000, NULL);
    desc.buffer_bytes = 0;
    desc.on_storage = give;
    rig_start(&rig, &desc, &reads[7]);
    rig_run(&rig);
    CHECK_EQ(internal.status, SPN_OK);
    CHECK_EQ_U(internal.bytes, 90000);
    CHECK_MEM(spn__heap_view(&rig.heap, block, 77, 90000, bounce), big + 30000,
              90000);
    check_bytes(7, big + 5, 70000);
    CHECK_EQ(spn__io_file_close(rig.io, read.file), SPN_OK);
    CHECK(spn__heap_free(&rig.heap, block));
    unmount(p);
    close_rig();
}

TEST_MAIN(TEST(pak_is_mounted_with_two_reads), TEST(pak_of_no_files_is_mounted),
          TEST(pak_mount_refuses_bad_arguments),
          TEST(pak_mount_refuses_every_truncation),
          TEST(pak_mount_refuses_an_invalid_index),
          TEST(pak_mount_reports_errors_of_the_device),
          TEST(pak_mount_waits_for_memory), TEST(pak_is_unmounted_at_any_time),
          TEST(latest_mounted_pak_hides_names_of_earlier_ones),
          TEST(pak_entries_are_read_like_files),
          TEST(entries_of_unmounted_paks_are_refused),
          TEST(pak_paths_are_looked_for_in_paks_first),
          TEST(pak_files_lie_where_their_entry_does),
          TEST(pak_files_are_read_until_they_are_closed),
          TEST(pak_reads_scatter_into_the_heap_and_storage))
