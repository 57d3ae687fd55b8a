/* promise.c - the totals of the shared heap, and blocks of static data. */
/* SPDX-License-Identifier: MIT */
#include "play/promise.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "base/minmax.h"
#include "play/account.h"

void spn__promise_init(struct promises *p, struct heap *heap)
{
    p->heap = heap;
    p->limit_pages = UINT32_MAX;
    spn__keeper_init(&p->keeper);
}

SPN_NOINLINE uint32_t spn__promise_pages(const struct promises *p,
                                         uint64_t bytes)
{
    uint32_t shift = p->heap->page_shift;

    return (uint32_t)((bytes + ((uint64_t)1 << shift) - 1) >> shift);
}

/* More than 1/32 of the heap is not reserved: freeing kept memory costs less
 * than leaving so much unused. spn_cache_heap_needed counts as much. */
uint32_t spn__promise_margin(const struct promises *p)
{
    const struct heap *heap = p->heap;
    uint64_t pages;

    /* Without a promise no allocation has to succeed. */
    if (p->largest_unit_pages <= 1 || p->promised_pages == 0)
        return 0;
    pages =
        ((uint64_t)heap->stats.live_extents + 1) * (p->largest_unit_pages - 1);
    return pages < heap->page_count / 32 ? (uint32_t)pages
                                         : heap->page_count / 32;
}

void spn__promise_begin(struct promises *p)
{
    spn__keeper_begin(&p->keeper);
    p->beyond_pages -= p->unpaid_pages;
    p->unpaid_pages = 0;
}

void spn__promise_hold(struct promises *p, struct account *a, struct kept *k)
{
    spn__kept_hold(&p->keeper, k);
    if (!kept_charge(k, a->index))
        return;
    if (k->kind == KEPT_FRAME)
        a->frame_pages += k->pages;
    else
        a->read_pages += k->pages;
}

void spn__promise_hold_unpaid(struct promises *p, struct kept *k)
{
    if (kept_is_held(&p->keeper, k))
        return;
    spn__kept_hold(&p->keeper, k);
    p->unpaid_pages += k->pages;
    p->beyond_pages += k->pages;
}

void spn__promise_settle(struct promises *p, struct account *a)
{
    const uint32_t owed = account_unused(a->frame_promise, a->frame_pages) +
                          account_unused(a->read_promise, a->read_pages);
    const uint32_t beyond = account_unused(a->frame_pages, a->frame_promise) +
                            account_unused(a->read_pages, a->read_promise);

    p->owed_pages += owed - a->owed_pages;
    p->beyond_pages += beyond - a->beyond_pages;
    a->owed_pages = owed;
    a->beyond_pages = beyond;
}

/* Pages of the reserve of clips that none uses. */
static uint32_t unused_reserve(const struct promises *p)
{
    return account_unused(p->clip_reserve_pages, p->clip_pages);
}

/* The same without the limit, for static data. */
static uint64_t available_in_heap(const struct promises *p, uint32_t kept)
{
    const uint64_t pages =
        (uint64_t)spn__heap_free_pages(p->heap) + (p->keeper.kept_pages - kept);
    const uint32_t unused = unused_reserve(p);

    return pages > unused ? pages - unused : 0;
}

uint64_t spn__promise_available(const struct promises *p, uint32_t kept)
{
    const uint64_t limit = p->limit_pages > kept ? p->limit_pages - kept : 0;

    return min_u64(available_in_heap(p, kept), limit);
}

bool spn__promise_may_take(const struct promises *p, enum promise_kind kind,
                           uint32_t pages, uint32_t owed)
{
    const struct keeper *k = &p->keeper;
    const uint64_t available = kind == PROMISE_BEYOND
                                   ? spn__promise_available(p, k->needed_pages)
                                   : available_in_heap(p, k->held_pages);

    if (kind == PROMISE_WITHIN)
        return true;
    /* Memory of which several cursors have been charged is owed again when one
     * of them goes on. Static data would stay. */
    if (kind == PROMISE_STATIC &&
        (uint64_t)p->static_pages + p->promised_pages + pages >
            p->heap->page_count)
        return false;
    SPN_ASSERT(owed <= p->owed_pages);
    return available >=
           (uint64_t)pages + p->owed_pages - owed + spn__promise_margin(p);
}

void spn__promise_refuse(struct promises *p, uint64_t pages)
{
    p->refused_pages = pages;
    p->refusals++;
}

void spn__promise_reserve(struct promises *p, uint64_t spare)
{
    const uint64_t pages = p->refused_pages + spn__promise_margin(p);
    const bool is_refused = p->refused_pages > 0;

    p->refused_pages = 0;
    p->reserved_pages = 0;
    if (is_refused && (uint64_t)p->static_pages + p->promised_pages + pages <=
                          p->heap->page_count + spare)
        p->reserved_pages = (uint32_t)pages;
}

