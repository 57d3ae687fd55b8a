/* cache_load.c - the steps of loading and closing a cache. */
/* SPDX-License-Identifier: MIT */
#include "play/cache_load.h"

#include "base/assert.h"
#include "cache/blob_decoder.h"
#include "play/cache_jobs.h"
#include "play/cache_memory.h"
#include "play/cache_meshes.h"
#include "play/frame_slot.h"
#include "play/play_trace.h"
#include "play/scratch.h"

#define READ_ALIGN 4096u
#define RETRY_US 1000000u

static void on_read(void *context, uint32_t argument,
                    const struct io_result *result)
{
    struct cache *c = context;

    (void)argument;
    c->read = 0;
    c->read_status = result->status;
    c->read_bytes = result->bytes;
}

static uint64_t now_us(const struct cache *c)
{
    return c->manager->now_us;
}

/* Size of an aligned read that covers [offset, offset + bytes), or ends with
 * the file.
 *
 * skip  bytes of the read before `offset` */
static uint64_t padded(const struct cache *c, uint64_t offset, uint64_t bytes,
                       uint32_t *skip)
{
    uint64_t end = offset + bytes;

    *skip = (uint32_t)(offset % READ_ALIGN);
    end += (READ_ALIGN - end % READ_ALIGN) % READ_ALIGN;
    if (end > c->header.file_bytes)
        end = c->header.file_bytes;
    return end - (offset - *skip);
}

static bool start_read(struct cache *c, uint64_t offset, uint64_t bytes,
                       void *buffer)
{
    struct io_read read = {0};

    c->read_offset = offset;
    c->read_wanted = bytes;
    read.file = c->file;
    read.offset = offset;
    read.bytes = bytes;
    read.buffer = buffer;
    read.block = buffer ? 0 : c->read_block;
    read.priority = SPN_PRIORITY_NORMAL;
    read.task = SPN_TASK_GEOM_CACHE;
    read.deadline_us = now_us(c) + 1000000u;
    read.on_done = on_read;
    read.context = c;
    return spn__io_start(c->manager->config.io, &read, &c->read) == SPN_OK;
}

void spn__cache_finish_loading(struct cache *c)
{
    if (c->manager->loading == c)
        c->manager->loading = NULL;
}

/* Free the decoded frames that nobody plays (node/memory_play.h). */
static void free_frames(struct cache *c)
{
    if (c->decoded_count > 0)
        spn__frame_slot_clear(c);
    c->keeps_frames = false;
}

/* Free the blobs and the frames, and give up the meshes.
 *
 * status  SPN_PENDING, or why they could not be loaded */
static void unload(struct cache *c, spn_status status)
{
    free_frames(c);
    spn__cache_meshes_release(c);
    spn__cache_free(c, &c->read_block);
    spn__cache_free_blobs(c);
    c->state = CACHE_UNLOADED;
    c->load_status = status;
    c->retry_us = status == SPN_PENDING ? 0 : now_us(c) + RETRY_US;
    spn__play_trace(c->manager, TRACE_UNLOAD, c->handle, (uint32_t)status,
                    c->pages);
}

static void fail(struct cache *c, spn_status status,
                 const struct spn_fault *fault)
{
    c->fault = *fault;
    c->fault.status = status;
    c->fault.file = c->path;
    spn__cache_finish_loading(c);
    if (SPN_WITH_VIEWS && cache_has_tables(c)) {
        unload(c, status);
        return;
    }
    c->state = CACHE_FAILED;
    c->status = status;
    spn__cache_meshes_release(c);
    spn__cache_drop_memory(c);
    if (c->file)
        (void)spn__io_file_close(c->manager->config.io, c->file);
    c->file = 0;
    spn__play_trace(c->manager, TRACE_FAIL, c->handle, (uint32_t)status, 0);
}

/* A file that is too short for a header is not a cache. Any other read that
 * brings too little is an error of the drive. */
