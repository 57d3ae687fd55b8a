/* io_unpack.h - reads of paks between their device and their end. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_UNPACK_H
#define SPN_READ_IO_UNPACK_H

#include "read/engine.h"
#include "read/run.h"

/* Before a piece of a compressed read. SPN_EMPTY: set it aside. */
spn_status spn__unpack_find_slot(struct io *io, uint32_t index);
/* Out of its line, until a slot is free. */
void spn__unpack_wait(struct io *io, uint32_t index);
/* Its piece came to nothing. */
void spn__unpack_drop(struct io *io, uint32_t index);
/* The next piece, of whole blocks up to `bytes_max` or one; false: it is a
 * plain one. */
bool spn__unpack_plan(struct io *io, struct piece *piece, uint32_t index,
                      uint32_t bytes_max);
/* Its piece is one that cannot be smaller. */
bool spn__unpack_is_least(const struct io *io, uint32_t index);
/* The same in a run that has so much room: what `read` then asks for goes to
 * the memory that the first such read of the run has. A plain one stays as it
 * is. False: it must wait; what it has is dropped by whoever asked. */
bool spn__unpack_join(struct io *io, uint32_t index, uint32_t room,
                      uint32_t align_bytes, struct run_read *read);
/* So many bytes behind those that are done arrived: whole blocks of them go to
 * the workers, and count. False: it is a plain one. */
bool spn__unpack_take(struct io *io, uint32_t index, uint32_t *bytes);
/* More of a stored read has arrived. */
void spn__unpack_verify(struct io *io, uint32_t index);
/* Take what the workers have done. */
bool spn__unpack_collect(struct io *io);
bool spn__unpack_waits_for_jobs(const struct io *io);
bool spn__unpack_is_idle(const struct io *io);
/* The read shall end: true when that must wait for workers, and then it will
 * be told again. Otherwise all is known, *status too. */
bool spn__unpack_puts_off(struct io *io, uint32_t index, spn_status *status);

#endif
