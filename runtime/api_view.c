/* api_view.c - the functions of spindle/geom_view.h: validate handles and
 * arguments, then call the views (scene/node_view.h). */
/* SPDX-License-Identifier: MIT */
#include "api_geom.h"
#include "scene/node_view.h"

#include <spindle/features.h>

#if SPN_WITH_VIEWS

spn_status spn_node_set_view(spn_runtime *rt, spn_node node,
                             const spn_view *view)
{
    spn_status status;
    struct node *n = spn__find_node(rt, true, node, &status);

    if (!n)
        return status;
    if (view && !spn__view_is_good(view))
        return SPN_ERR_ARG;
    spn__view_set(rt->views, n, view);
    return SPN_OK;
}

spn_status spn_node_get_drawing(const spn_runtime *rt, spn_node node,
                                spn_drawing *out)
{
    spn_status status;
    const struct node *n = spn__find_node(rt, out != NULL, node, &status);

    if (n)
        *out = spn__view_drawing(rt->views, n);
    return status;
}

#endif
