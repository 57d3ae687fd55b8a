/* Goal: poses between frames are the formulas of anim_window.h, and these agree
 * with exact spherical interpolation.
 *
 * Method: a window is filled by hand; the pose is compared with the formulas in
 * double precision and with slerp by acos and sin.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "anim/pose/anim_reference.h"
#include "anim/pose/pose_sample.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#define TRACKS 2u
#define STEP 0.001f

/* Two rotation tracks and two translation tracks (in each the second one is a
 * step track), one float track; two frames. */
struct rig {
    struct anim_tracks tracks;
    struct anim_window window;
    uint16_t joint[TRACKS];
    float step[TRACKS];
    float center[4][TRACKS];
    float float_center;
    int32_t memory[128];
    spn_anim_transform locals[TRACKS];
    float numbers[TRACKS];
};

static void rig_init(struct rig *rig)
{
    const struct anim_list list = {TRACKS, 1, rig->joint, rig->step};

    *rig = (struct rig){.joint = {1, 0}, .step = {STEP, STEP}};
    rig->tracks.rotations = list;
    rig->tracks.translations = list;
    rig->tracks.floats = (struct anim_list){1, 1, rig->joint + 1, rig->step};
    for (uint32_t i = 0; i < TRACKS; i++)
        rig->center[3][i] = 1.0f;
    for (int k = 0; k < 4; k++)
        rig->tracks.center[k] = rig->center[k];
    rig->float_center = 2.0f;
    rig->tracks.float_center = &rig->float_center;
    CHECK(spn__anim_window_bytes(&rig->tracks, ANIM_SEGMENT_FRAMES_MAX) <=
          sizeof rig->memory);
    CHECK_EQ(anim_row_length(&rig->tracks), 13);
    spn__anim_window_place(&rig->window, &rig->tracks, ANIM_SEGMENT_FRAMES_MAX,
                           rig->memory);
    rig->window.frame_count = 2;
}

static void rig_pose(struct rig *rig, float u)
{
    const struct anim_frame from = {&rig->window, 0};
    const struct anim_frame to = {&rig->window, 1};

    spn__anim_pose(&rig->tracks, from, to, u, rig->locals, rig->numbers);
}

static int16_t *row(struct rig *rig, uint32_t frame)
{
    return rig->window.rows + (size_t)frame * anim_row_length(&rig->tracks);
}

/* The angle of a rotation about x whose parameter is n steps. */
static double angle_of(int n)
{
    return 4 * atan(n * (double)STEP);
}

static void rotations_are_interpolated_as_slerp(void)
{
    /* Angles between the frames: 57, 115 and 177 degrees. */
    static const int16_t ends[][2] = {{0, 255}, {-500, 30}, {-414, 400}};
    static const double tolerance[] = {4e-7, 4e-7, 3.6e-6};
    static const double length_tolerance[] = {4e-7, 5e-7, 6e-6};

    for (int e = 0; e < 3; e++) {
        for (int i = 0; i < 16; i++) {
            struct rig rig;
            const float u = (float)i / 16;
            const double from = angle_of(ends[e][0]);
            const double to = angle_of(ends[e][1]);
            double expected = from + (to - from) * (double)u;
            const float *q = rig.locals[1].rotation;

            rig_init(&rig);
            row(&rig, 0)[0] = ends[e][0];
            row(&rig, 1)[0] = ends[e][1];
            rig_pose(&rig, u);
            test_context("ends %d, u %g", e, (double)u);
            CHECK_NEAR(2 * atan2((double)q[0], (double)q[3]), expected,
                       tolerance[e]);
            CHECK_NEAR(q[1], 0, 0);
            CHECK_NEAR(q[2], 0, 0);
            CHECK_NEAR(hypot((double)q[0], (double)q[3]), 1,
                       length_tolerance[e]);
        }
    }
}

static void rotations_take_the_shorter_arc(void)
{
    struct rig rig;

    /* 175 degrees to both sides: 10 degrees apart through 180. */
    rig_init(&rig);
    row(&rig, 0)[0] = 957;
    row(&rig, 1)[0] = -957;
    rig_pose(&rig, 0.5f);
    CHECK_NEAR(fabs((double)rig.locals[1].rotation[0]), 1, 1e-5);
    CHECK_NEAR(rig.locals[1].rotation[3], 0, 1e-5);
}

/* At 170 degrees the arc is the shorter one for either sign. Near 180 degrees
 * the signs say which arc it is: m and -m / r are one rotation. */
static void near_half_turns_the_signs_choose_the_arc(void)
{
    static const struct {
        int degrees;
        int middle; /* half of the arc that is taken, for m and for -m / r */
        int other;
    } turns[] = {
        {170, 85, 85}, {178, 89, -91}, {183, 91, -89}, {190, -85, -85}};

    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        const double m = tan(turns[i].degrees / 4.0 / 57.29577951308232);

        for (int side = 0; side < 2; side++) {
            const double n = (side ? -1 / m : m) / (double)STEP;
            const double wanted = side ? turns[i].other : turns[i].middle;
            const float *q;
            double degrees;
            struct rig rig;

            test_context("%d degrees, side %d", turns[i].degrees, side);
            rig_init(&rig);
            row(&rig, 1)[0] = (int16_t)lround(n);
            rig_pose(&rig, 0.5f);
            q = rig.locals[1].rotation;
            degrees = 2 * 57.29577951308232 * atan2((double)q[0], (double)q[3]);
            CHECK_NEAR(remainder(degrees - wanted, 360), 0, 0.6);
        }
    }
}

