/* meter.h - counters since the beginning, and over the last second.
 *
 * Integers only, and nothing is ever averaged on the way: a counter is a sum,
 * the last second is the sum of the sixteen sixteenths before the one that
 * `now` lies in, so that the same events give the same numbers. A meter is an
 * array of words that can be copied and compared.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_METER_H
#define SPN_OBSERVE_METER_H

#include <spindle/features.h>
#include <stdint.h>

#define METER_SLOT_US 62500u
#define METER_SECOND_SLOTS 16u
#define METER_SLOTS (METER_SECOND_SLOTS + 1)

/* Words of a meter of `width` counters: their sums, then of each slot its
 * number and the sums within it. All zero at first. Where nobody looks at
 * statistics no meter is used, and each is a word. */
#define METER_WORDS(width)                                                     \
    (SPN_WITH_OBSERVERS ? (width) + METER_SLOTS * ((width) + 1) : 1)

/* Add to each counter. Time does not run back, or what is late is missing in
 * the last second. */
void spn__meter_add(uint64_t *words, uint32_t width, uint64_t now_us,
                    const uint64_t *add);
/* Add the time from start to end to one counter, divided over the slots that
 * it lies in. */
void spn__meter_add_span(uint64_t *words, uint32_t width, uint32_t counter,
                         uint64_t start_us, uint64_t end_us);
/* Each counter's sum over the last second. */
void spn__meter_second(const uint64_t *words, uint32_t width, uint64_t now_us,
                       uint64_t *out);
/* How much of start to end lies in the last second. */
uint64_t spn__meter_span_in_second(uint64_t start_us, uint64_t end_us,
                                   uint64_t now_us);

#endif
