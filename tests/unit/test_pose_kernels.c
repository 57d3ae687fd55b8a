/* Goal: every instruction set gives the bits of the scalar code, and reads and
 * writes nothing else; the bits are the same on every machine.
 *
 * Method: all sets of this processor on random tracks and poses of 1 to 70
 * joints; the arrays have exactly the promised slack. A hash of poses.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/random_tracks.h"

#include "anim/pose/pose_sample.h"
#include "base/checksum.h"
#include "base/cpu.h"
#include "base/endian.h"

#include <spindle/anim_blend.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define STRIDE_MAX SPN_ANIM_POSE_STRIDE(RANDOM_JOINTS_MAX)
#define FLOATS_MAX 20u

static const uint32_t sets[] = {SPN_CPU_SSE41, SPN_CPU_AVX2, SPN_CPU_NEON};
enum { SETS = sizeof sets / sizeof sets[0] };

struct pose_memory {
    alignas(SPN_ANIM_POSE_ALIGN) float values[10 * STRIDE_MAX];
    float numbers[FLOATS_MAX];
    spn_anim_pose pose;
};

static void set_pose(struct pose_memory *m, uint32_t joints, uint32_t cpu)
{
    m->pose = (spn_anim_pose){.values = m->values,
                              .joint_count = joints,
                              .stride = SPN_ANIM_POSE_STRIDE(joints),
                              .cpu = cpu};
}

/* -- sampling -- */

static void compare_samples(const struct random_tracks *r,
                            const struct pose_memory *rest, float u)
{
    static struct pose_memory expected;
    static struct pose_memory actual;
    const uint32_t joints = r->tracks.joint_count;
    const struct anim_frame from = {&r->window, 0};
    const struct anim_frame to = {&r->window, 1};

    set_pose(&expected, joints, 0);
    spn__pose_sample(&r->tracks, &rest->pose, from, to, u, &expected.pose,
                     expected.numbers);
    for (int i = 0; i < SETS; i++) {
        if (!(spn__cpu_detect() & sets[i]))
            continue;
        memset(&actual, 0xcd, sizeof actual);
        set_pose(&actual, joints, sets[i]);
        spn__pose_sample(&r->tracks, &rest->pose, from, to, u, &actual.pose,
                         actual.numbers);
        CHECK_MEM(actual.values, expected.values, SPN_ANIM_POSE_BYTES(joints));
        CHECK_MEM(actual.numbers, expected.numbers,
                  r->tracks.float_track_count * sizeof(float));
    }
}

static void samples_are_the_same(void)
{
    static struct pose_memory rest;
    struct test_random random = {1};

    if (spn__cpu_detect() == 0)
        test_skip("this processor has none of the instruction sets");
    for (uint32_t i = 0; i < 10 * STRIDE_MAX; i++)
        rest.values[i] = random_float(&random);
    for (uint32_t i = 0; i < 350; i++) {
        const uint32_t joints = 1 + i % RANDOM_JOINTS_MAX;
        struct random_tracks r;

        test_context("round %u", i);
        random_tracks_make(&r, &random, joints);
        set_pose(&rest, joints, 0);
        compare_samples(&r, &rest, 0);
        compare_samples(&r, &rest, 0.5f + 0.499f * random_float(&random));
        random_tracks_free(&r);
    }
}

/* -- functions of poses -- */

static void random_pose(struct pose_memory *m, struct test_random *random,
                        uint32_t joints, uint32_t cpu)
{
    set_pose(m, joints, cpu);
    for (uint32_t i = 0; i < 10 * m->pose.stride; i++)
        m->values[i] = random_float(random);
    for (uint32_t j = 0; j < m->pose.stride; j++) {
        float q[4];

        random_rotation(random, q);
        for (uint32_t k = 0; k < 4; k++)
            m->values[k * m->pose.stride + j] = q[k];
        if (test_random_below(random, 10) == 0)
            m->values[7 * m->pose.stride + j] = 0; /* a scale */
    }
}

/* All functions one after the other, into `out` and `matrices`. */
static void run_all(const struct pose_memory in[3], const uint16_t *parents,
                    float weight, const spn_anim_pose *out, float *matrices)
{
    const spn_anim_pose *const poses[3] = {&in[0].pose, &in[1].pose,
                                           &in[2].pose};
    const float weights[3] = {0.5f, weight, 2.0f};

    CHECK_EQ(spn_anim_pose_blend(poses, weights, 3, out), SPN_OK);
    CHECK_EQ(spn_anim_pose_subtract(out, &in[1].pose, out), SPN_OK);
    CHECK_EQ(spn_anim_pose_add(&in[2].pose, out, weight, out), SPN_OK);
    CHECK_EQ(spn_anim_pose_to_matrices(out, parents, matrices), SPN_OK);
}

