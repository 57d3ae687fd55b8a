/* Goal: model space, blends, additive poses and motions are what their headers
 * say; arguments are validated.
 *
 * Method: random poses, compared with double precision; a joint that walks on a
 * circle through a loop.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/random_tracks.h"

#include "anim/encode/affine.h"

#include <math.h>
#include <spindle/anim_blend.h>
#include <spindle/anim_motion.h>
#include <stdalign.h>
#include <string.h>

#define JOINTS 21u
#define STRIDE SPN_ANIM_POSE_STRIDE(JOINTS)

struct memory {
    alignas(SPN_ANIM_POSE_ALIGN) float values[10 * STRIDE];
    spn_anim_pose pose;
};

static void pose_init(struct memory *m)
{
    memset(m->values, 0, sizeof m->values);
    m->pose = (spn_anim_pose){m->values, JOINTS, STRIDE, spn_anim_detect_cpu()};
}

static void random_transforms(struct test_random *random, float scale_range,
                              bool is_uniform, spn_anim_transform *t)
{
    for (uint32_t j = 0; j < JOINTS; j++) {
        random_rotation(random, t[j].rotation);
        for (int k = 0; k < 3; k++) {
            t[j].translation[k] = random_float(random);
            t[j].scale[k] = is_uniform && k > 0
                                ? t[j].scale[0]
                                : 1 + scale_range * random_float(random);
        }
    }
}

static void random_parents(struct test_random *random, uint16_t *parents)
{
    parents[0] = SPN_ANIM_NO_PARENT;
    for (uint32_t j = 1; j < JOINTS; j++)
        parents[j] = j == 9 ? SPN_ANIM_NO_PARENT
                            : (uint16_t)test_random_below(random, j);
}

static void check_affine(const struct affine *a, const struct affine *b)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(a->linear[i][k], b->linear[i][k], 5e-6);
        CHECK_NEAR(a->origin[i], b->origin[i], 5e-6);
    }
}

/* -- model space -- */

static void matrices_are_products_of_all_parents(void)
{
    struct test_random random = {3};

    for (int round = 0; round < 10; round++) {
        spn_anim_transform t[JOINTS];
        uint16_t parents[JOINTS];
        float matrices[12 * JOINTS];
        struct affine all[JOINTS];
        struct memory m;

        pose_init(&m);
        random_transforms(&random, 0.3f, false, t);
        random_parents(&random, parents);
        CHECK_EQ(spn_anim_pose_from_transforms(t, &m.pose), SPN_OK);
        CHECK_EQ(spn_anim_pose_to_matrices(&m.pose, parents, matrices), SPN_OK);
        for (uint32_t j = 0; j < JOINTS; j++) {
            const float *f = matrices + 12 * j;
            struct affine local;
            struct affine found;

            affine_of_transform(&local, &t[j]);
            all[j] = local;
            if (parents[j] != SPN_ANIM_NO_PARENT)
                affine_multiply(&all[parents[j]], &local, &all[j]);
            for (int i = 0; i < 3; i++) {
                for (int k = 0; k < 3; k++)
                    found.linear[i][k] = (double)f[4 * i + k];
                found.origin[i] = (double)f[4 * i + 3];
            }
            check_affine(&found, &all[j]);
        }
    }
}

static void transforms_to_model_space_agree_with_matrices(void)
{
    struct test_random random = {4};
    spn_anim_transform t[JOINTS];
    uint16_t parents[JOINTS];
    struct affine all[JOINTS];
    struct memory m;
    struct memory model;

    pose_init(&m);
    pose_init(&model);
    random_transforms(&random, 0.2f, true, t);
    random_parents(&random, parents);
    CHECK_EQ(spn_anim_pose_from_transforms(t, &m.pose), SPN_OK);
    CHECK_EQ(spn_anim_pose_to_model(&m.pose, parents, &model.pose), SPN_OK);
    for (uint32_t j = 0; j < JOINTS; j++) {
        spn_anim_transform found;
        struct affine local;

        affine_of_transform(&all[j], &t[j]);
        if (parents[j] != SPN_ANIM_NO_PARENT) {
            local = all[j];
            affine_multiply(&all[parents[j]], &local, &all[j]);
        }
        CHECK_EQ(spn_anim_pose_get_joint(&m.pose, parents, j, &found), SPN_OK);
        affine_of_transform(&local, &found);
        check_affine(&local, &all[j]);
    }
    CHECK_EQ(spn_anim_pose_to_transforms(&model.pose, t), SPN_OK);
    for (uint32_t j = 0; j < JOINTS; j++) {
        struct affine found;

        affine_of_transform(&found, &t[j]);
        check_affine(&found, &all[j]);
    }
    /* In place. */
    CHECK_EQ(spn_anim_pose_to_model(&m.pose, parents, &m.pose), SPN_OK);
    CHECK_MEM(m.values, model.values, sizeof m.values);
}

