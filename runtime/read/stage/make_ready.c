/* make_ready.c - check a chosen read; memory and a slot for it. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/make_ready.h"

#include "read/engine.h"
#include "read/io_report.h"
#include "read/stage/storage.h"
#include "read/unpack_reads.h"

/* Check a read against its file, once. */
static spn_status resolve(struct io *io, struct io_request *request)
{
    uint64_t size = spn__files_info(&io->files, request->file)->bytes;

    if (request->pak.refusal != SPN_OK)
        return request->pak.refusal;
    if (request->is_resolved)
        return SPN_OK;
    if (request->offset > size || request->bytes > size - request->offset)
        return SPN_ERR_RANGE;
    if (request->bytes == 0)
        request->bytes = size - request->offset;
    if (request->bytes > request->buffer_bytes)
        return SPN_ERR_RANGE;
    request->is_resolved = true;
    spn__io_note_pending(io, request, request->bytes);
    return SPN_OK;
}

enum read_stage spn__make_ready(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    spn_status status =
        io_is_aborted(io, index) ? SPN_ERR_ABORTED : resolve(io, request);
    enum read_stage next;

    if (status != SPN_OK || request->bytes == 0)
        return read_drain(request, status);
    next = spn__storage_find(io, index);
    if (next == READ_AT_DEVICE && io_is_of_pak(io, index))
        next = spn__unpack_find_slot(io, index);
    return next;
}
