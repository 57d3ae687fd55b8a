/* cache_jobs.c - validate and unpack the tables and blobs of a cache. */
/* SPDX-License-Identifier: MIT */
#include "play/cache_jobs.h"

#include "base/assert.h"
#include "base/checksum.h"
#include "base/heap_view.h"
#include "base/mem.h"
#include "base/wire.h"
#include "cache/blob_decoder.h"
#include "cache/mesh_hash.h"
#include "cache/vertex_order.h"
#include "play/closure.h"
#include "play/decoded_frame.h"
#include "play/level.h"

#define UNIT_ALIGN 64u
#define UNIT_BYTES_MAX BLOCK_RAW_BYTES_MAX

/* Keep the error of the first job that fails. */
static void note_result(struct cache *c, spn_status status,
                        const struct spn_fault *fault)
{
    if (status != SPN_OK && atomic_or_acq_rel(&c->has_failed, 1) == 0) {
        c->job_status = status;
        c->job_fault = *fault;
    }
}

/* The same, and count the job as ended. */
static void end_job(struct cache *c, spn_status status,
                    const struct spn_fault *fault)
{
    note_result(c, status, fault);
    /* Release: pairs with the acquire in is_busy (cache_load.c). */
    atomic_add_acq_rel(&c->jobs_left, UINT32_MAX);
}

/* The frame table. */

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

/* Walks over the contiguous pieces of [skip, skip + bytes) of the read block.
 */
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

static spn_status validate_checksum(struct cache *c, struct spn_fault *fault)
{
    struct pieces p;
    struct checksum sum;
    const uint8_t *data;
    uint32_t bytes;
    uint32_t found;

    spn__checksum_begin(&sum, 0);
    pieces_begin(c, c->read_skip, spn__cache_frame_table_bytes(&c->header), &p);
    while ((data = pieces_next(&p, &bytes)) != NULL)
        spn__checksum_add(&sum, data, bytes);
    found = spn__checksum_end(&sum);
    if (found == c->header.frame_table_checksum)
        return SPN_OK;
    return wire_refuse_for(fault, SPN_ERR_CHECKSUM,
                           "checksum of the frame table", 0, found,
                           c->header.frame_table_checksum);
}

static spn_status validate_entries(struct cache *c, struct spn_fault *fault)
{
    struct frame_table_reader reader = {
        .header = &c->header, .at = frame_at, .group_at = group_at, .user = c};
    uint8_t entry[CACHE_FRAME_ENTRY_BYTES];
    uint32_t held = 0; /* bytes of `entry` that were copied */
    struct pieces p;
    const uint8_t *data;
    uint32_t bytes;

    pieces_begin(c, c->read_skip, spn__cache_frame_table_bytes(&c->header), &p);
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
            status = spn__frame_table_read(&reader, entry, fault);
            if (status != SPN_OK)
                return status;
        }
    }
    return spn__frame_table_finish(&reader, fault);
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
    c->closure_frames_max = spn__closure_measure(c);
    spn__level_measure(c);
    /* The last frame is shown as long as the one before; a clip of one frame
     * has no such interval. */
    c->loop_us = last_us;
    if (h->frame_count > 1)
        c->loop_us += last_us - cache_frame_at(c, h->frame_count - 2)->time_us;
    c->read_pages_max = spn__promise_pages(
        &c->manager->promises,
        (uint64_t)h->largest_group_bytes + h->largest_frame_bytes + 4 * 4096u);
}

void spn__cache_frames_job(void *context, uint32_t argument,
                           struct job_worker *worker)
{
    struct cache *c = context;
    struct spn_fault fault = {.what = "frame table"};
    spn_status status = validate_checksum(c, &fault);

    (void)argument;
    (void)worker;
    if (status == SPN_OK)
        status = validate_entries(c, &fault);
    if (status == SPN_OK)
        measure_groups(c);
    fault.offset += c->header.frame_table_offset;
    end_job(c, status, &fault);
}

/* Tables. */

