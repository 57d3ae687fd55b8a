/* run_read.h - a run of several reads at a device (run.h).
 *
 * The reads of a run go and come back together. A run that failed or was cut
 * short tells nothing about any of its reads: each that lacks bytes goes alone
 * from then on, and is tried as if there had been no run. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_RUN_READ_H
#define SPN_READ_STAGE_RUN_READ_H

#include "read/request.h"

struct io;
struct io_medium;

/* Send the planned run of a medium. False: the platform refused it. */
bool spn__run_read_start(struct io *io, struct io_medium *medium);
/* The run came back from the platform. */
void spn__run_read_take(struct io *io, struct io_medium *medium,
                        spn_status status, uint64_t bytes);
/* Where its i-th read goes then. */
enum read_stage spn__run_read_step(struct io *io, struct io_medium *medium,
                                   uint32_t i);

#endif
