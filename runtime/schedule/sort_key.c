/* sort_key.c - packs and unpacks sort keys.
 *
 * Every field is clamped before it is shifted. So an offset beyond 1 TiB is the
 * last one of its sweep, and the 1024th sweep stays in its time group.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/sort_key.h"

#include "base/assert.h"

#define OFFSET_BITS 30u
#define SWEEP_BITS 10u
#define GROUP_BITS 20u
#define PRIORITY_BITS 4u

#define SWEEP_SHIFT OFFSET_BITS
#define GROUP_SHIFT (SWEEP_SHIFT + SWEEP_BITS)
#define PRIORITY_SHIFT (GROUP_SHIFT + GROUP_BITS)

SPN_STATIC_ASSERT(PRIORITY_SHIFT + PRIORITY_BITS == 64, key_is_full);
SPN_STATIC_ASSERT(SORT_KEY_OFFSET_MAX == (1u << OFFSET_BITS) - 1, key_offset);
SPN_STATIC_ASSERT(SORT_KEY_SWEEP_MAX == (1u << SWEEP_BITS) - 1, key_sweep);
SPN_STATIC_ASSERT(SORT_KEY_GROUP_MAX == (1u << GROUP_BITS) - 1, key_group);
SPN_STATIC_ASSERT(SORT_KEY_PRIORITY_MAX == (1u << PRIORITY_BITS) - 1,
                  key_priority);

static uint64_t clamp(uint64_t value, uint64_t maximum)
{
    return value < maximum ? value : maximum;
}

SPN_NOINLINE uint64_t spn__sort_key(uint32_t priority, uint64_t time_group,
                                    uint32_t sweep, uint64_t offset)
{
    return clamp(priority, SORT_KEY_PRIORITY_MAX) << PRIORITY_SHIFT |
           clamp(time_group, SORT_KEY_GROUP_MAX) << GROUP_SHIFT |
           clamp(sweep, SORT_KEY_SWEEP_MAX) << SWEEP_SHIFT |
           clamp(offset >> 10, SORT_KEY_OFFSET_MAX);
}

uint32_t spn__sort_key_priority(uint64_t key)
{
    return (uint32_t)(key >> PRIORITY_SHIFT);
}

uint32_t spn__sort_key_group(uint64_t key)
{
    return (uint32_t)(key >> GROUP_SHIFT) & SORT_KEY_GROUP_MAX;
}

uint32_t spn__sort_key_sweep(uint64_t key)
{
    return (uint32_t)(key >> SWEEP_SHIFT) & SORT_KEY_SWEEP_MAX;
}

uint32_t spn__sort_key_offset_kib(uint64_t key)
{
    return (uint32_t)key & SORT_KEY_OFFSET_MAX;
}

uint64_t spn__sort_key_arrive(uint32_t priority, uint64_t time_group,
                              uint64_t offset, uint64_t in_progress)
{
    uint64_t key = spn__sort_key(priority, time_group, 0, offset);
    uint32_t sweep;

    /* Compare the packed values: reads whose groups both saturated are in one
     * group. */
    if (key >> GROUP_SHIFT != in_progress >> GROUP_SHIFT)
        return key;
    sweep = spn__sort_key_sweep(in_progress);
    if (spn__sort_key_offset_kib(key) < spn__sort_key_offset_kib(in_progress))
        sweep++;
    return spn__sort_key(priority, time_group, sweep, offset);
}
