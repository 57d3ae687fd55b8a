/* chance.h - random numbers of a simulation: integers, the same everywhere.
 *
 * splitmix64, and the two distributions that a load is made of. No floating
 * point and no libm, whose last bits differ between machines.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_CHANCE_H
#define OFFLINE_SIMULATE_CHANCE_H

#include <stdint.h>

struct chance {
    uint64_t state;
};

/* Sequences of one seed and different numbers have nothing in common. */
void chance_start(struct chance *chance, uint64_t seed, uint32_t number);
uint64_t chance_u64(struct chance *chance);
/* Uniform in [0, limit), limit > 0. */
uint64_t chance_below(struct chance *chance, uint64_t limit);
/* Log-uniform in [low, high], 0 < low <= high: as many between 1 and 2 as
 * between 2 and 4. */
uint64_t chance_size(struct chance *chance, uint64_t low, uint64_t high);
/* Exponential: the time to the next of events that know nothing of each
 * other. */
uint64_t chance_wait(struct chance *chance, uint64_t mean);

#endif
