/* stream_decode.c - the jobs: from compressed blocks to decoded tiles.
 *
 * One job a frame judges the directory and unpacks the blocks. Then each tile
 * of the frame has a counter: 1 for its data and 1 for each reference that it
 * waits for. Whoever brings a counter to zero decodes the tile and counts
 * down those that wait for it; of several that become ready the first is done
 * on the spot and the others become jobs. Where the table of jobs is full
 * they too are done on the spot, through a list that runs through the tiles
 * themselves: no recursion, and nothing is lost.
 *
 * The frame that the next group refers to (the anchor) is special: that group
 * may be launched before, while or after the anchor is decoded. Both sides set
 * their bit in the tile's flags with one atomic operation; whoever comes
 * second finds the other's bit and does the counting down. So exactly one of
 * them does it.
 */
/* SPDX-License-Identifier: MIT */
#include "base/assert.h"
#include "base/mem.h"
#include "cache/cache_lift.h"
#include "codec/classic/predict.h"
#include "observe/listen.h"
#include "play/stream.h"

#include <spindle/features.h>

/* A tile's argument has room for both. */
SPN_STATIC_ASSERT(CACHE_GROUP_FRAMES_MAX <= 256, frames_fit_8_bits);
SPN_STATIC_ASSERT(CACHE_TILES_MAX <= 0xffffff, tiles_fit_24_bits);

#define EDGE_FRAME(edge) ((uint32_t)((edge)-1) / CACHE_REFERENCES_MAX)
#define EDGE_REFERENCE(edge) ((uint32_t)((edge)-1) % CACHE_REFERENCES_MAX)

/* -- counting down -- */

/* One reference, or the data, of a tile is there. */
static void release_tile(struct stream_group *g, uint32_t index, uint32_t tile,
                         struct tile_state **ready)
{
    struct tile_state *t = &stream_group_frame(g, index)->control->tiles[tile];

    /* The operation that reaches zero sees what all others wrote before. */
    if (atomic_add_acq_rel(&t->counter, UINT32_MAX) != 1)
        return;
    if (*ready && spn__jobs_submit(g->stream->manager->config.jobs,
                                   spn__decode_tile_job, t, 0))
        return;
    t->next_ready = *ready;
    *ready = t;
}

/* Along a list of edges. The link is read first: with its last reference
 * gone, a frame and its slot may be over before this returns. */
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
    /* Their own data still counts. */
    SPN_ASSERT(!ready);
}

/* A tile is final. The last touch of its frame is the count at the end. */
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
    atomic_add_acq_rel(&f->left, UINT32_MAX);
}

/* -- failing -- */

static void fail_frame(struct stream_frame *f, const spn_fault *fault)
{
    /* The first says why; the caller looks when `left` is zero. */
    if (!(atomic_or_acq_rel(&f->failed, FRAME_FAULT) & FRAME_FAULT))
        f->control->fault = *fault;
}

/* -- one tile -- */

/* Decoded values of a channel in the frame that reference `r` names, or NULL;
 * `failure` stays the first of the tiles that were asked for. */
static const void *reference_values(const struct stream_group *g,
                                    uint32_t index, uint32_t r, uint32_t tile,
                                    uint32_t block, spn_status *failure)
{
    const struct cache *c = g->stream->cache;
    uint32_t number = g->info->first_frame + index;
    const struct cache_frame *frame = cache_frame_at(c, number);
    uint32_t target = (uint32_t)((int64_t)number + frame->reference[r]);
    const struct stream_frame *f = g->anchor;
    uint32_t seen;

    if (r >= frame->reference_count)
        return NULL;
    if (target >= g->info->first_frame)
        f = stream_group_frame(g, target - g->info->first_frame);
    if (!f || !f->control)
        return NULL;
    /* Acquire is had already: the counter that became zero came after. */
    seen = atomic_load_acquire(&f->control->tiles[tile].flags);
    if (*failure == SPN_OK)
        *failure = tile_status(seen);
    if (seen & (TILE_FAILED | TILE_ABSENT))
        return NULL;
    return spn__frame_block(c, f->control, block);
}

/* What no block should come to. Returns the status. */
static spn_status fail_coding(const struct stream_group *g, uint32_t index,
                              uint32_t block, const char *what,
                              spn_status status)
{
    const struct cache *c = g->stream->cache;
    struct stream_frame *f = stream_group_frame(g, index);
    struct cache_block_entry entry;
    uint32_t offset = spn__cache_file_directory_bytes(&c->header);
    spn_fault fault;

    for (uint32_t b = 0; b <= block; b++) {
        spn__cache_file_block_entry(f->control->directory, b, offset, &entry);
        offset += entry.stored_bytes;
    }
    spn__cache_file_coding_fault(
        status, what, entry.coding,
        cache_frame_at(c, g->info->first_frame + index)->offset + entry.offset,
        &fault);
    fail_frame(f, &fault);
    return status;
}

