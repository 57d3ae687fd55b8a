/* trace.c - the ring of events, and the hash of all events. */
/* SPDX-License-Identifier: MIT */
#include "base/trace.h"

#include "base/checksum.h"
#include "base/endian.h"

void spn__trace_init(struct trace *trace, struct carve *carve,
                     uint32_t capacity)
{
    const uint32_t size = spn__carve_ring_size(capacity);

    trace->events = SPN_CARVE(carve, struct trace_event, size);
    trace->mask = size - 1;
    trace->count = 0;
    trace->hash = 0;
}

void spn__trace_add(struct trace *trace, uint64_t time_us, enum trace_kind kind,
                    uint32_t subject, uint32_t a, uint32_t b)
{
    struct trace_event *event = &trace->events[trace->count & trace->mask];
    uint8_t bytes[24];

    event->time_us = time_us;
    event->kind = (uint32_t)kind;
    event->subject = subject;
    event->a = a;
    event->b = b;
    trace->count++;

    /* The previous hash is the seed, so that the order matters. The bytes are
     * little-endian, so that the hash is the same on every machine. */
    spn_store_u64le(bytes, time_us);
    spn_store_u32le(bytes + 8, (uint32_t)kind);
    spn_store_u32le(bytes + 12, subject);
    spn_store_u32le(bytes + 16, a);
    spn_store_u32le(bytes + 20, b);
    trace->hash = spn__checksum(bytes, sizeof bytes, trace->hash);
}
