/* load_private.h - the state of a load, shared by load.c, load_trace.c and
 * load_write.c. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_LOAD_PRIVATE_H
#define OFFLINE_SIMULATE_LOAD_PRIVATE_H

#include "pack/replay.h"
#include "simulate/load.h"

/* A request of a generated game, kept to be written as a trace. */
struct load_kept {
    struct load_request request;
    uint32_t scene; /* index of the scene that was played */
};

struct load {
    struct workload *workload; /* a generated game; NULL: a trace */
    /* a trace: one request for each read, by index */
    struct load_request *requests; /* deadline_us counts from the start of the
                                    * read; bytes 0: left out */
    uint32_t count;
    struct replay replay; /* says when each of them starts */
    uint64_t last_us;     /* recorded time of the last one */
    struct load_visit *visits;
    uint32_t visit_count;
    struct load_burst *bursts;
    uint32_t burst_count;
    uint64_t now_us;
    bool is_bulk_idle;      /* load_make_bulk_idle */
    bool is_keeping;        /* load_keep_requests */
    struct load_kept *kept; /* in order of arrival */
    uint32_t kept_count;
    uint32_t kept_capacity;
    struct load_missing missing;
    const struct load_pak *paks; /* of the source */
    uint32_t pak_count;
    struct arena arena; /* requests, bursts, visits */
    struct pak_decoder decoder;
    uint8_t block[PAK_BLOCK_BYTES]; /* decoded, for load_is_equal */
};

struct load *load_new(void);
/* Allocate `count` requests, as many bursts and visits, and a replay, to which
 * the caller then adds a start for each request. */
void load_make_room(struct load *load, uint32_t count);
/* Returns `memory`; ends the process when it is NULL. */
void *load_must(void *memory);

#endif
