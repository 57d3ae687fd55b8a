/* play_faults.h - faults of the files that a run plays from. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_FAULTS_H
#define OFFLINE_PLAYER_PLAY_FAULTS_H

#include "player/play.h"
#include "player/play_paks.h"

#include <spindle/emulator.h>

/* Where the options' faults lie, one each in `out`: a name is that of an
 * operand or of a pak, or the end of one. It lives as long as the options and
 * the paks. False after a refusal. */
bool play_faults_place(const struct play_options *options,
                       const struct play_paks *paks,
                       const spn_drive_profile *profile,
                       spn_emulator_fault *out, struct diag *diag);

#endif
