/* decode_pace.h - how fast the workers decode, measured between updates.
 *
 * The *load* of a frame is its number of heap pages. While frames run, the load
 * that ends is divided by the time that passes: that is the capacity. If no
 * frame is left at an update, the workers may have rested for a part of the
 * time, so such a measurement only counts if it is above what is known. The
 * last few measurements decide. No clock but that of the updates is read.
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_DECODE_PACE_H
#define SPN_OBSERVE_DECODE_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct decode_pace {
    uint32_t running_count; /* frames that run */
    uint32_t running_load;  /* of these */
    uint32_t ended_load;    /* since the last update */
    bool was_busy;          /* frames ran after the last update */
    uint64_t waited_us;     /* time with running frames since one ended */
    uint64_t limit_us;      /* backlog with which no frames are launched */
    /* Sums over the last measurements; older ones count less. */
    uint64_t load; /* in 1/256 */
    uint64_t busy_us;
    uint32_t count; /* measurements, up to the number that matters */
};

/* A frame is launched, and has ended. */
void spn__decode_pace_launch(struct decode_pace *p, uint32_t load);
void spn__decode_pace_end(struct decode_pace *p, uint32_t load);
/* At each update, before frames are launched.
 *
 * elapsed_us  since the last update */
void spn__decode_pace_update(struct decode_pace *p, uint64_t elapsed_us);
/* At the end of each update. */
void spn__decode_pace_begin(struct decode_pace *p);

/* The load that the workers decode in a thousand seconds; 0: not known. */
uint64_t spn__decode_pace_capacity(const struct decode_pace *p);
/* Time that the running frames and `load` more take; 0 if it is not known. */
uint64_t spn__decode_pace_time(const struct decode_pace *p, uint32_t load);
/* True if the workers have enough to do: frames that are not due yet need not
 * be launched now. */
bool spn__decode_pace_is_full(const struct decode_pace *p);

#endif
