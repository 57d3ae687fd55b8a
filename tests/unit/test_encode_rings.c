/* Goal: QTangents are guessed by their UVs where those move and tell them, by
 *   the positions alone where they are still, and by nothing where the compile
 *   is to decode fast.
 * Method: a small sea whose texture flows or not, compiled as a user would, and
 *   what the cache says of its rings.
 * One thread, and two. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/block_codec.h"
#include "cache_reader.h"
#include "compile/compile.h"
#include "support/cloth_archive.h"

#include <math.h>
#include <stdio.h>

#define SIDE 40u
#define FRAMES 30u

static void place(uint32_t side, uint32_t frame, uint32_t x, uint32_t y,
                  float out[3])
{
    const double across = 4.0 * x / (side - 1);
    const double along = 4.0 * y / (side - 1);

    out[0] = (float)(across - 0.15 * sin(2.1 * across + 0.11 * frame));
    out[1] = (float)(0.2 * cos(2.1 * across + 0.11 * frame) +
                     0.1 * sin(3.3 * along - 0.17 * frame));
    out[2] = (float)(along - 0.1 * cos(3.3 * along - 0.17 * frame));
}

/* A map from above. */
static void map(uint32_t side, uint32_t frame, uint32_t quad, uint32_t x,
                uint32_t y, const float point[3], float out[2])
{
    (void)side;
    (void)quad;
    (void)x;
    (void)y;
    out[0] = 0.2f * point[0] - 0.01f * (float)frame;
    out[1] = 0.2f * point[2];
}

struct rings {
    bool is_there;
    bool by_uvs;
};

static struct rings compile_sea(bool flows, bool is_fast, uint32_t jobs)
{
    const struct grid_texture texture = {map, flows};
    struct rings rings = {false, false};
    struct compile_options options;
    struct compile_report report;
    struct cache_reader *reader;
    char input[512];
    char output[512];
    struct diag diag;

    snprintf(input, sizeof input, "%s/sea.abc", test_temp());
    snprintf(output, sizeof output, "%s/sea.sgc", test_temp());
    grid_archive_write_textured(input, SIDE, FRAMES, place, &texture);
    compile_options_default(&options);
    options.input = input;
    options.output = output;
    options.jobs = jobs;
    options.is_lifted = true;
    options.codec = BLOCK_CODEC_LZ4;
    options.is_fast = is_fast;
    diag_init(&diag);
    diag.is_quiet = true;
    CHECK(compile_run(&options, &diag, NULL, NULL, &report));
    reader = cache_reader_open(output, &diag);
    CHECK(reader != NULL);
    if (reader) {
        const struct cache_tables *tables = cache_reader_tables(reader);

        CHECK(cache_tile_is_lifted(&tables->tiles[0]));
        rings.is_there = tables->tiles[0].ring_slots > 0;
        rings.by_uvs = tables->tiles[0].rings_by_uvs;
    }
    cache_reader_close(reader);
    diag_finish(&diag);
    return rings;
}

static void rings_follow_uvs_that_flow(void)
{
    for (uint32_t jobs = 1; jobs <= 2; jobs++) {
        const struct rings rings = compile_sea(true, false, jobs);

        CHECK(rings.is_there && rings.by_uvs);
    }
}

static void rings_are_by_positions_where_uvs_are_still(void)
{
    const struct rings rings = compile_sea(false, false, 1);

    CHECK(rings.is_there && !rings.by_uvs);
}

static void fast_caches_have_no_rings(void)
{
    CHECK(!compile_sea(true, true, 1).is_there);
}

TEST_MAIN(TEST(rings_follow_uvs_that_flow),
          TEST(rings_are_by_positions_where_uvs_are_still),
          TEST(fast_caches_have_no_rings))