/* -- blends -- */

static float angle_x(const struct memory *m, uint32_t joint)
{
    return 2 * atan2f(m->values[joint], m->values[3 * STRIDE + joint]);
}

static void set_angle_x(struct memory *m, float angle, float sign)
{
    pose_init(m);
    for (uint32_t j = 0; j < STRIDE; j++) {
        m->values[j] = sign * sinf(angle / 2);
        m->values[3 * STRIDE + j] = sign * cosf(angle / 2);
        for (uint32_t k = 4; k < 10; k++)
            m->values[k * STRIDE + j] = angle + (float)k;
    }
}

static void blends_are_weighted_means(void)
{
    const float weights[3] = {1, 0, 3};
    const float numbers[3][2] = {{1, 2}, {9, 9}, {5, -2}};
    const float *const tracks[3] = {numbers[0], NULL, numbers[2]};
    float blended[2];
    struct memory a;
    struct memory b;
    struct memory out;
    const spn_anim_pose *const poses[3] = {&a.pose, NULL, &b.pose};

    pose_init(&out);
    /* -q is the same rotation. */
    for (int sign = -1; sign <= 1; sign += 2) {
        set_angle_x(&a, 0.0f, 1.0f);
        set_angle_x(&b, 0.1f, (float)sign);
        CHECK_EQ(spn_anim_pose_blend(poses, weights, 3, &out.pose), SPN_OK);
        CHECK_NEAR(angle_x(&out, 0), 0.075, 1e-4);
        CHECK_NEAR(angle_x(&out, JOINTS - 1), 0.075, 1e-4);
        CHECK_NEAR(out.values[4 * STRIDE + 3], 4.075, 1e-5);
        CHECK_NEAR(out.values[9 * STRIDE + 3], 9.075, 1e-5);
        CHECK_NEAR(hypotf(out.values[3], out.values[3 * STRIDE + 3]), 1, 2e-7);
    }
    CHECK_EQ(spn_anim_floats_blend(tracks, weights, 3, 2, blended), SPN_OK);
    CHECK_NEAR(blended[0], 4, 1e-6);
    CHECK_NEAR(blended[1], -1, 1e-6);
}

static void masks_weigh_each_joint(void)
{
    const float weights[3] = {1, 3, 0};
    float lower[JOINTS];
    float upper[JOINTS];
    const float *masks[3] = {lower, upper, NULL};
    struct memory a;
    struct memory b;
    struct memory out;
    const spn_anim_pose *const poses[3] = {&a.pose, &b.pose, NULL};

    set_angle_x(&a, 0.0f, 1);
    set_angle_x(&b, 0.1f, 1);
    pose_init(&out);
    for (uint32_t j = 0; j < JOINTS; j++) {
        lower[j] = j % 3 == 0 ? 0 : 1;
        upper[j] = j % 3 == 1 ? 0 : 0.5f;
    }
    CHECK_EQ(spn_anim_pose_blend_masked(poses, weights, masks, 3, &out.pose),
             SPN_OK);
    /* 0 and 1.5, 1 and 0, 1 and 1.5. */
    for (uint32_t j = 0; j < JOINTS; j++) {
        static const double part[3] = {1, 0, 0.6};

        test_context("joint %u", j);
        CHECK_NEAR(angle_x(&out, j), 0.1 * part[j % 3], 1e-4);
        CHECK_NEAR(out.values[8 * STRIDE + j], 8 + 0.1 * part[j % 3], 1e-5);
    }
    masks[1] = NULL;
    CHECK_EQ(spn_anim_pose_blend_masked(poses, weights, masks, 3, &out.pose),
             SPN_OK);
    CHECK_NEAR(angle_x(&out, 0), 0.1, 1e-4);
    CHECK_NEAR(angle_x(&out, 1), 0.075, 1e-4);
    masks[1] = upper;
    lower[4] = 0;
    CHECK_EQ(spn_anim_pose_blend_masked(poses, weights, masks, 3, &out.pose),
             SPN_ERR_ARG);
    for (int i = 0; i < 3; i++) {
        const float bad[3] = {-1, INFINITY, NAN};

        lower[4] = bad[i];
        CHECK_EQ(
            spn_anim_pose_blend_masked(poses, weights, masks, 3, &out.pose),
            SPN_ERR_ARG);
    }
}

