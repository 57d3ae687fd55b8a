/* stream.h - the frames of one node around its playback time: the records.
 *
 * A stream reads the compressed frames of a cache ahead of playback, has jobs
 * decode them, and frees them when playback has passed them. This header has
 * its records and the arithmetic of positions; each of these files does one
 * part:
 *
 *   stream_life.h         begin, go on or seek, end
 *   stream_read.h         start reads; stream_range.h decides what they cover
 *   stream_read_buffer.h  reads end: completion, release, abort
 *   stream_window.h       groups enter, finish and leave the window
 *   stream_launch.h       allocate a group's frames and submit its jobs
 *   stream_decode.h       the jobs
 *   stream_memory.h       promised pages, frames' memory, the held frame
 *   stream_evict.h        give memory back early
 *
 * Terms (runtime/cache/FORMAT.md defines those of the file)
 *
 *   group       consecutive frames that are decoded together. They refer only
 *               to frames of the group and to one frame of the group before,
 *               the *anchor* of the group
 *   tile        one part of a mesh, or several parts of small meshes. The tiles
 *               of a frame are decoded independently of each other
 *   launch      to allocate the frames of a group and submit its decode jobs
 *   position    number of a frame, counted through all loops of a clip: loop *
 *               frames of the clip + number of the frame in the clip
 *   place       number of a group, counted in the same way: loop * groups of
 *               the clip + number of the group in the clip
 *   wanted      the frames between which the playback time lies
 *   pinned      a frame that is shown, and must not be freed
 *   held frame  the frame that stays visible during a seek. It is not in the
 *               window
 *   page        the smallest piece of the heap, 4 to 64 KiB (base/heap.h)
 *   heap block  an allocation of the heap, one or more pages
 *   promise     pages of the heap that are reserved for a stream. *Owed* pages
 *               are the part of it that the stream does not use yet (promise.h)
 *   share       the part of a drive's time that the stream's reads take
 *               (admission.h)
 *   to drain    to abort the reads, let the jobs end, and free the memory, so
 *               that the stream can begin again or end (stream_life.h)
 *
 * Positions and places are 64-bit integers. The playback time in microseconds
 * also includes the loops. A stream holds a *window* of consecutive groups:
 *
 *   first_place                          next_place
 *   | retiring | decoded | decoding | read | requested |  (not requested yet)
 *
 * A group enters the window at its end when its read is started, and leaves it
 * at its front after playback. In the tables of groups and frames, the index of
 * an entry is its place or position modulo the capacity.
 *
 * Life of a group: its read is started (WAITING) and ends. The launch submits a
 * job for each frame (LAUNCHED, submitted_count), which decompresses the frame
 * (undecompressed). Jobs then decode each tile when the same tile of the
 * frame's references is decoded (unfinished). All counters at 0: COMPLETE.
 *
 * Threads. The caller's thread owns a stream. A launched group is shared with
 * the jobs that decode it: the fields that they read do not change until
 * stream_frame.unfinished of each of its frames is zero, and decrementing that
 * counter is a job's last access. The jobs of a launched group always run; if
 * their result is not wanted any more, is_cancelled makes them skip the work.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_H
#define SPN_PLAY_STREAM_H

#include "base/atomic.h"
#include "base/carve.h"
#include "base/heap.h"
#include "play/cache.h"
#include "play/frame.h"
#include "play/manager.h"

#include <spindle/geom.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

#define STREAM_READS_MAX 32u /* reads of one stream that have a buffer */
#define STREAM_READ_BYTES_MAX 0x7fffffffu /* most bytes of one read */
/* Reads begin and end at multiples of this offset in the file, in bytes. */
#define STREAM_READ_ALIGN 4096u
#define STREAM_NO_PLACE UINT64_MAX /* no group; as a position: no frame */
#define STREAM_NO_READ 0xffu       /* no index in stream.reads */
#define STREAM_PINS 4u             /* frames that can be pinned at a time */

