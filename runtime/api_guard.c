/* api_guard.c - the functions of spindle/guard.h, by the stream engine. */
/* SPDX-License-Identifier: MIT */
#include "read/engine.h"
#include "runtime.h"

#include <spindle/features.h>

#if SPN_WITH_OBSERVERS

#define NO_ROLE 0x80000000u

spn_status spn_guard_thread(spn_runtime *rt, uint32_t roles)
{
    if (!has_runtime(rt) || (roles & NO_ROLE))
        return SPN_ERR_ARG;
    return spn__guard_mark(&rt->io->guard, roles);
}

spn_status spn_guard_medium(spn_runtime *rt, spn_medium medium, uint32_t roles)
{
    if (!has_runtime(rt) || (uint32_t)medium >= SPN_MEDIUM_COUNT ||
        (roles & NO_ROLE))
        return SPN_ERR_ARG;
    spn__guard_set_medium(&rt->io->guard, medium, roles);
    return SPN_OK;
}

spn_status spn_guard_file(spn_runtime *rt, spn_file file, uint32_t roles)
{
    if (!has_runtime(rt) || ((roles & NO_ROLE) && roles != SPN_GUARD_AS_MEDIUM))
        return SPN_ERR_ARG;
    return spn__files_guard(&rt->io->files, file, roles);
}

spn_status spn_guard_get_last(const spn_runtime *rt, spn_invalid_wait *out)
{
    if (!has_runtime(rt) || !out)
        return SPN_ERR_ARG;
    return spn__guard_last(&rt->io->guard, out);
}

#endif
