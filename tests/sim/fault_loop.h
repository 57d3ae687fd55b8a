/* fault_loop.h - one fault at a time, or two, at every place that there is.
 *
 * A scenario is run again and again: first the first allocation (or read, or
 * opening of a file) fails, then the second, until it is through without the
 * fault having struck; each time once, and once for ever from there on. In
 * pairs a second one follows at one of the next places behind each first one.
 * After the faults the runtime must be as good as new.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_FAULT_LOOP_H
#define TESTS_SIM_FAULT_LOOP_H

#include "support/stage.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

#define LOOP_READS 12u
#define LOOP_READ_BYTES 70000u
#define LOOP_CACHES 3u
#define LOOP_NODES 4u

enum loop_fault {
    LOOP_ALLOCATION,
    LOOP_READ,   /* it ends with an error */
    LOOP_SHORT,  /* half of it arrives */
    LOOP_DAMAGE, /* one bit of it is another */
    LOOP_REFUSE, /* it is not even begun */
    LOOP_OPEN,
    LOOP_FAULTS
};

/* Where the bytes of a read go: a buffer, what a callback gives, a block of the
 * heap. */
enum loop_memory { LOOP_BUFFER, LOOP_STORAGE, LOOP_BLOCK };

struct loop_read {
    struct loop *loop;
    const char *path;
    spn_read read;
    uint64_t offset;
    uint64_t bytes;
    uint32_t async_count;
    uint32_t done_count;
    spn_status status;
    bool is_started;
    bool is_into_heap;
    uint8_t buffer[LOOP_READ_BYTES];
};

struct loop_strike {
    enum loop_fault fault;
    bool is_for_ever;
    uint64_t at;    /* from 1; 0: never */
    uint64_t count; /* of what can fail */
    bool has_struck;
};

/* A read at a device that is struck. */
struct loop_wound {
    enum loop_fault fault;
    uint32_t tag; /* 0: none */
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    uint32_t extent_count;
};

struct loop {
    struct stage stage;
    spn_platform table;
    /* the faults; the second one counts from when the first has struck */
    struct loop_strike strike[2];
    struct loop_wound wounds[SPN_MEDIUM_COUNT]; /* one read a medium */
    bool is_damaged; /* bytes that nobody has checked may be others */
    /* what the scenario has */
    struct loop_read reads[LOOP_READS];
    uint32_t read_count;
    spn_cache caches[LOOP_CACHES]; /* 0: none */
    spn_node nodes[LOOP_NODES];
    spn_pak pak;
    spn_record_event events[32];
    char text[256];
};

/* Returns whether it came to where it wanted to. */
typedef bool (*loop_scenario)(struct loop *loop);

struct loop_case {
    const char *name;
    loop_scenario run;
    uint32_t heap_bytes; /* 0: plenty */
};

/* All N, both modes; ends the claim as failed where something is owed. Returns
 * how many runs it took. */
uint64_t loop_run(const struct loop_case *c, enum loop_fault fault);
/* Pairs that are close, each of them once. */
uint64_t loop_run_pairs(const struct loop_case *c, enum loop_fault first,
                        enum loop_fault second);

/* -- for scenarios -- */

/* Updates until `is_there`, but not for ever. */
bool loop_until(struct loop *loop, bool (*is_there)(struct loop *loop));
void loop_ticks(struct loop *loop, uint32_t count);
bool loop_open(struct loop *loop, uint32_t cache, const char *path);
/* A node that plays; true when it shows frames. */
bool loop_play(struct loop *loop, uint32_t node, uint32_t cache,
               int64_t time_us);
bool loop_is_ready(struct loop *loop, uint32_t node);
/* Of a loose file or an entry; the next slot. */
struct loop_read *loop_read(struct loop *loop, const char *path,
                            uint64_t offset, uint64_t bytes,
                            enum loop_memory memory);
bool loop_are_reads_over(struct loop *loop);
/* All of them ended well, with true bytes. */
bool loop_are_reads_good(const struct loop *loop);
bool loop_mount(struct loop *loop);

#endif
