/* evaluate.c - interpolate keys. */
/* SPDX-License-Identifier: MIT */
#include "anim/source/evaluate.h"

#include "anim/source/rotation.h"

#include <string.h>

/* Find the last key at or before a time that is not before the first key. */
static uint32_t find_key(const struct motion_channel *channel, double seconds)
{
    uint32_t low = 0;
    uint32_t high = channel->key_count;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (channel->times[middle] <= seconds)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static const double *value_of_key(const struct motion_channel *channel,
                                  uint32_t key)
{
    if (channel->interpolation == MOTION_CUBIC)
        return channel->values + (3 * (size_t)key + 1) * channel->width;
    return channel->values + (size_t)key * channel->width;
}

/* The spline of the values a and b with the tangents after a and before b. */
static void cubic(const struct motion_channel *channel, uint32_t key, double u,
                  double interval, double *out)
{
    const double *a = value_of_key(channel, key);
    const double *b = value_of_key(channel, key + 1);
    const double *after_a = a + channel->width;
    const double *before_b = b - channel->width;
    const double u2 = u * u;
    const double u3 = u2 * u;

    for (uint32_t i = 0; i < channel->width; i++)
        out[i] = (2 * u3 - 3 * u2 + 1) * a[i] +
                 interval * (u3 - 2 * u2 + u) * after_a[i] +
                 (3 * u2 - 2 * u3) * b[i] + interval * (u3 - u2) * before_b[i];
}

static void linear(const struct motion_channel *channel, uint32_t key, double u,
                   double *out)
{
    const double *a = value_of_key(channel, key);
    const double *b = value_of_key(channel, key + 1);

    if (channel->path == MOTION_ROTATION) {
        double unit_a[4];
        double unit_b[4];

        memcpy(unit_a, a, sizeof unit_a);
        memcpy(unit_b, b, sizeof unit_b);
        rotation_normalize(unit_a);
        rotation_normalize(unit_b);
        rotation_slerp(unit_a, unit_b, u, out);
        return;
    }
    for (uint32_t i = 0; i < channel->width; i++)
        out[i] = (1 - u) * a[i] + u * b[i];
}

void evaluate_channel(const struct motion_channel *channel, double seconds,
                      double *out)
{
    const uint32_t key =
        seconds > channel->times[0] ? find_key(channel, seconds) : 0;
    const double *value = value_of_key(channel, key);
    double interval = 0;
    double u = 0;

    if (key + 1 < channel->key_count && seconds > channel->times[key]) {
        interval = channel->times[key + 1] - channel->times[key];
        u = (seconds - channel->times[key]) / interval;
    }
    if (u == 0 || channel->interpolation == MOTION_STEP)
        memcpy(out, value, channel->width * sizeof *out);
    else if (channel->interpolation == MOTION_LINEAR)
        linear(channel, key, u, out);
    else
        cubic(channel, key, u, interval, out);
    if (channel->path == MOTION_ROTATION && !rotation_normalize(out)) {
        memcpy(out, value, channel->width * sizeof *out);
        rotation_normalize(out);
    }
}

void evaluate_locals(const struct motion *motion,
                     const struct motion_clip *clip, double seconds,
                     struct joint_transform *locals)
{
    for (uint32_t i = 0; i < motion->joint_count; i++)
        locals[i] = motion->joints[i].rest;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct motion_channel *channel = &clip->channels[i];
        struct joint_transform *local = &locals[channel->joint];

        switch (channel->path) {
        case MOTION_TRANSLATION:
            evaluate_channel(channel, seconds, local->translation);
            break;
        case MOTION_ROTATION:
            evaluate_channel(channel, seconds, local->rotation);
            break;
        case MOTION_SCALE:
            evaluate_channel(channel, seconds, local->scale);
            break;
        case MOTION_WEIGHTS:
            break;
        }
    }
}

void evaluate_models(const struct motion *motion,
                     const struct joint_transform *locals, double (*models)[16])
{
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        const uint32_t joint = motion->order[i];
        const struct motion_joint *source = &motion->joints[joint];
        double local[16];

        if (source->matrix)
            memcpy(local, source->matrix, sizeof local);
        else
            rotation_compose(&locals[joint], local);
        if (source->parent < 0)
            memcpy(models[joint], local, sizeof local);
        else
            rotation_matrix_multiply(models[source->parent], local,
                                     models[joint]);
    }
}
