/* device_timeout.c - devices that do not answer, and missing discs. */
/* SPDX-License-Identifier: MIT */
#include "read/device_timeout.h"

#include "base/mem.h"
#include "read/device.h"
#include "read/engine.h"

static spn_medium_state by_disc(const struct io *io, spn_medium medium)
{
    const spn_platform *p = io->platform;

    if (!p->medium_disc)
        return SPN_MEDIUM_READY;
    switch (p->medium_disc(p->user, medium)) {
    case SPN_DISC_OUT:
        return SPN_MEDIUM_NO_DISC;
    case SPN_DISC_OTHER:
        return SPN_MEDIUM_OTHER_DISC;
    case SPN_DISC_IN:
        break;
    }
    return SPN_MEDIUM_READY;
}

spn_medium_state spn__io_medium_state(const struct io *io, spn_medium medium,
                                      uint64_t unanswered_us)
{
    const struct io_medium *m = &io->media[medium];
    spn_medium_state state = by_disc(io, medium);

    if (state != SPN_MEDIUM_READY)
        return state;
    if (m->timeout_us > 0 && unanswered_us >= m->timeout_us)
        return SPN_MEDIUM_TIMED_OUT;
    if (m->silent_us > 0 && unanswered_us >= m->silent_us)
        return SPN_MEDIUM_SILENT;
    return SPN_MEDIUM_READY;
}

static uint64_t unanswered_us(const struct io_medium *medium, uint64_t now_us)
{
    return medium->requests.active == IO_NONE ? 0
                                              : now_us - medium->piece_start_us;
}

static void notify(struct io *io, spn_medium medium, uint64_t us)
{
    struct io_medium *m = &io->media[medium];
    spn_medium_state state = spn__io_medium_state(io, medium, us);
    spn_event event;

    if (state == m->notified_state)
        return;
    m->notified_state = state;
    memset(&event, 0, sizeof event);
    event.medium = medium;
    event.medium_state = state;
    event.waited_us = us;
    spn__listen_notify(&io->listen, SPN_EVENT_MEDIUM, &event);
}

/* The io thread must step again when the limit is reached. */
static void fall_due(const struct io_medium *medium, uint64_t limit_us,
                     uint64_t us, uint64_t *due_us)
{
    if (limit_us > us && medium->piece_start_us + limit_us < *due_us)
        *due_us = medium->piece_start_us + limit_us;
}

bool spn__device_timeout(struct io *io, spn_medium index, uint64_t now_us,
                         uint64_t *due_us, bool *worked)
{
    struct io_medium *medium = &io->media[index];
    uint64_t us = unanswered_us(medium, now_us);
    bool is_over = medium->timeout_us > 0 && us >= medium->timeout_us;

    if (listen_is_there(&io->listen))
        notify(io, index, us);
    if (medium->requests.active == IO_NONE)
        return false;
    if (is_over && !medium->is_timed_out) {
        medium->is_timed_out = true;
        spn__device_cancel(io, medium);
        *worked = true;
    }
    fall_due(medium, medium->timeout_us, us, due_us);
    if (listen_is_there(&io->listen))
        fall_due(medium, medium->silent_us, us, due_us);
    return is_over;
}
