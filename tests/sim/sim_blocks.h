/* sim_blocks.h - the caller's own blocks of the heap, and what he keeps there.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_BLOCKS_H
#define TESTS_SIM_SIM_BLOCKS_H

#include <spindle/memory.h>
#include <stdbool.h>
#include <stdint.h>

#define SIM_BLOCKS 3u

struct sim;

struct sim_block {
    spn_block block; /* 0: none */
    spn_block old_block;
    uint64_t bytes;
    uint8_t value; /* of all of them */
};

struct sim_blocks {
    struct sim_block blocks[SIM_BLOCKS];
    bool has_taken; /* ever: then the heap was not for the streams alone */
};

/* Takes one, gives one back, or the same twice. */
void sim_blocks_frame(struct sim *sim);
/* Nobody else wrote there. */
void sim_blocks_check(struct sim *sim);
/* Faults are over: gives all back. */
void sim_blocks_heal(struct sim *sim);

#endif
