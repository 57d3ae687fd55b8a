/* node_state.h - what a node reports about itself. Reads only.
 *
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_STATE_H
#define SPN_PLAY_NODE_STATE_H

#include "play/node.h"

#include <spindle/geom.h>

/* The contract is that of spn_node_get_state. */
void spn__node_get_state(const struct node *n, spn_node_state *out);
/* Why the node can never play: SPN_ERR_MEMORY, SPN_ERR_TABLE_FULL. SPN_OK if
 * nothing speaks against it. */
spn_status spn__node_refusal(const struct node *n);

#endif
