/* api_geom.h - arguments of the public functions about geometry. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_API_GEOM_H
#define SPN_API_GEOM_H

#include "play/node/node.h"
#include "runtime.h"

#include <stdbool.h>

/* Get a valid node of the user. NULL: *status is the error, in the order that
 * geom.h states. */
struct node *spn__find_node(const spn_runtime *rt, bool has_pointers,
                            spn_node handle, spn_status *status);
/* Get a node that can play, with its cache loaded. NULL: *status is the
 * error. */
const struct node *spn__find_shown_node(const spn_runtime *rt,
                                        bool has_pointers, spn_node handle,
                                        spn_status *status);
/* Get a cache whose tables are loaded. Otherwise returns the error; *out is set
 * if there is a cache at all. */
spn_status spn__find_cache(const spn_runtime *rt, bool has_pointers,
                           spn_cache handle, const struct cache **out);

#endif
