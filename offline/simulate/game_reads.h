/* game_reads.h - the reads of a simulated game, from start to completion.
 *
 * game_sim.c decides when a read is given to the runtime. This module owns the
 * records of the reads, starts them, and receives the runtime's callbacks: when
 * a piece goes to the device, when it comes back, when the read has ended. It
 * checks the delivered bytes and the number of completions, and adds each event
 * to the sim_record.
 *
 * One thread: callbacks come inside spn_update.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_GAME_READS_H
#define OFFLINE_SIMULATE_GAME_READS_H

#include "simulate/game_machine.h"
#include "simulate/game_sim.h"

struct game_run;

/* The record of a read. It keeps its address until the end of the run. */
struct game_read {
    struct load_request request;
    struct game_run *run;
    uint32_t id;           /* index in game_run.reads */
    bool is_started;       /* the runtime has it and has not completed it */
    spn_read handle;       /* in the runtime, while is_started */
    bool is_placed;        /* a piece of it has gone to the device */
    uint64_t position;     /* on the disc, of the first piece, if is_placed */
    uint64_t piece_bytes;  /* of its last piece at the device */
    uint64_t stored_bytes; /* read from the disc by all its pieces so far */
    uint8_t *buffer; /* receives its bytes; allocated when the runtime requests
                      * memory, freed at the end of the read; NULL: none */
    uint32_t block;  /* of its block (sim_heap.h); 0: none */
};

/* An access of the device: pieces of one read, or of several that the runtime
 * has coalesced. */
struct game_access {
    uint32_t pieces;       /* 0: no such access */
    uint32_t pieces_ended; /* of these */
    uint64_t begin_us;
    uint64_t shared_us; /* part of its time that is charged to the pieces that
                         * have ended */
    uint64_t bytes;     /* of all its pieces */
    uint64_t end;       /* on the disc: end of the pieces that have ended */
};

/* A run of game_sim_run. Times are microseconds since the game's beginning. */
struct game_run {
    /* Set by game_sim.c before the first read. */
    const struct game_sim *sim;
    struct load *load;
    struct sim_record *out;
    struct diag *diag;
    struct game_machine machine;
    struct game_clips *clips; /* NULL: there is no script */
    struct sim_heap *heap;    /* NULL: it is not observed */
    struct forecast forecast; /* of the drive, to predict positions */

    /* Records of reads, used or free. */
    struct game_read **reads;
    uint32_t read_count;
    uint32_t *free_ids;
    uint32_t free_count;

    /* Ids of requested reads that the runtime does not have yet: a ring of
     * read_count places. game_sim.c fills and empties it. */
    uint32_t *queue;
    uint32_t queue_first;
    uint32_t queue_count;

    /* Set by the callbacks of this module. */
    spn_listener listener; /* for the runtime; game_reads_init fills it */
    struct game_access access;
    struct forecast_place head; /* behind the last piece */
    uint32_t started;           /* reads that the runtime has */
    uint32_t at_device;         /* pieces at the device, of the runtime's own
                                 * reads too */
    uint64_t pieces_ended;      /* in the whole run */
    uint64_t steps;             /* counts all events: a pass of game_sim.c in
                                 * which it does not change was the last one at
                                 * this time */
    const char *error;          /* the first error of the runtime; NULL: none */
    uint64_t error_value;       /* an offset for its message */
    spn_fault damage;           /* of a pak; what NULL: none */
    const char *damaged;        /* path of that pak */

    /* Ids of reads of clips and caches, which the runtime started itself. */
    uint32_t *own;
    uint32_t own_count;
    uint64_t own_capacity;

    bool has_begun;   /* set by game_sim.c: reads of the runtime from here on
                       * are counted */
    bool is_draining; /* set by game_sim.c: the time of the run is over, and
                       * reads that end now are counted as drained only */
};

/* Set up the listener and the first records. If memory runs out, this function
 * and the others end the process. */
void game_reads_init(struct game_run *run);
void game_reads_free(struct game_run *run);

/* Keep the first error of the runtime; it ends the run. */
void game_fail(struct game_run *run, const char *what, uint64_t at);
uint64_t game_now_us(const struct game_run *run);

/* Take a free record for a request. */
struct game_read *game_reads_add(struct game_run *run,
                                 const struct load_request *request);
/* Free the record of a read that the runtime does not have. */
void game_reads_drop(struct game_run *run, uint32_t id);
/* Reads requested and not ended. */
uint32_t game_reads_depth(const struct game_run *run);

/* Start the read in the runtime. Returns false when its request table is
 * full, and after an error (game_fail). */
bool game_reads_start(struct game_run *run, uint32_t id);

/* Record a read that ended late, or never. */
void game_reads_mark_late(struct game_run *run, const struct game_read *read,
                          enum sim_late_outcome outcome);

#endif
