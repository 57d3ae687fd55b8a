/* cache_jobs.c - judging and unpacking a cache's tables, on workers.
 *
 * While one of these jobs runs the cache's fields that it fills are its own.
 * The last thing a job does is to count itself down.
 */
/* SPDX-License-Identifier: MIT */
#include "base/assert.h"
#include "base/checksum.h"
#include "base/mem.h"
#include "cache/cache_lift.h"
#include "cache/cache_wire.h"
#include "play/cache.h"
#include "play/frame.h"

#include <spindle/features.h>

#define UNIT_ALIGN 64u
#define UNIT_BYTES_MAX BLOCK_RAW_BYTES_MAX

/* The first to fail says why. */
static void end_job(struct cache *c, spn_status status,
                    const struct spn_fault *fault)
{
    if (status != SPN_OK && atomic_or_acq_rel(&c->has_failed, 1) == 0) {
        c->job_status = status;
        c->job_fault = *fault;
    }
    /* Release: pairs with the acquire in is_busy (cache.c). */
    atomic_add_acq_rel(&c->jobs_left, UINT32_MAX);
}

/* -- frame table -- */

static struct cache_frame *frame_at(void *user, uint32_t number)
{
    struct cache *c = user;

    return &c->frame_chunks[number / CACHE_CHUNK_FRAMES]
                           [number % CACHE_CHUNK_FRAMES];
}

static struct cache_group *group_at(void *user, uint32_t group)
{
    struct cache *c = user;

    return &c->group_chunks[group / CACHE_CHUNK_GROUPS]
                           [group % CACHE_CHUNK_GROUPS];
}

/* The pieces of [skip, skip + bytes) of the read block, in order. */
struct pieces {
    struct heap_walk walk;
    uint64_t skip;
    uint64_t left;
};

static void pieces_begin(const struct cache *c, uint64_t skip, uint64_t bytes,
                         struct pieces *p)
{
    spn__heap_walk_begin(c->manager->config.heap, c->read_block, &p->walk);
    p->skip = skip;
    p->left = bytes;
}

static const uint8_t *pieces_next(struct pieces *p, uint32_t *bytes)
{
    const uint8_t *data = spn__heap_walk_next(&p->walk, bytes);

    while (data && p->skip >= *bytes) {
        p->skip -= *bytes;
        data = spn__heap_walk_next(&p->walk, bytes);
    }
    if (!data || p->left == 0)
        return NULL;
    data += p->skip;
    *bytes -= (uint32_t)p->skip;
    p->skip = 0;
    if (*bytes > p->left)
        *bytes = (uint32_t)p->left;
    p->left -= *bytes;
    return data;
}

static spn_status judge_checksum(struct cache *c, struct spn_fault *fault)
{
    struct pieces p;
    struct checksum sum;
    const uint8_t *data;
    uint32_t bytes;
    uint32_t found;

    spn__checksum_begin(&sum, 0);
    pieces_begin(c, c->read_skip, spn__cache_file_frame_table_bytes(&c->header),
                 &p);
    while ((data = pieces_next(&p, &bytes)) != NULL)
        spn__checksum_add(&sum, data, bytes);
    found = spn__checksum_end(&sum);
    if (found == c->header.frame_table_checksum)
        return SPN_OK;
    return wire_refuse_for(fault, SPN_ERR_CHECKSUM,
                           "checksum of the frame table", 0, found,
                           c->header.frame_table_checksum);
}

static spn_status judge_entries(struct cache *c, struct spn_fault *fault)
{
    struct cache_frame_reader reader = {
        .header = &c->header, .at = frame_at, .group_at = group_at, .user = c};
    uint8_t entry[CACHE_FRAME_ENTRY_BYTES];
    uint32_t held = 0; /* bytes of an entry that crosses a seam */
    struct pieces p;
    const uint8_t *data;
    uint32_t bytes;

    pieces_begin(c, c->read_skip, spn__cache_file_frame_table_bytes(&c->header),
                 &p);
    while ((data = pieces_next(&p, &bytes)) != NULL) {
        for (uint32_t at = 0; at < bytes;) {
            uint32_t take = (uint32_t)sizeof entry - held;
            spn_status status;

            if (take > bytes - at)
                take = bytes - at;
            memcpy(entry + held, data + at, take);
            held += take;
            at += take;
            if (held < sizeof entry)
                continue;
            held = 0;
            status = spn__cache_file_frame_entry(&reader, entry, fault);
            if (status != SPN_OK)
                return status;
        }
    }
    return spn__cache_file_frames_finish(&reader, fault);
}

