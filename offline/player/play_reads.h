/* play_reads.h - waits and lateness of the reads during playback.
 *
 * A listener of the runtime fills the tally. All calls come from the thread
 * that calls spn_update.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_READS_H
#define OFFLINE_PLAYER_PLAY_READS_H

#include "player/play_worker.h"
#include "simulate/tally.h"

#include <spindle/listener.h>
#include <stdbool.h>
#include <stdint.h>

/* Counts the reads that end while is_on. Zero it before; the owner releases the
 * tally by tally_free. */
struct play_reads {
    struct tally tally;
    uint64_t done;   /* reads that succeeded */
    uint64_t failed; /* reads that failed */
    uint64_t bytes;  /* delivered by those that succeeded */
    uint64_t begin_us;
    uint64_t end_us; /* 0: playback goes on */
    bool is_on;
    struct play_worker *worker; /* charged for decoded tiles; NULL: none */
};

/* A listener for spn_config that counts reads from the drive in `reads`. */
spn_listener play_reads_listener(struct play_reads *reads);
/* Have a listener charge a virtual worker for what it decodes. */
void play_reads_charge(spn_listener *listener, struct play_worker *worker);

/* Playback begins and ends, on the clock of the run. Call play_reads_end before
 * the runtime shuts down: reads that the shutdown aborts count as still waiting
 * at the end (tally_waits). */
void play_reads_begin(struct play_reads *reads, uint64_t now_us);
void play_reads_end(struct play_reads *reads, uint64_t now_us);

#endif
