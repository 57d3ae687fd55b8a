/* pace.h - the speed of a medium, learnt from the times of its pieces.
 *
 * A pace has two running means: the transfer time of a MiB, from pieces that
 * continue the piece before, and the seek time, from the others. Each new piece
 * has a weight of one eighth. Integers only, so the same pieces give the same
 * numbers. The io thread adds pieces; copies go to the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_PACE_H
#define SPN_OBSERVE_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
    uint32_t us_per_mib; /* 0: not known yet; seek_us contains the transfer */
    uint32_t seek_us;
    bool is_known; /* seek_us is valid */
};

/* A piece of `bytes` took `us`. The transfer time is learnt from pieces of
 * 16 KiB and more only; shorter ones measure the command. */
void spn__pace_add(struct pace *pace, uint64_t bytes, uint64_t us,
                   bool is_continued);
/* The expected time of a read of `bytes` after a seek; 0 if nothing is known.
 */
uint64_t spn__pace_read_us(const struct pace *pace, uint64_t bytes);
/* The size of a read whose transfer takes twice as long as its seek, so that
 * two thirds of the medium's rate are used; at most `bytes_max`. 0 if the
 * transfer time is not known. */
uint32_t spn__pace_read_bytes(const struct pace *pace, uint32_t bytes_max);

#endif
