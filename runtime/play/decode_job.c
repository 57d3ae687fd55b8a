/* decode_job.c - the jobs that decode frames.
 *
 * Each tile of a launched frame has a counter of what it waits for: 1 for its
 * own data and 1 for each running frame for which it waits. The job that
 * decrements the counter to zero decodes the tile, then decrements the counters
 * of the tiles that wait for it. If several become ready, the job decodes the
 * first itself and submits the others as jobs. If the table of jobs is full, it
 * decodes them, too: tiles that are ready form a list (next_ready), so nothing
 * is recursive.
 */
/* SPDX-License-Identifier: MIT */
#include "play/decode_job.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "base/mem.h"
#include "cache/frame_decoder.h"
#include "observe/listen.h"
#include "play/cache.h"
#include "play/frame_buffer.h"
#include "play/group_read.h"

#include <spindle/features.h>

static struct jobs *jobs_of(const struct decoded_frame *f)
{
    return f->cache->manager->config.jobs;
}

/* Counters. */

/* A tile waits for one thing less: its data, or one reference. */
static void count_down(struct tile_state *t, struct tile_state **ready)
{
    /* Acquire and release: the operation that reaches zero sees everything that
     * the others wrote before theirs. */
    if (atomic_add_acq_rel(&t->counter, UINT32_MAX) != 1)
        return;
    if (*ready &&
        spn__jobs_submit(jobs_of(t->frame), spn__decode_tile_job, t, 0))
        return;
    t->next_ready = *ready;
    *ready = t;
}

void spn__decode_count_down(struct tile_state *tile)
{
    struct tile_state *ready = NULL;

    count_down(tile, &ready);
    SPN_ASSERT(!ready);
}

/* A tile is final. The decrement at the end is the last access to its frame. */
static void finish_tile(struct tile_state *t, spn_status status,
                        struct tile_state **ready)
{
    struct decoded_frame *f = t->frame;
    const uint32_t flags = status == SPN_OK ? 0 : tile_failure(status);
    /* Acquire: pairs with the launch, which wrote an entry of `subscribers`
     * before it set the bit. */
    const uint32_t before = atomic_or_acq_rel(&t->flags, flags | TILE_DONE);
    uint32_t bits = before >> TILE_SUBSCRIBER_SHIFT;

    for (uint32_t i = 0; bits != 0; i++, bits >>= 1)
        if (bits & 1u)
            count_down(&f->subscribers[i]->tiles[t->index], ready);
    /* Release: pairs with the acquire in spn__launch_collect. */
    atomic_add_acq_rel(&f->left, UINT32_MAX);
}

/* Failures. */

static void fail_frame(struct decoded_frame *f, const spn_fault *fault)
{
    /* The first failure sets the fault; the caller reads it when `left` is 0.
     */
    if (!(atomic_or_acq_rel(&f->failed, FRAME_FAULT) & FRAME_FAULT))
        f->fault = *fault;
}

/* One tile. */

static struct frame_decoder decoder_of(const struct decoded_frame *f)
{
    return (struct frame_decoder){.cache = &f->cache->decoder,
                                  .frame = cache_frame_at(f->cache, f->number),
                                  .number = f->number,
                                  .directory = f->directory};
}

/* Addresses of a tile's animated channels in one frame. */
#define EACH_CHANNEL(tile, channel)                                            \
    for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++)             \
        if ((tile)->animated_mask & CHANNEL_BIT(channel))

static void find_references(const struct decoded_frame *f,
                            const struct frame_decoder *d, struct tile_job *job)
{
    const struct cache_tile *tile = &f->cache->tables.tiles[job->tile];

    for (uint32_t r = 0; r < d->frame->reference_count; r++) {
        const struct decoded_frame *to = f->references[r];
        /* The counter that became zero has already synchronized with it. */
        const uint32_t seen = atomic_load_acquire(&to->tiles[job->tile].flags);

        SPN_ASSERT(seen & TILE_DONE);
        job->references[r].status = tile_status(seen);
        if (seen & (TILE_FAILED | TILE_ABSENT))
            continue;
        EACH_CHANNEL(tile, k)
        job->references[r].values[k] =
            spn__decoded_frame_block(to, tile->block[k]);
    }
}

