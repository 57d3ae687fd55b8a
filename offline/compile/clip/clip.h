/* clip.h - the scene of an archive, quantized frame by frame.
 *
 * A clip is the interface between the two halves of the compiler. The first
 * half (scene, timeline, vertices, normals, tangents, quantization) produces it
 * from an archive; the second half (encode, write) makes a cache of it. render
 * draws it as well.
 *
 * Nodes, meshes and static channels exist from clip_open on. Frames are
 * produced on demand, in any order and on any thread, so that memory does not
 * grow with the length of the clip. clip_open fills the clip; later calls only
 * read it and write to the frame that they are given.
 *
 * Order of calls: clip_open; clip_frame_produce for each frame, in parallel;
 * clip_frame_align_signs for each frame, in order; clip_close. A refusal is an
 * error that ends the compilation; it is in the diag of the archive
 * (abc/archive.h) when a function returns.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_H
#define OFFLINE_COMPILE_CLIP_CLIP_H

#include "abc/archive.h"
#include "cache/transform.h"
#include "codec/channel.h"
#include "compile/clip/error_stats.h"
#include "compile/report/options.h"

#include <stdbool.h>
#include <stdint.h>

/* -- QTangents, as the frames of a clip store them -- */

/* A QTangent is a quaternion q that stores the tangent frame of a vertex:
 * normal n, tangent t and bitangent b. Scaled to length 1, q is a rotation that
 * takes
 *
 *     z to n, x to t, y to cross(n, t);
 *
 * these are columns 2, 0 and 1 of its matrix for column vectors. The bitangent
 * is the direction in which the texture coordinate v grows:
 *
 *     b = cross(n, t) * (reflection ? -1 : 1)
 *
 * The reflection (called handedness in the runtime) is one bit for each vertex,
 * constant over time. A clip and a cache store it apart from q. The runtime
 * merges both when it fills vertex buffers: there, the sign of w is the
 * handedness (spindle/geom_layout.h). In a clip and a cache the sign of q has
 * no meaning, because q and -q are the same rotation; it is chosen to be close
 * to the frame before, and in the first frame to a neighbour on the mesh. Each
 * component is stored as an integer: the component times QTANGENT_ONE, rounded.
 *
 * Normals point to the side from which triangles are counter-clockwise.
 * Tangents follow MikkTSpace (compile/mesh/tangents.h). */

/* A range of a mesh's indices with one material. */
struct clip_material {
    const char *name; /* of its face set; "": faces that are in no face set */
    uint32_t id; /* derived from the name, equal in all meshes (materials.h);
                  * 0: no face set */
    uint32_t first_index;
    uint32_t index_count;
};

struct clip_mesh {
    const char *path; /* of the mesh object in the archive */
    uint32_t vertex_count;
    uint32_t index_count;
    uint32_t *indices; /* triangles, counter-clockwise from outside, grouped by
                        * material. Vertices are numbered by first use */
    uint32_t material_count;
    struct clip_material *materials; /* by ascending id */
    /* CHANNEL_BITs of the mesh's channels that never change, and of those that
     * do. Every mesh has positions and QTangents. */
    uint8_t static_mask;
    uint8_t animated_mask;
    /* Of each channel: the smallest value and the width of each component over
     * all frames, and the bits of its quantized values (codec/channel.h). */
    struct channel_range range[CHANNEL_COUNT];
    uint8_t box_shift; /* low bits of positions that its boxes leave out
                        * (cache/cache_box.h); 0 unless positions are animated
                        */
    const char *second_uv_name; /* in the archive; NULL: no second UVs */
    /* A node scales the mesh unevenly, so that a small error of a normal in the
     * mesh is a large one in the world. QTangents are then rounded so that the
     * error in the world is small (tangents_pack_stretched). `cofactors` takes
     * normals from the mesh to the world: the cofactor matrix, row by row, of
     * the world matrix of the node and frame with the largest stretch
     * (compile/math/tns.h). Unset if is_stretched is false. */
    bool is_stretched;
    double cofactors[9];
    /* World millimetres for one unit of the mesh along each of its axes, at the
     * largest scale with which a node shows it. */
    double mm_per_unit[3];
    double precision_reached_mm[3]; /* largest position error along each axis at
                                     * that scale: half a step, and rounding */
    uint8_t *reflection;            /* of each vertex, 0 or 1 */
    void *static_channel[CHANNEL_COUNT]; /* quantized values; NULL: the channel
                                          * is animated or absent */
    struct error_stats static_error[CHANNEL_COUNT]; /* if the options ask for
                                                     * statistics */
};

