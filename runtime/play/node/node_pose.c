/* node_pose.c - transforms, visibility and bounds at the playback time. */
/* SPDX-License-Identifier: MIT */
#include "play/node/node_pose.h"

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

static void local_transform(const struct cache *c,
                            const struct decoded_frame *floor,
                            const struct decoded_frame *ceil, float alpha,
                            uint32_t node, struct transform *out)
{
    const struct cache_node *info = &c->tables.nodes[node];
    struct transform a;
    struct transform b;
    bool is_visible;

    if (info->animated == CACHE_NONE) {
        *out = info->initial;
        return;
    }
    load_row(c, floor, info->animated, &a, &is_visible);
    if (floor == ceil) {
        *out = a;
        return;
    }
    load_row(c, ceil, info->animated, &b, &is_visible);
    spn__transform_between(&a, &b, alpha, out);
}

spn_status spn__node_pose(const struct node *n, float *matrices,
                          uint8_t *visible)
{
    const struct cache *c = n->cache;
    const struct decoded_frame *floor =
        spn__node_frame(n, &n->shown, n->shown.floor);
    const struct decoded_frame *ceil =
        spn__node_frame(n, &n->shown, n->shown.ceil);

    if (!floor || !ceil)
        return SPN_PENDING;
    for (uint32_t i = 0; i < c->header.node_count; i++) {
        uint32_t parent = c->tables.nodes[i].parent;
        struct transform local;

        if (visible)
            visible[i] = is_node_visible(c, floor, i);
        if (!matrices)
            continue;
        local_transform(c, floor, ceil, n->shown.alpha, i, &local);
        spn__transform_resolve(&local, matrices + (size_t)i * 12);
        if (parent != CACHE_NONE)
            spn__transform_multiply(matrices + (size_t)parent * 12,
                                    matrices + (size_t)i * 12,
                                    matrices + (size_t)i * 12);
    }
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
