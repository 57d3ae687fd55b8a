/* check_pair.h - pairs nodes and meshes of the cache with objects of the
 * archive by their paths.
 *
 * The first step of a comparison (check.h). It also counts objects that only
 * one side has, and parameters (UVs, colours, velocities) that a mesh has on
 * one side only.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_PAIR_H
#define OFFLINE_VERIFY_CHECK_PAIR_H

#include "verify/scene_eval.h"

struct check;

/* A node of the cache, paired with its object in the archive. */
struct check_node {
    uint32_t node;           /* index in the cache */
    uint32_t mesh;           /* index in the cache; CACHE_NONE: a transform */
    uint32_t record;         /* of the mesh: index in check->meshes */
    struct eval_chain chain; /* its object and all ancestors */
};

/* Fill check->nodes, and in check->meshes the fields of this step. */
bool check_pair(struct check *check);

#endif
