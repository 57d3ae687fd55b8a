/* test_anim_segments.c
 *
 * Goal: segments of a clip are decoded in any order; they stay small when many
 *   tracks move, because they have fewer frames then; other numbers of frames
 *   are refused.
 * Method: made clips on both sides of each bound are encoded, decoded by the
 *   runtime, and compared with the original.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/anim_walk.h"
#include "support/encoded_clip.h"

#include "anim/anim_segment.h"
#include "anim/anim_wire.h"
#include "base/cpu.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

/* Rotations of all joints; with has_shift also translations, then has_scale. */
static const struct made_motion all_parts = {
    .joints = 100, .frames = 30, .swing = 0.5, .travel = 0.01, .has_all = true};

/* Segments have `frames` frames. */
static void decode_in_any_order(const struct made_motion *made, uint32_t frames)
{
    struct anim_head_models *models = malloc(sizeof *models);
    struct anim_decoder_tables *tables = malloc(sizeof *tables);
    struct anim_window window[2];
    struct anim_clip clip;
    struct encoded_clip e;
    void *memory[2];
    void *workspace;
    size_t bytes;

    encoded_clip_make(made, &e);
    CHECK(models && tables);
    spn__anim_decoder_tables_init(tables, spn__cpu_detect());
    CHECK_EQ(spn__anim_clip_read_header(e.file.bytes, &clip.header, NULL),
             SPN_OK);
    CHECK_EQ(spn__anim_clip_measure(&clip.header, e.file.bytes, models, &bytes,
                                    NULL),
             SPN_OK);
    spn__anim_clip_open(&clip.header, e.file.bytes, models,
                        arena_alloc(&e.arena, bytes, 1), &clip);
    bytes = spn__anim_window_bytes(&clip.tracks, frames);
    workspace =
        arena_alloc(&e.arena, spn__anim_segment_workspace(&clip.tracks), 1);
    for (int i = 0; i < 2; i++) {
        memory[i] = arena_alloc(&e.arena, bytes, 1);
        spn__anim_window_place(&window[i], &clip.tracks, frames, memory[i]);
    }
    /* Each segment, after another one and after itself. */
    for (uint32_t s = 0; s < clip.header.segment_count; s++) {
        for (int i = 0; i < 2; i++) {
            const uint32_t order[2] = {(s + 3) % clip.header.segment_count, s};

            for (int k = i; k < 2; k++)
                CHECK_EQ(spn__anim_segment_decode(
                             &clip, tables, order[k],
                             e.file.bytes +
                                 spn__anim_clip_segment(&clip, order[k]).offset,
                             workspace, &window[i], NULL),
                         SPN_OK);
        }
        CHECK_EQ_U(window[0].first_frame, frames * s);
        CHECK_EQ_U(window[0].frame_count,
                   min_u32(frames, made->frames - frames * s));
        CHECK_MEM(
            window[0].base, window[1].base,
            ((char *)(window[0].rows +
                      window[0].frame_count * anim_row_length(&clip.tracks)) -
             (char *)window[0].base));
    }
    free(models);
    free(tables);
    arena_free(&e.arena);
}

static void segments_are_decoded_in_any_order(void)
{
    struct made_motion made = {
        .joints = 9, .frames = 70, .swing = 0.7, .travel = 0.05};

    decode_in_any_order(&made, 16);
    made = all_parts;
    made.has_shift = true;
    decode_in_any_order(&made, 8);
    made.has_scale = true;
    decode_in_any_order(&made, 4);
}

/* Bar: 32 KiB beside the bytes of the file. */
static void a_playing_clip_fits_its_memory(void)
{
    struct made_motion made = all_parts;

    for (uint32_t parts = 1; parts <= 3; parts++) {
        const uint32_t frames = 32u >> parts;
        struct clip_error error;
        struct encoded_clip e;

        test_context("%u parts of joints", parts);
        made.has_shift = parts >= 2;
        made.has_scale = parts == 3;
        encoded_clip_make(&made, &e);
        encoded_clip_measure(&e, &error);
        CHECK(error.memory <= 32u << 10);
        /* Two windows of 6 bytes a part and frame are most of it. */
        CHECK(error.memory >= 2u * 6 * 100 * parts * frames);
        arena_free(&e.arena);
    }
}

/* -- the number of frames -- */

static uint32_t frames_of(const struct anim_file *file)
{
    struct anim_clip_header h;

    CHECK_EQ(spn__anim_clip_read_header(file->bytes, &h, NULL), SPN_OK);
    return h.segment_frames;
}

/* Encode a clip again, and check its number of frames and the errors. */
static void check_frames(struct encoded_clip *e,
                         const struct anim_encode_options *options,
                         uint32_t frames)
{
    struct clip_error error;

    anim_encode_clip(&e->clip, options, &e->arena, &e->file);
    CHECK_EQ_U(frames_of(&e->file), frames);
    encoded_clip_measure(e, &error);
    CHECK_EQ_U(error.segments, (e->clip.frame_count + frames - 1) / frames);
    CHECK(error.at_frames <= options->precision);
    CHECK(error.floats <= 1.01 * options->float_precision);
    CHECK(error.segment_bytes_max <= ANIM_SEGMENT_BYTES_MAX);
    CHECK(e->file.size / error.segments <= ANIM_SEGMENT_BYTES_MEAN + 1024);
    CHECK_EQ(anim_walk_clip(e->file.bytes, e->file.size, NULL, NULL), SPN_OK);
}

