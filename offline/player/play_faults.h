/* play_faults.h - converts the faults of the command line to faults of the
 * drive emulator: finds the file of each, and the range of bytes in it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_FAULTS_H
#define OFFLINE_PLAYER_PLAY_FAULTS_H

#include "player/play.h"
#include "player/play_paks.h"

#include <spindle/emulator.h>

/* Convert options->faults; `out` has room for options->fault_count. A fault
 * names an operand or an entry of a pak, or the end of such a name. `out`
 * refers to texts of the options and the paks. Returns false after a refusal.
 */
bool play_faults_place(const struct play_options *options,
                       const struct play_paks *paks,
                       const spn_drive_profile *profile, struct arena *arena,
                       spn_emulator_fault *out, struct diag *diag);

#endif
