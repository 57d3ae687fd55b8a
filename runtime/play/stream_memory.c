/* stream_memory.c - promises to a stream, and the memory of its frames. */
/* SPDX-License-Identifier: MIT */
#include "play/stream_memory.h"

#include "base/assert.h"

#include <spindle/features.h>

static uint32_t share_of(const struct stream *s, uint32_t decode_promise)
{
    return decode_promise + s->cache->read_pages_max;
}

/* Replace the promise. False if it does not fit beside all others; the old one
 * is kept then. */
static bool promise(struct stream *s, uint32_t decode_promise)
{
    struct manager *m = s->manager;
    uint32_t had = s->decode_promise + s->read_promise;
    uint32_t taken =
        m->promises.static_pages + m->promises.promised_pages - had;
    uint32_t share = share_of(s, decode_promise);

    if (share > stream_unused_pages(m->config.heap->page_count, taken))
        return false;
    s->decode_promise = decode_promise;
    s->read_promise = s->cache->read_pages_max;
    m->promises.promised_pages += share - had;
    if (s->cache->plan.unit_pages_max > m->promises.largest_unit_pages)
        m->promises.largest_unit_pages = s->cache->plan.unit_pages_max;
    return true;
}

/* The full promise if it fits; otherwise the one that it has; otherwise the
 * least one. A stream that does not run has none. */
static void choose_promise(struct stream *s)
{
    uint32_t full;

    if (!s->is_active || !stream_is_admitted(s)) {
        s->manager->promises.promised_pages -=
            s->decode_promise + s->read_promise;
        s->decode_promise = 0;
        s->read_promise = 0;
        return;
    }
    full = spn__cache_decode_promise(s->cache);
    if (s->decode_promise == full || promise(s, full) || s->decode_promise > 0)
        return;
    (void)promise(s, spn__cache_decode_least(s->cache));
}

void spn__stream_update_promise(struct stream *s)
{
    uint32_t owed;

    choose_promise(s);
    owed = stream_unused_pages(s->decode_promise, s->decoded_pages) +
           stream_unused_pages(s->read_promise, s->read_pages);
    s->manager->promises.owed_pages += owed - s->owed_pages;
    s->owed_pages = owed;
}

bool spn__stream_awaits_memory(const struct stream *s, uint64_t *bytes)
{
    const struct manager *m = s->manager;

    if (!s->is_active || s->is_draining || s->decode_promise > 0 ||
        !stream_is_admitted(s))
        return false;
    *bytes = ((uint64_t)m->promises.static_pages + m->promises.promised_pages +
              share_of(s, spn__cache_decode_least(s->cache)))
             << m->config.heap->page_shift;
    return true;
}

void spn__stream_free_control(struct stream *s, struct frame_control *control,
                              uint64_t frame)
{
    const struct stream_buffers *b = s->buffers;

    s->decoded_pages -= control->pages;
    if (SPN_WITH_FRAME_BUFFERS && control->vertices) {
        s->buffers_out--;
        b->engine.release(b->engine.user, s->node_handle,
                          spn__stream_number(s, frame), control->vertices);
    }
    spn__frame_free(s->cache, control);
}

void spn__stream_hold_frame(struct stream *s, uint64_t frame)
{
    struct stream_frame *f = spn__stream_frame(s, frame);

    if (!f)
        return;
    SPN_ASSERT(f->state == FRAME_READY);
    spn__stream_drop_held_frame(s);
    s->held_frame = f->control;
    s->held_position = frame;
    f->control = NULL;
}

void spn__stream_drop_held_frame(struct stream *s)
{
    if (!s->held_frame)
        return;
    spn__stream_free_control(s, s->held_frame, s->held_position);
    s->held_frame = NULL;
    spn__stream_update_promise(s);
}