static void the_centre_is_applied_after_the_track(void)
{
    struct rig rig;
    const float *q = rig.locals[1].rotation;

    /* The centre turns 90 degrees about z, the track about x. */
    rig_init(&rig);
    rig.center[2][0] = sqrtf(0.5f);
    rig.center[3][0] = sqrtf(0.5f);
    row(&rig, 0)[0] = (int16_t)lround(tan(0.7853981633974483 / 2) / 0.001);
    rig_pose(&rig, 0);
    CHECK_NEAR(q[0], 0.5, 1e-3);
    CHECK_NEAR(q[1], 0.5, 1e-3);
    CHECK_NEAR(q[2], 0.5, 1e-3);
    CHECK_NEAR(q[3], 0.5, 1e-3);
}

static void translations_have_a_base_and_floats_a_centre(void)
{
    struct rig rig;

    rig_init(&rig);
    rig.window.base[0] = 4;  /* x of track 0 */
    rig.window.base[5] = -2; /* z of track 1 */
    row(&rig, 0)[6] = -24;
    row(&rig, 1)[6] = 76;
    row(&rig, 0)[12] = 100;
    row(&rig, 1)[12] = 300;
    rig_pose(&rig, 0.25f);
    CHECK_NEAR(rig.locals[1].translation[0], 1.025, 1e-6);
    CHECK_NEAR(rig.locals[0].translation[2], -0.512, 1e-6);
    CHECK_NEAR(rig.numbers[0], 2.15, 1e-6);
}

static void step_tracks_and_cuts_hold_the_earlier_frame(void)
{
    struct rig rig;

    rig_init(&rig);
    row(&rig, 1)[1] = 300; /* rotation x of the step track */
    row(&rig, 1)[7] = 300; /* translation x of the step track */
    row(&rig, 1)[6] = 300; /* translation x of the other track */
    rig_pose(&rig, 0.5f);
    CHECK_NEAR(rig.locals[0].rotation[0], 0, 0);
    CHECK_NEAR(rig.locals[0].translation[0], 0, 0);
    CHECK_NEAR(rig.locals[1].translation[0], 0.15, 1e-6);
    rig.window.cuts = 2;
    rig_pose(&rig, 0.5f);
    CHECK_NEAR(rig.locals[1].translation[0], 0, 0);
}

/* A float track that rests is in no list. */
static void resting_floats_are_zero(void)
{
    struct rig rig;

    rig_init(&rig);
    rig.tracks.float_track_count = 2;
    rig.numbers[0] = 7;
    rig_pose(&rig, 0);
    CHECK_NEAR(rig.numbers[0], 2, 1e-6);
    rig.joint[1] = 1; /* also the number of the animated float track */
    rig.numbers[0] = 7;
    rig.numbers[1] = 7;
    rig_pose(&rig, 0);
    CHECK_NEAR(rig.numbers[0], 0, 0);
    CHECK_NEAR(rig.numbers[1], 2, 1e-6);
}

/* The same numbers in both shapes of a pose, over the rest pose. */
static void arrays_have_the_same_pose(void)
{
    struct rig rig;
    alignas(SPN_ANIM_POSE_ALIGN) float rest[10 * 8];
    alignas(SPN_ANIM_POSE_ALIGN) float values[10 * 8];
    const spn_anim_pose from = {rest, TRACKS, 8, 0};
    const spn_anim_pose to = {values, TRACKS, 8, 0};
    const struct anim_frame first = {&rig.window, 0};
    const struct anim_frame second = {&rig.window, 1};

    rig_init(&rig);
    for (uint32_t i = 0; i < anim_row_length(&rig.tracks); i++) {
        row(&rig, 0)[i] = (int16_t)(i * 37);
        row(&rig, 1)[i] = (int16_t)(500 - i * 23);
    }
    for (uint32_t k = 0; k < 10; k++)
        for (uint32_t j = 0; j < 8; j++) {
            rest[8 * k + j] = (float)(8 * k + j);
            if (j < TRACKS)
                memcpy((float *)(void *)&rig.locals[j] + k, &rest[8 * k + j],
                       sizeof *rest);
        }
    rig_pose(&rig, 0.25f);
    spn__pose_sample(&rig.tracks, &from, first, second, 0.25f, &to, NULL);
    for (uint32_t k = 0; k < 10; k++)
        for (uint32_t j = 0; j < TRACKS; j++)
            CHECK_EQ(memcmp(&values[8 * k + j],
                            (float *)(void *)&rig.locals[j] + k, sizeof *rest),
                     0);
}

TEST_MAIN(TEST(arrays_have_the_same_pose),
          TEST(rotations_are_interpolated_as_slerp),
          TEST(rotations_take_the_shorter_arc),
          TEST(near_half_turns_the_signs_choose_the_arc),
          TEST(the_centre_is_applied_after_the_track),
          TEST(translations_have_a_base_and_floats_a_centre),
          TEST(step_tracks_and_cuts_hold_the_earlier_frame),
          TEST(resting_floats_are_zero))
