/* debug_nodes.h - caches, nodes, reads and drives, for a snapshot.
 *
 * Caller's thread; reads only. Each function that fills an array returns the
 * number of elements; with NULL it only counts them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DEBUG_DEBUG_NODES_H
#define SPN_DEBUG_DEBUG_NODES_H

#include "play/manager.h"

#include <spindle/debug.h>
#include <stdint.h>

/* The handle by which the user knows a node: of a second position, that of its
 * node; 0: the second position has ended, but its reads or jobs have not. */
spn_node spn__debug_node_handle(const struct node *n);
uint32_t spn__debug_caches(const struct manager *m, spn_debug_cache *out);
uint32_t spn__debug_nodes(const struct manager *m, spn_debug_node *out);
uint32_t spn__debug_reads(const struct manager *m, spn_debug_read *out);
void spn__debug_media(const struct manager *m,
                      spn_debug_medium out[SPN_MEDIUM_COUNT]);
/* Sums over the nodes of a snapshot. */
void spn__debug_totals(const spn_debug_node *nodes, uint32_t count,
                       spn_debug_totals *out);

#endif
