/* sim_memory.h - caches that play from memory.
 *
 * One of the clips is marked; the limit of the others, memory_play_kib, is
 * drawn and changes while all runs. The draws have a generator of their own.
 * Checked of caches that keep all frames: no frame vanishes that was not
 * evicted, and when all are decoded, no read is started.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_MEMORY_H
#define TESTS_SIM_SIM_MEMORY_H

#include "harness.h"
#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdint.h>

/* Slots of caches that are looked at. */
#define SIM_MEMORY_CACHES (2 * MADE_CLIPS)

struct sim;

struct sim_memory {
    struct test_random random;
    /* After the last update, of each slot of a cache: the cache that kept all
     * frames, 0: none; and how many were decoded. */
    spn_cache caches[SIM_MEMORY_CACHES];
    uint32_t decoded[SIM_MEMORY_CACHES];
    uint32_t evicted; /* frames evicted until then */
};

void sim_memory_init(struct sim *sim);
/* Immediately before an update. */
void sim_memory_frame(struct sim *sim);
/* Immediately after an update. */
void sim_memory_check(struct sim *sim);

#endif
