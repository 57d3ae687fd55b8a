/* sim.h - the whole runtime in one thread: a seed's world, and its run.
 *
 *   struct sim_options options = {.seed = 7, .steps = 4000};
 *   struct sim_result result;
 *   sim_run(&options, &result);         result.failed: SIM_FINE or a check
 *
 * The world's parts stand in files of their own (sim_*.h); struct sim holds
 * them all. Everything is drawn from the seed, and nothing else is looked at.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_H
#define TESTS_SIM_SIM_H

#include "sim/made_disc.h"
#include "sim/sim_blocks.h"
#include "sim/sim_clock.h"
#include "sim/sim_drive.h"
#include "sim/sim_log.h"
#include "sim/sim_paks.h"
#include "sim/sim_reads.h"
#include "sim/sim_scene.h"
#include "sim/sim_threads.h"
#include "sim/swarm.h"

#include "runtime.h"

#include <setjmp.h>
#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What the runtime owes: FAULTS.md. */
enum sim_check {
    SIM_FINE,
    SIM_STRUCTURE, /* heap, pools, queues, streams */
    SIM_BYTES,     /* of a read */
    SIM_PICTURE,   /* of a vertex buffer */
    SIM_ONCE,      /* completions */
    SIM_STATUS,    /* one that nothing explains */
    SIM_MEMORY,    /* written where or when it must not be */
    SIM_CONTRACT,  /* of platform.h */
    SIM_GRAMMAR,   /* of listener.h */
    SIM_LIVENESS,
    SIM_BASELINE,
    SIM_REPEAT,
    SIM_CHECKS
};
const char *sim_check_name(enum sim_check check);

/* Bugs that are planted, to see that they are found. */
enum sim_canary {
    CANARY_NONE,
    CANARY_LOOSE_BYTE,   /* the drive brings one byte that is another's */
    CANARY_PAK_BYTE,     /* a pak holds other bytes, under good checksums */
    CANARY_CLIP_BYTE,    /* a cache does */
    CANARY_TWICE,        /* a completion comes twice */
    CANARY_NEVER,        /* or never */
    CANARY_STATUS,       /* or with a status that nothing explains */
    CANARY_BEHIND,       /* a byte behind a read's buffer is written */
    CANARY_UNALIGNED,    /* a read that the device cannot take is submitted */
    CANARY_SECOND,       /* one is while its medium reads another */
    CANARY_EVENTS,       /* two events of a read change places */
    CANARY_OTHER_TIME,   /* the runtime is told another time */
    CANARY_FILL,         /* a fill fails, and nothing says why */
    CANARY_BLOCK,        /* a byte of a caller's block changes */
    CANARY_LEAK,         /* a block of the heap is never given back */
    CANARY_SMASH,        /* the heap's metadata changes */
    CANARY_NO_WAKE,      /* the io thread is not woken any more */
    CANARY_LATE_WRITE,   /* a read's memory changes after its end */
    CANARY_VARIANT,      /* a picture is another with fewer instruction sets */
    CANARY_NOT_THE_SEED, /* something that is another the second time */
    CANARIES
};

struct sim_options {
    uint64_t seed;
    uint64_t steps; /* of the scheduler, with faults */
    enum sim_canary canary;
    FILE *trace; /* every event; NULL: none */
};

struct sim_result {
    enum sim_check failed;
    char why[256];
    uint64_t step;
    uint64_t virtual_us;
    uint64_t hash;
    uint64_t reads;  /* that completed */
    uint64_t frames; /* that were looked at */
    uint32_t hits[SWARM_KINDS];
    struct sim_log log;
};

enum sim_machine { SIM_COOPERATIVE, SIM_THREADS, SIM_ENGINE_JOBS };

struct sim {
    struct sim_options options;
    struct sim_result *result;
    const struct made_disc *disc;
    struct swarm swarm;
    struct sim_log log;
    struct sim_clock clock;
    struct sim_drive drive;
    struct sim_threads threads;
    struct sim_reads reads;
    struct sim_scene scene;
    struct sim_paks paks;
    struct sim_blocks blocks;
    enum sim_machine machine;
    spn_config config;
    spn_runtime *rt;
    void *memory;
    uint64_t frame_us; /* from update to update */
    uint64_t next_frame_us;
    bool is_held_up; /* there is no update for long */
    bool is_shut;
    bool is_poor;    /* tables and heap are too small for all that it wants */
    bool is_planted; /* the canary has sung: some do it once */
    jmp_buf leave;
};

/* One run. The result says everything, also of a failure. */
void sim_run_once(const struct sim_options *options, struct sim_result *result);
/* Two runs, whose hashes must be the same; the second one has fewer
 * instruction sets. */
void sim_run(const struct sim_options *options, struct sim_result *result);

/* -- for the world's parts -- */

/* What is owed was not given: ends the run. printf's format. */
_Noreturn void sim_fail(struct sim *sim, enum sim_check check,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sim_note(struct sim *sim, const char *what, uint64_t a, uint64_t b,
              int64_t c);

#define SIM_MUST(sim, check, x)                                                \
    do {                                                                       \
        if (!(x))                                                              \
            sim_fail(sim, check, "not true: %s", #x);                          \
    } while (0)

#endif
