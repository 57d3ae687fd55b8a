/* error_stats.h - the quantization error of a channel, for reports.
 *
 * Units of an error, by channel:
 *
 *   positions             millimetres, at the mesh's largest scale in the world
 *   velocities            millimetres per second, at the same scale
 *   normals, tangents     length of the chord between two unit vectors
 *   texture coordinates   their own unit
 *   colours               0..1
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_ERROR_STATS_H
#define OFFLINE_COMPILE_CLIP_ERROR_STATS_H

#include "codec/channel.h"

#include <stdint.h>

struct clip_mesh;
struct shape_frame;

/* Errors of one channel, in the units above. An error is the distance between a
 * vector and its quantized value; of texture coordinates and colours it is the
 * difference of one component. */
struct error_stats {
    double worst;
    double sum;
    uint64_t count; /* of the errors in `sum` */
};

/* Compare the quantized values of a channel with the values they were made
 * from. `out` is overwritten. */
void error_stats_measure(const struct clip_mesh *mesh, enum channel channel,
                         const struct shape_frame *values, const void *packed,
                         struct error_stats *out);

/* Add the errors of `more` to `sum`. */
void error_stats_add(struct error_stats *sum, const struct error_stats *more);

/* The worst and the mean error, those of QTangents converted to degrees. 0 if
 * nothing was measured. */
double error_stats_worst(const struct error_stats *stats, enum channel channel);
double error_stats_mean(const struct error_stats *stats, enum channel channel);

#endif
