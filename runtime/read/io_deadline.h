/* io_deadline.h - media whose drive is known: the drive's profile and forecast,
 * and the deadline scheduler that orders their reads.
 *
 * When a read is put into the queue of such a medium, its place on the disc,
 * class and deadline are given to the scheduler (schedule/deadline.h), which
 * keeps them until the read is put there again. stage/deadline_choice.h chooses
 * reads. Thread: the io thread.
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
    uint32_t typical_us;       /* spn__drive_typical_us; fixed after init */
    struct forecast forecast;  /* corrected by measured times of pieces */
};

struct io_deadline {
    struct deadline_scheduler scheduler;
    struct deadline_waiting waiting; /* the same reads as the medium's queue */
    uint8_t *scratch;                /* for the gaps of runs */
    uint32_t scratch_bytes;
    struct run run;
    /* while reads are chosen */
    uint64_t now_us;
    uint32_t chosen; /* item of the scheduler */
    /* Reads in ascending order of their first bytes. */
    uint32_t candidates[DEADLINE_COALESCE_MAX];
    uint32_t candidate_count;
    uint32_t next_candidate;
    uint32_t next_member; /* of the run, to go to the device */
};

/* Carve the drives and schedulers of the media that have a profile. io->media
 * is NULL if the carve only counts. */
void spn__io_carve_deadline_queues(struct io *io, struct carve *carve,
                                   const struct io_config *config);
/* Give a read that is put into the queue of its medium to the scheduler, with
 * its sort key. No effect if the medium has no scheduler. */
void spn__io_weigh(struct io *io, uint32_t index, uint64_t key);

#endif
