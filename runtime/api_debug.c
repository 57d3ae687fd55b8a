/* api_debug.c - the functions of spindle/debug.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_debug.h"
#include "base/carve.h"
#include "base/mem.h"
#include "debug/debug_heap.h"
#include "debug/debug_nodes.h"
#include "debug/debug_text.h"
#include "runtime.h"

#include <spindle/features.h>

#if SPN_WITH_OBSERVERS

/* Of the arrays; the memory of the caller may have any. */
#define ALIGN 64u

/* Without zeros: all elements are written. */
#define CARVE(carve, type, count)                                              \
    ((type *)spn__carve_raw((carve), (count), sizeof(type), ALIGN))

struct arrays {
    spn_debug_extent *extents;
    spn_debug_cache *caches;
    spn_debug_node *nodes;
    spn_debug_read *reads;
};

/* Set the counts, and take the arrays from `carve` or only count them. */
static void carve_arrays(const struct manager *m, struct carve *carve,
                         spn_debug *shot, struct arrays *arrays)
{
    shot->extent_count = spn__debug_extent_count(m);
    shot->cache_count = spn__debug_caches(m, NULL);
    shot->node_count = spn__debug_nodes(m, NULL);
    shot->read_count = spn__debug_reads(m, NULL);
    arrays->nodes = CARVE(carve, spn_debug_node, shot->node_count);
    arrays->caches = CARVE(carve, spn_debug_cache, shot->cache_count);
    arrays->reads = CARVE(carve, spn_debug_read, shot->read_count);
    arrays->extents = CARVE(carve, spn_debug_extent, shot->extent_count);
}

uint64_t spn_debug_bytes_needed(const spn_runtime *rt)
{
    struct carve carve = {.limit = SIZE_MAX};
    struct arrays arrays;
    spn_debug counted;

    if (!has_runtime(rt))
        return 0;
    carve_arrays(&rt->manager, &carve, &counted, &arrays);
    return (uint64_t)carve.used + ALIGN - 1;
}

static void copy_tuning(const struct spn_runtime *rt, spn_debug *out)
{
    const struct tuning *tuning = rt->tuning;

    out->level = tuning->value[TUNING_debug];
    out->with_reads = tuning->value[TUNING_debug_reads];
    out->is_off = tuning->value[TUNING_geometry] == 0;
    memcpy(out->filter, tuning->text[TUNING_debug_filter - TUNING_NUMBERS],
           sizeof out->filter);
}

spn_status spn_debug_snapshot(const spn_runtime *rt, void *memory,
                              uint64_t bytes, spn_debug *out)
{
    const struct manager *m;
    struct arrays arrays;
    struct carve carve;
    size_t skip;

    if (!has_runtime(rt) || !memory || !out)
        return SPN_ERR_ARG;
    m = &rt->manager;
    skip = (ALIGN - (uintptr_t)memory % ALIGN) % ALIGN;
    if (bytes < spn_debug_bytes_needed(rt))
        return SPN_ERR_MEMORY;
    carve = (struct carve){.base = (uint8_t *)memory + skip,
                           .limit = (size_t)(bytes - skip)};
    memset(out, 0, sizeof *out);
    carve_arrays(m, &carve, out, &arrays);
    SPN_ASSERT(!carve.is_over);
    out->now_us = m->now_us;
    out->update = m->promises.keeper.stamp;
    copy_tuning(rt, out);
    (void)spn__debug_caches(m, arrays.caches);
    (void)spn__debug_nodes(m, arrays.nodes);
    (void)spn__debug_reads(m, arrays.reads);
    spn__debug_extents(m, arrays.extents, out->extent_count);
    if (SPN_WITH_ANIM) {
        spn__anim_debug_extents(rt->anim, arrays.extents, out->extent_count);
        spn__anim_debug(rt->anim, &out->anim);
    }
    spn__debug_heap(m, arrays.extents, out->extent_count, &out->heap);
    spn__debug_totals(arrays.nodes, out->node_count, &out->totals);
    spn__debug_media(m, out->media);
    out->extents = arrays.extents;
    out->caches = arrays.caches;
    out->nodes = arrays.nodes;
    out->reads = arrays.reads;
    return SPN_OK;
}

uint64_t spn_debug_text(const spn_debug *snapshot, const char *filter,
                        char *text, uint64_t bytes)
{
    if (!snapshot || (!text && bytes > 0))
        return 0;
    return spn__debug_text(snapshot, filter, text, bytes);
}

#endif
