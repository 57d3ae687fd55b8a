/* sim_blocks.h - the caller's own blocks of the heap, and their content.
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
    spn_block block; /* 0: no block */
    spn_block old_block;
    uint64_t bytes;
    uint8_t value; /* value of all its bytes */
};

struct sim_blocks {
    struct sim_block blocks[SIM_BLOCKS];
    bool has_taken;      /* ever took a block, so streams did not have the whole
                     * heap */
    uint64_t held_bytes; /* of all blocks */
    uint64_t held_max;   /* the largest of held_bytes so far */
};

/* Take a block, release one, or release the same twice. */
void sim_blocks_frame(struct sim *sim);
/* Check that no other code wrote to the blocks. */
void sim_blocks_check(struct sim *sim);
/* Faults are over: release all blocks. */
void sim_blocks_end_faults(struct sim *sim);

#endif
