/* play_drive.h - the emulated drive under `spindle play`.
 *
 * It wraps the platform of the run in the drive emulator, with the profile,
 * disc layout and faults of the options, and measures what the drive does while
 * the clips play. Calls come from the main thread.
 */
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
    spn_emulator *emulator; /* NULL: no drive is emulated */
    spn_emulator_fault *faults;
    spn_emulator_stats before; /* statistics when playback began */
    uint64_t origin_us;        /* time 0 of the faults, on the run's clock */
};

/* Fill a profile with one rate and one seek time, without rotation. */
void play_drive_constant(spn_drive_profile *out, double mb_per_s,
                         double seek_ms);

/* Wrap `platform` in the drive of the options: the named one; without a name
 * the constant one on the virtual clock, none on the real clock. Faults may lie
 * in files of `paks`; all files must fit on the disc. The runtime opens
 * `clip_files` others. `drive` is zeroed before.
 * Returns false after a refusal. */
bool play_drive_start(struct play_drive *drive, const struct play_options *o,
                      const struct play_paks *paks, uint32_t clip_files,
                      struct arena *arena, spn_platform *platform,
                      struct diag *diag);

/* Playback begins now. */
void play_drive_begin(struct play_drive *drive);
/* Store what the drive did since then. */
void play_drive_collect(const struct play_drive *drive,
                        struct play_report *report);
/* When the drive ends its current read; UINT64_MAX: it has none. */
uint64_t play_drive_due_us(const struct play_drive *drive);

#endif
