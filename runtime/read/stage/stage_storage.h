/* stage_storage.h - READ_AWAITS_STORAGE: reads whose storage callback, or the
 * heap, said "not now".
 *
 * They are asked again after IO_SIGNAL_STORAGE (spn__io_ask_again). Owner: the
 * io thread; other threads may read how many there are.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_STORAGE_H
#define SPN_READ_STAGE_STORAGE_H

#include "read/request.h"

struct io;

enum read_stage spn__storage_enter(struct io *io, uint32_t index);
void spn__storage_leave(struct io *io);
/* Where each goes that is asked again. */
enum read_stage spn__storage_next(struct io *io, uint32_t index);

#endif
