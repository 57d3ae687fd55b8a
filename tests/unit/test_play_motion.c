/* test_play_motion.c
 *
 * Goal: the motion of a joint between two times is what the poses of the clip
 *   say, over the ends of loops with and without closing frame, for many passes
 *   and backwards, for roots and for joints below them.
 * Method: a clip whose root travels a known way; another one against transforms
 *   in double precision, by steps whose product must be that of one step.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/pose_reference.h"
#include "support/pose_stage.h"
#include "support/rigid.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

enum { JOINTS = 6, FRAMES = 30 };

static struct pose_stage stage;
static spn_anim_skeleton skeleton;
static spn_anim_play play;
static spn_anim_pose scratch;
static alignas(32) float values[10 * 8];

static void open_stage(const struct made_motion *made, uint32_t flags)
{
    pose_stage_init(&stage);
    pose_stage_add(&stage, made, flags);
    pose_stage_open(&stage);
    skeleton = pose_stage_skeleton(&stage, 0);
    CHECK_EQ(spn_anim_skeleton_make_pose(stage.stage.rt, skeleton, values,
                                         sizeof values, &scratch),
             SPN_OK);
    CHECK_EQ(
        spn_anim_play_start(stage.stage.rt, pose_stage_clip(&stage, 0), &play),
        SPN_OK);
    for (int i = 0; i < 10; i++)
        pose_stage_tick(&stage);
}

static spn_anim_transform motion(uint32_t joint, int64_t from_us, int64_t to_us)
{
    spn_anim_transform out = {.scale = {0}};

    CHECK_EQ(spn_anim_play_get_motion(stage.stage.rt, play, from_us, to_us,
                                      skeleton, joint, &scratch, &out),
             SPN_OK);
    CHECK_NEAR(out.scale[1], 1, 0);
    return out;
}

/* The root does not turn, and moves by 0.04 m a frame. */
static void root_walks_on_over_the_ends_of_loops(void)
{
    static const struct made_motion made = {
        .joints = 1, .frames = FRAMES, .travel = 0.04};
    static const struct {
        int64_t from_us;
        int64_t to_us;
        double way;
    } rows[] = {
        {0, 100000, 0.12},        {100000, 100000, 0},
        {900000, 950000, 0.06},   {950000, 1000000, 0.06}, /* through the gap */
        {980000, 990000, 0.012},                           /* within it */
        {950000, 1050000, 0.12},  {-50000, 50000, 0.12},
        {500000, 3500000, 3.6},   {0, 1000000000, 1200},
        {1050000, 950000, -0.12}, {3500000, 500000, -3.6},
    };

    open_stage(&made, SPN_ANIM_LOOPS);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spn_anim_transform m;
        double way;

        test_context("row %zu", i);
        m = motion(0, rows[i].from_us, rows[i].to_us);
        way = sqrt((double)m.translation[0] * m.translation[0] +
                   (double)m.translation[1] * m.translation[1] +
                   (double)m.translation[2] * m.translation[2]);
        CHECK_NEAR(way, fabs(rows[i].way), 2e-4 * (1 + fabs(rows[i].way)));
        CHECK_NEAR(fabs(m.rotation[3]), 1, 1e-5);
    }
    CHECK_EQ(
        spn_anim_play_set_mode(stage.stage.rt, play, SPN_ANIM_LOOP_NEVER, 0),
        SPN_OK);
    CHECK_NEAR(motion(0, 0, 5000000).translation[0] +
                   motion(0, 0, 5000000).translation[1] +
                   motion(0, 0, 5000000).translation[2],
               motion(0, 0, 966667).translation[0] +
                   motion(0, 0, 966667).translation[1] +
                   motion(0, 0, 966667).translation[2],
               1e-6);
    pose_stage_close(&stage);
}

/* -- transforms in double precision -- */

static struct rigid inverse_of(struct rigid m)
{
    const double back[3] = {-m.t[0], -m.t[1], -m.t[2]};

    for (int k = 0; k < 3; k++)
        m.r[k] = -m.r[k];
    rigid_turn(m.r, back, m.t);
    return m;
}

static void check_same(struct rigid a, struct rigid b)
{
    const double sign =
        a.r[0] * b.r[0] + a.r[1] * b.r[1] + a.r[2] * b.r[2] + a.r[3] * b.r[3] <
                0
            ? -1
            : 1;

    for (int k = 0; k < 4; k++)
        CHECK_NEAR(a.r[k], sign * b.r[k], 2e-5);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(a.t[k], b.t[k], 2e-5);
}

