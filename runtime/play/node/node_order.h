/* node_order.h - the playing nodes, sorted by their deadlines.
 *
 * Sets decode_order and read_order of the manager, by the times until the next
 * decode and the next read of each cursor are needed. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_ORDER_H
#define SPN_PLAY_NODE_ORDER_H

#include "play/manager.h"

#include <stdbool.h>

/* Sort anew. Nearest deadline first; of equal ones the cursor whose last read
 * was started first; then the lower slot. The order is therefore total. */
void spn__node_order_update(struct manager *m);

/* True if both orders contain every node with is_ordered, and no other. */
bool spn__node_order_check(const struct manager *m);

#endif
