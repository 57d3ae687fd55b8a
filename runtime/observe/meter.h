/* meter.h - counters: their sums since the start, and over the last second.
 *
 * A meter counts several things at once, its `width` counters, for example the
 * reads and bytes of a device. It is an array of words without pointers, so it
 * can be copied to another thread. The last second is the sum of the 16
 * complete sixteenths of a second before now: integers only, so the same events
 * give the same numbers. No locks: one thread owns each meter.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_METER_H
#define SPN_OBSERVE_METER_H

#include <spindle/features.h>
#include <stdint.h>

/* A *slot* has the sums of one interval of 1/16 s. The slots are a ring: the
 * oldest one is used again. */
#define METER_SLOT_US 62500u
#define METER_SECOND_SLOTS 16u /* slots of the last second */
/* One more slot is the interval that has not ended. */
#define METER_SLOTS (METER_SECOND_SLOTS + 1)

/* Number of words of a meter of `width` counters: the sums since the start;
 * then, for each slot, its number and its sums. The owner sets all words to 0
 * before the first use. Without observers (features.h) no meter is used, and
 * each is one word. */
#define METER_WORDS(width)                                                     \
    (SPN_WITH_OBSERVERS ? (width) + METER_SLOTS * ((width) + 1) : 1)

/* Add add[i] to each counter i, at the time now_us. If that time is before the
 * oldest slot, the event counts in the sums since the start, but not in the
 * last second.
 *
 * words  the meter, METER_WORDS(width) words */
void spn__meter_add(uint64_t *words, uint32_t width, uint64_t now_us,
                    const uint64_t *add);
/* Add the time from start_us to end_us to one counter, distributed over the
 * slots that it covers. */
void spn__meter_add_span(uint64_t *words, uint32_t width, uint32_t counter,
                         uint64_t start_us, uint64_t end_us);
/* Fill out[i] with the sum of counter i over the last second. */
void spn__meter_second(const uint64_t *words, uint32_t width, uint64_t now_us,
                       uint64_t *out);
/* The part of the time from start_us to end_us that is in the last second. */
uint64_t spn__meter_span_in_second(uint64_t start_us, uint64_t end_us,
                                   uint64_t now_us);

#endif
