/* fill.h - from quantized frames to the engine's vertices.
 *
 * Dequantize, interpolate, normalise, tangent frame, pack: for a run of
 * vertices of one tile, while it is warm in the cache. Float arithmetic in a
 * fixed order without contraction, so every machine writes the same bytes.
 *
 * QTangents: the quaternion's rotation takes x to the tangent, y to the
 * bitangent before reflection, z to the normal; bitangent = cross(normal,
 * tangent), negated where the vertex's reflection bit is set (handedness -1).
 * Two frames are interpolated by normalised lerp, the shorter way round.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_FILL_H
#define SPN_GEOM_FILL_H

#include "geom/cache_file.h"
#include "geom/channel.h"

#include <spindle/geom.h>
#include <stdint.h>

/* Decoded values of `count` vertices. Pointers are to the first vertex of the
 * run; a static channel has floor == ceil; NULL: the mesh has no such channel
 * (UVs, colours). */
struct fill_source {
    uint32_t count;
    const void *floor[CHANNEL_COUNT];
    const void *ceil[CHANNEL_COUNT];
    float alpha; /* 0..1, from floor to ceil */
    /* positions at the previous playback time; same as above */
    const void *previous_floor;
    const void *previous_ceil;
    float previous_alpha;
    const uint8_t *reflection; /* bits, low bit first; NULL: see mesh */
    uint32_t reflection_first; /* bit of the run's first vertex */
};

/* What the mesh's constants are, derived once per fill. */
struct fill_constants {
    float position_min[3];
    float position_step[3];
    float uv_min[2];
    float uv_step[2];
    uint8_t reflection; /* enum cache_reflection */
};
void spn__fill_constants(const struct cache_mesh *mesh,
                         struct fill_constants *out);

/* SIMD variants join behind this table; the scalar one is the specification.
 * A run is worked off in batches of FILL_BATCH vertices in SoA scratch. */
#define FILL_BATCH 64u
struct fill_ops {
    /* out[component][i], i < count <= FILL_BATCH; alpha 0: floor alone */
    void (*position)(float (*out)[FILL_BATCH], const uint16_t *floor,
                     const uint16_t *ceil, float alpha, uint32_t count,
                     const struct fill_constants *constants);
    void (*uv)(float (*out)[FILL_BATCH], const uint16_t *floor,
               const uint16_t *ceil, float alpha, uint32_t count,
               const struct fill_constants *constants);
    /* unit quaternions */
    void (*qtangent)(float (*out)[FILL_BATCH], const int16_t *floor,
                     const int16_t *ceil, float alpha, uint32_t count);
    /* out 0..255, not rounded */
    void (*color)(float (*out)[FILL_BATCH], const uint8_t *floor,
                  const uint8_t *ceil, float alpha, uint32_t count);
    /* rows of the rotation: normal[3], tangent[3] */
    void (*frame)(float (*normal)[FILL_BATCH], float (*tangent)[FILL_BATCH],
                  const float (*quaternion)[FILL_BATCH], uint32_t count);
};
void spn__fill_ops_init(struct fill_ops *ops, uint32_t cpu);

/* Write source->count vertices at `vertices`. The layout was checked. */
void spn__fill_run(const struct fill_ops *ops,
                   const struct fill_constants *constants,
                   const struct fill_source *source,
                   const spn_vertex_layout *layout, void *vertices);

#endif
