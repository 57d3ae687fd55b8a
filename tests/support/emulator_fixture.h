/* emulator_fixture.h - what the tests of the emulator share: a slow disc of
 * four files, wrapped with an optical drive and a hard disk, and drives of the
 * same profiles to be charged by hand. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_EMULATOR_FIXTURE_H
#define TESTS_SUPPORT_EMULATOR_FIXTURE_H

#include "disc/drive.h"
#include "harness.h"
#include "support/slow_platform.h"

#include <spindle/emulator.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES 500000u
#define FILES 4u
#define OFFSET_A 400000000u
#define OFFSET_B 4000000000u

static struct slow_platform slow;
static spn_platform table;
static spn_emulator *emulator;
static void *memory;
static uint8_t data[FILES][FILE_BYTES];
static uint8_t buffer[FILES][FILE_BYTES];
static struct drive models[2];

static const spn_emulator_place places[] = {
    {"a", 0, OFFSET_A},
    {"b", 1, OFFSET_B},
    {"disk/*", SPN_EMULATOR_NO_DRIVE, 0},
};
static spn_emulator_drive drives[2];

/* A good config; drive 0 is optical, drive 1 a hard disk. */
static inline spn_emulator_config good(void)
{
    spn_emulator_config config = {.platform = &slow.table,
                                  .drives = drives,
                                  .drive_count = 2,
                                  .places = places,
                                  .place_count = 3};

    drives[0] =
        (spn_emulator_drive){.profile = spn_drive_profile_find("x360_dvd12x")};
    drives[1] = (spn_emulator_drive){
        .profile = spn_drive_profile_find("hdd_5400"), .is_hard_disk = 1};
    return config;
}

static inline void make_disc(void)
{
    static const char *const paths[FILES] = {"a", "b", "disk/c", "d"};

    slow_platform_init(&slow);
    for (uint32_t f = 0; f < FILES; f++) {
        for (uint32_t i = 0; i < FILE_BYTES; i++)
            data[f][i] = (uint8_t)(i * 7 + i / 256 + f * 31);
        slow_platform_add(&slow, paths[f], data[f], FILE_BYTES);
    }
    slow.clock_us = 5000000;
    memset(buffer, 0xee, sizeof buffer);
}

static inline void make_with(const spn_emulator_config *config)
{
    size_t bytes = spn_emulator_bytes(config);

    CHECK(bytes > 0);
    free(memory);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_emulator_init(config, memory, bytes, &emulator, &table),
             SPN_OK);
    for (uint32_t i = 0; i < 2; i++) {
        spn__drive_init(&models[i], drives[i].profile);
        spn__drive_insert(&models[i], slow.clock_us);
    }
}

static inline void make(void)
{
    spn_emulator_config config = good();

    make_disc();
    make_with(&config);
}

static inline spn_platform_file_info open_file(const char *path)
{
    spn_platform_file_info info = {0};

    CHECK_EQ(table.file_open(table.user, path, &info), SPN_OK);
    return info;
}

/* Into the buffer of its own that each file has. */
static inline void submit(uint32_t f, spn_platform_file file, uint64_t offset,
                          uint32_t bytes, uint32_t tag)
{
    spn_extent extents[2] = {{buffer[f], bytes / 2},
                             {buffer[f] + bytes / 2, bytes - bytes / 2}};

    CHECK_EQ(table.read_submit(table.user, file, offset, extents, 2, tag),
             SPN_OK);
}

static inline uint64_t model_read(uint32_t drive, uint64_t offset,
                                  uint64_t bytes)
{
    struct drive_cost cost;
    uint64_t end_us;

    CHECK_EQ(spn__drive_read(&models[drive], offset, bytes, slow.clock_us,
                             &cost, &end_us),
             SPN_OK);
    return end_us;
}

static inline void expect_pending(uint64_t due_us)
{
    spn_platform_completion end;
    uint64_t told = 0;

    CHECK_EQ(table.read_poll(table.user, &end, &told), SPN_PENDING);
    CHECK_EQ_U(told, due_us);
    CHECK_EQ_U(spn_emulator_due_us(emulator), due_us);
}

static inline void expect_end(uint32_t tag, spn_status status, uint64_t bytes)
{
    spn_platform_completion end;
    uint64_t due_us;

    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_OK);
    CHECK_EQ_U(end.tag, tag);
    CHECK_EQ(end.status, status);
    CHECK_EQ_U(end.bytes, bytes);
}

/* Not a microsecond before. */
static inline void expect_end_at(uint64_t due_us, uint32_t tag, uint64_t bytes)
{
    slow.clock_us = due_us - 1;
    expect_pending(due_us);
    slow.clock_us = due_us;
    expect_end(tag, SPN_OK, bytes);
    expect_pending(UINT64_MAX);
}

#endif