enum frame_state {
    FRAME_EMPTY,   /* not launched */
    FRAME_RUNNING, /* its jobs were submitted or are about to be */
    FRAME_READY,   /* decoded */
    FRAME_FAILED,  /* damaged, unreadable, or refers to such a frame */
    FRAME_RETIRED  /* its memory was freed */
};

struct stream_frame {
    /* caller, before the launch; fixed while RUNNING */
    struct frame_control *control; /* its memory (frame.h); NULL: none */
    /* A linked list of the frames of the group that wait for this one. An
     * *edge* is one link: frame i of the group waits, because its reference
     * number r (0..CACHE_REFERENCES_MAX - 1) is this frame. It is stored as the
     * number
     *
     *   i * CACHE_REFERENCES_MAX + r + 1;    0: end of the list
     *
     * For example: if reference 1 of frame 5 is frame 2, the list of frame 2
     * contains 5 * CACHE_REFERENCES_MAX + 2. */
    uint16_t first_dependent; /* the first edge of this frame's list */
    /* Element r belongs to this frame's reference r: the edge that follows this
     * frame's own edge in the list of the frame referred to. */
    uint16_t next_edge[CACHE_REFERENCES_MAX];
    bool is_readable; /* its bytes arrived in the read buffer */
    /* caller */
    uint8_t state; /* enum frame_state */
    /* atomic */
    struct atomic_u32 unfinished; /* tiles that are not TILE_DONE (frame.h),
                                   * plus 1 until the frame is decompressed */
    struct atomic_u32 failed; /* mask of FRAME_FAULT and FRAME_INCOMPLETE; 0: no
                               * failure up to now. If it is 0 when `unfinished`
                               * is 0, the frame is decoded */
};

/* Bits of stream_frame.failed. */

/* The frame's bytes are damaged or did not arrive: see control->fault. */
#define FRAME_FAULT 1u
/* A tile was not decoded, because it refers to a frame that failed, or because
 * the stream is cancelled. */
#define FRAME_INCOMPLETE 2u

enum group_state {
    GROUP_WAITING,  /* its read is under way or has ended */
    GROUP_LAUNCHED, /* its jobs run */
    GROUP_COMPLETE, /* all of its jobs have ended */
    GROUP_SKIPPED   /* playback jumped over it before it was launched */
};

struct stream_group {
    /* caller, before the launch; fixed while LAUNCHED */
    struct stream *stream;
    const struct cache_group *info; /* its entry in the cache's table */
    uint64_t place;
    uint64_t first;        /* position of its first frame */
    uint32_t slot;         /* index of its first frame in stream.frames */
    uint32_t anchor_index; /* index, in this group, of the frame that is the
                            * anchor of the next group; CACHE_NONE: the next
                            * group has no anchor */
    struct stream_frame *anchor; /* the anchor of this group, a frame of the
                                  * group before; NULL: none */
    uint16_t anchor_dependents;  /* first edge (stream_frame) of the list of the
                                  * frames of this group that wait for it */
    uint16_t submitted_count;    /* caller; frames whose job was submitted, in
                                  * the order of cache_frame.decode_rank */
    bool is_anchor_only;         /* only the frame at anchor_index is decoded */
    uint8_t read;                /* index of its read in stream.reads;
                                  * STREAM_NO_READ: it needs no read any more */
    /* caller */
    uint8_t state; /* enum group_state */
    /* atomic */
    struct atomic_u32 undecompressed; /* frames that still need the read */
};

enum read_state {
    READ_FREE,    /* the slot is not in use */
    READ_PENDING, /* its completion has not come */
    READ_RETRY,   /* failed at damaged bytes of the file; to be started again at
                   * a later multiple of STREAM_READ_ALIGN, without the frames
                   * that contain those bytes */
    READ_DONE,    /* ended; the buffer has the bytes that arrived */
    READ_DYING    /* aborted and not needed. The device may write into the
                   * buffer until the completion, which frees it */
};