static void fail_read(struct cache *c, const char *what)
{
    struct spn_fault fault = {.what = what,
                              .offset = c->read_offset + c->read_bytes,
                              .value = c->read_bytes,
                              .expected = c->read_wanted,
                              .has_expected = 1};
    spn_status status = c->read_status;
    struct file_facts file;

    /* The same fault as that of cache_header.h for a whole file in memory. */
    if ((status == SPN_ERR_RANGE || status == SPN_ERR_SHORT_READ) &&
        spn__io_file_facts(c->manager->config.io, c->file, &file) == SPN_OK &&
        file.bytes < CACHE_HEADER_BYTES) {
        status = SPN_ERR_FORMAT;
        fault = (struct spn_fault){.what = "file size",
                                   .value = file.bytes,
                                   .expected = CACHE_HEADER_BYTES,
                                   .has_expected = 1};
    }
    fail(c, status, &fault);
}

static bool is_busy(const struct cache *c)
{
    /* Acquire: pairs with the release at the end of each job. */
    return c->read != 0 || atomic_load_acquire(&c->jobs_left) != 0;
}

static void step_closing(struct cache *c)
{
    struct manager *m = c->manager;

    if (is_busy(c))
        return;
    free_frames(c);
    spn__cache_meshes_release(c);
    spn__cache_drop_memory(c);
    if (c->file)
        (void)spn__io_file_close(m->config.io, c->file);
    spn__play_trace(m, TRACE_CLOSE, c->handle, 0, 0);
    (void)spn__pool_give(&m->cache_pool, c->handle);
}

/* Its blobs are to be loaded again. */
static bool is_wanted_again(const struct cache *c)
{
    return SPN_WITH_VIEWS && c->state == CACHE_UNLOADED && !c->is_unwanted &&
           now_us(c) >= c->retry_us;
}

/* The cache that has waited longest; NULL: none. */
static struct cache *find_oldest(const struct manager *m)
{
    struct cache *oldest = NULL;

    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        struct cache *c = &m->caches[i];

        if (!spn__pool_is_used(&m->cache_pool, i) ||
            (c->state != CACHE_WAITING && !is_wanted_again(c)))
            continue;
        /* Serials wrap. */
        if (!oldest || (int32_t)(c->serial - oldest->serial) < 0)
            oldest = c;
    }
    return oldest;
}

/* True if this cache may load now. The search runs once for each cache that is
 * loaded, not once for each that waits. */
static bool is_selected(const struct cache *c)
{
    struct manager *m = c->manager;

    if (!m->loading)
        m->loading = find_oldest(m);
    return m->loading == c;
}

static bool step_waiting(struct cache *c)
{
    if (!is_selected(c) ||
        !start_read(c, 0, CACHE_HEADER_BYTES, c->header_bytes))
        return false;
    c->state = CACHE_HEADER_READ;
    return true;
}

static bool step_header(struct cache *c)
{
    struct manager *m = c->manager;
    struct spn_fault fault = {.what = "header"};
    struct file_facts file;
    spn_status status;

    if (c->read)
        return false;
    if (c->read_status != SPN_OK) {
        fail_read(c, "header");
        return false;
    }
    status = spn__io_file_facts(m->config.io, c->file, &file);
    if (status == SPN_OK) {
        c->file_bytes = file.bytes;
        c->medium = file.medium;
        status = spn__cache_header_read(c->header_bytes, c->file_bytes,
                                        &c->header, &fault);
    }
    c->codec = spn__block_codec_find(c->header.codec, m->codecs,
                                     m->config.codec_count);
    c->workspace_at =
        scratch_workspace_at(m->codecs, m->config.codec_count, c->codec);
    if (status == SPN_OK && !c->codec)
        status = spn__cache_header_refuse_codec(&c->header, &fault);
    if (status != SPN_OK) {
        fail(c, status, &fault);
        return false;
    }
    c->chunk_cursor = 0;
    c->state = CACHE_FRAMES_MEMORY;
    return true;
}

/* Handle the result of an allocation. The cache fails if the memory can never
 * be allocated. False: not allocated; if it did not fail, try again later. */
