/* order_time.h - estimate how long a recorded game waits for its reads.
 *
 * Input: a trace, the position of each read on the disc, a drive. The model has
 * the drive's seek and transfer times, reads that wait for each other as the
 * trace says, and the runtime's deadline scheduler (schedule/deadline.h). It
 * reads whole files at once, does not decompress and has one pak: it is simpler
 * than simulate/ and serves to compare two orders of files.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_ORDER_TIME_H
#define OFFLINE_PACK_ORDER_TIME_H

#include "pack/read_trace.h"

#include <spindle/drive_profile.h>
#include <stdint.h>

/* Bytes of the model's first read, at the start of the disc, which spins it up.
 */
#define ORDER_TIME_FIRST_BYTES 2048u

struct order_time_read {
    uint64_t at;    /* first byte, on the disc */
    uint64_t bytes; /* 0: not read; reads that wait for it go on at once */
};

/* Returns in microseconds the sum, over all stays in a scene, of the time from
 * the start of its first read to the end of its last. The disc rotates at the
 * beginning, with the head at its start. Every read lies on the disc.
 * `reads` has one element for each read of the trace, in the same order. */
uint64_t order_time_us(const struct read_trace *trace,
                       const struct order_time_read *reads,
                       const spn_drive_profile *drive);

#endif
