/* script_disc.c - the disc of fuzz_runtime. */
/* SPDX-License-Identifier: MIT */
#include "fuzz/script_disc.h"

#include "harness.h"
#include "support/tiny_cache.h"
#include "support/tiny_pak.h"

#include <string.h>

#define PLAIN_BYTES 14000u
#define PACKED_BYTES 70000u

static const char *const paths[SCRIPT_FILES] = {
    "disk", "disc", "memory", "stored", "packed", "none", "cache", "pak"};

/* Written once. */
static uint8_t plain[SCRIPT_STORED + 1][PLAIN_BYTES];
static uint8_t packed[PACKED_BYTES];
static struct tiny_cache *tiny;
static struct tiny_pak pak;

static void make_files(void)
{
    struct tiny_pak_file files[2] = {{.name = paths[SCRIPT_STORED],
                                      .data = plain[SCRIPT_STORED],
                                      .bytes = PLAIN_BYTES,
                                      .codec = SPN_CODEC_STORE,
                                      .copy_count = 2},
                                     {.name = paths[SCRIPT_PACKED],
                                      .data = packed,
                                      .bytes = PACKED_BYTES,
                                      .codec = SPN_CODEC_LZ4}};

    for (uint32_t f = 0; f <= SCRIPT_STORED; f++)
        for (uint32_t i = 0; i < PLAIN_BYTES; i++)
            plain[f][i] = (uint8_t)((i + 1) * (f * 2 + 0x9e3779b1u) >> 22);
    for (uint32_t i = 0; i < PACKED_BYTES; i++)
        packed[i] = (uint8_t)(i / 40);
    tiny = tiny_build(&(struct tiny_options){.frame_count = 13,
                                             .distance = 4,
                                             .mesh_count = 2,
                                             .vertices = SCRIPT_VERTICES,
                                             .has_static_mesh = true});
    tiny_pak_make(&pak, files, 2);
}

static uint64_t now_us(void *user)
{
    struct script_disc *disc = user;

    disc->slow.clock_us += disc->step_us;
    return disc->slow.clock_us;
}

static spn_status read_poll(void *user, spn_platform_completion *out,
                            uint64_t *due_us)
{
    struct script_disc *disc = user;

    disc->slow.clock_us += disc->step_us;
    return disc->read_poll(user, out, due_us);
}

void script_disc_open(struct script_disc *disc, uint8_t bits,
                      spn_config *config)
{
    if (!tiny)
        make_files();
    disc->step_us = 0;
    disc->has_flipped = false;
    slow_platform_init(&disc->slow);
    for (uint32_t f = 0; f <= SCRIPT_MEMORY; f++)
        slow_platform_add(&disc->slow, paths[f], plain[f], PLAIN_BYTES);
    slow_platform_add(&disc->slow, paths[SCRIPT_CACHE], tiny->bytes,
                      tiny->size);
    slow_platform_add(&disc->slow, paths[SCRIPT_PAK], pak.bytes, pak.size);
    slow_platform_place(&disc->slow, paths[SCRIPT_OPTICAL], SPN_MEDIUM_OPTICAL);
    slow_platform_place(&disc->slow, paths[SCRIPT_MEMORY], SPN_MEDIUM_MEMORY);
    if (bits & 1) {
        slow_platform_place(&disc->slow, paths[SCRIPT_CACHE],
                            SPN_MEDIUM_OPTICAL);
        slow_platform_place(&disc->slow, paths[SCRIPT_PAK], SPN_MEDIUM_OPTICAL);
    }
    /* The table's user is the slow disc, the first member of the whole disc. */
    disc->slow.table.now_us = now_us;
    disc->read_poll = disc->slow.table.read_poll;
    disc->slow.table.read_poll = read_poll;
    disc->slow.is_place_unknown = bits & 2;
    disc->slow.align_bytes = bits & 4 ? 512 : 0;
    memset(config, 0, sizeof *config);
    config->platform = &disc->slow.table;
    if (bits & 8)
        config->media[SPN_MEDIUM_OPTICAL].drive =
            spn_drive_profile_find("wii_dvd6x");
    if (bits & 16)
        config->media[SPN_MEDIUM_HARD_DISK].drive =
            spn_drive_profile_find("hdd_5400");
    if (bits & 32)
        config->read_budget_bytes = 16384;
    if (bits & 64)
        config->heap_block_count = 16;
    config->has_loose_files_only = bits >> 7;
}

const char *script_disc_path(enum script_file file)
{
    return paths[file];
}

void script_disc_run(struct script_disc *disc, uint32_t step_us)
{
    disc->step_us = step_us;
}

void script_disc_slow(struct script_disc *disc, uint8_t bits)
{
    disc->slow.bytes_per_second = bits & 1 ? 2u << 20 : 0;
    disc->slow.seek_us = bits & 2 ? 100000 : 0;
    disc->slow.command_us = (bits >> 2) * 50u;
}

void script_disc_break(struct script_disc *disc, uint8_t kind, uint8_t bits,
                       uint16_t value)
{
    static const enum slow_kind kinds[] = {
        SLOW_ERROR, SLOW_REFUSE,     SLOW_SHORT,       SLOW_STALL,
        SLOW_FLIP,  SLOW_OPEN_ERROR, SLOW_OPEN_MISSING};
    struct slow_fault fault = {
        .kind = kinds[kind % 7], .times = 1 + bits % 8, .value = value};

    if (bits & 8)
        fault.path = paths[bits / 16 % SCRIPT_FILES];
    if (fault.kind == SLOW_FLIP) {
        fault.path = paths[bits & 16 ? SCRIPT_CACHE : SCRIPT_PAK];
        fault.value *= 3;
        disc->has_flipped = true;
    }
    if (fault.kind == SLOW_STALL)
        fault.value *= 64;
    if (fault.kind == SLOW_SHORT)
        fault.value += 1;
    if (disc->slow.fault_count == SLOW_FAULTS_MAX)
        slow_platform_clear_faults(&disc->slow);
    slow_platform_fault(&disc->slow, &fault);
}

void script_disc_compare(const struct script_disc *disc, enum script_file file,
                         uint64_t offset, const uint8_t *data, uint64_t bytes)
{
    const uint8_t *truth = file == SCRIPT_PACKED ? packed : NULL;
    uint64_t size = PACKED_BYTES;

    /* A part of a block has no checksum. */
    if (file == SCRIPT_STORED && disc->has_flipped)
        return;
    if (file <= SCRIPT_STORED) {
        truth = plain[file];
        size = PLAIN_BYTES;
    }
    if (!truth || bytes == 0)
        return;
    CHECK(offset <= size && bytes <= size - offset);
    CHECK_MEM(data, truth + offset, (size_t)bytes);
}
