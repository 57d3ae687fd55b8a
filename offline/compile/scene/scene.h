/* scene.h - fold the transforms of an archive into a small tree of nodes.
 *
 * Input: parts. A part is a transform or a mesh of the archive that is kept;
 * its local matrix may change over time. Output: nodes, the entries of a
 * cache's scene tree. The stack of a node is a path of parts that ends at the
 * node's own part. The local matrix of the node is the product of the matrices
 * of its stack, computed for each frame.
 *
 * A transform that never changes is folded into all its children: it joins
 * their stacks. A transform with one child is folded into that child, even if
 * it moves. scene_cut.h chooses the stacks.
 *
 * Matrices are those of math/tns.h: 16 doubles, row vectors, translation in
 * [12..14]. Times are seconds.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_SCENE_H
#define OFFLINE_COMPILE_SCENE_SCENE_H

#include "common/arena.h"
#include "compile/math/tns.h"

#include <stdbool.h>
#include <stdint.h>

/* When a part is transformed by its parent. */
enum scene_inheritance {
    SCENE_INHERITS_ALWAYS,
    SCENE_INHERITS_NEVER,
    SCENE_INHERITS_SOMETIMES /* it changes over time */
};

struct scene_part {
    const char *path;
    int32_t parent; /* index of a part, smaller than its own; -1: none */
    int32_t mesh;   /* index of the mesh; -1: a transform */
    enum scene_inheritance inherits;
    /* Properties of its local matrix, over all times. */
    bool is_constant;
    bool is_similarity; /* preserves angles at all times */
    bool is_skewed;     /* has shear (tns.h) at some time */
    /* Set by compile/clip/world_error.h, which then folds again. */
    bool is_detached;      /* its node has no parent: its stack includes all its
                            * ancestors */
    bool is_forced_affine; /* its node is affine even without shear */
};

/* Callbacks that return the state of a part at a time: from an archive, or from
 * a test. They may be called from any thread. */
struct scene_source {
    /* Store the local matrix of a part, and whether the part inherits the
     * matrix of its parent at this time. Returns false after a refusal. */
    bool (*matrix)(const void *user, uint32_t part, double time, double m[16],
                   bool *inherits);
    /* Store whether a part is visible. NULL: all parts are, at all times.
     * Returns false after a refusal. */
    bool (*is_visible)(const void *user, uint32_t part, double time,
                       bool *is_visible);
    const void *user;
};

struct scene_node {
    int32_t parent; /* index of a node, smaller than its own; -1: a root */
    int32_t mesh;   /* index of the mesh; -1: a transform */
    uint32_t part;  /* its own part: the last of its stack */
    uint32_t stack_count;  /* parts in `stack` */
    const uint32_t *stack; /* from the outermost part to the innermost */
    bool is_constant;      /* its local matrix never changes */
    bool is_affine;        /* its local matrix is stored as a matrix, not as
                            * translation, rotation and scale */
};

struct scene {
    const struct scene_part *parts;
    uint32_t node_count;
    struct scene_node *nodes; /* parents before children */
};

/* Fold parts into nodes. `parts` must outlive the scene; `times` are the times
 * of all frames. Nodes are allocated in the arena. Returns false if a callback
 * of `source` did. */
bool scene_fold(const struct scene_part *parts, uint32_t part_count,
                const struct scene_source *source, const double *times,
                uint32_t time_count, struct arena *arena, struct scene *scene);

/* Store the local matrix of a node at a time. Returns false if a callback of
 * `source` did. */
bool scene_node_matrix(const struct scene_node *node,
                       const struct scene_source *source, double time,
                       double m[16]);

#endif
