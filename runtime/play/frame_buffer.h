/* frame_buffer.h - the engine's vertex buffers, into which frames are decoded.
 *
 * A node can have each frame that it will show written to a buffer of the
 * engine (spn_frame_buffers). A buffer is acquired when the frame is launched,
 * and the jobs that decode its tiles write it. A frame that was decoded before,
 * or that another node launched, is written by a job of its own. A buffer is
 * released when the node needs the frame no more and no job writes.
 *
 * Owner: the caller's thread; a job that writes a buffer reads `vertices`, the
 * layout and the decoded frame, which are fixed meanwhile.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_FRAME_BUFFER_H
#define SPN_PLAY_FRAME_BUFFER_H

#include "base/atomic.h"
#include "base/carve.h"
#include "play/cache.h"
#include "play/decoded_frame.h"

#include <spindle/features.h>
#include <spindle/geom.h>
#include <stdbool.h>
#include <stdint.h>

enum frame_buffer_state {
    BUFFER_FREE,
    BUFFER_DECODING, /* the jobs of its frame write it */
    BUFFER_WAITING,  /* a job must be submitted that writes it */
    BUFFER_WRITING,  /* a job of its own writes it */
    BUFFER_WRITTEN
};

struct frame_buffer {
    struct frame_buffers *buffers;     /* to which it belongs */
    struct frame_buffer *next_written; /* link of decoded_frame.written */
    struct decoded_frame *frame; /* while it is written; pinned by WAITING and
                                    WRITING */
    void *vertices;  /* the engine's; NULL: it gave none for this frame */
    uint32_t number; /* of the frame */
    uint32_t stamp;  /* update in which it was needed last */
    uint8_t state;   /* enum frame_buffer_state */
    struct atomic_u32 is_written; /* set by the job of WRITING */
};

struct frame_buffers {
    /* fixed after init */
    struct frame_buffer *table;
    uint32_t capacity;
    /* fixed while the node streams */
    struct cache *cache;
    uint32_t node; /* handle */
    spn_frame_buffers engine;
    /* caller */
    uint32_t count_max;  /* buffers in use at a time */
    uint32_t count;      /* in use now */
    uint32_t busy_count; /* of these: being written, or about to be */
    uint32_t need_count; /* frames that were needed in this update */
};

#if SPN_WITH_FRAME_BUFFERS

/* Take the table from `carve`. b == NULL: only count. */
void spn__frame_buffers_init(struct frame_buffers *b, struct carve *carve,
                             uint32_t frames_max);
/* Use these callbacks of the engine. None is in use. */
void spn__frame_buffers_open(struct frame_buffers *b, struct cache *c,
                             uint32_t node, const spn_frame_buffers *engine);
/* The node begins to stream, with so many buffers at most. */
void spn__frame_buffers_begin(struct frame_buffers *b, uint32_t count_max);

/* Once an update, before the frames are visited: take over what was written,
 * and hold the frames that are being written. */
void spn__frame_buffers_collect(struct frame_buffers *b);
/* The node needs this frame: keep its buffer. If it is READY without a buffer,
 * acquire one and have it written. The most important frames come first: no
 * effect when as many as there are buffers were needed. */
void spn__frame_buffers_need(struct frame_buffers *b, uint32_t number);
/* After all frames were visited: release what is not needed any more.
 *
 * is_all  release also what is needed; only what is written stays */
void spn__frame_buffers_release(struct frame_buffers *b, bool is_all);

/* True if a frame that is launched can have a buffer. */
bool spn__frame_buffers_have_room(const struct frame_buffers *b);
/* A frame was launched, and its jobs are not submitted yet: have them write it.
 * No effect if it has a buffer. */
void spn__frame_buffers_attach(struct frame_buffers *b,
                               struct decoded_frame *f);
/* The jobs of a frame have ended. */
void spn__frame_buffers_end(struct decoded_frame *f);
/* Write one decoded tile to the buffers of the frame. Called by jobs. */
void spn__frame_buffers_write(const struct decoded_frame *f, uint32_t tile);

/* True if the buffer of a frame is written, or the engine gave none. */
bool spn__frame_buffers_has(const struct frame_buffers *b, uint32_t number);
/* The buffer of a frame; NULL: none. */
void *spn__frame_buffers_vertices(const struct frame_buffers *b,
                                  uint32_t number);

#else

static inline bool spn__frame_buffers_has(const struct frame_buffers *b,
                                          uint32_t number)
{
    (void)b;
    (void)number;
    return true;
}

static inline void *spn__frame_buffers_vertices(const struct frame_buffers *b,
                                                uint32_t number)
{
    (void)b;
    (void)number;
    return NULL;
}

static inline void spn__frame_buffers_write(const struct decoded_frame *f,
                                            uint32_t tile)
{
    (void)f;
    (void)tile;
}

#endif

#endif
