/* emulator_fixture.c - see emulator_fixture.h. */
/* SPDX-License-Identifier: MIT */
#include "support/emulator_fixture.h"

#include "emulator/emulator_state.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

struct slow_platform slow;
spn_platform emulated;
spn_emulator *emulator;
void *emulator_memory;
uint8_t data[FILES][FILE_BYTES];
uint8_t buffer[FILES][FILE_BYTES];
struct drive models[2];

const spn_emulator_place places[] = {
    {"a", 0, OFFSET_A},
    {"b", 1, OFFSET_B},
    {"disk/*", SPN_EMULATOR_NO_DRIVE, 0},
};
spn_emulator_drive drives[2];

spn_emulator_config good_config(void)
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

void make_disc(void)
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

void make_emulator_with(const spn_emulator_config *config)
{
    size_t bytes = spn_emulator_bytes(config);

    CHECK(bytes > 0);
    free(emulator_memory);
    emulator_memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(
        spn_emulator_init(config, emulator_memory, bytes, &emulator, &emulated),
        SPN_OK);
    for (uint32_t i = 0; i < 2; i++) {
        spn__drive_init(&models[i], drives[i].profile);
        spn__drive_insert(&models[i], slow.clock_us);
    }
}

void make_emulator(void)
{
    spn_emulator_config config = good_config();

    make_disc();
    make_emulator_with(&config);
}

spn_platform_file_info open_emulated(const char *path)
{
    spn_platform_file_info info = {0};

    CHECK_EQ(emulated.file_open(emulated.user, path, &info), SPN_OK);
    return info;
}

void submit(uint32_t f, spn_platform_file file, uint64_t offset, uint32_t bytes,
            uint32_t tag)
{
    spn_extent extents[2] = {{buffer[f], bytes / 2},
                             {buffer[f] + bytes / 2, bytes - bytes / 2}};

    CHECK_EQ(emulated.read_submit(emulated.user, file, offset, extents, 2, tag),
             SPN_OK);
    CHECK(spn__emulator_check(emulator));
}

uint64_t model_read(uint32_t drive, uint64_t offset, uint64_t bytes)
{
    struct drive_cost cost;
    uint64_t end_us;

    CHECK_EQ(spn__drive_read(&models[drive], offset, bytes, slow.clock_us,
                             &cost, &end_us),
             SPN_OK);
    return end_us;
}

void expect_pending(uint64_t due_us)
{
    spn_platform_completion end;
    uint64_t next_us = 0;

    CHECK_EQ(emulated.read_poll(emulated.user, &end, &next_us), SPN_PENDING);
    CHECK_EQ_U(next_us, due_us);
    CHECK_EQ_U(spn_emulator_due_us(emulator), due_us);
    CHECK(spn__emulator_check(emulator));
}

void expect_end(uint32_t tag, spn_status status, uint64_t bytes)
{
    spn_platform_completion end;
    uint64_t due_us;

    CHECK_EQ(emulated.read_poll(emulated.user, &end, &due_us), SPN_OK);
    CHECK_EQ_U(end.tag, tag);
    CHECK_EQ(end.status, status);
    CHECK_EQ_U(end.bytes, bytes);
    CHECK(spn__emulator_check(emulator));
}

void expect_end_at(uint64_t due_us, uint32_t tag, uint64_t bytes)
{
    slow.clock_us = due_us - 1;
    expect_pending(due_us);
    slow.clock_us = due_us;
    expect_end(tag, SPN_OK, bytes);
    expect_pending(UINT64_MAX);
}