static bool has_memory(struct cache *c, spn_status status)
{
    const struct cache_header *h = &c->header;
    struct spn_fault fault = {.what = "size of the static data",
                              .offset = h->frame_table_offset,
                              .value =
                                  h->frames_offset - h->frame_table_offset};

    if (status != SPN_OK && status != SPN_NO_MEMORY_NOW)
        fail(c, status, &fault);
    return status == SPN_OK;
}

static bool step_frames_memory(struct cache *c)
{
    uint64_t bytes = spn__cache_frame_table_bytes(&c->header);
    uint64_t offset = c->header.frame_table_offset;

    if (!c->table_block && !has_memory(c, spn__cache_alloc_tables(c)))
        return false;
    if (!has_memory(c, spn__cache_alloc_chunks(c)))
        return false;
    bytes = padded(c, offset, bytes, &c->read_skip);
    if (!c->read_block &&
        !has_memory(
            c, spn__cache_alloc(c, bytes, 0, HEAP_TAG_READ, &c->read_block)))
        return false;
    if (!start_read(c, offset - c->read_skip, bytes, NULL))
        return false;
    c->state = CACHE_FRAMES_READ;
    return true;
}

/* While it waits for memory, a cache that is not wanted any more is unloaded,
 * so that another one can load. */
static bool unload_unwanted(struct cache *c)
{
    if (!SPN_WITH_VIEWS || !cache_has_tables(c) || !c->is_unwanted)
        return false;
    spn__cache_finish_loading(c);
    unload(c, SPN_PENDING);
    return true;
}

/* The tables are read once; the blobs, which follow them, each time. */
static bool step_static_memory(struct cache *c)
{
    const struct cache_header *h = &c->header;
    const bool has_tables = cache_has_tables(c);
    const uint64_t first = has_tables ? h->blobs_offset : h->tables_offset;
    const uint64_t bytes = padded(
        c, first, h->blobs_offset + h->blobs_bytes - first, &c->read_skip);

    if (unload_unwanted(c))
        return false;
    if (!c->read_block &&
        !has_memory(
            c, spn__cache_alloc(c, bytes, 0, HEAP_TAG_READ, &c->read_block)))
        return false;
    /* Tables are validated in one contiguous piece. */
    if (!has_tables && !c->bounce_block &&
        !has_memory(c, spn__cache_alloc(c, h->tables_bytes, UINT32_MAX,
                                        HEAP_TAG_READ, &c->bounce_block)))
        return false;
    if (!start_read(c, first - c->read_skip, bytes, NULL))
        return false;
    c->blobs_at = c->read_skip + h->blobs_offset - first;
    c->state = CACHE_STATIC_READ;
    return true;
}

static bool submit(struct cache *c, job_fn run, uint32_t argument)
{
    atomic_add_acq_rel(&c->jobs_left, 1);
    if (spn__jobs_submit(c->manager->config.jobs, run, c, argument))
        return true;
    atomic_add_acq_rel(&c->jobs_left, UINT32_MAX);
    return false;
}

static bool step_read(struct cache *c, const char *what, job_fn run,
                      enum cache_state next)
{
    if (c->read)
        return false;
    if (c->read_status != SPN_OK) {
        fail_read(c, what);
        return false;
    }
    if (!submit(c, run, 0))
        return false;
    c->state = next;
    return true;
}

static bool step_static_read(struct cache *c)
{
    if (!cache_has_tables(c))
        return step_read(c, "static data", spn__cache_tables_job,
                         CACHE_TABLES_JOB);
    if (c->read)
        return false;
    if (c->read_status != SPN_OK) {
        fail_read(c, "static data");
        return false;
    }
    c->chunk_cursor = 0;
    c->state = CACHE_BLOBS_MEMORY;
    return true;
}

/* True if all jobs of this state have ended well. */
static bool have_jobs_ended(struct cache *c)
{
    if (is_busy(c))
        return false;
    if (atomic_load_relaxed(&c->has_failed)) {
        fail(c, c->job_status, &c->job_fault);
        return false;
    }
    return true;
}

