/* anim_head.c - initial models, steps, and names. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_head.h"

#include "anim/anim_activity.h"
#include "base/assert.h"
#include "base/mem.h"
#include "base/text.h"

#define STEP_EXPONENT_MIN (-24)

/* -- initial chances --
 *
 * A head is short: chances that begin at one half would not reach their values
 * in it. So they begin where they would be if all usual lengths of a number
 * were equally likely, and other lengths were rare. Chances here are in units
 * of 1/256.
 */

#define RARELY 16u
#define NEARLY_ALWAYS 248u

/* The usual lengths of a number (number_model.h). */
struct usual {
    uint32_t shortest;
    uint32_t longest;
};

static void set_chance(struct chance *chance, uint32_t value)
{
    chance->fast = (uint16_t)(value << 8);
    chance->steady = chance->fast;
}

/* A chance is that of a length n among n and all longer ones. */
static void set_lengths(struct number_model *model, struct usual usual)
{
    for (uint32_t n = 0; n < usual.shortest; n++)
        set_chance(&model->longer[n], RARELY);
    for (uint32_t n = usual.shortest; n < usual.longest; n++)
        set_chance(&model->longer[n], 256 / (usual.longest - n + 1));
    set_chance(&model->longer[usual.longest], NEARLY_ALWAYS);
}

static void set_numbers(struct anim_kind_models *models)
{
    /* Steps of constants follow from the reach of their joint, which differs;
     * those of tracks resemble each other. */
    set_lengths(&models->step[0], (struct usual){4, 7});
    set_lengths(&models->step[1], (struct usual){1, 6});
    /* The centre of a track is rounded to a part of its range, 2^4 to 2^15
     * steps; a constant is as exact as its step, 2^-12 to 2^-20 of 1. */
    set_lengths(&models->shift, (struct usual){3, 4});
    set_lengths(&models->center[0], (struct usual){12, 20});
    set_lengths(&models->center[1], (struct usual){0, 11});
    /* Their differences are below 16. */
    set_lengths(&models->key_class, (struct usual){0, 4});
    set_lengths(&models->first_mean, (struct usual){0, 4});
}

/* A part mostly has the form of the same part of the joint before. Translations
 * and scales mostly rest, and few tracks have steps. */
static void set_forms(struct anim_head_models *models, uint32_t kind)
{
    const bool is_rotation = kind == ANIM_ROTATION;

    for (uint32_t before = 0; before < 4; before++) {
        struct chance *chances = models->form[kind][before];

        /* Not animated; then at rest; or then without steps. */
        if (before >= ANIM_FORM_LINEAR)
            set_chance(&chances[1], is_rotation ? 64 : 128);
        else
            set_chance(&chances[1], is_rotation ? 192 : 240);
        set_chance(&chances[2], before == ANIM_FORM_CONSTANT ? 32 : 224);
        set_chance(&chances[3], before == ANIM_FORM_STEP ? 128 : 240);
    }
}

/* Values to predict the first track from. */
static const struct anim_head_track first_track = {
    .step_code = 96, /* 2^-12 */
    .key_class = {7, 7, 7},
    .first_mean = {8, 8, 8},
};

void spn__anim_head_models_reset(struct anim_head_models *models)
{
    number_models_reset(models->kind, sizeof models->kind);
    number_models_reset(models->form, sizeof models->form);
    chance_reset(&models->is_wide, 1);
    number_models_reset(&models->names, sizeof models->names);
    for (uint32_t k = 0; k < ANIM_KINDS; k++) {
        /* Those of float tracks, which are few, stay at one half. */
        if (k != ANIM_FLOAT) {
            set_numbers(&models->kind[k]);
            set_forms(models, k);
        }
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

bool spn__anim_float_name_is_good(const char *name, size_t bytes)
{
    size_t at = 0;

    if (bytes == 0 || bytes >= ANIM_FLOAT_NAME_BYTES_MAX)
        return false;
    while (at < bytes) {
        const uint32_t count = spn__text_sequence(name + at, bytes - at);

        if (count == 0 || (uint8_t)name[at] < 0x20 || name[at] == 0x7f)
            return false;
        at += count;
    }
    return true;
}
