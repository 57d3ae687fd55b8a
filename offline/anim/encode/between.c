/* between.c - poses between frames. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/between.h"

#include "anim/encode/affine.h"
#include "anim/pose/anim_reference.h"

#include <math.h>
#include <string.h>

void between_original(const struct dense_clip *clip, uint32_t frame,
                      uint32_t joint, double u, struct joint_transform *t)
{
    const struct joint_transform *a =
        &clip->locals[(size_t)frame * clip->joint_count + joint];
    const struct joint_transform *b = a + clip->joint_count;
    const uint8_t step = clip->joint_is_step[joint];

    *t = *a;
    if (clip->frame_is_cut && clip->frame_is_cut[frame + 1])
        return;
    if (!(step & DENSE_STEP_ROTATION))
        quaternion_slerp(a->rotation, b->rotation, u, t->rotation);
    for (int k = 0; k < 3; k++) {
        if (!(step & DENSE_STEP_TRANSLATION))
            t->translation[k] += (b->translation[k] - a->translation[k]) * u;
        if (!(step & DENSE_STEP_SCALE))
            t->scale[k] += (b->scale[k] - a->scale[k]) * u;
    }
}

void between_to_model(const struct dense_clip *clip, uint32_t joint,
                      const struct affine *local, struct affine *all)
{
    const int32_t parent = clip->joints[joint].parent;

    if (parent < 0)
        all[joint] = *local;
    else
        affine_multiply(&all[parent], local, &all[joint]);
}

double between_distance(const struct affine *a, const struct affine *b)
{
    double largest = 0;

    for (int axis = 0; axis < 3; axis++) {
        double vertex[3] = {0};
        double p[3];
        double q[3];

        vertex[axis] = LATTICE_SHELL;
        affine_point(a, vertex, p);
        affine_point(b, vertex, q);
        largest = fmax(largest, distance_squared(p, q));
    }
    return sqrt(largest);
}

/* A frame and the time after it. */
struct moment {
    const struct lattice *lattice;
    uint32_t frame;
    float u;
    struct anim_slerp slerp[2];
};

/* The values of an animated part at both frames. */
static const int32_t *values_at(const struct moment *m, uint32_t joint,
                                uint32_t kind)
{
    return m->lattice->joints[joint].part[kind].values + (size_t)3 * m->frame;
}

static void decoded_rotation(const struct moment *m, uint32_t joint,
                             double rotation[4])
{
    const struct lattice_track *t =
        &m->lattice->joints[joint].part[ANIM_ROTATION];
    const int32_t *n;
    float d[4];
    float e[4];
    float q[4];

    if (t->form < ANIM_FORM_LINEAR) {
        lattice_still_rotation(m->lattice, joint, rotation);
        return;
    }
    n = values_at(m, joint, ANIM_ROTATION);
    spn__anim_rotation(t->step, n[0], n[1], n[2], d);
    spn__anim_rotation(t->step, n[3], n[4], n[5], e);
    if (t->form == ANIM_FORM_LINEAR)
        spn__anim_slerp(m->slerp, d, e, d);
    spn__anim_multiply(t->rotation_center, d, q);
    for (int k = 0; k < 4; k++)
        rotation[k] = (double)q[k];
}

static void decoded_vector(const struct moment *m, uint32_t joint,
                           uint32_t kind, double value[3])
{
    const struct lattice_track *t = &m->lattice->joints[joint].part[kind];
    const float offset = kind == ANIM_SCALE ? 1.0f : 0.0f;
    const int32_t *n;

    if (t->form < ANIM_FORM_LINEAR) {
        lattice_still_vector(m->lattice, joint, kind, value);
        return;
    }
    n = values_at(m, joint, kind);
    for (int k = 0; k < 3; k++) {
        const float from = offset + (float)n[k] * t->step;
        const float to = offset + (float)n[k + 3] * t->step;

        value[k] =
            (double)(t->form == ANIM_FORM_LINEAR ? from + (to - from) * m->u
                                                 : from);
    }
}

static double moment_error(const struct moment *m, struct affine *scratch,
                           double *errors)
{
    const struct dense_clip *clip = m->lattice->clip;
    struct affine *original = scratch;
    struct affine *decoded = scratch + clip->joint_count;
    double largest = 0;

    for (uint32_t j = 0; j < clip->joint_count; j++) {
        struct joint_transform t;
        struct affine local;
        double error;

        between_original(clip, m->frame, j, (double)m->u, &t);
        affine_make(&local, t.rotation, t.translation, t.scale);
        between_to_model(clip, j, &local, original);
        decoded_rotation(m, j, t.rotation);
        decoded_vector(m, j, ANIM_TRANSLATION, t.translation);
        decoded_vector(m, j, ANIM_SCALE, t.scale);
        affine_make(&local, t.rotation, t.translation, t.scale);
        between_to_model(clip, j, &local, decoded);
        error = between_distance(&original[j], &decoded[j]);
        errors[j] = fmax(errors[j], error);
        largest = fmax(largest, error);
    }
    return largest;
}

double between_error(const struct lattice *lattice, uint32_t frame,
                     struct affine *scratch, double *errors)
{
    const uint8_t *cuts = lattice->clip->frame_is_cut;
    double largest = 0;

    if (cuts && cuts[frame + 1])
        return 0;
    for (int i = 1; i < 4; i++) {
        struct moment m = {
            .lattice = lattice, .frame = frame, .u = (float)i / 4};

        spn__anim_slerp_init(&m.slerp[0], 1.0f - m.u);
        spn__anim_slerp_init(&m.slerp[1], m.u);
        largest = fmax(largest, moment_error(&m, scratch, errors));
    }
    return largest;
}
