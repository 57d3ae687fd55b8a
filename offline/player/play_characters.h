/* play_characters.h - the characters of play_clips.h: which clip each plays,
 * and when.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_CHARACTERS_H
#define OFFLINE_PLAYER_PLAY_CHARACTERS_H

#include "player/play_clips.h"

/* Distribute the clips over the characters. Returns false after a refusal: an
 * image has no such clip. */
bool play_characters_choose(struct play_clips *clips);

/* Play the first clip of each character. Returns false after a refusal. */
bool play_characters_start(struct play_clips *clips, uint64_t now_us);

#endif
