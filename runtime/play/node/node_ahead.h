/* node_ahead.h - which frames ahead of a node are wanted, decoded and read.
 *
 * Reads only. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_AHEAD_H
#define SPN_PLAY_NODE_AHEAD_H

#include "play/node/node.h"

#include <stdint.h>

/* Frames that follow each other in the direction of playback. */
struct node_range_ahead {
    uint32_t first; /* numbers in the clip */
    uint32_t last;
    uint32_t count; /* 0: none */
    int64_t us;     /* from playback to the first frame that is not in it, or to
                     * the end; 0 if there is none */
};

/* Frames from the wanted one on, without those that are left out; at most
 * cursor.frames_max. */
struct node_ahead {
    struct node_range_ahead wanted;  /* within the decode-ahead time */
    struct node_range_ahead decoded; /* without a gap */
    struct node_range_ahead read;    /* or decoded, without a gap */
};

/* All zero unless it plays. O(groups ahead); O(frames ahead) while frames are
 * left out. */
void spn__node_look_ahead(const struct node *n, struct node_ahead *out);

#endif
