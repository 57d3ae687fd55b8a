/* game_faults.h - what goes wrong with a drive, drawn from a seed. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_GAME_FAULTS_H
#define OFFLINE_SIMULATE_GAME_FAULTS_H

#include "simulate/load.h"

#include <spindle/emulator.h>
#include <stdint.h>

#define GAME_FAULTS_MAX 64u

/* Bad and unreadable sectors at places that are read, stalls, an open tray,
 * another disc; in turn. The spans of time begin within `us`. */
void game_faults_draw(const struct load *load, uint64_t us, uint64_t seed,
                      spn_emulator_fault *faults, uint32_t count);

#endif