/* Pack the blocks of a frame into units of at most 64 KiB, in order. */
static void plan_frame(struct cache *c)
{
    struct cache_plan *plan = &c->plan;
    uint32_t at = (uint32_t)spn__decoded_frame_record_bytes(&c->header);
    uint32_t unit = 0;

    plan->record_bytes = at;
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
    if (plan->unit_bytes[0] < plan->record_bytes)
        plan->unit_bytes[0] = plan->record_bytes;
    plan->unit_count = unit + 1;
    for (uint32_t u = 0; u < plan->unit_count; u++) {
        uint32_t pages =
            spn__promise_pages(&c->manager->promises, plan->unit_bytes[u]);

        plan->frame_pages += pages;
        if (pages > plan->unit_pages_max)
            plan->unit_pages_max = pages;
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
            spn__cache_tables_read(&c->header, bytes, c->tables_memory,
                                   c->tables_memory_bytes, &c->tables, &fault);
    if (status == SPN_OK) {
        plan_frame(c);
        c->decoder = (struct cache_decoder){.header = &c->header,
                                            .tables = &c->tables,
                                            .blob_data = c->blob_data,
                                            .codec = c->codec,
                                            .predict = &c->manager->predict,
                                            .lift = c->manager->lift_ops};
    }
    fault.offset += c->header.tables_offset;
    end_job(c, status, &fault);
}

/* Blobs. */

/* The index behind the last mesh of the job that begins with `first`. */
static uint32_t hash_limit(const struct cache *c, uint32_t first)
{
    uint64_t vertices = 0;
    uint32_t m = first;

    while (m < c->header.mesh_count && vertices < CACHE_TILE_VERTICES_MAX) {
        const struct cache_mesh *mesh = &c->tables.meshes[m++];

        vertices += cache_mesh_is_static(mesh) ? mesh->vertex_count : 0;
    }
    return m;
}

static bool submit(struct cache *c, job_fn run)
{
    atomic_add_acq_rel(&c->jobs_left, 1);
    if (spn__jobs_submit(c->manager->config.jobs, run, c, c->job_cursor))
        return true;
    atomic_add_acq_rel(&c->jobs_left, UINT32_MAX);
    return false;
}

/* Submit the jobs of this pass, from job_cursor on. False: the table of jobs is
 * full. */
static bool submit_pass(struct cache *c)
{
    if (c->pass == CACHE_PASS_HASHES) {
        for (; c->job_cursor < c->header.mesh_count;
             c->job_cursor = hash_limit(c, c->job_cursor))
            if (!submit(c, spn__cache_hash_job))
                return false;
        return true;
    }
    for (; c->job_cursor < c->header.blob_count; c->job_cursor++)
        if ((uint32_t)spn__blob_pass(&c->tables.blobs[c->job_cursor]) ==
                c->pass &&
            !submit(c, spn__cache_blob_job))
            return false;
    return true;
}

/* While blobs are unpacked, jobs_left is the number of jobs, and one. Whoever
 * finds that only this one is left, owns `pass` and job_cursor. While jobs are
 * submitted it is one more, so that no job finds this. */
static void submit_passes(struct cache *c)
{
    while (c->pass < CACHE_PASS_COUNT && !atomic_load_relaxed(&c->has_failed)) {
        bool is_whole;

        atomic_add_acq_rel(&c->jobs_left, 1);
        is_whole = submit_pass(c);
        if (is_whole) {
            c->pass++;
            c->job_cursor = 0;
        }
        if (atomic_add_acq_rel(&c->jobs_left, UINT32_MAX) != 2)
            return;
        if (!is_whole)
            break;
    }
    /* Release: pairs with the acquire in is_busy (cache_load.c). */
    atomic_add_acq_rel(&c->jobs_left, UINT32_MAX);
}

static void end_pass_job(struct cache *c, spn_status status,
                         const struct spn_fault *fault)
{
    note_result(c, status, fault);
    if (atomic_add_acq_rel(&c->jobs_left, UINT32_MAX) == 2)
        submit_passes(c);
}

void spn__cache_unpack_blobs(struct cache *c)
{
    atomic_add_acq_rel(&c->jobs_left, 1);
    submit_passes(c);
}

/* The stored bytes of a blob in the read block. */
struct stored_blob {
    const struct cache *cache;
    uint64_t at; /* offset in the read block */
    uint32_t bytes;
    struct pieces pieces;
};

static void rewind_pieces(void *user)
{
    struct stored_blob *stored = user;

    pieces_begin(stored->cache, stored->at, stored->bytes, &stored->pieces);
}

static const uint8_t *next_piece(void *user, uint32_t *bytes)
{
    return pieces_next(&((struct stored_blob *)user)->pieces, bytes);
}

void spn__cache_blob_job(void *context, uint32_t argument,
                         struct job_worker *worker)
{
    struct cache *c = context;
    const struct cache_blob *blob = &c->tables.blobs[argument];
    const struct decode_scratch scratch =
        spn__cache_scratch(c, worker->scratch);
    struct stored_blob stored = {.cache = c,
                                 .at = c->blobs_at + blob->offset,
                                 .bytes = blob->stored_bytes};
    const struct blob_pieces pieces = {{next_piece, &stored}, rewind_pieces};
    struct blob_job job = {
        .cache = &c->decoder, .blob = argument, .pieces = &pieces};
    struct spn_fault fault = {.what = "static data",
                              .offset = c->header.blobs_offset + blob->offset};
    spn_status status = SPN_ERR_FORMAT;

    if (spn__blob_pass(blob) != BLOB_PASS_ONE_RINGS)
        job.stored = spn__heap_view(c->manager->config.heap, c->read_block,
                                    (uint32_t)stored.at, stored.bytes,
                                    decode_scratch_stored(&scratch));
    if (job.stored || spn__blob_pass(blob) == BLOB_PASS_ONE_RINGS)
        status = spn__blob_decode(&job, &scratch, &fault);
    end_pass_job(c, status, &fault);
}

void spn__cache_hash_job(void *context, uint32_t argument,
                         struct job_worker *worker)
{
    struct cache *c = context;
    const struct decode_scratch scratch =
        spn__cache_scratch(c, worker->scratch);
    struct spn_fault fault = {.what = "content hash of a mesh"};
    const uint32_t limit = hash_limit(c, argument);
    spn_status status = SPN_OK;

    for (uint32_t m = argument; status == SPN_OK && m < limit; m++) {
        status = spn__mesh_hash_validate(
            &c->decoder, m, decode_scratch_stored(&scratch), &fault);
        if (status == SPN_OK && cache_mesh_is_static(&c->tables.meshes[m]))
            spn__vertex_order_restore(&c->decoder, m,
                                      decode_scratch_stored(&scratch));
    }
    end_pass_job(c, status, &fault);
}
