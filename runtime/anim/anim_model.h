/* anim_model.h - the models with which heads of clips and bodies of skeletons
 * are coded.
 *
 * A file that includes it is a reader or a writer: number_coder.h explains how.
 * anim_head_reader.c and anim_skeleton.c read, head_writer.c of the compiler
 * writes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_MODEL_H
#define SPN_ANIM_ANIM_MODEL_H

#include "anim/anim_activity.h"
#include "anim/anim_head.h"
#include "codec/lift/number_coder.h"

/* A value of few bits whose bits are coded from high to low; each has a chance
 * for each value of the bits above it. `chances` has 2^count elements. */
static inline uint32_t code_tree(struct coder *c, struct chance *chances,
                                 uint32_t count, uint32_t x)
{
    uint32_t top = 1;

    for (uint32_t i = count; i-- > 0;)
        top = top << 1 | code_bit(c, &chances[top], x >> i & 1);
    return top - (1u << count);
}

/* A float: sign and exponent as a number, then the mantissa. */
static inline uint32_t code_float(struct coder *c, struct number_model *m,
                                  uint32_t bits)
{
    const uint32_t high = code_number(c, m, bits >> 23) & 511u;

    return high << 23 | code_even(c, 23, bits & 0x7fffffu);
}

/* A track of a joint, or the constant of one. `last` has the values that were
 * coded before with the same models, and is updated. */
static inline void code_track(struct coder *c, struct anim_head_models *models,
                              enum anim_kind kind, struct anim_head_track *t)
{
    struct anim_kind_models *m = &models->kind[kind];
    struct anim_head_track *last = &models->last[kind];
    const uint32_t animated = t->form >= ANIM_FORM_LINEAR;

    if (animated && kind == ANIM_TRANSLATION)
        t->is_wide = code_bit(c, &models->is_wide, t->is_wide);
    t->step_code =
        code_near(c, &m->step[animated], last->step_code, t->step_code);
    if (!animated || kind != ANIM_SCALE) {
        if (animated)
            t->shift = code_number(c, &m->shift, t->shift);
        for (int k = 0; k < 3; k++)
            t->center[k] = (int32_t)code_near(c, &m->center[animated], 0,
                                              (uint32_t)t->center[k]);
    }
    if (animated)
        for (int k = 0; k < 3; k++) {
            t->key_class[k] = code_near(c, &m->key_class, last->key_class[k],
                                        t->key_class[k]);
            t->first_mean[k] = code_near(c, &m->first_mean, last->first_mean[k],
                                         t->first_mean[k]);
        }
    else
        for (int k = 0; k < 3; k++) {
            t->key_class[k] = last->key_class[k];
            t->first_mean[k] = last->first_mean[k];
        }
    *last = *t;
}

/* A float track: `center` is the bits of its value at 0. */
static inline void code_float_track(struct coder *c,
                                    struct anim_head_models *models,
                                    struct anim_head_track *t)
{
    struct anim_kind_models *m = &models->kind[ANIM_FLOAT];
    struct anim_head_track *last = &models->last[ANIM_FLOAT];

    t->center[0] =
        (int32_t)code_float(c, &m->center[0], (uint32_t)t->center[0]);
    if (t->form < ANIM_FORM_LINEAR)
        return;
    t->step_code = code_near(c, &m->step[1], last->step_code, t->step_code);
    t->key_class[0] =
        code_near(c, &m->key_class, last->key_class[0], t->key_class[0]);
    t->first_mean[0] =
        code_near(c, &m->first_mean, last->first_mean[0], t->first_mean[0]);
    *last = *t;
}

/* The form of a part of a joint, or of a float track. It depends on the form of
 * the same part of the joint before. */
static inline uint32_t code_form(struct coder *c,
                                 struct anim_head_models *models,
                                 enum anim_kind kind, uint32_t form)
{
    struct chance *chances = models->form[kind][models->last_form[kind]];

    return models->last_form[kind] = (uint8_t)code_tree(c, chances, 2, form);
}

#endif
