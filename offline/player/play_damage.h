/* play_damage.h - frames that were not shown because they are damaged or
 * unreadable.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_DAMAGE_H
#define OFFLINE_PLAYER_PLAY_DAMAGE_H

#include "player/player.h"

/* Report the damage of all files at the end of a run: the first damaged file is
 * refused, the others are warnings. Fills the faults of the player's report. */
void play_damage_collect(struct player *player);

#endif
