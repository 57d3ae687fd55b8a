/* node_order.h - the playing nodes, sorted by their deadlines.
 *
 * Sets decode_order and read_order of the manager, and in each stream the time
 * until its next decode and its next read are needed. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_ORDER_H
#define SPN_PLAY_NODE_ORDER_H

#include "play/manager.h"

#include <stdbool.h>

/* Sort both orders again: by deadline, nearest first; then by the start of the
 * stream's last read, oldest first; then by slot. No two nodes are equal. */
void spn__node_order_update(struct manager *m);

/* True if both orders contain every node with is_ordered, and no other. */
bool spn__node_order_check(const struct manager *m);

#endif
