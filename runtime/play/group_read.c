/* group_read.c - start, continue, complete, abort and free reads of groups. */
/* SPDX-License-Identifier: MIT */
#include "play/group_read.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "base/mem.h"
#include "play/arrival.h"
#include "play/cache.h"
#include "play/frame_slot.h"
#include "play/group_table.h"
#include "play/play_trace.h"

void spn__group_reads_init(struct group_reads *reads, struct carve *carve,
                           uint32_t capacity)
{
    struct group_read *table = SPN_CARVE(carve, struct group_read, capacity);

    if (!reads || !table)
        return;
    *reads = (struct group_reads){.table = table, .capacity = capacity};
    for (uint32_t i = capacity; i-- > 0;) {
        table[i].next = reads->free;
        reads->free = &table[i];
    }
}

static struct manager *manager_of(const struct group_read *r)
{
    return r->cache->manager;
}

/* The record is free again. It is in neither list. */
static void recycle(struct manager *m, struct group_read *r)
{
    memset(r, 0, sizeof *r);
    r->next = m->group_reads.free;
    m->group_reads.free = r;
}

static void free_block(struct group_read *r)
{
    struct manager *m = manager_of(r);

    spn__kept_remove(&m->promises.keeper, &r->kept);
    (void)spn__heap_free(m->config.heap, r->block);
    recycle(m, r);
}

void spn__group_read_free(struct group_read *r)
{
    SPN_ASSERT(r->state == READ_DONE);
    SPN_ASSERT(r->pins == 0);
    spn__group_table_leave(r);
    free_block(r);
}

/* -- pending reads -- */

static void add_pending(struct group_reads *reads, struct group_read *r)
{
    r->next = reads->pending;
    reads->pending = r;
}

static void remove_pending(struct group_reads *reads,
                           const struct group_read *r)
{
    struct group_read **link = &reads->pending;

    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
}

static void end_pending(struct group_read *r)
{
    remove_pending(&manager_of(r)->group_reads, r);
    r->owner->pending_count--;
    r->owner = NULL;
}

/* -- completions -- */

/* Call `visit` for each frame whose bytes the read is to bring, in any order.
 */
static void visit_frames(struct group_read *r,
                         void (*visit)(struct group_read *r, uint32_t number,
                                       uint64_t at, void *user),
                         void *user)
{
    const struct cache *c = r->cache;

    for (uint32_t g = r->first_group; g <= r->last_group; g++) {
        const struct cache_group *info = cache_group_at(c, g);

        for (uint32_t i = 0; i < info->frame_count; i++) {
            const uint32_t n = info->first_frame + i;

            if (spn__group_table_read(c, n) == r)
                visit(r, n, cache_frame_at(c, n)->offset - r->offset, user);
        }
    }
}

/* Where a read went wrong: bytes [bad, resume) of the buffer are lost. */
struct read_gap {
    uint64_t bad;
    uint64_t behind; /* the page behind the bad one */
    uint64_t resume; /* the first frame that begins there; UINT64_MAX: none */
    spn_status status;
};

static void find_resume(struct group_read *r, uint32_t number, uint64_t at,
                        void *user)
{
    struct read_gap *gap = user;

    (void)r;
    (void)number;
    if (at >= gap->behind && at < gap->resume)
        gap->resume = at;
}

static void lose_frame(struct group_read *r, uint32_t number, uint64_t at,
                       void *user)
{
    const struct read_gap *gap = user;
    const struct cache_frame *frame = cache_frame_at(r->cache, number);
    const struct frame_slot *slot = frame_slot_at(r->cache, number);
    const spn_fault fault = cache_unread_fault(frame, gap->status);

    if (at + frame->bytes <= gap->bad || at >= gap->resume)
        return;
    if (slot->state == FRAME_EMPTY)
        spn__frame_slot_fail(r->cache, number, FRAME_FAULT, &fault);
    else if (slot->state == FRAME_FAILED)
        spn__frame_slot_renew(r->cache, number, gap->status);
    else if (slot->state == FRAME_RUNNING && slot->frame->read == r)
        slot->frame->unread = gap->status;
    else
        spn__frame_slot_note_unread(r->cache, number, gap->status);
}

