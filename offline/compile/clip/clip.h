/* clip.h - a scene ready to be encoded: quantized, frame by frame.
 *
 * What the front of the compiler (scene, timeline, vertices, normals,
 * tangents, reorder, materials, quantize) hands to its back (encode, writer).
 * Static things are here from the start; frames are produced on demand, in
 * any order and from any thread, so that memory does not grow with the clip.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_H
#define OFFLINE_COMPILE_CLIP_CLIP_H

#include "abc/archive.h"
#include "cache/transform.h"
#include "codec/channel.h"
#include "compile/clip/measure.h"
#include "compile/report/options.h"

#include <stdbool.h>
#include <stdint.h>

/* The tangent frame of a vertex. The quaternion of a QTangent, made of length
 * one, is a rotation that takes
 *     z to the normal, x to the tangent, y to cross(normal, tangent);
 * as a matrix for column vectors, those are its columns 2, 0 and 1. The
 * bitangent, the direction in which v grows, is
 *     cross(normal, tangent) * (reflection ? -1 : 1)
 * where the reflection is stored apart, one bit a vertex, constant over time.
 * A quaternion and its negative are the same rotation: the sign is chosen so
 * that neighbours in time, and in the first frame in space, are close.
 * Components are those of the unit quaternion times QTANGENT_ONE, rounded.
 * Normals point to the side from which triangles run counter-clockwise;
 * tangents follow MikkTSpace (compile/mesh/tangents.h). */

struct clip_material {
    const char *name; /* face set, or "" for the faces in none */
    uint32_t id;
    uint32_t first_index;
    uint32_t index_count;
};

struct clip_mesh {
    const char *path; /* of the shape in the archive */
    uint32_t vertex_count;
    uint32_t index_count;
    uint32_t *indices; /* triangles, counter-clockwise from outside, grouped
                        * by material, vertices numbered by first use */
    uint32_t material_count;
    struct clip_material *materials; /* ascending id */
    uint8_t static_mask;   /* CHANNEL_BIT of channels that never change */
    uint8_t animated_mask; /* and of those that do; disjoint. Positions and
                            * QTangents are in one of the two, always */
    struct channel_range range[CHANNEL_COUNT];
    const char *second_uv_name; /* in the archive; where there is one */
    /* By a node that stretches the mesh so far that normals need care: its
     * world's cofactors (tns.h), where it stretches most. */
    bool is_stretched;
    double cofactors[9];
    double millimetres[3]; /* of a unit of each axis, at its largest scale in
                            * the world */
    double precision_reached_mm[3]; /* largest error of each axis, world
                                     * scale: half a step and float rounding */
    uint8_t *reflection;            /* per vertex 0 or 1; constant over time */
    void *static_channel[CHANNEL_COUNT]; /* vertex_count vertices or NULL */
    /* where the options ask for statistics */
    struct measure static_error[CHANNEL_COUNT];
};

struct clip_node {
    const char *path;
    int32_t parent;   /* smaller than its own index; -1: a root */
    int32_t mesh;     /* -1: a transform */
    bool is_animated; /* transform or visibility change */
    bool is_affine;   /* skewed at some time: its transforms are matrices */
};

struct clip {
    const char *file_name;
    uint32_t frame_count;
    const double *frame_seconds; /* the archive's own times */
    uint32_t node_count;
    struct clip_node *nodes;
    uint32_t mesh_count;
    struct clip_mesh *meshes;
    char up_axis; /* 'Y' or 'Z' as the options say, 0: they do not. Archives do
                   * not record it and are taken for Y where it matters */
    uint64_t user_property_count; /* of the archive; a clip has none */
    struct clip_private *private; /* compile/clip/clip.c */
};

/* One frame, in memory of the arena that it was produced into. */
struct clip_node_frame {
    struct transform transform; /* local, under its parent node */
    bool is_visible; /* by the nearest object at or above that decides */
};
struct clip_mesh_frame {
    bool is_visible;              /* at least one node shows it */
    void *channel[CHANNEL_COUNT]; /* animated channels; NULL: static */
    /* where the options ask for statistics */
    struct measure error[CHANNEL_COUNT];
};
struct clip_frame {
    uint32_t number;
    struct clip_node_frame *nodes;
    struct clip_mesh_frame *meshes;
    /* World: around what fills give of visible meshes, and of those that were
     * visible in the frame before (compile/clip/frame_box.h); min > max: none.
     */
    float box_min[3];
    float box_max[3];
};

/* Everything that needs a look at all frames: scene, timeline, splitting,
 * boxes. NULL after a refusal. The archive must outlive the clip. */
struct clip *clip_open(struct abc_archive *archive,
                       const struct compile_options *options,
                       struct diag *diag);
void clip_close(struct clip *clip);

/* The frames' times alone, also where clip_open refuses the scene: what is
 * refused of it takes part. The archive's diag hears of that all the same;
 * false only where it cannot be read, or has no such times. */
bool clip_times(const struct abc_archive *archive,
                const struct compile_options *options, struct arena *arena,
                const double **frame_seconds, uint32_t *frame_count);

/* Produce one frame. QTangent signs are canonical, not yet continuous in
 * time: clip_frame_follow does that, in order. Any thread, each with its own
 * arena. */
bool clip_frame_produce(struct clip *clip, uint32_t number, struct arena *arena,
                        struct clip_frame *frame);

/* Turn the signs of QTangents and of node rotations so that each is closest
 * to its own in `before`, the frame before; NULL for the first frame, whose
 * QTangents follow their neighbours on the mesh. In order of frames. */
void clip_frame_follow(const struct clip *clip, const struct clip_frame *before,
                       struct clip_frame *frame);

#endif
