/* promise.c - the totals of the shared heap, and blocks of static data. */
/* SPDX-License-Identifier: MIT */
#include "play/promise.h"

#include "base/assert.h"
#include "base/heap_view.h"

void spn__promise_init(struct promises *p, struct heap *heap)
{
    p->heap = heap;
}

SPN_NOINLINE uint32_t spn__promise_pages(const struct promises *p,
                                         uint64_t bytes)
{
    uint32_t shift = p->heap->page_shift;

    return (uint32_t)((bytes + ((uint64_t)1 << shift) - 1) >> shift);
}

/* Pages that fragmentation may make useless. More than an eighth of the heap is
 * not reserved: evicting a stream costs less than leaving so much unused. */
static uint32_t margin(const struct promises *p)
{
    const struct heap *heap = p->heap;
    uint64_t pages;

    /* Without a promise no allocation has to succeed. */
    if (p->largest_unit_pages <= 1 || p->promised_pages == 0)
        return 0;
    pages =
        ((uint64_t)heap->stats.live_extents + 1) * (p->largest_unit_pages - 1);
    return pages < heap->page_count / 8 ? (uint32_t)pages
                                        : heap->page_count / 8;
}

bool spn__promise_may_take(const struct promises *p, uint32_t pages,
                           uint32_t owed)
{
    uint64_t others = p->owed_pages > owed ? p->owed_pages - owed : 0;

    return spn__heap_free_pages(p->heap) >=
           (uint64_t)pages + others + margin(p);
}

void spn__promise_request_eviction(struct promises *p, uint32_t pages)
{
    uint64_t kept = (uint64_t)p->static_pages + p->promised_pages + margin(p);

    if (kept + pages <= p->heap->page_count)
        p->wants_eviction = true;
}

spn_status spn__promise_take_block(void *promises, uint64_t bytes,
                                   uint32_t unit_bytes, enum heap_tag tag,
                                   heap_handle *out)
{
    struct promises *p = promises;
    uint32_t pages;
    spn_status status = SPN_NO_MEMORY_NOW;

    SPN_ASSERT(spn__promise_check(p));
    if (bytes > UINT32_MAX)
        return SPN_ERR_MEMORY;
    pages = spn__promise_pages(p, bytes);
    if (pages > p->heap->page_count - p->block_pages)
        return SPN_ERR_MEMORY;
    if (spn__promise_may_take(p, pages, 0))
        status =
            spn__heap_alloc(p->heap, (uint32_t)bytes, unit_bytes, tag, out);
    if (status != SPN_OK) {
        spn__promise_request_eviction(p, pages);
        return status;
    }
    p->block_pages += pages;
    p->static_pages += pages;
    return SPN_OK;
}

void spn__promise_return_block(void *promises, heap_handle block)
{
    struct promises *p = promises;
    uint32_t pages = spn__promise_pages(p, spn__heap_bytes(p->heap, block));

    SPN_ASSERT(pages <= p->block_pages && spn__promise_check(p));
    (void)spn__heap_free(p->heap, block);
    p->block_pages -= pages;
    p->static_pages -= pages;
}

bool spn__promise_check(const struct promises *p)
{
    return p->block_pages <= p->static_pages &&
           p->owed_pages <= p->promised_pages &&
           (uint64_t)p->static_pages + spn__heap_free_pages(p->heap) <=
               p->heap->page_count;
}
