/* lattice.c - finds the steps of the lattices. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/lattice.h"

#include "anim/encode/affine.h"
#include "anim/encode/between.h"

#include <string.h>

#define PASSES 24u        /* that search */
#define COARSE_PASSES 10u /* of these, with large changes */
#define REPAIR_PASSES 24u /* at most, if none stayed within the precision */
#define TRIES 12u         /* to quantize a frame whose error is too large */
#define BETWEEN_TRIES 64u /* the same, when errors between frames count */
#define TARGET_WEIGHT 4.0
/* Errors are compared with a little less than the precision, because windows
 * are floats and this code computes in double. */
#define MARGIN 0.998
/* Limit of errors between frames, in units of the precision. */
#define BETWEEN_MARGIN 1.48
#define TARGET 0.985 /* of the limit, to aim at */
/* Steps of translations and scales, relative to those of rotations. */
#define VECTOR_STEP 0.8

struct search {
    struct lattice *lattice;
    struct lattice_frame frame;
    double *best;      /* [joint]: coarseness */
    double best_score; /* of all joints; higher is coarser */
    bool has_best;
    double *subtree;        /* [joint]: largest error of the subtree */
    bool has_between;       /* errors between frames count */
    double *between;        /* [joint]: these errors, metres */
    struct affine *scratch; /* [2 * joint] */
};

/* -- preparation -- */

static void find_children(struct lattice *l, struct arena *arena)
{
    const uint32_t joints = l->clip->joint_count;
    uint32_t *children = ARENA_NEW(arena, uint32_t, joints);
    uint32_t next = 0;

    for (uint32_t j = 0; j < joints; j++) {
        const int32_t parent = l->clip->joints[j].parent;

        if (parent >= 0)
            l->joints[parent].child_count++;
    }
    for (uint32_t j = 0; j < joints; j++) {
        l->joints[j].children = children + next;
        next += l->joints[j].child_count;
        l->joints[j].child_count = 0;
    }
    for (uint32_t j = 0; j < joints; j++) {
        const int32_t parent = l->clip->joints[j].parent;

        if (parent >= 0) {
            struct lattice_joint *p = &l->joints[parent];

            children[(size_t)(p->children - children) + p->child_count++] = j;
        }
    }
}

static void find_original(struct lattice *l, struct arena *arena)
{
    const uint32_t joints = l->clip->joint_count;

    l->original = ARENA_NEW(arena, struct affine,
                            (uint64_t)l->clip->frame_count * joints);
    for (uint32_t f = 0; f < l->clip->frame_count; f++)
        for (uint32_t j = 0; j < joints; j++) {
            const size_t first = (size_t)f * joints;
            const struct joint_transform *t = &l->clip->locals[first + j];
            struct affine local;

            affine_make(&local, t->rotation, t->translation, t->scale);
            between_to_model(l->clip, j, &local, &l->original[first]);
        }
}

/* -- passes -- */

/* Set all steps by the coarseness of joints. */
static void set_steps(struct lattice *l)
{
    for (uint32_t j = 0; j < l->clip->joint_count; j++) {
        struct lattice_joint *joint = &l->joints[j];
        /* 2^coarseness, to an eighth, from the exact table of steps. */
        const double c = fmax(-120, fmin(60, rint(joint->coarseness * 8)));
        const double unit = (double)spn__anim_step((uint32_t)(c + 160)) /
                            (double)spn__anim_step(160) * l->precision;
        const double arm = fmin(joint->reach, 1.5 * joint->bone);

        for (uint32_t kind = 0; kind < 3; kind++) {
            double step = unit * VECTOR_STEP / joint->scale;

            if (joint->part[kind].form < ANIM_FORM_LINEAR)
                continue;
            if (kind == ANIM_ROTATION)
                step = unit / (4 * joint->bone * 1.0000001);
            else if (kind == ANIM_SCALE)
                step /= arm;
            lattice_set_step(l, j, kind, step * 1.0000001);
        }
    }
}

/* Quantize a frame, with the errors between it and the frame before if they
 * count. Returns the larger error, where 1 is just within the precision. */
static double try_frame(struct search *s)
{
    struct lattice *l = s->lattice;
    const uint32_t joints = l->clip->joint_count;
    double error = lattice_quantize_frame(&s->frame) / (MARGIN * l->precision);

    for (uint32_t j = 0; s->has_between && j < joints; j++)
        s->between[j] = 0;
    if (s->has_between && s->frame.frame > 0)
        error = fmax(error, between_error(l, s->frame.frame - 1, s->scratch,
                                          s->between) /
                                (BETWEEN_MARGIN * l->precision));
    return error;
}

/* Quantize a frame, several times if its error is too large. Leaves the best
 * try, and its errors. */
static double quantize(struct search *s, uint32_t frame)
{
    static const double weights[3] = {TARGET_WEIGHT, 4 * TARGET_WEIGHT,
                                      TARGET_WEIGHT / 4};
    const uint32_t tries = s->has_between ? BETWEEN_TRIES : TRIES;
    struct lattice_frame *f = &s->frame;
    double best;
    struct lattice_frame best_try;

    f->frame = frame;
    f->target_weight = TARGET_WEIGHT;
    f->noise = 0;
    f->random = frame * 7919u + 13u;
    best_try = *f;
    best = try_frame(s);
    for (uint32_t i = 0; i < tries && best > 1; i++) {
        double error;
        struct lattice_frame now;

        f->target_weight = weights[i % 3];
        f->noise = 0.15 + 0.04 * i;
        now = *f;
        error = try_frame(s);
        if (error < best) {
            best = error;
            best_try = now;
        }
    }
    if (best > 1) {
        *f = best_try;
        best = try_frame(s);
    }
    return best;
}

