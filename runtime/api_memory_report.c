/* api_memory_report.c - the bytes of each table in the block of a runtime,
 * counted by the code that carves the tables. */
/* SPDX-License-Identifier: MIT */
#include "runtime.h"

static uint32_t count_of(const spn_config *c, uint32_t table)
{
    switch (table) {
    case SPN_MEMORY_JOBS:
        return c->job_count;
    case SPN_MEMORY_WORKERS:
        return c->worker_count == SPN_NO_WORKERS ? 1 : c->worker_count + 1;
    case SPN_MEMORY_TRACE:
        return c->trace_count;
    case SPN_MEMORY_READS:
        return c->read_count;
    case SPN_MEMORY_FILES:
        return c->file_count;
    case SPN_MEMORY_MEDIA:
        return SPN_MEDIUM_COUNT;
    case SPN_MEMORY_PAKS:
        return c->pak_count;
    case SPN_MEMORY_CACHES:
        return c->cache_count;
    case SPN_MEMORY_NODES:
        return c->node_count;
    default:
        return 0;
    }
}

spn_status spn_memory_get_report(const spn_config *config,
                                 spn_memory_report *out)
{
    static const char *const texts[SPN_MEMORY_TABLE_COUNT][2] = {
#define TEXTS(name, text, by) {text, by},
        SPN_MEMORY_TABLE_MAP(TEXTS)
#undef TEXTS
    };
    uint64_t tally[SPN_MEMORY_TABLE_COUNT] = {0};
    spn_config resolved;
    size_t needed;
    spn_status status =
        out ? spn__runtime_count_memory(config, tally, &needed) : SPN_ERR_ARG;

    if (status == SPN_OK)
        status = spn_config_resolve(config, &resolved);
    if (status != SPN_OK)
        return status;
    for (uint32_t i = 0; i < SPN_MEMORY_TABLE_COUNT; i++)
        out->rows[i] = (spn_memory_row){texts[i][0], texts[i][1], tally[i],
                                        count_of(&resolved, i)};
    out->bytes = needed;
    return SPN_OK;
}
