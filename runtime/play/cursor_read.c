/* cursor_read.c - start a read when one is due. */
/* SPDX-License-Identifier: MIT */
#include "play/cursor_read.h"

#include "base/assert.h"
#include "base/minmax.h"
#include "play/cursor_place.h"
#include "play/cursor_promise.h"
#include "play/cursor_range.h"
#include "play/drive_share.h"
#include "play/group_read.h"

#define MS 1000
#define SOON_US 500000

/* Time at which the next group must have been read, so that it can be decoded
 * in time. It is at least SOON_US from now, because the scheduler gives up
 * deadlines that cannot be met. */
static uint64_t deadline_us(const struct cursor *s)
{
    const struct manager *m = s->manager;
    int64_t decode_us =
        (int64_t)m->config.tuning->value[TUNING_decode_ahead_ms] * MS;
    int64_t slack_us = s->read_slack_us - decode_us;

    return m->now_us + (uint64_t)(slack_us > SOON_US ? slack_us : SOON_US);
}

/* True if less than buffer_ahead_min_ms is requested ahead; with
 * needs_early_reads and an idle device, if less than buffer_ahead_max_ms is. A
 * degraded cursor reads only while the device is idle and no admitted one needs
 * early reads. */
static bool is_due(const struct cursor *s)
{
    const struct manager *m = s->manager;
    const struct manager_pending *pending = &m->pending[s->cache->medium];
    const uint32_t *value = m->config.tuning->value;
    uint32_t low = value[TUNING_buffer_ahead_min_ms];
    uint32_t high = value[TUNING_buffer_ahead_max_ms];

    /* The user sets them one after the other: low may be above high. */
    if (low > high)
        low = high;
    if (s->admission == SPN_DEGRADED &&
        (pending->needs_early_reads || pending->reads > 0))
        return false;
    if (pending->needs_early_reads && pending->reads == 0)
        low = high;
    return cursor_is_playing(s) && s->account.read_promise > 0 &&
           s->has_admission && s->next_place != CURSOR_NO_POSITION &&
           s->read_slack_us < (int64_t)low * MS;
}

/* Pages of the read promise that the next read may use. After a leap, what is
 * charged while no read is on its way are the buffers of frames that are being
 * decoded. They will be free soon, and the read for which playback waits may
 * exceed the promise by them until then. */
static uint32_t pages_left(const struct cursor *s)
{
    const struct account *a = &s->account;

    return a->pending_count == 0 && cursor_is_awaited(s, s->next_place)
               ? a->read_promise
               : account_unused(a->read_promise, a->read_pages);
}

/* True if a read of so many pages may be started. One beyond the promise leaves
 * twice the margin, unless frames wait for it: if a launch within a promise
 * fails because of fragmentation, it frees such reads, and they are done twice.
 */
static bool may_read(const struct cursor *s, enum promise_kind kind,
                     uint32_t pages)
{
    const struct promises *p = &s->manager->promises;
    const struct account *a = &s->account;
    const uint32_t unused = account_unused(a->read_promise, a->read_pages);

    if (kind == PROMISE_BEYOND && s->read_slack_us > cursor_ahead_us(s))
        pages += spn__promise_margin(p);
    return spn__promise_may_take(p, kind, pages, min_u32(pages, unused));
}

/* Start a read of as many groups as memory allows. NULL: of none. */
static struct group_read *start(struct cursor *s)
{
    struct promises *p = &s->manager->promises;
    struct account *a = &s->account;
    const uint32_t left = pages_left(s);
    struct group_read *r = NULL;

    for (uint32_t n = spn__cursor_range_groups(s); n > 0;
         n = n > 4 ? n / 2 : n - 1) {
        struct cursor_range range;
        struct group_request request;
        enum promise_kind kind;
        uint32_t pages;
        spn_status status;

        spn__cursor_range(s, n, &range);
        pages = spn__promise_pages(p, range.bytes);
        kind = pages <= left ? PROMISE_WITHIN : PROMISE_BEYOND;
        if (range.bytes > GROUP_READ_BYTES_MAX || !may_read(s, kind, pages))
            continue;
        request = (struct group_request){
            .cache = s->cache,
            .account = a,
            .kind = kind,
            .offset = range.offset,
            .bytes = (uint32_t)range.bytes,
            .first_group = range.first_group,
            .last_group = range.last_group,
            .priority =
                s->admission == SPN_DEGRADED ? SPN_PRIORITY_IDLE : s->priority,
            .deadline_us = deadline_us(s)};
        status = spn__group_read_start(&request, &r);
        if (status == SPN_OK)
            return r;
        if (status != SPN_NO_MEMORY_NOW)
            return NULL;
    }
    return NULL;
}

bool spn__cursor_read(struct cursor *s)
{
    struct promises *p = &s->manager->promises;
    struct group_read *r;

    if (!is_due(s))
        return false;
    /* Another cursor may have started that read in this update. */
    spn__cursor_find_place(s, false);
    if (!is_due(s))
        return false;
    r = start(s);
    if (!r)
        return false;
    spn__promise_hold(p, &s->account, &r->kept);
    r->wanted_stamp = p->keeper.stamp;
    s->read_serial = s->manager->next_serial++;
    spn__cursor_find_place(s, false);
    spn__cursor_update_promise(s);
    return true;
}

void spn__cursor_update_share(struct cursor *s)
{
    if (!cursor_is_playing(s))
        return;
    if (s->next_place != CURSOR_NO_POSITION)
        spn__drive_share_request(s);
    else if (!s->is_looping && s->account.pending_count == 0)
        spn__drive_share_finish(s);
}
