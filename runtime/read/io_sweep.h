/* io_sweep.h - what a medium has whose drive is known, and whose reads the
 * sweep orders. Owner: the io thread. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_SWEEP_H
#define SPN_READ_IO_SWEEP_H

#include "disc/forecast.h"
#include "read/engine.h"
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
    struct run run;
    /* while reads are chosen */
    uint64_t now_us;
    uint32_t chosen;                     /* item of the sweep's */
    uint32_t candidates[SWEEP_JOIN_MAX]; /* reads, by their first bytes */
    uint32_t candidate_count;
    uint32_t next_candidate;
    uint32_t next_member; /* of the run, to go to the device */
};

/* At init: what the media have whose drives are known. io->media is NULL when
 * only counting; then so is all that is cut. */
void spn__io_cut_sweeps(struct io *io, struct carve *carve,
                        const struct io_config *config);
/* A read joins the line of a medium with a sweep: how it is weighed. */
void spn__io_weigh(struct io *io, uint32_t index, uint64_t key);

#endif
