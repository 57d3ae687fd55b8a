/* sim_draw.h - a caller that asks for draw lists, instances and ray casts.
 *
 * In half of the seeds. A list must have the meshes that fills show, with boxes
 * that contain their vertices; groups must be the static meshes that are there
 * often enough; a ray at a triangle must hit it, or something nearer. The draws
 * have a generator of their own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_DRAW_H
#define TESTS_SIM_SIM_DRAW_H

#include "harness.h"
#include "sim/sim_views.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

#define SIM_DRAW_NODE_ITEMS 8u /* more than any cache has scene nodes */
#define SIM_DRAW_ITEMS (SIM_VIEWS * SIM_DRAW_NODE_ITEMS)

struct sim;

struct sim_draw {
    struct test_random random;
    bool is_on;
    uint32_t instance_min;
    uint32_t count; /* of all items */
    spn_draw_item items[SIM_DRAW_ITEMS];
};

void sim_draw_init(struct sim *sim);
/* After an update. */
void sim_draw_check(struct sim *sim);

#endif