/* Decode a tile. Returns its status. */
static spn_status decode_tile(struct decoded_frame *f, uint32_t tile,
                              struct job_worker *worker)
{
    const struct cache *c = f->cache;
    const struct frame_decoder d = decoder_of(f);
    const struct decode_scratch scratch =
        spn__cache_scratch(c, worker->scratch);
    struct tile_job job = {.decoder = &d, .tile = tile};
    const uint32_t flags = atomic_load_relaxed(&f->tiles[tile].flags);
    struct spn_fault fault = {0};
    spn_status status;

    if (flags & (TILE_ABSENT | TILE_OMITTED | TILE_FAILED))
        return tile_status(flags);
    EACH_CHANNEL(&c->tables.tiles[tile], k)
    job.values[k] = spn__decoded_frame_block(f, c->tables.tiles[tile].block[k]);
    find_references(f, &d, &job);
    status = spn__tile_decode(&job, &scratch, &fault);
    if (status != SPN_OK && fault.what)
        fail_frame(f, &fault);
    else if (status == SPN_ERR_ABORTED)
        atomic_or_acq_rel(&f->failed, FRAME_CANCELLED);
    else if (status != SPN_OK)
        atomic_or_acq_rel(&f->failed, FRAME_REFERENCE);
    /* Now, while the tile is in this processor's cache. */
    else
        spn__frame_buffers_write(f, tile);
    return status;
}

/* The listener's event for work on a frame. */
static spn_event event_of(const struct decoded_frame *f)
{
    return (spn_event){.node = f->owner->node,
                       .cache = f->owner->cache,
                       .frame = f->number,
                       .task = SPN_TASK_GEOM_CACHE,
                       .task_class = SPN_CLASS_STREAM,
                       .medium = SPN_MEDIUM_COUNT};
}

static spn_status decode_with_events(struct decoded_frame *f, uint32_t tile,
                                     struct job_worker *worker)
{
    const struct listen *listen = spn__io_listen(f->cache->manager->config.io);
    spn_event event;

    if (!listen_is_there(listen) || decoded_frame_omits(f, tile))
        return decode_tile(f, tile, worker);
    event = event_of(f);
    event.part = tile;
    spn__listen_notify(listen, SPN_EVENT_DECODE_BEGIN, &event);
    event.status = decode_tile(f, tile, worker);
    spn__listen_notify(listen, SPN_EVENT_DECODE_END, &event);
    return event.status;
}

static void run_ready(struct tile_state *ready, struct job_worker *worker)
{
    while (ready) {
        struct tile_state *t = ready;

        ready = t->next_ready;
        finish_tile(t, decode_with_events(t->frame, t->index, worker), &ready);
    }
}

void spn__decode_tile_job(void *context, uint32_t argument,
                          struct job_worker *worker)
{
    struct tile_state *t = context;

    (void)argument;
    t->next_ready = NULL;
    run_ready(t, worker);
}

/* One frame. */

/* Copy and validate the directory: the read buffer may be freed before the
 * frame is.
 *
 * at  offset of the frame in the buffer */
static spn_status take_directory(struct decoded_frame *f, uint32_t at)
{
    const struct cache *c = f->cache;
    const struct frame_decoder d = decoder_of(f);
    const uint32_t bytes = spn__cache_directory_bytes(&c->header);
    spn_fault fault = {.what = "directory",
                       .offset = d.frame->offset,
                       .status = SPN_ERR_FORMAT};
    spn_status status = SPN_ERR_FORMAT;
    const void *view = spn__heap_view(c->manager->config.heap, f->read->block,
                                      at, bytes, f->directory);

    if (view) {
        if (view != f->directory)
            memcpy(f->directory, view, bytes);
        status = spn__frame_validate(&d, &fault);
    }
    if (status != SPN_OK)
        fail_frame(f, &fault);
    return status;
}

/* Keep the first error of a tile. No race: until the tile has its data, only
 * the first job of the frame calls this. */
static void fail_tile(struct tile_state *tile, spn_status status)
{
    if (!(atomic_load_relaxed(&tile->flags) & TILE_FAILED))
        atomic_or_acq_rel(&tile->flags, tile_failure(status));
}

static void fail_block(struct decoded_frame *f, const struct cache_block *block,
                       spn_status status, const spn_fault *fault)
{
    fail_frame(f, fault);
    if (block->kind == CACHE_BLOCK_CHANNEL)
        fail_tile(&f->tiles[block->tile], status);
}

