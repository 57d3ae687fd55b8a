/* compare.h - the order of numbers, for qsort and the comparisons of records.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_COMPARE_H
#define OFFLINE_COMMON_COMPARE_H

#include <stdint.h>

/* Below 0, 0, or above 0, as strcmp. */
static inline int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* For qsort: arrays of uint32_t and of uint64_t in ascending order. */
static inline int compare_u32_items(const void *a, const void *b)
{
    return compare_u64(*(const uint32_t *)a, *(const uint32_t *)b);
}

static inline int compare_u64_items(const void *a, const void *b)
{
    return compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

#endif