static bool step_frames_job(struct cache *c)
{
    if (!have_jobs_ended(c))
        return false;
    spn__cache_free(c, &c->read_block);
    c->state = CACHE_STATIC_MEMORY;
    return true;
}

static bool step_tables_job(struct cache *c)
{
    if (!have_jobs_ended(c))
        return false;
    spn__cache_free(c, &c->bounce_block);
    c->chunk_cursor = 0;
    c->state = CACHE_BLOBS_MEMORY;
    return true;
}

static bool step_blobs_memory(struct cache *c)
{
    if (unload_unwanted(c) || !has_memory(c, spn__cache_alloc_blobs(c)))
        return false;
    c->pass = 0;
    c->job_cursor = 0;
    atomic_store_relaxed(&c->has_failed, 0);
    c->state = CACHE_BLOBS_JOB;
    spn__cache_unpack_blobs(c);
    return true;
}

static void become_ready(struct cache *c)
{
    spn__cache_finish_loading(c);
    c->state = CACHE_READY;
    c->status = SPN_OK;
    c->load_status = SPN_OK;
    c->whole_pages = c->pages + cache_mesh_pages(c);
    c->table_pages = c->pages - spn__cache_blob_pages(c);
    spn__play_trace(c->manager, TRACE_OPEN, c->handle, c->header.frame_count,
                    c->pages);
}

static bool step_blobs_job(struct cache *c)
{
    if (!have_jobs_ended(c))
        return false;
    if (c->pass < CACHE_PASS_COUNT) {
        spn__cache_unpack_blobs(c);
        return false;
    }
    spn__cache_free(c, &c->read_block);
    c->state = CACHE_MESHES_MEMORY;
    return true;
}

static void step_meshes(struct cache *c)
{
    spn_status status;

    if (unload_unwanted(c))
        return;
    status = spn__cache_meshes_step(c);
    if (status != SPN_PENDING && has_memory(c, status))
        become_ready(c);
}

/* Fills and cursors read blobs. */
static void step_ready(struct cache *c)
{
    if (SPN_WITH_VIEWS && c->is_unwanted && c->header.blob_count > 0 &&
        c->cursor_count == 0 &&
        /* Acquire: pairs with the end of a fill. */
        atomic_load_acquire(&c->fill_count) == 0)
        unload(c, SPN_PENDING);
}

static bool step_unloaded(struct cache *c)
{
    /* It may have been selected in the last update, before it was unwanted. */
    if (!is_wanted_again(c)) {
        spn__cache_finish_loading(c);
        return false;
    }
    if (!is_selected(c))
        return false;
    c->state = CACHE_STATIC_MEMORY;
    return true;
}

static bool step_once(struct cache *c)
{
    switch (c->state) {
    case CACHE_WAITING:
        return step_waiting(c);
    case CACHE_HEADER_READ:
        return step_header(c);
    case CACHE_FRAMES_MEMORY:
        return step_frames_memory(c);
    case CACHE_FRAMES_READ:
        return step_read(c, "frame table", spn__cache_frames_job,
                         CACHE_FRAMES_JOB);
    case CACHE_FRAMES_JOB:
        return step_frames_job(c);
    case CACHE_STATIC_MEMORY:
        return step_static_memory(c);
    case CACHE_STATIC_READ:
        return step_static_read(c);
    case CACHE_TABLES_JOB:
        return step_tables_job(c);
    case CACHE_BLOBS_MEMORY:
        return step_blobs_memory(c);
    case CACHE_BLOBS_JOB:
        return step_blobs_job(c);
    case CACHE_MESHES_MEMORY:
        step_meshes(c);
        return false;
    case CACHE_READY:
        step_ready(c);
        return false;
    case CACHE_UNLOADED:
        return step_unloaded(c);
    case CACHE_CLOSING:
        step_closing(c);
        return false;
    case CACHE_FAILED:
        return false;
    }
    return false;
}

void spn__cache_step(struct cache *c)
{
    while (step_once(c))
        ;
}
