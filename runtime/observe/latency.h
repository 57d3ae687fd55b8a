/* latency.h - how long things took: a sum, a maximum, and a histogram whose
 * buckets double. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_LATENCY_H
#define SPN_OBSERVE_LATENCY_H

#include <spindle/io_stats.h>
#include <stdint.h>

void spn__latency_add(spn_latency *latency, uint64_t us);
/* A copy with its mean. */
spn_latency spn__latency_of(const spn_latency *latency);

#endif
