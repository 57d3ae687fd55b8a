/* frame_buffer.c - acquire, write and release the engine's buffers. */
/* SPDX-License-Identifier: MIT */
#include "play/frame_buffer.h"

#if SPN_WITH_FRAME_BUFFERS

#include "base/assert.h"
#include "play/frame_slot.h"
#include "play/mesh_source.h"

#include <stddef.h>

/* The pair that is shown, the one that was shown before, and the frame behind
 * the last one ahead. */
#define SHOWN_FRAMES 5u

static struct keeper *keeper_of(const struct cache *c)
{
    return &c->manager->promises.keeper;
}

/* No frame has two buffers. */
uint32_t spn__frame_buffers_needed(const struct cache *c, uint32_t node_count)
{
    const uint32_t count = c->header.frame_count;
    const uint64_t all =
        (uint64_t)node_count *
        (spn__cache_frames_within(c, FRAME_BUFFER_AHEAD_US) + SHOWN_FRAMES);

    return all < count ? (uint32_t)all : count;
}

spn_status spn__frame_buffers_set(struct cache *c, spn_cache cache,
                                  const spn_frame_buffers *engine)
{
    if (c->cursor_count > 0)
        return SPN_ERR_STATE;
    SPN_ASSERT(c->buffers.count == 0);
    c->buffers = (struct cache_buffers){.cache = cache};
    c->buffers.wanted_end = &c->buffers.wanted;
    if (engine)
        c->buffers.engine = *engine;
    return SPN_OK;
}

static void acquire(struct decoded_frame *f, enum frame_buffer_state state)
{
    struct cache_buffers *b = &f->cache->buffers;

    f->buffer.vertices = b->engine.acquire(b->engine.user, b->cache, f->number);
    f->buffer.state = (uint8_t)(f->buffer.vertices ? state : BUFFER_WRITTEN);
    f->buffer.stamp = keeper_of(f->cache)->stamp;
    f->buffer.next = b->first;
    b->first = f;
    b->count++;
    if (f->buffer.state != BUFFER_WRITTEN)
        b->busy_count++;
}

/* The frame is no longer in the list. */
static void give_back(struct decoded_frame *f)
{
    struct cache_buffers *b = &f->cache->buffers;

    SPN_ASSERT(f->buffer.state == BUFFER_WRITTEN);
    f->buffer.state = BUFFER_NONE;
    b->count--;
    if (f->buffer.vertices)
        b->engine.release(b->engine.user, b->cache, f->number,
                          f->buffer.vertices);
    f->buffer.vertices = NULL;
}

static void finish(struct decoded_frame *f)
{
    f->buffer.state = BUFFER_WRITTEN;
    f->cache->buffers.busy_count--;
}

/* -- writing -- */

/* The vertices of one part in one decoded frame.
 *
 * vertices  those of the whole mesh */
static void write_part(const struct decoded_frame *frame,
                       const struct cache_part *part,
                       const spn_vertex_layout *layout, uint8_t *vertices)
{
    const struct cache *c = frame->cache;
    const struct fill_frames now = {frame, frame, 0};
    const struct fill_motion none = {0};
    struct fill_constants constants;
    struct fill_source source;

    spn__mesh_source_find(c, &now, &now, &none, part, &source);
    spn__fill_constants(&c->tables.meshes[part->mesh], &constants);
    spn__fill_run(&c->manager->fill, &constants, &source, layout,
                  vertices + (size_t)part->first_vertex * layout->stride);
}

/* All parts of the tile; mesh after mesh in the buffer. */
void spn__frame_buffers_write(const struct decoded_frame *f, uint32_t tile)
{
    const struct cache_tables *tables = &f->cache->tables;
    const struct cache_tile *info = &tables->tiles[tile];
    const spn_vertex_layout *layout = &f->cache->buffers.engine.layout;

    if (!f->buffer.vertices || info->animated_mask == 0)
        return;
    for (uint32_t i = 0; i < info->part_count; i++) {
        const struct cache_part *part = &tables->parts[info->first_part + i];
        const uint64_t first = tables->meshes[part->mesh].first_vertex;

        write_part(f, part, layout,
                   (uint8_t *)f->buffer.vertices +
                       (size_t)(first * layout->stride));
    }
}

/* Write a frame that is decoded already. */
static void write_job(void *context, uint32_t argument,
                      struct job_worker *worker)
{
    struct decoded_frame *f = context;

