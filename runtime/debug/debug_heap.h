/* debug_heap.h - the extents of the heap and their owners, for a snapshot.
 *
 * The heap knows its extents and the purpose of each. The owners are found the
 * other way round: the blocks of each cache, frame and read are looked up among
 * the extents. Caller's thread; reads only.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DEBUG_DEBUG_HEAP_H
#define SPN_DEBUG_DEBUG_HEAP_H

#include "play/manager.h"

#include <spindle/debug.h>
#include <stdint.h>

/* Number of extents, free ones included. */
uint32_t spn__debug_extent_count(const struct manager *m);
/* Fill in all extents, by page. */
void spn__debug_extents(const struct manager *m, spn_debug_extent *extents,
                        uint32_t count);
/* The extent that begins at a page. */
spn_debug_extent *spn__debug_extent_at(spn_debug_extent *extents,
                                       uint32_t count, uint32_t page);
/* Fill in the totals of the heap; `pages` from the extents. */
void spn__debug_heap(const struct manager *m, const spn_debug_extent *extents,
                     uint32_t count, spn_debug_heap *out);

#endif
