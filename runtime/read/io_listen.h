/* io_listen.h - what is told of a read, by whoever owns its slot. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_LISTEN_H
#define SPN_READ_IO_LISTEN_H

#include "read/engine.h"

void spn__io_hear_queued(const struct io *io, uint32_t index, uint64_t key);
/* `by` goes first. */
void spn__io_hear_preempted(const struct io *io, uint32_t index, uint32_t by,
                            uint64_t key);
/* The piece of the medium is planned, and its head where it was before. */
void spn__io_hear_begin(const struct io *io, const struct io_medium *medium,
                        uint32_t index);
void spn__io_hear_end(const struct io *io, const struct io_medium *medium,
                      uint32_t index, spn_status status, uint64_t bytes);
/* The same of all reads of the medium's run. */
void spn__io_hear_run_begin(const struct io *io,
                            const struct io_medium *medium);
void spn__io_hear_run_end(const struct io *io, const struct io_medium *medium,
                          spn_status status, uint32_t bytes);
void spn__io_hear_aborted(const struct io *io, uint32_t index);
void spn__io_hear_completed(const struct io *io, uint32_t index);
/* `kind`: SPN_EVENT_CALLBACK_BEGIN or _END. */
void spn__io_hear_callback(const struct io *io, uint32_t index,
                           spn_callback callback, spn_event_kind kind,
                           spn_status status);

#endif
