/* api_draw.c - the functions of spindle/geom_draw.h: validate handles and
 * arguments, then call the draw lists (scene/draw_list.h, draw_instances.h). */
/* SPDX-License-Identifier: MIT */
#include "api_geom.h"
#include "scene/draw_instances.h"
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

spn_status spn_draw_instances(const spn_runtime *rt, spn_draw_item *items,
                              uint32_t item_count, spn_draw_group *groups,
                              uint32_t group_capacity, float *matrices,
                              uint32_t matrix_capacity, uint32_t *group_count)
{
    struct draw_groups out = {.groups = groups,
                              .group_capacity = group_capacity,
                              .matrices = matrices,
                              .matrix_capacity = matrix_capacity};

    if (!has_runtime(rt) || !group_count || (!items && item_count > 0) ||
        (!groups && group_capacity > 0) || (!matrices && matrix_capacity > 0))
        return SPN_ERR_ARG;
    spn__draw_instances(items, item_count,
                        rt->tuning->value[TUNING_instance_min], &out);
    *group_count = out.group_count;
    return SPN_OK;
}

#endif