struct stream_read {
    heap_handle block;    /* the buffer */
    spn_read read;        /* handle while PENDING or DYING */
    uint64_t offset;      /* of the buffer's first byte in the file */
    uint32_t bytes;       /* size of the buffer */
    uint32_t start;       /* byte of the buffer at which the current attempt
                           * begins; > 0 after a READ_RETRY */
    uint32_t pages;       /* pages of the buffer */
    uint32_t group_count; /* groups that still need it */
    uint8_t state;        /* enum read_state */
    int8_t status;        /* spn_status of the last failed attempt */
    uint8_t medium;       /* medium on which it was started */
};

/* Buffers of the engine to which frames are also decoded; see
 * spn_frame_buffers. */
struct stream_buffers {
    spn_frame_buffers engine;
    /* Write one decoded tile to control->vertices. Called by any worker. A
     * pointer, because streams are below nodes, which know vertex layouts. */
    void (*write)(const struct stream *s, const struct frame_control *control,
                  uint32_t tile);
};

struct stream {
    /* -- fixed after init -- */
    struct manager *manager;
    struct stream_group *groups; /* `capacity` entries */
    struct stream_frame *frames; /* `capacity` entries */
    uint32_t capacity;

    /* -- fixed while the node lives -- */
    struct cache *cache;
    uint32_t node_handle;
    spn_cache cache_handle; /* as it was when the node was created */
    spn_priority priority;  /* of its reads */

    /* All fields below belong to the caller's thread, except those marked
     * otherwise. */

    /* -- life -- */
    bool is_looping;       /* fixed once the cache is READY */
    bool is_active;        /* from begin to the end of draining */
    bool has_admission;    /* `admission` was decided */
    bool is_draining;      /* waits for its reads and jobs to end */
    bool frees_held_frame; /* draining frees the held frame too, because memory
                            * is short */
    bool lacks_slots;      /* the tables have no room for frames that are needed
                            * now */
    bool lacks_memory;     /* the heap has no room for frames that are needed
                            * now */
    spn_admission admission; /* decision about its share (admission.h) */
    spn_status status;       /* why it can never play (SPN_ERR_MEMORY,
                        * SPN_ERR_TABLE_FULL), otherwise the error of the last
                        * damaged frame since spn__stream_begin */

    /* -- share of the drive (admission.h), order of reads (node_order.h) -- */
    uint32_t drive_permille; /* its share in thousandths */
    uint32_t drive_read_us;  /* time that its longest read takes */
    uint32_t request_serial; /* serial number of its request for a share */
    uint32_t read_serial;    /* serial number of its last started read */

    /* -- memory, in pages (promise.h) -- */
    uint32_t decode_promise; /* promised for frames; 0: nothing is promised */
    uint32_t read_promise;   /* promised for a read */
    uint32_t decoded_pages;  /* in use by its frames, the held one too */
    uint32_t read_pages;     /* in use by its read buffers */
    uint32_t owed_pages;     /* promised and not in use; is included in
                              * promises.owed_pages */

    /* -- window -- */
    uint32_t group_count; /* groups in the window */
    uint32_t frame_count; /* frames of these groups */
    uint64_t first_place; /* of the first group in the window */
    uint64_t first_frame; /* position of the first frame in the window */
    uint64_t next_place;  /* of the group to request next */
    struct frame_control *held_frame; /* NULL: none */
    uint64_t held_position;           /* of the held frame */

    /* -- playback -- */
    int64_t playback_us;     /* playback time, loops included, >= 0 */
    uint64_t wanted;         /* position of the last frame at or before it */
    uint64_t retire_before;  /* frames before this position are freed, unless
                              * they are pinned */
    uint64_t lacks_since_us; /* when lacks_memory became true */
    int64_t slack_us;        /* time until the next launch is needed */
    int64_t read_slack_us;   /* time until the next read is needed */
    /* Positions of floor and ceil of what is shown now, and of what was shown
     * before. STREAM_NO_PLACE: none. */
    uint64_t pinned[STREAM_PINS];

