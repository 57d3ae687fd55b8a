/* test_golden.c
 *
 * Goal: caches that were compiled once play the same frames for ever: every
 *   version of the format, on every machine.
 * Method: small caches lie in tests/data/golden. golden.txt holds the sum of
 *   their frames' hashes, which spindle play also prints.
 *
 * A version that was released is never generated again. While a version still
 * changes, GOLDEN=lifted make unit-golden generates the caches whose names
 * begin with "lifted", and their lines.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/endian.h"
#include "cache/cache_header.h"
#include "common/codecs.h"
#include "harness.h"
#include "player/shown_hash.h"
#include "support/cache_walk.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN_MAX 32u
#define VERSION_AT 8u /* offset of the version */

struct golden {
    char name[32];
    uint32_t version;
    uint32_t frames;
    uint64_t sum; /* sum of the frames' hashes */
};

static struct golden goldens[GOLDEN_MAX];
static uint32_t golden_count;

static const char *path_of(const char *name)
{
    static char path[2048];

    snprintf(path, sizeof path, "%s/golden/%.31s", test_data(), name);
    return path;
}

static void read_list(void)
{
    FILE *file = fopen(path_of("golden.txt"), "r");
    struct golden *g = goldens;

    CHECK(file != NULL);
    while (fscanf(file, "%31s %" SCNu32 " %" SCNu32 " %" SCNx64, g->name,
                  &g->version, &g->frames, &g->sum) == 4)
        CHECK(++g < goldens + GOLDEN_MAX);
    CHECK(feof(file));
    CHECK_EQ(fclose(file), 0);
    golden_count = (uint32_t)(g - goldens);
}

/* -- playback -- */

/* Caller frees. */
static uint8_t *read_cache(const char *name, size_t *bytes)
{
    static uint8_t all[1 << 17];
    FILE *file = fopen(path_of(name), "rb");
    uint8_t *copy;

    CHECK(file != NULL);
    *bytes = fread(all, 1, sizeof all, file);
    CHECK_EQ(fclose(file), 0);
    CHECK(*bytes < sizeof all && *bytes >= VERSION_AT + 4);
    copy = malloc(*bytes);
    memcpy(copy, all, *bytes);
    return copy;
}

/* The version and content of the cache in these bytes. */
static void play(const uint8_t *bytes, size_t size, struct golden *out)
{
    static uint8_t buffer[1 << 16];
    static struct stage stage;
    spn_cache_info info;
    spn_node node;

    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", bytes, size);
    stage.config.codecs = codecs_extra;
    stage.config.codec_count = CODECS_EXTRA_COUNT;
    stage_open(&stage);
    CHECK_EQ(spn_cache_get_info(stage.rt, stage.cache, &info), SPN_OK);
    node = stage_node(&stage, false);
    out->version = spn_load_u32le(bytes + VERSION_AT);
    out->frames = info.frame_count;
    out->sum = 0;
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    for (uint32_t frame = 0; frame < info.frame_count; frame++) {
        int64_t time_us = 0;
        uint64_t hash;

        CHECK_EQ(
            spn_cache_get_frame_time(stage.rt, stage.cache, frame, &time_us),
            SPN_OK);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
        stage_until_ready(&stage, node);
        hash = shown_hash(stage.rt, stage.cache, &info, node, frame, buffer,
                          sizeof buffer);
        CHECK(hash != 0);
        out->sum += hash;
    }
    stage_close(&stage);
}

/* -- generated caches -- */

/* The channels that every version supports, in meshes with waving values. */
static struct synthetic_options clip_of(uint32_t vertices)
{
    return (struct synthetic_options){.frame_count = 20,
                                      .mesh_count = 2,
                                      .vertices = vertices,
                                      .step = 20,
                                      .has_uvs = true,
                                      .has_colors = true,
                                      .is_mirrored = true};
}

static void encode_classic(const struct synthetic_options *clip, uint32_t codec,
                           struct memory_sink *memory)
{
    struct synthetic_clip made;

    synthetic_make(&made, clip);
    synthetic_classic(&made, codec, 10, memory);
    synthetic_free(&made);
}

