/* drive_chart.h - seek time and rate of a drive over its disc, printed.
 *
 * Input: drive profiles. Output: a list or table as text, or a chart as SVG.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DRIVE_CHART_H
#define OFFLINE_DRIVES_DRIVE_CHART_H

#include "host/host.h"

#include <spindle/drive_profile.h>
#include <stdint.h>
#include <stdio.h>

/* The drive at one position of the disc: a row of the table, a point of the
 * chart. */
struct drive_sample {
    double offset_mb;
    double radius_mm;
    double rate_mb_s;
    double rotation_ms; /* time of one rotation */
    double seek_ms;     /* from the start of the disc, and half a rotation */
    double megabyte_ms; /* to seek over half the disc and read 1 MB there */
};
/* The position is part / parts of the disc; part is 0..parts. */
struct drive_sample drive_sample_at(const spn_drive_profile *p, uint32_t part,
                                    uint32_t parts);
/* Milliseconds to seek over `part`, 0..1, of the full stroke, and half a
 * rotation. */
double drive_stroke_ms(const spn_drive_profile *p, double part);

/* Print one line for each drive. */
void drive_chart_list(const spn_drive_profile *const *profiles, uint32_t count,
                      FILE *file);
/* Print a table of one drive with bars. */
void drive_chart_text(const spn_drive_profile *p, FILE *file);
/* Write a self-contained SVG with two panels: seek time and rate over the disc.
 * Returns false when a write fails. */
bool drive_chart_svg(const spn_drive_profile *const *profiles, uint32_t count,
                     struct host_output *output);

#endif
