/* api_event.c - the functions of spindle/geom_event.h. */
/* SPDX-License-Identifier: MIT */
#include "runtime.h"
#include "scene/node_event.h"

#include <spindle/features.h>

#if SPN_WITH_GEOM_EVENTS

spn_status spn_geom_listen(spn_runtime *rt, spn_geom_event_fn function,
                           void *user)
{
    if (!has_runtime(rt))
        return SPN_ERR_ARG;
    spn__geom_events_listen(rt->events, function, user);
    return SPN_OK;
}

#endif
