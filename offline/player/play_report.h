/* play_report.h - print the measurements of a run (play.h) as text or JSON. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_REPORT_H
#define OFFLINE_PLAYER_PLAY_REPORT_H

#include "player/play.h"

/* Print lines on stdout. Both functions sort the waits in r->reads.tally. */
void play_report_text(struct play_report *r, bool is_virtual);
/* Print one object on stdout. Returns false when stdout cannot be written. */
bool play_report_json(struct play_report *r, bool is_virtual,
                      struct diag *diag);

#endif
