/* io_sweep.h - what a medium has whose drive is known, and whose reads the
 * sweep orders. Owner: the io thread. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_SWEEP_H
#define SPN_READ_IO_SWEEP_H

#include "disc/forecast.h"
#include "read/run.h"
#include "schedule/sweep.h"
#include "schedule/sweep_waiting.h"

#include <spindle/drive_profile.h>
#include <stdbool.h>
#include <stdint.h>

struct io_drive {
    spn_drive_profile profile; /* fixed after init */
    uint32_t typical_us;       /* a seek; the same */
    struct forecast forecast;
};

struct io_sweep {
    struct sweep sweep;
    struct sweep_waiting waiting; /* the same reads as the medium's queue */
    uint8_t *scratch;
    uint32_t scratch_bytes;
    bool is_running; /* the run is at the device */
    struct run run;
};

#endif
