/* phases.h - how much time the threads spend in each phase of a compile.
 *
 * A thread bound to a `struct phases` is in one phase at any time. When it
 * enters another phase, the time since its last change is added to the phase
 * that it leaves. Threads of a pool (common/workers.h) are bound as the thread
 * that creates the pool. For an unbound thread nothing is measured.
 *
 *     enum phase before = phases_enter(PHASE_READ);
 *     ...
 *     phases_enter(before);
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_PHASES_H
#define OFFLINE_COMMON_PHASES_H

#include <stdatomic.h>

enum phase {
    PHASE_OTHER,
    PHASE_READ,     /* samples of meshes: find, convert, interpolate */
    PHASE_NODES,    /* transforms and visibility */
    PHASE_SPLIT,    /* merging corners into vertices, and their order */
    PHASE_SHADE,    /* normals and tangents */
    PHASE_QUANTIZE, /* and measuring the error */
    PHASE_SEARCH,   /* choosing predictors, codings and weights */
    PHASE_COMPRESS, /* block compression */
    PHASE_CHECK,    /* decoding every stream again */
    PHASE_WRITE,
    PHASE_COUNT
};

struct phases {
    atomic_uint_fast64_t clock_ns[PHASE_COUNT];
    atomic_uint_fast64_t processor_ns[PHASE_COUNT];
};

void phases_init(struct phases *phases);
/* Bind the calling thread, in PHASE_OTHER. NULL: unbind it. */
void phases_bind(struct phases *phases);
struct phases *phases_bound(void);

/* Enter a phase. Returns the previous one. */
enum phase phases_enter(enum phase phase);

/* "read", "normals and tangents"... */
const char *phases_name(enum phase phase);
/* Seconds of all threads together, of a steady clock and of processor time. A
 * running thread counts up to its last change of phase. */
double phases_clock_seconds(struct phases *phases, enum phase phase);
double phases_processor_seconds(struct phases *phases, enum phase phase);

#endif
