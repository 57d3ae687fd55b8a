/* test_simd_hostile.c
 *
 * Goal: for any bytes of a cache, every instruction set decodes the same values
 *   as the scalar code, and refuses at the same place.
 * Method: good caches of both predictions, randomly damaged in tables, blobs,
 *   directories and blocks, with correct checksums. Each is validated and
 *   decoded with the kernels of one set at a time.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/cpu.h"
#include "fill/fill.h"
#include "support/cache_checksums.h"
#include "support/cache_walk.h"
#include "support/synthetic_clip.h"
#include "support/tiny_cache.h"

#include <spindle/codec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const variant_names[] = {"SSE4.1", "AVX2", "NEON"};
static const uint32_t variants[] = {SPN_CPU_SSE41, SPN_CPU_AVX2, SPN_CPU_NEON};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

struct good {
    uint8_t *bytes;
    size_t size;
    struct cache_checksums places;
};

static void skip_without_any(void)
{
    if (spn__cpu_detect() == 0)
        test_skip("this processor has none of the instruction sets");
}

static void good_make(struct good *g, const uint8_t *bytes, size_t size)
{
    g->bytes = malloc(size);
    g->size = size;
    memcpy(g->bytes, bytes, size);
    cache_checksums_find(&g->places, g->bytes, g->size);
}

static void good_free(struct good *g)
{
    cache_checksums_free(&g->places);
    free(g->bytes);
}

static void make_classic(struct good *g, uint32_t codec)
{
    struct tiny_cache *tiny =
        tiny_build(&(struct tiny_options){.frame_count = 6,
                                          .distance = 3,
                                          .mesh_count = 2,
                                          .vertices = 57,
                                          .has_uvs = true,
                                          .has_colors = true,
                                          .has_attributes = true,
                                          .has_static_mesh = true,
                                          .codec = codec});

    good_make(g, tiny->bytes, tiny->size);
    tiny_free(tiny);
}

static void make_lifted(struct good *g, bool has_rings)
{
    const struct synthetic_options o = {.frame_count = 7,
                                        .mesh_count = 2,
                                        .vertices = 263,
                                        .step = 20,
                                        .has_uvs = true,
                                        .has_colors = true,
                                        .has_second_uvs = true,
                                        .has_velocities = true,
                                        .is_mirrored = true};
    struct memory_sink memory = {0};

    synthetic_lift(&o, 4, has_rings, &memory);
    good_make(g, memory.bytes, memory.size);
    CHECK(cache_has_lifted(memory.bytes, memory.size));
    memory_sink_free(&memory);
}

static void check_same_fault(const struct spn_fault *a,
                             const struct spn_fault *b)
{
    CHECK_EQ(a->status, b->status);
    CHECK_STR(a->what ? a->what : "", b->what ? b->what : "");
    CHECK_EQ_U(a->offset, b->offset);
    CHECK_EQ_U(a->value, b->value);
}

/* The scalar code's status. `decoded`: whether decoding began. */
static spn_status walk_on_all(const uint8_t *bytes, size_t size, bool *decoded)
{
    const uint32_t cpu = spn__cpu_detect();
    struct spn_fault expected = {0};
    uint32_t expected_sum;
    const spn_status status =
        cache_walk_on(bytes, size, 0, &expected_sum, &expected);

    *decoded = expected_sum != 0;
    for (int v = 0; v < VARIANTS; v++) {
        struct spn_fault fault = {0};
        uint32_t sum;

        if (!(cpu & variants[v]))
            continue;
        CHECK_EQ(cache_walk_on(bytes, size, variants[v], &sum, &fault), status);
        CHECK_EQ_U(sum, expected_sum);
        check_same_fault(&fault, &expected);
    }
    return status;
}

