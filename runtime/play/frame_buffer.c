/* frame_buffer.c - acquire, write and release the engine's buffers. */
/* SPDX-License-Identifier: MIT */
#include "play/frame_buffer.h"

#if SPN_WITH_FRAME_BUFFERS

#include "base/assert.h"
#include "base/mem.h"
#include "play/frame_slot.h"
#include "play/mesh_source.h"

#include <stddef.h>

void spn__frame_buffers_init(struct frame_buffers *b, struct carve *carve,
                             uint32_t frames_max)
{
    const uint32_t capacity = frames_max + 2;
    struct frame_buffer *table =
        SPN_CARVE(carve, struct frame_buffer, capacity);

    if (b)
        *b = (struct frame_buffers){.table = table, .capacity = capacity};
}

void spn__frame_buffers_open(struct frame_buffers *b, struct cache *c,
                             uint32_t node, const spn_frame_buffers *engine)
{
    SPN_ASSERT(b->count == 0);
    b->cache = c;
    b->node = node;
    b->engine = *engine;
}

void spn__frame_buffers_begin(struct frame_buffers *b, uint32_t count_max)
{
    SPN_ASSERT(b->count == 0);
    b->count_max = count_max < b->capacity ? count_max : b->capacity;
}

static struct keeper *keeper_of(const struct frame_buffers *b)
{
    return &b->cache->manager->promises.keeper;
}

/* Entries in use lie anywhere in the first count_max of the table. */
static struct frame_buffer *find(const struct frame_buffers *b, uint32_t number)
{
    for (uint32_t i = 0; i < b->count_max; i++)
        if (b->table[i].state != BUFFER_FREE && b->table[i].number == number)
            return &b->table[i];
    return NULL;
}

static struct frame_buffer *acquire(struct frame_buffers *b, uint32_t number,
                                    enum frame_buffer_state state)
{
    struct frame_buffer *f = b->table;

    SPN_ASSERT(b->count < b->count_max);
    while (f->state != BUFFER_FREE)
        f++;
    memset(f, 0, sizeof *f);
    f->buffers = b;
    f->number = number;
    f->stamp = keeper_of(b)->stamp;
    f->vertices = b->engine.acquire(b->engine.user, b->node, number);
    f->state = (uint8_t)(f->vertices ? state : BUFFER_WRITTEN);
    b->count++;
    if (f->state != BUFFER_WRITTEN)
        b->busy_count++;
    return f;
}

static void release(struct frame_buffer *f)
{
    struct frame_buffers *b = f->buffers;

    SPN_ASSERT(f->state == BUFFER_WRITTEN);
    f->state = BUFFER_FREE;
    b->count--;
    if (f->vertices)
        b->engine.release(b->engine.user, b->node, f->number, f->vertices);
}