/* One pose alone is itself; the output may be the first one. */
static void a_blend_may_write_its_first_pose(void)
{
    const float weights[2] = {0.25f, 0.75f};
    struct memory a;
    struct memory b;
    struct memory out;
    const spn_anim_pose *const poses[2] = {&a.pose, &b.pose};
    const spn_anim_pose *const turned[2] = {&b.pose, &a.pose};

    set_angle_x(&a, 0.5f, 1);
    set_angle_x(&b, -0.5f, 1);
    pose_init(&out);
    CHECK_EQ(spn_anim_pose_blend(poses, weights, 2, &out.pose), SPN_OK);
    CHECK_EQ(spn_anim_pose_blend(turned, weights, 2, &a.pose), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_pose_blend(poses, weights, 2, &a.pose), SPN_OK);
    CHECK_MEM(a.values, out.values, sizeof a.values);
}

/* -- additive poses -- */

static void an_additive_pose_leads_from_its_base_to_the_pose(void)
{
    struct test_random random = {5};
    spn_anim_transform t[2][JOINTS];
    struct memory pose;
    struct memory base;
    struct memory additive;
    struct memory out;

    pose_init(&pose);
    pose_init(&base);
    pose_init(&additive);
    pose_init(&out);
    random_transforms(&random, 0.5f, false, t[0]);
    random_transforms(&random, 0.5f, false, t[1]);
    CHECK_EQ(spn_anim_pose_from_transforms(t[0], &pose.pose), SPN_OK);
    CHECK_EQ(spn_anim_pose_from_transforms(t[1], &base.pose), SPN_OK);
    CHECK_EQ(spn_anim_pose_subtract(&pose.pose, &base.pose, &additive.pose),
             SPN_OK);
    CHECK_EQ(spn_anim_pose_add(&base.pose, &additive.pose, 1, &out.pose),
             SPN_OK);
    CHECK_EQ(spn_anim_pose_to_transforms(&out.pose, t[1]), SPN_OK);
    for (uint32_t j = 0; j < JOINTS; j++) {
        struct affine found;
        struct affine wanted;

        affine_of_transform(&found, &t[1][j]);
        affine_of_transform(&wanted, &t[0][j]);
        check_affine(&found, &wanted);
    }
    CHECK_EQ(spn_anim_pose_add(&base.pose, &additive.pose, 0, &out.pose),
             SPN_OK);
    for (uint32_t i = 0; i < 10 * STRIDE; i++)
        CHECK_NEAR(out.values[i], base.values[i], 1e-6);
}

static void weights_scale_an_additive_pose(void)
{
    struct memory pose;
    struct memory base;
    struct memory out;

    set_angle_x(&base, 0.25f, 1);
    set_angle_x(&pose, 1.05f, -1);
    CHECK_EQ(spn_anim_pose_subtract(&pose.pose, &base.pose, &pose.pose),
             SPN_OK);
    CHECK_NEAR(angle_x(&pose, 0), 0.8, 1e-6);
    pose_init(&out);
    CHECK_EQ(spn_anim_pose_add(&base.pose, &pose.pose, 0.25f, &out.pose),
             SPN_OK);
    CHECK_NEAR(angle_x(&out, 0), 0.45, 1e-6);
    CHECK_NEAR(out.values[4 * STRIDE], 4.25 + 0.25 * 0.8, 1e-6);
    CHECK_NEAR(out.values[7 * STRIDE], 7.25 * (1 + 0.25 * (8.05 / 7.25 - 1)),
               1e-5);
}

