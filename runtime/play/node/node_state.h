/* node_state.h - what a node reports about itself. Reads only.
 *
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_STATE_H
#define SPN_PLAY_NODE_STATE_H

#include "play/node/node.h"

#include <spindle/geom_state.h>

/* The implementation of spn_node_get_state (geom_state.h). */
void spn__node_get_state(const struct node *n, spn_node_state *out);

/* Frames that follow each other in the direction of playback. */
struct node_range_ahead {
    uint32_t first; /* numbers in the clip */
    uint32_t last;
    uint32_t count; /* 0: none */
    int64_t us;     /* from playback to the first frame that is not in it, or to
                     * the end */
};

/* Frames from the wanted one on, without those that are left out. */
struct node_ahead {
    struct node_range_ahead wanted;  /* within the decode-ahead time */
    struct node_range_ahead decoded; /* without a gap */
    struct node_range_ahead read;    /* or decoded, without a gap */
};

/* O(frames ahead). All zero unless it plays. */
void spn__node_look_ahead(const struct node *n, struct node_ahead *out);
/* spn__node_get_state for one that has looked ahead. */
void spn__node_report(const struct node *n, const struct node_ahead *ahead,
                      spn_node_state *out);

/* SPN_ERR_MEMORY or SPN_ERR_TABLE_FULL if the node can never play (see
 * spn_node_state.status), otherwise SPN_OK. */
spn_status spn__node_refusal(const struct node *n);

#endif
