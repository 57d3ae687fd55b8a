/* fault_loop.h - one fault, or two, at every place where one can occur.
 *
 * A scenario is repeated. In the first run the first allocation (or read, or
 * opening of a file) fails, then the second, until a run ends before its fault.
 * Each place fails once, and then from there on always. Runs with pairs add a
 * second fault at one of the next places after the first. After the faults the
 * runtime must work as before.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_FAULT_LOOP_H
#define TESTS_SIM_FAULT_LOOP_H

#include "player/play_worker.h"
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
    LOOP_READ,   /* the read ends with an error */
    LOOP_SHORT,  /* half of the read's bytes arrive */
    LOOP_DAMAGE, /* one bit of the read's bytes is flipped */
    LOOP_REFUSE, /* read_submit refuses the read */
    LOOP_OPEN,
    LOOP_FAULTS
};

/* Target of a read: a buffer, memory of a callback, a block of the heap. */
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

struct loop_injection {
    enum loop_fault fault;
    bool is_for_ever;
    uint64_t at;    /* which occurrence fails, from 1; 0: none */
    uint64_t count; /* occurrences so far */
    bool has_occurred;
};

/* Damage to a read in progress at a device. */
struct loop_damage {
    enum loop_fault fault;
    uint32_t tag; /* 0: no read */
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    uint32_t extent_count;
};

struct loop {
    struct stage stage;
    spn_platform table;
    struct play_worker worker; /* if the scenario has one */
    spn_listener listener;
    /* The faults. The second one counts from the occurrence of the first. */
    struct loop_injection injection[2];
    struct loop_damage damages[SPN_MEDIUM_COUNT]; /* one read of each medium */
    bool is_damaged; /* bytes without a checksum may be wrong */
    /* state of the scenario */
    struct loop_read reads[LOOP_READS];
    uint32_t read_count;
    spn_cache caches[LOOP_CACHES]; /* 0: not open */
    spn_node nodes[LOOP_NODES];
    spn_pak pak;
    spn_record_event events[32];
    char text[256];
};

/* Returns whether the scenario reached its end. */
typedef bool (*loop_scenario)(struct loop *loop);

struct loop_case {
    const char *name;
    loop_scenario run;
    uint32_t heap_bytes; /* 0: plenty */
    uint32_t decode_us;  /* time that a worker takes for a frame; 0: frames are
                          * decoded at once, inside of updates */
    void (*prepare)(struct loop *loop); /* add files, and change the config, of
                                         * the stage; may be NULL */
    void (*check)(struct loop *loop);   /* it works after the faults; may be
                                         * NULL */
};

/* Fail each occurrence in turn, once and always. Ends the claim as failed when
 * the runtime breaks a guarantee. Returns the number of runs. */
uint64_t loop_run(const struct loop_case *c, enum loop_fault fault);
/* Fail pairs of occurrences that are close together, each once. */
uint64_t loop_run_pairs(const struct loop_case *c, enum loop_fault first,
                        enum loop_fault second);

#endif
