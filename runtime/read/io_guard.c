/* io_guard.c - detect and report waits of marked threads (spindle/guard.h).
 *
 * The read is pinned from before the wait until after the added time, so that
 * its fields can be reported at the end. Fields that the io thread writes are
 * read only after the end of the read; the medium is in the atomic
 * shared_medium. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_guard.h"

#include "base/mem.h"
#include "disc/drive_disc.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/io_listen.h"
#include "read/io_wait.h"

bool spn__io_guard_begin(struct io *io, spn_read read, struct io_guarded *g)
{
    uint32_t roles = SPN_WITH_OBSERVERS ? spn__guard_roles(&io->guard) : 0;

    if (roles == 0 || spn__io_pin(io, read) != SPN_OK)
        return false;
    if (spn__io_poll(io, read) != SPN_PENDING) {
        spn__io_unpin(io, read);
        return false;
    }
    memset(g, 0, sizeof *g);
    g->read = read;
    g->roles = roles;
    g->begin_us = io_now_us(io);
    return true;
}

static void describe(struct io *io, const struct io_guarded *g,
                     spn_status status, spn_invalid_wait *wait)
{
    const struct io_request *request = &io->requests[g->read & READ_INDEX_MASK];
    uint32_t seen = atomic_load_relaxed(&request->shared_medium);

    memset(wait, 0, sizeof *wait);
    wait->read = g->read;
    wait->task = request->task;
    wait->medium = seen ? (spn_medium)(seen - 1) : SPN_MEDIUM_COUNT;
    wait->offset = request->requested_offset;
    wait->begin_us = g->begin_us;
    wait->waited_us = io_now_us(io) - g->begin_us;
    wait->status = status;
    wait->user = io_event_user(request);
    wait->roles = spn__guard_forbidden(&io->guard, g->roles,
                                       request->guard_roles, wait->medium);
}

static void notify_invalid_wait(const struct io *io,
                                const spn_invalid_wait *wait)
{
    const struct io_request *request =
        &io->requests[wait->read & READ_INDEX_MASK];
    spn_event event;

    memset(&event, 0, sizeof event);
    event.read = wait->read;
    event.task = wait->task;
    event.task_class = request->task_class;
    event.medium = wait->medium;
    event.offset = wait->offset;
    event.start_us = request->start_us;
    event.deadline_us = request->deadline_us;
    event.user = wait->user;
    event.status = wait->status;
    event.roles = wait->roles;
    event.waited_us = wait->waited_us;
    spn__listen_notify(&io->listen, SPN_EVENT_INVALID_WAIT, &event);
}

/* Time that the drive of the read's medium takes to jump and to transfer the
 * bytes, from the drive's profile or from the platform. The bytes of a read
 * under way are not known to this thread and count as 0. */
static uint64_t drive_us(const struct io *io, const spn_invalid_wait *wait)
{
    const spn_platform *p = io->platform;
    const struct io_request *request =
        &io->requests[wait->read & READ_INDEX_MASK];
    uint64_t bytes = wait->status == SPN_OK ? request->done_bytes : 0;
    const struct io_drive *drive;

    if (wait->medium == SPN_MEDIUM_COUNT)
        return 0;
    drive = io_drive_of(&io->media[wait->medium]);
    if (drive)
        return spn__drive_jump_us(&drive->profile, bytes);
    return p->medium_jump_us ? p->medium_jump_us(p->user, wait->medium, bytes)
                             : 0;
}

/* Time by which the wait is lengthened. Without a setting, the platform of an
 * emulated drive (which has medium_jump_us) gets the time of the real drive. */
static uint64_t stall_us(const struct io *io, const spn_invalid_wait *wait)
{
    const uint64_t wish = io->guard.stall_us;

    return wish == SPN_INVALID_WAIT_DRIVE ||
                   (wish == 0 && io->platform->medium_jump_us)
               ? drive_us(io, wait)
               : wish;
}

uint64_t spn__io_guard_check(struct io *io, const struct io_guarded *g,
                             spn_status status)
{
    spn_invalid_wait wait;

    /* With any other status the thread has not waited. */
    if (status != SPN_OK && status != SPN_ERR_TIMEOUT)
        return 0;
    describe(io, g, status, &wait);
    if (wait.roles == 0)
        return 0;
    spn__guard_note(&io->guard, &wait);
    if (listen_is_there(&io->listen))
        notify_invalid_wait(io, &wait);
    /* The sum cannot overflow: the clock is far below 2^64. */
    return g->begin_us + stall_us(io, &wait);
}

void spn__io_guard_end(struct io *io, const struct io_guarded *g)
{
    spn__io_unpin(io, g->read);
}
