/* listen.c - from a kind of event to the function of the listener. */
/* SPDX-License-Identifier: MIT */
#include "observe/listen.h"

#include "base/assert.h"
#include "base/mem.h"

#include <stddef.h>
#include <stdint.h>

/* Offset of the function of each kind in the listener. */
static const uint8_t places[] = {
    [SPN_EVENT_QUEUED] = offsetof(spn_listener, queued),
    [SPN_EVENT_READ_BEGIN] = offsetof(spn_listener, read_begin),
    [SPN_EVENT_READ_END] = offsetof(spn_listener, read_end),
    [SPN_EVENT_PREEMPTED] = offsetof(spn_listener, preempted),
    [SPN_EVENT_ABORTED] = offsetof(spn_listener, aborted),
    [SPN_EVENT_DECOMPRESS_BEGIN] = offsetof(spn_listener, decompress_begin),
    [SPN_EVENT_DECOMPRESS_END] = offsetof(spn_listener, decompress_end),
    [SPN_EVENT_CALLBACK_BEGIN] = offsetof(spn_listener, callback_begin),
    [SPN_EVENT_CALLBACK_END] = offsetof(spn_listener, callback_end),
    [SPN_EVENT_COMPLETED] = offsetof(spn_listener, completed),
    [SPN_EVENT_INVALID_WAIT] = offsetof(spn_listener, invalid_wait),
    [SPN_EVENT_MEDIUM] = offsetof(spn_listener, medium),
    [SPN_EVENT_DECODE_BEGIN] = offsetof(spn_listener, decode_begin),
    [SPN_EVENT_DECODE_END] = offsetof(spn_listener, decode_end),
    [SPN_EVENT_FILL_BEGIN] = offsetof(spn_listener, fill_begin),
    [SPN_EVENT_FILL_END] = offsetof(spn_listener, fill_end),
    [SPN_EVENT_UPDATE_BEGIN] = offsetof(spn_listener, update_begin),
    [SPN_EVENT_UPDATE_END] = offsetof(spn_listener, update_end),
};
SPN_STATIC_ASSERT(sizeof(spn_listener) <= UINT8_MAX, listener_places);

static spn_event_fn function_of(const spn_listener *l, spn_event_kind kind)
{
    spn_event_fn function;

    SPN_ASSERT((uint32_t)kind < sizeof places && places[kind] > 0);
    memcpy(&function, (const uint8_t *)l + places[kind], sizeof function);
    return function;
}

void spn__listen_init(struct listen *listen, const spn_listener *listener,
                      const spn_platform *platform)
{
    memset(listen, 0, sizeof *listen);
    listen->platform = platform;
    listen->is_there = listener != NULL;
    if (listener)
        listen->table = *listener;
}

void spn__listen_notify(const struct listen *listen, spn_event_kind kind,
                        spn_event *event)
{
    spn_event_fn notify = function_of(&listen->table, kind);

    if (!notify)
        return;
    event->kind = kind;
    event->now_us = listen->platform->now_us(listen->platform->user);
    notify(listen->table.user, event);
}
