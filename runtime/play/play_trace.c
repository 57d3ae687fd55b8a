/* play_trace.c - trace events of caches, streams and nodes. */
/* SPDX-License-Identifier: MIT */
#include "play/play_trace.h"

#include <spindle/features.h>

void spn__play_trace(struct manager *m, enum trace_kind kind, uint32_t subject,
                     uint32_t a, uint32_t b)
{
    if (SPN_WITH_OBSERVERS)
        spn__trace_add(m->config.trace, m->now_us, kind, subject, a, b);
}
