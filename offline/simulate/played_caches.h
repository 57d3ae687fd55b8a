/* played_caches.h - what became of the caches that a script played.
 *
 * game_streams.h fills the numbers. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_PLAYED_CACHES_H
#define OFFLINE_SIMULATE_PLAYED_CACHES_H

#include "common/report.h"

#include <stdint.h>
#include <stdio.h>

/* A cache, with the sums of all nodes that played it. */
struct played_cache {
    const char *label; /* its name in the pak */
    uint32_t plays;
    uint32_t pictures;
    uint32_t glitches; /* of these, without the frames around the time */
    uint64_t first_us; /* longest wait for a first picture */
    /* as in spn_node_state */
    uint32_t frames_shown;
    uint32_t frames_late;
    uint32_t frames_left_out;
    uint32_t frames_dropped;
    uint64_t bytes_read;
};

/* Print the heads of a table of runs, and a row of it. */
void played_caches_head(FILE *file);
void played_caches_row(const struct played_cache *caches, uint32_t count,
                       const char *order, FILE *file);
/* Add the array "caches". */
void played_caches_json(const struct played_cache *caches, uint32_t count,
                        cJSON *json);

#endif
