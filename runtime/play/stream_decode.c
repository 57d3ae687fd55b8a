/* stream_decode.c - the jobs that decode frames.
 *
 * Each tile of a launched frame has a counter of what it waits for: 1 for its
 * own data and 1 for each frame to which it refers. The job that decrements the
 * counter to zero decodes the tile, then decrements the counters of the tiles
 * that wait for it. If several become ready, the job decodes the first itself
 * and submits the others as jobs. If the table of jobs is full, it decodes
 * them, too: tiles that are ready form a list (next_ready), so nothing is
 * recursive.
 *
 * The anchor of a group needs more care, because the next group may be launched
 * before, while or after the anchor is decoded. The launch sets TILE_SUBSCRIBED
 * and the job sets TILE_DONE in the flags of each tile of the anchor, each with
 * one atomic operation that returns the old flags. Whichever operation finds
 * the other bit set releases the tiles of the next group; so exactly one does.
 */
/* SPDX-License-Identifier: MIT */
#include "play/stream_decode.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "base/mem.h"
#include "cache/frame_decoder.h"
#include "observe/listen.h"

#include <spindle/features.h>

/* tile_state.argument has room for the frame and the tile. */
SPN_STATIC_ASSERT(CACHE_GROUP_FRAMES_MAX <= 256, frames_fit_8_bits);
SPN_STATIC_ASSERT(CACHE_TILES_MAX <= 0xffffff, tiles_fit_24_bits);

#define EDGE_FRAME(edge) ((uint32_t)((edge)-1) / CACHE_REFERENCES_MAX)
#define EDGE_REFERENCE(edge) ((uint32_t)((edge)-1) % CACHE_REFERENCES_MAX)

/* Counters. */

/* A tile waits for one thing less: its data, or one reference. */
static void release_tile(struct stream_group *g, uint32_t index, uint32_t tile,
                         struct tile_state **ready)
{
    struct tile_state *t = &stream_group_frame(g, index)->control->tiles[tile];

    /* Acquire and release: the operation that reaches zero sees everything that
     * the others wrote before theirs. */
    if (atomic_add_acq_rel(&t->counter, UINT32_MAX) != 1)
        return;
    if (*ready && spn__jobs_submit(g->stream->manager->config.jobs,
                                   spn__decode_tile_job, t, 0))
        return;
    t->next_ready = *ready;
    *ready = t;
}

/* Release a tile in all frames of a list of edges. The link is read before the
 * release, because afterwards another worker may finish the frame, and the
 * caller may reuse its slot. */
static void release_list(struct stream_group *g, uint16_t edge, uint32_t tile,
                         struct tile_state **ready)
{
    while (edge != 0) {
        uint32_t index = EDGE_FRAME(edge);
        uint16_t next =
            stream_group_frame(g, index)->next_edge[EDGE_REFERENCE(edge)];

        release_tile(g, index, tile, ready);
        edge = next;
    }
}

void spn__decode_release_anchor(struct stream_group *g, uint32_t tile)
{
    struct tile_state *ready = NULL;

    release_list(g, g->anchor_dependents, tile, &ready);
    /* None is ready: each still waits for its own data. */
    SPN_ASSERT(!ready);
}

/* A tile is final. The decrement at the end is the last access to its frame. */
static void finish_tile(struct stream_group *g, uint32_t index, uint32_t tile,
                        spn_status status, struct tile_state **ready)
{
    uint32_t flags = status == SPN_OK ? 0 : tile_failure(status);
    struct stream_frame *f = stream_group_frame(g, index);
    struct tile_state *t = &f->control->tiles[tile];
    uint32_t before = atomic_or_acq_rel(&t->flags, flags | TILE_DONE);

    release_list(g, f->first_dependent, tile, ready);
    if (index == g->anchor_index && (before & TILE_SUBSCRIBED)) {
        struct stream_group *next = spn__stream_group(g->stream, g->place + 1);

        release_list(next, next->anchor_dependents, tile, ready);
    }
    /* Release: pairs with the acquire in spn__stream_collect. */
    atomic_add_acq_rel(&f->unfinished, UINT32_MAX);
}

