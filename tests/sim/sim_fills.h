/* sim_fills.h - fills that run while the caller goes on.
 *
 * A fill is started now and then, and awaited some frames later. Its vertices
 * must be those of the frame that was shown when it was started, whatever has
 * happened to its node and cache since. The draws have a generator of their
 * own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_FILLS_H
#define TESTS_SIM_SIM_FILLS_H

#include "harness.h"
#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdint.h>

#define SIM_FILLS 2u

struct sim;
struct sim_node;
struct sim_shown;

struct sim_fill {
    spn_fill fill; /* 0: none */
    uint32_t clip;
    uint32_t mesh;
    spn_fill_result result;
    uint8_t vertices[MADE_VERTEX_BYTES_MAX];
};

struct sim_fills {
    struct test_random random;
    struct sim_fill fills[SIM_FILLS];
    uint32_t count; /* of checked fills */
};

void sim_fills_init(struct sim *sim);
/* After an update: a node may be filled. The status and the frames must be
 * those of the fill without a job. */
void sim_fills_start(struct sim *sim, const struct sim_node *n,
                     const struct sim_shown *shown);
/* Await some of the fills.
 *
 * is_end  await all */
void sim_fills_frame(struct sim *sim, bool is_end);

#endif
