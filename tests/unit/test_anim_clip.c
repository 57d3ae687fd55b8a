/* Goal: an encoded clip is the original within the precision, at frames and
 * between them; its bytes are the same everywhere; every segment is decoded on
 * its own; damaged files are refused.
 *
 * Method: made clips of all kinds are encoded, then decoded and sampled by the
 * runtime and compared in double precision. Files are cut and changed at all
 * places, also with repaired checksums; a sanitizer build sees reads beyond.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/anim_walk.h"
#include "support/made_motion.h"

#include "anim/anim_segment.h"
#include "anim/anim_skeleton.h"
#include "anim/anim_wire.h"
#include "anim/encode/anim_encode.h"
#include "anim/encode/clip_error.h"
#include "base/checksum.h"
#include "base/cpu.h"
#include "base/endian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct anim_encode_options options = {ANIM_PRECISION,
                                                   ANIM_FLOAT_PRECISION};

static const struct made_motion all_kinds = {
    .joints = 13,
    .frames = 37,
    .float_tracks = 4,
    .swing = 0.6,
    .travel = 0.01,
    .has_scale = true,
    .has_steps = true,
    .has_cuts = true,
};

/* Of the encoded clip of all kinds. */
#define SKELETON_HASH 0x5a3c04abu
#define CLIP_HASH 0x95e5a453u
#define WINDOWS_HASH 0x3967d280u

struct encoded {
    struct arena arena;
    struct dense_clip clip;
    struct anim_file skeleton;
    struct anim_file file;
};

static void encode(const struct made_motion *made, struct encoded *e)
{
    arena_init(&e->arena);
    made_motion(made, &e->arena, &e->clip);
    CHECK(anim_encode_refusal(&e->clip, &options) == NULL);
    anim_encode_skeleton(&e->clip, &e->arena, &e->skeleton);
    anim_encode_clip(&e->clip, &options, &e->arena, &e->file);
}

static void measure(struct encoded *e, struct clip_error *error)
{
    spn_fault fault = {0};

    CHECK_EQ(clip_error_measure(&e->clip, &e->skeleton, &e->file, &e->arena,
                                error, &fault),
             SPN_OK);
}

static void check_precision(const struct made_motion *made)
{
    struct encoded e;
    struct clip_error error;

    encode(made, &e);
    measure(&e, &error);
    CHECK(error.at_frames <= 0.0001);
    CHECK(error.between <= 0.00015);
    CHECK(error.floats <= 0.000101);
    CHECK_EQ(error.segments, (made->frames + 15) / 16);
    arena_free(&e.arena);
}

static void clips_keep_the_precision(void)
{
    static const struct made_motion made[] = {
        {.joints = 1, .frames = 20, .swing = 1},
        {.joints = 20, .frames = 50, .swing = 0.8},
        {.joints = 12, .frames = 33, .swing = 0.4, .has_shift = true},
        {.joints = 12, .frames = 33, .swing = 0.4, .has_scale = true},
        {.joints = 9, .frames = 40, .swing = 0.5, .has_steps = true},
        {.joints = 9, .frames = 40, .swing = 0.5, .has_cuts = true},
        {.joints = 6, .frames = 17, .float_tracks = 5, .swing = 0.5},
        /* 40 m in a segment: wide translations */
        {.joints = 5, .frames = 35, .swing = 0.5, .travel = 2.5},
    };

    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        test_context("clip %zu", i);
        check_precision(&made[i]);
    }
    check_precision(&all_kinds);
}

/* A joint turns about an oblique axis by an angle in each frame; every `fro`
 * frames it turns back. */
static void turn_joint(struct dense_clip *clip, struct arena *arena,
                       double degrees, uint32_t fro)
{
    static const double axis[3] = {0.6, -0.48, 0.64};
    const size_t count = (size_t)clip->frame_count * clip->joint_count;
    struct joint_transform *locals =
        ARENA_NEW(arena, struct joint_transform, count);
    double angle = 0;

    memcpy(locals, clip->locals, count * sizeof *locals);
    clip->locals = locals;
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        struct joint_transform *t = &locals[f * clip->joint_count];
        const double half = angle * 3.141592653589793 / 360;

        for (int k = 0; k < 3; k++)
            t->rotation[k] = axis[k] * sin(half);
        t->rotation[3] = cos(half);
        angle += fro != 0 && f / fro % 2 != 0 ? -degrees : degrees;
    }
}

