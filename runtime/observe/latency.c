/* latency.c - adds to a histogram, and reads quantiles from it. */
/* SPDX-License-Identifier: MIT */
#include "observe/latency.h"
#include "base/minmax.h"

#define LAST_BUCKET (SPN_LATENCY_BUCKETS - 1)

/* The number of significant bits. */
static uint32_t bucket_of(uint64_t us)
{
    uint32_t bucket = 0;

    while (us != 0 && bucket < LAST_BUCKET) {
        us >>= 1;
        bucket++;
    }
    return bucket;
}

void spn__latency_add(spn_latency *latency, uint64_t us)
{
    uint32_t *bucket = &latency->buckets[bucket_of(us)];

    latency->count++;
    latency->sum_us += us;
    latency->max_us = max_u64(latency->max_us, us);
    if (*bucket < UINT32_MAX)
        ++*bucket;
}

spn_latency spn__latency_of(const spn_latency *latency)
{
    spn_latency copy = *latency;

    copy.mean_us = copy.count ? copy.sum_us / copy.count : 0;
    return copy;
}

/* `permille` of `total`, rounded up; total is below 2^37. */
static uint64_t share(uint64_t total, uint32_t permille)
{
    return (total * permille + 999) / 1000;
}

uint64_t spn_latency_quantile(const spn_latency *latency, uint32_t permille)
{
    uint64_t total = 0;
    uint64_t below = 0;
    uint64_t end_us;

    if (!latency || permille > 1000)
        return 0;
    for (uint32_t i = 0; i < SPN_LATENCY_BUCKETS; i++)
        total += latency->buckets[i];
    if (total == 0)
        return 0;
    for (uint32_t i = 0; i < LAST_BUCKET; i++) {
        below += latency->buckets[i];
        end_us = ((uint64_t)1 << i) - 1;
        if (below > 0 && below >= share(total, permille))
            return end_us < latency->max_us ? end_us : latency->max_us;
    }
    return latency->max_us;
}
