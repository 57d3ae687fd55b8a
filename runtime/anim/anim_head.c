/* anim_head.c - initial models, and steps. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_head.h"

#include "anim/anim_activity.h"
#include "base/assert.h"
#include "base/mem.h"

#define STEP_EXPONENT_MIN (-24)

/* Values to predict the first track from: usual ones. */
static const struct anim_head_track first_track = {
    .step_code = 96,
    .key_class = {7, 7, 7},
    .first_mean = {8, 8, 8},
};

void spn__anim_head_models_reset(struct anim_head_models *models)
{
    number_models_reset(models->kind, sizeof models->kind);
    number_models_reset(models->form, sizeof models->form);
    chance_reset(&models->is_wide, 1);
    for (int k = 0; k < ANIM_KINDS; k++) {
        models->last[k] = first_track;
        models->last_form[k] = ANIM_FORM_REST;
    }
}

float spn__anim_step(uint32_t step_code)
{
    /* 2^(i / 8). */
    static const float root[8] = {1.0f,         1.090507733f, 1.189207115f,
                                  1.296839555f, 1.414213562f, 1.542210825f,
                                  1.681792831f, 1.834008086f};
    const uint32_t bits =
        (uint32_t)(127 + STEP_EXPONENT_MIN + (int32_t)(step_code / 8)) << 23;
    float power;

    SPN_ASSERT(step_code < ANIM_STEP_CODES);
    memcpy(&power, &bits, sizeof power);
    return root[step_code % 8] * power;
}
