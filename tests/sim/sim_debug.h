/* sim_debug.h - compare a snapshot with what the simulator knows.
 *
 * The simulator knows its caches, nodes and blocks, the files of the disc, and
 * what the drives read now. The snapshot (spindle/debug.h) must say the same,
 * and must not contradict itself.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_DEBUG_H
#define TESTS_SIM_SIM_DEBUG_H

struct sim;

/* Between two steps, not after the shutdown. */
void sim_debug_check(struct sim *sim);

#endif
