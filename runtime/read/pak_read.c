/* pak_read.c - translate reads of a pak's entry to reads of the pak's file. */
/* SPDX-License-Identifier: MIT */
#include "read/pak_read.h"

#include "base/assert.h"
#include "base/block_codec.h"
#include "read/engine.h"
#include "read/io_deadline.h"

/* -- any thread -- */

static void refuse_codec(struct io_pak_read *pak)
{
    uint32_t codec = pak->range.content.codec;

    pak->refusal = SPN_ERR_NO_CODEC;
    pak->fault = (spn_fault){.what = spn__block_codec_title(codec),
                             .value = codec,
                             .status = SPN_ERR_NO_CODEC,
                             .file = pak->mount->path};
}

void spn__pak_aim(struct io *io, struct io_request *request,
                  struct pak_mount *mount, uint32_t entry)
{
    struct io_pak_read *pak = &request->pak;
    uint32_t content = spn__pak_entry(&mount->index, entry).content;

    pak->mount = mount;
    pak->entry = entry;
    pak->refusal =
        spn__pak_range(&mount->index, content, request->offset, request->bytes,
                       request->buffer_bytes, &pak->range);
    if (pak->refusal == SPN_OK && pak->range.is_packed &&
        !spn__unpack_codec(&io->unpack, pak->range.content.codec))
        refuse_codec(pak);
    pak->slot = IO_NONE;
    pak->bad_block = IO_NONE;
    pak->next_block = pak->range.first_block;
    request->file = mount->file_index;
    spn__files_hold_again(&io->files, request->file);
    request->is_resolved = true;
    if (pak->refusal != SPN_OK) {
        request->offset = 0;
        request->bytes = 0;
        return;
    }
    request->bytes = pak->range.stored_bytes;
    request->offset = spn__pak_nearest(&mount->index, &pak->range, 0, 0, NULL);
}

/* -- io thread -- */

bool spn__pak_choose_copy(struct io *io, uint32_t index, uint64_t head)
{
    struct io_request *request = &io->requests[index];
    struct io_pak_read *pak = &request->pak;
    const struct io_medium *medium = &io->media[request->medium];
    uint64_t before = request->offset;

    request->offset = spn__pak_nearest(
        &pak->mount->index, &pak->range,
        spn__files_position(&io->files, request->file, 0), head,
        io_drive_of(medium) ? &medium->drive->forecast : NULL);
    return request->offset != before;
}

/* Report to the caller's thread that no read and no slot uses the memory of the
 * load, so that it may be freed. */
static void end_serving(struct pak_mount *mount)
{
    if (mount->is_in_memory || mount->memory_users > 0 ||
        atomic_load_relaxed(&mount->serving) != PAK_SERVING_ENDS)
        return;
    /* Pairs with the load in advance_load. */
    atomic_store_release(&mount->serving, PAK_SERVED_FROM_DISC);
}

void spn__pak_use_memory(struct pak_mount *mount)
{
    mount->memory_users++;
}

void spn__pak_end_use(struct pak_mount *mount)
{
    SPN_ASSERT(mount->memory_users > 0);
    mount->memory_users--;
    end_serving(mount);
}

void spn__pak_leave_memory(struct io_request *request)
{
    if (!request->pak.is_in_memory)
        return;
    SPN_ASSERT(request->pak.mount != NULL);
    request->pak.is_in_memory = false;
    spn__pak_end_use(request->pak.mount);
}

bool spn__pak_find_memory(struct io_request *request)
{
    struct io_pak_read *pak = &request->pak;
    bool is_in_memory = pak->mount && pak->mount->is_in_memory;

    if (is_in_memory && !pak->is_in_memory) {
        pak->is_in_memory = true;
        spn__pak_use_memory(pak->mount);
    } else if (!is_in_memory) {
        spn__pak_leave_memory(request);
    }
    return is_in_memory;
}

enum read_stage spn__pak_next(struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];

    if (!request->pak.mount ||
        request->pak.is_in_memory == request->pak.mount->is_in_memory)
        return request->stage;
    return READ_OPENING;
}

void spn__pak_begin_serving(struct io *io)
{
    for (uint32_t i = 0; i < io->paks.count; i++) {
        struct pak_mount *mount = &io->paks.mounts[i];
        /* Pairs with the stores in pak_mount.c. */
        uint32_t serving = atomic_load_acquire(&mount->serving);

        if (serving == PAK_SERVED_FROM_MEMORY)
            mount->is_in_memory = true;
        else if (serving == PAK_SERVING_ENDS)
            mount->is_in_memory = false;
    }
}

void spn__pak_end_serving(struct io *io)
{
    for (uint32_t i = 0; i < io->paks.count; i++)
        if (atomic_load_acquire(&io->paks.mounts[i].serving) ==
            PAK_SERVING_ENDS)
            end_serving(&io->paks.mounts[i]);
}
