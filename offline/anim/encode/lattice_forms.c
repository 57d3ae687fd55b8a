/* lattice_forms.c - what rests, what is constant, what is animated; centres and
 * constants.
 *
 * A part rests, or is constant, if its deviation moves no virtual vertex by
 * more than STILL of the precision. Coarser limits gain little and leave less
 * to the tracks of the same chain.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/affine.h"
#include "anim/encode/lattice.h"

#include "anim/pose/anim_reference.h"

#include <float.h>
#include <string.h>

#define STILL 0.03
/* Constants are rounded to this part of the precision. */
#define CONSTANT 0.02
/* The centre of a track is rounded to this part of the range of its values. */
#define CENTER 0.25
/* The range of tracks with half turns, for that purpose. */
#define HALF_TURN_RANGE 0.05
/* Integers of a window, and of translations, with room for rounding. */
#define WINDOW_LIMIT 32000.0
#define VALUE_LIMIT 8000000.0
#define FINEST_STEP_CODE 8u /* of constants: values below 2^24 steps */

/* The largest step code whose step is at most `step`. */
static uint32_t step_code_at_most(double step)
{
    uint32_t code = 0;

    while (code + 1 < ANIM_STEP_CODES &&
           (double)spn__anim_step(code + 1) <= step)
        code++;
    return code;
}

/* The smallest step code whose step is at least `step`. */
static uint32_t step_code_at_least(double step)
{
    uint32_t code = 0;

    while (code + 1 < ANIM_STEP_CODES && (double)spn__anim_step(code) < step)
        code++;
    return code;
}

static const struct joint_transform *local_at(const struct lattice *l,
                                              uint32_t frame, uint32_t joint)
{
    return &l->clip->locals[(size_t)frame * l->clip->joint_count + joint];
}

static const double *vector_of(const struct joint_transform *t, uint32_t kind)
{
    return kind == ANIM_TRANSLATION ? t->translation : t->scale;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The step code of a constant that moves nothing farther than a part of the
 * precision. */
static uint32_t constant_code(double step)
{
    const uint32_t code = step_code_at_most(step);

    return code < FINEST_STEP_CODE ? FINEST_STEP_CODE : code;
}

/* Round a centre to multiples of 2^shift steps, and compute its rotation. */
static void set_center(struct lattice_track *t, uint32_t kind,
                       const double value[3])
{
    int32_t center[3];

    t->step = spn__anim_step(t->step_code);
    for (int k = 0; k < 3; k++) {
        const double unit = (double)t->step * (double)(1 << t->shift);
        const double limit = VALUE_LIMIT / (double)(1 << t->shift);

        t->center[k] =
            (int32_t)fmax(-limit, fmin(limit, rint(value[k] / unit)));
        center[k] = t->center[k] * (1 << t->shift);
    }
    if (kind == ANIM_ROTATION)
        spn__anim_rotation(t->step, center[0], center[1], center[2],
                           t->rotation_center);
}

static void choose_rotation(struct lattice *l, uint32_t joint,
                            struct arena *arena)
{
    static const double identity[4] = {0, 0, 0, 1};
    struct lattice_joint *j = &l->joints[joint];
    struct lattice_track *t = &j->part[ANIM_ROTATION];
    const double still = STILL * l->precision / (4 * j->scale * j->reach);
    double m[3];

    if (lattice_rotation_range(l, joint, l->clip->joints[joint].rest.rotation,
                               NULL) <= still)
        return;
    lattice_choose_center(l, joint, arena);
    t->form = t->range <= still ? ANIM_FORM_CONSTANT
              : l->clip->joint_is_step[joint] & DENSE_STEP_ROTATION
                  ? ANIM_FORM_STEP
                  : ANIM_FORM_LINEAR;
    if (t->form == ANIM_FORM_CONSTANT) {
        t->step_code = constant_code(still * CONSTANT / STILL);
        lattice_parameters(identity, t->middle, 0, m);
        set_center(t, ANIM_ROTATION, m);
    }
    t->step_code_min =
        step_code_at_least(fmax(t->range / WINDOW_LIMIT, 2 / VALUE_LIMIT));
    t->is_coarse =
        (double)spn__anim_step(t->step_code_min) * j->scale * j->reach >
        l->precision;
}

/* Bounds of a vector over frames [first, limit). */
static void bounds(const struct lattice *l, uint32_t joint, uint32_t kind,
                   uint32_t first, uint32_t limit, double low[3],
                   double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = DBL_MAX;
        high[k] = -DBL_MAX;
    }
    for (uint32_t f = first; f < limit; f++) {
        const double *v = vector_of(local_at(l, f, joint), kind);

        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], v[k]);
            high[k] = fmax(high[k], v[k]);
        }
    }
}

/* The finest step with which all values of a translation or scale fit. */
static double finest_step(const double low[3], const double high[3],
                          uint32_t kind)
{
    double step = 0;

    for (int k = 0; k < 3; k++) {
        if (kind == ANIM_SCALE)
            step = fmax(step, fmax(fabs(low[k] - 1), fabs(high[k] - 1)) /
                                  WINDOW_LIMIT);
        else
            step = fmax(step, fmax(fabs(low[k]), fabs(high[k])) / VALUE_LIMIT);
    }
    return step;
}

/* The finest step with which a translation fits into 16 bits, for segments of
 * any number of frames. */
static double finest_narrow_step(const struct lattice *l, uint32_t joint)
{
    const uint32_t frames = l->clip->frame_count;
    double step = 0;

    for (uint32_t f = 0; f < frames; f += ANIM_SEGMENT_FRAMES_MAX) {
        const uint32_t limit = frames - f < ANIM_SEGMENT_FRAMES_MAX
                                   ? frames
                                   : f + ANIM_SEGMENT_FRAMES_MAX;
        double low[3];
        double high[3];

        bounds(l, joint, ANIM_TRANSLATION, f, limit, low, high);
        for (int k = 0; k < 3; k++)
            step = fmax(step, (high[k] - low[k]) / WINDOW_LIMIT);
    }
    return step;
}

