/* node_pose.c - transforms, visibility and bounds at the playback time. */
/* SPDX-License-Identifier: MIT */
#include "play/node/node_pose.h"

#include "base/mem.h"
#include "cache/cache_nodes.h"
#include "cache/cache_tables.h"
#include "cache/transform.h"
#include "play/decoded_frame.h"
#include "play/node/node_show.h"

/* Read an animated node's transform in a frame.
 *
 * row  number of the node among the animated ones */
static void load_row(const struct cache *c, const struct decoded_frame *frame,
                     uint32_t row, struct transform *transform,
                     bool *is_visible)
{
    uint32_t index = spn__cache_nodes_block(&c->header, row);
    const struct cache_block *block = &c->tables.blocks[index];

    spn__cache_nodes_read(block, spn__decoded_frame_block(frame, index),
                          row - block->first, transform, is_visible);
}

static bool is_node_visible(const struct cache *c,
                            const struct decoded_frame *frame, uint32_t node)
{
    const struct cache_node *info = &c->tables.nodes[node];
    struct transform transform;
    bool is_visible = info->is_visible;

    if (info->animated != CACHE_NONE)
        load_row(c, frame, info->animated, &transform, &is_visible);
    return is_visible;
}

bool spn__node_shows_mesh(const struct cache *c,
                          const struct decoded_frame *frame, uint32_t mesh)
{
    for (uint32_t i = 0; i < c->header.node_count; i++)
        if (c->tables.nodes[i].mesh == mesh && is_node_visible(c, frame, i))
            return true;
    return false;
}

bool spn__node_pose_find(const struct node *n, struct node_pose *out)
{
    struct fill_frames frames;

    if (!spn__node_picture_frames(n, &n->shown, &frames))
        return false;
    *out = (struct node_pose){.cache = n->cache,
                              .floor = frames.floor,
                              .ceil = frames.ceil,
                              .alpha = frames.alpha};
    return true;
}

bool spn__node_pose_shows(const struct node_pose *pose, uint32_t scene_node)
{
    return is_node_visible(pose->cache, pose->floor, scene_node);
}

static void local_transform(const struct node_pose *pose, uint32_t node,
                            struct transform *out)
{
    const struct cache *c = pose->cache;
    const struct cache_node *info = &c->tables.nodes[node];
    struct transform a;
    struct transform b;
    bool is_visible;

    if (info->animated == CACHE_NONE) {
        *out = info->initial;
        return;
    }
    load_row(c, pose->floor, info->animated, &a, &is_visible);
    if (pose->floor == pose->ceil) {
        *out = a;
        return;
    }
    load_row(c, pose->ceil, info->animated, &b, &is_visible);
    spn__transform_between(&a, &b, pose->alpha, out);
}

void spn__node_pose_matrix(const struct node_pose *pose, uint32_t scene_node,
                           const float parent[12], float out[12])
{
    struct transform local;

    local_transform(pose, scene_node, &local);
    spn__transform_resolve(&local, out);
    if (pose->cache->tables.nodes[scene_node].parent != CACHE_NONE)
        spn__transform_multiply(parent, out, out);
}

spn_status spn__node_pose(const struct node *n, float *matrices,
                          uint8_t *visible)
{
    struct node_pose pose;

    if (!spn__node_pose_find(n, &pose))
        return SPN_PENDING;
    for (uint32_t i = 0; i < pose.cache->header.node_count; i++) {
        const uint32_t parent = pose.cache->tables.nodes[i].parent;

        if (visible)
            visible[i] = spn__node_pose_shows(&pose, i);
        if (matrices)
            spn__node_pose_matrix(
                &pose, i,
                parent == CACHE_NONE ? NULL : matrices + (size_t)parent * 12,
                matrices + (size_t)i * 12);
    }
    return SPN_OK;
}

/* Most ancestors that are remembered on the way up. */
#define CHAIN_MAX 32u

/* The ancestors of a scene node below `top`, the highest CHAIN_MAX of them. The
 * order is from the node up. CACHE_NONE: above the root. */
static uint32_t find_chain(const struct cache *c, uint32_t node, uint32_t top,
                           uint32_t chain[CHAIN_MAX])
{
    uint32_t count = 0;

    for (; node != top; node = c->tables.nodes[node].parent)
        chain[count++ % CHAIN_MAX] = node;
    return count;
}

void spn__node_pose_world(const struct node_pose *pose, uint32_t node,
                          float matrix[12])
{
    uint32_t chain[CHAIN_MAX];
    uint32_t top = CACHE_NONE;

    while (top != node) {
        uint32_t left = find_chain(pose->cache, node, top, chain);
        const uint32_t end = left > CHAIN_MAX ? left - CHAIN_MAX : 0;

        while (left > end) {
            const uint32_t next = chain[--left % CHAIN_MAX];
            float world[12];

            spn__node_pose_matrix(pose, next, matrix, world);
            memcpy(matrix, world, sizeof world);
            top = next;
        }
    }
}

spn_status spn__node_world(const struct node *n, uint32_t scene_node,
                           float matrix[12], uint32_t *is_visible)
{
    struct node_pose pose;

    if (!spn__node_pose_find(n, &pose))
        return SPN_PENDING;
    spn__node_pose_world(&pose, scene_node, matrix);
    if (is_visible)
        *is_visible = is_node_visible(n->cache, pose.floor, scene_node);
    return SPN_OK;
}

spn_status spn__node_box(const struct node *n, float box_min[3],
                         float box_max[3])
{
    const struct cursor *s = &n->cursor;
    const struct cache_frame *floor;
    const struct cache_frame *ceil;

    if (!spn__node_frame(n, &n->shown, n->shown.floor))
        return SPN_PENDING;
    floor = cache_frame_at(n->cache, spn__cursor_number(s, n->shown.floor));
    ceil = cache_frame_at(n->cache, spn__cursor_number(s, n->shown.ceil));
    /* An empty box adds nothing. */
    if (floor->box_min[0] > floor->box_max[0])
        floor = ceil;
    if (ceil->box_min[0] > ceil->box_max[0])
        ceil = floor;
    for (int k = 0; k < 3; k++) {
        box_min[k] = floor->box_min[k] < ceil->box_min[k] ? floor->box_min[k]
                                                          : ceil->box_min[k];
        box_max[k] = floor->box_max[k] > ceil->box_max[k] ? floor->box_max[k]
                                                          : ceil->box_max[k];
    }
    return SPN_OK;
}