/* The decoder takes the arc that the original takes, although the other one is
 * as long or hardly longer. */
static void half_turns_keep_their_direction(void)
{
    static const struct made_motion made = {
        .joints = 3, .frames = 21, .swing = 0.3};
    static const struct {
        double degrees;
        uint32_t fro;
    } turns[] = {{180, 0}, {-180, 0}, {179.99, 0},  {180.01, 0}, {180, 1},
                 {180, 2}, {180, 3},  {-179.99, 4}, {173, 0},    {172.5, 0}};

    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        struct encoded e;
        struct clip_error error;

        test_context("%g degrees, to and fro %u", turns[i].degrees,
                     turns[i].fro);
        arena_init(&e.arena);
        made_motion(&made, &e.arena, &e.clip);
        turn_joint(&e.clip, &e.arena, turns[i].degrees, turns[i].fro);
        anim_encode_skeleton(&e.clip, &e.arena, &e.skeleton);
        anim_encode_clip(&e.clip, &options, &e.arena, &e.file);
        measure(&e, &error);
        CHECK(error.at_frames <= 0.0001);
        CHECK(error.between <= 0.00015);
        arena_free(&e.arena);
    }
}

static void every_number_of_frames_is_encoded(void)
{
    struct made_motion made = {
        .joints = 3, .swing = 0.7, .float_tracks = 1, .travel = 0.02};

    for (made.frames = 2; made.frames <= 34; made.frames++) {
        test_context("%u frames", made.frames);
        check_precision(&made);
    }
}

static void parts_that_rest_or_never_change_take_no_rows(void)
{
    struct made_motion made = {.joints = 8, .frames = 40, .is_at_rest = true};
    struct clip_error error;
    struct encoded e;

    encode(&made, &e);
    measure(&e, &error);
    CHECK_EQ(error.segments, 0);
    CHECK(error.at_frames < 1e-6);
    CHECK(e.file.size < 80);
    CHECK_EQ(anim_walk_clip(e.file.bytes, e.file.size, NULL, NULL), SPN_OK);
    arena_free(&e.arena);

    /* One frame: all that differs from rest is constant. */
    made = (struct made_motion){.joints = 8, .frames = 1, .swing = 1};
    encode(&made, &e);
    measure(&e, &error);
    CHECK_EQ(error.segments, 0);
    CHECK(error.at_frames <= 0.0001);
    arena_free(&e.arena);
}

static void step_tracks_and_cuts_are_kept(void)
{
    struct anim_head_models *models = malloc(sizeof *models);
    struct anim_clip_header header;
    struct anim_clip clip;
    struct encoded e;
    size_t bytes;
    void *memory;

    encode(&all_kinds, &e);
    CHECK(models != NULL);
    CHECK_EQ(spn__anim_clip_read_header(e.file.bytes, &header, NULL), SPN_OK);
    CHECK(header.has_cuts);
    CHECK_EQ(
        spn__anim_clip_measure(&header, e.file.bytes, models, &bytes, NULL),
        SPN_OK);
    memory = malloc(bytes);
    CHECK(memory != NULL);
    spn__anim_clip_open(&header, e.file.bytes, models, memory, &clip);
    /* Joints 2, 6 and 10 have steps; 7 does not move. */
    CHECK_EQ(clip.tracks.rotations.count, 12);
    CHECK_EQ(clip.tracks.rotations.linear_count, 9);
    CHECK_EQ(clip.tracks.rotations.joint[9], 2);
    CHECK_EQ(clip.tracks.rotations.joint[11], 10);
    CHECK_EQ(clip.tracks.floats.count, 3);
    CHECK_EQ(clip.tracks.floats.linear_count, 1);
    CHECK_EQ(clip.tracks.constants.float_count, 1);
    free(memory);
    free(models);
    arena_free(&e.arena);
}

