/* lattice_center.c - the centres of rotation tracks, and the signs of
 * quaternions near half turns.
 *
 * From a frame to the next, a rotation takes the shorter arc. Near half turns
 * rounding could exchange the two arcs, so there the decoder takes the signs of
 * the quaternions as they are (anim_window.h), and the signs of such a pair of
 * frames must be those of the original arc. A parameter m can be stored with
 * either sign, but the one is long where the other is short. The centre of a
 * track with such pairs is that of several candidates with the shortest
 * parameters.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/affine.h"
#include "anim/encode/lattice.h"

#include <string.h>

/* Cosines of half the angle of pairs whose signs are chosen. The decoder's
 * limit is 1/16; the rest is for rounding. */
#define HALF_TURN 0.125
#define CANDIDATES 32u
/* Signs that make longer parameters are not chosen. */
#define LENGTH_MAX 16.0

static const double *rotation_at(const struct lattice *l, uint32_t frame,
                                 uint32_t joint)
{
    return l->clip->locals[(size_t)frame * l->clip->joint_count + joint]
        .rotation;
}

static double dot(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

void lattice_parameters(const double center[4], const double rotation[4],
                        int sign, double m[3])
{
    const double inverse[4] = {-center[0], -center[1], -center[2], center[3]};
    double d[4];
    double s;

    quaternion_multiply(inverse, rotation, d);
    s = sign != 0 ? sign : d[3] < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        m[k] = s * d[k] / (1 + s * d[3]);
}

double lattice_rotation_range(const struct lattice *l, uint32_t joint,
                              const double center[4], const int8_t *signs)
{
    double range = 0;

    for (uint32_t f = 0; f < l->clip->frame_count; f++) {
        double m[3];
        double length;

        lattice_parameters(center, rotation_at(l, f, joint),
                           signs ? signs[f] : 0, m);
        length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        /* Also what is not a number. */
        if (!(length < LENGTH_MAX))
            return LENGTH_MAX;
        range = fmax(range, length);
    }
    return range;
}

static void mean_rotation(const struct lattice *l, uint32_t joint,
                          double mean[4])
{
    memcpy(mean, rotation_at(l, 0, joint), 4 * sizeof *mean);
    for (uint32_t f = 1; f < l->clip->frame_count; f++) {
        const double *q = rotation_at(l, f, joint);
        const double c = dot(mean, q);

        for (int k = 0; k < 4; k++)
            mean[k] += c < 0 ? -q[k] : q[k];
    }
    quaternion_normalize(mean);
}

/* The sign of a frame relative to the frame before it, as the original arc has
 * it; 0: the arc is not near a half turn. */
static int arc_sign(const struct lattice *l, uint32_t joint, uint32_t frame)
{
    const uint8_t *cuts = l->clip->frame_is_cut;
    double c;

    if (frame == 0 || frame == l->clip->frame_count || (cuts && cuts[frame]))
        return 0;
    c = dot(rotation_at(l, frame - 1, joint), rotation_at(l, frame, joint));
    return fabs(c) >= HALF_TURN ? 0 : c < 0 ? -1 : 1;
}

/* Choose the signs of all frames: 0 where they do not matter. Frames that half
 * turns join change their signs together only; they get the shorter parameters.
 */
static void choose_signs(const struct lattice *l, uint32_t joint,
                         const double center[4], int8_t *signs)
{
    uint32_t first = 0;

    while (first < l->clip->frame_count) {
        uint32_t limit = first + 1;
        double least = 1;
        double most = -1;
        int sign = 1;

        for (uint32_t f = first; f < limit; f++) {
            const double c = dot(center, rotation_at(l, f, joint));
            const int next = arc_sign(l, joint, f + 1);

            signs[f] = (int8_t)sign;
            least = fmin(least, sign * c);
            most = fmax(most, sign * c);
            sign *= next;
            limit += next != 0;
        }
        if (limit == first + 1)
            signs[first] = 0;
        for (uint32_t f = first; f < limit; f++)
            signs[f] = (int8_t)(-most > least ? -signs[f] : signs[f]);
        first = limit;
    }
}

/* Take a centre if its parameters are shorter. */
static void try_center(const struct lattice *l, uint32_t joint,
                       struct lattice_track *t, const double rotation[4])
{
    /* Centres are stored by their shorter parameters. */
    const double sign = rotation[3] < 0 ? -1 : 1;
    const double center[4] = {sign * rotation[0], sign * rotation[1],
                              sign * rotation[2], sign * rotation[3]};
    double range;

    choose_signs(l, joint, center, t->signs);
    range = lattice_rotation_range(l, joint, center, t->signs);
    if (!(range < t->range))
        return;
    t->range = range;
    memcpy(t->middle, center, sizeof t->middle);
}

void lattice_choose_center(struct lattice *l, uint32_t joint,
                           struct arena *arena)
{
    struct lattice_track *t = &l->joints[joint].part[ANIM_ROTATION];
    uint32_t candidates = 0;
    double mean[4];

    mean_rotation(l, joint, mean);
    memcpy(t->middle, mean, sizeof mean);
    t->range = lattice_rotation_range(l, joint, mean, NULL);
    t->signs = NULL;
    if (l->clip->joint_is_step[joint] & DENSE_STEP_ROTATION)
        return;
    for (uint32_t f = 1; f < l->clip->frame_count; f++) {
        const double *a = rotation_at(l, f - 1, joint);
        const double *b = rotation_at(l, f, joint);
        const int sign = arc_sign(l, joint, f);
        double between[4];

        if (sign == 0 || candidates++ == CANDIDATES)
            continue;
        if (!t->signs) {
            t->signs = ARENA_NEW(arena, int8_t, l->clip->frame_count);
            t->range = LENGTH_MAX;
            try_center(l, joint, t, mean);
        }
        for (int k = 0; k < 4; k++)
            between[k] = a[k] + sign * b[k];
        quaternion_normalize(between);
        try_center(l, joint, t, a);
        try_center(l, joint, t, b);
        try_center(l, joint, t, between);
    }
    if (!t->signs)
        return;
    if (t->range < LENGTH_MAX) {
        choose_signs(l, joint, t->middle, t->signs);
        return;
    }
    /* No centre is good: arcs near half turns may be exchanged. */
    t->signs = NULL;
    t->range = lattice_rotation_range(l, joint, mean, NULL);
}
