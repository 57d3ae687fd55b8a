/* clips_report.h - print the measurements of clips (played_clips.h). */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_CLIPS_REPORT_H
#define OFFLINE_SIMULATE_CLIPS_REPORT_H

#include "common/report.h"
#include "simulate/played_clips.h"

#include <stdio.h>

/* Print lines on stdout; nothing without clips. */
void clips_report_text(const struct clips_report *r);
/* Print the heads of a table of runs, and a row of it. */
void clips_report_head(FILE *file);
void clips_report_row(const struct clips_report *r, const char *order,
                      FILE *file);
/* Print the table of clips: those that played, at most 32, those with most
 * glitches first. */
void clips_report_table(const struct clips_report *r, FILE *file);
/* Add the object "clips"; nothing without clips. */
void clips_report_json(const struct clips_report *r, cJSON *json);

#endif
