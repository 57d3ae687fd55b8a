/* loop_faults.h - the faults of a loop (fault_loop.h): a platform and a heap
 * that fail where the loop says.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_LOOP_FAULTS_H
#define TESTS_SIM_LOOP_FAULTS_H

#include "sim/fault_loop.h"

/* Make the table of the loop: that of its disc, with faults. */
void loop_faults_make_table(struct loop *loop);
/* Allocations of the heap fail from now on where the loop says. */
void loop_faults_in_heap(struct loop *loop);

#endif