static void a_base_without_scale_adds_none(void)
{
    struct memory pose;
    struct memory base;

    set_angle_x(&pose, 0.5f, 1);
    set_angle_x(&base, 0.25f, 1);
    for (uint32_t j = 0; j < STRIDE; j++)
        base.values[7 * STRIDE + j] = 0;
    CHECK_EQ(spn_anim_pose_subtract(&pose.pose, &base.pose, &base.pose),
             SPN_OK);
    CHECK_NEAR(base.values[7 * STRIDE], 1, 0);
    CHECK_NEAR(base.values[8 * STRIDE], 8.5 / 8.25, 1e-6);
}

/* -- motion -- */

/* A joint that walks on a circle: `s` is the way, in metres. Its scale has no
 * effect. */
static spn_anim_transform on_circle(double s)
{
    const double angle = s / 3;

    return (spn_anim_transform){
        .rotation = {0, (float)sin(angle / 2), 0, (float)cos(angle / 2)},
        .translation = {(float)(3 * sin(angle) - 1), 2,
                        (float)(3 * cos(angle))},
        .scale = {2, 3, 4}};
}

static void check_motion(const spn_anim_transform *found, double s)
{
    const spn_anim_transform start = on_circle(0);
    const spn_anim_transform end = on_circle(s);
    spn_anim_transform wanted;
    struct affine a;
    struct affine b;

    CHECK_EQ(spn_anim_motion_between(&start, &end, &wanted), SPN_OK);
    affine_of_transform(&a, found);
    affine_of_transform(&b, &wanted);
    check_affine(&a, &b);
    CHECK_NEAR(found->scale[1], 1, 0);
}

static void motions_are_relative_to_the_joint(void)
{
    const spn_anim_transform from = on_circle(1);
    const spn_anim_transform to = on_circle(2.5);
    spn_anim_transform object = from;
    spn_anim_transform motion;

    CHECK_EQ(spn_anim_motion_between(&from, &to, &motion), SPN_OK);
    check_motion(&motion, 1.5);
    /* The object goes where the joint went. */
    for (int k = 0; k < 3; k++)
        object.scale[k] = 1;
    CHECK_EQ(spn_anim_transform_multiply(&object, &motion, &object), SPN_OK);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(object.translation[k], to.translation[k], 1e-6);
    /* Backwards. */
    CHECK_EQ(spn_anim_motion_between(&to, &from, &motion), SPN_OK);
    check_motion(&motion, -1.5);
}

static void motions_go_on_over_the_ends_of_a_loop(void)
{
    /* A clip walks from 0.5 to 2; the step that closes the loop is 0.1 or
     * nothing. */
    for (int has_gap = 0; has_gap < 2; has_gap++) {
        const double gap = has_gap ? 0.1 : 0;
        const spn_anim_transform zero = on_circle(0);
        const spn_anim_transform step = on_circle(gap);
        const spn_anim_transform from = on_circle(1.25);
        const spn_anim_transform to = on_circle(0.75);
        spn_anim_loop_ends ends = {.first = on_circle(0.5),
                                   .last = on_circle(2)};

        CHECK_EQ(spn_anim_motion_between(&zero, &step, &ends.closing), SPN_OK);
        for (uint32_t rounds = 0; rounds < 70; rounds += 1 + rounds / 4) {
            spn_anim_transform motion;

            test_context("gap %g, %u rounds", gap, rounds);
            CHECK_EQ(
                spn_anim_motion_over_loops(&from, &to, &ends, rounds, &motion),
                SPN_OK);
            check_motion(&motion, -0.5 + rounds * (1.5 + gap));
        }
    }
}

/* Lengths stay 1 over very many rounds. */
static void many_rounds_do_not_grow(void)
{
    const spn_anim_transform from = on_circle(0.1);
    spn_anim_transform motion;
    spn_anim_loop_ends ends = {
        .first = on_circle(0), .last = on_circle(1.7), .closing = on_circle(0)};

    ends.closing.translation[2] = 0;
    CHECK_EQ(spn_anim_motion_over_loops(&from, &from, &ends, 1000000, &motion),
             SPN_OK);
    CHECK_NEAR(hypotf(motion.rotation[1], motion.rotation[3]), 1, 1e-5);
}

