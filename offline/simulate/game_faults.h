/* game_faults.h - random faults of an emulated drive, drawn from a seed.
 *
 * Output: a fault table for the drive emulator (spindle/emulator.h). Fault i
 * has kind i modulo 5 of: bad sectors, unreadable sectors, stall, open tray,
 * swapped disc.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_GAME_FAULTS_H
#define OFFLINE_SIMULATE_GAME_FAULTS_H

#include "simulate/load.h"

#include <spindle/emulator.h>
#include <stdint.h>

#define GAME_FAULTS_MAX 64u

/* Fill `count` faults, at most GAME_FAULTS_MAX. Damaged sectors lie where the
 * load reads. Faults in time begin in the first `us` microseconds. */
void game_faults_draw(const struct load *load, uint64_t us, uint64_t seed,
                      spn_emulator_fault *faults, uint32_t count);

#endif