/* Decoded values of the first `count` references. One that is not there is the
 * end of the tile; one that failed fails it for the same reason. */
static spn_status find_references(const struct stream_group *g, uint32_t index,
                                  uint32_t tile, uint32_t block, uint32_t count,
                                  const void *values[CACHE_REFERENCES_MAX])
{
    spn_status failure = SPN_OK;
    bool has_all = true;

    for (uint32_t r = 0; r < count; r++) {
        values[r] = reference_values(g, index, r, tile, block, &failure);
        has_all = has_all && values[r];
    }
    if (has_all)
        return SPN_OK;
    if (failure == SPN_OK)
        return fail_coding(g, index, block, CACHE_FAULT_ABSENT, SPN_ERR_FORMAT);
    atomic_or_acq_rel(&stream_group_frame(g, index)->failed, FRAME_REFERENCE);
    return failure;
}

static const struct cache_frame *frame_info(const struct stream_group *g,
                                            uint32_t index)
{
    return cache_frame_at(g->stream->cache, g->info->first_frame + index);
}

/* The payload lies where the values will. */
static spn_status decode_lifted(const struct stream_group *g, uint32_t index,
                                uint32_t tile, enum channel channel,
                                const struct cache_block_entry *entry,
                                struct job_worker *worker)
{
    const struct cache *c = g->stream->cache;
    const struct cache_tile *info = &c->tables.tiles[tile];
    const uint32_t block = info->block[channel];
    uint8_t *values =
        spn__frame_block(c, stream_group_frame(g, index)->control, block);
    const struct lift_hierarchy shape =
        spn__cache_lift_shape(&c->tables, tile, c->blob_data);
    struct lift_stream s =
        spn__cache_lift_stream(&c->tables, channel, &shape, c->blob_data);
    struct spn_fault fault = {.what = CACHE_FAULT_CODING};
    struct one_rings rings;
    spn_status status;

    if (channel == CHANNEL_QTANGENT && info->ring_slots > 0) {
        rings = spn__cache_lift_rings(&c->tables, tile, c->blob_data);
        s.rings = &rings;
        /* Decoded before, in this job. */
        s.positions = (const void *)spn__frame_block(
            c, stream_group_frame(g, index)->control,
            info->block[CHANNEL_POSITION]);
        if (info->rings_by_uvs)
            s.uvs = (const void *)spn__frame_block(
                c, stream_group_frame(g, index)->control,
                info->block[CHANNEL_UV]);
    }
    s.from_count = spn__cache_file_lifted_frames(values, entry->stored_bytes);
    if (s.from_count > frame_info(g, index)->reference_count)
        s.from_count = frame_info(g, index)->reference_count;
    status = find_references(g, index, tile, block, s.from_count, s.from);
    if (status != SPN_OK)
        return status;
    status = spn__lift_decode(c->manager->lift, &s, values, entry->stored_bytes,
                              worker->scratch, values, &fault);
    if (status != SPN_OK)
        fail_coding(g, index, block, fault.what, status);
    return status;
}

static spn_status decode_classic(const struct stream_group *g, uint32_t index,
                                 uint32_t tile, enum channel channel,
                                 const struct cache_block_entry *entry)
{
    const struct cache *c = g->stream->cache;
    const struct cache_tile *info = &c->tables.tiles[tile];
    const uint32_t block = info->block[channel];
    struct predict_stream s = {.channel = channel,
                               .coding = (enum coding)entry->coding,
                               .a = entry->a,
                               .b = entry->b,
                               .c = entry->c,
                               .count = info->vertex_count};
    spn_status status;

    if (info->predictor_blob != CACHE_NONE)
        s.entries = (const void *)c->blob_data[info->predictor_blob];
    if (s.coding == CODING_TEMPORAL) {
        const uint32_t count = frame_info(g, index)->reference_count;
        const void *values[CACHE_REFERENCES_MAX];

        status = find_references(g, index, tile, block, count, values);
        if (status != SPN_OK)
            return status;
        spn__cache_file_classic(&s, values, count);
    }
    status = SPN_ERR_FORMAT;
    if (s.coding != CODING_SPATIAL || s.entries)
        status = spn__predict_decode(
            &c->manager->predict, &s,
            spn__frame_block(c, stream_group_frame(g, index)->control, block));
    if (status != SPN_OK)
        fail_coding(g, index, block, CACHE_FAULT_CODING, status);
    return status;
}

