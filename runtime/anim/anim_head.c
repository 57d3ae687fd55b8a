/* anim_head.c - initial models, and steps. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_head.h"

#include "anim/anim_activity.h"
#include "base/assert.h"
#include "base/mem.h"

#define STEP_EXPONENT_MIN (-24)

/* -- initial chances --
 *
 * A head is short: chances that begin at one half would not reach their values
 * in it. So those of lengths of numbers and of forms begin where motion capture
 * and hand-made clips have them, in units of 1/256.
 */

#define KINDS 3u    /* rotation, translation, scale; float tracks have none */
#define MODELS 8u   /* number_models of anim_kind_models */
#define LENGTHS 12u /* longer[0..11] */

/* In the order of anim_kind_models: step, shift and centre, each of constants,
 * then of tracks; key class; first mean. */
static const uint8_t length_chances[KINDS][MODELS][LENGTHS] = {
    {
        {8, 8, 16, 40, 8, 176, 136, 248, 128, 128, 128, 128},
        {8, 24, 24, 64, 64, 208, 192, 248, 128, 128, 128, 128},
        {248, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128},
        {8, 8, 24, 160, 248, 128, 128, 128, 128, 128, 128, 128},
        {24, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 24},
        {80, 48, 64, 80, 88, 104, 96, 88, 72, 136, 160, 224},
        {32, 48, 80, 168, 248, 128, 128, 128, 128, 128, 128, 128},
        {32, 40, 80, 152, 248, 128, 128, 128, 128, 128, 128, 128},
    },
    {
        {120, 8, 8, 8, 8, 16, 248, 128, 128, 128, 128, 128},
        {40, 48, 48, 48, 184, 120, 240, 128, 128, 128, 128, 128},
        {248, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128},
        {8, 8, 8, 120, 248, 128, 128, 128, 128, 128, 128, 128},
        {24, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8},
        {56, 24, 32, 96, 80, 112, 136, 136, 104, 88, 72, 88},
        {32, 64, 104, 184, 248, 128, 128, 128, 128, 128, 128, 128},
        {40, 40, 56, 112, 248, 128, 128, 128, 128, 128, 128, 128},
    },
    {
        {120, 48, 48, 48, 48, 48, 208, 128, 128, 128, 128, 128},
        {64, 24, 56, 72, 112, 112, 216, 128, 128, 128, 128, 128},
        {224, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128},
        {248, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128},
        {152, 56, 224, 128, 128, 128, 128, 128, 128, 128, 128, 128},
        {248, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128},
        {192, 40, 48, 176, 216, 128, 128, 128, 128, 128, 128, 128},
        {192, 72, 96, 136, 216, 128, 128, 128, 128, 128, 128, 128},
    },
};

/* [kind][form before][node of the tree - 1] */
static const uint8_t form_chances[KINDS][4][3] = {
    {{200, 224, 248}, {192, 64, 248}, {56, 200, 248}, {152, 152, 128}},
    {{240, 248, 248}, {224, 240, 224}, {184, 240, 248}, {152, 152, 128}},
    {{248, 248, 208}, {224, 224, 128}, {40, 208, 248}, {152, 152, 128}},
};

static void set_chance(struct chance *chance, uint32_t value)
{
    chance->fast = (uint16_t)(value << 8);
    chance->steady = chance->fast;
}

static void set_chances(struct anim_head_models *models, uint32_t kind)
{
    struct anim_kind_models *k = &models->kind[kind];
    struct number_model *numbers[MODELS] = {
        &k->step[0],   &k->step[1],   &k->shift[0],  &k->shift[1],
        &k->center[0], &k->center[1], &k->key_class, &k->first_mean};

    for (uint32_t m = 0; m < MODELS; m++)
        for (uint32_t i = 0; i < LENGTHS; i++)
            set_chance(&numbers[m]->longer[i], length_chances[kind][m][i]);
    for (uint32_t before = 0; before < 4; before++)
        for (uint32_t i = 0; i < 3; i++)
            set_chance(&models->form[kind][before][i + 1],
                       form_chances[kind][before][i]);
}

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
    for (uint32_t k = 0; k < ANIM_KINDS; k++) {
        if (k < KINDS)
            set_chances(models, k);
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