static void finish(struct frame_buffer *f)
{
    f->frame = NULL;
    f->state = BUFFER_WRITTEN;
    f->buffers->busy_count--;
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

/* All parts of a tile; mesh after mesh in the buffer. */
static void write_tile(const struct frame_buffer *f,
                       const struct decoded_frame *frame, uint32_t tile)
{
    const struct cache_tables *tables = &frame->cache->tables;
    const struct cache_tile *info = &tables->tiles[tile];
    const spn_vertex_layout *layout = &f->buffers->engine.layout;

    if (info->animated_mask == 0)
        return;
    for (uint32_t i = 0; i < info->part_count; i++) {
        const struct cache_part *part = &tables->parts[info->first_part + i];
        const uint64_t first = tables->meshes[part->mesh].first_vertex;

        write_part(frame, part, layout,
                   (uint8_t *)f->vertices + (size_t)(first * layout->stride));
    }
}

void spn__frame_buffers_write(const struct decoded_frame *f, uint32_t tile)
{
    for (const struct frame_buffer *b = f->written; b; b = b->next_written)
        write_tile(b, f, tile);
}

/* Write a frame that is decoded already. */
static void write_job(void *context, uint32_t argument,
                      struct job_worker *worker)
{
    struct frame_buffer *f = context;
    const struct decoded_frame *frame = f->frame;

    (void)argument;
    (void)worker;
    for (uint32_t t = 0; t < frame->cache->header.tile_count; t++)
        if (!(atomic_load_relaxed(&frame->tiles[t].flags) & TILE_ABSENT))
            write_tile(f, frame, t);
    /* Release: pairs with the acquire in spn__frame_buffers_collect. */
    atomic_store_release(&f->is_written, 1);
}

static void submit(struct frame_buffer *f)
{
    f->state = BUFFER_WRITING;
    if (!spn__jobs_submit(f->buffers->cache->manager->config.jobs, write_job, f,
                          0))
        f->state = BUFFER_WAITING;
}

/* -- an update -- */

static void collect(struct frame_buffer *f)
{
    if (f->state == BUFFER_WAITING)
        submit(f);
    if (f->state == BUFFER_WRITING && atomic_load_acquire(&f->is_written)) {
        spn__frame_slot_unpin(f->frame);
        finish(f);
    } else if (f->state == BUFFER_WRITING || f->state == BUFFER_WAITING) {
        spn__kept_hold(keeper_of(f->buffers), &f->frame->kept);
    }
}

void spn__frame_buffers_collect(struct frame_buffers *b)
{
    b->need_count = 0;
    if (b->busy_count == 0)
        return;
    for (uint32_t i = 0; i < b->count_max; i++)
        collect(&b->table[i]);
}

void spn__frame_buffers_need(struct frame_buffers *b, uint32_t number)
{
    struct frame_buffer *f = find(b, number);
    struct decoded_frame *frame = frame_slot_ready(b->cache, number);

    if (b->need_count == b->count_max)
        return;
    if (!f || f->stamp != keeper_of(b)->stamp)
        b->need_count++;
    if (f) {
        f->stamp = keeper_of(b)->stamp;
        return;
    }
    if (!frame || b->count == b->count_max)
        return;
    f = acquire(b, number, BUFFER_WAITING);
    if (f->state != BUFFER_WAITING)
        return;
    f->frame = frame;
    frame->pins++;
    spn__kept_hold(keeper_of(b), &frame->kept);
    submit(f);
}

void spn__frame_buffers_release(struct frame_buffers *b, bool is_all)
{
    for (uint32_t i = 0; b->count > 0 && i < b->count_max; i++) {
        struct frame_buffer *f = &b->table[i];

        if (f->state == BUFFER_WRITTEN &&
            (is_all || f->stamp != keeper_of(b)->stamp))
            release(f);
    }
}

/* -- frames that are launched -- */

bool spn__frame_buffers_have_room(const struct frame_buffers *b)
{
    return b->count < b->count_max;
}

void spn__frame_buffers_attach(struct frame_buffers *b, struct decoded_frame *f)
{
    struct frame_buffer *buffer;

    if (b->count == b->count_max || find(b, f->number))
        return;
    buffer = acquire(b, f->number, BUFFER_DECODING);
    if (buffer->state != BUFFER_DECODING)
        return;
    buffer->frame = f;
    buffer->next_written = f->written;
    f->written = buffer;
}

void spn__frame_buffers_end(struct decoded_frame *f)
{
    struct frame_buffer *next;

    for (struct frame_buffer *b = f->written; b; b = next) {
        next = b->next_written;
        finish(b);
    }
    f->written = NULL;
}

/* -- queries -- */

bool spn__frame_buffers_has(const struct frame_buffers *b, uint32_t number)
{
    const struct frame_buffer *f = find(b, number);

    return f && f->state == BUFFER_WRITTEN;
}

void *spn__frame_buffers_vertices(const struct frame_buffers *b,
                                  uint32_t number)
{
    const struct frame_buffer *f = find(b, number);

    return f ? f->vertices : NULL;
}

#endif
