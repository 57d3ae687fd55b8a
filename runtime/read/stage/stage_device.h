/* stage_device.h - READ_AT_DEVICE: reads of which bytes are at a device.
 *
 * A device has one command at a time: a piece of one read (piece_read.h) or a
 * run of several reads (run_read.h). Until the command comes back, the memory
 * of these reads belongs to the device; an abort can only ask the device to end
 * it early. A file in memory has no device: its pieces are copied at once.
 * Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_DEVICE_H
#define SPN_READ_STAGE_DEVICE_H

#include "read/request.h"

struct io;
struct io_medium;

enum read_stage spn__device_enter(struct io *io, uint32_t index);
void spn__device_leave(struct io *io, uint32_t index);

/* Submit the chosen reads of a medium. Returns false if they are back already,
 * because they were copied or the platform refused them. */
bool spn__device_start(struct io *io, struct io_medium *medium);
/* Take a completion of the platform. Returns false if there is none.
 *
 * due_us  output: when to poll again
 * medium  output: the medium whose reads are back; NULL: none */
bool spn__device_poll(struct io *io, uint64_t *due_us,
                      struct io_medium **medium);

/* Next stage of read number i of a command that is back; to be called for all,
 * in ascending order. */
enum read_stage spn__device_step(struct io *io, struct io_medium *medium,
                                 uint32_t i);

/* Cancel the command of a medium if all of its reads were aborted. */
void spn__device_cancel_unwanted(struct io *io, struct io_medium *medium);

#endif
