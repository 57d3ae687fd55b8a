/* latency.h - how long operations took: count, sum, maximum and a histogram.
 *
 * Bucket i of the histogram counts durations of at least 2^(i-1) and below 2^i
 * microseconds; bucket 0 counts 0. Durations beyond the last bucket count in
 * it. spindle/io_stats.h has the public struct and its quantiles. No locks:
 * one thread owns each spn_latency.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_LATENCY_H
#define SPN_OBSERVE_LATENCY_H

#include <spindle/io_stats.h>
#include <stdint.h>

void spn__latency_add(spn_latency *latency, uint64_t us);
/* A copy in which mean_us is filled in. */
spn_latency spn__latency_of(const spn_latency *latency);

#endif
