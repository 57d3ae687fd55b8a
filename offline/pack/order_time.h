/* order_time.h - how long a recorded game waits for data that lies so and so.
 *
 * A model beside the simulation of all (simulate/): the drive's arithmetic,
 * reads that wait for each other as the trace says, and the runtime's scheduler
 * (schedule/sweep.h), which chooses among those that wait. No pieces, no
 * decompression, one pak; of two layouts it says which is the faster one.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_ORDER_TIME_H
#define OFFLINE_PACK_ORDER_TIME_H

#include "pack/read_trace.h"

#include <spindle/drive_profile.h>
#include <stdint.h>

#define ORDER_TIME_FIRST_BYTES 2048u

struct order_time_read {
    uint64_t at;    /* first byte, on the disc */
    uint64_t bytes; /* 0: not read; what waits for it goes on at once */
};

/* When the trace begins, the disc turns, and its first sector has been read. Of
 * each row of reads of one scene the time from the start of the first to the
 * end of the last, us, and of these the sum. Every read lies on the disc. */
uint64_t order_time_us(const struct read_trace *trace,
                       const struct order_time_read *reads,
                       const spn_drive_profile *drive);

#endif