/* Failures. */

static void fail_frame(struct stream_frame *f, const spn_fault *fault)
{
    /* The first failure sets the fault; the caller reads it when `unfinished`
     * is 0.
     */
    if (!(atomic_or_acq_rel(&f->failed, FRAME_FAULT) & FRAME_FAULT))
        f->control->fault = *fault;
}

/* One tile. */

static struct frame_decoder decoder_of(const struct stream_group *g,
                                       uint32_t index)
{
    const struct cache *c = g->stream->cache;
    const uint32_t number = g->info->first_frame + index;

    return (struct frame_decoder){
        .cache = &c->decoder,
        .frame = cache_frame_at(c, number),
        .number = number,
        .directory = stream_group_frame(g, index)->control->directory};
}

/* The frame of reference number r; NULL: it has no memory. */
static const struct frame_control *referenced_frame(
    const struct stream_group *g, const struct frame_decoder *d, uint32_t r)
{
    const uint32_t target =
        (uint32_t)((int64_t)d->number + d->frame->reference[r]);
    const struct stream_frame *f =
        target >= g->info->first_frame
            ? stream_group_frame(g, target - g->info->first_frame)
            : g->anchor;

    return f ? f->control : NULL;
}

/* Addresses of a tile's animated channels in one frame. */
#define EACH_CHANNEL(tile, channel)                                            \
    for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++)             \
        if ((tile)->animated_mask & CHANNEL_BIT(channel))

static void find_references(const struct stream_group *g,
                            const struct frame_decoder *d, struct tile_job *job)
{
    const struct cache *c = g->stream->cache;
    const struct cache_tile *tile = &c->tables.tiles[job->tile];

    for (uint32_t r = 0; r < d->frame->reference_count; r++) {
        const struct frame_control *f = referenced_frame(g, d, r);
        uint32_t seen;

        if (!f)
            continue;
        /* The counter that became zero has already synchronized with it. */
        seen = atomic_load_acquire(&f->tiles[job->tile].flags);
        job->references[r].status = tile_status(seen);
        if (seen & (TILE_FAILED | TILE_ABSENT))
            continue;
        EACH_CHANNEL(tile, k)
        job->references[r].values[k] = spn__frame_block(c, f, tile->block[k]);
    }
}

/* Decode a tile. Returns its status. */
static spn_status decode_tile(const struct stream_group *g, uint32_t index,
                              uint32_t tile, struct job_worker *worker)
{
    const struct cache *c = g->stream->cache;
    struct stream_frame *f = stream_group_frame(g, index);
    const struct frame_decoder d = decoder_of(g, index);
    const struct decode_scratch scratch =
        spn__cache_scratch(c, worker->scratch);
    struct tile_job job = {.frame = &d, .tile = tile};
    const uint32_t flags = atomic_load_relaxed(&f->control->tiles[tile].flags);
    struct spn_fault fault = {0};
    spn_status status;

    if (flags & (TILE_ABSENT | TILE_FAILED))
        return tile_status(flags);
    if (atomic_load_relaxed(&g->stream->is_cancelled)) {
        atomic_or_acq_rel(&f->failed, FRAME_INCOMPLETE);
        return SPN_ERR_ABORTED;
    }
    EACH_CHANNEL(&c->tables.tiles[tile], k)
    job.values[k] =
        spn__frame_block(c, f->control, c->tables.tiles[tile].block[k]);
    find_references(g, &d, &job);
    status = spn__tile_decode(&job, &scratch, &fault);
    if (status != SPN_OK && fault.what)
        fail_frame(f, &fault);
    else if (status != SPN_OK)
        atomic_or_acq_rel(&f->failed, FRAME_INCOMPLETE);
    /* Now, while the tile is in this processor's cache. */
    else if (SPN_WITH_FRAME_BUFFERS && f->control->vertices)
        g->stream->buffers->write(g->stream, f->control, tile);
    return status;
}

