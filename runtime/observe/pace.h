/* pace.h - how fast a medium is, learnt from what its reads take.
 *
 * Two numbers: the transfer time, from pieces that continue the last one, and
 * what it costs to go elsewhere, from those that do not. Both are running
 * means. Integers only: the same reads give the same numbers.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_PACE_H
#define SPN_OBSERVE_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
    uint32_t us_per_mib; /* 0: not known yet; then all counts as seek */
    uint32_t seek_us;
    bool is_known; /* anything at all */
};

/* A piece of `bytes` took `us`. Too short ones say nothing. */
void spn__pace_add(struct pace *pace, uint64_t bytes, uint64_t us,
                   bool is_continued);
/* Time that reading `bytes` from elsewhere takes; 0 while nothing is known. */
uint64_t spn__pace_read_us(const struct pace *pace, uint64_t bytes);
/* Bytes of a read that transfers for twice as long as it seeks, so that two
 * thirds of the medium's rate are used; saturates at `bytes_max`. */
uint32_t spn__pace_read_bytes(const struct pace *pace, uint32_t bytes_max);

#endif
