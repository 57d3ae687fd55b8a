/* api_memory.c - the functions of spindle/memory.h, by the fixed heap. */
/* SPDX-License-Identifier: MIT */
#include "base/heap_check.h"
#include "base/heap_view.h"
#include "runtime.h"

spn_status spn_block_alloc(spn_runtime *rt, uint64_t bytes, uint32_t unit_bytes,
                           spn_block *out)
{
    return has_runtime(rt) && out && bytes > 0
               ? spn__promise_take_block(&rt->manager.promises, bytes,
                                         unit_bytes, HEAP_TAG_USER, out)
               : SPN_ERR_ARG;
}

static bool is_callers(const spn_runtime *rt, spn_block block)
{
    return has_runtime(rt) &&
           spn__heap_is_tagged(&rt->heap, block, HEAP_TAG_USER);
}

spn_status spn_block_free(spn_runtime *rt, spn_block block)
{
    if (!is_callers(rt, block))
        return has_runtime(rt) ? SPN_ERR_HANDLE : SPN_ERR_ARG;
    spn__promise_return_block(&rt->manager.promises, block);
    return SPN_OK;
}

uint32_t spn_block_get_extents(const spn_runtime *rt, spn_block block,
                               spn_extent *extents, uint32_t capacity)
{
    struct heap_walk walk;

    if (!is_callers(rt, block))
        return 0;
    spn__heap_walk_begin(&rt->heap, block, &walk);
    for (uint32_t i = 0; i < capacity; i++) {
        extents[i].data = spn__heap_walk_next(&walk, &extents[i].bytes);
        if (!extents[i].data)
            break;
    }
    return spn__heap_extent_count(&rt->heap, block);
}

void spn_heap_get_stats(const spn_runtime *rt, spn_heap_stats *out)
{
    struct heap_stats stats;

    if (!has_runtime(rt) || !out)
        return;
    spn__heap_get_stats(&rt->heap, &stats);
    *out = (spn_heap_stats){
        .bytes = (uint64_t)stats.page_count * stats.page_bytes,
        .free_bytes = (uint64_t)stats.free_pages * stats.page_bytes,
        .live_bytes = stats.live_bytes,
        .live_bytes_peak = stats.live_bytes_peak,
        .used_bytes_peak = (uint64_t)stats.used_pages_peak * stats.page_bytes,
        .compressed_bytes = stats.tag_bytes[HEAP_TAG_READ],
        .decoded_bytes = stats.tag_bytes[HEAP_TAG_DECODED],
        .static_bytes = stats.tag_bytes[HEAP_TAG_STATIC],
        .block_bytes = stats.tag_bytes[HEAP_TAG_USER],
        .failed_no_memory = stats.failed_no_memory,
        .failed_fragmented = stats.failed_fragmented,
        .failed_no_record = stats.failed_no_record,
    };
}
