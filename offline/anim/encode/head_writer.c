/* head_writer.c - the writing side of anim_model.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/head_writer.h"

#include "compile/encode/entropy/model_writer.h"

#include "anim/anim_skeleton_model.h"
#include "anim/anim_wire.h"

#include <math.h>
#include <string.h>

/* -- names -- */

static void write_name(struct range_encoder *e, struct anim_name_models *models,
                       const char *before, const char *name)
{
    uint32_t common = 0;

    while (before[common] != 0 && before[common] == name[common])
        common++;
    code_number(e, &models->common, common);
    do
        code_tree(e, models->text, 8, (uint8_t)name[common]);
    while (name[common++] != 0);
}

/* -- clip -- */

static void write_part(struct range_encoder *e, struct anim_head_models *models,
                       const struct clip_rows *rows,
                       const struct lattice_track *part, uint32_t kind,
                       uint32_t joint)
{
    struct anim_head_track t = {.form = part->form,
                                .is_wide = part->is_wide,
                                .step_code = part->step_code,
                                .shift = part->shift};

    code_form(e, models, kind, t.form);
    if (t.form == ANIM_FORM_REST)
        return;
    memcpy(t.center, part->center, sizeof t.center);
    if (t.form >= ANIM_FORM_LINEAR) {
        const struct row_track *track =
            &rows->tracks[rows->track_of[4 * joint + kind]];

        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t place = track->place + k * track->stride;

            t.key_class[k] = rows->coding[place] >> 4;
            t.first_mean[k] = rows->coding[place] & 15u;
        }
    }
    code_track(e, models, kind, &t);
}

static void write_float(struct range_encoder *e,
                        struct anim_head_models *models,
                        const struct clip_rows *rows,
                        const struct float_lattice *part, uint32_t number)
{
    struct anim_head_track t = {.form = part->form,
                                .step_code = part->step_code};

    code_form(e, models, ANIM_FLOAT, t.form);
    if (t.form == ANIM_FORM_REST)
        return;
    memcpy(&t.center[0], &part->center, sizeof part->center);
    if (t.form >= ANIM_FORM_LINEAR) {
        const struct row_track *track =
            &rows->tracks[rows->track_of[4 * number + ANIM_FLOAT]];

        t.key_class[0] = rows->coding[track->place] >> 4;
        t.first_mean[0] = rows->coding[track->place] & 15u;
    }
    code_float_track(e, models, &t);
}

uint8_t *head_write(const struct clip_rows *rows, const struct lattice *lattice,
                    const struct float_lattice *floats, struct arena *arena,
                    size_t *bytes)
{
    struct anim_head_models *models =
        ARENA_NEW(arena, struct anim_head_models, 1);
    const struct dense_clip *clip = lattice->clip;
    struct range_encoder e;

    range_encoder_begin(&e, arena);
    spn__anim_head_models_reset(models);
    for (uint32_t l = 1; l + 1 < ANIM_LEVELS; l++)
        code_even(&e, 4, rows->level_code[l]);
    for (uint32_t j = 0; j < clip->joint_count; j++)
        for (uint32_t kind = 0; kind < 3; kind++)
            write_part(&e, models, rows, &lattice->joints[j].part[kind], kind,
                       j);
    for (uint32_t i = 0; i < clip->float_track_count; i++)
        write_float(&e, models, rows, &floats[i], i);
    for (uint32_t i = 0; i < clip->float_track_count; i++)
        write_name(&e, &models->names,
                   i > 0 ? clip->float_track_names[i - 1] : "",
                   clip->float_track_names[i]);
    range_encoder_end(&e);
    *bytes = e.count;
    return e.bytes;
}

/* -- skeleton -- */

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static struct anim_rest_bits rest_bits(const spn_anim_transform *rest)
{
    const float *q = rest->rotation;
    const float *s = rest->scale;
    struct anim_rest_bits bits = {
        .is_unrotated = q[0] == 0 && q[1] == 0 && q[2] == 0,
        .is_unscaled = s[0] == 1 && s[1] == 1 && s[2] == 1,
    };
    float sign;

    for (uint32_t k = 1; k < 4; k++)
        if (fabsf(q[k]) > fabsf(q[bits.largest]))
            bits.largest = k;
    sign = q[bits.largest] < 0 ? -1.0f : 1.0f;
    for (uint32_t k = 0, i = 0; k < 4; k++)
        if (k != bits.largest)
            bits.rotation[i++] = bits_of(sign * q[k]);
    for (int k = 0; k < 3; k++) {
        bits.translation[k] = bits_of(rest->translation[k]);
        bits.scale[k] = bits_of(s[k]);
    }
    return bits;
}

uint32_t skeleton_rest_pose_hash(const struct anim_skeleton *skeleton)
{
    struct checksum sum;

    spn__checksum_begin(&sum, ANIM_HASH_SEED);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const struct anim_rest_bits bits = rest_bits(&skeleton->rest[j]);

        hash_rest(&sum, &bits);
    }
    return spn__checksum_end(&sum);
}

uint8_t *skeleton_body_write(const struct anim_skeleton *skeleton,
                             struct arena *arena, size_t *bytes)
{
    struct anim_skeleton_models *models =
        ARENA_NEW(arena, struct anim_skeleton_models, 1);
    const char *before = "";
    struct range_encoder e;

    range_encoder_begin(&e, arena);
    number_models_reset(models, sizeof *models);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const char *name = skeleton->names + skeleton->name[j];
        const uint16_t parent = skeleton->parent[j];
        struct anim_rest_bits bits = rest_bits(&skeleton->rest[j]);

        code_number(&e, &models->parent,
                    parent == ANIM_NO_PARENT ? 0 : j - parent);
        write_name(&e, &models->names, before, name);
        code_rest(&e, models, &bits);
        before = name;
    }
    range_encoder_end(&e);
    *bytes = e.count;
    return e.bytes;
}
