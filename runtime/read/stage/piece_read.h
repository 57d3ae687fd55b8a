/* piece_read.h - one piece of one read at a device.
 *
 * Long reads go in pieces, so that aborts and urgent reads need not wait long.
 * After a piece the read returns to its queue, before all others of its
 * priority. A piece that fails is tried again, IO_RETRIES times, and then in
 * smaller pieces, so that all bytes before the bad place arrive. Small pieces
 * are tried once, except the smallest, because a drive takes long to report a
 * bad block. Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_PIECE_READ_H
#define SPN_READ_STAGE_PIECE_READ_H

#include "read/request.h"

struct io;
struct io_medium;

/* Plan the next piece of medium->chosen. */
void spn__piece_read_plan(struct io *io, struct io_medium *medium);
/* Copy the planned piece from a file in memory. */
void spn__piece_read_copy(const struct io *io, const struct io_medium *medium);
/* Whether neither the piece nor a larger one with its bytes has failed. */
bool spn__piece_read_is_clean(const struct io *io,
                              const struct io_medium *medium);
/* Next stage of the read of a piece that came back. */
enum read_stage spn__piece_read_step(struct io *io, struct io_medium *medium);

/* Record that `bytes` more of a read are at their destination. Returns its next
 * stage. */
enum read_stage spn__piece_read_advance(struct io *io, struct io_medium *medium,
                                        uint32_t index, uint32_t bytes);

#endif
