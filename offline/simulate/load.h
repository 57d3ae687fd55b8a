/* load.h - what is read when: a made up game, or a recorded one on a pak.
 *
 * A made up game (workload.h) reacts: its streams ask for more when they were
 * given. A recorded one (pack/read_trace.h) asks when it did, whatever becomes
 * of it; what it asks for lies where a pak has it, a compressed range as whole
 * blocks, and of several copies the one that is there first after the read
 * before.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_LOAD_H
#define OFFLINE_SIMULATE_LOAD_H

#include "pack/pak_reader.h"
#include "pack/read_trace.h"
#include "simulate/workload.h"

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

#define LOAD_READ_BYTES_MAX (UINT32_C(1) << 30)

struct load_request {
    uint64_t position; /* on the disc */
    uint64_t bytes;    /* > 0 */
    uint64_t arrival_us;
    uint64_t deadline_us; /* UINT64_MAX: none */
    enum sweep_class class;
    spn_task task;
    spn_priority priority;
    struct workload_request made; /* of a made up game */
};

struct load;
/* NULL when there is no such workload. */
struct load *load_generate(const struct workload_config *config);
/* The pak lies on the disc from its first byte on. Reads of bytes that it has
 * not are left out. NULL after a refusal, as of a trace of which nothing is
 * left. */
struct load *load_trace(const struct read_trace *trace, const char *trace_path,
                        const struct pak_reader *pak,
                        const spn_drive_profile *drive, struct diag *diag);
/* What was left out of a trace: how many reads, and what was wrong with the
 * first, in words that live as long as the trace. */
struct load_missing {
    uint32_t count;
    const char *path;
    const char *what;
};
struct load_missing load_missing(const struct load *load);
void load_destroy(struct load *load);

/* As of a workload: time goes on, and never back. True: look at what waits with
 * load_is_wanted. */
bool load_advance(struct load *load, uint64_t now_us);
/* Take the next request that has been made by now; false: none. */
bool load_take(struct load *load, struct load_request *out);
bool load_is_wanted(const struct load *load,
                    const struct load_request *request);
/* It has ended, somehow. */
void load_done(struct load *load, const struct load_request *request);
/* When to advance next, if nothing ends before; UINT64_MAX: never. */
uint64_t load_due_us(const struct load *load);
/* When the last request is made; UINT64_MAX: there is no last. */
uint64_t load_last_us(const struct load *load);

/* A place that is read, of many. */
uint64_t load_place(const struct load *load, uint64_t n);

#endif