/* True for failures of one place of the file: what lies behind it may be good.
 */
static bool is_of_a_place(spn_status status)
{
    return status == SPN_ERR_IO || status == SPN_ERR_CHECKSUM ||
           status == SPN_ERR_CODEC;
}

/* Mark the frames that are lost. Returns where in the buffer to go on; 0: the
 * read has ended. */
static uint32_t skip_gap(struct group_read *r, const struct io_result *result)
{
    struct read_gap gap = {.bad = (uint64_t)r->start + result->bytes,
                           .resume = UINT64_MAX,
                           .status = result->status};

    gap.behind = gap.bad - gap.bad % GROUP_READ_ALIGN + GROUP_READ_ALIGN;
    if (is_of_a_place(result->status))
        visit_frames(r, find_resume, &gap);
    spn__arrival_take(r);
    visit_frames(r, lose_frame, &gap);
    spn__arrival_give_up(r);
    return gap.resume < r->bytes
               ? (uint32_t)(gap.resume - gap.resume % GROUP_READ_ALIGN)
               : 0;
}

static void on_read(void *context, uint32_t argument,
                    const struct io_result *result)
{
    struct group_read *r = context;
    struct manager *m = manager_of(r);
    struct manager_pending *pending = &m->pending[r->medium];

    (void)argument;
    spn__play_trace(m, TRACE_READ_END, r->cache->handle,
                    (uint32_t)(r->offset / GROUP_READ_ALIGN),
                    (uint32_t)result->status);
    r->read = 0;
    pending->reads--;
    pending->bytes -= r->bytes - r->start;
    r->owner->bytes_read += result->bytes;
    if (r->state == READ_DYING) {
        end_pending(r);
        free_block(r);
        return;
    }
    if (result->status != SPN_OK) {
        uint32_t resume = skip_gap(r, result);

        if (resume != 0) {
            r->start = resume;
            r->state = READ_RETRY;
            spn__arrival_resume(r);
            return;
        }
    }
    end_pending(r);
    r->state = READ_DONE;
    spn__arrival_end(r);
    spn__kept_list(&m->promises.keeper, &r->kept);
}

/* -- start and abort -- */

static spn_status start(struct group_read *r, spn_priority priority,
                        uint64_t deadline_us)
{
    struct manager *m = manager_of(r);
    const struct io_read read = {.file = r->cache->file,
                                 .offset = r->offset + r->start,
                                 .bytes = r->bytes - r->start,
                                 .block = r->block,
                                 .block_offset = r->start,
                                 .is_doubtful = r->start > 0,
                                 .priority = priority,
                                 .task = SPN_TASK_GEOM_CACHE,
                                 .deadline_us = deadline_us,
                                 .on_done = on_read,
                                 .on_arrival = spn__arrival_come,
                                 .context = r};
    const spn_status status = spn__io_start(m->config.io, &read, &r->read);

    if (status != SPN_OK)
        return status;
    r->state = READ_PENDING;
    r->medium = (uint8_t)r->cache->medium;
    m->pending[r->medium].reads++;
    m->pending[r->medium].bytes += r->bytes - r->start;
    spn__play_trace(m, TRACE_READ_START, r->cache->handle,
                    (uint32_t)(r->offset / GROUP_READ_ALIGN), r->bytes);
    return SPN_OK;
}

/* The idle buffer that was needed least recently; NULL: none. */
static struct group_read *oldest_idle(const struct manager *m)
{
    const struct keeper *keeper = &m->promises.keeper;
    const struct group_reads *reads = &m->group_reads;
    struct group_read *oldest = NULL;

    for (uint32_t i = 0; i < reads->capacity; i++) {
        struct group_read *r = &reads->table[i];

        if (r->state == READ_DONE && r->pins == 0 &&
            !kept_is_needed(keeper, &r->kept) &&
            (!oldest || (int32_t)(r->kept.stamp - oldest->kept.stamp) < 0))
            oldest = r;
    }
    return oldest;
}

/* A free record, if necessary that of an idle buffer; NULL: none. Decoded
 * frames stay: freeing one gives no record. */
