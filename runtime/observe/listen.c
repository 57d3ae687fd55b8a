/* listen.c - from a kind of event to the function that wants it. */
/* SPDX-License-Identifier: MIT */
#include "observe/listen.h"

#include "base/mem.h"

static spn_event_fn function_of(const spn_listener *l, spn_event_kind kind)
{
    switch (kind) {
    case SPN_EVENT_QUEUED:
        return l->queued;
    case SPN_EVENT_READ_BEGIN:
        return l->read_begin;
    case SPN_EVENT_READ_END:
        return l->read_end;
    case SPN_EVENT_PREEMPTED:
        return l->preempted;
    case SPN_EVENT_ABORTED:
        return l->aborted;
    case SPN_EVENT_DECOMPRESS_BEGIN:
        return l->decompress_begin;
    case SPN_EVENT_DECOMPRESS_END:
        return l->decompress_end;
    case SPN_EVENT_CALLBACK_BEGIN:
        return l->callback_begin;
    case SPN_EVENT_CALLBACK_END:
        return l->callback_end;
    case SPN_EVENT_COMPLETED:
        return l->completed;
    case SPN_EVENT_INVALID_WAIT:
        return l->invalid_wait;
    case SPN_EVENT_MEDIUM:
        return l->medium;
    case SPN_EVENT_DECODE_BEGIN:
        return l->decode_begin;
    case SPN_EVENT_DECODE_END:
        return l->decode_end;
    case SPN_EVENT_FILL_BEGIN:
        return l->fill_begin;
    case SPN_EVENT_FILL_END:
        return l->fill_end;
    case SPN_EVENT_UPDATE_BEGIN:
        return l->update_begin;
    case SPN_EVENT_UPDATE_END:
        return l->update_end;
    }
    return NULL;
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
