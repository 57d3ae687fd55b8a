/* decoded_frame.h - the memory of one decoded frame: its record and blocks.
 *
 * A frame occupies a few heap blocks, the *units* of the cache's plan
 * (cache.h). Unit 0 begins with the record below: the addresses of the units, a
 * copy of the frame's directory, and one state for each tile. A block that the
 * file leaves out of this frame has no memory, unless another block in its unit
 * is present.
 *
 * Which blocks are present is read from the directory in the read buffer before
 * a job has validated it. A damaged directory only causes other units of the
 * same sizes to be allocated; the frame fails when it is validated.
 *
 * Threads. The caller's thread allocates a frame, *launches* it (launch.h) and
 * *collects* it when its jobs have ended. In between the frame is *running*:
 * the fields that jobs read do not change, and decrementing `left` is a job's
 * last access. Jobs know the frame and its cache, never a node.
 *
 * Subscribers. A tile that refers to a tile of another running frame must wait
 * for it. The launch gives the waiting frame a number in the list `subscribers`
 * of the other one, and sets the bit of that number in the flags of the tile,
 * with one atomic operation that returns the old flags. The job that finishes a
 * tile sets TILE_DONE in the same way. If the launch finds TILE_DONE, it counts
 * down the waiting tile itself; otherwise the job finds the bit and does. So
 * each pair of tiles is counted down exactly once, whoever is first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_DECODED_FRAME_H
#define SPN_PLAY_DECODED_FRAME_H

#include "base/assert.h"
#include "base/atomic.h"
#include "base/heap.h"
#include "cache/cache_frame_table.h"
#include "cache/cache_header.h"
#include "play/kept.h"

#include <spindle/features.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache;
struct account;
struct decoded_frame;
struct group_read;

/* Bits of tile_state.flags. */
#define TILE_DONE 1u /* final: decoded, absent, omitted or failed */
#define TILE_OMITTED                                                           \
    2u /* not decoded, because nobody wanted it. Set before
                           the launch */
#define TILE_FAILED 4u
#define TILE_ABSENT 8u /* the file has no data of it in this frame */
/* 8 bits: the first error of the tile, negated; 0: none. */
#define TILE_STATUS_SHIFT 8
/* The bits from here on: one for each entry of `subscribers`. */
#define TILE_SUBSCRIBER_SHIFT 16
#define FRAME_SUBSCRIBERS_MAX 16u

/* The flags of a tile that failed with this error. */
static inline uint32_t tile_failure(spn_status status)
{
    SPN_ASSERT(status < 0);
    return TILE_FAILED | ((uint32_t)(0 - status) & 0xffu) << TILE_STATUS_SHIFT;
}

/* The error in the flags of a tile; SPN_OK if it did not fail. */
static inline spn_status tile_status(uint32_t flags)
{
    return (spn_status)(0 - (int32_t)(flags >> TILE_STATUS_SHIFT & 0xffu));
}

struct tile_state {
    /* atomic */
    struct atomic_u32 counter; /* what it still waits for: 1 for its data, and
                                  1 for each frame for which it waits */
    struct atomic_u32 flags;   /* TILE_*, and the bits of subscribers */
    /* the worker that decremented the counter to zero */
    struct tile_state *next_ready; /* link of its list of tiles to decode */
    /* caller, before the launch; then fixed */
    struct decoded_frame *frame;
    uint32_t index; /* of the tile */
};

/* The engine's buffer of a frame (frame_buffer.h). */
enum frame_buffer_state {
    BUFFER_NONE,
    BUFFER_WANTED,   /* needed in this update, and not acquired yet */
    BUFFER_DECODING, /* the jobs of the frame write it */
    BUFFER_WAITING,  /* a job must be submitted that writes it */
    BUFFER_WRITING,  /* a job of its own writes it */
    BUFFER_WRITTEN
};

struct frame_buffer {
    /* caller */
    struct decoded_frame *next; /* link of a list of frame_buffer.h */
    uint32_t stamp;             /* update in which it was needed last */
    uint8_t state;              /* enum frame_buffer_state */
    /* caller; fixed while jobs write it */
    void *vertices; /* the engine's; NULL: it gave none for this frame */
    /* atomic */
    struct atomic_u32 is_written; /* set by the job of WRITING */
};

/* Bits of `failed`: why the frame cannot be decoded. */
#define FRAME_FAULT 1u     /* damaged or unreadable itself: `fault` says how */
#define FRAME_REFERENCE 2u /* refers to a frame with FAULT or REFERENCE */
#define FRAME_CANCELLED                                                        \
    4u /* launched early, and then the read of its bytes
                             or of those of a frame to which it refers was
                             aborted. It is not lost, unless another bit is set
                             as well */

