/* stage_paused.h - READ_PAUSED: reads whose task is paused.
 *
 * A paused read returns what other reads can use: memory of the budget that it
 * has not filled yet, and the use of a loaded pak. It keeps its arrival number.
 * A read at the device is paused when its piece has come back. Thread: the io
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_PAUSED_H
#define SPN_READ_STAGE_PAUSED_H

#include "read/request.h"

struct io;

enum read_stage spn__paused_enter(struct io *io, uint32_t index);
/* Next stage of a waiting read after tasks were paused or resumed; its own
 * stage if nothing changes. */
enum read_stage spn__paused_next(struct io *io, uint32_t index);

#endif
