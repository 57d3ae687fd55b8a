/* lattice_frame.c - quantizes a frame from the roots to the leaves. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/affine.h"
#include "anim/encode/between.h"
#include "anim/encode/lattice.h"

#include "anim/pose/anim_reference.h"

#include <string.h>

/* The neighbourhood of the joint that is quantized. */
struct step {
    struct lattice_frame *f;
    const struct lattice_joint *joint;
    uint32_t number;
    const struct joint_transform *local; /* original */
    const struct affine *original;       /* of the joint, to model space */
    const struct affine *parent;         /* decoded */
    double to_parent[3][3];              /* inverse of parent->linear */
    bool is_invertible;
    double translation[3]; /* decoded */
    double scale[3];       /* decoded */
    double origin[3];      /* decoded, in model space */
};

/* Corrections for errors of parents are at most so many times the precision.
 * Larger ones come from parents of very small scale, where they would not help.
 */
#define CORRECTION_MAX 10.0

/* Shorten a vector to at most `limit`. */
static void shorten(double v[3], double limit)
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);

    for (int k = 0; length > limit && k < 3; k++)
        v[k] *= limit / length;
}

/* A number in [-1/2, 1/2). */
static double random_number(struct lattice_frame *f)
{
    f->random = f->random * 1664525u + 1013904223u;
    return (double)(f->random >> 8) / 16777216.0 - 0.5;
}

static int32_t round_to(struct lattice_frame *f, double x, double limit)
{
    if (f->noise > 0)
        x += f->noise * random_number(f);
    return (int32_t)fmax(-limit, fmin(limit, rint(x)));
}

static int32_t *values_of(const struct step *s, uint32_t kind)
{
    int32_t *values = s->joint->part[kind].values;

    return values ? values + (size_t)3 * s->f->frame : NULL;
}

static bool is_animated(const struct lattice_track *t)
{
    return t->form >= ANIM_FORM_LINEAR;
}

static void quantize_translation(struct step *s)
{
    const struct lattice_track *t = &s->joint->part[ANIM_TRANSLATION];
    double wanted[3];

    if (!is_animated(t)) {
        lattice_still_vector(s->f->lattice, s->number, ANIM_TRANSLATION,
                             s->translation);
        return;
    }
    memcpy(wanted, s->local->translation, sizeof wanted);
    if (s->is_invertible) {
        double offset[3];
        double correction[3];

        for (int k = 0; k < 3; k++)
            offset[k] = s->original->origin[k] - s->parent->origin[k];
        affine_direction((const double(*)[3])s->to_parent, offset, correction);
        for (int k = 0; k < 3; k++)
            correction[k] -= wanted[k];
        shorten(correction,
                CORRECTION_MAX * s->f->lattice->precision / s->joint->scale);
        for (int k = 0; k < 3; k++)
            wanted[k] += correction[k];
    }
    for (int k = 0; k < 3; k++) {
        const int32_t n = round_to(s->f, wanted[k] / (double)t->step, 1 << 23);

        values_of(s, ANIM_TRANSLATION)[k] = n;
        s->translation[k] = (double)((float)n * t->step);
    }
}

static void quantize_scale(struct step *s)
{
    const struct lattice_track *t = &s->joint->part[ANIM_SCALE];

    if (!is_animated(t)) {
        lattice_still_vector(s->f->lattice, s->number, ANIM_SCALE, s->scale);
        return;
    }
    for (int k = 0; k < 3; k++) {
        const int32_t n =
            round_to(s->f, (s->local->scale[k] - 1) / (double)t->step, 32767);

        values_of(s, ANIM_SCALE)[k] = n;
        s->scale[k] = (double)(1.0f + (float)n * t->step);
    }
}

/* A point that is fixed in the joint's space, with its weight. */
struct target {
    double local[3];
    double wanted[3]; /* original place in model space */
    double weight;
};

static void get_target(const struct step *s, uint32_t i, struct target *t)
{
    const struct lattice *l = s->f->lattice;
    const size_t first = (size_t)s->f->frame * l->clip->joint_count;
    const struct lattice_target *other;

    *t = (struct target){.weight = 1};
    if (i < 3) {
        t->local[i] = LATTICE_SHELL;
        affine_point(s->original, t->local, t->wanted);
        return;
    }
    other = &s->joint->targets[i - 3];
    memcpy(t->local, other->local, sizeof t->local);
    memcpy(t->wanted, l->original[first + other->joint].origin,
           sizeof t->wanted);
    t->weight = s->f->target_weight;
}

/* Add a point to the normal equations of the small rotation `turn` (a vector)
 * that minimizes the weighted sum of |error + turn x arm|^2. */
