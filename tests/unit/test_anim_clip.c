/* Goal: an encoded clip is the original within the precision, at frames and
 * between them; its bytes are the same everywhere.
 *
 * Method: made clips of all kinds are encoded, then decoded and sampled by the
 * runtime and compared in double precision.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/anim_walk.h"
#include "support/encoded_clip.h"

#include "anim/anim_segment.h"
#include "anim/anim_skeleton.h"
#include "anim/encode/clip_error.h"
#include "base/checksum.h"
#include "base/cpu.h"
#include "base/endian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the encoded clip of all kinds. */
#define SKELETON_HASH 0x5a3c04abu
#define CLIP_HASH 0x55b476a7u
#define WINDOWS_HASH 0x3967d280u

static void check_precision(const struct made_motion *made)
{
    struct encoded_clip e;
    struct clip_error error;

    encoded_clip_make(made, &e);
    encoded_clip_measure(&e, &error);
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
    check_precision(&encoded_clip_kinds);
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
        struct encoded_clip e;
        struct clip_error error;

        test_context("%g degrees, to and fro %u", turns[i].degrees,
                     turns[i].fro);
        arena_init(&e.arena);
        made_motion(&made, &e.arena, &e.clip);
        turn_joint(&e.clip, &e.arena, turns[i].degrees, turns[i].fro);
        anim_encode_skeleton(&e.clip, &e.arena, &e.skeleton);
        anim_encode_clip(&e.clip, &encoded_clip_options, &e.arena, &e.file);
        encoded_clip_measure(&e, &error);
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
    struct encoded_clip e;

    encoded_clip_make(&made, &e);
    encoded_clip_measure(&e, &error);
    CHECK_EQ(error.segments, 0);
    CHECK(error.at_frames < 1e-6);
    CHECK(e.file.size < 80);
    CHECK_EQ(anim_walk_clip(e.file.bytes, e.file.size, NULL, NULL), SPN_OK);
    arena_free(&e.arena);

    /* One frame: all that differs from rest is constant. */
    made = (struct made_motion){.joints = 8, .frames = 1, .swing = 1};
    encoded_clip_make(&made, &e);
    encoded_clip_measure(&e, &error);
    CHECK_EQ(error.segments, 0);
    CHECK(error.at_frames <= 0.0001);
    arena_free(&e.arena);
}

static void step_tracks_and_cuts_are_kept(void)
{
    struct anim_head_models *models = malloc(sizeof *models);
    struct anim_clip_header header;
    struct anim_clip clip;
    struct encoded_clip e;
    size_t bytes;
    void *memory;

    encoded_clip_make(&encoded_clip_kinds, &e);
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

static void float_tracks_keep_their_names(void)
{
    char longest[ANIM_FLOAT_NAME_BYTES_MAX];
    const char *const names[] = {"brow.L", "brow.R", longest, "brow.R"};
    const char *name;
    struct anim_clip clip;
    struct encoded_clip e;

    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    encoded_clip_make(&encoded_clip_kinds, &e);
    e.clip.float_track_names = names;
    CHECK(anim_encode_refusal(&e.clip, &encoded_clip_options) == NULL);
    anim_encode_clip(&e.clip, &encoded_clip_options, &e.arena, &e.file);
    CHECK_EQ(encoded_clip_open(&e.file, &e.arena, &clip, NULL), SPN_OK);
    CHECK_EQ_U(clip.tracks.float_track_count, 4);
    CHECK_EQ_U(clip.tracks.float_name_bytes, 7 + 7 + sizeof longest + 7);
    name = clip.tracks.float_names;
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_STR(name, names[i]);
        name = anim_next_name(name);
    }
    arena_free(&e.arena);
}

static void the_bytes_are_the_same_on_every_machine(void)
{
    struct encoded_clip e;
    uint32_t hash = 0;

    encoded_clip_make(&encoded_clip_kinds, &e);
    CHECK_EQ(anim_walk_clip(e.file.bytes, e.file.size, &hash, NULL), SPN_OK);
    CHECK_EQ_U(spn__checksum(e.skeleton.bytes, e.skeleton.size, 0),
               SKELETON_HASH);
    CHECK_EQ_U(spn__checksum(e.file.bytes, e.file.size, 0), CLIP_HASH);
    CHECK_EQ_U(hash, WINDOWS_HASH);
    arena_free(&e.arena);
}

/* Read the hash of a clip's rest pose, and that of a skeleton. */
static void rest_pose_hashes(const struct encoded_clip *e, uint32_t *clip,
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
    struct encoded_clip e;
    uint32_t clip;
    uint32_t skeleton;
    uint32_t first;

    encoded_clip_make(&made, &e);
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
            anim_encode_clip(&e.clip, &encoded_clip_options, &e.arena, &e.file);
            rest_pose_hashes(&e, &clip, &skeleton);
            CHECK_EQ_U(clip, skeleton);
            CHECK(clip != first);
            *rest = before;
        }
    arena_free(&e.arena);
}

TEST_MAIN(TEST(clips_keep_the_precision), TEST(half_turns_keep_their_direction),
          TEST(every_number_of_frames_is_encoded),
          TEST(parts_that_rest_or_never_change_take_no_rows),
          TEST(step_tracks_and_cuts_are_kept),
          TEST(float_tracks_keep_their_names),
          TEST(the_bytes_are_the_same_on_every_machine),
          TEST(clips_know_their_rest_pose))
