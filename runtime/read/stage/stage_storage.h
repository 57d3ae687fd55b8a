/* stage_storage.h - READ_AWAITS_STORAGE: reads whose storage callback or block
 * of the heap was not available (SPN_NO_MEMORY_NOW).
 *
 * They try again after IO_SIGNAL_STORAGE (spn__io_retry_storage). Thread: the
 * io thread; other threads may read their number.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_STORAGE_H
#define SPN_READ_STAGE_STORAGE_H

#include "read/request.h"

struct io;

enum read_stage spn__storage_enter(struct io *io, uint32_t index);
void spn__storage_leave(struct io *io);
/* Next stage of a read that tries again. */
enum read_stage spn__storage_next(struct io *io, uint32_t index);

#endif
