/* test_files.c
 *
 * Goal: a file is open at the platform from the first read that needs it
 *   until neither its handle nor a read needs it. Stale handles are refused.
 *   Places on the medium are the platform's, or are assigned without overflow.
 * Method: the table of files alone, on a slow disc that counts opens and
 *   closes.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/files.h"
#include "schedule/sort_key.h"
#include "support/slow_platform.h"

#include <stdlib.h>
#include <string.h>

#define FILES 4u
#define SLOTS 3u

static struct slow_platform slow;
static struct files files;
static uint8_t bytes[100];
static void *block;

static void open_table(void)
{
    struct carve carve = {.limit = SIZE_MAX};

    slow_platform_init(&slow);
    slow_platform_add(&slow, "a", bytes, 100);
    slow_platform_add(&slow, "b", bytes, 50);
    spn__files_init(&files, &carve, &slow.table, FILES, SLOTS);
    free(block);
    block = aligned_alloc(64, (carve.used + 63) & ~(size_t)63);
    CHECK(block);
    carve = (struct carve){.base = block, .limit = carve.used};
    spn__files_init(&files, &carve, &slow.table, FILES, SLOTS);
    CHECK(!carve.is_over);
}

static spn_file open_file(const char *path)
{
    spn_file file = 0;

    CHECK_EQ(spn__files_open(&files, path, NULL, 0, &file), SPN_OK);
    return file;
}

static void files_paths_are_validated(void)
{
    char path[SPN_PATH_BYTES_MAX + 1];

    memset(path, 'x', sizeof path);
    path[SPN_PATH_BYTES_MAX] = 0;
    CHECK(!spn__files_path_is_good(path));
    path[SPN_PATH_BYTES_MAX - 1] = 0;
    CHECK(spn__files_path_is_good(path));
    CHECK(spn__files_path_is_good("x"));
    CHECK(!spn__files_path_is_good(""));
    CHECK(!spn__files_path_is_good(NULL));
}

static void files_close_when_handle_and_reads_are_gone(void)
{
    uint32_t index;
    spn_file file;

    for (uint32_t is_handle_first = 0; is_handle_first < 2; is_handle_first++) {
        open_table();
        file = open_file("a");
        CHECK_EQ(spn__files_hold(&files, file, &index), SPN_OK);
        CHECK_EQ(spn__files_hold(&files, file, &index), SPN_OK);
        CHECK(!spn__files_is_open(&files, index));
        CHECK_EQ(spn__files_ready(&files, index), SPN_OK);
        CHECK_EQ(spn__files_ready(&files, index), SPN_OK);
        CHECK_EQ(slow.opens, 1);
        if (is_handle_first)
            CHECK_EQ(spn__files_close(&files, file), SPN_OK);
        spn__files_retire(&files);
        spn__files_release(&files, index);
        CHECK_EQ(slow.closes, 0);
        spn__files_release(&files, index);
        CHECK_EQ(slow.closes, is_handle_first);
        if (!is_handle_first)
            CHECK_EQ(spn__files_close(&files, file), SPN_OK);
        spn__files_retire(&files);
        spn__files_retire(&files);
        CHECK_EQ(slow.closes, 1);
        CHECK_EQ(spn__files_hold(&files, file, &index), SPN_ERR_HANDLE);
    }
}

static void files_check_finds_damage(void)
{
    struct file_entry *entry;
    uint32_t index;
    uint32_t word;
    spn_file file;

    open_table();
    CHECK(spn__files_check(&files) == NULL);
    file = open_file("a");
    CHECK_EQ(spn__files_hold(&files, file, &index), SPN_OK);
    CHECK_EQ(spn__files_ready(&files, index), SPN_OK);
    CHECK(spn__files_check(&files) == NULL);
    /* An open entry marked as free, then another entry marked as open. */
    entry = &files.entries[index];
    word = atomic_load_relaxed(&entry->word);
    atomic_store_relaxed(&entry->word, word & ~0x10000u);
    CHECK(spn__files_check(&files) != NULL);
    atomic_store_relaxed(&entry->word, word);
    atomic_add_relaxed(&files.open_count, 1);
    CHECK(spn__files_check(&files) != NULL);
    atomic_add_relaxed(&files.open_count, UINT32_MAX);
    entry = &files.entries[(index + 1) % FILES];
    atomic_store_relaxed(&entry->word, 1);
    CHECK(spn__files_check(&files) != NULL);
    atomic_store_relaxed(&entry->word, 0x10000u);
    CHECK(spn__files_check(&files) != NULL);
    atomic_store_relaxed(&entry->word, 0);
    entry->is_open = true;
    CHECK(spn__files_check(&files) != NULL);
    entry->is_open = false;
    CHECK(spn__files_check(&files) == NULL);
    CHECK_EQ(spn__files_close(&files, file), SPN_OK);
    spn__files_release(&files, index);
    CHECK(spn__files_check(&files) == NULL);
}

