/* geom_layout.h - vertex layouts: how vertices are written for an engine.
 *
 * A vertex buffer of the engine is an array of interleaved vertices. A layout
 * gives the stride of a vertex, and for each attribute its offset and its
 * format. The functions of geom_fill.h write any layout; geom_buffers.h uses
 * one for all frames of a cache. geom.h explains the terms.
 *
 *   stride, offsets  bytes, without a rule of alignment; 1..SPN_STRIDE_MAX, and
 *                    0 up to the stride
 *   positions, velocities
 *                    in mesh space: units of the scene, and units per second
 *   normals, tangents
 *                    in mesh space
 *   numbers          in the byte order of the machine
 *
 * Ownership. A layout is a struct of the caller. Functions that are given one
 * copy it or are finished with it when they return.
 *
 * Threads. Any, at any time.
 *
 * Errors. spn_layout_check returns SPN_OK or SPN_ERR_ARG. The functions that
 * use a layout check it in the same way.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_LAYOUT_H
#define SPINDLE_GEOM_LAYOUT_H

#include <spindle/features.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How an attribute is written. *Handedness* is the sign of the bitangent, +-1:
 * bitangent = cross(normal, tangent) * handedness. */
typedef enum spn_format {
    SPN_FORMAT_NONE = 0,  /* the attribute is not written */
    SPN_FORMAT_F32X2,     /* UVs */
    SPN_FORMAT_F32X3,     /* positions, velocities, normals; tangents without
                           * handedness */
    SPN_FORMAT_F32X4,     /* tangents x y z and handedness; colours 0..1;
                           * QTangents x y z w, the sign of w is the
                           * handedness */
    SPN_FORMAT_F16X2,     /* UVs */
    SPN_FORMAT_F16X4,     /* positions with w = 1, velocities with w = 0 */
    SPN_FORMAT_SNORM8X4,  /* normals with w = 0, tangents with w = handedness */
    SPN_FORMAT_SNORM16X4, /* the same, and QTangents */
    SPN_FORMAT_SNORM10X3_2, /* normals, tangents: x | y << 10 | z << 20 | w <<
                             * 30 in one uint32_t, two's complement; w is 0 for
                             * normals, the handedness for tangents */
    SPN_FORMAT_UNORM16X2,   /* UVs, clamped to 0..1 */
    SPN_FORMAT_UNORM8X4,    /* colours r g b a */
    SPN_FORMAT_UNORM8X4_BGRA,
    /* The stored integers (spn_mesh_info) of the floor frame, not interpolated.
     * Positions: 3 x uint16_t; QTangents: 4 x int16_t, the sign of w is the
     * handedness; UVs: 2 x uint16_t; colours: 4 x uint8_t; velocities: 3 x
     * uint16_t, 0 if the file has none. */
    SPN_FORMAT_QUANTIZED
} spn_format;

typedef struct spn_attribute {
    uint32_t offset; /* bytes from the start of a vertex; any alignment */
    spn_format format;
} spn_attribute;

/* Largest stride of a vertex in bytes. Byte offsets within a part then fit 32
 * bits. */
#define SPN_STRIDE_MAX 65536u

/* The interleaved vertex of the engine. Attributes must not overlap, and must
 * end within the stride. Meshes without UVs or second UVs get 0 0, meshes
 * without colours 1 1 1 1.
 *
 * Previous positions are the positions at the playback time that was set before
 * the current one. They equal the current positions
 *
 * - if only one time was set since streaming started;
 * - after a seek, until a later time is set;
 * - if the same time is set again;
 * - if the heap has no memory for the frames of the previous time.
 *
 * A jump forward within the stream counts as motion. To cut to another
 * time without motion, call spn_node_start_streaming with the new time first.
 *
 * Velocities of a mesh with has_velocities are those of the file, interpolated
 * like positions. For other meshes they are computed from two decoded frames:
 * the change of position from the floor frame to the next decoded frame of the
 * same loop, divided by the time between the two. If no later frame is decoded,
 * the change from the decoded frame before the floor frame is used; if no other
 * frame is decoded, velocities are 0. */
typedef struct spn_vertex_layout {
    uint32_t stride; /* bytes from one vertex to the next, 1..SPN_STRIDE_MAX */
    spn_attribute position;
    spn_attribute previous_position; /* for motion vectors */
    spn_attribute normal;
    spn_attribute tangent;
    spn_attribute qtangent;
    spn_attribute uv;
    spn_attribute color;
    spn_attribute velocity; /* units per second, in mesh space */
    spn_attribute second_uv;
} spn_vertex_layout;

#if SPN_WITH_GEOMETRY

/* Check a layout. SPN_ERR_ARG if it is NULL, the stride is 0 or larger than
 * SPN_STRIDE_MAX, a format does not suit its attribute, an attribute ends
 * beyond the stride, or two attributes overlap. Thread: any. */
spn_status spn_layout_check(const spn_vertex_layout *layout);

#endif

#ifdef __cplusplus
}
#endif
#endif
