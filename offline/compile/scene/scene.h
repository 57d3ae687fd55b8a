/* scene.h - the tree of objects, folded to as few nodes as can be.
 *
 * Works on parts: one for each object that is kept, parents first, each with
 * a local matrix that changes with time. A transform that never changes folds
 * into all of its children, one with a single child into that child, whether
 * it moves or not. What has folded is a stack of parts whose matrices are
 * multiplied anew for each frame. Where a product is skewed in any frame,
 * compile/scene/scene_cut.h finds the cuts that take the fewest bytes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_SCENE_H
#define OFFLINE_COMPILE_SCENE_SCENE_H

#include "common/arena.h"
#include "compile/math/tns.h"

#include <stdbool.h>
#include <stdint.h>

enum scene_inherits { SCENE_INHERITS, SCENE_STANDS_ALONE, SCENE_SWITCHES };

struct scene_part {
    const char *path;
    int32_t parent; /* smaller than its own number; -1: none */
    int32_t mesh;   /* -1: a transform, or an object that is passed through */
    enum scene_inherits inherits;
    bool is_constant;   /* its matrix never changes */
    bool is_similarity; /* its matrix keeps angles, at all times */
    bool is_skewed;     /* its matrix has shear (tns.h) at some time */
    bool is_whole;      /* its node has no parent: all above is in its stack */
    bool is_matrix;     /* its node is affine in any case */
};

/* Where matrices come from: the archive, or a test. */
struct scene_locals {
    /* The part's matrix at a time, and whether it inherits then. False after
     * a refusal. */
    bool (*local)(void *user, uint32_t part, double time, double m[16],
                  bool *inherits);
    void *user;
    /* Is it seen at a time? NULL: all is, always. */
    bool (*is_seen)(void *user, uint32_t part, double time, bool *is_seen);
};

struct scene_node {
    int32_t parent; /* node, smaller than its own number; -1: a root */
    int32_t mesh;
    uint32_t part;        /* the innermost of its stack */
    uint32_t stack_count; /* parts, outermost first */
    const uint32_t *stack;
    bool is_constant; /* its matrix never changes */
    bool is_affine;   /* its matrix has shear at some time */
};

struct scene {
    const struct scene_part *parts;
    uint32_t node_count;
    struct scene_node *nodes;
};

/* Fold. `times` are those of all frames. False: a local matrix was refused. */
bool scene_fold(const struct scene_part *parts, uint32_t part_count,
                const struct scene_locals *locals, const double *times,
                uint32_t time_count, struct arena *arena, struct scene *scene);

/* A node's matrix under its parent. */
bool scene_node_matrix(const struct scene_node *node,
                       const struct scene_locals *locals, double time,
                       double m[16]);

#endif