static void write_golden(const char *name, const struct memory_sink *memory)
{
    struct golden *g = goldens;
    FILE *file = fopen(path_of(name), "wb");

    CHECK(file != NULL);
    CHECK_EQ_U(fwrite(memory->bytes, 1, memory->size, file), memory->size);
    CHECK_EQ(fclose(file), 0);
    while (g < goldens + golden_count && strcmp(g->name, name) != 0)
        g++;
    CHECK(g < goldens + GOLDEN_MAX);
    golden_count += g == goldens + golden_count;
    snprintf(g->name, sizeof g->name, "%s", name);
    play(memory->bytes, memory->size, g);
}

static void make_anew(const char *begin)
{
    static const struct {
        const char *name;
        bool is_lifted;
        bool has_rings;
        uint32_t codec;
        uint32_t vertices;
    } rows[] = {
        {"classic-store.sgc", false, false, SPN_CODEC_STORE, 30},
        {"classic-lz4.sgc", false, false, SPN_CODEC_LZ4, 60},
        {"classic-deflate.sgc", false, false, SPN_CODEC_DEFLATE, 60},
        {"classic-zstd.sgc", false, false, SPN_CODEC_ZSTD, 60},
        {"lifted.sgc", true, false, 0, 300},
        {"lifted-one-rings.sgc", true, true, 0, 300},
        {"attributes-classic.sgc", false, false, SPN_CODEC_LZ4, 60},
        {"attributes-lifted.sgc", true, true, 0, 300},
    };
    FILE *list;

    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct synthetic_options clip = clip_of(rows[i].vertices);
        struct memory_sink memory = {0};

        if (strncmp(rows[i].name, begin, strlen(begin)) != 0)
            continue;
        clip.has_second_uvs = strncmp(rows[i].name, "attributes", 10) == 0;
        clip.has_velocities = clip.has_second_uvs;
        if (rows[i].is_lifted)
            synthetic_lift(&clip, 8, rows[i].has_rings, &memory);
        else
            encode_classic(&clip, rows[i].codec, &memory);
        write_golden(rows[i].name, &memory);
        memory_sink_free(&memory);
    }
    list = fopen(path_of("golden.txt"), "w");
    CHECK(list != NULL);
    for (uint32_t i = 0; i < golden_count; i++)
        fprintf(list, "%s %" PRIu32 " %" PRIu32 " %016" PRIx64 "\n",
                goldens[i].name, goldens[i].version, goldens[i].frames,
                goldens[i].sum);
    CHECK_EQ(fclose(list), 0);
}

/* -- claims -- */

static void golden_caches_show_the_same_frames(void)
{
    const char *begin = getenv("GOLDEN");

    read_list();
    if (begin)
        make_anew(begin);
    CHECK(golden_count > 0);
    for (uint32_t i = 0; i < golden_count; i++) {
        struct golden now = {.sum = 0};
        size_t size;
        uint8_t *bytes = read_cache(goldens[i].name, &size);

        test_context("%s", goldens[i].name);
        play(bytes, size, &now);
        CHECK_EQ_U(now.version, goldens[i].version);
        CHECK_EQ_U(now.frames, goldens[i].frames);
        CHECK_EQ_U(now.sum, goldens[i].sum);
        free(bytes);
    }
}

static void golden_caches_are_of_every_kind(void)
{
    uint32_t classic = 0;
    uint32_t lifted = 0;

    read_list();
    for (uint32_t i = 0; i < golden_count; i++) {
        size_t size;
        uint8_t *bytes = read_cache(goldens[i].name, &size);
        const bool has_lifted = cache_has_lifted(bytes, size);

        CHECK_EQ_U(goldens[i].version, CACHE_VERSION);
        lifted += has_lifted;
        classic += !has_lifted;
        free(bytes);
    }
    CHECK(classic > 0);
    CHECK(lifted > 0);
}

TEST_MAIN(TEST(golden_caches_show_the_same_frames),
          TEST(golden_caches_are_of_every_kind))
