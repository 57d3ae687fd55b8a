/* drive_chart.h - what a drive does over its disc, as text and as SVG. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_DRIVE_CHART_H
#define OFFLINE_DRIVES_DRIVE_CHART_H

#include "disc/drive.h"
#include "host/host.h"

#include <stdint.h>
#include <stdio.h>

/* At a place of the disc, 0 to `parts`: what a row or a point shows. */
struct drive_sample {
    double offset_mb;
    double radius_mm;
    double rate_mb_s;
    double turn_ms;
    double seek_ms;     /* from the start of the disc, half a turn included */
    double megabyte_ms; /* of a scattered read of 1 MB: half the disc away */
};
struct drive_sample drive_sample_at(const spn_drive_profile *p, uint32_t part,
                                    uint32_t parts);
/* Part of the stroke, there and half a turn. */
double drive_stroke_ms(const spn_drive_profile *p, double part);

/* One line each. */
void drive_chart_list(const spn_drive_profile *const *profiles, uint32_t count,
                      FILE *file);
void drive_chart_text(const spn_drive_profile *p, FILE *file);
/* Two panels, seek time and rate over the disc; needs nothing from outside. */
bool drive_chart_svg(const spn_drive_profile *const *profiles, uint32_t count,
                     struct host_output *output);

#endif