/* The joint in model space, from a pose of the reference. */
static struct rigid model_of(const struct pose_reference *r, uint32_t joint)
{
    struct rigid m = rigid_of(&r->pose[joint]);

    for (uint32_t j = r->skeleton.parent[joint]; j != SPN_ANIM_NO_PARENT;
         j = r->skeleton.parent[j]) {
        for (int k = 0; k < 3; k++)
            m.t[k] *= r->pose[j].scale[k];
        m = rigid_multiply(rigid_of(&r->pose[j]), m);
    }
    return m;
}

static const struct made_motion all_kinds = {.joints = JOINTS,
                                             .frames = FRAMES,
                                             .swing = 1,
                                             .travel = 0.02,
                                             .has_scale = true};

/* Within a pass: M(from) motion = M(to). */
static void motion_is_that_of_the_poses(void)
{
    struct pose_reference r;

    open_stage(&all_kinds, 0);
    pose_reference_open(&r, &stage.clips[0], &stage.skeletons[0]);
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        for (int64_t us = 0; us < 900000; us += 73000) {
            const spn_anim_transform m = motion(joint, us, us + 50000);
            struct rigid from;

            test_context("joint %u at %d us", joint, (int)us);
            pose_reference_at(&r, false, us);
            from = model_of(&r, joint);
            pose_reference_at(&r, false, us + 50000);
            check_same(rigid_multiply(from, rigid_of(&m)), model_of(&r, joint));
        }
    pose_reference_close(&r);
    pose_stage_close(&stage);
}

/* Small steps make the motion of a large one; there and back is nothing. */
static void motions_add_up(void)
{
    const uint32_t flags[3] = {0, SPN_ANIM_LOOPS,
                               SPN_ANIM_LOOPS | SPN_ANIM_CLOSES};
    const struct rigid none = {.r = {0, 0, 0, 1}};

    for (int i = 0; i < 3; i++) {
        struct rigid sum = none;
        spn_anim_transform m;

        test_context("flags %u", flags[i]);
        open_stage(&all_kinds, flags[i]);
        for (int64_t us = -400000; us < 2600000; us += 50000) {
            spn_anim_transform back;

            m = motion(4, us, us + 50000);
            back = motion(4, us + 50000, us);
            check_same(rigid_multiply(rigid_of(&m), rigid_of(&back)), none);
            sum = rigid_multiply(sum, rigid_of(&m));
        }
        m = motion(4, -400000, 2600000);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(sum.t[k], m.translation[k], 1e-4);
        pose_stage_close(&stage);
    }
}

/* A character walks through loops of a clip whose root travels and turns. It is
 * moved by the motion of the root, and drawn without it: then each joint is
 * where the clip has it, one travel farther with each pass. */
static void check_drawn_joints(const struct made_motion *made, uint32_t flags,
                               const spn_anim_transform *place)
{
    const int64_t last_us = (made->frames - 1) * INT64_C(1000000) / 30;
    const struct rigid at =
        place ? rigid_of(place) : (struct rigid){.r = {0, 0, 0, 1}};
    struct rigid object;
    struct pose_reference r;
    uint16_t parents[JOINTS];
    double travel;

    open_stage(made, flags);
    pose_reference_open(&r, &stage.clips[0], &stage.skeletons[0]);
    memcpy(parents, r.skeleton.parent, sizeof parents);
    pose_reference_at(&r, false, 0);
    travel = -model_of(&r, 0).t[0];
    object = rigid_multiply(model_of(&r, 0), inverse_of(at));
    pose_reference_at(&r, false, last_us + 1);
    travel += model_of(&r, 0).t[0];
    for (int64_t us = 40000; us < 3 * last_us; us += 40000) {
        const int64_t pass = us / last_us;
        spn_anim_transform m;

        test_context("place %d at %d us", place != NULL, (int)us);
        CHECK_EQ(spn_anim_play_set_time(stage.stage.rt, play, us), SPN_OK);
        pose_stage_tick(&stage);
        m = motion(0, us - 40000, us);
        if (place)
            CHECK_EQ(spn_anim_motion_to_object(&m, place, &m), SPN_OK);
        object = rigid_multiply(object, rigid_of(&m));
        CHECK_EQ(spn_anim_play_sample(stage.stage.rt, play, us, skeleton,
                                      &scratch, NULL, 0),
                 SPN_OK);
        CHECK_EQ(
            spn_anim_pose_remove_motion(&scratch, parents, 0, place, &scratch),
            SPN_OK);
        pose_reference_at(&r, true, us);
        for (uint32_t joint = 0; joint < made->joints; joint++) {
            struct rigid wanted = model_of(&r, joint);

            CHECK_EQ(spn_anim_pose_get_joint(&scratch, parents, joint, &m),
                     SPN_OK);
            wanted.t[0] += (double)pass * travel;
            check_same(rigid_multiply(object, rigid_of(&m)), wanted);
        }
    }
    pose_reference_close(&r);
    pose_stage_close(&stage);
}