static void measure_groups(struct cache *c)
{
    const struct cache_header *h = &c->header;
    int64_t last_us = cache_frame_at(c, h->frame_count - 1)->time_us;

    c->group_frames_max = 0;
    for (uint32_t g = 0; g < h->group_count; g++) {
        uint32_t count = group_at(c, g)->frame_count;

        if (count > c->group_frames_max)
            c->group_frames_max = count;
    }
    /* A clip of one frame has no interval to end with. */
    c->loop_us = last_us;
    if (h->frame_count > 1)
        c->loop_us += last_us - cache_frame_at(c, h->frame_count - 2)->time_us;
    c->read_pages_max =
        spn__manager_pages(c->manager, (uint64_t)h->largest_group_bytes +
                                           h->largest_frame_bytes + 2 * 4096u);
}

void spn__cache_frames_job(void *context, uint32_t argument,
                           struct job_worker *worker)
{
    struct cache *c = context;
    struct spn_fault fault = {.what = "frame table"};
    spn_status status = judge_checksum(c, &fault);

    (void)argument;
    (void)worker;
    if (status == SPN_OK)
        status = judge_entries(c, &fault);
    if (status == SPN_OK)
        measure_groups(c);
    fault.offset += c->header.frame_table_offset;
    end_job(c, status, &fault);
}

/* -- tables -- */

/* Pack the blocks of a frame into units of at most 64 KiB, in order. */
static void plan_frame(struct cache *c)
{
    struct cache_plan *plan = &c->plan;
    uint32_t at = (uint32_t)spn__frame_control_bytes(&c->header);
    uint32_t unit = 0;

    plan->control_bytes = at;
    plan->frame_pages = 0;
    plan->unit_pages_max = 0;
    for (uint32_t b = 0; b < c->header.block_count; b++) {
        uint32_t bytes = c->tables.blocks[b].raw_bytes;

        if (at > UNIT_BYTES_MAX || bytes > UNIT_BYTES_MAX - at) {
            unit++;
            at = 0;
        }
        plan->block_unit[b] = unit;
        plan->block_offset[b] = at;
        plan->unit_bytes[unit] = at + bytes;
        at = (at + bytes + UNIT_ALIGN - 1) & ~(UNIT_ALIGN - 1);
    }
    if (plan->unit_bytes[0] < plan->control_bytes)
        plan->unit_bytes[0] = plan->control_bytes;
    plan->unit_count = unit + 1;
    for (uint32_t u = 0; u < plan->unit_count; u++) {
        uint32_t pages = spn__manager_pages(c->manager, plan->unit_bytes[u]);

        plan->frame_pages += pages;
        if (pages > plan->unit_pages_max)
            plan->unit_pages_max = pages;
    }
    c->live_extents =
        1 + c->frame_chunk_count + c->group_chunk_count + c->header.blob_count;
}

static void find_index_blobs(struct cache *c)
{
    for (uint32_t i = 0; i < c->header.blob_count; i++) {
        const struct cache_blob *blob = &c->tables.blobs[i];

        if (blob->kind == CACHE_BLOB_INDEX16)
            c->index16_blob[blob->tile] = i;
        if (blob->kind == CACHE_BLOB_INDEX32)
            c->index32_blob[blob->tile] = i;
    }
}

void spn__cache_tables_job(void *context, uint32_t argument,
                           struct job_worker *worker)
{
    struct cache *c = context;
    const struct heap *heap = c->manager->config.heap;
    struct spn_fault fault = {.what = "tables"};
    const uint8_t *bytes = spn__heap_view(
        heap, c->read_block, c->read_skip, c->header.tables_bytes,
        spn__heap_data(heap, c->bounce_block));
    spn_status status = SPN_ERR_FORMAT;

    (void)argument;
    (void)worker;
    if (bytes)
        status =
            spn__cache_file_tables(&c->header, bytes, c->tables_memory,
                                   c->tables_memory_bytes, &c->tables, &fault);
    if (status == SPN_OK) {
        plan_frame(c);
        find_index_blobs(c);
    }
    fault.offset += c->header.tables_offset;
    end_job(c, status, &fault);
}

/* -- blobs -- */

enum cache_state spn__cache_blob_state(const struct cache_blob *blob)
{
    if (blob->kind == CACHE_BLOB_CHANNEL && blob->coding != CODING_PLAIN)
        return CACHE_PREDICTED_JOB;
    return blob->kind == CACHE_BLOB_RINGS ? CACHE_RINGS_JOB : CACHE_BLOBS_JOB;
}

