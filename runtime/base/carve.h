/* carve.h - the caller's one block, cut into tables once, at init.
 *
 * The same code measures and cuts: with base NULL it only counts, so that
 * spn_memory_needed and spn_init can never disagree.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_CARVE_H
#define SPN_BASE_CARVE_H

#include <stddef.h>
#include <stdint.h>

struct carve {
    uint8_t *base;   /* NULL: count only; else aligned to 64 */
    size_t used;     /* bytes */
    size_t limit;    /* bytes at base; SIZE_MAX when counting */
    int is_over;     /* the limit or size_t was passed */
    uint64_t *tally; /* bytes for each purpose; NULL: nobody counts */
    uint32_t purpose;
};

/* What the next pieces are for, until the next call. */
static inline void spn__carve_for(struct carve *carve, uint32_t purpose)
{
    carve->purpose = purpose;
}

/* `count` elements of `bytes`, aligned to `align` (power of two, <= 65536),
 * zeroed. NULL when counting, when over, and for 0 bytes. */
void *spn__carve(struct carve *carve, size_t count, size_t bytes, size_t align);
/* The same with undefined contents: for pieces too large to touch twice. */
void *spn__carve_raw(struct carve *carve, size_t count, size_t bytes,
                     size_t align);
/* Most pieces need no more than what every one has: 64. */
void *spn__carve_table(struct carve *carve, size_t count, size_t bytes);
#define SPN_CARVE(carve, type, count)                                          \
    ((type *)spn__carve_table((carve), (count), sizeof(type)))

#endif
