/* runtime.h - the parts of a runtime, and the thread that owns each part.
 *
 * A runtime lies in the caller's block of memory: first this record, then the
 * tables of its modules. The io engine (read/) reads files, the manager (play/)
 * plays geometry caches, and jobs (base/jobs.h) run on workers. The public
 * functions in api_*.c check their arguments and call these modules. The
 * caller's thread is the thread that calls spn_update.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_RUNTIME_H
#define SPN_RUNTIME_H

#include "anim/anim_system.h"
#include "base/assert.h"
#include "base/atomic.h"
#include "base/carve.h"
#include "base/heap.h"
#include "base/jobs.h"
#include "base/trace.h"
#include "base/tuning_table.h"
#include "play/node/update.h"
#include "read/io.h"
#include "scene/node_event.h"
#include "scene/node_view.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* Most worker threads. */
#define RUNTIME_WORKERS_MAX 64u

struct runtime_thread {
    struct spn_runtime *runtime;
    uint64_t thread;   /* handle from the platform's thread_start */
    struct jobs *jobs; /* the jobs that it runs; NULL: it is the io thread */
    uint64_t event;    /* the event that it sleeps on */
    uint32_t index;    /* its worker index */
    bool is_running;   /* started and not joined. Owner: caller's thread */
    /* Result of the platform's thread_current on this thread. The thread writes
     * it, then sets is_known. Other threads may read it only if is_known is
     * set. */
    uint64_t own;
    struct atomic_u32 is_known;
};

/* A worker that runs only asynchronous callbacks; see
 * spn_config.reserved_tasks. */
struct runtime_reserved {
    struct spn_runtime *runtime;
    struct jobs jobs;
    uint64_t event;
};

struct spn_runtime {
    /* fixed after init */
    struct io *io;
    uint64_t io_event;     /* wakes the io thread */
    uint64_t job_event;    /* wakes one worker */
    uint64_t *wait_events; /* wait_count events for spn_read_wait, and one for
                            * spn_read_abort_now */
    bool has_io_thread;
    bool has_workers;
    /* caller's thread; here, because there is room */
    bool is_stepping; /* inside spn__runtime_step */
    bool is_updating; /* inside spn_update: not again, and no shutdown */
    /* fixed after init */
    uint32_t own_worker;            /* worker index of spn_update */
    struct runtime_thread *threads; /* io, then workers */
    uint32_t thread_max;            /* length of `threads` */
    /* Number of running threads; 0: spn_update does all work. Owner: caller's
     * thread. */
    uint32_t thread_count;
    /* any thread */
    struct jobs jobs;
    struct runtime_reserved *reserved; /* SPN_RESERVED_WORKERS_MAX */
    struct atomic_u32 is_stopping;     /* threads end when it is set */
    struct atomic_u32 missed_steps;    /* calls of spn_job_step that found a job
                                        * not published yet; see runtime.c */
    /* caller's thread */
    struct heap heap;
    struct trace trace;
    struct tuning *tuning;
    struct manager manager;
    struct views *views;        /* fixed after init; NULL without this part */
    struct geom_events *events; /* fixed after init; NULL without this part */
    struct anim *anim;          /* fixed after init; NULL without clips */
    /* fixed after init; last, so that the offsets of the others are small */
    spn_platform platform;
    spn_config config; /* resolved */
};

/* Compute the bytes of the block that a config needs.
 *
 * tally   array of SPN_MEMORY_TABLE_COUNT counters, to which the bytes of each
 *         table are added; may be NULL
 * needed  output: the sum
 *
 * Returns the errors of spn_config_resolve. */
spn_status spn__runtime_count_memory(const spn_config *config, uint64_t *tally,
                                     size_t *needed);

/* Do one step of the io engine and one job, unless a thread of the runtime does
 * them. After spn__threads_stop this function does all work. Caller's thread.
 *
 * due_us  output, if no work was done: the time of the platform's clock at
 *         which the io engine must step again
 *
 * Returns the number of steps that did work. */
uint32_t spn__runtime_step(struct spn_runtime *rt, uint64_t *due_us);

/* Wait until a read has ended, and complete it. SPN_ERR_HANDLE: it was complete
 * already; SPN_ERR_TIMEOUT: the clock stands still. Caller's thread. */
spn_status spn__runtime_end_read(struct spn_runtime *rt, spn_read read);

/* Whether a runtime is complete and was not moved or copied. O(1). Any thread.
 */
bool spn__runtime_check(const struct spn_runtime *rt);

/* Whether a public function got a runtime. */
static inline bool has_runtime(const struct spn_runtime *rt)
{
    SPN_ASSERT_DEV(!rt || spn__runtime_check(rt));
    return rt != NULL;
}

/* Sleep for a short time. Used during a shutdown when no step did work, because
 * a device or a job of the engine has not ended yet. Returns at once on a
 * platform without threads. */
void spn__runtime_rest(struct spn_runtime *rt);

#endif
