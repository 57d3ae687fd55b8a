/* io_deadline.h - media whose drive is known: the drive's profile and forecast,
 * and the deadline scheduler that orders their reads.
 *
 * A read that is put into the queue of such a medium is weighed: its place on
 * the disc, class and deadline go to the scheduler (schedule/deadline.h). They
 * change only when it is put there again. stage/deadline_choice.h chooses.
 * Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_DEADLINE_H
#define SPN_READ_IO_DEADLINE_H

#include "disc/forecast.h"
#include "read/engine.h"
#include "read/run.h"
#include "schedule/deadline_coalesce.h"
#include "schedule/deadline_waiting.h"

#include <spindle/drive_profile.h>
#include <stdbool.h>
#include <stdint.h>

struct io_drive {
    spn_drive_profile profile; /* fixed after init */
    uint32_t typical_us;       /* a seek of typical length; fixed after init */
    struct forecast forecast;  /* corrected by what pieces take */
};

struct io_deadline {
    struct deadline_scheduler scheduler;
    struct deadline_waiting waiting; /* the same reads as the medium's queue */
    uint8_t *scratch;                /* gaps of runs go here */
    uint32_t scratch_bytes;
    struct run run;
    /* while reads are chosen */
    uint64_t now_us;
    uint32_t chosen; /* item of the scheduler's */
    uint32_t
        candidates[DEADLINE_COALESCE_MAX]; /* reads, by their first bytes */
    uint32_t candidate_count;
    uint32_t next_candidate;
    uint32_t next_member; /* of the run, to go to the device */
};

/* At init: cut the drives and schedulers of the media with a profile. io->media
 * is NULL when memory is only counted. */
void spn__io_carve_deadline_queues(struct io *io, struct carve *carve,
                                   const struct io_config *config);
/* Weigh a read that is put into the queue of its medium, with its sort key.
 * Nothing happens where the medium has no scheduler. */
void spn__io_weigh(struct io *io, uint32_t index, uint64_t key);

#endif
