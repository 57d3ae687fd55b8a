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

/* SPN_EVENT_READ_BEGIN. Must be called after the piece of the medium is planned
 * and before medium->head is changed. */
void spn__io_notify_begin(const struct io *io, const struct io_medium *medium,
                          uint32_t index);
/* SPN_EVENT_READ_END. Must be called before medium->head is changed. */
void spn__io_notify_end(const struct io *io, const struct io_medium *medium,
                        uint32_t index, spn_status status, uint64_t bytes);
/* The same events, one for every read of the medium's run (run.h). */
void spn__io_notify_run_begin(const struct io *io,
                              const struct io_medium *medium);
void spn__io_notify_run_end(const struct io *io, const struct io_medium *medium,
                            spn_status status, uint32_t bytes);

/* SPN_EVENT_ABORTED and SPN_EVENT_COMPLETED. */
void spn__io_notify_aborted(const struct io *io, uint32_t index);
void spn__io_notify_completed(const struct io *io, uint32_t index);
/* `kind`: SPN_EVENT_CALLBACK_BEGIN or SPN_EVENT_CALLBACK_END. */
void spn__io_notify_callback(const struct io *io, uint32_t index,
                             spn_callback callback, spn_event_kind kind,
                             spn_status status);

#endif
