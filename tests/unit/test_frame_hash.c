/* test_frame_hash.c
 *
 * Goal: the hash of a run counts each distinct frame once. It depends only on
 *   the numbers and values of frames, not on their order, repetition, or
 *   moments between two frames.
 * Method: chosen frames of a small cache are shown on a stage in several
 *   orders.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include "base/checksum.h"
#include "player/frame_hash.h"
#include "player/player.h"
#include "player/shown_hash.h"

#include <string.h>

#define FRAMES 12u
#define VERTICES 300u

static struct stage stage;
static struct playing_file file;
static spn_node node;
static struct arena arena; /* of file.hash */
static uint8_t buffer[VERTICES * SHOWN_HASH_STRIDE];

static void open_clip(const struct tiny_options *options)
{
    struct tiny_options o = *options;

    o.frame_count = FRAMES;
    o.vertices = VERTICES;
    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, false);
    memset(&file, 0, sizeof file);
    file.cache = stage.cache;
    CHECK_EQ(spn_cache_get_info(stage.rt, stage.cache, &file.info), SPN_OK);
    arena_init(&arena);
    frame_hash_init(&file.hash, FRAMES, &arena);
}

static void close_clip(void)
{
    arena_free(&arena);
    stage_close(&stage);
}

/* Show a time between a frame and the next, at `part` thousandths of the
 * interval. */
static void show(uint32_t frame, uint32_t part)
{
    uint32_t frame_us = stage.tiny->options.frame_us;
    int64_t time_us = (int64_t)frame * frame_us + part * frame_us / 1000 + 2;

    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, time_us), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    stage_until_ready(&stage, node);
    CHECK_EQ(stage_state(&stage, node).shown_frame, frame);
}

static void add(bool again)
{
    frame_hash_add(&file.hash, stage.rt, &file, node, again, buffer,
                   sizeof buffer);
}

static uint64_t sum_of(const struct tiny_options *options,
                       const uint32_t *frames, uint32_t count, uint32_t part)
{
    uint64_t sum;

    open_clip(options);
    for (uint32_t i = 0; i < count; i++) {
        show(frames[i], part);
        add(false);
    }
    sum = frame_hash_sum(&file.hash, 0);
    close_clip();
    return sum;
}

static void hash_counts_a_frame_once(void)
{
    struct tiny_options o = {0};
    uint64_t sum;

    open_clip(&o);
    CHECK_EQ_U(frame_hash_sum(&file.hash, 0), 0);
    show(3, 0);
    add(false);
    sum = frame_hash_sum(&file.hash, 0);
    CHECK(sum != 0);
    CHECK_EQ(file.hash.distinct_count, 1);
    add(false);
    add(true);
    show(4, 0);
    show(3, 0);
    add(false);
    CHECK_EQ_U(frame_hash_sum(&file.hash, 0), sum);
    CHECK_EQ(file.hash.distinct_count, 1);
    CHECK_EQ(file.hash.unequal_count, 0);
    show(4, 0);
    add(false);
    CHECK_EQ(file.hash.distinct_count, 2);
    CHECK(frame_hash_sum(&file.hash, 0) != sum);
    close_clip();
}

static void hash_does_not_depend_on_order_or_moment(void)
{
    static const uint32_t rising[] = {0, 2, 5, 9};
    static const uint32_t mixed[] = {9, 2, 0, 5};
    static const uint32_t other[] = {0, 2, 5, 8};
    struct tiny_options o = {.has_uvs = true, .has_static_mesh = true};
    uint64_t sum = sum_of(&o, rising, 4, 0);

    CHECK_EQ_U(sum_of(&o, mixed, 4, 0), sum);
    CHECK_EQ_U(sum_of(&o, rising, 4, 600), sum);
    CHECK(sum_of(&o, other, 4, 0) != sum);
    CHECK(sum_of(&o, rising, 3, 0) != sum);
}

static void hash_depends_on_values(void)
{
    static const uint32_t frames[] = {1, 7};
    struct tiny_options o = {.seed = 1};
    uint64_t sum = sum_of(&o, frames, 2, 0);

    o.is_stored = true; /* the same values in another coding */
    CHECK_EQ_U(sum_of(&o, frames, 2, 0), sum);
    o.seed = 2;
    CHECK(sum_of(&o, frames, 2, 0) != sum);
    o.seed = 1;
    o.has_colors = true;
    CHECK(sum_of(&o, frames, 2, 0) != sum);
    sum = sum_of(&o, frames, 2, 0);
    o.has_attributes = true;
    CHECK(sum_of(&o, frames, 2, 0) != sum);
}

