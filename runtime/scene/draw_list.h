/* draw_list.h - what is drawn for a node: see spindle/geom_draw.h.
 *
 * The functions keep no state. Any thread between two updates.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCENE_DRAW_LIST_H
#define SPN_SCENE_DRAW_LIST_H

#include "play/node/node.h"
#include "scene/node_view.h"

#include <spindle/geom_draw.h>
#include <stdint.h>

/* The implementation of spn_node_get_draw_list. Returns the number of items.
 *
 * items  one for each scene node of the cache, if the cache is open */
uint32_t spn__draw_list(const struct views *views, const struct node *n,
                        spn_draw_item *items);

#endif
