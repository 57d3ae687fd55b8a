/* sort_key.h - the order of reads on one medium, as one 64-bit number.
 *
 *   63..60 priority | 59..40 time group | 39..30 sweep | 29..0 offset in KiB
 *
 * Smaller is first. Every field saturates: none can touch its neighbour. The
 * time group counts from the oldest pending request, so it cannot grow
 * without bound; an unknown offset is the largest one.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_SORT_KEY_H
#define SPN_SCHEDULE_SORT_KEY_H

#include <stdint.h>

#define SORT_KEY_PRIORITY_MAX 15u
#define SORT_KEY_GROUP_MAX 0xfffffu
#define SORT_KEY_SWEEP_MAX 0x3ffu
#define SORT_KEY_OFFSET_MAX 0x3fffffffu
#define SORT_KEY_OFFSET_UNKNOWN UINT64_MAX

/* Length of one time group. */
#define SORT_KEY_GROUP_US 2000000u

/* `offset` in bytes. */
uint64_t spn__sort_key(uint32_t priority, uint64_t time_group, uint32_t sweep,
                       uint64_t offset);

uint32_t spn__sort_key_priority(uint64_t key);
uint32_t spn__sort_key_group(uint64_t key);
uint32_t spn__sort_key_sweep(uint64_t key);
uint32_t spn__sort_key_offset_kib(uint64_t key);

/* Key of a request that arrives while the head is on its way. `in_progress`
 * is the key of the read at the device, or of the last one served in this
 * priority, its offset where that read leaves the head; never that of the
 * next one queued. A request of the same priority and time group that lies
 * behind that offset goes to the next sweep. Of another priority or time
 * group it starts at sweep 0, as it does when `in_progress` is 0: nothing
 * was served since the queue was last empty. */
uint64_t spn__sort_key_arrive(uint32_t priority, uint64_t time_group,
                              uint64_t offset, uint64_t in_progress);

#endif
