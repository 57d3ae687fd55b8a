/* node_range.h - the frames that a node plays: the span of its cursor.
 *
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_RANGE_H
#define SPN_PLAY_NODE_RANGE_H

#include "play/node/node.h"

#include <stdint.h>

/* Set the span (cursor.h) and is_looping of the cursor from the node's range,
 * unless they are set. The cache is READY. */
void spn__node_find_span(struct node *n);

static inline int64_t clamp_i64(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

#endif