/* Opens a clip in `arena`. */
static spn_status open_clip(const struct anim_file *file, struct arena *arena,
                            struct anim_clip *clip, spn_fault *fault)
{
    struct anim_head_models *models =
        ARENA_NEW(arena, struct anim_head_models, 1);
    struct anim_clip_header header;
    size_t bytes = 0;
    spn_status status = spn__anim_clip_read_header(file->bytes, &header, fault);

    if (status == SPN_OK)
        status =
            spn__anim_clip_measure(&header, file->bytes, models, &bytes, fault);
    if (status == SPN_OK)
        spn__anim_clip_open(&header, file->bytes, models,
                            arena_alloc(arena, bytes, 1), clip);
    return status;
}

static void float_tracks_keep_their_names(void)
{
    char longest[ANIM_FLOAT_NAME_BYTES_MAX];
    const char *const names[] = {"brow.L", "brow.R", longest, "brow.R"};
    const char *name;
    struct anim_clip clip;
    struct encoded e;

    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    encode(&all_kinds, &e);
    e.clip.float_track_names = names;
    CHECK(anim_encode_refusal(&e.clip, &options) == NULL);
    anim_encode_clip(&e.clip, &options, &e.arena, &e.file);
    CHECK_EQ(open_clip(&e.file, &e.arena, &clip, NULL), SPN_OK);
    CHECK_EQ_U(clip.tracks.float_track_count, 4);
    CHECK_EQ_U(clip.tracks.float_name_bytes, 7 + 7 + sizeof longest + 7);
    name = clip.tracks.float_names;
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_STR(name, names[i]);
        name = anim_next_name(name);
    }
    arena_free(&e.arena);
}

/* The encoder refuses names that the reader refuses. */
static void wrong_names_are_refused(void)
{
    char too_long[ANIM_FLOAT_NAME_BYTES_MAX + 1];
    const char *const wrong[] = {"",         "a\tb",      "\x7f",
                                 "\xc0\x80", "a\xe2\x82", too_long};
    const char *names[4] = {"a", "b", "c", "d"};
    spn_fault fault;
    struct anim_clip clip;
    struct encoded e;

    memset(too_long, 'x', sizeof too_long);
    too_long[sizeof too_long - 1] = 0;
    encode(&all_kinds, &e);
    e.clip.float_track_names = names;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test_context("name %zu", i);
        names[i % 4] = wrong[i];
        CHECK(anim_encode_refusal(&e.clip, &options) != NULL);
        anim_encode_clip(&e.clip, &options, &e.arena, &e.file);
        CHECK_EQ(open_clip(&e.file, &e.arena, &clip, &fault), SPN_ERR_FORMAT);
        CHECK_STR(fault.what, "float track with a damaged name");
        CHECK_EQ_U(fault.value, i % 4);
        names[i % 4] = "e";
    }
    arena_free(&e.arena);
}

static void the_flag_of_scales_is_checked(void)
{
    const struct made_motion unscaled = {
        .joints = 9, .frames = 20, .swing = 0.7};
    const struct made_motion *made[] = {&all_kinds, &unscaled};

    for (uint32_t i = 0; i < 2; i++) {
        struct anim_wire_clip *wire;
        spn_fault fault;
        struct anim_clip clip;
        struct encoded e;

        encode(made[i], &e);
        CHECK_EQ(open_clip(&e.file, &e.arena, &clip, &fault), SPN_OK);
        CHECK_EQ_U(clip.header.has_scale, i == 0);
        wire = (void *)e.file.bytes;
        wire->flags[0] ^= ANIM_HAS_SCALE;
        anim_mend_clip(e.file.bytes, e.file.size);
        CHECK_EQ(open_clip(&e.file, &e.arena, &clip, &fault), SPN_ERR_FORMAT);
        CHECK_STR(fault.what, "the flag of scales");
        arena_free(&e.arena);
    }
}

