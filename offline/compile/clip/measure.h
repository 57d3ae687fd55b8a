/* measure.h - what quantizing a channel costs in precision.
 *
 * Positions in millimetres at the largest scale of the mesh in the world,
 * velocities in millimetres per second at that scale,
 * normals and tangents as the length of the chord between unit vectors,
 * texture coordinates and colours in their own units.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_MEASURE_H
#define OFFLINE_COMPILE_CLIP_MEASURE_H

#include "codec/channel.h"

#include <stdint.h>

struct clip_mesh;
struct shape_frame;

struct measure {
    double worst;
    double sum;
    uint64_t count;
};

/* Compare the packed values of a channel with what they were packed from. */
void measure_channel(const struct clip_mesh *mesh, enum channel channel,
                     const struct shape_frame *fill, const void *packed,
                     struct measure *out);

void measure_add(struct measure *sum, const struct measure *more);
/* In millimetres, degrees or units of the value; 0 where nothing was
 * measured. */
double measure_worst(const struct measure *measure, enum channel channel);
double measure_mean(const struct measure *measure, enum channel channel);

#endif