static uint32_t component_bytes(const struct cache_blob *blob)
{
    switch ((enum cache_blob_kind)blob->kind) {
    case CACHE_BLOB_PREDICTOR:
    case CACHE_BLOB_INDEX16:
        return 2;
    case CACHE_BLOB_CHANNEL:
    case CACHE_BLOB_REFLECTION:
    case CACHE_BLOB_TABLES:
    case CACHE_BLOB_SHAPE:
    case CACHE_BLOB_RINGS:
        return 1;
    case CACHE_BLOB_INDEX32:
        return 4;
    }
    return 1;
}

/* Of the mesh's width: its blobs stand one behind the other. */
static struct one_ring_indices indices_of(const struct cache *c, uint32_t mesh)
{
    const uint32_t *blobs = c->tables.meshes[mesh].index_bytes == 2
                                ? c->index16_blob
                                : c->index32_blob;

    return spn__cache_lift_indices(&c->tables, mesh,
                                   c->tables.meshes[mesh].index_count > 0
                                       ? c->blob_data + blobs[0]
                                       : NULL);
}

static spn_status join_lift(struct cache *c, const struct cache_blob *blob,
                            void *data, struct job_worker *worker,
                            struct spn_fault *fault)
{
    const uint8_t *raw = worker->scratch + SCRATCH_RAW;
    union cache_lift_work *work = (void *)worker->scratch;

    if (blob->kind == CACHE_BLOB_TABLES)
        return spn__cache_lift_join(&c->tables, blob, raw, blob->raw_bytes,
                                    data, NULL, fault);
    return spn__cache_lift_join(&c->tables, blob, raw, blob->stored_bytes, data,
                                work, fault);
}

/* The payload lies where the values will. */
static spn_status decode_lifted(struct cache *c, const struct cache_blob *blob,
                                void *values, struct job_worker *worker,
                                struct spn_fault *fault)
{
    const struct lift_hierarchy shape =
        spn__cache_lift_shape(&c->tables, blob->tile, c->blob_data);
    const struct lift_stream stream = spn__cache_lift_stream(
        &c->tables, (enum channel)blob->channel, &shape, c->blob_data);

    return spn__lift_decode(c->manager->lift, &stream, values,
                            blob->stored_bytes, worker->scratch, values, fault);
}

static spn_status decode_channel(struct cache *c, const struct cache_blob *blob,
                                 void *values, struct job_worker *worker,
                                 struct spn_fault *fault)
{
    const struct cache_tile *tile = &c->tables.tiles[blob->tile];
    struct predict_stream s = {.channel = (enum channel)blob->channel,
                               .coding = (enum coding)blob->coding,
                               .count = tile->vertex_count};
    spn_status status = SPN_ERR_FORMAT;

    if (SPN_WITH_LIFTED_MESHES && s.coding == CODING_LIFTED)
        return decode_lifted(c, blob, values, worker, fault);
    if (tile->predictor_blob != CACHE_NONE)
        s.entries = (const void *)c->blob_data[tile->predictor_blob];
    if (s.coding != CODING_SPATIAL || s.entries)
        status = spn__predict_decode(&c->manager->predict, &s, values);
    if (status != SPN_OK)
        spn__cache_file_coding_fault(status, CACHE_FAULT_CODING, blob->coding,
                                     0, fault);
    return status;
}

/* What the bytes mean, once they are unpacked. */
static spn_status judge_blob(struct cache *c, const struct cache_blob *blob,
                             void *data, struct job_worker *worker,
                             struct spn_fault *fault)
{
    bool is_16 = blob->kind == CACHE_BLOB_INDEX16;
    uint32_t per_run =
        is_16 ? CACHE_INDICES_PER_BLOB_16 : CACHE_INDICES_PER_BLOB_32;
    uint32_t index_bytes = is_16 ? 2 : 4;
    spn_status status = SPN_OK;

    switch ((enum cache_blob_kind)blob->kind) {
    case CACHE_BLOB_CHANNEL:
        return decode_channel(c, blob, data, worker, fault);
    case CACHE_BLOB_PREDICTOR:
        return spn__cache_file_predictor(&c->tables, blob->tile, data, fault);
    case CACHE_BLOB_REFLECTION:
        return SPN_OK;
    case CACHE_BLOB_TABLES:
    case CACHE_BLOB_SHAPE:
        return SPN_WITH_LIFTED_MESHES ? join_lift(c, blob, data, worker, fault)
                                      : SPN_ERR_FORMAT;
    case CACHE_BLOB_RINGS: /* see join_rings */
        return SPN_ERR_FORMAT;
    case CACHE_BLOB_INDEX16:
    case CACHE_BLOB_INDEX32:
        if (cache_blob_is_own(blob))
            status = join_lift(c, blob, data, worker, fault);
        if (status != SPN_OK)
            return status;
        return spn__cache_file_indices(
            &c->header, &c->tables, index_bytes, blob->tile * per_run,
            blob->raw_bytes / index_bytes, data, fault);
    }
    return SPN_ERR_FORMAT;
}