static void files_refuse_foreign_handles(void)
{
    uint32_t index = 9;
    struct file_facts facts;
    spn_file file;
    spn_file again;

    open_table();
    CHECK_EQ(spn__files_hold(&files, 0, &index), SPN_ERR_HANDLE);
    CHECK_EQ(spn__files_hold(&files, 0x10000, &index), SPN_ERR_HANDLE);
    CHECK_EQ(spn__files_hold(&files, 0x10000 + FILES, &index), SPN_ERR_HANDLE);
    CHECK_EQ(spn__files_hold(&files, UINT32_MAX, &index), SPN_ERR_HANDLE);
    file = open_file("a");
    CHECK_EQ(spn__files_close(&files, file), SPN_OK);
    CHECK_EQ(spn__files_close(&files, file), SPN_ERR_HANDLE);
    CHECK_EQ(spn__files_facts(&files, file, &facts), SPN_ERR_HANDLE);
    spn__files_retire(&files);
    for (uint32_t i = 0; i < FILES; i++) {
        again = open_file("b");
        CHECK(again != file);
    }
    CHECK_EQ(spn__files_hold(&files, file, &index), SPN_ERR_HANDLE);
    CHECK_EQ(index, 9);
}

static void files_hold_no_more_reads_than_the_counter_permits(void)
{
    uint32_t index = 0;
    spn_file file;

    open_table();
    file = open_file("a");
    for (uint32_t i = 0; i < FILES_HOLDS_MAX; i++)
        CHECK_EQ(spn__files_hold(&files, file, &index), SPN_OK);
    CHECK_EQ(spn__files_hold(&files, file, &index), SPN_FULL);
    CHECK_EQ(spn__files_close(&files, file), SPN_OK);
    for (uint32_t i = 0; i < FILES_HOLDS_MAX; i++)
        CHECK_EQ(spn__files_unhold(&files, index), i + 1 == FILES_HOLDS_MAX);
    spn__files_retire(&files);
    CHECK_EQ(spn__files_close(&files, file), SPN_ERR_HANDLE);
}

static void files_by_path_live_in_their_slot(void)
{
    open_table();
    for (uint32_t round = 0; round < 3; round++) {
        uint32_t index = spn__files_hold_path(&files, SLOTS - 1, "b");

        CHECK_EQ(index, FILES + SLOTS - 1);
        CHECK_EQ(spn__files_ready(&files, index), SPN_OK);
        CHECK_EQ_U(files.entries[index].info.bytes, 50);
        spn__files_release(&files, index);
        CHECK_EQ(slow.opens, round + 1);
        CHECK_EQ(slow.closes, round + 1);
    }
}

static void files_have_the_places_of_the_platform(void)
{
    uint32_t index;

    open_table();
    index = spn__files_hold_path(&files, 0, "b");
    CHECK_EQ(spn__files_ready(&files, index), SPN_OK);
    CHECK_EQ_U(spn__files_position(&files, index, 7), 107);
    CHECK_EQ_U(spn__files_position(&files, index, UINT64_MAX - 100),
               UINT64_MAX);
    CHECK_EQ_U(spn__files_position(&files, index, UINT64_MAX), UINT64_MAX);
}

/* Files without a place follow each other in the order of opening, within 1 TiB
 * for any sizes. */
static void files_without_a_place_get_one(void)
{
    static const uint64_t sizes[] = {100, 1ull << 39, 1ull << 39,
                                     50,  UINT64_MAX, 60};
    static const uint64_t places[] = {0, 100, 0, 1ull << 39, 0, 0};

    open_table();
    slow.is_place_unknown = true;
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t index = spn__files_hold_path(&files, 0, "a");

        test_context("file %u", i);
        slow.files[0].bytes = sizes[i];
        CHECK_EQ(spn__files_ready(&files, index), SPN_OK);
        CHECK_EQ_U(spn__files_position(&files, index, 0), places[i]);
        spn__files_release(&files, index);
    }
}

/* A file of one medium takes no room on another. */
static void files_get_a_place_on_their_own_medium(void)
{
    open_table();
    slow.is_place_unknown = true;
    for (uint32_t i = 0; i < 2 * SPN_MEDIUM_COUNT; i++) {
        spn_medium medium = (spn_medium)(i % SPN_MEDIUM_COUNT);
        uint32_t index = spn__files_hold_path(&files, 0, "a");

        test_context("file %u", i);
        slow_platform_place(&slow, "a", medium);
        CHECK_EQ(spn__files_ready(&files, index), SPN_OK);
        CHECK_EQ(spn__files_info(&files, index)->medium, medium);
        CHECK_EQ_U(spn__files_position(&files, index, 0),
                   i < SPN_MEDIUM_COUNT ? 0 : 100);
        spn__files_release(&files, index);
    }
}

static void files_shut_closes_all_open_files(void)
{
    spn_file file;
    uint32_t index;

    open_table();
    file = open_file("a");
    CHECK_EQ(spn__files_hold(&files, file, &index), SPN_OK);
    CHECK_EQ(spn__files_ready(&files, index), SPN_OK);
    spn__files_shut(&files);
    spn__files_shut(&files);
    CHECK_EQ(slow.closes, 1);
    spn__files_release(&files, index);
    CHECK_EQ(spn__files_close(&files, file), SPN_OK);
    spn__files_retire(&files);
    CHECK_EQ(slow.closes, 1);
}

TEST_MAIN(TEST(files_paths_are_validated),
          TEST(files_close_when_handle_and_reads_are_gone),
          TEST(files_check_finds_damage), TEST(files_refuse_foreign_handles),
          TEST(files_hold_no_more_reads_than_the_counter_permits),
          TEST(files_by_path_live_in_their_slot),
          TEST(files_have_the_places_of_the_platform),
          TEST(files_without_a_place_get_one),
          TEST(files_get_a_place_on_their_own_medium),
          TEST(files_shut_closes_all_open_files))
