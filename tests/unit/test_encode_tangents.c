/* test_encode_tangents.c
 *
 * Goal: QTangents are predicted from the UVs where these move and determine
 *   the tangents, from the positions alone where the UVs stand still, and not
 *   at all where the compile optimizes for fast decoding. The choice is the
 *   same for one thread and for three.
 * Method: a sea whose texture flows or not is compiled with the command's
 *   options, and the cache's one-rings are examined. The bytes of a cache of
 *   two parts are compared. The sea has 16 points a side and 24 frames in one
 *   second (tests/data/flowing.abc).
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/block_codec.h"
#include "cachefile/cache_reader.h"
#include "compile/compile.h"
#include "host/host.h"
#include "support/cloth_archive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SMALL 40u
/* The thread sanitizer slows the encoder down tenfold. */
#define TWO_PARTS (TEST_HAS_TSAN ? SMALL : 92u)
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

static struct compile_options options_of_sea(uint32_t side, bool flows)
{
    static char input[512];
    static char output[512];
    const struct grid_texture texture = {map, flows};
    struct compile_options options;

    snprintf(input, sizeof input, "%s/sea.abc", test_temp());
    snprintf(output, sizeof output, "%s/sea.sgc", test_temp());
    grid_archive_write_textured(input, side, FRAMES, place, &texture);
    compile_options_default(&options);
    options.input = input;
    options.output = output;
    options.is_lifted = true;
    options.codec = BLOCK_CODEC_LZ4;
    options.jobs = 1;
    return options;
}

static void compile_sea(const struct compile_options *options)
{
    struct compile_report report;
    struct diag diag;

    diag_init(&diag);
    diag.is_quiet = true;
    CHECK(compile_run(options, &diag, NULL, NULL, &report));
    diag_finish(&diag);
}

struct rings {
    bool is_there;
    bool by_uvs;
};

static struct rings rings_of(const struct compile_options *options)
{
    struct rings rings = {false, false};
    struct cache_reader *reader;
    struct diag diag;

    diag_init(&diag);
    compile_sea(options);
    reader = cache_reader_open(options->output, &diag);
    CHECK(reader != NULL);
    if (reader) {
        const struct cache_tile *tile = cache_reader_tables(reader)->tiles;

        CHECK(cache_tile_is_lifted(tile));
        rings.is_there = tile->one_ring_slots > 0;
        rings.by_uvs = tile->one_rings_by_uvs;
    }
    cache_reader_close(reader);
    diag_finish(&diag);
    return rings;
}

static void rings_follow_moving_uvs(void)
{
    const struct compile_options options = options_of_sea(SMALL, true);
    const struct rings rings = rings_of(&options);

    CHECK(rings.is_there && rings.by_uvs);
}

static void rings_are_by_positions_where_uvs_are_still(void)
{
    const struct compile_options options = options_of_sea(SMALL, false);
    const struct rings rings = rings_of(&options);

    CHECK(rings.is_there && !rings.by_uvs);
}

static void fast_caches_have_no_rings(void)
{
    struct compile_options options = options_of_sea(SMALL, true);

    options.is_fast = true;
    CHECK(!rings_of(&options).is_there);
}

static void check_same(const struct compile_options *options, const void *bytes,
                       size_t size)
{
    struct diag diag;
    void *got = NULL;
    size_t count = 0;

    diag_init(&diag);
    compile_sea(options);
    CHECK(host_read_file(options->output, &got, &count, &diag));
    CHECK_EQ_U(count, size);
    if (count == size)
        CHECK_MEM(got, bytes, size);
    free(got);
    diag_finish(&diag);
}

static void rings_do_not_depend_on_threads(void)
{
    struct compile_options options = options_of_sea(TWO_PARTS, true);
    struct diag diag;
    void *bytes = NULL;
    size_t size = 0;

    diag_init(&diag);
    /* otherwise prediction in time leaves no residuals */
    options.precision_mm = 0.1;
    CHECK(rings_of(&options).by_uvs);
    CHECK(host_read_file(options.output, &bytes, &size, &diag));
    CHECK(size > 0);
    options.jobs = 3;
    check_same(&options, bytes, size);
    free(bytes);
    diag_finish(&diag);
}

TEST_MAIN(TEST(rings_follow_moving_uvs),
          TEST(rings_are_by_positions_where_uvs_are_still),
          TEST(fast_caches_have_no_rings), TEST(rings_do_not_depend_on_threads))
