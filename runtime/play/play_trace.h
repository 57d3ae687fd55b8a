/* play_trace.h - trace events of caches, streams and nodes.
 *
 * An event is stamped with the time at which the current update began, and
 * goes to the runtime's trace (base/trace.h). Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_TRACE_H
#define SPN_PLAY_TRACE_H

#include "base/trace.h"
#include "play/manager.h"

#include <spindle/features.h>
#include <stdint.h>

/* subject  handle of the cache or node
 * a, b     meaning by kind; see enum trace_kind */
static inline void spn__play_trace(struct manager *m, enum trace_kind kind,
                                   uint32_t subject, uint32_t a, uint32_t b)
{
    if (SPN_WITH_OBSERVERS)
        spn__trace_add(m->config.trace, m->now_us, kind, subject, a, b);
}

#endif
