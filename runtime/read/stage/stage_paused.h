/* stage_paused.h - READ_PAUSED: reads whose task type is paused.
 *
 * A paused read gives back what others can use: memory of the budget that it
 * has not filled yet, and the memory of a pak. Its place among equal keys
 * stays. A read at the device is paused when its piece is back. Owner: the io
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_PAUSED_H
#define SPN_READ_STAGE_PAUSED_H

#include "read/request.h"

struct io;

enum read_stage spn__paused_enter(struct io *io, uint32_t index);
/* Where a read goes after types were paused or resumed: its own stage where
 * nothing changes for it. It waits: it is not at a device, and has not ended.
 */
enum read_stage spn__paused_next(struct io *io, uint32_t index);

#endif
