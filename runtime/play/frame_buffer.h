/* frame_buffer.h - the engine's vertex buffers, into which frames are decoded.
 *
 * A cache can have the frames that its nodes show written to buffers of the
 * engine (spn_frame_buffers). A frame gets a buffer shortly before it is shown,
 * and gives it back when it is not shown any more. It is decoded much earlier
 * as a rule; then a job of its own writes the buffer. The jobs of a frame that
 * is decoded at the last moment write it themselves, tile by tile.
 *
 * Only frames that are held (kept.h) have buffers, except while jobs write
 * them. So a frame with a buffer is not freed, and the buffer of a frame that
 * must be freed is released in the same update.
 *
 * Owner: the caller's thread; a job that writes a buffer reads `vertices`, the
 * layout and the decoded frame, which are fixed meanwhile.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_FRAME_BUFFER_H
#define SPN_PLAY_FRAME_BUFFER_H

#include "play/cache.h"
#include "play/decoded_frame.h"

#include <spindle/features.h>
#include <spindle/geom_buffers.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frames get their buffers so long before they are shown: a few updates, in
 * which a job writes them. */
#define FRAME_BUFFER_AHEAD_US 100000

#if SPN_WITH_FRAME_BUFFERS

static inline bool cache_has_buffers(const struct cache *c)
{
    return c->buffers.engine.acquire;
}

/* Most buffers that one cursor uses at a time. */
static inline uint32_t cache_buffers_each(const struct cache *c)
{
    return c->buffers.each;
}

static inline enum frame_buffer_state frame_buffer_state(
    const struct decoded_frame *f)
{
    return (enum frame_buffer_state)f->buffer.state;
}

/* As the engine returned it; NULL: the frame has none. */
static inline void *frame_buffer_vertices(const struct decoded_frame *f)
{
    return f->buffer.vertices;
}

/* Most buffers that so many nodes of a cache use at a time. The cache must be
 * READY. */
uint32_t spn__frame_buffers_needed(const struct cache *c, uint32_t node_count);
/* Set the functions of the engine. Returns SPN_ERR_STATE while a cursor uses
 * the cache.
 *
 * cache    the handle that they are called with
 * engine   copied; NULL: frames are not written to buffers */
spn_status spn__frame_buffers_set(struct cache *c, spn_cache cache,
                                  const spn_frame_buffers *engine);

/* Once an update, before nodes choose what they show: take over what was
 * written, and hold the frames that are being written. */
void spn__frame_buffers_collect(struct cache *c);
/* A cursor holds this frame and will show it soon: keep its buffer, or get one
 * for it. Returns true if no other cursor said so in this update. */
bool spn__frame_buffers_need(struct decoded_frame *f);
/* After all cursors of the cache planned: release what is not needed any more,
 * then acquire buffers for the READY frames that need one, and have them
 * written. */
void spn__frame_buffers_update(struct cache *c);
/* The last cursor ends: release all buffers that no job writes. True if none is
 * left. */
bool spn__frame_buffers_clear(struct cache *c);

/* A frame was launched, and its jobs are not submitted yet: have them write
 * it. */
void spn__frame_buffers_attach(struct decoded_frame *f);
/* The jobs of a frame have ended.
 *
 * is_lost  it will be freed: release its buffer */
void spn__frame_buffers_end(struct decoded_frame *f, bool is_lost);
/* Write one decoded tile to the buffer of the frame, if it has one. Called by
 * jobs. */
void spn__frame_buffers_write(const struct decoded_frame *f, uint32_t tile);

/* True if `first`, the counts and the frames agree. */
bool spn__frame_buffers_check(const struct cache *c);

#else

static inline bool cache_has_buffers(const struct cache *c)
{
    (void)c;
    return false;
}

static inline uint32_t cache_buffers_each(const struct cache *c)
{
    (void)c;
    return 0;
}

static inline enum frame_buffer_state frame_buffer_state(
    const struct decoded_frame *f)
{
    (void)f;
    return BUFFER_NONE;
}

static inline void *frame_buffer_vertices(const struct decoded_frame *f)
{
    (void)f;
    return NULL;
}

static inline void spn__frame_buffers_collect(struct cache *c)
{
    (void)c;
}

static inline bool spn__frame_buffers_need(struct decoded_frame *f)
{
    (void)f;
    return false;
}

static inline void spn__frame_buffers_update(struct cache *c)
{
    (void)c;
}

static inline bool spn__frame_buffers_clear(struct cache *c)
{
    (void)c;
    return true;
}

static inline void spn__frame_buffers_attach(struct decoded_frame *f)
{
    (void)f;
}

static inline void spn__frame_buffers_end(struct decoded_frame *f, bool is_lost)
{
    (void)f;
    (void)is_lost;
}

static inline void spn__frame_buffers_write(const struct decoded_frame *f,
                                            uint32_t tile)
{
    (void)f;
    (void)tile;
}

static inline bool spn__frame_buffers_check(const struct cache *c)
{
    (void)c;
    return true;
}

#endif

#endif
