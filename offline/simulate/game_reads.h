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

/* A record; it keeps its address until the end of the run. */
struct game_read {
    struct load_request request;
    spn_read handle;      /* in the runtime, while is_started */
    uint32_t id;          /* index in game_run.reads */
    uint8_t *buffer;      /* from on_storage to the end of the read; malloc'd */
    uint32_t block;       /* in sim_heap; 0: none */
    bool is_started;      /* the runtime has it and has not completed it */
    bool is_placed;       /* a piece of it has gone to the device */
    uint64_t position;    /* on the disc, of the first piece */
    uint64_t piece_bytes; /* of the piece at the device */
    uint64_t stored_bytes; /* read from the disc by all its pieces so far */
    struct game_run *run;
};

/* A run of game_sim_run. Times are microseconds since the game's beginning. */
struct game_run {
    const struct game_sim *sim;
    struct load *load;
    struct sim_record *out;
    struct diag *diag;
    struct forecast forecast; /* of the drive, to predict positions */
    struct forecast_place head;
    struct game_machine machine;
    spn_listener listener; /* game_reads_init fills it */
    struct sim_heap *heap;
    /* records */
    struct game_read **reads;
    uint32_t read_count; /* records, used or free */
    uint32_t *free_ids;
    uint32_t free_count;
    /* ids of requested reads that the runtime does not have yet: a ring of
     * read_count places */
    uint32_t *queue;
    uint32_t queue_first;
    uint32_t queue_count;
    uint32_t started; /* reads that the runtime has */
    uint64_t steps;   /* counts events; unchanged: nothing more to do now */
    /* the current access of the device, by one read or several coalesced */
    uint64_t access_begin_us;
    uint64_t access_shared_us; /* time shared out to its reads so far */
    uint64_t access_bytes;     /* of all its pieces */
    uint64_t access_end;    /* end of the bytes that came so far, on the disc */
    uint32_t access_pieces; /* pieces */
    uint32_t access_pieces_ended; /* pieces that came back */
    uint32_t at_device;    /* pieces at the device, of the runtime's own reads
                         * too */
    uint64_t pieces_ended; /* pieces that came back, in the whole run */
    bool is_counted;      /* the run is over: reads that end now do not count */
    const char *error;    /* the first error of the runtime; NULL: none */
    uint64_t error_value; /* an offset for its message */
    spn_fault damage;     /* of a pak; what NULL: none */
    const char *damaged;  /* path of that pak */
};

/* Set up the listener and the first records. Ends the process when memory runs
 * out, as all functions here. */
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