    /* -- faults and statistics; bytes_read and frames_dropped since open -- */
    uint64_t bytes_read;
    uint32_t frames_dropped; /* frames that failed */
    uint32_t fault_frame;    /* number of the frame of `fault` */
    spn_fault fault;         /* belongs to `status` */

    struct stream_read reads[STREAM_READS_MAX];

    /* -- buffers of the engine -- */
    const struct stream_buffers *buffers; /* NULL: none. Fixed while active */
    uint32_t buffers_max; /* most buffers at a time. Fixed while active */
    uint32_t buffers_out; /* buffers that are acquired and not released */

    /* -- atomic -- */
    struct atomic_u32 is_cancelled; /* jobs skip their work */
};

/* -- groups -- */

/* The entry of a group in stream.groups. The group must be in the window. */
struct stream_group *spn__stream_group(const struct stream *s, uint64_t place);
/* The cache's entry of a group, which need not be in the window. */
const struct cache_group *spn__stream_group_info(const struct stream *s,
                                                 uint64_t place);
/* Position of a group's first frame. */
uint64_t spn__stream_group_first(const struct stream *s, uint64_t place);
/* Time from which on a group is needed: that of the frame before it, because
 * playback interpolates from there to the group's first frame. */
int64_t spn__stream_group_time(const struct stream *s, uint64_t place);
/* True if the clip does not loop and has no group at this place. */
bool spn__stream_is_end(const struct stream *s, uint64_t place);
/* True if the clip does not loop and its last group was launched. The window
 * must not be empty. */
bool spn__stream_has_launched_last(const struct stream *s);

/* True if the group is in the window. */
static inline bool stream_has_group(const struct stream *s, uint64_t place)
{
    return place >= s->first_place && place - s->first_place < s->group_count;
}

/* Entry of frame `index` of a group in stream.frames. The group must be in the
 * window. Any thread while the group is launched. */
static inline struct stream_frame *stream_group_frame(
    const struct stream_group *g, uint32_t index)
{
    uint32_t slot = g->slot + index;

    if (slot >= g->stream->capacity)
        slot -= g->stream->capacity;
    return &g->stream->frames[slot];
}

/* -- frames; the parameter `frame` is a position -- */

/* The entry of a frame in stream.frames; NULL if it is not in the window. */
struct stream_frame *spn__stream_frame(const struct stream *s, uint64_t frame);
/* Place of the group that contains a frame. */
uint64_t spn__stream_group_of(const struct stream *s, uint64_t frame);
/* Time of a frame, loops included. */
int64_t spn__stream_frame_time(const struct stream *s, uint64_t frame);
/* Position of the last frame at or before a time.
 *
 * time_us  loops included; must be >= 0 */
uint64_t spn__stream_frame_before(const struct stream *s, int64_t time_us);
/* Number of a frame in the clip, without loops. */
uint32_t spn__stream_number(const struct stream *s, uint64_t frame);

/* -- the stream -- */

/* Take the memory of the tables from `carve` (base/carve.h: it hands out parts
 * of the runtime's memory, or only counts bytes). With s == NULL only count. */
void spn__stream_init(struct stream *s, struct manager *m, struct carve *carve,
                      uint32_t capacity);
/* Set up the stream of a new node. It is inactive until spn__stream_begin. */
void spn__stream_open(struct stream *s, struct cache *c, uint32_t node_handle,
                      bool is_looping, spn_priority priority);
/* True if window, reads, memory and promise agree with each other. */
bool spn__stream_check(const struct stream *s);

/* True if it may take memory and read. */
static inline bool stream_is_admitted(const struct stream *s)
{
    return s->admission != SPN_REFUSED;
}

#endif