struct clip_node {
    const char *path;
    int32_t parent;   /* index of a node, smaller than its own; -1: a root */
    int32_t mesh;     /* index of the mesh; -1: a transform */
    bool is_animated; /* its transform or its visibility changes */
    bool is_affine;   /* its transforms are stored as 3 x 4 matrices. False: as
                       * translation, rotation and scale, which have no shear
                       * and lose more precision by rounding */
};

/* Memory belongs to the clip. */
struct clip {
    const char *file_name; /* of the archive */
    uint32_t frame_count;
    const double *frame_seconds; /* time of each frame in the archive, rising */
    uint32_t node_count;
    struct clip_node *nodes; /* parents before children */
    uint32_t mesh_count;
    struct clip_mesh *meshes;
    uint32_t merged_mesh_count; /* meshes of the archive that are equal to
                                 * others, and not among `meshes`
                                 * (compile/scene/scene_merge.h) */
    char up_axis; /* 'Y' or 'Z' as in the options. 0: not stated; archives do
                   * not record it, and Y is assumed where it matters */
    uint64_t user_property_count; /* properties of the archive that are dropped
                                   * without a warning, for the report */
    struct clip_state *state;     /* the imported archive, from which frames are
                                   * produced (compile/clip/clip_state.h) */
};

/* A frame. Its memory belongs to the arena of clip_frame_produce. */
struct clip_node_frame {
    struct transform transform; /* relative to its parent node */
    bool is_visible;
};
struct clip_mesh_frame {
    bool is_visible;              /* a node that shows it is visible */
    void *channel[CHANNEL_COUNT]; /* quantized values of animated channels; NULL
                                   * for others */
    struct error_stats error[CHANNEL_COUNT]; /* if the options ask for
                                              * statistics */
};
struct clip_frame {
    uint32_t number;
    struct clip_node_frame *nodes;  /* node_count */
    struct clip_mesh_frame *meshes; /* mesh_count */
    /* Box in the world (compile/clip/frame_box.h) around all meshes that are
     * visible in this frame or in the frame before: playback between the two
     * shows both. Nothing visible: min > max. */
    float box_min[3];
    float box_max[3];
};

/* Import an archive: find the frame times, combine its transforms into nodes
 * (compile/scene/scene.h), split meshes into vertices, choose the range and the
 * bits of each channel. Returns NULL after a refusal. The archive must outlive
 * the clip. */
struct clip *clip_open(struct abc_archive *archive,
                       const struct compile_options *options);
void clip_close(struct clip *clip); /* NULL is legal */

/* Store the frame times alone, in the arena. `spindle info` calls it for
 * archives that clip_open refuses, to show their times all the same: a refused
 * object adds the times of all its properties with more than one stored sample.
 * Returns false after a refusal: the archive
 * is damaged, it has too many frames, or a time is out of range. */
bool clip_times(const struct abc_archive *archive,
                const struct compile_options *options, struct arena *arena,
                const double **frame_seconds, uint32_t *frame_count);

/* Produce one frame. The signs of its QTangents and rotations are not yet
 * aligned. Any thread, each with an arena of its own. Returns false after a
 * refusal. */
bool clip_frame_produce(struct clip *clip, uint32_t number, struct arena *arena,
                        struct clip_frame *frame);

/* Choose the signs of QTangents and node rotations: of q and -q the one closer
 * to that of `before`, the frame before. `before` NULL, for the first frame:
 * QTangents are aligned with neighbours on the mesh. Call it in the order of
 * the frames. */
void clip_frame_align_signs(const struct clip *clip,
                            const struct clip_frame *before,
                            struct clip_frame *frame);

#endif