static spn_status unpack_block(const struct decoded_frame *f,
                               const struct frame_walk *walk, uint32_t at,
                               struct job_worker *worker, spn_fault *fault)
{
    const struct decode_scratch scratch =
        spn__cache_scratch(f->cache, worker->scratch);
    uint8_t *target = spn__decoded_frame_block(f, walk->block);
    const void *stored = spn__heap_view(
        f->cache->manager->config.heap, f->read->block, at + walk->entry.offset,
        walk->entry.stored_bytes, decode_scratch_stored(&scratch));

    if (!stored || !target)
        return SPN_ERR_FORMAT;
    return spn__frame_unpack(walk, stored, target, &scratch, fault);
}

/* Decompress all blocks of the frame. A tile that lacks a block is absent. An
 * error of one block does not stop the others; returns the first error. */
static spn_status unpack_blocks(struct decoded_frame *f, uint32_t at,
                                struct job_worker *worker)
{
    const struct cache *c = f->cache;
    const struct frame_decoder d = decoder_of(f);
    struct frame_walk walk = frame_walk_begin(&d);
    spn_status first = SPN_OK;

    while (spn__frame_walk_next(&walk)) {
        const struct cache_block *block = &c->tables.blocks[walk.block];
        spn_fault fault = {.what = "block",
                           .offset = d.frame->offset + walk.entry.offset,
                           .status = SPN_ERR_FORMAT};
        spn_status status;

        if (block->kind == CACHE_BLOCK_CHANNEL &&
            decoded_frame_omits(f, block->tile))
            continue;
        if (walk.entry.is_absent) {
            SPN_ASSERT(block->kind == CACHE_BLOCK_CHANNEL);
            atomic_or_acq_rel(&f->tiles[block->tile].flags, TILE_ABSENT);
            continue;
        }
        status = unpack_block(f, &walk, at, worker, &fault);
        if (status != SPN_OK)
            fail_block(f, block, status, &fault);
        if (first == SPN_OK)
            first = status;
    }
    return first;
}

/* Its bytes have not arrived. */
static void fail_unread(struct decoded_frame *f)
{
    const spn_fault fault =
        cache_unread_fault(cache_frame_at(f->cache, f->number), f->unread);

    if (f->unread == SPN_ERR_ABORTED)
        atomic_or_acq_rel(&f->failed, FRAME_CANCELLED);
    else
        fail_frame(f, &fault);
}

static spn_status unpack_frame(struct decoded_frame *f,
                               struct job_worker *worker)
{
    const struct cache_frame *frame = cache_frame_at(f->cache, f->number);
    spn_status status = f->unread;

    if (status == SPN_OK) {
        const uint32_t at = (uint32_t)(frame->offset - f->read->offset);

        status = take_directory(f, at);
        if (status == SPN_OK)
            return unpack_blocks(f, at, worker);
    } else {
        fail_unread(f);
    }
    for (uint32_t t = 0; t < f->cache->header.tile_count; t++)
        fail_tile(&f->tiles[t], status);
    return status;
}

/* The same, with events for a listener. */
static void unpack_with_events(struct decoded_frame *f,
                               struct job_worker *worker)
{
    const struct listen *listen = spn__io_listen(f->cache->manager->config.io);
    const struct cache_frame *frame = cache_frame_at(f->cache, f->number);
    spn_event event;

    if (!listen_is_there(listen)) {
        (void)unpack_frame(f, worker);
        return;
    }
    event = event_of(f);
    event.offset = frame->offset;
    event.bytes = frame->bytes;
    spn__listen_notify(listen, SPN_EVENT_DECOMPRESS_BEGIN, &event);
    event.status = unpack_frame(f, worker);
    spn__listen_notify(listen, SPN_EVENT_DECOMPRESS_END, &event);
}

void spn__decode_frame_job(void *context, uint32_t argument,
                           struct job_worker *worker)
{
    struct decoded_frame *f = context;
    const uint32_t tile_count = f->cache->header.tile_count;
    struct tile_state *ready = NULL;

    (void)argument;
    unpack_with_events(f, worker);
    for (uint32_t t = 0; t < tile_count; t++)
        count_down(&f->tiles[t], &ready);
    run_ready(ready, worker);
    /* Release: pairs with the acquire in spn__launch_collect. */
    atomic_add_acq_rel(&f->left, UINT32_MAX);
}