static void the_bytes_are_the_same_on_every_machine(void)
{
    struct encoded e;
    uint32_t hash = 0;

    encode(&all_kinds, &e);
    CHECK_EQ(anim_walk_clip(e.file.bytes, e.file.size, &hash, NULL), SPN_OK);
    CHECK_EQ_U(spn__checksum(e.skeleton.bytes, e.skeleton.size, 0),
               SKELETON_HASH);
    CHECK_EQ_U(spn__checksum(e.file.bytes, e.file.size, 0), CLIP_HASH);
    CHECK_EQ_U(hash, WINDOWS_HASH);
    arena_free(&e.arena);
}

static void segments_are_decoded_in_any_order(void)
{
    struct anim_head_models *models = malloc(sizeof *models);
    struct anim_decoder_tables *tables = malloc(sizeof *tables);
    const struct made_motion made = {
        .joints = 9, .frames = 70, .swing = 0.7, .travel = 0.05};
    struct anim_window window[2];
    struct anim_clip clip;
    struct encoded e;
    void *memory[2];
    void *workspace;
    size_t bytes;

    encode(&made, &e);
    CHECK(models && tables);
    spn__anim_decoder_tables_init(tables, spn__cpu_detect());
    CHECK_EQ(spn__anim_clip_read_header(e.file.bytes, &clip.header, NULL),
             SPN_OK);
    CHECK_EQ(spn__anim_clip_measure(&clip.header, e.file.bytes, models, &bytes,
                                    NULL),
             SPN_OK);
    spn__anim_clip_open(&clip.header, e.file.bytes, models,
                        arena_alloc(&e.arena, bytes, 1), &clip);
    bytes = spn__anim_window_bytes(&clip.tracks);
    workspace =
        arena_alloc(&e.arena, spn__anim_segment_workspace(&clip.tracks), 1);
    for (int i = 0; i < 2; i++) {
        memory[i] = arena_alloc(&e.arena, bytes, 1);
        spn__anim_window_place(&window[i], &clip.tracks, memory[i]);
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
        CHECK_EQ(window[0].first_frame, 16 * s);
        CHECK_EQ(window[0].frame_count, s == 4 ? 6 : 16);
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

/* Bars: 48 KiB, 64 KiB with scale, beside the bytes of the file. */
static void a_playing_clip_fits_its_memory(void)
{
    struct made_motion made = {.joints = 100,
                               .frames = 20,
                               .swing = 0.5,
                               .travel = 0.01,
                               .has_shift = true,
                               .has_all = true};

    for (int scale = 0; scale < 2; scale++) {
        struct clip_error error;
        struct encoded e;

        made.has_scale = scale;
        encode(&made, &e);
        measure(&e, &error);
        CHECK(error.memory <= (scale ? 64u : 48u) << 10);
        /* Two windows of 12 or 18 bytes a joint and frame are most of it. */
        CHECK(error.memory >= 2u * 16 * 100 * (scale ? 18 : 12));
        arena_free(&e.arena);
    }
}

/* Read the hash of a clip's rest pose, and that of a skeleton. */
static void rest_pose_hashes(const struct encoded *e, uint32_t *clip,
                             uint32_t *skeleton)
{
    struct anim_skeleton_models *models = malloc(sizeof *models);
    struct anim_skeleton_header header;
    struct anim_clip_header clip_header;
    struct anim_skeleton opened;
    void *memory;

    CHECK(models != NULL);
    CHECK_EQ(spn__anim_skeleton_read_header(e->skeleton.bytes, &header, NULL),
             SPN_OK);
    memory = malloc(spn__anim_skeleton_bytes(&header));
    CHECK(memory != NULL);
    CHECK_EQ(spn__anim_skeleton_open(&header, e->skeleton.bytes, models, memory,
                                     &opened, NULL),
             SPN_OK);
    CHECK_EQ(spn__anim_clip_read_header(e->file.bytes, &clip_header, NULL),
             SPN_OK);
    CHECK_EQ_U(clip_header.skeleton, opened.hash);
    *clip = clip_header.rest_pose_hash;
    *skeleton = opened.rest_pose_hash;
    free(memory);
    free(models);
}

/* A clip and the skeleton that was compiled with it have the same hash of the
 * rest pose; it differs if any number of the rest pose does. */
static void clips_know_their_rest_pose(void)
{
    const struct made_motion made = {
        .joints = 5, .frames = 3, .swing = 0.5, .is_at_rest = true};
    struct encoded e;
    uint32_t clip;
    uint32_t skeleton;
    uint32_t first;

    encode(&made, &e);
    rest_pose_hashes(&e, &first, &skeleton);
    CHECK_EQ_U(first, skeleton);
    for (int part = 0; part < 3; part++)
        for (uint32_t joint = 0; joint < made.joints; joint++) {
            /* The arrays are in the arena, not constants. */
            struct joint_transform *rest =
                (struct joint_transform *)(uintptr_t)&e.clip.joints[joint].rest;
            const struct joint_transform before = *rest;

            test_context("part %d of joint %u", part, joint);
            if (part == 0)
                for (int k = 0; k < 4; k++)
                    rest->rotation[k] = k == 3 ? 0.8 : k == 1 ? 0.6 : 0;
            else if (part == 1)
                rest->translation[2] += 1e-6;
            else
                rest->scale[0] = 1.0000001192092896;
            anim_encode_skeleton(&e.clip, &e.arena, &e.skeleton);
            anim_encode_clip(&e.clip, &options, &e.arena, &e.file);
            rest_pose_hashes(&e, &clip, &skeleton);
            CHECK_EQ_U(clip, skeleton);
            CHECK(clip != first);
            *rest = before;
        }
    arena_free(&e.arena);
}

/* -- damage -- */

static void every_truncation_is_refused(void)
{
    spn_fault fault;
    struct encoded e;

    encode(&all_kinds, &e);
    for (size_t size = 0; size < e.file.size; size++) {
        fault = (spn_fault){0};
        CHECK(anim_walk_clip(e.file.bytes, size, NULL, &fault) < 0);
        CHECK(fault.what != NULL);
    }
    for (size_t size = 0; size < e.skeleton.size; size++)
        CHECK(anim_walk_skeleton(e.skeleton.bytes, size, &fault) < 0);
    arena_free(&e.arena);
}

static void every_changed_bit_is_refused(void)
{
    spn_fault fault;
    struct encoded e;

    encode(&all_kinds, &e);
    for (size_t i = 0; i < 8 * e.file.size; i++) {
        e.file.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
        fault = (spn_fault){0};
        CHECK(anim_walk_clip(e.file.bytes, e.file.size, NULL, &fault) < 0);
        CHECK(fault.what != NULL);
        e.file.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    for (size_t i = 0; i < 8 * e.skeleton.size; i++) {
        e.skeleton.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
        CHECK(anim_walk_skeleton(e.skeleton.bytes, e.skeleton.size, &fault) <
              0);
        e.skeleton.bytes[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    arena_free(&e.arena);
}

/* Returns 1 for SPN_OK; anything else has a fault in the file. */
static uint32_t check_fault(spn_status status, size_t size,
                            const spn_fault *fault)
{
    if (status == SPN_OK)
        return 1;
    CHECK_EQ(fault->status, status);
    CHECK(fault->what != NULL && fault->offset <= size);
    return 0;
}

/* With right checksums a change may give another valid file; then the values
 * are wrong, and nothing else. Truncations with right checksums are refused. */
static void changes_with_repaired_checksums_do_no_harm(void)
{
    struct test_random random = {20};
    uint32_t accepted = 0;
    spn_fault fault;
    struct encoded e;

    encode(&all_kinds, &e);
    for (size_t size = 0; size < e.file.size; size++) {
        uint8_t *copy = malloc(size + 1);

        CHECK(copy != NULL);
        memcpy(copy, e.file.bytes, size);
        anim_mend_clip(copy, size);
        test_context("size %zu", size);
        fault = (spn_fault){0};
        CHECK(anim_walk_clip(copy, size, NULL, &fault) < 0);
        CHECK(fault.what != NULL && fault.offset <= size);
        free(copy);
    }
    for (int round = 0; round < 3000; round++) {
        uint8_t *copy = malloc(e.file.size);

        CHECK(copy != NULL);
        memcpy(copy, e.file.bytes, e.file.size);
        for (uint32_t n = test_random_below(&random, 3) + 1; n > 0; n--)
            copy[test_random_below(&random, (uint32_t)e.file.size)] ^=
                (uint8_t)(1u << test_random_below(&random, 8));
        anim_mend_clip(copy, e.file.size);
        fault = (spn_fault){0};
        accepted += check_fault(anim_walk_clip(copy, e.file.size, NULL, &fault),
                                e.file.size, &fault);
        memcpy(copy, e.skeleton.bytes, e.skeleton.size);
        copy[test_random_below(&random, (uint32_t)e.skeleton.size)] ^=
            (uint8_t)(1u << test_random_below(&random, 8));
        anim_mend_skeleton(copy, e.skeleton.size);
        fault = (spn_fault){0};
        accepted +=
            check_fault(anim_walk_skeleton(copy, e.skeleton.size, &fault),
                        e.skeleton.size, &fault);
        free(copy);
    }
    /* Low bits can change without harm. */
    CHECK(accepted > 0);
    arena_free(&e.arena);
}

/* -- what cannot be encoded -- */

static void bad_clips_are_refused(void)
{
    struct joint_transform *locals;
    struct dense_joint *joints;
    struct dense_clip clip;
    struct arena arena;
    const struct made_motion made = {.joints = 3, .frames = 4, .swing = 1};

    arena_init(&arena);
    made_motion(&made, &arena, &clip);
    locals = ARENA_NEW(&arena, struct joint_transform, 12);
    joints = ARENA_NEW(&arena, struct dense_joint, 3);
    memcpy(locals, clip.locals, 12 * sizeof *locals);
    memcpy(joints, clip.joints, 3 * sizeof *joints);
    clip.locals = locals;
    clip.joints = joints;
    CHECK(anim_encode_refusal(&clip, &options) == NULL);
    locals[5].translation[1] = (double)NAN;
    CHECK(anim_encode_refusal(&clip, &options) != NULL);
    locals[5].translation[1] = 1e9;
    CHECK(anim_encode_refusal(&clip, &options) != NULL);
    locals[5].translation[1] = 0;
    locals[5].rotation[3] = 2;
    CHECK(anim_encode_refusal(&clip, &options) != NULL);
    locals[5] = locals[2];
    joints[1].parent = 1;
    CHECK_STR(anim_encode_refusal(&clip, &options),
              "a joint stands before its parent");
    joints[1].parent = 0;
    clip.joint_count = 0;
    CHECK_STR(anim_encode_refusal(&clip, &options), "there are no joints");
    clip.joint_count = 5000;
    CHECK(anim_encode_refusal(&clip, &options) != NULL);
    clip.joint_count = 3;
    clip.frame_count = 0;
    CHECK_STR(anim_encode_refusal(&clip, &options), "there are no frames");
    clip.frame_count = 4;
    clip.rate_numerator = 0;
    CHECK_STR(anim_encode_refusal(&clip, &options), "the rate is not positive");
    clip.rate_numerator = 100001;
    CHECK_STR(anim_encode_refusal(&clip, &options),
              "a part of the rate is above 100,000");
    arena_free(&arena);
}

TEST_MAIN(TEST(clips_keep_the_precision), TEST(half_turns_keep_their_direction),
          TEST(every_number_of_frames_is_encoded),
          TEST(parts_that_rest_or_never_change_take_no_rows),
          TEST(step_tracks_and_cuts_are_kept),
          TEST(float_tracks_keep_their_names), TEST(wrong_names_are_refused),
          TEST(the_flag_of_scales_is_checked),
          TEST(the_bytes_are_the_same_on_every_machine),
          TEST(segments_are_decoded_in_any_order),
          TEST(a_playing_clip_fits_its_memory),
          TEST(clips_know_their_rest_pose), TEST(every_truncation_is_refused),
          TEST(every_changed_bit_is_refused),
          TEST(changes_with_repaired_checksums_do_no_harm),
          TEST(bad_clips_are_refused))
