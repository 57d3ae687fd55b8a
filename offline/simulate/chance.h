/* chance.h - random numbers for a simulation, the same on every machine.
 *
 * The generator is splitmix64 with 64 bits of state. The distributions use
 * integers only: floating point and libm differ in their last bits between
 * machines.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_CHANCE_H
#define OFFLINE_SIMULATE_CHANCE_H

#include <stdint.h>

struct chance {
    uint64_t state;
};

/* Start the sequence `number` of a seed. Sequences of one seed are
 * independent of each other. */
void chance_start(struct chance *chance, uint64_t seed, uint32_t number);
/* Uniform over all 64-bit numbers. */
uint64_t chance_u64(struct chance *chance);
/* Uniform in [0, limit); limit > 0. */
uint64_t chance_below(struct chance *chance, uint64_t limit);
/* Log-uniform in [low, high]; 0 < low <= high. The range from 1 to 2 is as
 * likely as that from 2 to 4. */
uint64_t chance_size(struct chance *chance, uint64_t low, uint64_t high);
/* Exponential with this mean: the time between independent events. */
uint64_t chance_wait(struct chance *chance, uint64_t mean);

#endif