static void characters_move_by_the_motion_and_are_drawn_without_it(void)
{
    static const struct made_motion made = {
        .joints = JOINTS, .frames = FRAMES, .swing = 1, .travel = 0.02};
    const spn_anim_transform place = {
        {0.5f, 0.5f, -0.5f, 0.5f}, {0.25f, 1, -0.5f}, {1, 1, 1}};
    const uint32_t flags =
        SPN_ANIM_LOOPS | SPN_ANIM_CLOSES | SPN_ANIM_HAS_ROOT_MOTION;

    check_drawn_joints(&made, flags, NULL);
    check_drawn_joints(&made, flags, &place);
}

/* Play a clip whose root moves by 0.04 m a frame: the motion since the update
 * before is there after every update. */
static void check_every_step(const struct made_motion *made, uint32_t flags,
                             int64_t step_us)
{
    int64_t at_us = 0;

    open_stage(made, flags);
    for (int i = 0; i < 200; i++) {
        spn_anim_transform m = {.scale = {0}};

        test_context("frames %u, flags %u, steps of %d us, step %d",
                     made->frames, flags, (int)step_us, i);
        at_us += step_us;
        CHECK_EQ(spn_anim_play_set_time(stage.stage.rt, play, at_us), SPN_OK);
        pose_stage_tick(&stage);
        CHECK_EQ(spn_anim_play_get_motion(stage.stage.rt, play, at_us - step_us,
                                          at_us, skeleton, 0, &scratch, &m),
                 SPN_OK);
    }
    pose_stage_close(&stage);
}

static void motion_is_there_after_every_update(void)
{
    static const uint32_t flags[2] = {SPN_ANIM_LOOPS,
                                      SPN_ANIM_LOOPS | SPN_ANIM_CLOSES};
    /* The last segment has one frame, then a few, then all. */
    static const uint32_t frames[] = {17, 33, 50};
    /* 3.3 frames; nearly half a second; jumps. */
    static const int64_t steps_us[] = {110000, 480000, 1370000};

    for (size_t f = 0; f < sizeof frames / sizeof frames[0]; f++)
        for (size_t k = 0; k < sizeof steps_us / sizeof steps_us[0]; k++)
            for (int i = 0; i < 4; i++) {
                const struct made_motion made = {
                    .joints = 1, .frames = frames[f], .travel = 0.04};

                check_every_step(&made, flags[i / 2],
                                 i % 2 ? -steps_us[k] : steps_us[k]);
            }
}

static void arguments_are_checked(void)
{
    spn_runtime *rt;
    spn_anim_transform m;

    open_stage(&all_kinds, 0);
    rt = stage.stage.rt;
    CHECK_EQ(spn_anim_play_get_motion(rt, play, 0, 1, skeleton, JOINTS,
                                      &scratch, &m),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_get_motion(rt, play, 0, INT64_MAX, skeleton, 0,
                                      &scratch, &m),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_get_motion(rt, play, 0, 1, skeleton, 0, NULL, &m),
             SPN_ERR_ARG);
    CHECK_EQ(
        spn_anim_play_get_motion(rt, play, 0, 1, skeleton, 0, &scratch, NULL),
        SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_get_motion(rt, 0, 0, 1, skeleton, 0, &scratch, &m),
             SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_play_get_motion(rt, play, 0, 1, 0, 0, &scratch, &m),
             SPN_ERR_HANDLE);
    pose_stage_close(&stage);
}

TEST_MAIN(TEST(root_walks_on_over_the_ends_of_loops),
          TEST(motion_is_that_of_the_poses), TEST(motions_add_up),
          TEST(characters_move_by_the_motion_and_are_drawn_without_it),
          TEST(motion_is_there_after_every_update), TEST(arguments_are_checked))
