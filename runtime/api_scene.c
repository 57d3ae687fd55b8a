/* api_scene.c - the functions of spindle/geom_scene.h: validate handles and
 * arguments, then compute transforms and boxes (play/node/node_pose.h). */
/* SPDX-License-Identifier: MIT */
#include "api_geom.h"
#include "cache/name_hash.h"
#include "play/node/node_pose.h"

#include <spindle/features.h>
#include <stddef.h>

#if SPN_WITH_GEOMETRY

uint64_t spn_name_hash(const char *name)
{
    return spn__name_hash(name ? name : "");
}

spn_status spn_cache_find_scene_node(const spn_runtime *rt, spn_cache cache,
                                     uint64_t name_hash, uint32_t first,
                                     uint32_t *out)
{
    const struct cache *c = NULL;
    const spn_status status = spn__find_cache(rt, out != NULL, cache, &c);

    if (status != SPN_OK)
        return status;
    for (uint32_t i = first; i < c->header.node_count; i++)
        if (c->tables.nodes[i].name_hash == name_hash) {
            *out = i;
            return SPN_OK;
        }
    return SPN_ERR_NOT_FOUND;
}

spn_status spn_node_get_transform(spn_runtime *rt, spn_node node,
                                  uint32_t scene_node, float matrix[12],
                                  uint32_t *is_visible)
{
    spn_status status;
    const struct node *n =
        spn__find_shown_node(rt, matrix != NULL, node, &status);

    if (!n)
        return status;
    if (scene_node >= n->cache->header.node_count)
        return SPN_ERR_ARG;
    return spn__node_world(n, scene_node, matrix, is_visible);
}

spn_status spn_node_get_transforms(spn_runtime *rt, spn_node node,
                                   float *matrices, uint8_t *visible,
                                   uint32_t count)
{
    spn_status status;
    const struct node *n = spn__find_shown_node(rt, true, node, &status);

    if (!n)
        return status;
    if (count < n->cache->header.node_count)
        return SPN_ERR_ARG;
    return spn__node_pose(n, matrices, visible);
}

spn_status spn_node_get_box(spn_runtime *rt, spn_node node, float box_min[3],
                            float box_max[3])
{
    spn_status status;
    const struct node *n =
        spn__find_shown_node(rt, box_min && box_max, node, &status);

    return n ? spn__node_box(n, box_min, box_max) : status;
}

#endif
