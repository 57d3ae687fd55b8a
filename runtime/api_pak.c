/* api_pak.c - spindle/pak.h over the stream engine. */
/* SPDX-License-Identifier: MIT */
#include "runtime.h"

spn_status spn_pak_mount(spn_runtime *rt, const char *path, spn_pak *out)
{
    return rt ? spn__pak_mount(rt->io, path, out) : SPN_ERR_ARG;
}

spn_status spn_pak_unmount(spn_runtime *rt, spn_pak pak)
{
    return rt ? spn__pak_unmount(rt->io, pak) : SPN_ERR_ARG;
}

spn_status spn_pak_get_status(const spn_runtime *rt, spn_pak pak,
                              spn_fault *fault)
{
    return rt ? spn__pak_status(rt->io, pak, fault) : SPN_ERR_ARG;
}

spn_status spn_pak_load(spn_runtime *rt, spn_pak pak, spn_priority priority)
{
    return rt ? spn__pak_load(rt->io, pak, priority) : SPN_ERR_ARG;
}

spn_status spn_pak_unload(spn_runtime *rt, spn_pak pak)
{
    return rt ? spn__pak_unload(rt->io, pak) : SPN_ERR_ARG;
}

spn_status spn_pak_get_load_status(const spn_runtime *rt, spn_pak pak)
{
    return rt ? spn__pak_load_status(rt->io, pak) : SPN_ERR_ARG;
}

spn_status spn_pak_find(const spn_runtime *rt, spn_pak pak, const char *name,
                        spn_pak_entry *out)
{
    if (!rt || !name || !out)
        return SPN_ERR_ARG;
    return spn__io_find_entry(rt->io, pak, name, out);
}

spn_status spn_pak_get_entry(const spn_runtime *rt, spn_pak_entry entry,
                             spn_pak_entry_info *out)
{
    if (!rt || !out)
        return SPN_ERR_ARG;
    return spn__io_get_entry(rt->io, entry, out);
}

spn_status spn_pak_get_entry_count(const spn_runtime *rt, spn_pak pak,
                                   uint32_t *out)
{
    if (!rt || !out)
        return SPN_ERR_ARG;
    return spn__io_count_entries(rt->io, pak, out);
}
