/* play_report.h - what `spindle play` prints. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_REPORT_H
#define OFFLINE_PLAYER_PLAY_REPORT_H

#include "player/play.h"

/* Both sort the waits that were tallied. */
void play_report_words(struct play_report *r, bool is_virtual);
/* One object on stdout. False when stdout refuses it. */
bool play_report_json(struct play_report *r, bool is_virtual,
                      struct diag *diag);

#endif