static struct group_read *take_record(struct manager *m)
{
    struct group_reads *reads = &m->group_reads;
    struct group_read *r;

    if (!reads->free) {
        r = oldest_idle(m);
        if (!r)
            return NULL;
        spn__group_read_free(r);
    }
    r = reads->free;
    reads->free = r->next;
    return r;
}

spn_status spn__group_read_start(const struct group_request *request,
                                 struct group_read **out)
{
    struct manager *m = request->cache->manager;
    struct promises *p = &m->promises;
    struct group_read *r = take_record(m);
    spn_status status;

    if (!r)
        return SPN_NO_MEMORY_NOW;
    *r = (struct group_read){.cache = request->cache,
                             .owner = request->account,
                             .offset = request->offset,
                             .bytes = request->bytes,
                             .start_stamp = p->keeper.stamp,
                             .priority = request->priority};
    status = spn__promise_alloc(p, request->kind, request->bytes, 0,
                                HEAP_TAG_READ, &r->block);
    if (status != SPN_OK) {
        recycle(m, r);
        return status;
    }
    spn__kept_add(&p->keeper, &r->kept, KEPT_READ,
                  spn__promise_pages(p, request->bytes));
    status = start(r, request->priority, request->deadline_us);
    if (status != SPN_OK) {
        free_block(r);
        return status;
    }
    request->account->pending_count++;
    add_pending(&m->group_reads, r);
    spn__group_table_enter(r, request->first_group, request->last_group);
    *out = r;
    return SPN_OK;
}

void spn__group_reads_hold(struct manager *m)
{
    for (struct group_read *r = m->group_reads.pending; r; r = r->next)
        spn__promise_hold(&m->promises, r->owner, &r->kept);
}

void spn__group_reads_retry(struct manager *m, uint64_t deadline_us)
{
    for (struct group_read *r = m->group_reads.pending; r; r = r->next)
        if (r->state == READ_RETRY)
            (void)start(r, r->priority, deadline_us);
}

/* Nobody wants it any more. */
static void abort_read(struct group_read *r)
{
    struct manager *m = manager_of(r);

    spn__group_table_leave(r);
    if (r->state == READ_RETRY) {
        end_pending(r);
        free_block(r);
        return;
    }
    /* The device may write into the buffer until the completion. */
    r->state = READ_DYING;
    spn__play_trace(m, TRACE_READ_ABORT, r->cache->handle,
                    (uint32_t)(r->offset / GROUP_READ_ALIGN), r->bytes);
    (void)spn__io_abort(m->config.io, r->read);
}

void spn__group_reads_abort(struct manager *m)
{
    struct group_read *next;

    for (struct group_read *r = m->group_reads.pending; r; r = next) {
        next = r->next;
        if (r->state != READ_DYING &&
            r->wanted_stamp != m->promises.keeper.stamp &&
            spn__arrival_cancel(r))
            abort_read(r);
    }
}

void spn__group_reads_clear(struct cache *c)
{
    struct group_reads *reads = &c->manager->group_reads;

    for (uint32_t i = 0; i < reads->capacity; i++) {
        struct group_read *r = &reads->table[i];

        if (r->cache != c)
            continue;
        if (r->state == READ_DONE)
            spn__group_read_free(r);
        else if (r->state == READ_PENDING || r->state == READ_RETRY)
            abort_read(r);
    }
}

bool spn__group_reads_check(const struct manager *m)
{
    const struct group_reads *reads = &m->group_reads;
    uint32_t pending = 0;
    uint32_t listed = 0;

    for (uint32_t i = 0; i < reads->capacity; i++) {
        const struct group_read *r = &reads->table[i];

        if (r->state == READ_FREE)
            continue;
        if (!spn__heap_is_live(m->config.heap, r->block))
            return false;
        if ((r->state == READ_DONE) != (r->kept.links.next != NULL) ||
            (r->state == READ_DONE) != (r->owner == NULL))
            return false;
        pending += r->state != READ_DONE;
    }
    for (const struct group_read *r = reads->pending; r; r = r->next)
        listed++;
    return listed == pending;
}