    (void)argument;
    (void)worker;
    for (uint32_t t = 0; t < f->cache->header.tile_count; t++)
        if (decoded_frame_has(f, t))
            spn__frame_buffers_write(f, t);
    /* Release: pairs with the acquire in spn__frame_buffers_collect. */
    atomic_store_release(&f->buffer.is_written, 1);
}

static void submit(struct decoded_frame *f)
{
    f->buffer.state = BUFFER_WRITING;
    if (!spn__jobs_submit_urgent(f->cache->manager->config.jobs, write_job, f,
                                 0))
        f->buffer.state = BUFFER_WAITING;
}

/* -- an update -- */

void spn__frame_buffers_collect(struct cache *c)
{
    if (c->buffers.busy_count == 0)
        return;
    for (struct decoded_frame *f = c->buffers.first; f; f = f->buffer.next) {
        if (f->buffer.state == BUFFER_WAITING)
            submit(f);
        if (f->buffer.state == BUFFER_WRITING &&
            atomic_load_acquire(&f->buffer.is_written)) {
            finish(f);
            spn__frame_slot_unpin(f);
        } else if (f->buffer.state == BUFFER_WRITING ||
                   f->buffer.state == BUFFER_WAITING) {
            spn__promise_hold_unpaid(&c->manager->promises, f->kept);
        }
    }
}

/* True if one more buffer stays within the stated number. */
static bool has_room(const struct cache *c)
{
    return c->buffers.count < (uint64_t)c->cursor_count * c->buffers.each;
}

bool spn__frame_buffers_need(struct decoded_frame *f)
{
    struct cache *c = f->cache;

    if (!kept_is_held(keeper_of(c), f->kept) ||
        f->buffer.stamp == keeper_of(c)->stamp)
        return false;
    f->buffer.stamp = keeper_of(c)->stamp;
    if (f->buffer.state == BUFFER_NONE && frame_slot_ready(c, f->number) == f) {
        f->buffer.state = BUFFER_WANTED;
        f->buffer.next = NULL;
        *c->buffers.wanted_end = f;
        c->buffers.wanted_end = &f->buffer.next;
    }
    return true;
}

static void acquire_and_write(struct decoded_frame *f)
{
    acquire(f, BUFFER_WAITING);
    if (f->buffer.state != BUFFER_WAITING)
        return;
    atomic_store_relaxed(&f->buffer.is_written, 0);
    f->pins++;
    submit(f);
}

static void release(struct cache *c, bool is_all)
{
    struct decoded_frame **link = &c->buffers.first;

    while (*link) {
        struct decoded_frame *f = *link;

        if (f->buffer.state == BUFFER_WRITTEN &&
            (is_all || f->buffer.stamp != keeper_of(c)->stamp)) {
            *link = f->buffer.next;
            give_back(f);
        } else {
            link = &f->buffer.next;
        }
    }
}

void spn__frame_buffers_update(struct cache *c)
{
    struct decoded_frame *next;

    release(c, false);
    for (struct decoded_frame *f = c->buffers.wanted; f; f = next) {
        next = f->buffer.next;
        f->buffer.state = BUFFER_NONE;
        if (has_room(c))
            acquire_and_write(f);
    }
    c->buffers.wanted = NULL;
    c->buffers.wanted_end = &c->buffers.wanted;
}

bool spn__frame_buffers_clear(struct cache *c)
{
    spn__frame_buffers_collect(c);
    release(c, true);
    return c->buffers.count == 0;
}

/* -- frames that are launched -- */

void spn__frame_buffers_attach(struct decoded_frame *f)
{
    if (f->buffer.state == BUFFER_NONE && has_room(f->cache))
        acquire(f, BUFFER_DECODING);
}

void spn__frame_buffers_end(struct decoded_frame *f, bool is_lost)
{
    struct decoded_frame **link = &f->cache->buffers.first;

    if (f->buffer.state == BUFFER_DECODING)
        finish(f);
    if (f->buffer.state == BUFFER_NONE || !is_lost)
        return;
    while (*link != f)
        link = &(*link)->buffer.next;
    *link = f->buffer.next;
    give_back(f);
}

bool spn__frame_buffers_check(const struct cache *c)
{
    uint32_t count = 0;
    uint32_t busy = 0;

    for (const struct decoded_frame *f = c->buffers.first; f;
         f = f->buffer.next) {
        if (f->cache != c || f->buffer.state == BUFFER_NONE)
            return false;
        count++;
        busy += f->buffer.state != BUFFER_WRITTEN;
    }
    return count == c->buffers.count && busy == c->buffers.busy_count &&
           !c->buffers.wanted && (c->cursor_count > 0 || count == 0);
}

#endif
