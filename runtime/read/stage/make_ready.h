/* make_ready.h - what a read in a queue needs before it goes to the device.
 *
 * Both choices of READ_WAITING use it: by sort key (stage_waiting.h) and by the
 * deadline scheduler (deadline_choice.h). Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_MAKE_READY_H
#define SPN_READ_STAGE_MAKE_READY_H

#include "read/request.h"

struct io;

/* Prepare a chosen read: check its range against the file, find memory and, if
 * it is compressed, a slot. Returns READ_AT_DEVICE, or the stage in which it
 * waits or ends. */
enum read_stage spn__make_ready(struct io *io, uint32_t index);

#endif
