/* Goal: every instruction set gives the bits of the scalar code, and reads and
 * writes nothing else.
 *
 * Method: all sets of this processor on random tracks and poses of 1 to 70
 * joints; the arrays have exactly the promised slack.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/random_tracks.h"

#include "anim/pose/pose_sample.h"
#include "base/cpu.h"

#include <stdalign.h>
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

TEST_MAIN(TEST(samples_are_the_same))
