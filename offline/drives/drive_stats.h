/* drive_stats.h - difference of two statistics of an emulated drive. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DRIVE_STATS_H
#define OFFLINE_DRIVES_DRIVE_STATS_H

#include <spindle/emulator.h>

/* Subtract `before`, an earlier reading of the same drive. The longest delay
 * (latest_us) is kept as it is. */
void drive_stats_subtract(spn_emulator_stats *stats,
                          const spn_emulator_stats *before);

#endif
