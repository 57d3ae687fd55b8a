/* clip_validate.h - compare a clip with the archive that it was made from. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLIP_VALIDATE_H
#define TESTS_SUPPORT_CLIP_VALIDATE_H

#include "compile/clip/clip.h"

/* How much was compared, and how far off it was at most. */
struct clip_validated {
    unsigned frames;
    unsigned long corners;
    unsigned long unsure_corners; /* on faces that occur twice */
    unsigned worlds;
    double position_worst; /* in units of what is allowed */
    double normal_worst;   /* degrees */
    double normal_sum;
    unsigned long normals;
};

/* All frames: nodes, boxes, every face corner of every mesh. Ends the claim
 * when something differs. */
void validate_clip(struct clip *clip, const struct abc_archive *archive,
                   const struct compile_options *options,
                   struct clip_validated *validated);

#endif
