/* stage_paused.c - reads whose task type is paused. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_paused.h"

#include "read/engine.h"
#include "read/pak_read.h"
#include "read/stage/storage.h"

enum read_stage spn__paused_enter(struct io *io, uint32_t index)
{
    if (io_is_of_pak(io, index))
        spn__pak_leave_memory(&io->requests[index]);
    spn__storage_return_budget(io, index);
    spn__read_list_add(io, &io->paused, index);
    return READ_PAUSED;
}

enum read_stage spn__paused_next(struct io *io, uint32_t index)
{
    enum read_stage stage = io->requests[index].stage;

    if (io_is_paused(io, index))
        return READ_PAUSED;
    return stage == READ_PAUSED ? READ_OPENING : stage;
}
