/* run_read.h - a run of several reads at a device (run.h).
 *
 * All reads of a run are submitted and come back together. If a run failed or
 * delivered too few bytes, the bad read is not known. Each read without all its
 * bytes is then read alone, with the usual number of tries. Thread: the io
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_RUN_READ_H
#define SPN_READ_STAGE_RUN_READ_H

#include "read/request.h"

struct io;
struct io_medium;
struct run;

/* Make all copies of a run of which `arrived` bytes have come back. Must be
 * done before any read of the run continues, because a copy may read from the
 * destination of another read. */
void spn__run_read_copy(const struct run *run, uint32_t arrived);
/* Next stage of read number i of the run. */
enum read_stage spn__run_read_step(struct io *io, struct io_medium *medium,
                                   uint32_t i);

#endif
