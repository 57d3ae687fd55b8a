/* cursor_promise.c - choose the promise of a cursor. */
/* SPDX-License-Identifier: MIT */
#include "play/cursor_promise.h"

#include "base/assert.h"

struct share {
    uint32_t frame_pages;
    uint32_t read_pages;
};

/* The table of frames is searched only when the decode-ahead time changes. */
static uint32_t full_frames(struct cache *c, uint32_t ahead_us)
{
    if (c->full_ahead_us != ahead_us) {
        c->full_ahead_us = ahead_us;
        c->full_frames = spn__cache_frames_full(c, ahead_us);
    }
    return c->full_frames;
}

/* No overflow: validate_size of cursor_life.c has checked the least share, and
 * the full one has at most as many frames as fit the heap. */
static struct share full_share(const struct cursor *s)
{
    struct cache *c = s->cache;
    const uint32_t ahead_us =
        s->manager->config.tuning->value[TUNING_decode_ahead_ms] * 1000;
    const uint32_t most =
        s->manager->config.heap->page_count / c->plan.frame_pages + 1;
    uint32_t frames = full_frames(c, ahead_us);

    if (frames > most)
        frames = most;
    return (struct share){frames * c->plan.frame_pages,
                          spn__cache_reads_full(c)};
}

static struct share least_share(const struct cursor *s)
{
    const struct cache *c = s->cache;

    return (struct share){spn__cache_frames_least(c) * c->plan.frame_pages,
                          c->read_pages_max};
}

/* True if so many more pages can be owed now. Memory that jobs or the device
 * use beyond a promise, or that a promise covered which was reduced, becomes
 * free by itself; until then it is not promised. */
static bool can_owe(const struct promises *p, uint64_t pages)
{
    return spn__promise_available(p, p->keeper.held_pages) >=
           p->owed_pages + pages;
}

/* Replace the promise. False if it does not fit beside all others; the old one
 * is kept then. */
static bool promise(struct cursor *s, struct share share)
{
    struct promises *p = &s->manager->promises;
    struct account *a = &s->account;
    const uint64_t had = (uint64_t)a->frame_promise + a->read_promise;
    const uint64_t wanted = (uint64_t)share.frame_pages + share.read_pages;

    if (wanted > had && (p->static_pages + p->reserved_pages +
                                 p->promised_pages - had + wanted >
                             p->heap->page_count ||
                         p->promised_pages - had + wanted > p->limit_pages ||
                         !can_owe(p, wanted - had)))
        return false;
    a->frame_promise = share.frame_pages;
    a->read_promise = share.read_pages;
    p->promised_pages = (uint32_t)(p->promised_pages + wanted - had);
    if (s->cache->plan.unit_pages_max > p->largest_unit_pages)
        p->largest_unit_pages = s->cache->plan.unit_pages_max;
    return true;
}

static void drop(struct cursor *s)
{
    struct account *a = &s->account;

    s->manager->promises.promised_pages -= a->frame_promise + a->read_promise;
    a->frame_promise = 0;
    a->read_promise = 0;
}

/* The full promise if it fits; otherwise the one that it has; otherwise the
 * least one. A cursor that does not play has none, and a second position has
 * none while others have less than the full one. */
static void choose(struct cursor *s)
{
    struct account *a = &s->account;
    struct share full;

    if (!s->is_active || !cursor_is_admitted(s) ||
        (s->is_second && s->manager->is_short)) {
        drop(s);
        return;
    }
    if (s->is_draining)
        return;
    full = full_share(s);
    if (a->frame_promise == full.frame_pages &&
        a->read_promise == full.read_pages)
        return;
    if (promise(s, full))
        return;
    if (!s->is_second)
        s->manager->is_short = true;
    if (a->frame_promise == 0)
        (void)promise(s, least_share(s));
}

void spn__cursor_update_promise(struct cursor *s)
{
    struct promises *p = &s->manager->promises;

    spn__promise_settle(p, &s->account);
    choose(s);
    spn__promise_settle(p, &s->account);
}

uint32_t spn__cursor_spare_promise(const struct cursor *s)
{
    const struct account *a = &s->account;
    struct share least;

    if (!s->is_active || a->frame_promise == 0)
        return 0;
    least = least_share(s);
    return account_unused(a->frame_promise + a->read_promise,
                          least.frame_pages + least.read_pages);
}

void spn__cursor_yield_promise(struct cursor *s)
{
    (void)promise(s, least_share(s));
    spn__promise_settle(&s->manager->promises, &s->account);
}

void spn__cursor_drop_promise(struct cursor *s)
{
    drop(s);
    spn__promise_settle(&s->manager->promises, &s->account);
}

bool spn__cursor_awaits_memory(const struct cursor *s, struct cursor_need *need)
{
    const struct promises *p = &s->manager->promises;
    struct share least;
    uint64_t pages;

    if (!cursor_is_playing(s) || s->account.frame_promise > 0 ||
        !cursor_is_admitted(s))
        return false;
    least = least_share(s);
    pages = (uint64_t)p->promised_pages + least.frame_pages + least.read_pages;
    *need = (struct cursor_need){.pages = pages + p->static_pages,
                                 .pages_max = p->heap->page_count};
    if (pages > p->limit_pages &&
        (uint64_t)p->limit_pages + p->static_pages < p->heap->page_count)
        *need =
            (struct cursor_need){.pages = pages, .pages_max = p->limit_pages};
    return true;
}
