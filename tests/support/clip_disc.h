/* clip_disc.h - a runtime with a header image of clips on an emulated drive,
 * in virtual time. Ends the program when something fails. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CLIP_DISC_H
#define TESTS_CLIP_DISC_H

#include "support/slow_platform.h"

#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stdint.h>

#define CLIP_DISC_TICK_US 16667u
#define CLIP_DISC_DRIVE "x360_dvd12x"

struct clip_disc {
    struct slow_platform disc;
    spn_platform platform;
    spn_emulator *emulator;
    void *emulator_memory;
    spn_config config;
    void *memory;
    spn_runtime *rt;
};

/* Make an empty disc. The caller adds files to disc.disc, in the order in which
 * they lie there. */
void clip_disc_init(struct clip_disc *disc);
/* Start a runtime with a heap of 64 MiB and room for `clips` clips, and open
 * the image. */
void clip_disc_open(struct clip_disc *disc, uint32_t clips, const char *image);
void clip_disc_close(struct clip_disc *disc);

/* One update, `us` later. */
void clip_disc_tick(struct clip_disc *disc, uint32_t us);
spn_anim_skeleton clip_disc_skeleton(struct clip_disc *disc, const char *path);

_Noreturn void clip_disc_fail(const char *what);

#endif