/* An error is the end of the tile. */
static spn_status decode_channel(const struct stream_group *g, uint32_t index,
                                 uint32_t tile, enum channel channel,
                                 struct job_worker *worker)
{
    const struct cache *c = g->stream->cache;
    struct cache_block_entry entry;

    spn__cache_file_block_entry(
        stream_group_frame(g, index)->control->directory,
        c->tables.tiles[tile].block[channel], 0, &entry);
    if (SPN_WITH_LIFTED_MESHES && entry.coding == CODING_LIFTED)
        return decode_lifted(g, index, tile, channel, &entry, worker);
    return decode_classic(g, index, tile, channel, &entry);
}

/* Returns what the tile is finished with. */
static spn_status decode_tile(const struct stream_group *g, uint32_t index,
                              uint32_t tile, struct job_worker *worker)
{
    /* QTangents need positions and UVs of their frame. */
    static const uint8_t order[CHANNEL_COUNT] = {
        CHANNEL_POSITION, CHANNEL_UV,        CHANNEL_QTANGENT,
        CHANNEL_COLOR,    CHANNEL_SECOND_UV, CHANNEL_VELOCITY};
    struct stream_frame *f = stream_group_frame(g, index);
    const struct cache_tile *info = &g->stream->cache->tables.tiles[tile];
    uint32_t flags = atomic_load_relaxed(&f->control->tiles[tile].flags);

    if (flags & (TILE_ABSENT | TILE_FAILED))
        return tile_status(flags);
    if (atomic_load_relaxed(&g->stream->is_cancelled)) {
        atomic_or_acq_rel(&f->failed, FRAME_REFERENCE);
        return SPN_ERR_ABORTED;
    }
    for (uint32_t k = 0; k < CHANNEL_COUNT; k++) {
        spn_status status;

        if (!(info->animated_mask & CHANNEL_BIT(order[k])))
            continue;
        status = decode_channel(g, index, tile, (enum channel)order[k], worker);
        if (status != SPN_OK)
            return status;
    }
    /* While it is in this worker's cache. */
    if (SPN_WITH_FRAME_BUFFERS && f->control->vertices)
        g->stream->buffers->write(g->stream, f->control, tile);
    return SPN_OK;
}

/* What is told of a frame. */
static spn_event event_of(const struct stream_group *g, uint32_t index)
{
    const struct stream *stream = g->stream;

    return (spn_event){.node = stream->subject,
                       .cache = stream->cache_handle,
                       .frame = g->info->first_frame + index,
                       .task = SPN_TASK_GEOM_CACHE,
                       .task_class = SPN_CLASS_STREAM,
                       .medium = SPN_MEDIUM_COUNT};
}

