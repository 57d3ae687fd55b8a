/* pak_check.c - sums over reads, files and slots. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/pak_check.h"

#include "base/heap_view.h"
#include "read/engine.h"

/* The read of a mount with this index; NULL: the request is not used, or its
 * read is not of this mount. */
static const struct io_pak_read *read_of(const struct io *io, uint32_t index,
                                         const struct pak_mount *mount)
{
    const struct io_request *request = &io->requests[index];

    return request->stage != READ_UNUSED && request->pak.mount == mount
               ? &request->pak
               : NULL;
}

/* Every read and every open file of the pak has one hold. */
static bool are_holds_good(const struct io *io, const struct pak_mount *mount)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < io->read_count; i++)
        count += read_of(io, i, mount) != NULL;
    for (uint32_t i = 0; i < io->files.entry_count; i++)
        count += io->files.entries[i].mount == mount;
    return count == spn__paks_hold_count(mount);
}

static bool are_users_good(const struct io *io, const struct pak_mount *mount)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < io->read_count; i++) {
        const struct io_pak_read *read = read_of(io, i, mount);

        count += read && read->is_in_memory;
    }
    for (uint32_t i = 0; i < io->unpack.slot_count; i++) {
        const struct unpack_slot *slot = &io->unpack.slots[i];

        count += slot->users > 0 && slot->pins_pak &&
                 read_of(io, slot->request, mount);
    }
    return count == mount->memory_users;
}

static uint64_t page_bytes(const struct io *io, heap_handle block)
{
    uint64_t mask = ((uint64_t)1 << io->heap->page_shift) - 1;

    return (spn__heap_bytes(io->heap, block) + mask) & ~mask;
}

/* A slot is at the device or with the workers, and a lender may also have only
 * its borrowers left. */
static bool are_slots_good(const struct io *io)
{
    uint32_t wanted = 0;
    uint32_t used = 0;

    for (uint32_t i = 0; i < io->read_count; i++)
        if (io->requests[i].stage != READ_UNUSED && io_is_of_pak(io, i))
            wanted += io->requests[i].pak.slots_out +
                      (io->requests[i].pak.slot != IO_NONE);
    for (uint32_t i = 0; i < io->unpack.slot_count; i++)
        used +=
            io->unpack.slots[i].users - spn__unpack_borrowed(&io->unpack, i);
    return wanted == used && spn__unpack_check(&io->unpack);
}

const char *spn__pak_check(const struct io *io)
{
    const char *what = spn__paks_check(&io->paks);
    uint64_t bytes = 0;

    if (!io_has_paks(io) || what)
        return what;
    for (uint32_t i = 0; i < io->paks.count; i++) {
        const struct pak_mount *mount = &io->paks.mounts[i];

        if (!are_holds_good(io, mount))
            return "the holds of a pak";
        if (!are_users_good(io, mount))
            return "the users of a pak in memory";
        bytes += page_bytes(io, mount->index_block) +
                 page_bytes(io, mount->memory_block);
    }
    if (bytes != io->paks.held_bytes)
        return "the heap bytes of paks";
    return are_slots_good(io) ? NULL : "slots for blocks of paks";
}
