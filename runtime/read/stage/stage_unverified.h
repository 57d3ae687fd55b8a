/* stage_unverified.h - READ_UNVERIFIED: reads of plain entries of which all
 * bytes have arrived, but no slot was free to verify the last blocks.
 *
 * They go back to READ_DRAINING when a slot is free. Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_UNVERIFIED_H
#define SPN_READ_STAGE_UNVERIFIED_H

#include "read/request.h"

struct io;

enum read_stage spn__unverified_enter(struct io *io, uint32_t index);
/* Number of reads that may try again now. */
uint32_t spn__unverified_count(const struct io *io);
/* Take the first read out; its next stage is READ_DRAINING. At least one waits.
 */
uint32_t spn__unverified_step(struct io *io);

#endif
