/* test_anim_play_faults.c
 *
 * Goal: a play that cannot be sampled says why, with file, place and value: for
 *   damage of a head and of a segment, in files of clips and in a database, and
 *   for a clip that is too large.
 * Method: bytes of compiled clips are changed, and their checksums made right
 *   where that is needed to reach the decoder. The decoder itself says what is
 *   expected.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_segment.h"
#include "anim/clip_index.h"
#include "harness.h"
#include "support/anim_walk.h"
#include "support/pose_stage.h"

#include <string.h>

enum { FRAME_US = 33333, BAD_SEGMENT = 2 };

static const struct made_motion moving = {
    .joints = 12, .frames = 100, .swing = 1, .has_scale = true};

static struct pose_stage stage;

/* Two clips; the second one is to be damaged. */
static struct anim_file *begin(void)
{
    struct made_motion other = moving;

    pose_stage_init(&stage);
    other.frames = 40;
    pose_stage_add(&stage, &other, 0);
    pose_stage_add(&stage, &moving, 0);
    return &stage.clips[1];
}

static spn_anim_play_state state_at(spn_anim_play play, int64_t time_us)
{
    spn_anim_play_state state = {.pose = SPN_PENDING};

    CHECK_EQ(spn_anim_play_set_time(stage.stage.rt, play, time_us), SPN_OK);
    for (int i = 0; i < 100 && state.pose == SPN_PENDING; i++) {
        pose_stage_tick(&stage);
        CHECK_EQ(spn_anim_play_get_state(stage.stage.rt, play, &state), SPN_OK);
    }
    return state;
}

static spn_anim_play start(void)
{
    spn_anim_play play = 0;

    CHECK_EQ(
        spn_anim_play_start(stage.stage.rt, pose_stage_clip(&stage, 1), &play),
        SPN_OK);
    return play;
}

/* What the decoder says of the second clip. */
static spn_fault expected_fault(void)
{
    const struct clip_input *input = &stage.inputs[1];
    const struct clip_facts facts = clip_input_facts(input);
    spn_fault fault = {0};

    CHECK((stage.has_database
               ? anim_walk_packed(input->bytes, &facts, NULL, &fault)
               : anim_walk_clip(input->bytes, input->byte_count, NULL,
                                &fault)) < SPN_OK);
    return fault;
}

/* That fault, at its place in the file that was read. */
static void check_fault(const spn_anim_play_state *state,
                        const spn_fault *expected)
{
    const spn_fault *fault = &state->fault;
    spn_anim_info info;

    CHECK_EQ(spn_anim_get_info(stage.stage.rt, state->anim, &info), SPN_OK);
    CHECK_EQ(state->pose, expected->status);
    CHECK_EQ(fault->status, expected->status);
    CHECK_STR(fault->what, expected->what);
    CHECK_EQ_U(fault->offset, info.offset + expected->offset);
    CHECK_EQ_U(fault->value, expected->value);
    CHECK_EQ_U(fault->expected, expected->expected);
    CHECK_EQ_U(fault->has_expected, expected->has_expected);
    CHECK_STR(fault->file, stage.has_database ? "d.sad" : "1.sac");
    CHECK_EQ_U(info.offset > 0, stage.has_database);
}

static void damage_of_a_segment_is_told(void)
{
    for (int has_database = 0; has_database < 2; has_database++) {
        struct anim_file *file = begin();
        const uint32_t *ends = stage.inputs[1].segment_ends;
        spn_fault expected;
        spn_anim_play play;
        spn_anim_play_state state;

        test_context("database %d", has_database);
        memset(file->bytes + ends[BAD_SEGMENT] - 24, 0x5a, 24);
        anim_mend_clip(file->bytes, file->size);
        if (has_database)
            pose_stage_pack(&stage);
        expected = expected_fault();
        CHECK(expected.offset >= stage.inputs[1].segment_ends[BAD_SEGMENT - 1]);
        pose_stage_open(&stage);
        play = start();
        state = state_at(play, 0);
        CHECK_EQ(state.pose, SPN_OK);
        CHECK(state.fault.what == NULL);
        /* Between a good and the damaged segment, and in it. */
        for (int64_t half = 63; half < 66; half++) {
            state = state_at(play, half * FRAME_US / 2);
            check_fault(&state, &expected);
        }
        state = state_at(play, (int64_t)50 * FRAME_US);
        CHECK_EQ(state.pose, SPN_OK);
        CHECK(state.fault.what == NULL);
        pose_stage_close(&stage);
    }
}

/* A packed head has no checksum of its own; its header has one. */
static void damage_packed_header(void)
{
    struct clip_input *input = &stage.inputs[1];
    uint8_t *bytes;

    pose_stage_pack(&stage);
    bytes = ARENA_NEW(&stage.arena, uint8_t, input->byte_count);
    memcpy(bytes, input->bytes, input->byte_count);
    bytes[4] ^= 1;
    input->bytes = bytes;
}

static void damage_of_the_head_is_told(void)
{
    for (int has_database = 0; has_database < 2; has_database++) {
        const struct anim_file *file = begin();
        spn_fault expected;
        spn_anim_play_state state;

        test_context("database %d", has_database);
        file->bytes[stage.inputs[1].header_bytes - 20] ^= 0xff;
        if (has_database)
            damage_packed_header();
        expected = expected_fault();
        pose_stage_open(&stage);
        state = state_at(start(), 0);
        check_fault(&state, &expected);
        pose_stage_close(&stage);
    }
}

/* Its bytes fit the heap, but not what is decoded. */
static void a_clip_that_is_too_large_is_told(void)
{
    static const struct made_motion large = {.joints = 1000,
                                             .frames = 8,
                                             .swing = 0.1,
                                             .has_all = true,
                                             .has_shift = true};
    spn_anim_play_state state;

    pose_stage_init(&stage);
    pose_stage_add(&stage, &moving, 0);
    pose_stage_add(&stage, &large, 0);
    stage.stage.config.heap_bytes = 128 << 10;
    pose_stage_open(&stage);
    state = state_at(start(), 0);
    CHECK_EQ(state.pose, SPN_ERR_MEMORY);
    CHECK_EQ(state.fault.status, SPN_ERR_MEMORY);
    CHECK_STR(state.fault.what, "size of tracks and two segments");
    CHECK(state.fault.value > stage.stage.config.heap_bytes);
    CHECK_STR(state.fault.file, "1.sac");
    pose_stage_close(&stage);
}

TEST_MAIN(TEST(damage_of_a_segment_is_told), TEST(damage_of_the_head_is_told),
          TEST(a_clip_that_is_too_large_is_told))
