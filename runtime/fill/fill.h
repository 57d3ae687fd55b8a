/* fill.h - convert quantized channels of decoded frames to the vertices of the
 * engine.
 *
 * The input is a run of vertices of one tile (fill_source): pointers to the
 * quantized channels in two frames, and the position between them. The output
 * is the engine's interleaved vertex buffer in a layout of its choice. For each
 * vertex the values are dequantized, interpolated, and packed; normals and
 * tangents are derived from QTangents. Bytes of a vertex that no attribute
 * covers are not touched. Every machine writes the same bytes.
 *
 * A QTangent is a unit quaternion. Its rotation maps the x axis to the tangent
 * and the z axis to the normal. The bitangent is cross(normal, tangent),
 * negated if the vertex's reflection bit is set (handedness -1). fill_ops.h has
 * the arithmetic. The module has no state. Any thread.
 *
 * The target is only written, never read: it may be memory that is slow to
 * read. So columns are computed beside it, and each attribute is stored once.
 *
 * Terms
 *
 *   floor, ceil  the two frames before and after the playback time
 *   alpha        position of the playback time between them, 0 to 1
 *   channel      one quantized property of all vertices: positions, QTangents,
 *                texture coordinates, colors, velocities (codec/channel.h)
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_H
#define SPN_FILL_FILL_H

#include "cache/cache_tables.h"
#include "codec/channel.h"
#include "fill/fill_ops.h"

#include <spindle/geom_layout.h>
#include <stdint.h>

/* A run of vertices. Channels may have any values: no value causes a trap or an
 * undefined conversion. */
struct fill_source {
    uint32_t count; /* vertices */
    /* Index of each vertex in the target, in the order of the source; NULL: the
     * same order. */
    const uint16_t *order;
    /* For each channel: values of the first vertex of the run in both frames.
     * The pointers of a static channel are equal. NULL: the mesh does not have
     * the channel. Positions and QTangents must not be NULL. */
    const void *floor[CHANNEL_COUNT];
    const void *ceil[CHANNEL_COUNT];
    float alpha; /* position from floor (0) to ceil (1); clamped */
    /* The same for positions at the previous playback time. previous_floor
     * NULL: the previous positions are the current ones. */
    const void *previous_floor;
    const void *previous_ceil;
    float previous_alpha;
    /* Positions in two frames. If the mesh has no channel of velocities, these
     * are computed from the difference; NULL: they are 0. */
    const void *velocity_floor;
    const void *velocity_ceil;
    float velocity_rate;       /* 1 / (seconds between these frames) */
    const uint8_t *reflection; /* one bit for each vertex, lowest bit first;
                                  NULL: fill_constants.reflection holds for
                                  all */
    uint32_t reflection_first; /* bit of the first vertex of the run */
};

/* Constants of a mesh. */
struct fill_constants {
    struct fill_range range[CHANNEL_COUNT];
    uint8_t reflection; /* enum cache_reflection */
};

/* Derive the constants from the mesh's table entry. */
void spn__fill_constants(const struct cache_mesh *mesh,
                         struct fill_constants *out);

/* Write the vertices of a run.
 *
 * layout    must have passed spn_layout_check
 * vertices  the first vertex of the run in the target; any alignment
 *
 * If alpha is below 2^-24, only the floor is read. */
void spn__fill_run(const struct fill_ops *ops,
                   const struct fill_constants *constants,
                   const struct fill_source *source,
                   const spn_vertex_layout *layout, void *vertices);

#endif
