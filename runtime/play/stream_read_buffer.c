/* stream_read_buffer.c - release, abort and complete the reads of a stream. */
/* SPDX-License-Identifier: MIT */
#include "play/stream_read_buffer.h"

#include "base/assert.h"
#include "base/mem.h"
#include "play/drive_share.h"
#include "play/play_trace.h"
#include "play/stream_memory.h"

void spn__stream_free_read(struct stream *s, struct stream_read *r)
{
    (void)spn__heap_free(s->manager->config.heap, r->block);
    s->read_pages -= r->pages;
    memset(r, 0, sizeof *r);
    spn__stream_update_promise(s);
}

void spn__stream_release_read(struct stream *s, struct stream_group *g)
{
    struct stream_read *r;

    if (g->read == STREAM_NO_READ)
        return;
    r = &s->reads[g->read];
    g->read = STREAM_NO_READ;
    SPN_ASSERT(r->group_count > 0);
    if (--r->group_count > 0)
        return;
    if (r->state == READ_DONE || r->state == READ_RETRY) {
        spn__stream_free_read(s, r);
        return;
    }
    /* The device may write into the buffer until the completion. */
    SPN_ASSERT(r->state == READ_PENDING);
    r->state = READ_DYING;
    spn__play_trace(s->manager, TRACE_READ_ABORT, s->node_handle,
                    (uint32_t)(r->offset / STREAM_READ_ALIGN), r->bytes);
    (void)spn__io_abort(s->manager->config.io, r->read);
}

void spn__stream_abort_reads(struct stream *s)
{
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++) {
        struct stream_read *r = &s->reads[i];

        if (r->state == READ_PENDING)
            (void)spn__io_abort(s->manager->config.io, r->read);
    }
}

bool spn__stream_has_pending_reads(const struct stream *s)
{
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++)
        if (s->reads[i].state == READ_PENDING ||
            s->reads[i].state == READ_DYING)
            return true;
    return false;
}

/* Completions. */

struct stream_group *spn__stream_group_of_read(const struct stream *s,
                                               uint32_t index, uint32_t i)
{
    struct stream_group *g = spn__stream_group(s, s->first_place + i);

    return g->read == index ? g : NULL;
}

/* Mark the frames that lie in bytes [start, limit) of the buffer, which have
 * arrived. */
static void mark_readable(struct stream *s, uint32_t index, uint64_t start,
                          uint64_t limit)
{
    const struct stream_read *r = &s->reads[index];

    for (uint32_t i = 0; i < s->group_count; i++) {
        struct stream_group *g = spn__stream_group_of_read(s, index, i);

        for (uint32_t k = 0; g && k < g->info->frame_count; k++) {
            const struct cache_frame *frame =
                cache_frame_at(s->cache, g->info->first_frame + k);
            uint64_t at = frame->offset - r->offset;

            /* If a group is read only for its anchor, its other frames lie
             * before the buffer. */
            if (frame->offset >= r->offset && at >= start && at <= limit &&
                frame->bytes <= limit - at)
                stream_group_frame(g, k)->is_readable = true;
        }
    }
}

/* Offset in the buffer at which to go on after a failure: the page in which the
 * first frame behind the bad page begins. 0: no frame begins there. */
static uint32_t find_resume(const struct stream *s, uint32_t index,
                            uint64_t failed_at)
{
    const struct stream_read *r = &s->reads[index];
    uint64_t behind =
        failed_at - failed_at % STREAM_READ_ALIGN + STREAM_READ_ALIGN;
    uint64_t first = UINT64_MAX;

    for (uint32_t i = 0; i < s->group_count; i++) {
        const struct stream_group *g = spn__stream_group_of_read(s, index, i);

        for (uint32_t k = 0; g && k < g->info->frame_count; k++) {
            const struct cache_frame *frame =
                cache_frame_at(s->cache, g->info->first_frame + k);
            uint64_t at = frame->offset - r->offset;

            if (frame->offset >= r->offset && at >= behind && at < first)
                first = at;
        }
    }
    return first < r->bytes ? (uint32_t)(first - first % STREAM_READ_ALIGN) : 0;
}

/* Return the share of the drive if all of a clip that does not loop was read.
 */
static void finish_if_read(struct stream *s)
{
    if (s->is_draining || !spn__stream_is_end(s, s->next_place))
        return;
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++)
        if (s->reads[i].state != READ_FREE && s->reads[i].state != READ_DONE)
            return;
    spn__drive_share_finish(s);
}

/* True for failures of one place of the file: what lies behind it may be good.
 */
static bool is_of_a_place(spn_status status)
{
    return status == SPN_ERR_IO || status == SPN_ERR_CHECKSUM ||
           status == SPN_ERR_CODEC;
}

static void end_read(struct stream *s, uint32_t index,
                     const struct io_result *result)
{
    struct stream_read *r = &s->reads[index];
    uint64_t limit = (uint64_t)r->start + result->bytes;
    uint32_t resume;

    r->state = READ_DONE;
    mark_readable(s, index, r->start, limit);
    if (result->status != SPN_OK)
        r->status = (int8_t)result->status;
    if (!is_of_a_place(result->status) || s->is_draining)
        return;
    resume = find_resume(s, index, limit);
    if (resume == 0)
        return;
    r->start = resume;
    r->state = READ_RETRY;
}

void spn__stream_on_read(void *context, uint32_t argument,
                         const struct io_result *result)
{
    struct stream *s = context;
    struct stream_read *r = &s->reads[argument];
    struct manager_pending *pending = &s->manager->pending[r->medium];

    spn__play_trace(s->manager, TRACE_READ_END, s->node_handle,
                    (uint32_t)(r->offset / STREAM_READ_ALIGN),
                    (uint32_t)result->status);
    r->read = 0;
    pending->reads--;
    pending->bytes -= r->bytes - r->start;
    s->bytes_read += result->bytes;
    if (r->state == READ_DYING)
        spn__stream_free_read(s, r);
    else
        end_read(s, argument, result);
    finish_if_read(s);
}
