/* node_state.h - what a node reports about itself. Reads only.
 *
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_STATE_H
#define SPN_PLAY_NODE_STATE_H

#include "play/node/node.h"
#include "play/node/node_ahead.h"

#include <spindle/geom_state.h>

/* The implementation of spn_node_get_state (geom_state.h). */
void spn__node_get_state(const struct node *n, spn_node_state *out);

/* spn__node_get_state for one that has looked ahead. */
void spn__node_report(const struct node *n, const struct node_ahead *ahead,
                      spn_node_state *out);

/* SPN_ERR_MEMORY or SPN_ERR_TABLE_FULL if the node can never play (see
 * spn_node_state.status), otherwise SPN_OK. */
spn_status spn__node_refusal(const struct node *n);

#endif
