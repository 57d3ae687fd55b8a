/* io_listen.h - events of reads, for the listener of spn_config.
 *
 * Each function makes one event of spindle/listener.h from the request of a
 * read and passes it to the listener. Precondition of all:
 * listen_is_there(&io->listen). Thread: the owner of the read. `index` is the
 * index of the request.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_LISTEN_H
#define SPN_READ_IO_LISTEN_H

#include "read/engine.h"

/* SPN_EVENT_QUEUED: the read is in the queue of its medium, with this sort key.
 */
void spn__io_notify_queued(const struct io *io, uint32_t index, uint64_t key);
/* SPN_EVENT_PREEMPTED: read `by` is served before `index` continues. `key` is
 * the new sort key of `index`. */
void spn__io_notify_preempted(const struct io *io, uint32_t index, uint32_t by,
                              uint64_t key);

/* `kind`: SPN_EVENT_READ_BEGIN or SPN_EVENT_READ_END, for every read of the
 * command of a medium (device.h). `bytes`: those of the command, or how many of
 * them have arrived. Must be called before medium->head is changed. */
void spn__io_notify_command(const struct io *io, const struct io_medium *medium,
                            spn_event_kind kind, spn_status status,
                            uint32_t bytes);

/* `kind`: SPN_EVENT_ABORTED or SPN_EVENT_COMPLETED. */
void spn__io_notify_over(const struct io *io, uint32_t index,
                         spn_event_kind kind);
/* `kind`: SPN_EVENT_CALLBACK_BEGIN or SPN_EVENT_CALLBACK_END. */
void spn__io_notify_callback(const struct io *io, uint32_t index,
                             spn_callback callback, spn_event_kind kind,
                             spn_status status);

/* What observers see as the user of a read. */
static inline void *io_event_user(const struct io_request *request)
{
    return request->is_own ? NULL : request->user;
}

#endif
