/* load_state.h - the state of a load (simulate/load.h), for the modules of this
 * folder and for tests.
 *
 * load_trace.c fills them from a trace, load.c takes the requests from a trace
 * or a generated game, load_write.c writes the requests of a generated game as
 * a trace. The thread that owns the load owns all fields.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_LOAD_STATE_H
#define OFFLINE_SIMULATE_LOAD_STATE_H

#include "pack/replay.h"
#include "simulate/load.h"

/* A request of a generated game, kept to be written as a trace. */
struct load_kept {
    struct load_request request;
    uint32_t scene; /* index of the scene that was played */
};

struct load {
    struct workload *workload; /* the generated game; NULL: a trace is read */

    /* A trace. */
    struct load_request *requests; /* one for each read, by index. deadline_us
                                    * counts from the start of the read; bytes
                                    * 0: left out */
    uint32_t count;                /* of requests */
    struct replay replay;          /* computes the start of each request */
    uint64_t last_us;              /* recorded time of the last request */
    struct load_visit *visits;
    uint32_t visit_count;
    struct load_burst *bursts;
    uint32_t burst_count;

    uint64_t now_us;        /* time of the last load_advance */
    bool is_bulk_idle;      /* bulk requests are idle, without a deadline */
    bool is_keeping;        /* load_keep_requests was called */
    struct load_kept *kept; /* in order of arrival */
    uint32_t kept_count;
    uint64_t kept_capacity;
    struct load_missing missing;
    const struct load_pak *paks; /* of the source */
    uint32_t pak_count;
    struct arena arena; /* requests, bursts, visits, kept */
    struct pak_decoder decoder;
    uint8_t block[PAK_BLOCK_BYTES]; /* decoded, for load_is_equal */
};

struct load *load_new(void);
/* Allocate room for `count` requests, bursts and visits, and a replay of
 * `count` reads. The caller then adds the start of each request to the replay.
 */
void load_reserve(struct load *load, uint32_t count);
/* Set the task and the priority by the class. */
void load_name_task(struct load_request *request);

#endif
