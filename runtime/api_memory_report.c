/* api_memory_report.c - the bytes of each table in the block of a runtime,
 * counted by the code that carves the tables. */
/* SPDX-License-Identifier: MIT */
#include "runtime.h"

spn_status spn_memory_get_report(const spn_config *config,
                                 spn_memory_report *out)
{
    static const char *const texts[SPN_MEMORY_TABLE_COUNT][2] = {
#define TEXTS(name, text, by) {text, by},
        SPN_MEMORY_TABLE_MAP(TEXTS)
#undef TEXTS
    };
    uint64_t tally[SPN_MEMORY_TABLE_COUNT] = {0};
    uint32_t counts[SPN_MEMORY_TABLE_COUNT] = {0};
    spn_config c;
    size_t needed;
    spn_status status =
        out ? spn__runtime_count_memory(config, tally, &needed) : SPN_ERR_ARG;

    if (status == SPN_OK)
        status = spn_config_resolve(config, &c);
    if (status != SPN_OK)
        return status;
    counts[SPN_MEMORY_JOBS] = c.job_count;
    counts[SPN_MEMORY_WORKERS] =
        1 + (c.worker_count == SPN_NO_WORKERS ? 0 : c.worker_count);
    counts[SPN_MEMORY_TRACE] = c.trace_count;
    counts[SPN_MEMORY_READS] = c.read_count;
    counts[SPN_MEMORY_FILES] = c.file_count;
    counts[SPN_MEMORY_MEDIA] = SPN_MEDIUM_COUNT;
    counts[SPN_MEMORY_PAKS] = c.pak_count;
    counts[SPN_MEMORY_CACHES] = c.cache_count;
    counts[SPN_MEMORY_NODES] = c.node_count;
    counts[SPN_MEMORY_ANIM] = c.anim_count;
    for (uint32_t i = 0; i < SPN_MEMORY_TABLE_COUNT; i++)
        out->rows[i] =
            (spn_memory_row){texts[i][0], texts[i][1], tally[i], counts[i]};
    out->bytes = needed;
    return SPN_OK;
}
