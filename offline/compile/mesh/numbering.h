/* numbering.h - numbers pairs of integers in the order of their first use.
 *
 * A hash table with open addressing. The numbers depend on the order of the
 * calls alone, not on the hash. Callers that refine a partition use it: two
 * items are of one class of the new partition if they agree in their old class
 * and in one more number.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_NUMBERING_H
#define OFFLINE_COMPILE_MESH_NUMBERING_H

#include "common/arena.h"

#include <stdint.h>

struct numbering {
    uint32_t count; /* pairs so far */
    uint32_t mask;  /* slots - 1 */
    struct numbering_slot {
        uint64_t pair;
        uint32_t number_plus_one; /* 0: the slot is free */
    } * slots;
};

/* Begin without pairs. At most `pairs_max` different ones may follow. The table
 * belongs to `arena`. */
void numbering_begin(struct numbering *numbering, uint32_t pairs_max,
                     struct arena *arena);

/* Return the number of the pair a, b: 0 for the first one, and so on. */
uint32_t numbering_of(struct numbering *numbering, uint32_t a, uint32_t b);

#endif
