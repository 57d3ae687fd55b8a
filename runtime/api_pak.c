/* api_pak.c - the functions of spindle/pak.h, by the stream engine. */
/* SPDX-License-Identifier: MIT */
#include "play/node/admission.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "runtime.h"

#include <spindle/features.h>

#if SPN_WITH_PAKS

spn_status spn_pak_mount(spn_runtime *rt, const char *path, spn_pak *out)
{
    return has_runtime(rt) ? spn__pak_mount(rt->io, path, out) : SPN_ERR_ARG;
}

spn_status spn_pak_unmount(spn_runtime *rt, spn_pak pak)
{
    return has_runtime(rt) ? spn__pak_unmount(rt->io, pak) : SPN_ERR_ARG;
}

spn_status spn_pak_get_status(const spn_runtime *rt, spn_pak pak,
                              spn_fault *fault)
{
    return has_runtime(rt) ? spn__pak_status(rt->io, pak, fault) : SPN_ERR_ARG;
}

static spn_status load(spn_runtime *rt, spn_pak pak, spn_priority priority)
{
    spn__io_follow_paks(rt->io, spn__admission_update_media, &rt->manager);
    return spn__pak_load(rt->io, pak, priority);
}

spn_status spn_pak_load(spn_runtime *rt, spn_pak pak, spn_priority priority)
{
    return has_runtime(rt) ? load(rt, pak, priority) : SPN_ERR_ARG;
}

spn_status spn_pak_unload(spn_runtime *rt, spn_pak pak)
{
    return has_runtime(rt) ? spn__pak_unload(rt->io, pak) : SPN_ERR_ARG;
}

spn_status spn_pak_get_load_status(const spn_runtime *rt, spn_pak pak)
{
    return has_runtime(rt) ? spn__pak_load_status(rt->io, pak) : SPN_ERR_ARG;
}

/* -- several paks at once -- */

spn_status spn_pak_mount_all(spn_runtime *rt, const char *const *paths,
                             uint32_t count, spn_pak *out)
{
    if (!has_runtime(rt) || !paths || !out || count == 0)
        return SPN_ERR_ARG;
    for (uint32_t i = 0; i < count; i++) {
        spn_status status = spn__pak_mount(rt->io, paths[i], &out[i]);

        if (status == SPN_OK)
            continue;
        while (i-- > 0)
            (void)spn__pak_unmount(rt->io, out[i]);
        return status;
    }
    return SPN_OK;
}

spn_status spn_pak_unmount_all(spn_runtime *rt, const spn_pak *paks,
                               uint32_t count)
{
    spn_status first = SPN_OK;

    if (!has_runtime(rt) || !paks)
        return SPN_ERR_ARG;
    for (uint32_t i = 0; i < count; i++) {
        spn_status status = spn__pak_unmount(rt->io, paks[i]);

        if (first == SPN_OK)
            first = status;
    }
    return first;
}

spn_status spn_pak_load_all(spn_runtime *rt, const spn_pak *paks,
                            uint32_t count, spn_priority priority)
{
    spn_status first = SPN_OK;

    if (!has_runtime(rt) || !paks)
        return SPN_ERR_ARG;
    for (uint32_t i = 0; i < count; i++) {
        spn_status status = load(rt, paks[i], priority);

        if (first == SPN_OK)
            first = status;
    }
    return first;
}

/* SPN_OK if the pak is mounted and, if a load was requested, loaded. */
static spn_status status_of(const spn_runtime *rt, spn_pak pak)
{
    spn_status status = spn__pak_status(rt->io, pak, NULL);

    if (status != SPN_OK)
        return status;
    status = spn__pak_load_status(rt->io, pak);
    return status == SPN_EMPTY ? SPN_OK : status;
}

spn_status spn_pak_get_status_all(const spn_runtime *rt, const spn_pak *paks,
                                  uint32_t count, uint32_t *which)
{
    uint32_t found = 0;
    spn_status worst = SPN_OK;

    if (!has_runtime(rt) || !paks)
        return SPN_ERR_ARG;
    for (uint32_t i = 0; i < count && worst >= SPN_OK; i++) {
        spn_status status = status_of(rt, paks[i]);

        if (status == SPN_OK || (status > SPN_OK && worst != SPN_OK))
            continue;
        worst = status;
        found = i;
    }
    if (worst != SPN_OK && which)
        *which = found;
    return worst;
}

spn_status spn_pak_find(const spn_runtime *rt, spn_pak pak, const char *name,
                        spn_pak_entry *out)
{
    if (!has_runtime(rt) || !name || !out)
        return SPN_ERR_ARG;
    return spn__io_find_entry(rt->io, pak, name, out);
}

spn_status spn_pak_get_entry(const spn_runtime *rt, spn_pak_entry entry,
                             spn_pak_entry_info *out)
{
    if (!has_runtime(rt) || !out)
        return SPN_ERR_ARG;
    return spn__io_get_entry(rt->io, entry, out);
}

spn_status spn_pak_get_entry_count(const spn_runtime *rt, spn_pak pak,
                                   uint32_t *out)
{
    if (!has_runtime(rt) || !out)
        return SPN_ERR_ARG;
    return spn__io_count_entries(rt->io, pak, out);
}

#endif