/* Quantize all frames with the steps of now. */
static void run_pass(struct search *s)
{
    struct lattice *l = s->lattice;
    const uint32_t joints = l->clip->joint_count;

    set_steps(l);
    l->error = 0;
    for (uint32_t j = 0; j < joints; j++)
        l->joints[j].error = 0;
    for (uint32_t f = 0; f < l->clip->frame_count; f++) {
        l->error = fmax(l->error, quantize(s, f));
        for (uint32_t j = 0; j < joints; j++) {
            double *error = &l->joints[j].error;

            *error = fmax(*error, s->frame.errors[j] / (MARGIN * l->precision));
            if (s->has_between)
                *error = fmax(*error,
                              s->between[j] / (BETWEEN_MARGIN * l->precision));
        }
    }
}

/* How many bits a frame needs less, up to a constant. */
static double score(const struct lattice *l)
{
    double sum = 0;

    for (uint32_t j = 0; j < l->clip->joint_count; j++)
        for (int kind = 0; kind < 3; kind++)
            if (l->joints[j].part[kind].form >= ANIM_FORM_LINEAR)
                sum += 3 * l->joints[j].coarseness;
    return sum;
}

static void keep_if_best(struct search *s)
{
    struct lattice *l = s->lattice;
    const double sum = score(l);

    if (l->error > 1 || (s->has_best && sum <= s->best_score))
        return;
    s->has_best = true;
    s->best_score = sum;
    for (uint32_t j = 0; j < l->clip->joint_count; j++)
        s->best[j] = l->joints[j].coarseness;
}

/* Make steps coarser or finer by the errors of the pass. */
static void adjust(struct search *s, uint32_t pass)
{
    struct lattice *l = s->lattice;
    const double rate = pass < COARSE_PASSES ? 0.7 : 0.4;

    for (uint32_t j = l->clip->joint_count; j-- > 0;) {
        struct lattice_joint *joint = &l->joints[j];
        double change = 1;

        s->subtree[j] = joint->error;
        for (uint32_t i = 0; i < joint->child_count; i++)
            s->subtree[j] = fmax(s->subtree[j], s->subtree[joint->children[i]]);
        if (s->subtree[j] > 0)
            change = rate * binary_logarithm(TARGET / s->subtree[j]);
        joint->coarseness =
            fmax(-8, fmin(3, joint->coarseness + fmin(0.7, change)));
    }
}

/* Refine the steps of joints with too large errors, and of their parents, until
 * there are none. */
static void repair(struct search *s)
{
    struct lattice *l = s->lattice;
    const uint32_t joints = l->clip->joint_count;

    for (uint32_t i = 0; i < REPAIR_PASSES && l->error > 1; i++) {
        for (uint32_t j = joints; j-- > 0;) {
            const int32_t parent = l->clip->joints[j].parent;
            struct lattice_joint *joint = &l->joints[j];

            if (joint->error <= 1)
                continue;
            joint->coarseness = fmax(-10, joint->coarseness - 0.2);
            if (parent >= 0)
                l->joints[parent].error =
                    fmax(l->joints[parent].error, joint->error);
        }
        run_pass(s);
    }
}

bool lattice_has_scale(const struct lattice *lattice)
{
    for (uint32_t j = 0; j < lattice->clip->joint_count; j++)
        if (lattice->joints[j].part[ANIM_SCALE].form != ANIM_FORM_REST)
            return true;
    return false;
}

void lattice_make(struct lattice *lattice, const struct dense_clip *clip,
                  double precision, struct arena *arena)
{
    const uint32_t joints = clip->joint_count;
    struct search s = {
        .lattice = lattice,
        .frame = {.lattice = lattice,
                  .decoded = ARENA_NEW(arena, struct affine, joints),
                  .errors = ARENA_NEW(arena, double, joints)},
        .best = ARENA_NEW(arena, double, joints),
        .subtree = ARENA_NEW(arena, double, joints),
        .between = ARENA_NEW(arena, double, joints),
        .scratch = ARENA_NEW(arena, struct affine, (uint64_t)2 * joints),
    };

    *lattice = (struct lattice){
        .clip = clip,
        .precision = precision,
        .joints = ARENA_NEW(arena, struct lattice_joint, joints),
    };
    find_children(lattice, arena);
    find_original(lattice, arena);
    lattice_choose_forms(lattice, arena);
    lattice_find_targets(lattice, arena);
    for (uint32_t i = 0; i < PASSES; i++) {
        run_pass(&s);
        keep_if_best(&s);
        adjust(&s, i);
    }
    for (uint32_t j = 0; s.has_best && j < joints; j++)
        lattice->joints[j].coarseness = s.best[j];
    s.has_between = true;
    run_pass(&s);
    repair(&s);
}