/* A blend with a mask, of which the first pose is the output. */
static void run_masked(const struct pose_memory in[3], const spn_anim_pose *out)
{
    const spn_anim_pose *const poses[3] = {out, &in[0].pose, &in[1].pose};
    const float weights[3] = {0.5f, 0.75f, 2.0f};
    float mask[RANDOM_JOINTS_MAX];
    const float *const masks[3] = {NULL, mask, NULL};

    for (uint32_t j = 0; j < out->joint_count; j++)
        mask[j] = (float)(j % 5) / 4;
    CHECK_EQ(spn_anim_pose_blend_masked(poses, weights, masks, 3, out), SPN_OK);
}

static void functions_are_the_same(void)
{
    static struct pose_memory in[3];
    static struct pose_memory expected;
    static struct pose_memory actual;
    struct test_random random = {2};

    if (spn__cpu_detect() == 0)
        test_skip("this processor has none of the instruction sets");
    for (uint32_t i = 0; i < 210; i++) {
        const uint32_t joints = 1 + i % RANDOM_JOINTS_MAX;
        const float weight = i % 3 == 0 ? 0 : (float)(i % 7) / 7;
        float *first = malloc(12 * joints * sizeof *first);
        float *second = malloc(12 * joints * sizeof *second);
        uint16_t parents[RANDOM_JOINTS_MAX];

        test_context("round %u", i);
        for (uint32_t j = 0; j < joints; j++)
            parents[j] = j == 0 || test_random_below(&random, 8) == 0
                             ? SPN_ANIM_NO_PARENT
                         : test_random_below(&random, 2) == 0
                             ? (uint16_t)(j - 1)
                             : (uint16_t)test_random_below(&random, j);
        for (int k = 0; k < 3; k++)
            random_pose(&in[k], &random, joints, 0);
        set_pose(&expected, joints, 0);
        run_all(in, parents, weight, &expected.pose, first);
        run_masked(in, &expected.pose);
        for (int k = 0; k < SETS; k++) {
            if (!(spn__cpu_detect() & sets[k]))
                continue;
            set_pose(&actual, joints, sets[k]);
            run_all(in, parents, weight, &actual.pose, second);
            run_masked(in, &actual.pose);
            CHECK_MEM(actual.values, expected.values,
                      SPN_ANIM_POSE_BYTES(joints));
            CHECK_MEM(second, first, 12 * joints * sizeof *first);
        }
        free(first);
        free(second);
    }
}

/* -- every machine -- */

/* Of the poses below. */
#define POSES_HASH 0x1810675eu

/* The words of floats, whatever the byte order. */
static uint32_t hash_floats(const float *values, uint32_t count, uint32_t hash)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bytes[4];
        uint32_t word;

        memcpy(&word, &values[i], sizeof word);
        spn_store_u32le(bytes, word);
        hash = spn__checksum(bytes, sizeof bytes, hash);
    }
    return hash;
}

static void poses_are_the_same_on_every_machine(void)
{
    static struct pose_memory in[3];
    static struct pose_memory out;
    static float matrices[12 * RANDOM_JOINTS_MAX];
    uint16_t parents[RANDOM_JOINTS_MAX];
    const uint32_t joints = RANDOM_JOINTS_MAX;
    struct test_random random = {3};
    uint32_t hash = 0;

    for (uint32_t j = 0; j < joints; j++)
        parents[j] = (uint16_t)(j % 6 == 0 ? SPN_ANIM_NO_PARENT : j - 1);
    for (uint32_t i = 0; i < 10; i++) {
        struct random_tracks r;
        const struct anim_frame from = {&r.window, 0};
        const struct anim_frame to = {&r.window, 1};

        random_tracks_make(&r, &random, joints);
        for (int k = 0; k < 3; k++)
            random_pose(&in[k], &random, joints, 0);
        set_pose(&out, joints, 0);
        spn__pose_sample(&r.tracks, &in[0].pose, from, to, 0.3f, &in[1].pose,
                         out.numbers);
        hash = hash_floats(in[1].values, 10 * in[1].pose.stride, hash);
        hash = hash_floats(out.numbers, r.tracks.float_track_count, hash);
        run_all(in, parents, 0.7f, &out.pose, matrices);
        hash = hash_floats(out.values, 10 * out.pose.stride, hash);
        hash = hash_floats(matrices, 12 * joints, hash);
        random_tracks_free(&r);
    }
    CHECK_EQ(hash, POSES_HASH);
}

TEST_MAIN(TEST(samples_are_the_same), TEST(functions_are_the_same),
          TEST(poses_are_the_same_on_every_machine))
