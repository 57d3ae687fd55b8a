/* sim_buffers.h - the engine's buffers for the frames of caches.
 *
 * Half of the opened caches get them. A buffer is memory of its own that is
 * freed when it comes back, so that a late write is found by a sanitizer. The
 * draws have a generator of their own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_BUFFERS_H
#define TESTS_SIM_SIM_BUFFERS_H

#include "harness.h"
#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdint.h>

#define SIM_BUFFERS 96u

struct sim;
struct sim_node;
struct sim_shown;

struct sim_buffer {
    void *vertices; /* NULL: not out */
    uint32_t frame;
};

struct sim_pool {
    struct sim *sim;
    uint32_t clip;
    struct sim_buffer buffers[SIM_BUFFERS];
};

struct sim_buffers {
    struct test_random random;
    struct sim_pool pools[MADE_CLIPS];
    uint32_t count; /* of buffers that are out */
};

void sim_buffers_init(struct sim *sim);
/* Free the buffers that are still out. */
void sim_buffers_free(struct sim *sim);
/* A cache was opened: give it buffers, or take them away. */
void sim_buffers_open(struct sim *sim, uint32_t clip, spn_cache cache);
/* Check that the node's frames are those that it shows, and have their values
 * in their buffers. */
void sim_buffers_check(struct sim *sim, const struct sim_node *n,
                       const struct sim_shown *shown);

#endif
