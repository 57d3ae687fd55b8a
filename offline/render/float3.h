/* float3.h - vectors of three floats. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_FLOAT3_H
#define OFFLINE_RENDER_FLOAT3_H

static inline float float3_dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* `out` must not be a or b. */
static inline void float3_cross(const float a[3], const float b[3],
                                float out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
