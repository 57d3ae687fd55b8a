/* order_time.h - estimate how long a recorded game waits for its reads.
 *
 * pack_order_trace.c compares orders of files by this estimate. Input: a trace,
 * the position of each read on the disc, and a drive. The model has the drive's
 * seek and transfer times, reads that wait for each other as in the trace, and
 * the runtime's deadline scheduler (schedule/deadline.h). It is simpler than
 * the simulator (simulate/game_sim.h): there is one pak, a read is one access
 * of the drive, and decompression takes no time.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_ORDER_TIME_H
#define OFFLINE_PACK_ORDER_TIME_H

#include "pack/read_trace.h"

#include <spindle/drive_profile.h>
#include <stdint.h>

/* Before the trace starts, the model reads this many bytes at offset 0 of the
 * disc. This spins the disc up; its time is not part of the result. */
#define ORDER_TIME_FIRST_BYTES 2048u

struct order_time_read {
    uint64_t offset; /* of the first byte, on the disc */
    uint64_t bytes;  /* 0: not read; reads that wait for it start at once */
};

/* Return the estimated waiting time in microseconds. A visit of a scene is a
 * run of consecutive reads of the trace with that scene. The result is the time
 * from the start of the first read of a visit to the end of its last one,
 * summed over all visits.
 *
 * reads  one element for each read of the trace, in the same order; on the disc
 */
uint64_t order_time_us(const struct read_trace *trace,
                       const struct order_time_read *reads,
                       const spn_drive_profile *drive);

#endif
