/* error_stats.c - errors of quantized values.
 *
 * The results never reach a cache, so they may differ between machines in the
 * last bits: the arc sine is the C library's.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/error_stats.h"

#include "compile/clip/clip.h"
#include "compile/math/arith.h"
#include "compile/math/quantize.h"
#include "compile/mesh/shape.h"

static void add_error(struct error_stats *stats, double error)
{
    stats->sum += error;
    stats->count++;
    if (error > stats->worst)
        stats->worst = error;
}

/* Positions and velocities. */
static void measure_vectors(const struct clip_mesh *mesh, enum channel channel,
                            const float *values, const uint16_t *packed,
                            struct error_stats *stats)
{
    const struct channel_range *range = &mesh->range[channel];

    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double square = 0;

        for (int i = 0; i < 3; i++) {
            size_t at = 3 * (size_t)v + (size_t)i;
            double error =
                mesh->mm_per_unit[i] *
                ((double)quantize_back(packed[at], range->min[i],
                                       range->size[i], range->bits[i]) -
                 values[at]);

            square += error * error;
        }
        add_error(stats, sqrt(square));
    }
}

static void measure_frames(const struct clip_mesh *mesh,
                           const struct vec3 *normals,
                           const struct vec3 *tangents, const int16_t *packed,
                           struct error_stats *stats)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const int16_t *q = packed + 4 * (size_t)v;
        double scale = 1 / sqrt((double)q[0] * q[0] + (double)q[1] * q[1] +
                                (double)q[2] * q[2] + (double)q[3] * q[3]);
        double x = q[0] * scale;
        double y = q[1] * scale;
        double z = q[2] * scale;
        double w = q[3] * scale;
        struct vec3 normal = vec3_make(2 * (x * z + w * y), 2 * (y * z - w * x),
                                       1 - 2 * (x * x + y * y));
        struct vec3 tangent = vec3_make(
            1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));

        add_error(stats, vec3_length(vec3_sub(normal, normals[v])));
        add_error(stats, vec3_length(vec3_sub(tangent, tangents[v])));
    }
}

static void measure_uvs(const struct clip_mesh *mesh, enum channel channel,
                        const float *values, const uint16_t *packed,
                        struct error_stats *stats)
{
    const struct channel_range *range = &mesh->range[channel];

    for (size_t i = 0; i < 2 * (size_t)mesh->vertex_count; i++)
        add_error(stats, fabs((double)quantize_back(
                                  packed[i], range->min[i % 2],
                                  range->size[i % 2], range->bits[i % 2]) -
                              values[i]));
}

static void measure_colors(const struct clip_mesh *mesh, const float *values,
                           const uint8_t *packed, struct error_stats *stats)
{
    for (size_t i = 0; i < 4 * (size_t)mesh->vertex_count; i++) {
        double value = values[i] > 1 ? 1 : values[i] > 0 ? values[i] : 0;

        add_error(stats, fabs(packed[i] / 255.0 - value));
    }
}

void error_stats_measure(const struct clip_mesh *mesh, enum channel channel,
                         const struct shape_frame *values, const void *packed,
                         struct error_stats *out)
{
    *out = (struct error_stats){0};
    switch (channel) {
    case CHANNEL_POSITION:
        measure_vectors(mesh, channel, values->positions, packed, out);
        break;
    case CHANNEL_QTANGENT:
        measure_frames(mesh, values->normals, values->tangents, packed, out);
        break;
    case CHANNEL_UV:
        measure_uvs(mesh, channel, values->uvs, packed, out);
        break;
    case CHANNEL_COLOR:
        measure_colors(mesh, values->colors, packed, out);
        break;
    case CHANNEL_SECOND_UV:
        measure_uvs(mesh, channel, values->second_uvs, packed, out);
        break;
    case CHANNEL_VELOCITY:
        measure_vectors(mesh, channel, values->velocities, packed, out);
        break;
    case CHANNEL_COUNT:
        break;
    }
}

void error_stats_add(struct error_stats *sum, const struct error_stats *more)
{
    sum->sum += more->sum;
    sum->count += more->count;
    if (more->worst > sum->worst)
        sum->worst = more->worst;
}

static double degrees(double chord)
{
    return 2 * asin(chord < 2 ? chord / 2 : 1) * (180 / ARITH_PI);
}

double error_stats_worst(const struct error_stats *stats, enum channel channel)
{
    return channel == CHANNEL_QTANGENT ? degrees(stats->worst) : stats->worst;
}

/* The mean chord has nearly the mean angle, since the angles are small. */
double error_stats_mean(const struct error_stats *stats, enum channel channel)
{
    double mean = stats->count > 0 ? stats->sum / (double)stats->count : 0;

    return channel == CHANNEL_QTANGENT ? degrees(mean) : mean;
}
