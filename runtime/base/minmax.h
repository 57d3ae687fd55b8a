/* minmax.h - minimum and maximum of integers. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_MINMAX_H
#define SPN_BASE_MINMAX_H

#include <stdint.h>

static inline uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The sum, or UINT64_MAX if it is larger. */
static inline uint64_t add_saturated_u64(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* The absolute difference. */
static inline uint64_t distance_u64(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
