/* fault_disc.c - the files, made once in each process. */
/* SPDX-License-Identifier: MIT */
#include "sim/fault_disc.h"

#include "base/block_codec.h"
#include "harness.h"
#include "support/synthetic_clip.h"
#include "support/tiny_pak.h"

#include <spindle/codec.h>
#include <string.h>

#define DATA 6u

static const char *const names[DATA] = {"raw", "mem", "lz", "df", "zs", "st"};
static uint8_t data[DATA][FAULT_DISC_BYTES];
static struct tiny_cache *tiny[3]; /* a, b, c */
static struct memory_sink lifted;
static struct memory_sink shared[2]; /* two caches with the same static mesh */
static struct tiny_pak pak;

static void make_lifted(void)
{
    static const struct synthetic_options options = {
        .frame_count = 10, .vertices = 260, .has_colors = true};

    synthetic_lift(&options, 4, true, &lifted);
}

static void make_shared(void)
{
    for (uint32_t i = 0; i < 2; i++) {
        const struct synthetic_options options = {.frame_count = 10,
                                                  .mesh_count = 3 + i,
                                                  .vertices = 3000,
                                                  .static_meshes = 2};
        struct synthetic_clip clip;

        synthetic_make(&clip, &options);
        synthetic_classic(&clip, BLOCK_CODEC_LZ4, 4, &shared[i]);
        synthetic_free(&clip);
    }
}

static void make_pak(void)
{
    const struct tiny_pak_file files[] = {
        {.name = "lz", .data = data[2], .bytes = FAULT_DISC_BYTES, .codec = 1},
        {.name = "df", .data = data[3], .bytes = FAULT_DISC_BYTES, .codec = 2},
        {.name = "zs", .data = data[4], .bytes = FAULT_DISC_BYTES, .codec = 3},
        {.name = "st", .data = data[5], .bytes = FAULT_DISC_BYTES},
        {.name = "c", .data = tiny[2]->bytes, .bytes = tiny[2]->size}};

    tiny_pak_make(&pak, files, 5);
}

static void make_all(void)
{
    static const struct tiny_options options[] = {
        {.frame_count = 9,
         .distance = 4,
         .vertices = 40,
         .frame_us = FAULT_DISC_FRAME_US},
        {.frame_count = 9,
         .distance = 4,
         .vertices = 60,
         .mesh_count = 2,
         .has_uvs = true,
         .codec = 3,
         .frame_us = FAULT_DISC_FRAME_US},
        {.frame_count = 5, .distance = 4, .vertices = 30}};
    struct test_random random = {1};

    for (uint32_t i = 0; i < DATA; i++)
        for (uint32_t k = 0; k < FAULT_DISC_BYTES; k++)
            data[i][k] = k / 500 % 2 ? (uint8_t)test_random_below(&random, 256)
                                     : (uint8_t)(i + (k >> 8));
    for (uint32_t i = 0; i < 3; i++)
        tiny[i] = tiny_build(&options[i]);
    make_lifted();
    make_shared();
    make_pak();
}

void fault_disc_fill(struct slow_platform *disc)
{
    if (!pak.bytes)
        make_all();
    slow_platform_add(disc, "a", tiny[0]->bytes, tiny[0]->size);
    slow_platform_add(disc, "b", tiny[1]->bytes, tiny[1]->size);
    slow_platform_add(disc, "l", lifted.bytes, lifted.size);
    slow_platform_add(disc, "s0", shared[0].bytes, shared[0].size);
    slow_platform_add(disc, "s1", shared[1].bytes, shared[1].size);
    slow_platform_add(disc, "m", tiny[0]->bytes, tiny[0]->size);
    slow_platform_place(disc, "m", SPN_MEDIUM_MEMORY);
    slow_platform_add(disc, "raw", data[0], FAULT_DISC_BYTES);
    slow_platform_add(disc, "mem", data[1], FAULT_DISC_BYTES);
    slow_platform_place(disc, "mem", SPN_MEDIUM_MEMORY);
    slow_platform_add(disc, "p", pak.bytes, pak.size);
    slow_platform_place(disc, "p", SPN_MEDIUM_OPTICAL);
}

struct tiny_cache *fault_disc_tiny(void)
{
    return tiny[0];
}

void fault_disc_check(const char *path, uint64_t offset, uint64_t bytes,
                      const void *found)
{
    for (uint32_t i = 0; i < DATA; i++)
        if (strcmp(names[i], path) == 0) {
            CHECK(offset + bytes <= FAULT_DISC_BYTES);
            CHECK_MEM(found, data[i] + offset, (size_t)bytes);
            return;
        }
    test_fail(__FILE__, __LINE__, "no truth of %s", path);
}
