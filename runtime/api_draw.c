/* api_draw.c - the functions of spindle/geom_draw.h: validate handles and
 * arguments, then call the draw lists (scene/draw_list.h). */
/* SPDX-License-Identifier: MIT */
#include "api_geom.h"
#include "scene/draw_list.h"

#include <spindle/features.h>

#if SPN_WITH_GEOMETRY

spn_status spn_node_get_draw_list(const spn_runtime *rt, spn_node node,
                                  spn_draw_item *items, uint32_t capacity,
                                  uint32_t *count)
{
    spn_status status;
    const struct node *n =
        spn__find_node(rt, count && (items || capacity == 0), node, &status);

    if (!n)
        return status;
    if (cache_has_tables(n->cache) && capacity < n->cache->header.node_count)
        return SPN_ERR_ARG;
    *count = spn__draw_list(rt->views, n, items);
    return SPN_OK;
}

#endif
