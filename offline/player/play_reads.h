/* play_reads.h - how long the reads of a show waited, and which were late. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_READS_H
#define OFFLINE_PLAYER_PLAY_READS_H

#include "simulate/tally.h"

#include <spindle/listener.h>
#include <stdbool.h>
#include <stdint.h>

/* Counts what ends while it is on. Zeroed before; tally_free after. */
struct play_reads {
    struct tally tally;
    uint64_t done;
    uint64_t failed;
    uint64_t bytes; /* of those that are done */
    uint64_t begin_us;
    uint64_t end_us; /* 0: it goes on */
    bool is_on;
};

/* A table for the config, of `reads`: only what is read from the drive. */
spn_listener play_reads_listener(struct play_reads *reads);

/* On the clock of the run. The end comes before the runtime shuts down: what
 * waits until then has waited up to the end (tally_waits). */
void play_reads_begin(struct play_reads *reads, uint64_t now_us);
void play_reads_end(struct play_reads *reads, uint64_t now_us);

#endif
