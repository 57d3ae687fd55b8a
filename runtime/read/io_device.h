/* io_device.h - a medium and the read at its device. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_DEVICE_H
#define SPN_READ_IO_DEVICE_H

#include "read/engine.h"

/* Is a read ready for the device? SPN_OK, also where it has no bytes and only
 * ends; > 0: it must be set aside; or the error that it ends with. */
spn_status spn__io_make_ready(struct io *io, uint32_t index);
/* It is not, and was taken out of its line. */
void spn__io_turn_away(struct io *io, uint32_t index, spn_status status);
/* Bytes of a file go to the device. Says so before: the call may take as long
 * as the read. False: they were refused. */
bool spn__io_submit(struct io *io, struct io_medium *medium,
                    spn_platform_file file, uint64_t offset,
                    const spn_extent *extents, uint32_t extent_count);
/* One that is ready, and in no line, goes to the device. */
void spn__io_start_piece(struct io *io, struct io_medium *medium,
                         uint32_t index);
/* What is at the device begins at a byte of the file, and will leave the head
 * at another. */
void spn__io_move_head(struct io *io, struct io_medium *medium, uint32_t index,
                       uint64_t begin, uint64_t end);
/* So many bytes came back from the device; before any read is told. Clean: all
 * that was asked for, at the first try. */
void spn__io_leave_device(struct io *io, struct io_medium *medium,
                          spn_status status, uint64_t bytes, bool is_clean);
/* More of a read is there: it ends, or goes back into its line. */
void spn__io_advance(struct io *io, struct io_medium *medium, uint32_t index,
                     uint64_t bytes);
/* Give a medium whose device is free the first of its line. */
bool spn__io_serve(struct io *io, struct io_medium *medium);
/* Take a completion; *due_us: when to ask again. */
bool spn__io_poll_devices(struct io *io, uint64_t *due_us);
/* If the read at the device is not wanted any more, say so to the device. */
void spn__io_cancel_unwanted(struct io *io, struct io_medium *medium);
/* Ask the device to end what it has, once. */
void spn__io_cancel(struct io *io, struct io_medium *medium);
/* Nothing is at any device. */
bool spn__io_devices_are_free(const struct io *io);

#endif
