/* sort_key.h - the order of the reads of one medium as a 64-bit number.
 *
 *   63..60 priority | 59..40 time group | 39..30 sweep | 29..0 offset in KiB
 *
 * The read with the smallest key is next. The key orders reads by priority,
 * then by time group, then in sweeps: passes over the medium with ascending
 * offsets. A time group is some time long (tuning variable time_group_ms), so
 * reads that start at about the same time are ordered by place, and none waits
 * for more than the groups before its own.
 *
 * Each field saturates at its maximum, so no field changes its neighbour. Time
 * groups are counted from the oldest pending read (read_order.h), so they stay
 * small. Pure functions; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_SORT_KEY_H
#define SPN_SCHEDULE_SORT_KEY_H

#include <stdint.h>

#define SORT_KEY_PRIORITY_MAX 15u
#define SORT_KEY_GROUP_MAX 0xfffffu
#define SORT_KEY_SWEEP_MAX 0x3ffu
#define SORT_KEY_OFFSET_MAX 0x3fffffffu
/* A place that is not known: it comes last. */
#define SORT_KEY_OFFSET_UNKNOWN UINT64_MAX

/* The length of a time group in microseconds, until another one is set. */
#define SORT_KEY_GROUP_US 2000000u

/* Pack a key. `offset` is in bytes. */
uint64_t spn__sort_key(uint32_t priority, uint64_t time_group, uint32_t sweep,
                       uint64_t offset);

/* Unpack a field of a key. */
uint32_t spn__sort_key_priority(uint64_t key);
uint32_t spn__sort_key_group(uint64_t key);
uint32_t spn__sort_key_sweep(uint64_t key);
uint32_t spn__sort_key_offset_kib(uint64_t key);

/* The key of a read that arrives while the head moves. `in_progress` is the key
 * of the read at the device, or of the last one served with this priority, with
 * the offset at which that read leaves the head; 0 if the queue was empty since
 * then. If the new read has the same priority and time group and is behind that
 * offset, it goes to the next sweep. Otherwise it goes to the sweep in
 * progress, or to sweep 0 if priority or time group differ. */
uint64_t spn__sort_key_arrive(uint32_t priority, uint64_t time_group,
                              uint64_t offset, uint64_t in_progress);

#endif
