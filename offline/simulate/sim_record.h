/* sim_record.h - what happened in a simulation, for its report and its page.
 *
 * Times are microseconds from its beginning, places bytes of the disc.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_RECORD_H
#define OFFLINE_SIMULATE_SIM_RECORD_H

#include "simulate/sim_heap.h"
#include "simulate/tally.h"

#include <spindle/emulator.h>
#include <spindle/io_stats.h>
#include <stdbool.h>
#include <stdint.h>

/* The device was busy with one run of bytes. */
struct sim_move {
    uint64_t begin_us;
    uint64_t end_us;
    uint64_t begin; /* on the disc */
    uint64_t end;
    enum sweep_class class;
    uint32_t file; /* as its request has it */
    bool has_failed;
};

/* How a read that missed its deadline ended. */
enum sim_late_how {
    SIM_LATE_DONE,
    SIM_LATE_FAILED,
    SIM_LATE_WAITING, /* it did not: the run was over */
    SIM_LATE_NEVER    /* nor would it have: the drive had stopped */
};

struct sim_late {
    uint64_t end_us;  /* or that of the run */
    uint64_t late_us; /* by then; 0: no deadline had passed yet */
    uint64_t position;
    enum sweep_class class;
    uint32_t file; /* as of a move */
    enum sim_late_how how;
};

/* What a scene wanted at once. */
struct sim_burst {
    const char *scene; /* lives as long as the trace */
    uint64_t at_us;
    uint32_t reads;
    uint32_t ended;        /* of these, well */
    uint32_t failed;       /* or not: nor were those that were taken back */
    uint64_t end_us;       /* of the last of both */
    uint64_t stored_bytes; /* that came off the disc, */
    uint64_t transfer_us;  /* and what the drive needs to move just these */
};

/* Reads of a trace in a row that are of one scene. */
struct sim_visit {
    const char *scene; /* lives as long as the trace */
    uint32_t first;    /* index of its first read in the trace, */
    uint32_t limit;    /* and behind its last */
    uint32_t reads;    /* of these, that are not left out */
    uint32_t begun;
    uint32_t ended; /* of these, well, */
    uint32_t failed;
    uint64_t begin_us; /* of the first */
    uint64_t end_us;   /* of the last so far */
};

/* From then on so many waited, the one at the device included. */
struct sim_depth {
    uint64_t at_us;
    uint32_t depth;
};

struct sim_record {
    struct tally tally; /* of classes; the drive is `drive` */
    spn_emulator_stats drive;
    struct sim_move *moves;
    uint32_t move_count;
    uint32_t move_capacity;
    struct sim_late *lates;
    uint32_t late_count;
    uint32_t late_capacity;
    struct sim_depth *depths;
    uint32_t depth_count;
    uint32_t depth_capacity;
    struct sim_burst *bursts;
    uint32_t burst_count;
    uint32_t burst_capacity;
    struct sim_visit *visits;
    uint32_t visit_count;
    uint32_t visit_capacity;
    struct sim_heap_map heap;

    uint64_t time_us;
    uint64_t mount_us; /* before the beginning; 0: no pak */
    spn_io_stats io;
    spn_medium_stats medium;
    uint32_t depth_max;
    /* requests, by what became of them */
    uint64_t asked;
    uint64_t done;
    uint64_t failed;  /* with an error of the drive's */
    uint64_t dropped; /* not wanted any more */
    uint64_t waiting; /* when it was over, */
    uint64_t never;   /* of these: the drive has stopped */
    uint64_t drained; /* that waited, and ended when nothing new was asked for:
                       * all, but for a drive that has stopped */
    uint64_t bytes;   /* delivered and found right */
    uint64_t stored_bytes; /* brought off the disc for them; what several reads
                              of one go share counts once */
};

void sim_record_init(struct sim_record *record);
void sim_record_free(struct sim_record *record);

/* A piece went to the device and came back; it goes on with the move before
 * where it begins when and where that ended. */
void sim_record_piece(struct sim_record *record, const struct sim_move *piece);
void sim_record_late(struct sim_record *record, const struct sim_late *late);
/* A burst that is to come. */
void sim_record_burst(struct sim_record *record, const char *scene,
                      uint64_t at_us, uint32_t reads);
/* A visit that is to come. */
void sim_record_visit(struct sim_record *record, const struct sim_visit *visit);
/* Has each of its reads ended, and well? Then *us: from the start of the first
 * of them to the end of the last, after which the scene is ready. */
bool sim_visit_is_ready(const struct sim_visit *visit, uint64_t *us);
/* Has all of it been read? Else there is no time that it took. */
bool sim_burst_is_over(const struct sim_burst *burst);
void sim_record_depth(struct sim_record *record, uint64_t now_us,
                      uint32_t depth);

#endif