/* The listener's event for work on a frame. */
static spn_event event_of(const struct stream_group *g, uint32_t index)
{
    const struct stream *stream = g->stream;

    return (spn_event){.node = stream->node_handle,
                       .cache = stream->cache_handle,
                       .frame = g->info->first_frame + index,
                       .task = SPN_TASK_GEOM_CACHE,
                       .task_class = SPN_CLASS_STREAM,
                       .medium = SPN_MEDIUM_COUNT};
}

static spn_status decode_with_events(const struct stream_group *g,
                                     uint32_t index, uint32_t tile,
                                     struct job_worker *worker)
{
    const struct listen *listen = spn__io_listen(g->stream->manager->config.io);
    spn_event event;

    if (!listen_is_there(listen))
        return decode_tile(g, index, tile, worker);
    event = event_of(g, index);
    event.part = tile;
    spn__listen_notify(listen, SPN_EVENT_DECODE_BEGIN, &event);
    event.status = decode_tile(g, index, tile, worker);
    spn__listen_notify(listen, SPN_EVENT_DECODE_END, &event);
    return event.status;
}

static void run_ready(struct tile_state *ready, struct job_worker *worker)
{
    while (ready) {
        struct tile_state *t = ready;
        struct stream_group *g = t->group;
        uint32_t index = t->argument >> 24;
        uint32_t tile = t->argument & 0xffffffu;

        ready = t->next_ready;
        finish_tile(g, index, tile, decode_with_events(g, index, tile, worker),
                    &ready);
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

/* Copy and validate the directory. A copy is needed, because the read buffer is
 * released before the tiles are decoded. */
static spn_status take_directory(const struct stream_group *g, uint32_t index,
                                 const struct stream_read *read, uint32_t at)
{
    const struct cache *c = g->stream->cache;
    const struct frame_decoder d = decoder_of(g, index);
    struct stream_frame *f = stream_group_frame(g, index);
    uint8_t *directory = f->control->directory;
    const uint32_t bytes = spn__cache_directory_bytes(&c->header);
    spn_fault fault = {.what = "directory",
                       .offset = d.frame->offset,
                       .status = SPN_ERR_FORMAT};
    spn_status status = SPN_ERR_FORMAT;
    const void *view = spn__heap_view(g->stream->manager->config.heap,
                                      read->block, at, bytes, directory);

    if (view) {
        if (view != directory)
            memcpy(directory, view, bytes);
        status = spn__frame_validate(&d, &fault);
    }
    if (status != SPN_OK)
        fail_frame(f, &fault);
    return status;
}

/* Keep the first error of a tile. No race: until the tile has its data, only
 * the job that decompresses the frame calls this. */
static void fail_tile(struct tile_state *tile, spn_status status)
{
    if (!(atomic_load_relaxed(&tile->flags) & TILE_FAILED))
        atomic_or_acq_rel(&tile->flags, tile_failure(status));
}

static void fail_block(struct stream_frame *f, const struct cache_block *block,
                       spn_status status, const spn_fault *fault)
{
    fail_frame(f, fault);
    if (block->kind == CACHE_BLOCK_CHANNEL)
        fail_tile(&f->control->tiles[block->tile], status);
}

static spn_status unpack_block(const struct stream_group *g,
                               const struct frame_walk *walk,
                               const struct stream_read *read, uint32_t at,
                               uint8_t *target, struct job_worker *worker,
                               spn_fault *fault)
{
    const struct decode_scratch scratch =
        spn__cache_scratch(g->stream->cache, worker->scratch);
    const void *stored = spn__heap_view(
        g->stream->manager->config.heap, read->block, at + walk->entry.offset,
        walk->entry.stored_bytes, decode_scratch_stored(&scratch));

    if (!stored || !target)
        return SPN_ERR_FORMAT;
    return spn__frame_unpack(walk, stored, target, &scratch, fault);
}

/* Decompress all blocks of the frame. A tile that lacks a block is absent. An
 * error of one block does not stop the others; returns the first error. */
static spn_status unpack_blocks(const struct stream_group *g, uint32_t index,
                                const struct stream_read *read, uint32_t at,
                                struct job_worker *worker)
{
    const struct cache *c = g->stream->cache;
    const struct frame_decoder d = decoder_of(g, index);
    struct stream_frame *f = stream_group_frame(g, index);
    struct frame_walk walk = frame_walk_begin(&d);
    spn_status first = SPN_OK;

    while (spn__frame_walk_next(&walk)) {
        const struct cache_block *block = &c->tables.blocks[walk.block];
        spn_fault fault = {.what = "block",
                           .offset = d.frame->offset + walk.entry.offset,
                           .status = SPN_ERR_FORMAT};
        spn_status status;

        if (walk.entry.is_absent) {
            SPN_ASSERT(block->kind == CACHE_BLOCK_CHANNEL);
            atomic_or_acq_rel(&f->control->tiles[block->tile].flags,
                              TILE_ABSENT);
            continue;
        }
        status = unpack_block(g, &walk, read, at,
                              spn__frame_block(c, f->control, walk.block),
                              worker, &fault);
        if (status != SPN_OK)
            fail_block(f, block, status, &fault);
        if (first == SPN_OK)
            first = status;
    }
    return first;
}

/* Fail all tiles of a frame. */
static spn_status fail_all(const struct stream_group *g, uint32_t index,
                           spn_status status)
{
    struct frame_control *control = stream_group_frame(g, index)->control;

    for (uint32_t t = 0; t < g->stream->cache->header.tile_count; t++)
        fail_tile(&control->tiles[t], status);
    return status;
}

static spn_status unpack_frame(const struct stream_group *g, uint32_t index,
                               struct job_worker *worker)
{
    struct stream_frame *f = stream_group_frame(g, index);
    uint32_t number = g->info->first_frame + index;
    const struct cache_frame *frame = cache_frame_at(g->stream->cache, number);
    const struct stream_read *read;
    spn_status status;
    uint32_t at;

    if (atomic_load_relaxed(&g->stream->is_cancelled)) {
        atomic_or_acq_rel(&f->failed, FRAME_INCOMPLETE);
        return fail_all(g, index, SPN_ERR_ABORTED);
    }
    read = &g->stream->reads[g->read];
    if (!f->is_readable) {
        spn_fault fault = {.what = "unreadable frame",
                           .offset = frame->offset,
                           .expected = frame->bytes,
                           .has_expected = 1,
                           .status = (spn_status)read->status};

        fail_frame(f, &fault);
        return fail_all(g, index, fault.status);
    }
    at = (uint32_t)(frame->offset - read->offset);
    status = take_directory(g, index, read, at);
    if (status != SPN_OK)
        return fail_all(g, index, status);
    return unpack_blocks(g, index, read, at, worker);
}

/* The same, with events for a listener. */
static void unpack_with_events(const struct stream_group *g, uint32_t index,
                               struct job_worker *worker)
{
    const struct listen *listen = spn__io_listen(g->stream->manager->config.io);
    const struct cache_frame *frame =
        cache_frame_at(g->stream->cache, g->info->first_frame + index);
    spn_event event;

    if (!listen_is_there(listen)) {
        (void)unpack_frame(g, index, worker);
        return;
    }
    event = event_of(g, index);
    event.offset = frame->offset;
    event.bytes = frame->bytes;
    spn__listen_notify(listen, SPN_EVENT_DECOMPRESS_BEGIN, &event);
    event.status = unpack_frame(g, index, worker);
    spn__listen_notify(listen, SPN_EVENT_DECOMPRESS_END, &event);
}

void spn__decode_frame_job(void *context, uint32_t argument,
                           struct job_worker *worker)
{
    struct stream_group *g = context;
    struct stream_frame *f = stream_group_frame(g, argument);
    uint32_t tile_count = g->stream->cache->header.tile_count;
    struct tile_state *ready = NULL;

    unpack_with_events(g, argument, worker);
    /* Release: pairs with the acquire in spn__stream_collect. */
    atomic_add_acq_rel(&g->undecompressed, UINT32_MAX);
    for (uint32_t tile = 0; tile < tile_count; tile++)
        release_tile(g, argument, tile, &ready);
    run_ready(ready, worker);
    atomic_add_acq_rel(&f->unfinished, UINT32_MAX);
}
