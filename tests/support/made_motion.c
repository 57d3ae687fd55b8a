/* made_motion.c - swings of joints from parabolas. */
/* SPDX-License-Identifier: MIT */
#include "support/made_motion.h"

#include "harness.h"

#include <math.h>

/* A smooth wave of period 1 and amplitude 1: like a sine, from parabolas. */
static double wave(double t)
{
    const double phase = t - floor(t);
    const double x = phase < 0.5 ? phase : phase - 0.5;
    const double y = 16 * x * (0.5 - x);

    return phase < 0.5 ? y : -y;
}

static double unit(struct test_random *random)
{
    return test_random_below(random, 1u << 20) / 1048576.0;
}

/* The rotation of parameters m (modified Rodrigues parameters). */
static void rotate(const double m[3], double q[4])
{
    const double r = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];

    for (int k = 0; k < 3; k++)
        q[k] = 2 * m[k] / (1 + r);
    q[3] = (1 - r) / (1 + r);
}

/* How a joint moves. */
struct swing {
    double rest[3];
    double size[3];
    double period[3]; /* frames */
    double phase[3];
};

static void make_pose(const struct made_motion *made, uint32_t joint,
                      double frame, const struct swing *s,
                      const struct joint_transform *rest,
                      struct joint_transform *t)
{
    double m[3];

    *t = *rest;
    if (made->is_at_rest)
        return;
    for (int k = 0; k < 3; k++) {
        const double w = wave(frame / s->period[k] + s->phase[k]);

        m[k] = s->rest[k] + made->swing / 4 * s->size[k] * w;
        if (made->has_shift)
            t->translation[k] += 0.02 * w;
        if (made->has_scale && (made->has_all || joint % 3 == 1))
            t->scale[k] = 1 + 0.2 * w;
    }
    rotate(m, t->rotation);
    if (joint == 0)
        t->translation[0] += made->travel * frame;
}

void made_motion(const struct made_motion *made, struct arena *arena,
                 struct dense_clip *clip)
{
    struct test_random random = {made->seed + 1};
    struct dense_joint *joints =
        ARENA_NEW(arena, struct dense_joint, made->joints);
    struct joint_transform *locals = ARENA_NEW(
        arena, struct joint_transform, (uint64_t)made->joints * made->frames);
    uint8_t *steps = ARENA_NEW(arena, uint8_t, made->joints);
    uint8_t *cuts = ARENA_NEW(arena, uint8_t, made->frames);
    const char **names = ARENA_NEW(arena, const char *, made->float_tracks);
    float *floats =
        ARENA_NEW(arena, float, (uint64_t)made->float_tracks * made->frames);
    uint8_t *float_steps = ARENA_NEW(arena, uint8_t, made->float_tracks);

    for (uint32_t j = 0; j < made->joints; j++) {
        struct swing s;

        for (int k = 0; k < 3; k++) {
            s.rest[k] = (unit(&random) - 0.5) * 0.5;
            s.size[k] = unit(&random);
            s.period[k] = 10 + 60 * unit(&random);
            s.phase[k] = unit(&random);
        }
        /* Every eighth joint does not move. */
        for (int k = 0; !made->has_all && j % 8 == 7 && k < 3; k++)
            s.size[k] = 0;
        joints[j] = (struct dense_joint){
            .name = arena_format(arena, "joint.%u.%s", j, j % 2 ? "L" : "R"),
            .parent = j == 0 ? -1 : (int32_t)(j % 5 == 0 ? j / 5 : j - 1),
            .rest = {
                .translation = {0.02 * (j % 3), 0.1 + 0.1 * unit(&random), 0},
                .scale = {1, 1, 1}}};
        rotate(s.rest, joints[j].rest.rotation);
        steps[j] = made->has_steps && j % 4 == 2 ? 7 : 0;
        for (uint32_t f = 0; f < made->frames; f++) {
            const double jump = !made->has_cuts || f < 5 ? 0 : f < 20 ? 31 : 77;
            const double time = (steps[j] ? f / 8 * 8 : f) + jump;

            make_pose(made, j, time, &s, &joints[j].rest,
                      &locals[(size_t)f * made->joints + j]);
        }
    }
    for (uint32_t i = 0; i < made->float_tracks; i++) {
        names[i] = arena_format(arena, "weight %u", i);
        float_steps[i] = made->has_steps && i % 2 == 1;
        for (uint32_t f = 0; f < made->frames; f++)
            floats[(size_t)f * made->float_tracks + i] =
                i == 2 ? 0.25f : (float)wave(f / (10.0 + i));
    }
    for (uint32_t f = 0; f < made->frames; f++)
        cuts[f] = made->has_cuts && (f == 5 || f == 20);
    *clip = (struct dense_clip){
        .name = "made",
        .joint_count = made->joints,
        .joints = joints,
        .frame_count = made->frames,
        .rate_numerator = 30,
        .rate_denominator = 1,
        .locals = locals,
        .joint_is_step = steps,
        .frame_is_cut = cuts,
        .float_track_count = made->float_tracks,
        .float_track_names = names,
        .floats = floats,
        .float_is_step = float_steps,
    };
}
