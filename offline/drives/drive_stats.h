/* drive_stats.h - what an emulated drive did, from one moment to another. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DRIVE_STATS_H
#define OFFLINE_DRIVES_DRIVE_STATS_H

#include <spindle/emulator.h>

/* Leave what was added since `before`. The longest delay stays. */
void drive_stats_subtract(spn_emulator_stats *stats,
                          const spn_emulator_stats *before);

#endif