uint32_t spn__promise_excess(const struct promises *p)
{
    const uint64_t pages =
        (uint64_t)p->static_pages + p->promised_pages + p->reserved_pages;

    return pages > p->heap->page_count ? (uint32_t)(pages - p->heap->page_count)
                                       : 0;
}

bool spn__promise_reclaim(struct promises *p, enum promise_kind kind)
{
    if (!p->reclaim)
        return false;
    return p->reclaim(p, false) ||
           (kind != PROMISE_BEYOND && p->reclaim(p, true));
}

void spn__promise_trim(struct promises *p)
{
    while (p->keeper.kept_pages > p->limit_pages &&
           spn__promise_reclaim(p, PROMISE_WITHIN))
        ;
}

bool spn__promise_respect_limit(struct promises *p, enum promise_kind kind,
                                uint32_t pages)
{
    if (kind == PROMISE_STATIC || p->limit_pages >= p->heap->page_count)
        return true;
    while ((uint64_t)p->keeper.kept_pages + pages > p->limit_pages)
        if (!spn__promise_reclaim(p, kind))
            return false;
    return true;
}

spn_status spn__promise_alloc(struct promises *p, enum promise_kind kind,
                              uint32_t bytes, uint32_t unit_bytes,
                              enum heap_tag tag, heap_handle *out)
{
    spn_status status;

    if (!spn__promise_respect_limit(p, kind, spn__promise_pages(p, bytes)))
        return SPN_NO_MEMORY_NOW;
    do
        status = spn__heap_alloc(p->heap, bytes, unit_bytes, tag, out);
    while (status == SPN_NO_MEMORY_NOW && spn__promise_reclaim(p, kind));
    return status;
}

/* Pages of blocks, paks and the reserve of clips. Static meshes and clips
 * beyond the reserve can go. */
static uint32_t lasting_pages(const struct promises *p)
{
    return p->block_pages - p->mesh_pages -
           account_unused(p->clip_pages, p->clip_reserve_pages);
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
    if (pages > p->heap->page_count - lasting_pages(p))
        return SPN_ERR_MEMORY;
    if (spn__promise_may_take(p, PROMISE_STATIC, pages, 0))
        status = spn__promise_alloc(p, PROMISE_STATIC, (uint32_t)bytes,
                                    unit_bytes, tag, out);
    if (status != SPN_OK) {
        p->refusals++;
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

/* -- clips -- */

/* Change the pages that clips use. */
static void set_clip_pages(struct promises *p, uint32_t pages)
{
    const uint32_t before = p->clip_pages + unused_reserve(p);
    uint32_t after;

    p->clip_pages = pages;
    after = p->clip_pages + unused_reserve(p);
    p->block_pages += after - before;
    p->static_pages += after - before;
}

void spn__promise_reserve_clips(struct promises *p, uint32_t bytes)
{
    p->clip_reserve_pages =
        min_u32(bytes >> p->heap->page_shift, p->heap->page_count / 2);
    p->block_pages += p->clip_reserve_pages;
    p->static_pages += p->clip_reserve_pages;
}

spn_status spn__promise_take_clip(struct promises *p, uint32_t bytes,
                                  uint32_t unit_bytes, heap_handle *out)
{
    const uint32_t pages = spn__promise_pages(p, bytes);
    const uint32_t beyond = account_unused(pages, unused_reserve(p));
    spn_status status;

    SPN_ASSERT(spn__promise_check(p));
    if (beyond > 0 && !spn__promise_may_take(p, PROMISE_STATIC, beyond, 0))
        return SPN_NO_MEMORY_NOW;
    status = spn__promise_alloc(p, PROMISE_STATIC, bytes, unit_bytes,
                                HEAP_TAG_STATIC, out);
    if (status == SPN_OK)
        set_clip_pages(p, p->clip_pages + pages);
    return status;
}

void spn__promise_return_clip(struct promises *p, heap_handle block)
{
    const uint32_t pages =
        spn__promise_pages(p, spn__heap_bytes(p->heap, block));

    SPN_ASSERT(pages <= p->clip_pages);
    (void)spn__heap_free(p->heap, block);
    set_clip_pages(p, p->clip_pages - pages);
}

bool spn__promise_check(const struct promises *p)
{
    const struct keeper *k = &p->keeper;

    const uint64_t available = (uint64_t)spn__heap_free_pages(p->heap) +
                               (k->kept_pages - k->held_pages);

    return p->mesh_pages <= p->block_pages &&
           p->block_pages <= p->static_pages &&
           p->owed_pages <= p->promised_pages &&
           (uint64_t)p->static_pages + p->promised_pages <=
               p->heap->page_count &&
           available + p->beyond_pages >=
               (uint64_t)p->owed_pages + unused_reserve(p) &&
           k->held_pages <= k->needed_pages &&
           k->needed_pages <= k->kept_pages &&
           (uint64_t)p->static_pages + k->kept_pages +
                   spn__heap_free_pages(p->heap) <=
               (uint64_t)p->heap->page_count + unused_reserve(p);
}