static void choose_vector(struct lattice *l, uint32_t joint, uint32_t kind)
{
    struct lattice_joint *j = &l->joints[joint];
    struct lattice_track *t = &j->part[kind];
    const struct joint_transform *rest_pose = &l->clip->joints[joint].rest;
    const double *rest = vector_of(rest_pose, kind);
    const double lever = kind == ANIM_SCALE ? j->reach : 1;
    const double still = STILL * l->precision / (j->scale * lever);
    const uint8_t step_bit =
        kind == ANIM_SCALE ? DENSE_STEP_SCALE : DENSE_STEP_TRANSLATION;
    double low[3];
    double high[3];
    double middle[3];
    double from_rest = 0;
    double range = 0;

    bounds(l, joint, kind, 0, l->clip->frame_count, low, high);
    for (int k = 0; k < 3; k++) {
        middle[k] = (low[k] + high[k]) / 2 - (kind == ANIM_SCALE ? 1 : 0);
        range = fmax(range, (high[k] - low[k]) / 2);
        from_rest = fmax(from_rest,
                         fmax(fabs(low[k] - rest[k]), fabs(high[k] - rest[k])));
    }
    if (from_rest <= still)
        return;
    t->form = range <= still                             ? ANIM_FORM_CONSTANT
              : l->clip->joint_is_step[joint] & step_bit ? ANIM_FORM_STEP
                                                         : ANIM_FORM_LINEAR;
    t->step_code_min = step_code_at_least(finest_step(low, high, kind));
    if (kind == ANIM_TRANSLATION)
        t->narrow_min = step_code_at_least(finest_narrow_step(l, joint));
    if (t->form == ANIM_FORM_CONSTANT) {
        t->step_code = constant_code(still * CONSTANT / STILL);
        if (t->step_code < t->step_code_min)
            t->step_code = t->step_code_min;
        set_center(t, kind, middle);
    }
}

void lattice_set_step(struct lattice *l, uint32_t joint, uint32_t kind,
                      double step)
{
    static const double identity[4] = {0, 0, 0, 1};
    struct lattice_track *t = &l->joints[joint].part[kind];
    double center[3] = {0};
    double range = 0;

    t->step_code = step_code_at_most(step);
    if (t->step_code < t->step_code_min)
        t->step_code = t->step_code_min;
    t->is_wide = t->step_code < t->narrow_min;
    t->shift = 0;
    if (kind == ANIM_ROTATION) {
        /* Steps that are powers of two make half turns about an axis exact. */
        if (t->signs && t->is_coarse) {
            t->step_code = t->step_code / 8 * 8;
            if (t->step_code < t->step_code_min)
                t->step_code += 8;
        }
        lattice_parameters(identity, t->middle, 0, center);
        /* Half turns need their centre more exactly. */
        range = t->signs ? fmin(t->range, HALF_TURN_RANGE) : t->range;
    } else if (kind == ANIM_TRANSLATION) {
        double low[3];
        double high[3];

        bounds(l, joint, kind, 0, l->clip->frame_count, low, high);
        for (int k = 0; k < 3; k++) {
            center[k] = (low[k] + high[k]) / 2;
            range = fmax(range, (high[k] - low[k]) / 2);
        }
    }
    while (t->shift < ANIM_SHIFT_MAX &&
           (double)spn__anim_step(t->step_code) * (double)(2 << t->shift) <=
               CENTER * range)
        t->shift++;
    set_center(t, kind, center);
}

/* How far a joint's own errors move virtual vertices. */
static void measure_joint(struct lattice *l, uint32_t joint)
{
    struct lattice_joint *j = &l->joints[joint];
    const uint32_t joints = l->clip->joint_count;
    const int32_t parent = l->clip->joints[joint].parent;

    j->reach = LATTICE_SHELL;
    j->scale = 1;
    for (uint32_t f = 0; f < l->clip->frame_count; f++) {
        const struct affine *frame = l->original + (size_t)f * joints;

        for (int k = 0; parent >= 0 && k < 3; k++) {
            const double column[3] = {frame[parent].linear[0][k],
                                      frame[parent].linear[1][k],
                                      frame[parent].linear[2][k]};

            j->scale = fmax(j->scale, length(column));
        }
    }
    for (uint32_t i = 0; i < j->child_count; i++) {
        const uint32_t child = j->children[i];
        double bone = 0;

        for (uint32_t f = 0; f < l->clip->frame_count; f++) {
            const struct affine *frame = l->original + (size_t)f * joints;

            bone = fmax(bone, distance_squared(frame[joint].origin,
                                               frame[child].origin));
        }
        bone = sqrt(bone);
        j->reach = fmax(j->reach, bone + l->joints[child].reach);
    }
}

void lattice_choose_forms(struct lattice *l, struct arena *arena)
{
    for (uint32_t i = l->clip->joint_count; i-- > 0;)
        measure_joint(l, i);
    for (uint32_t i = 0; i < l->clip->joint_count; i++) {
        choose_rotation(l, i, arena);
        choose_vector(l, i, ANIM_TRANSLATION);
        choose_vector(l, i, ANIM_SCALE);
        for (int kind = 0; kind < 3; kind++)
            if (l->joints[i].part[kind].form >= ANIM_FORM_LINEAR)
                l->joints[i].part[kind].values =
                    ARENA_NEW(arena, int32_t, (size_t)3 * l->clip->frame_count);
    }
}
