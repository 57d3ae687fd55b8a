/* pace.c - running means with a weight of one eighth.
 *
 * Every time is clamped before it is multiplied, so no product overflows,
 * however long a read has stalled.
 */
/* SPDX-License-Identifier: MIT */
#include "observe/pace.h"

#include "base/minmax.h"

#define MIB 1048576u
/* Shorter pieces measure the command, not the transfer. */
#define TRANSFER_BYTES_MIN 16384u
/* A minute. No seek takes longer. */
#define US_MAX 60000000u
#define WEIGHT 8u

static uint32_t blend(uint32_t mean, uint64_t sample)
{
    return (uint32_t)(((uint64_t)mean * (WEIGHT - 1) + sample + WEIGHT / 2) /
                      WEIGHT);
}

/* At most 2^63: both factors are below 2^32. */
static uint64_t transfer_us(const struct pace *pace, uint64_t bytes)
{
    return min_u64(bytes, UINT32_MAX) * pace->us_per_mib / MIB;
}

static void add_transfer(struct pace *pace, uint64_t bytes, uint64_t us)
{
    uint64_t sample;

    if (bytes < TRANSFER_BYTES_MIN)
        return;
    sample = min_u64(us, US_MAX) * MIB / bytes;
    sample = min_u64(sample ? sample : 1, US_MAX);
    pace->us_per_mib =
        pace->us_per_mib ? blend(pace->us_per_mib, sample) : (uint32_t)sample;
}

void spn__pace_add(struct pace *pace, uint64_t bytes, uint64_t us,
                   bool is_continued)
{
    uint64_t transfer;

    if (is_continued) {
        add_transfer(pace, bytes, us);
        return;
    }
    transfer = transfer_us(pace, bytes);
    us = us > transfer ? min_u64(us - transfer, US_MAX) : 0;
    pace->seek_us = pace->is_known ? blend(pace->seek_us, us) : (uint32_t)us;
    pace->is_known = true;
}

uint64_t spn__pace_read_us(const struct pace *pace, uint64_t bytes)
{
    return pace->seek_us + transfer_us(pace, bytes);
}

uint32_t spn__pace_read_bytes(const struct pace *pace, uint32_t bytes_max)
{
    uint64_t bytes;

    if (pace->us_per_mib == 0)
        return 0;
    bytes = 2 * (uint64_t)pace->seek_us * MIB / pace->us_per_mib;
    return (uint32_t)min_u64(bytes, bytes_max);
}
