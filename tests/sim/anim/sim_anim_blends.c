/* sim_anim_blends.c - see sim_anim_blends.h. */
/* SPDX-License-Identifier: MIT */
#include "sim/anim/sim_anim_blends.h"

#include "sim/sim.h"

#include <string.h>

#define MUST(x) SIM_MUST(sim, SIM_ANIM, x)
#define OK(call) SIM_MUST(sim, SIM_STATUS, (call) == SPN_OK)
#define NUMBERS 10u /* of a transform */
#define ROTATION 4u /* of these the first */
#define BOUND 2e-5

static uint32_t below(struct sim *sim, uint32_t limit)
{
    return test_random_below(&sim->anim.acts, limit);
}

/* -- numbers -- */

static float number(const spn_anim_pose *pose, uint32_t joint, uint32_t k)
{
    return pose->values[k * pose->stride + joint];
}

static bool is_near(double x, double y)
{
    const double difference = x < y ? y - x : x - y;

    return difference <= BOUND * (1 + (y < 0 ? -y : y));
}

/* The cosine of half the angle between rotations of two poses. */
static double dot(const spn_anim_pose *a, const spn_anim_pose *b, uint32_t j)
{
    double sum = 0;

    for (uint32_t k = 0; k < ROTATION; k++)
        sum += (double)number(a, j, k) * number(b, j, k);
    return sum;
}

/* Whether a joint of two poses is the same but for rounding. */
static bool is_same(const spn_anim_pose *a, const spn_anim_pose *b, uint32_t j)
{
    const double sign = dot(a, b, j) < 0 ? -1 : 1;
    bool is = true;

    for (uint32_t k = 0; k < NUMBERS; k++)
        is &= is_near(number(a, j, k) * (k < ROTATION ? sign : 1),
                      number(b, j, k));
    return is;
}

void sim_anim_blends_mix(struct sim *sim, const float *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;

        memcpy(&bits, &numbers[i], sizeof bits);
        sim_log_mix(&sim->log, bits);
    }
}

static void mix(struct sim *sim, const spn_anim_pose *pose)
{
    for (uint32_t k = 0; k < NUMBERS; k++)
        sim_anim_blends_mix(sim, &pose->values[k * pose->stride],
                            pose->joint_count);
}

/* -- blends -- */

static void check_one(struct sim *sim, const spn_anim_pose *a,
                      const spn_anim_pose *out)
{
    const float weight = (float)(1 + below(sim, 8));

    OK(spn_anim_pose_blend(&a, &weight, 1, out));
    for (uint32_t j = 0; j < a->joint_count; j++)
        MUST(is_same(out, a, j));
}

/* The same in double precision. */
static void check_joint(struct sim *sim, const spn_anim_pose *const poses[2],
                        const double part[2], uint32_t j,
                        const spn_anim_pose *out)
{
    const double cosine = dot(poses[0], poses[1], j);
    const double sign = cosine < 0 ? -1 : 1;
    double along = 0;
    double square = 0;

    for (uint32_t k = 0; k < NUMBERS; k++) {
        const double sum =
            part[0] * number(poses[0], j, k) +
            part[1] * (k < ROTATION ? sign : 1) * number(poses[1], j, k);

        if (k >= ROTATION) {
            MUST(is_near(number(out, j, k), sum));
            continue;
        }
        along += sum * number(out, j, k);
        square += sum * sum;
    }
    /* Where rotations are opposite, rounding decides. */
    if (cosine * sign < 0.01)
        return;
    MUST(is_near(dot(out, out, j), 1));
    MUST(is_near(along * along, square));
}

static void check_two(struct sim *sim, const spn_anim_pose *const poses[2],
                      const spn_anim_pose *out)
{
    const uint32_t first = 1 + below(sim, 7);
    const float weights[2] = {(float)first, (float)(8 - first)};
    const double part[2] = {first / 8.0, 1 - first / 8.0};

    OK(spn_anim_pose_blend(poses, weights, 2, out));
    for (uint32_t j = 0; j < out->joint_count; j++)
        check_joint(sim, poses, part, j, out);
    mix(sim, out);
    swarm_hit(&sim->swarm, SWARM_BLEND);
}

/* Each joint is taken from one of the poses. */
static void check_masked(struct sim *sim, const spn_anim_pose *const poses[2],
                         const spn_anim_pose *out)
{
    static const float weights[2] = {1, 3};
    const uint32_t bits = below(sim, UINT32_MAX);
    float masks[2][SIM_ANIM_JOINTS];
    const float *const pointers[2] = {masks[0], masks[1]};

    for (uint32_t j = 0; j < out->joint_count; j++) {
        masks[0][j] = (float)(bits >> j & 1);
        masks[1][j] = 1 - masks[0][j];
    }
    OK(spn_anim_pose_blend_masked(poses, weights, pointers, 2, out));
    for (uint32_t j = 0; j < out->joint_count; j++)
        MUST(is_same(out, poses[bits >> j & 1 ? 0 : 1], j));
    mix(sim, out);
    swarm_hit(&sim->swarm, SWARM_MASKED);
}

static void check_additive(struct sim *sim, const spn_anim_pose *pose,
                           const spn_anim_pose *base,
                           const spn_anim_pose *difference,
                           const spn_anim_pose *out)
{
    OK(spn_anim_pose_subtract(pose, base, difference));
    mix(sim, difference);
    OK(spn_anim_pose_add(base, difference, (float)below(sim, 9) / 8, out));
    mix(sim, out);
    OK(spn_anim_pose_add(base, difference, 0, out));
    for (uint32_t j = 0; j < pose->joint_count; j++)
        MUST(is_same(out, base, j));
    OK(spn_anim_pose_add(base, difference, 1, out));
    for (uint32_t j = 0; j < pose->joint_count; j++)
        MUST(is_same(out, pose, j));
    swarm_hit(&sim->swarm, SWARM_ADDITIVE);
}

void sim_anim_blends_check(struct sim *sim, spn_anim_skeleton skeleton,
                           const spn_anim_pose *a, const spn_anim_pose *b)
{
    static struct sim_anim_pose out;
    static struct sim_anim_pose difference;
    const spn_anim_pose *const poses[2] = {a, b};

    OK(spn_anim_skeleton_make_pose(sim->rt, skeleton, out.values,
                                   sizeof out.values, &out.pose));
    OK(spn_anim_skeleton_make_pose(sim->rt, skeleton, difference.values,
                                   sizeof difference.values, &difference.pose));
    mix(sim, a);
    check_one(sim, a, &out.pose);
    check_two(sim, poses, &out.pose);
    check_masked(sim, poses, &out.pose);
    check_additive(sim, a, b, &difference.pose, &out.pose);
}

void sim_anim_blends_check_floats(struct sim *sim, const float *a,
                                  const float *b, uint32_t count)
{
    const uint32_t first = 1 + below(sim, 7);
    const float weights[2] = {(float)first, (float)(8 - first)};
    const float *const floats[2] = {a, b};
    float out[SIM_ANIM_FLOATS];

    OK(spn_anim_floats_blend(floats, weights, 2, count, out));
    for (uint32_t i = 0; i < count; i++)
        MUST(is_near(out[i],
                     (first * (double)a[i] + (8 - first) * (double)b[i]) / 8));
    sim_anim_blends_mix(sim, out, count);
}