static void parts_of_a_motion(void)
{
    const spn_anim_transform from = on_circle(0);
    const spn_anim_transform to = on_circle(3);
    spn_anim_transform motion;
    spn_anim_transform half;

    CHECK_EQ(spn_anim_motion_between(&from, &to, &motion), SPN_OK);
    CHECK_EQ(spn_anim_motion_get_part(&motion, 0.5f, &half), SPN_OK);
    CHECK_NEAR(2 * atan2f(half.rotation[1], half.rotation[3]), 0.5, 1e-6);
    CHECK_NEAR(half.translation[0], motion.translation[0] / 2, 1e-6);
    CHECK_EQ(spn_anim_motion_get_part(&motion, 1.5f, &half), SPN_ERR_ARG);
}

static void poses_without_motion_have_the_joint_in_its_place(void)
{
    struct test_random random = {5};
    spn_anim_transform t[JOINTS];
    uint16_t parents[JOINTS];
    struct memory m;
    struct memory out;
    struct memory model[2];

    pose_init(&m);
    pose_init(&out);
    pose_init(&model[0]);
    pose_init(&model[1]);
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        const spn_anim_transform none = {.rotation = {0, 0, 0, 1}};
        const spn_anim_transform place =
            joint % 2 ? on_circle(1 + joint) : none;
        spn_anim_transform from;

        test_context("joint %u", joint);
        random_transforms(&random, 0.25f, true, t);
        random_parents(&random, parents);
        CHECK_EQ(spn_anim_pose_from_transforms(t, &m.pose), SPN_OK);
        CHECK_EQ(spn_anim_pose_remove_motion(&m.pose, parents, joint,
                                             joint % 2 ? &place : NULL,
                                             &out.pose),
                 SPN_OK);
        CHECK_EQ(spn_anim_pose_get_joint(&m.pose, parents, joint, &from),
                 SPN_OK);
        CHECK_EQ(spn_anim_pose_to_model(&m.pose, parents, &model[0].pose),
                 SPN_OK);
        CHECK_EQ(spn_anim_pose_to_model(&out.pose, parents, &model[1].pose),
                 SPN_OK);
        /* All joints lie to the place as they lay to the joint. */
        for (uint32_t j = 0; j < JOINTS; j++) {
            spn_anim_transform pair[2];
            struct affine a[2];

            for (int i = 0; i < 2; i++) {
                spn_anim_transform all[JOINTS];

                CHECK_EQ(spn_anim_pose_to_transforms(&model[i].pose, all),
                         SPN_OK);
                CHECK_EQ(spn_anim_motion_between(i ? &place : &from, &all[j],
                                                 &pair[i]),
                         SPN_OK);
                affine_of_transform(&a[i], &pair[i]);
            }
            check_affine(&a[0], &a[1]);
        }
        CHECK_EQ(spn_anim_pose_remove_motion(&m.pose, parents, joint,
                                             joint % 2 ? &place : NULL,
                                             &m.pose),
                 SPN_OK);
        CHECK_MEM(m.values, out.values, sizeof m.values);
    }
}

/* An object is moved so that its joint moves by the motion. */
static void motions_of_objects_move_their_joint(void)
{
    const spn_anim_transform place = on_circle(2.25);
    spn_anim_transform object = on_circle(7);
    spn_anim_transform wanted;
    spn_anim_transform motion;
    spn_anim_transform place_without_scale = place;
    struct affine a;
    struct affine b;

    for (int k = 0; k < 3; k++)
        object.scale[k] = place_without_scale.scale[k] = 1;
    CHECK_EQ(spn_anim_motion_between(&place, &object, &motion), SPN_OK);
    CHECK_EQ(
        spn_anim_transform_multiply(&object, &place_without_scale, &wanted),
        SPN_OK);
    CHECK_EQ(spn_anim_transform_multiply(&wanted, &motion, &wanted), SPN_OK);
    CHECK_EQ(spn_anim_motion_to_object(&motion, &place, &motion), SPN_OK);
    CHECK_EQ(spn_anim_transform_multiply(&object, &motion, &object), SPN_OK);
    CHECK_EQ(
        spn_anim_transform_multiply(&object, &place_without_scale, &object),
        SPN_OK);
    affine_of_transform(&a, &object);
    affine_of_transform(&b, &wanted);
    check_affine(&a, &b);
    CHECK_EQ(spn_anim_motion_to_object(NULL, &place, &motion), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_motion_to_object(&motion, NULL, &motion), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_motion_to_object(&motion, &place, NULL), SPN_ERR_ARG);
}

