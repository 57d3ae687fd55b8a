/* made_anim.h - the animation clips of the simulator's disc.
 *
 * Some are encoded motion, the others bytes that mean nothing. Clips lie in two
 * databases, or are files of their own; a header image has all of them. A pak
 * has all these files.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_MADE_ANIM_H
#define TESTS_SIM_MADE_ANIM_H

#include <stdbool.h>
#include <stdint.h>

#define MADE_ANIM_DATABASES 2u
#define MADE_ANIM_FILES 6u /* clips that are files of their own */
/* Of these the first ones are encoded motion. */
#define MADE_ANIM_REAL 3u
#define MADE_ANIM_CLIPS 16u
/* Most bytes of a clip, and of a database. */
#define MADE_ANIM_BYTES_MAX 160000u
#define MADE_ANIM_DATABASE_BYTES_MAX 300000u

struct made_disc;
struct pose_reference;

struct made_anim {
    const char *name;
    const uint8_t *data;
    uint32_t bytes;
    uint32_t file;     /* of the disc */
    uint32_t database; /* 1 or 2; 0: a file of its own */
    bool is_real;      /* encoded motion */
    bool loops;        /* plays of it go on, unless they say otherwise */
    /* Time to the last frame, and of a pass in a loop, rounded down. */
    int64_t last_us;
    int64_t period_us;
};

void made_anim_make(struct made_disc *disc);
/* Decodes one of the first MADE_ANIM_REAL clips. */
struct pose_reference *made_anim_reference(uint32_t clip);

#endif