static void segments_of_many_values_have_fewer_frames(void)
{
    const struct anim_encode_options options = {ANIM_PRECISION, 0.01};
    /* All but one of the float tracks are animated. */
    const struct {
        uint32_t float_tracks;
        uint32_t frames;
    } cases[] = {{ANIM_SEGMENT_VALUES_MAX / 16 + 1, 16},
                 {ANIM_SEGMENT_VALUES_MAX / 16 + 2, 8},
                 {ANIM_SEGMENT_VALUES_MAX / 8 + 1, 8},
                 {ANIM_SEGMENT_VALUES_MAX / 8 + 2, 4},
                 {ANIM_SEGMENT_VALUES_MAX / 4 + 2, 4}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct made_motion made = {
            .joints = 1, .frames = 21, .float_tracks = cases[i].float_tracks};
        struct encoded_clip e;

        test_context("%u float tracks", cases[i].float_tracks);
        encoded_clip_make(&made, &e);
        check_frames(&e, &options, cases[i].frames);
        arena_free(&e.arena);
    }
}

static void segments_of_many_bytes_have_fewer_frames(void)
{
    const struct made_motion made = {
        .joints = 90, .frames = 32, .swing = 0.5, .has_all = true};
    /* Metres, at the skin. */
    const struct {
        double precision;
        uint32_t frames;
    } cases[] = {{1e-4, 16}, {1e-5, 8}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct anim_encode_options options = {cases[i].precision, 1};
        struct encoded_clip e;

        test_context("precision %g", cases[i].precision);
        encoded_clip_make(&made, &e);
        check_frames(&e, &options, cases[i].frames);
        arena_free(&e.arena);
    }
}

/* Numbers without a pattern in the first 16 frames, then zeros. */
static void one_large_segment_shortens_all(void)
{
    const struct made_motion made = {
        .joints = 1, .frames = 160, .float_tracks = 300};
    const struct anim_encode_options options = {ANIM_PRECISION, 4e-5};
    struct test_random random = {1};
    struct encoded_clip e;
    uint32_t count;
    float *floats;

    encoded_clip_make(&made, &e);
    count = e.clip.frame_count * e.clip.float_track_count;
    floats = ARENA_NEW(&e.arena, float, count);
    for (uint32_t i = 0; i < 16 * e.clip.float_track_count; i++)
        floats[i] = (float)test_random_below(&random, 65536) / 32768 - 1;
    e.clip.floats = floats;
    check_frames(&e, &options, 8);
    /* Those of 16 frames had fewer bytes on average. */
    CHECK(e.file.size / 10 < ANIM_SEGMENT_BYTES_MEAN);
    arena_free(&e.arena);
}

static void clips_of_any_length_have_short_segments(void)
{
    struct made_motion made = all_parts;

    made.has_shift = true;
    made.has_scale = true;
    made.has_cuts = true;
    for (made.frames = 2; made.frames <= 9; made.frames++) {
        struct clip_error error;
        struct encoded_clip e;

        test_context("%u frames", made.frames);
        encoded_clip_make(&made, &e);
        CHECK_EQ_U(frames_of(&e.file), 4);
        encoded_clip_measure(&e, &error);
        CHECK(error.at_frames <= 0.0001);
        CHECK(error.between <= 0.00015);
        CHECK_EQ(anim_walk_clip(e.file.bytes, e.file.size, NULL, NULL), SPN_OK);
        arena_free(&e.arena);
    }
}

static void other_numbers_of_frames_are_refused(void)
{
    struct anim_wire_clip *wire;
    struct encoded_clip e;

    encoded_clip_make(&all_parts, &e);
    wire = (void *)e.file.bytes;
    for (uint32_t frames = 0; frames < 256; frames++) {
        struct anim_clip_header header;
        spn_fault fault = {0};

        if (frames == 16)
            continue;
        test_context("%u frames", frames);
        wire->segment_frames[0] = (uint8_t)frames;
        anim_mend_clip(e.file.bytes, e.file.size);
        if (frames == 4 || frames == 8) {
            CHECK_EQ(anim_walk_clip(e.file.bytes, e.file.size, NULL, &fault),
                     SPN_ERR_FORMAT);
            continue;
        }
        CHECK_EQ(spn__anim_clip_read_header(e.file.bytes, &header, &fault),
                 SPN_ERR_FORMAT);
        CHECK_STR(fault.what, "frames of a segment");
        CHECK_EQ_U(fault.offset,
                   offsetof(struct anim_wire_clip, segment_frames));
        CHECK_EQ_U(fault.value, frames);
    }
    arena_free(&e.arena);
}

TEST_MAIN(TEST(segments_are_decoded_in_any_order),
          TEST(a_playing_clip_fits_its_memory),
          TEST(segments_of_many_values_have_fewer_frames),
          TEST(segments_of_many_bytes_have_fewer_frames),
          TEST(one_large_segment_shortens_all),
          TEST(clips_of_any_length_have_short_segments),
          TEST(other_numbers_of_frames_are_refused))
