/* heap_view.h - access to the bytes of live blocks of the heap.
 *
 * Functions here only read records, which do not change while their block
 * lives. Thread: any thread that received the handle through a queue or a job,
 * as long as the heap's owner does not free the block.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_HEAP_VIEW_H
#define SPN_BASE_HEAP_VIEW_H

#include "base/heap.h"

#include <stdbool.h>
#include <stdint.h>

/* For a stale handle these return false, 0 or NULL. O(1). */
bool spn__heap_is_live(const struct heap *heap, heap_handle handle);
bool spn__heap_is_tagged(const struct heap *heap, heap_handle handle,
                         enum heap_tag tag);
/* Bytes of the block as they were requested. */
uint32_t spn__heap_bytes(const struct heap *heap, heap_handle handle);
uint32_t spn__heap_extent_count(const struct heap *heap, heap_handle handle);
/* Address of the block if it is one extent, else NULL. */
void *spn__heap_data(const struct heap *heap, heap_handle handle);
/* Address of extent `index`, and its bytes: those of the block's last extent
 * end with the block, not with the page. NULL and 0 bytes past the last.
 * O(index / 16): use a walk to visit all extents. */
void *spn__heap_extent(const struct heap *heap, heap_handle handle,
                       uint32_t index, uint32_t *bytes);
/* Contiguous view of bytes offset..offset + bytes - 1 of the block: a pointer
 * into the block or, if the range spans several extents, `bounce` (at least
 * `bytes` long) with a copy. NULL if the range is empty or leaves the block.
 * O(extents before the end of the range). */
const void *spn__heap_view(const struct heap *heap, heap_handle handle,
                           uint32_t offset, uint32_t bytes, void *bounce);

/* A position between extents of a live block; O(1) for each extent. */
struct heap_walk {
    const struct heap *heap;
    const struct heap_record *record; /* of the next extent; NULL: the end */
    uint32_t slot;                    /* of the next extent in the record */
    uint32_t bytes_left;              /* of the block from here on */
};
void spn__heap_walk_begin(const struct heap *heap, heap_handle handle,
                          struct heap_walk *walk);
/* Address and bytes of the next extent; NULL and 0 bytes at the end. */
void *spn__heap_walk_next(struct heap_walk *walk, uint32_t *bytes);

#endif
