/* api_record.c - the functions of spindle/record.h, by the stream engine. */
/* SPDX-License-Identifier: MIT */
#include "read/engine.h"
#include "runtime.h"

#include <spindle/features.h>

#if SPN_WITH_OBSERVERS

spn_status spn_record_start(spn_runtime *rt, const spn_record_desc *desc)
{
    return has_runtime(rt) ? spn__record_start(&rt->io->record, desc)
                           : SPN_ERR_ARG;
}

spn_status spn_record_get_count(const spn_runtime *rt, uint32_t *count)
{
    return has_runtime(rt) ? spn__record_count(&rt->io->record, count)
                           : SPN_ERR_ARG;
}

spn_status spn_record_stop(spn_runtime *rt, uint32_t *count, uint32_t *lost)
{
    spn_status status;

    if (!has_runtime(rt))
        return SPN_ERR_ARG;
    status = spn__record_stop(&rt->io->record, count, lost);
    if (status == SPN_PENDING)
        io_signal(rt->io, IO_SIGNAL_RECORD);
    return status;
}

#endif
