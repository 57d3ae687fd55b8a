/* Goal: damaged clip files are refused, with what is wrong and where, and clips
 * that the format cannot hold are not encoded.
 *
 * Method: files of made clips are cut and changed at all places, also with
 * repaired checksums; a sanitizer build sees reads beyond.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/anim_walk.h"
#include "support/encoded_clip.h"

#include "anim/anim_wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The encoder refuses names that the reader refuses. */
static void wrong_names_are_refused(void)
{
    char too_long[ANIM_FLOAT_NAME_BYTES_MAX + 1];
    const char *const wrong[] = {"",         "a\tb",      "\x7f",
                                 "\xc0\x80", "a\xe2\x82", too_long};
    const char *names[4] = {"a", "b", "c", "d"};
    spn_fault fault;
    struct anim_clip clip;
    struct encoded_clip e;

    memset(too_long, 'x', sizeof too_long);
    too_long[sizeof too_long - 1] = 0;
    encoded_clip_make(&encoded_clip_kinds, &e);
    e.clip.float_track_names = names;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test_context("name %zu", i);
        names[i % 4] = wrong[i];
        CHECK(anim_encode_refusal(&e.clip, &encoded_clip_options) != NULL);
        anim_encode_clip(&e.clip, &encoded_clip_options, &e.arena, &e.file);
        CHECK_EQ(encoded_clip_open(&e.file, &e.arena, &clip, &fault),
                 SPN_ERR_FORMAT);
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
    const struct made_motion *made[] = {&encoded_clip_kinds, &unscaled};

    for (uint32_t i = 0; i < 2; i++) {
        struct anim_wire_clip *wire;
        spn_fault fault;
        struct anim_clip clip;
        struct encoded_clip e;

        encoded_clip_make(made[i], &e);
        CHECK_EQ(encoded_clip_open(&e.file, &e.arena, &clip, &fault), SPN_OK);
        CHECK_EQ_U(clip.header.has_scale, i == 0);
        wire = (void *)e.file.bytes;
        wire->flags[0] ^= ANIM_HAS_SCALE;
        anim_mend_clip(e.file.bytes, e.file.size);
        CHECK_EQ(encoded_clip_open(&e.file, &e.arena, &clip, &fault),
                 SPN_ERR_FORMAT);
        CHECK_STR(fault.what, "the flag of scales");
        arena_free(&e.arena);
    }
}

/* -- damage -- */

static void every_truncation_is_refused(void)
{
    spn_fault fault;
    struct encoded_clip e;

    encoded_clip_make(&encoded_clip_kinds, &e);
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
    struct encoded_clip e;

    encoded_clip_make(&encoded_clip_kinds, &e);
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
    struct encoded_clip e;

    encoded_clip_make(&encoded_clip_kinds, &e);
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
    CHECK(anim_encode_refusal(&clip, &encoded_clip_options) == NULL);
    locals[5].translation[1] = (double)NAN;
    CHECK(anim_encode_refusal(&clip, &encoded_clip_options) != NULL);
    locals[5].translation[1] = 1e9;
    CHECK(anim_encode_refusal(&clip, &encoded_clip_options) != NULL);
    locals[5].translation[1] = 0;
    locals[5].rotation[3] = 2;
    CHECK(anim_encode_refusal(&clip, &encoded_clip_options) != NULL);
    locals[5] = locals[2];
    joints[1].parent = 1;
    CHECK_STR(anim_encode_refusal(&clip, &encoded_clip_options),
              "a joint stands before its parent");
    joints[1].parent = 0;
    clip.joint_count = 0;
    CHECK_STR(anim_encode_refusal(&clip, &encoded_clip_options),
              "there are no joints");
    clip.joint_count = 5000;
    CHECK(anim_encode_refusal(&clip, &encoded_clip_options) != NULL);
    clip.joint_count = 3;
    clip.frame_count = 0;
    CHECK_STR(anim_encode_refusal(&clip, &encoded_clip_options),
              "there are no frames");
    clip.frame_count = 4;
    clip.rate_numerator = 0;
    CHECK_STR(anim_encode_refusal(&clip, &encoded_clip_options),
              "the rate is not positive");
    clip.rate_numerator = 100001;
    CHECK_STR(anim_encode_refusal(&clip, &encoded_clip_options),
              "a part of the rate is above 100,000");
    arena_free(&arena);
}

TEST_MAIN(TEST(wrong_names_are_refused), TEST(the_flag_of_scales_is_checked),
          TEST(every_truncation_is_refused), TEST(every_changed_bit_is_refused),
          TEST(changes_with_repaired_checksums_do_no_harm),
          TEST(bad_clips_are_refused))