/* Change a few bytes in one of the parts, each with the same probability. */
static void damage(const struct good *g, uint8_t *bytes,
                   struct test_random *random)
{
    static const uint8_t extremes[] = {0, 1, 2, 0x7f, 0x80, 0xfe, 0xff};
    const struct cache_checksums *p = &g->places;
    const size_t directory = p->directories[test_random_below(
        random, (uint32_t)p->parts.frame_count)];
    const size_t borders[][2] = {
        {p->parts.frame_table, p->parts.tables},
        {p->parts.tables, p->parts.blobs},
        {p->parts.blobs, p->parts.frames},
        {directory, directory + p->parts.directory_bytes},
        {p->parts.frames, g->size},
        {p->parts.frames, g->size}};
    const size_t *part = borders[test_random_below(random, 6)];
    const uint32_t count = 1 + test_random_below(random, 4);
    size_t at =
        part[0] + test_random_below(random, (uint32_t)(part[1] - part[0]));

    for (uint32_t i = 0; i < count && at < part[1]; i++, at++)
        bytes[at] = test_random_below(random, 2)
                        ? (uint8_t)test_random_u64(random)
                        : extremes[test_random_below(random, 7)];
}

static void damage_many(struct good *g, uint32_t rounds)
{
    struct test_random random = {g->size};
    uint8_t *bytes = malloc(g->size);
    uint32_t refused = 0;
    uint32_t compared = 0;
    bool decoded;

    CHECK_EQ(walk_on_all(g->bytes, g->size, &decoded), SPN_OK);
    CHECK(decoded);
    for (uint32_t i = 0; i < rounds; i++) {
        test_context("round %u", i);
        memcpy(bytes, g->bytes, g->size);
        damage(g, bytes, &random);
        cache_checksums_apply(&g->places, bytes);
        refused += walk_on_all(bytes, g->size, &decoded) != SPN_OK;
        compared += decoded;
    }
    /* Some are refused at the tables, but most are decoded up to some place. */
    CHECK(refused > rounds / 8 && refused < rounds);
    CHECK(compared > rounds / 3);
    free(bytes);
    good_free(g);
}

static void classic_caches_are_decoded_alike(void)
{
    struct good g;

    skip_without_any();
    for (uint32_t codec = SPN_CODEC_STORE; codec <= SPN_CODEC_ZSTD; codec++) {
        make_classic(&g, codec);
        damage_many(&g, 400);
    }
}

static void lifted_caches_are_decoded_alike(void)
{
    struct good g;

    skip_without_any();
    make_lifted(&g, false);
    damage_many(&g, 400);
}

static void lifted_caches_with_rings_are_decoded_alike(void)
{
    struct good g;

    skip_without_any();
    make_lifted(&g, true);
    damage_many(&g, 400);
}

/* A processor that has only the older set of a family tests less than users may
 * run: then the claim is skipped, with the name of the missing set. */
static void every_set_is_compared_or_named(void)
{
    static char missing[64];
    const uint32_t x86 = SPN_CPU_SSE41 | SPN_CPU_AVX2;
    const uint32_t cpu = spn__cpu_detect();
    struct fill_ops scalar;

    skip_without_any();
    missing[0] = 0;
    memset(&scalar, 0, sizeof scalar);
    spn__fill_ops_init(&scalar, 0);
    for (int v = 0; v < VARIANTS; v++) {
        const bool is_family = !(variants[v] & x86) == !(cpu & x86);
        struct fill_ops ops;

        memset(&ops, 0, sizeof ops);
        spn__fill_ops_init(&ops, cpu & variants[v]);
        /* Without kernels of its own there is nothing to compare. */
        if (is_family && memcmp(&ops, &scalar, sizeof ops) == 0) {
            strcat(missing, " ");
            strcat(missing, variant_names[v]);
        }
    }
    if (missing[0]) {
        static char reason[96];

        snprintf(reason, sizeof reason, "not compared here:%s", missing);
        test_skip(reason);
    }
}

TEST_MAIN(TEST(classic_caches_are_decoded_alike),
          TEST(lifted_caches_are_decoded_alike),
          TEST(lifted_caches_with_rings_are_decoded_alike),
          TEST(every_set_is_compared_or_named))
