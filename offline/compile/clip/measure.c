/* measure.c - errors of quantized values, for the report alone.
 *
 * Nothing of this reaches a file, so the C library's arc sine is good enough.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/measure.h"

#include "compile/clip/clip.h"
#include "compile/math/arith.h"
#include "compile/math/quantize.h"
#include "compile/mesh/shape.h"

static void take(struct measure *m, double error)
{
    m->sum += error;
    m->count++;
    if (error > m->worst)
        m->worst = error;
}

/* Positions and velocities. */
static void measure_vectors(const struct clip_mesh *mesh, enum channel channel,
                            const float *values, const uint16_t *packed,
                            struct measure *m)
{
    const struct channel_range *range = &mesh->range[channel];

    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double square = 0;

        for (int i = 0; i < 3; i++) {
            size_t at = 3 * (size_t)v + (size_t)i;
            double error =
                mesh->millimetres[i] *
                ((double)quantize_back(packed[at], range->min[i],
                                       range->size[i], range->bits[i]) -
                 values[at]);

            square += error * error;
        }
        take(m, sqrt(square));
    }
}

static void measure_frames(const struct clip_mesh *mesh,
                           const struct vec3 *normals,
                           const struct vec3 *tangents, const int16_t *packed,
                           struct measure *m)
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

        take(m, vec3_length(vec3_sub(normal, normals[v])));
        take(m, vec3_length(vec3_sub(tangent, tangents[v])));
    }
}

static void measure_uvs(const struct clip_mesh *mesh, enum channel channel,
                        const float *values, const uint16_t *packed,
                        struct measure *m)
{
    const struct channel_range *range = &mesh->range[channel];

    for (size_t i = 0; i < 2 * (size_t)mesh->vertex_count; i++)
        take(m, fabs((double)quantize_back(packed[i], range->min[i % 2],
                                           range->size[i % 2],
                                           range->bits[i % 2]) -
                     values[i]));
}

static void measure_colors(const struct clip_mesh *mesh, const float *values,
                           const uint8_t *packed, struct measure *m)
{
    for (size_t i = 0; i < 4 * (size_t)mesh->vertex_count; i++) {
        double value = values[i] > 1 ? 1 : values[i] > 0 ? values[i] : 0;

        take(m, fabs(packed[i] / 255.0 - value));
    }
}

void measure_channel(const struct clip_mesh *mesh, enum channel channel,
                     const struct shape_frame *fill, const void *packed,
                     struct measure *out)
{
    *out = (struct measure){0};
    switch (channel) {
    case CHANNEL_POSITION:
        measure_vectors(mesh, channel, fill->positions, packed, out);
        break;
    case CHANNEL_QTANGENT:
        measure_frames(mesh, fill->normals, fill->tangents, packed, out);
        break;
    case CHANNEL_UV:
        measure_uvs(mesh, channel, fill->uvs, packed, out);
        break;
    case CHANNEL_COLOR:
        measure_colors(mesh, fill->colors, packed, out);
        break;
    case CHANNEL_SECOND_UV:
        measure_uvs(mesh, channel, fill->second_uvs, packed, out);
        break;
    case CHANNEL_VELOCITY:
        measure_vectors(mesh, channel, fill->velocities, packed, out);
        break;
    case CHANNEL_COUNT:
        break;
    }
}

void measure_add(struct measure *sum, const struct measure *more)
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

double measure_worst(const struct measure *measure, enum channel channel)
{
    return channel == CHANNEL_QTANGENT ? degrees(measure->worst)
                                       : measure->worst;
}

/* Of small angles the chord is the angle. */
double measure_mean(const struct measure *measure, enum channel channel)
{
    double mean =
        measure->count > 0 ? measure->sum / (double)measure->count : 0;

    return channel == CHANNEL_QTANGENT ? degrees(mean) : mean;
}
