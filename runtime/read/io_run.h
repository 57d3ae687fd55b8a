/* io_run.h - a run at the device: several reads that come and go together. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_RUN_H
#define SPN_READ_IO_RUN_H

#include "read/engine.h"

/* Read what the medium's run holds; its reads are in no line. */
void spn__io_start_run(struct io *io, struct io_medium *medium);
void spn__io_end_run(struct io *io, struct io_medium *medium, spn_status status,
                     uint64_t bytes);
/* Nobody wants the run at the device any more. */
bool spn__io_run_is_unwanted(const struct io *io,
                             const struct io_medium *medium);

#endif
