/* fill_job.h - fills that run as jobs on the workers, part by part.
 *
 * A fill takes an entry of a table. Its frames are found when it starts, and
 * each counts it as a reader (kept.h), so that they stay in memory. Jobs then
 * take the parts of the mesh, one after another, as does a thread that waits
 * for the fill. The jobs know only the table, so it does not matter which fill
 * a job finds, or that it finds none any more. Whoever ends the last part ends
 * the fill.
 *
 * The state word of an entry has a generation and flags. An entry is used again
 * after a wait has found its end.
 *
 * Any thread, between two updates, may start and wait; what else is here is the
 * caller's thread's.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_FILL_JOB_H
#define SPN_PLAY_FILL_JOB_H

#include "base/atomic.h"
#include "base/carve.h"
#include "play/node/node_fill.h"

#include <spindle/features.h>
#include <spindle/geom.h>
#include <stdbool.h>
#include <stdint.h>

/* state: generation << 16 | flags */
#define FILL_IN_USE 1u  /* started, and its end was not found by a wait */
#define FILL_IS_OVER 2u /* all parts are written */
#define FILL_IS_AWAITED 4u

struct fill_job {
    /* atomic */
    struct atomic_u32 state;
    struct atomic_u32 unstarted; /* parts that no thread has taken */
    struct atomic_u32 unended;   /* parts that are not written */
    /* the thread that starts it; fixed until the end */
    struct node_fill fill;
    spn_fill_result result;
    spn_node node;
    spn_cache cache; /* as the node knows it */
};

#if SPN_WITH_FILL_JOBS

/* Take the table of manager.fill_jobs. */
void spn__fill_jobs_init(struct manager *m, struct carve *carve,
                         uint32_t count);
/* The implementation of spn_fill_start. The arguments were checked. */
spn_status spn__fill_job_start(const struct node *n, uint32_t mesh,
                               const spn_vertex_layout *layout, void *vertices,
                               spn_fill *out);
/* The implementations of spn_fill_wait, to a time of the clock, and of
 * spn_fill_get_result. */
spn_status spn__fill_job_wait(struct manager *m, spn_fill fill,
                              uint64_t due_us);
spn_status spn__fill_job_result(const struct manager *m, spn_fill fill,
                                spn_fill_result *out);

/* Once an update, after the cursors planned: hold the frames of running fills,
 * unpaid (promise.h). */
void spn__fill_jobs_hold(struct manager *m);

#else

static inline void spn__fill_jobs_init(struct manager *m, struct carve *carve,
                                       uint32_t count)
{
    (void)m;
    (void)carve;
    (void)count;
}

static inline void spn__fill_jobs_hold(struct manager *m)
{
    (void)m;
}

#endif

#endif
