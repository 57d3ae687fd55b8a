/* play_faults.h - find the files in which the faults of the options lie. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_FAULTS_H
#define OFFLINE_PLAYER_PLAY_FAULTS_H

#include "player/play.h"
#include "player/play_paks.h"

#include <spindle/emulator.h>

/* Convert the options' faults to faults of the emulator, one each in `out`. A
 * fault names an operand or an entry of a pak, or the end of such a name. `out`
 * points to names in the options and the paks. Returns false after a refusal.
 */
bool play_faults_place(const struct play_options *options,
                       const struct play_paks *paks,
                       const spn_drive_profile *profile,
                       spn_emulator_fault *out, struct diag *diag);

#endif
