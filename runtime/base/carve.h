/* carve.h - divides the one block of memory of spn_init into tables.
 *
 * Every module carves its tables in its init function. The same functions also
 * compute how much memory is needed: with base NULL a carve only counts bytes
 * and returns NULL for every piece. So spn_memory_needed and spn_init cannot
 * disagree.
 *
 * Thread: the caller's, in spn_init.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_CARVE_H
#define SPN_BASE_CARVE_H

#include <stddef.h>
#include <stdint.h>

struct carve {
    uint8_t *base;    /* NULL: count only; otherwise aligned to 64 */
    size_t used;      /* bytes carved or counted so far */
    size_t limit;     /* bytes at base; SIZE_MAX if base is NULL */
    uint64_t *tally;  /* bytes by purpose (SPN_MEMORY_...); NULL: not wanted */
    uint32_t purpose; /* of the following pieces */
    int is_over; /* 1: `used` would exceed `limit`, or does not fit size_t */
};

/* Set the purpose of all following pieces, for the tally. */
static inline void spn__carve_for(struct carve *carve, uint32_t purpose)
{
    carve->purpose = purpose;
}

/* Carve a zeroed array.
 *
 * count, bytes  number and size of its elements
 * align         power of two, <= 65536
 *
 * Returns NULL if the carve only counts, is over, or count * bytes is 0. */
void *spn__carve(struct carve *carve, size_t count, size_t bytes, size_t align);
/* The same with undefined contents, for memory that is too large to zero. */
void *spn__carve_raw(struct carve *carve, size_t count, size_t bytes,
                     size_t align);
/* The same as spn__carve, aligned to 64. */
void *spn__carve_table(struct carve *carve, size_t count, size_t bytes);
#define SPN_CARVE(carve, type, count)                                          \
    ((type *)spn__carve_table((carve), (count), sizeof(type)))

/* The number of elements of a ring: `capacity`, which is at most 2^30, rounded
 * up to a power of two >= 2. */
uint32_t spn__carve_ring_size(uint32_t capacity);

#endif
