/* heap_check.h - statistics, map and invariants of a heap.
 *
 * Thread: the heap's owner.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_HEAP_CHECK_H
#define SPN_BASE_HEAP_CHECK_H

#include "base/heap.h"

#include <stdbool.h>
#include <stdint.h>

/* All statistics. O(spans in the topmost class that is not empty). */
void spn__heap_get_stats(const struct heap *heap, struct heap_stats *out);

/* Fill `cell_count` cells that divide the arena evenly. A cell is 0 for free
 * pages, and 1 + tag for used pages. A cell of several kinds has the kind with
 * most pages (of equal ones the smaller number). With more cells than pages
 * several cells show the same page. All cells of a heap without pages are 0.
 * O(pages). */
void spn__heap_map(const struct heap *heap, uint8_t *cells,
                   uint32_t cell_count);

/* Adjacent pages: a free span, or an extent of a block. */
struct heap_piece {
    uint32_t first_page;
    uint32_t page_count;
    bool is_free;
    enum heap_tag tag; /* of the block */
};

/* Number of pieces of which the arena consists. O(1). */
uint32_t spn__heap_piece_count(const struct heap *heap);
/* The piece that begins at a page, which is 0 or the first one behind another
 * piece. O(1). */
void spn__heap_piece_at(const struct heap *heap, uint32_t page,
                        struct heap_piece *out);

/* Return whether all invariants hold. Safe with any damage to the metadata.
 * O(pages). */
bool spn__heap_check(const struct heap *heap);

#endif
