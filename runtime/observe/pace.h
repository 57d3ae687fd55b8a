/* pace.h - the speed of a medium, measured from the durations of its pieces.
 *
 * A *piece* is one command to the device; a read consists of one or more
 * pieces. A pace has two running means: the transfer time of a MiB, from pieces
 * that begin where the piece before ended, and the seek time, from all other
 * pieces: their duration minus the expected transfer time of their bytes. Each
 * new piece has a weight of one eighth. Integers only, so the same pieces give
 * the same numbers. Thread: the I/O thread, which owns a pace for each medium.
 * It sends copies of them to the caller's thread (read/io_report.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_PACE_H
#define SPN_OBSERVE_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
    uint32_t us_per_mib; /* transfer time of a MiB; 0: not known yet */
    uint32_t seek_us;    /* time of a seek; while us_per_mib is 0, of a seek and
                          * a transfer together */
    bool is_known;       /* seek_us is valid; us_per_mib says so by itself */
};

/* Add a piece. Of pieces that continue the one before, only those of 16 KiB and
 * more change the transfer time; in shorter ones the fixed time of a command
 * prevails.
 *
 * bytes         bytes that arrived
 * us            duration of the piece, in microseconds
 * is_continued  it began where the piece before ended: no seek */
void spn__pace_add(struct pace *pace, uint64_t bytes, uint64_t us,
                   bool is_continued);
/* The expected time of a read of `bytes` after a seek: seek and transfer. A
 * mean that is not known counts as 0. */
uint64_t spn__pace_read_us(const struct pace *pace, uint64_t bytes);
/* The size of a read whose transfer takes twice as long as its seek, so that
 * two thirds of the medium's rate are used; at most `bytes_max`. 0 if the
 * transfer time is not known. */
uint32_t spn__pace_read_bytes(const struct pace *pace, uint32_t bytes_max);

#endif