static void add_target(const struct step *s, const struct target *t,
                       const struct affine *rotation, double matrix[3][3],
                       double side[3])
{
    double scaled[3];
    double arm[3]; /* in the parent's space */
    double moved[3];
    double error[3];
    double square;

    for (int k = 0; k < 3; k++)
        scaled[k] = t->local[k] * s->scale[k];
    affine_direction(rotation->linear, scaled, arm);
    affine_direction(s->parent->linear, arm, moved);
    for (int k = 0; k < 3; k++)
        moved[k] += s->origin[k] - t->wanted[k];
    affine_direction((const double(*)[3])s->to_parent, moved, error);
    square = arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            matrix[i][k] -= t->weight * arm[i] * arm[k];
        matrix[i][i] += t->weight * square;
    }
    side[0] += t->weight * (error[1] * arm[2] - error[2] * arm[1]);
    side[1] += t->weight * (error[2] * arm[0] - error[0] * arm[2]);
    side[2] += t->weight * (error[0] * arm[1] - error[1] * arm[0]);
}

/* The rotation that best moves the points to their places. */
static void aim(const struct step *s, double rotation[4])
{
    static const double none[3] = {0, 0, 0};
    static const double one[3] = {1, 1, 1};
    const uint32_t count = 3 + s->joint->target_count;
    double matrix[3][3] = {{0}};
    double inverse[3][3];
    double side[3] = {0};
    double turn[3];
    double q[4];
    struct affine original;

    memcpy(rotation, s->local->rotation, 4 * sizeof *rotation);
    if (!s->is_invertible)
        return;
    affine_make(&original, s->local->rotation, none, one);
    for (uint32_t i = 0; i < count; i++) {
        struct target t;

        get_target(s, i, &t);
        add_target(s, &t, &original, matrix, side);
    }
    for (int i = 0; i < 3; i++)
        matrix[i][i] *= 1.000001;
    if (!affine_invert((const double(*)[3])matrix, inverse))
        return;
    affine_direction((const double(*)[3])inverse, side, turn);
    shorten(turn, CORRECTION_MAX * s->f->lattice->precision / LATTICE_SHELL);
    for (int k = 0; k < 3; k++)
        q[k] = turn[k] / 2;
    q[3] = 1;
    quaternion_normalize(q);
    quaternion_multiply(q, rotation, rotation);
}

static void quantize_rotation(struct step *s, double rotation[4])
{
    const struct lattice_track *t = &s->joint->part[ANIM_ROTATION];
    int32_t *n = values_of(s, ANIM_ROTATION);
    double wanted[4];
    double m[3];
    double center[4];
    float d[4];
    float q[4];

    if (!is_animated(t)) {
        lattice_still_rotation(s->f->lattice, s->number, rotation);
        return;
    }
    aim(s, wanted);
    for (int k = 0; k < 4; k++)
        center[k] = (double)t->rotation_center[k];
    lattice_parameters(center, wanted, t->signs ? t->signs[s->f->frame] : 0, m);
    for (int k = 0; k < 3; k++)
        n[k] = round_to(s->f, m[k] / (double)t->step, 32767);
    spn__anim_rotation(t->step, n[0], n[1], n[2], d);
    spn__anim_multiply(t->rotation_center, d, q);
    for (int k = 0; k < 4; k++)
        rotation[k] = (double)q[k];
}

double lattice_quantize_frame(struct lattice_frame *f)
{
    const struct lattice *l = f->lattice;
    const size_t first = (size_t)f->frame * l->clip->joint_count;
    struct affine root;
    double largest = 0;

    affine_identity(&root);
    for (uint32_t j = 0; j < l->clip->joint_count; j++) {
        const int32_t parent = l->clip->joints[j].parent;
        struct step s = {
            .f = f,
            .joint = &l->joints[j],
            .number = j,
            .local = &l->clip->locals[first + j],
            .original = &l->original[first + j],
            .parent = parent < 0 ? &root : &f->decoded[parent],
        };
        double rotation[4];
        struct affine local;

        s.is_invertible = affine_invert(s.parent->linear, s.to_parent);
        quantize_translation(&s);
        quantize_scale(&s);
        affine_point(s.parent, s.translation, s.origin);
        quantize_rotation(&s, rotation);
        affine_make(&local, rotation, s.translation, s.scale);
        affine_multiply(s.parent, &local, &f->decoded[j]);
        f->errors[j] = between_distance(&f->decoded[j], s.original);
        largest = fmax(largest, f->errors[j]);
    }
    return largest;
}
