/* play_drive.h - the drive that a run reads from, and what it did. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_DRIVE_H
#define OFFLINE_PLAYER_PLAY_DRIVE_H

#include "drives/disc_layout.h"
#include "player/play.h"
#include "player/play_paks.h"

#include <spindle/emulator.h>

struct play_drive {
    spn_drive_profile profile;
    struct disc_layout layout;
    spn_emulator *emulator; /* NULL: there is none */
    void *memory;
    spn_emulator_fault *faults;
    spn_emulator_stats before; /* the show */
    uint64_t origin_us;        /* faults count from here */
};

/* A drive of one rate and one length of seek; nothing turns in it. */
void play_drive_constant(spn_drive_profile *out, double mb_per_s,
                         double seek_ms);

/* Put the drive of the options around `platform`: a named one, on the virtual
 * clock also the constant one, else none; with its faults, that may be in
 * `paks`, whose files must have room on it. Zeroed before. False after a
 * refusal. */
bool play_drive_start(struct play_drive *drive, const struct play_options *o,
                      const struct play_paks *paks, spn_platform *platform,
                      struct diag *diag);
/* After the runtime has shut down. */
void play_drive_finish(struct play_drive *drive);

/* The show begins. */
void play_drive_begin(struct play_drive *drive);
/* What it did since then. */
void play_drive_collect(const struct play_drive *drive,
                        struct play_report *report);
/* When a read ends; UINT64_MAX: there is none. */
uint64_t play_drive_due_us(const struct play_drive *drive);

#endif