/* The hash is computed a second time here, because a wrong byte count would
 * still give distinct numbers. Shorts are hashed with the lowest byte first on
 * every machine. */
static void hash_depends_on_every_byte(void)
{
    static const spn_vertex_layout layout = {
        .stride = SHOWN_HASH_STRIDE,
        .position = {0, SPN_FORMAT_QUANTIZED},
        .qtangent = {6, SPN_FORMAT_QUANTIZED},
        .uv = {14, SPN_FORMAT_QUANTIZED},
        .color = {18, SPN_FORMAT_QUANTIZED},
    };
    struct tiny_options o = {.has_uvs = true};
    uint8_t number[8] = {6, 0, 0, 0, 0, 0, 0, 0};
    uint8_t visible[64];
    struct checksum half[2];
    spn_fill_result result;
    uint64_t sum;

    open_clip(&o);
    show(6, 0);
    add(false);
    sum = frame_hash_sum(&file.hash, 0);
    CHECK_EQ(
        spn_node_get_transforms(stage.rt, node, NULL, visible, sizeof visible),
        SPN_OK);
    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, buffer, sizeof buffer,
                           &result),
             SPN_OK);
    for (uint32_t v = 0; v < VERTICES; v++)
        for (uint8_t *at = buffer + v * SHOWN_HASH_STRIDE, *limit = at + 18;
             at < limit; at += 2) {
            uint16_t value;

            memcpy(&value, at, 2);
            at[0] = (uint8_t)(value & 255);
            at[1] = (uint8_t)(value >> 8);
        }
    for (uint32_t i = 0; i < 2; i++) {
        spn__checksum_begin(&half[i], i);
        spn__checksum_add(&half[i], number, 4);
        spn__checksum_add(&half[i], visible, file.info.scene_node_count);
        spn__checksum_add(&half[i], number + 4, 4); /* the mesh */
        spn__checksum_add(&half[i], buffer, sizeof buffer);
    }
    CHECK_EQ_U(sum, (uint64_t)spn__checksum_end(&half[0]) << 32 |
                        spn__checksum_end(&half[1]));
    /* The value for machines of either byte order. */
    CHECK_EQ_U(sum, 0xf9192fff7e28bac9);
    close_clip();
}

/* Frames without visible meshes differ only by their numbers. */
static void hash_depends_on_the_frame_number(void)
{
    static const uint32_t one[] = {1};
    static const uint32_t two[] = {2};
    struct tiny_options o = {.hidden_limit = 9};

    CHECK(sum_of(&o, one, 1, 0) != sum_of(&o, two, 1, 0));
}

static void hash_compares_again_on_request(void)
{
    struct tiny_options o = {0};

    open_clip(&o);
    show(5, 0);
    add(false);
    file.hash.frames[5] ^= 1;
    add(false);
    CHECK_EQ(file.hash.unequal_count, 0);
    add(true);
    CHECK_EQ(file.hash.unequal_count, 1);
    CHECK_EQ(file.hash.distinct_count, 1);
    add(true);
    CHECK_EQ(file.hash.unequal_count, 1);
    close_clip();
}

static void hash_skips_frames_that_are_not_decoded(void)
{
    struct tiny_options o = {0};

    open_clip(&o);
    /* No frame was requested, so none is decoded. */
    add(false);
    CHECK_EQ(file.hash.distinct_count, 0);
    show(2, 0);
    /* The buffer has no room for the mesh. */
    frame_hash_add(&file.hash, stage.rt, &file, node, false, buffer,
                   sizeof buffer - 1);
    CHECK_EQ(file.hash.distinct_count, 0);
    add(false);
    CHECK_EQ(file.hash.distinct_count, 1);
    close_clip();
}

static void hash_keeps_equal_files_apart(void)
{
    struct tiny_options o = {0};
    uint64_t sum;

    open_clip(&o);
    show(1, 0);
    add(false);
    sum = frame_hash_sum(&file.hash, 0);
    CHECK(frame_hash_sum(&file.hash, 1) != sum);
    CHECK(frame_hash_sum(&file.hash, 1) != frame_hash_sum(&file.hash, 2));
    close_clip();
}

TEST_MAIN(TEST(hash_counts_a_frame_once),
          TEST(hash_does_not_depend_on_order_or_moment),
          TEST(hash_depends_on_values), TEST(hash_depends_on_every_byte),
          TEST(hash_depends_on_the_frame_number),
          TEST(hash_compares_again_on_request),
          TEST(hash_skips_frames_that_are_not_decoded),
          TEST(hash_keeps_equal_files_apart))
