/* sim.h - the simulator: the whole runtime in one thread, driven by a seed.
 *
 *   struct sim_options options = {.seed = 7, .steps = 4000};
 *   struct sim_result result;
 *   sim_run(&options, &result);         result.failed: SIM_FINE or a check
 *
 * The parts of the simulated world are in separate files (sim_*.h); struct sim
 * contains all of them. Every decision follows from the seed only.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_H
#define TESTS_SIM_SIM_H

#include "sim/made_disc.h"
#include "sim/sim_anim.h"
#include "sim/sim_blocks.h"
#include "sim/sim_buffers.h"
#include "sim/sim_clock.h"
#include "sim/sim_draw.h"
#include "sim/sim_drive.h"
#include "sim/sim_events.h"
#include "sim/sim_fills.h"
#include "sim/sim_log.h"
#include "sim/sim_masks.h"
#include "sim/sim_memory.h"
#include "sim/sim_paks.h"
#include "sim/sim_pictures.h"
#include "sim/sim_playback.h"
#include "sim/sim_reads.h"
#include "sim/sim_scene.h"
#include "sim/sim_shared.h"
#include "sim/sim_threads.h"
#include "sim/sim_tuning.h"
#include "sim/sim_unload.h"
#include "sim/sim_views.h"
#include "sim/swarm.h"

#include "runtime.h"

#include <setjmp.h>
#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Guarantees of the runtime that are checked: FAULTS.md. */
enum sim_check {
    SIM_FINE,
    SIM_STRUCTURE, /* invariants of heap, pools, queues, streams */
    SIM_BYTES,     /* bytes of a read */
    SIM_PICTURE,   /* content of a vertex buffer */
    SIM_ONCE,      /* each read completes exactly once */
    SIM_STATUS,    /* a status without a cause */
    SIM_MEMORY,    /* memory written at a wrong place or time */
    SIM_CONTRACT,  /* the contract of platform.h */
    SIM_GRAMMAR,   /* the rules of listener.h */
    SIM_EVENT,     /* events of caches and nodes */
    SIM_SCENE,     /* views, unloading, shared meshes */
    SIM_ANIM,      /* animation clips and databases */
    SIM_LIVENESS,
    SIM_BASELINE,
    SIM_REPEAT,
    SIM_CHECKS
};
const char *sim_check_name(enum sim_check check);

/* Planted bugs, to show that the checks find them. */
enum sim_canary {
    CANARY_NONE,
    CANARY_LOOSE_BYTE,   /* the drive delivers one wrong byte */
    CANARY_PAK_BYTE,     /* a pak contains other bytes under correct
                          * checksums */
    CANARY_CLIP_BYTE,    /* a cache contains other bytes under correct
                          * checksums */
    CANARY_TWICE,        /* a completion is delivered twice */
    CANARY_NEVER,        /* a completion is not delivered */
    CANARY_STATUS,       /* a completion has a status without a cause */
    CANARY_BEHIND,       /* a byte after a read's buffer is written */
    CANARY_UNALIGNED,    /* a read that the device cannot take is submitted */
    CANARY_SECOND,       /* a read is submitted while its medium reads
                          * another */
    CANARY_EVENTS,       /* two events of a read are exchanged */
    CANARY_OTHER_TIME,   /* the runtime gets another playback time */
    CANARY_FILL,         /* a fill fails without a cause */
    CANARY_BLOCK,        /* a byte of a caller's block changes */
    CANARY_LEAK,         /* a block of the heap is not released */
    CANARY_SMASH,        /* the heap's metadata changes */
    CANARY_CLOSURE,      /* a frame is not pinned any more, although a running
                          * one refers to it */
    CANARY_PROMISE,      /* memory is given away that is owed to a stream */
    CANARY_MESH,         /* a static mesh has a reference too many */
    CANARY_ANIM_BYTE,    /* a byte of a clip in memory changes */
    CANARY_ANIM_FREED,   /* a clip that is wanted is freed */
    CANARY_ANIM_GLITCH,  /* a glitch is counted that was none */
    CANARY_ANIM_ABORT,   /* an abort is counted that was none */
    CANARY_ANIM_MOTION,  /* a joint moves farther than its clip says */
    CANARY_LEVEL,        /* a late picture is given out as one of a level */
    CANARY_BUFFER,       /* a byte of an engine's buffer changes */
    CANARY_FILL_JOB,     /* a job writes another byte */
    CANARY_UNLOAD,       /* caches are unloaded too early */
    CANARY_GEOM_EVENT,   /* an event of a cache does not come */
    CANARY_BOX,          /* a mesh is outside of its box */
    CANARY_NO_WAKE,      /* the io thread is no longer woken */
    CANARY_LATE_WRITE,   /* a read's memory changes after its end */
    CANARY_VARIANT,      /* a frame differs with fewer instruction sets */
    CANARY_NOT_THE_SEED, /* a decision that differs in the second run */
    CANARIES
};

struct sim_options {
    uint64_t seed;
    uint64_t steps; /* steps of the scheduler with faults */
    enum sim_canary canary;
    FILE *trace; /* target of every event; NULL: none */
};

struct sim_result {
    enum sim_check failed;
    char why[256];
    uint64_t step;
    uint64_t virtual_us;
    uint64_t hash;
    uint64_t reads;  /* completed reads */
    uint64_t frames; /* checked frames */
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
    struct sim_buffers buffers;
    struct sim_fills fills;
    struct sim_masks masks;
    struct sim_tuning tuning;
    struct sim_memory memory_play;
    struct sim_playback playback;
    struct sim_views views;
    struct sim_unload unload;
    struct sim_shared shared;
    struct sim_events events;
    struct sim_draw draw;
    struct sim_anim anim;
    enum sim_machine machine;
    spn_config config;
    spn_runtime *rt;
    void *memory;
    uint64_t frame_us; /* time between updates */
    uint64_t next_frame_us;
    bool is_held_up;  /* the caller makes no update for a long time */
    bool is_updating; /* in spn_update */
    bool is_shut;
    bool is_poor;    /* tables and heap are too small for everything that the
                      * caller plays */
    bool is_planted; /* a planted bug that occurs once has occurred */
    jmp_buf leave;
};

/* One run. The result also describes a failure. */
void sim_run_once(const struct sim_options *options, struct sim_result *result);
/* Two runs, whose hashes must be equal. The second has fewer instruction
 * sets. */
void sim_run(const struct sim_options *options, struct sim_result *result);

/* -- functions for the parts of the world -- */

/* End the run because a guarantee is broken. Arguments as for printf. */
_Noreturn void sim_fail(struct sim *sim, enum sim_check check,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sim_note(struct sim *sim, const char *what, uint64_t a, uint64_t b,
              int64_t c);

/* Start the random numbers of a part of the world that half of the seeds have.
 * True if this seed has the part, or `canary` is planted.
 *
 * salt  of the part; chosen so that the seeds of fixed bugs in test_sim do not
 *       have it, and run as they did before the part was written */
bool sim_is_in_seed(const struct sim *sim, uint64_t salt,
                    enum sim_canary canary, struct test_random *random);

#define SIM_MUST(sim, check, x)                                                \
    do {                                                                       \
        if (!(x))                                                              \
            sim_fail(sim, check, "not true: %s", #x);                          \
    } while (0)

#endif
