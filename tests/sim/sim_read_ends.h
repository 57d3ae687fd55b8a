/* sim_read_ends.h - the callbacks of a read, and the checks of its result. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_READ_ENDS_H
#define TESTS_SIM_SIM_READ_ENDS_H

#include "sim/sim_reads.h"

void sim_read_on_async(const spn_read_result *result);
void sim_read_on_done(const spn_read_result *result);
spn_status sim_read_on_storage(const spn_read_want *want, void **buffer);
/* The read ended without a notification to the caller. */
void sim_read_forget(struct sim_read *r);
/* Check the guard after its buffer, and its memory when it has ended. */
void sim_read_check_memory(const struct sim_read *r);
/* Its memory must not be written any more. */
void sim_read_poison(struct sim_read *r);

#endif
