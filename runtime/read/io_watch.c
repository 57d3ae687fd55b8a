/* io_watch.c - devices that do not answer, and discs that are not there.
 *
 * What a medium's state is follows from how long its piece has been at the
 * device and from what the platform says of the disc: the caller's thread works
 * it out when asked, even while the io thread is stuck inside a read; the io
 * thread does it at each step, to tell the listener. At the time-out it gives
 * up what waits in the medium's line. What is at the device is the device's
 * until that gives it back: it is asked to.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_watch.h"

#include "base/mem.h"
#include "read/engine.h"
#include "read/io_device.h"
#include "read/io_end.h"

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
    return medium->line.active == IO_NONE ? 0 : now_us - medium->piece_start_us;
}

static bool end_timed_out(void *context, uint32_t index)
{
    spn__io_end(context, index, SPN_ERR_TIMEOUT);
    return true;
}

/* It answers again when it gives back what it has. */
static bool time_out(struct io *io, struct io_medium *medium)
{
    /* What is cancelled may be over before the device said that it would. */
    bool worked = !medium->is_timed_out;

    if (worked) {
        medium->is_timed_out = true;
        spn__io_cancel(io, medium);
    }
    if (medium->line.queue.count == 0)
        return worked;
    spn__queue_take_if(&medium->line.queue, end_timed_out, io);
    return true;
}

static void tell(struct io *io, spn_medium medium, uint64_t us)
{
    struct io_medium *m = &io->media[medium];
    spn_medium_state state = spn__io_medium_state(io, medium, us);
    spn_event event;

    if (state == m->told_state)
        return;
    m->told_state = state;
    memset(&event, 0, sizeof event);
    event.medium = medium;
    event.medium_state = state;
    event.waited_us = us;
    spn__listen_tell(&io->listen, SPN_EVENT_MEDIUM, &event);
}

static void fall_due(const struct io_medium *medium, uint64_t limit_us,
                     uint64_t us, uint64_t *due_us)
{
    if (limit_us > us && medium->piece_start_us + limit_us < *due_us)
        *due_us = medium->piece_start_us + limit_us;
}

bool spn__io_watch(struct io *io, uint64_t *due_us)
{
    uint64_t now_us = io_now_us(io);
    bool worked = false;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        struct io_medium *medium = &io->media[i];
        uint64_t us = unanswered_us(medium, now_us);

        if (listen_is_there(&io->listen))
            tell(io, (spn_medium)i, us);
        if (medium->line.active == IO_NONE)
            continue;
        if (medium->timeout_us > 0 && us >= medium->timeout_us)
            worked = time_out(io, medium) || worked;
        fall_due(medium, medium->timeout_us, us, due_us);
        if (listen_is_there(&io->listen))
            fall_due(medium, medium->silent_us, us, due_us);
    }
    return worked;
}
