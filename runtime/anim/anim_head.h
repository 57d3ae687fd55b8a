/* anim_head.h - the coded head of a clip: which parts of joints are animated,
 * and how their tracks are quantized.
 *
 * The head is one stream of the adaptive range coder (base/range_coder.h):
 *
 *   level factors   4 numbers of 4 bits: levels 1 to 4 (anim_activity.h)
 *   joints          for each joint: rotation, translation, scale
 *   float tracks
 *   names           of the float tracks (anim_name_reader.h): UTF-8 of 1 to 511
 *                   bytes without control characters; two may be equal
 *
 * Each part is its form and, unless it rests, its track (anim_model.h). The
 * initial chances are in anim_head.c.
 *
 * VALUES of a track are integers times a step, 2^(step_code / 8 - 24), where
 * 2^(1/8) ... 2^(7/8) are the nearest floats. The centre of a track is
 * center * 2^shift steps. A constant has the value of its centre. Only the
 * centre of a rotation track is a rotation of its own: anim_window.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_HEAD_H
#define SPN_ANIM_ANIM_HEAD_H

#include "codec/lift/number_model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum anim_kind {
    ANIM_ROTATION,    /* steps of modified Rodrigues parameters */
    ANIM_TRANSLATION, /* metres */
    ANIM_SCALE,       /* difference to 1; a track has no centre */
    ANIM_FLOAT,
    ANIM_KINDS,
    /* A translation of 32 bits (anim_window.h): in the head a translation whose
     * is_wide is 1. */
    ANIM_WIDE = ANIM_KINDS,
    ANIM_LISTS
};

enum anim_form {
    ANIM_FORM_REST, /* a float track: its value is 0 */
    ANIM_FORM_CONSTANT,
    ANIM_FORM_LINEAR, /* animated, interpolated between frames */
    ANIM_FORM_STEP    /* animated, held until the next frame */
};

#define ANIM_STEP_CODES 256u
#define ANIM_SHIFT_MAX 23u
/* Integers of a value before its window's base: below 2^24 in magnitude. */
#define ANIM_VALUE_MAX ((1 << 24) - 1)

struct anim_head_track {
    uint32_t form;
    uint32_t is_wide;   /* animated translations only */
    uint32_t step_code; /* below ANIM_STEP_CODES */
    uint32_t shift;     /* at most ANIM_SHIFT_MAX; 0 of constants */
    int32_t center[3];  /* float track: [0] is the bits of a float */
    uint32_t key_class[3];
    uint32_t first_mean[3];
};

/* Chances of a kind; [1] of animated tracks, [0] of constants. */
struct anim_kind_models {
    struct number_model step[2];
    struct number_model shift; /* of tracks */
    struct number_model center[2];
    struct number_model key_class;
    struct number_model first_mean;
};

/* Bytes of the name of a float track, with its NUL. */
#define ANIM_FLOAT_NAME_BYTES_MAX 512u

/* Chances of names. */
struct anim_name_models {
    struct number_model common;
    struct chance text[256]; /* bytes, bit by bit */
};

/* The state of a coder of heads: 33 KiB. */
struct anim_head_models {
    struct anim_kind_models kind[ANIM_KINDS];
    struct chance form[ANIM_KINDS][4][4]; /* [kind][form before] */
    struct chance is_wide;
    struct anim_name_models names;
    /* Not chances: */
    struct anim_head_track last[ANIM_KINDS];
    uint8_t last_form[ANIM_KINDS];
    char name[ANIM_FLOAT_NAME_BYTES_MAX]; /* the last one, while reading */
};
void spn__anim_head_models_reset(struct anim_head_models *models);

/* The step of a code: 2^-24 to less than 2^8. */
float spn__anim_step(uint32_t step_code);

/* Whether a float track may have a name of `bytes` bytes without its NUL. */
bool spn__anim_float_name_is_good(const char *name, size_t bytes);

#endif
