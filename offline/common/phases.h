/* phases.h - where the time goes: what each thread is busy with, added up.
 *
 * A thread that is bound to a `struct phases` is always in one phase; entering
 * another charges the time since then to the one that it leaves. Threads of a
 * pool (common/workers.h) are bound as the thread that makes the pool is. An
 * unbound thread pays nothing.
 *
 *     enum phase before = phases_enter(PHASE_READ);
 *     ...
 *     phases_enter(before);
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_PHASES_H
#define OFFLINE_COMMON_PHASES_H

#include <stdatomic.h>
#include <stdint.h>

enum phase {
    PHASE_OTHER,
    PHASE_READ,     /* samples of meshes: find, convert, interpolate */
    PHASE_NODES,    /* transforms and visibility */
    PHASE_SPLIT,    /* which corners are one vertex, and their order */
    PHASE_SHADE,    /* normals and tangents */
    PHASE_QUANTIZE, /* and what that costs in precision */
    PHASE_SEARCH,   /* predictors, codings and weights */
    PHASE_COMPRESS, /* block compression of what was found */
    PHASE_CHECK,    /* every stream decoded again */
    PHASE_WRITE,
    PHASE_COUNT
};

struct phases {
    atomic_uint_fast64_t clock_ns[PHASE_COUNT];
    atomic_uint_fast64_t processor_ns[PHASE_COUNT];
};

void phases_init(struct phases *phases);
/* Bind the calling thread, in PHASE_OTHER; NULL: to nothing. */
void phases_bind(struct phases *phases);
struct phases *phases_bound(void);

/* Returns the phase that is left. */
enum phase phases_enter(enum phase phase);

/* "read", "normals and tangents"... */
const char *phases_name(enum phase phase);
/* The sums of all threads; those of running threads up to their last change of
 * phase. */
double phases_clock_seconds(struct phases *phases, enum phase phase);
double phases_processor_seconds(struct phases *phases, enum phase phase);

#endif
