/* clip_validate.h - compare a clip with the archive that it was made from. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLIP_VALIDATE_H
#define TESTS_SUPPORT_CLIP_VALIDATE_H

#include "compile/clip/clip.h"

/* Counts of compared values, and the largest errors. */
struct clip_validated {
    unsigned frames;
    unsigned long corners;
    unsigned long unsure_corners; /* corners of faces that occur twice */
    unsigned worlds;
    double position_worst; /* in units of the allowed error */
    double normal_worst;   /* in degrees */
    double normal_sum;
    unsigned long normals;
};

/* Compare all frames: nodes, boxes, every face corner of every mesh. Ends the
 * claim when something differs. */
void validate_clip(struct clip *clip, const struct abc_archive *archive,
                   const struct compile_options *options,
                   struct clip_validated *validated);

#endif