static spn_status decode_told(const struct stream_group *g, uint32_t index,
                              uint32_t tile, struct job_worker *worker)
{
    const struct listen *listen = spn__io_listen(g->stream->manager->config.io);
    spn_event event;

    if (!listen_is_there(listen))
        return decode_tile(g, index, tile, worker);
    event = event_of(g, index);
    event.part = tile;
    spn__listen_tell(listen, SPN_EVENT_DECODE_BEGIN, &event);
    event.status = decode_tile(g, index, tile, worker);
    spn__listen_tell(listen, SPN_EVENT_DECODE_END, &event);
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
        finish_tile(g, index, tile, decode_told(g, index, tile, worker),
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

/* -- one frame -- */

/* Copy and judge the directory: the read buffer goes before the tiles are
 * decoded. */
static spn_status take_directory(const struct stream_group *g, uint32_t index,
                                 const struct stream_read *read, uint32_t at)
{
    const struct cache *c = g->stream->cache;
    struct stream_frame *f = stream_group_frame(g, index);
    uint8_t *directory = f->control->directory;
    uint32_t bytes = spn__cache_file_directory_bytes(&c->header);
    uint32_t number = g->info->first_frame + index;
    const struct cache_frame *frame = cache_frame_at(c, number);
    spn_fault fault = {.what = "directory", .status = SPN_ERR_FORMAT};
    spn_status status = SPN_ERR_FORMAT;
    const void *view = spn__heap_view(g->stream->manager->config.heap,
                                      read->block, at, bytes, directory);

    if (view) {
        if (view != directory)
            memcpy(directory, view, bytes);
        status = spn__cache_file_directory(&c->header, c->tables.blocks, frame,
                                           number, directory, &fault);
    }
    fault.offset += frame->offset;
    if (status != SPN_OK)
        fail_frame(f, &fault);
    return status;
}

/* Of a tile with several the first counts. Only the job that unpacks the frame
 * fails its tiles until their data is there. */
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

static spn_status unpack_block(const struct stream_group *g, uint32_t block,
                               const struct cache_block_entry *entry,
                               const struct stream_read *read, uint32_t at,
                               uint8_t *target, struct job_worker *worker,
                               spn_fault *fault)
{
    const struct cache *c = g->stream->cache;
    const struct cache_block *info = &c->tables.blocks[block];
    bool is_nodes = info->kind == CACHE_BLOCK_NODES;
    const void *stored = spn__heap_view(g->stream->manager->config.heap,
                                        read->block, at + entry->offset,
                                        entry->stored_bytes, worker->scratch);
    spn_status status;

    if (!stored || !target)
        return SPN_ERR_FORMAT;
    if (is_nodes)
        status = spn__cache_file_unpack(c->codec, stored, entry->stored_bytes,
                                        entry->checksum, entry->is_raw, 1,
                                        target, info->raw_bytes,
                                        worker->scratch + c->workspace_at);
    else
        status = spn__cache_file_unpack_channel(
            &c->manager->predict, c->codec, entry, stored,
            (enum channel)info->channel, info->count, target,
            worker->scratch + c->workspace_at,
            worker->scratch + SCRATCH_CHANNEL);
    if (status != SPN_OK)
        spn__cache_file_unpack_fault(status, stored, entry->stored_bytes,
                                     entry->checksum, 0, fault);
    else if (is_nodes)
        status = spn__cache_file_nodes(info, target, fault);
    return status;
}

/* All blocks that are there. A tile that lacks a block is absent; a frame that
 * lacks its nodes is damaged. Returns the first error; the other blocks are
 * good all the same. */
static spn_status unpack_blocks(const struct stream_group *g, uint32_t index,
                                const struct stream_read *read, uint32_t at,
                                struct job_worker *worker)
{
    const struct cache *c = g->stream->cache;
    struct stream_frame *f = stream_group_frame(g, index);
    uint32_t offset = spn__cache_file_directory_bytes(&c->header);
    uint64_t frame_offset =
        cache_frame_at(c, g->info->first_frame + index)->offset;
    spn_status first = SPN_OK;

    for (uint32_t b = 0; b < c->header.block_count; b++) {
        const struct cache_block *block = &c->tables.blocks[b];
        spn_fault fault = {.what = "block", .status = SPN_ERR_FORMAT};
        struct cache_block_entry entry;
        spn_status status;

        spn__cache_file_block_entry(f->control->directory, b, offset, &entry);
        offset += entry.stored_bytes;
        if (entry.is_absent && block->kind == CACHE_BLOCK_CHANNEL) {
            atomic_or_acq_rel(&f->control->tiles[block->tile].flags,
                              TILE_ABSENT);
            continue;
        }
        status = entry.is_absent
                     ? SPN_ERR_FORMAT
                     : unpack_block(g, b, &entry, read, at,
                                    spn__frame_block(c, f->control, b), worker,
                                    &fault);
        /* A place within what was unpacked is none in the file. */
        fault.offset = frame_offset + entry.offset;
        if (status != SPN_OK)
            fail_block(f, block, status, &fault);
        if (first == SPN_OK)
            first = status;
    }
    return first;
}

/* Nothing of it can be decoded. */
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
        atomic_or_acq_rel(&f->failed, FRAME_REFERENCE);
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

/* The same, told to whoever listens. */
static void unpack_told(const struct stream_group *g, uint32_t index,
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
    spn__listen_tell(listen, SPN_EVENT_DECOMPRESS_BEGIN, &event);
    event.status = unpack_frame(g, index, worker);
    spn__listen_tell(listen, SPN_EVENT_DECOMPRESS_END, &event);
}

void spn__decode_frame_job(void *context, uint32_t argument,
                           struct job_worker *worker)
{
    struct stream_group *g = context;
    struct stream_frame *f = stream_group_frame(g, argument);
    uint32_t tile_count = g->stream->cache->header.tile_count;
    struct tile_state *ready = NULL;

    unpack_told(g, argument, worker);
    /* Release: pairs with the acquire in spn__stream_collect. */
    atomic_add_acq_rel(&g->undecompressed, UINT32_MAX);
    for (uint32_t tile = 0; tile < tile_count; tile++)
        release_tile(g, argument, tile, &ready);
    run_ready(ready, worker);
    atomic_add_acq_rel(&f->left, UINT32_MAX);
}