/* -- arguments -- */

static void poses_are_validated(void)
{
    const float weights[1] = {1};
    const float bad[3] = {-1, INFINITY, NAN};
    uint16_t parents[JOINTS] = {0};
    spn_anim_transform t[JOINTS] = {{{0}, {0}, {0}}};
    float matrices[12 * JOINTS];
    struct memory m;
    struct memory other;
    const spn_anim_pose *poses[1] = {&m.pose};
    const spn_anim_pose *good = &m.pose;

    set_angle_x(&m, 0, 1);
    set_angle_x(&other, 0, 1);
    CHECK_EQ(spn_anim_pose_blend(poses, weights, 1, good), SPN_OK);
    CHECK_EQ(spn_anim_pose_blend(poses, weights, 0, good), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_pose_blend(NULL, weights, 1, good), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_pose_blend(poses, NULL, 1, good), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_pose_blend(poses, weights, 1, NULL), SPN_ERR_ARG);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(spn_anim_pose_blend(poses, &bad[i], 1, good), SPN_ERR_ARG);
    for (int field = 0; field < 5; field++) {
        other.pose = m.pose;
        if (field == 0)
            other.pose.values = NULL;
        else if (field == 1)
            other.pose.joint_count = 0;
        else if (field == 2)
            other.pose.joint_count = SPN_ANIM_JOINTS_MAX + 1;
        else if (field == 3)
            other.pose.stride = STRIDE + 8;
        else
            other.pose.joint_count = JOINTS + 1;
        poses[0] = &other.pose;
        test_context("field %d", field);
        CHECK_EQ(spn_anim_pose_blend(poses, weights, 1, good), SPN_ERR_ARG);
        CHECK_EQ(spn_anim_pose_add(good, &other.pose, 1, good), SPN_ERR_ARG);
        CHECK_EQ(spn_anim_pose_add(&other.pose, good, 1, good), SPN_ERR_ARG);
        CHECK_EQ(spn_anim_pose_subtract(good, &other.pose, good), SPN_ERR_ARG);
        CHECK_EQ(spn_anim_pose_to_model(good, parents, &other.pose),
                 SPN_ERR_ARG);
        CHECK_EQ(
            spn_anim_pose_remove_motion(good, parents, 0, NULL, &other.pose),
            SPN_ERR_ARG);
        if (field == 4)
            continue; /* a good pose by itself */
        CHECK_EQ(spn_anim_pose_to_matrices(&other.pose, parents, matrices),
                 SPN_ERR_ARG);
        CHECK_EQ(spn_anim_pose_to_transforms(&other.pose, t), SPN_ERR_ARG);
        CHECK_EQ(spn_anim_pose_from_transforms(t, &other.pose), SPN_ERR_ARG);
    }
    CHECK_EQ(spn_anim_pose_get_joint(good, parents, JOINTS, t), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_pose_to_matrices(good, NULL, matrices), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_pose_remove_motion(good, NULL, 0, NULL, good),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_pose_remove_motion(good, parents, JOINTS, NULL, good),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_pose_add(good, good, -0.5f, good), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_pose_add(good, good, NAN, good), SPN_ERR_ARG);
}

TEST_MAIN(TEST(matrices_are_products_of_all_parents),
          TEST(transforms_to_model_space_agree_with_matrices),
          TEST(blends_are_weighted_means), TEST(masks_weigh_each_joint),
          TEST(a_blend_may_write_its_first_pose),
          TEST(an_additive_pose_leads_from_its_base_to_the_pose),
          TEST(weights_scale_an_additive_pose),
          TEST(a_base_without_scale_adds_none),
          TEST(motions_are_relative_to_the_joint),
          TEST(motions_go_on_over_the_ends_of_a_loop),
          TEST(many_rounds_do_not_grow), TEST(parts_of_a_motion),
          TEST(poses_without_motion_have_the_joint_in_its_place),
          TEST(motions_of_objects_move_their_joint), TEST(poses_are_validated))
