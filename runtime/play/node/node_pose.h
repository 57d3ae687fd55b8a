/* node_pose.h - transforms, visibility and bounds at the playback time.
 *
 * A clip has a tree of scene nodes; each has a transform and shows a mesh or
 * none. Parents come before their children in the file, so one pass computes
 * all world matrices. Visibility is not interpolated; it is that of the
 * earlier frame. Any thread between two updates.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_POSE_H
#define SPN_PLAY_NODE_POSE_H

#include "play/node/node.h"

#include <stdbool.h>
#include <stdint.h>

/* The two frames from which transforms are interpolated. */
struct node_pose {
    const struct cache *cache;
    const struct decoded_frame *floor;
    const struct decoded_frame *ceil;
    float alpha; /* 0: floor alone */
};

/* False if no frame is shown. */
bool spn__node_pose_find(const struct node *n, struct node_pose *out);
bool spn__node_pose_shows(const struct node_pose *pose, uint32_t scene_node);
/* Compute the world matrix of one scene node: 3 rows of 4.
 *
 * parent  matrix of its parent; not read if it has none */
void spn__node_pose_matrix(const struct node_pose *pose, uint32_t scene_node,
                           const float parent[12], float out[12]);
/* The same from the root down, without the matrix of its parent. The time is
 * proportional to the number of scene nodes above it. */
void spn__node_pose_world(const struct node_pose *pose, uint32_t scene_node,
                          float matrix[12]);

/* Compute the world matrices and the visibility of all scene nodes.
 * SPN_PENDING if no frame is shown.
 *
 * matrices  12 floats for each scene node, rows of 4; NULL: not wanted
 * visible   one byte for each scene node, 0 or 1; NULL: not wanted */
spn_status spn__node_pose(const struct node *n, float *matrices,
                          uint8_t *visible);
/* Compute the same for one scene node: equal bits.
 *
 * is_visible  NULL: not wanted */
spn_status spn__node_world(const struct node *n, uint32_t scene_node,
                           float matrix[12], uint32_t *is_visible);
/* Bounds of all meshes in the shown frames, in the clip's units. SPN_PENDING
 * if no frame is shown. */
spn_status spn__node_box(const struct node *n, float box_min[3],
                         float box_max[3]);
/* True if a visible scene node shows the mesh in this frame. */
bool spn__node_shows_mesh(const struct cache *c,
                          const struct decoded_frame *frame, uint32_t mesh);

#endif