struct decoded_frame {
    /* caller */
    struct kept *kept; /* marks of its memory, in its slot (frame_slot.h) */
    struct decoded_frame *next_running; /* link of the list of launch.h */
    struct account *owner; /* of the cursor that launched it, while it runs */
    uint16_t pins; /* running frames that refer to it, and jobs that write its
                      buffer */
    uint8_t subscriber_count; /* entries of `subscribers` */
    uint8_t reserved_count;   /* the same, with those about to be added */
    bool is_submitted;        /* its first job is in the table of jobs, or will
                                 be when its bytes arrive */
    bool is_early; /* its bytes, or those of a frame to which it refers, were
                      not there at the launch */
    bool is_paced; /* decode_pace.h counts it */
    bool omits;    /* some tile is omitted; fixed from the launch on */
    bool lacks;    /* some tile is omitted and wanted now (mesh_mask.h) */
    spn_status unread; /* why its bytes do not arrive; SPN_ERR_ABORTED: nobody
                          wants them; SPN_OK: they do */
    struct decoded_frame *next_waiting; /* link of group_read.waiting */
    /* caller, before the launch; fixed while it runs */
    struct cache *cache;
    uint32_t number;      /* of the frame in the clip */
    uint32_t waits;       /* which of `references` it waits for: bit r is r */
    uint8_t **units;      /* address of each unit; NULL: not allocated */
    heap_handle *handles; /* of each unit; 0: not allocated */
    struct tile_state *tiles;
    struct group_read *read; /* has its compressed bytes, or will have them;
                                NULL if `unread` is not SPN_OK */
    /* The frames to which it refers, in the order of cache_frame.reference. */
    struct decoded_frame *references[CACHE_REFERENCES_MAX];
#if SPN_WITH_FRAME_BUFFERS
    struct frame_buffer buffer;
#endif
    /* Which frames wait for this one. The caller writes an entry before it sets
     * the bit of the entry in the flags of a tile. */
    struct decoded_frame *subscribers[FRAME_SUBSCRIBERS_MAX];
    /* the first job, then fixed */
    uint8_t *directory; /* a copy; valid once the job has validated it */
    /* atomic */
    struct atomic_u32 left;   /* tiles that are not final, and the first job */
    struct atomic_u32 failed; /* FRAME_FAULT, ...; 0 as long as none is known */
    /* the job that sets FRAME_FAULT first; then the caller */
    struct spn_fault fault;
};

static inline bool decoded_frame_omits(const struct decoded_frame *f,
                                       uint32_t tile)
{
    return f->omits &&
           (atomic_load_relaxed(&f->tiles[tile].flags) & TILE_OMITTED);
}

/* True if the frame has values of an animated tile, once they are decoded. */
static inline bool decoded_frame_has(const struct decoded_frame *f,
                                     uint32_t tile)
{
    return !(atomic_load_relaxed(&f->tiles[tile].flags) &
             (TILE_ABSENT | TILE_OMITTED));
}

/* Size of the record with its arrays, in bytes. */
size_t spn__decoded_frame_record_bytes(const struct cache_header *header);

/* Address of a block; NULL if its unit is not allocated. Any thread while the
 * frame lives. */
uint8_t *spn__decoded_frame_block(const struct decoded_frame *f,
                                  uint32_t block);

/* The box of a mesh in a decoded frame, in the space and the units of the mesh
 * (cache/cache_box.h). Any thread while the frame lives, once its first job has
 * ended without a fault. If the frame does not have the mesh
 * (mesh_source.h), the result has no meaning. */
void spn__decoded_frame_box(const struct decoded_frame *f, uint32_t mesh,
                            float min[3], float max[3]);

/* Allocate a frame: all units that it needs, or none. All tile states are zero.
 * Caller's thread.
 *
 * read_block   buffer of the read that brought the frame; 0: it has not arrived
 *              yet, so all units are allocated
 * read_offset  of the frame's directory in it
 * kept         marks of the frame, until it is freed
 *
 * Returns what spn__heap_alloc returns. */
SPN_NODISCARD spn_status spn__decoded_frame_alloc(
    struct cache *c, uint32_t number, heap_handle read_block,
    uint32_t read_offset, struct kept *kept, struct decoded_frame **out);
/* Find the tiles that are not decoded. The references are set, and theirs were
 * found. Caller's thread, during the launch. */
void spn__decoded_frame_omit(struct decoded_frame *f);
/* Free all units. No job uses it, nothing refers to it. Caller's thread. */
void spn__decoded_frame_free(struct decoded_frame *f);

#endif
