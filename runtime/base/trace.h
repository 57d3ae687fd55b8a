/* trace.h - the last events of playback, for post-mortem debugging and for
 * comparing two runs.
 *
 * Events are in a ring: the newest replace the oldest. A hash of all events
 * since init shows whether two runs were the same. Thread: the caller's.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_TRACE_H
#define SPN_BASE_TRACE_H

#include "base/carve.h"

#include <stdint.h>

enum trace_kind {
    TRACE_READ_START,
    TRACE_READ_END,
    TRACE_READ_ABORT,
    TRACE_DECODE_START,
    TRACE_DECODE_END,
    TRACE_RETIRE,
    TRACE_SHOW,
    TRACE_LATE,
    TRACE_FAIL,
    TRACE_ALLOC_FAIL,
    TRACE_SEEK,
    TRACE_OPEN,
    TRACE_CLOSE,
    TRACE_UNLOAD, /* a cache gave its static data back */
    TRACE_ADMIT,  /* a stream was admitted, degraded or refused. a:
                  * spn_admission, b: its share of the drive in thousandths */
    /* Of clips and databases; the subject is the index of one. */
    TRACE_CLIP_READ,   /* a: bytes */
    TRACE_CLIP_LOADED, /* a: bytes */
    TRACE_CLIP_FAIL,   /* a: status */
    TRACE_CLIP_FREE,   /* a: bytes */
    TRACE_CLIP_LATE    /* a clip plays, and is not in memory. a: its play */
};

struct trace_event {
    uint64_t time_us;
    uint32_t kind;    /* enum trace_kind */
    uint32_t subject; /* handle of the stream, cache or read */
    uint32_t a;       /* values of the kind */
    uint32_t b;
};

struct trace {
    struct trace_event *events;
    uint32_t mask;
    uint32_t count; /* events since init, modulo 2^32 */
    uint32_t hash;  /* of all events since init */
};

/* Carve a ring of `capacity` events, rounded up to a power of two, >= 2. */
void spn__trace_init(struct trace *trace, struct carve *carve,
                     uint32_t capacity);
void spn__trace_add(struct trace *trace, uint64_t time_us, enum trace_kind kind,
                    uint32_t subject, uint32_t a, uint32_t b);

#endif
