/* stage_device.h - READ_AT_DEVICE: reads of which bytes are at a device.
 *
 * A device has one piece of one read at a time (piece_read.h), or one run of
 * several reads (run_read.h). Until it comes back the memory of these reads
 * belongs to the device: an abort only asks it to be quick. A file in memory
 * has no device: its pieces are copied, and are back at once. Owner: the io
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_DEVICE_H
#define SPN_READ_STAGE_DEVICE_H

#include "read/request.h"

struct io;
struct io_medium;

enum read_stage spn__device_enter(struct io *io, uint32_t index);
void spn__device_leave(struct io *io, uint32_t index);

/* Send the reads of a medium that were chosen. False: they are back already,
 * because they were copied or the platform did not take them. */
bool spn__device_start(struct io *io, struct io_medium *medium);
/* Take a completion of the platform; *due_us: when to ask again. False: none.
 * *medium: whose reads are back; NULL: none are. */
bool spn__device_poll(struct io *io, uint64_t *due_us,
                      struct io_medium **medium);

/* The reads that went to the device of a medium. */
uint32_t spn__device_count(const struct io_medium *medium);
uint32_t spn__device_read(const struct io_medium *medium, uint32_t i);
/* When they are back, of each in turn: where it goes. */
enum read_stage spn__device_step(struct io *io, struct io_medium *medium,
                                 uint32_t i);

/* If nobody wants what a device has, ask it to end early. */
void spn__device_cancel_unwanted(struct io *io, struct io_medium *medium);

#endif
