/* pak_entries.c - list the entries of a mounted pak. */
/* SPDX-License-Identifier: MIT */
#include "read/pak_entries.h"

#include "pak/pak_name.h"
#include "read/engine.h"

spn_status spn__io_find_entry(const struct io *io, spn_pak pak,
                              const char *name, spn_pak_entry *out)
{
    struct pak_mount *mount;
    uint32_t entry = PAK_NONE;

    if (pak) {
        uint32_t bytes = 0;
        spn_status status = spn__paks_hold(&io->paks, pak, &mount);

        if (status != SPN_OK)
            return status;
        while (bytes < PAK_NAME_BYTES_MAX && name[bytes] != 0)
            bytes++;
        entry = spn__pak_find(&mount->index, name, bytes);
    } else {
        mount = spn__paks_lookup(&io->paks, name, &entry);
        if (!mount)
            return SPN_ERR_NOT_FOUND;
    }
    if (entry != PAK_NONE)
        *out = (spn_pak_entry){spn__paks_handle(&io->paks, mount), entry};
    spn__paks_unhold(mount);
    return entry != PAK_NONE ? SPN_OK : SPN_ERR_NOT_FOUND;
}

spn_status spn__io_get_entry(const struct io *io, spn_pak_entry entry,
                             spn_pak_entry_info *out)
{
    struct pak_mount *mount;
    spn_status status = spn__paks_hold(&io->paks, entry.pak, &mount);

    if (status != SPN_OK)
        return status;
    if (entry.index < mount->index.header.entry_count) {
        uint32_t content = spn__pak_entry(&mount->index, entry.index).content;
        struct pak_content c = spn__pak_content(&mount->index, content);

        *out = (spn_pak_entry_info){c.bytes, c.stored_bytes, c.copy_count,
                                    c.codec};
    } else {
        status = SPN_ERR_ARG;
    }
    spn__paks_unhold(mount);
    return status;
}

spn_status spn__io_count_entries(const struct io *io, spn_pak pak,
                                 uint32_t *out)
{
    struct pak_mount *mount;
    spn_status status = spn__paks_hold(&io->paks, pak, &mount);

    if (status != SPN_OK)
        return status;
    *out = mount->index.header.entry_count;
    spn__paks_unhold(mount);
    return SPN_OK;
}
