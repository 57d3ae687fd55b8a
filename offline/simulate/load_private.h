/* load_private.h - what the parts of load.h share. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_LOAD_PRIVATE_H
#define OFFLINE_SIMULATE_LOAD_PRIVATE_H

#include "pack/replay.h"
#include "simulate/load.h"

/* What a made up game asked for, and in which of its scenes. */
struct load_kept {
    struct load_request request;
    uint32_t scene;
};

struct load {
    struct workload *workload;     /* or NULL: then the requests */
    struct load_request *requests; /* deadline_us: after the start. Of no bytes:
                                    * it is left out */
    uint32_t count;
    struct replay replay; /* of these */
    uint64_t last_us;
    struct load_visit *visits;
    uint32_t visit_count;
    struct load_burst *bursts;
    uint32_t burst_count;
    uint64_t now_us;
    bool is_bulk_idle;
    bool is_keeping;
    struct load_kept *kept;
    uint32_t kept_count;
    uint32_t kept_capacity;
    struct load_missing missing;
    const struct load_pak *paks; /* of a trace */
    uint32_t pak_count;
    struct arena arena; /* requests, bursts, visits */
    struct pak_decoder decoder;
    uint8_t block[PAK_BLOCK_BYTES];
};

struct load *load_new(void);
/* For so many requests, each of which may begin a burst or a visit. Then give
 * each its start, by the replay. */
void load_make_room(struct load *load, uint32_t count);
/* Ends the process where there is no memory. */
void *load_must(void *memory);

#endif