static spn_status unpack_blob(const struct cache *c,
                              const struct cache_blob *blob, const void *stored,
                              void *data, struct job_worker *worker)
{
    uint8_t *workspace = worker->scratch + c->workspace_at;
    struct cache_block_entry entry;

    if (cache_blob_is_lift(blob))
        data = worker->scratch + SCRATCH_RAW;
    if (cache_blob_is_own(blob))
        return spn__cache_file_unpack(c->codec, stored, blob->stored_bytes,
                                      blob->checksum, true, 1, data,
                                      blob->stored_bytes, workspace);
    if (blob->kind != CACHE_BLOB_CHANNEL)
        return spn__cache_file_unpack(
            c->codec, stored, blob->stored_bytes, blob->checksum, blob->is_raw,
            component_bytes(blob), data, blob->raw_bytes, workspace);
    entry = cache_blob_entry(blob);
    return spn__cache_file_unpack_channel(
        &c->manager->predict, c->codec, &entry, stored,
        (enum channel)blob->channel, c->tables.tiles[blob->tile].vertex_count,
        data, workspace, worker->scratch + SCRATCH_CHANNEL);
}

static const uint8_t *next_piece(void *user, uint32_t *bytes)
{
    return pieces_next(user, bytes);
}

/* From where they were read to: with their workspace there is no room for them
 * in a worker's scratch. `at`: in the read block. */
static spn_status join_rings(struct cache *c, const struct cache_blob *blob,
                             uint64_t at, struct job_worker *worker,
                             struct spn_fault *fault)
{
    const uint32_t mesh =
        c->tables.parts[c->tables.tiles[blob->tile].first_part].mesh;
    const struct one_ring_indices indices = indices_of(c, mesh);
    struct pieces p;
    const struct range_source pieces = {next_piece, &p};
    uint64_t left = blob->stored_bytes;
    struct checksum sum;
    const uint8_t *data;
    uint32_t bytes;
    uint32_t found;

    spn__checksum_begin(&sum, WIRE_SEED);
    pieces_begin(c, at, left, &p);
    while ((data = pieces_next(&p, &bytes)) != NULL) {
        spn__checksum_add(&sum, data, bytes);
        left -= bytes;
    }
    found = spn__checksum_end(&sum);
    if (left > 0)
        return SPN_ERR_FORMAT;
    if (found != blob->checksum)
        return wire_refuse_for(fault, SPN_ERR_CHECKSUM, "checksum of a block",
                               0, found, blob->checksum);
    pieces_begin(c, at, blob->stored_bytes, &p);
    return spn__cache_lift_join_rings(&c->tables, blob->tile, worker->scratch,
                                      0, &pieces, &indices, c->blob_data,
                                      (void *)worker->scratch, fault);
}

static spn_status join_blob(struct cache *c, const struct cache_blob *blob,
                            uint64_t at, void *data, struct job_worker *worker,
                            struct spn_fault *fault)
{
    const uint64_t offset = c->header.blobs_offset + blob->offset;
    const void *stored =
        spn__heap_view(c->manager->config.heap, c->read_block, (uint32_t)at,
                       blob->stored_bytes, worker->scratch);
    spn_status status;

    if (!stored)
        return SPN_ERR_FORMAT;
    status = unpack_blob(c, blob, stored, data, worker);
    if (status == SPN_OK)
        return judge_blob(c, blob, data, worker, fault);
    spn__cache_file_unpack_fault(status, stored, blob->stored_bytes,
                                 blob->checksum, offset, fault);
    return status;
}

void spn__cache_blob_job(void *context, uint32_t argument,
                         struct job_worker *worker)
{
    struct cache *c = context;
    const struct cache_blob *blob = &c->tables.blobs[argument];
    uint64_t at = c->read_skip + c->header.tables_bytes + blob->offset;
    struct spn_fault fault = {.what = "static data"};
    spn_status status;

    if (SPN_WITH_LIFTED_MESHES && blob->kind == CACHE_BLOB_RINGS)
        status = join_rings(c, blob, at, worker, &fault);
    else
        status = join_blob(c, blob, at, c->blob_data[argument], worker, &fault);
    /* A place within what was unpacked is none in the file. */
    fault.offset = c->header.blobs_offset + blob->offset;
    end_job(c, status, &fault);
}
