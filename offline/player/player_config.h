/* player_config.h - the configuration of the runtime for a run. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAYER_CONFIG_H
#define OFFLINE_PLAYER_PLAYER_CONFIG_H

#include "player/player.h"

/* Fill `config` for the options and the headers of the files. The drive and the
 * platform of the player are set up before. Returns false after a refusal. */
bool player_config_make(struct player *player, spn_config *config);

/* Set the tuning variables of the options. Returns false after a refusal: the
 * runtime does not take a value, or nothing could be played with it. */
bool player_config_tune(struct player *player);

#endif
