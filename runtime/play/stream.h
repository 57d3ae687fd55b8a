/* stream.h - the frames of one node around its playback time.
 *
 * Places. A looping clip goes on for ever, so groups and frames are named by
 * *places*: place of a group = loop x groups of the clip + group; place of a
 * frame = loop x frames of the clip + number. Both are 64-bit integers, and
 * so is time: nothing decays in long loops. A stream holds a window of
 * consecutive groups:
 *
 *   first_place                          next_place
 *   | retiring | decoded | decoding | read | requested |  (to be read)
 *
 * Groups join at the end when they are requested and leave at the front when
 * playback has passed them. Slots of groups and frames are places modulo the
 * table's size.
 *
 * Threads. The caller's thread owns a stream. A launched group is shared with
 * the jobs that decode it: what they read is fixed until every frame of the
 * group has counted itself down (stream_frame.left), which is the last thing
 * that a job does to it. A launched group therefore always runs to its end;
 * to abort is to tell the jobs (is_cancelled) that the result is not wanted.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_STREAM_H
#define SPN_PLAY_STREAM_H

#include "base/atomic.h"
#include "base/heap.h"
#include "play/cache.h"
#include "play/frame.h"
#include "play/manager.h"

#include <spindle/geom.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

#define STREAM_READS_MAX 32u
#define STREAM_READ_BYTES_MAX 0x7fffffffu
#define STREAM_NO_PLACE UINT64_MAX
#define STREAM_NO_READ 0xffu
#define STREAM_PINS 4u

enum frame_state {
    FRAME_EMPTY,   /* not decoded, or not needed */
    FRAME_RUNNING, /* launched */
    FRAME_READY,
    FRAME_FAILED, /* damaged, unreadable, or refers to such a frame */
    FRAME_RETIRED /* memory given back */
};

struct stream_frame {
    /* caller, before the launch; then fixed while RUNNING */
    struct frame_control *control; /* NULL: no memory */
    /* Dependents: lists of edges. Edge = (frame in group * 4 + reference) + 1;
     * 0 ends a list. next_edge[r] is the link of this frame's own edge r. */
    uint16_t first_dependent;
    uint16_t next_edge[CACHE_REFERENCES_MAX];
    bool is_readable; /* its bytes are in the read buffer */
    /* caller */
    uint8_t state; /* enum frame_state */
    /* atomic */
    struct atomic_u32 left;   /* tiles not done, and the decompress job */
    struct atomic_u32 failed; /* FRAME_FAULT, FRAME_REFERENCE */
};

#define FRAME_FAULT 1u     /* damaged itself: control->fault says how */
#define FRAME_REFERENCE 2u /* refers to a failed frame */

enum group_state {
    GROUP_WAITING, /* requested or read */
    GROUP_LAUNCHED,
    GROUP_COMPLETE, /* no job of it is left */
    GROUP_SKIPPED   /* never needed: playback jumped over it */
};

struct stream_group {
    /* caller, before the launch; then fixed while LAUNCHED */
    struct stream *stream;
    const struct cache_group *info;
    uint64_t place;
    uint64_t first;        /* place of its first frame */
    uint32_t slot;         /* of its first frame */
    uint32_t anchor_index; /* of the frame that the next group may refer to */
    struct stream_frame *anchor; /* that this group refers to; NULL */
    uint16_t anchor_dependents;  /* edges of this group that wait for it */
    uint16_t next_rank;          /* decompress jobs submitted so far */
    bool is_anchor_only;         /* only the frame at anchor_index is wanted */
    uint8_t read;                /* index; STREAM_NO_READ once given back */
    /* caller */
    uint8_t state; /* enum group_state */
    /* atomic */
    struct atomic_u32 undecompressed; /* frames that still need the read */
};

enum read_state {
    READ_FREE,
    READ_PENDING,
    READ_RETRY, /* failed, to be gone on with behind the failure */
    READ_DONE,
    READ_DYING /* aborted: nobody wants it, the device may still write */
};

struct stream_read {
    heap_handle block;
    spn_read read;
    uint64_t offset; /* in the file */
    uint32_t bytes;
    uint32_t start; /* in the buffer: behind what failed before */
    uint32_t pages;
    uint32_t group_count; /* that still need it */
    uint8_t state;        /* enum read_state */
    int8_t status;        /* of the last failure */
    uint8_t medium;       /* where it is pending */
};

/* Where decoded frames go besides; see spn_frame_buffers. */
struct stream_buffers {
    spn_frame_buffers engine;
    /* Any worker: one tile that was decoded, to control->vertices. A pointer:
     * a stream knows nothing of nodes and how they fill. */
    void (*write)(const struct stream *s, const struct frame_control *control,
                  uint32_t tile);
};

struct stream {
    /* fixed after init */
    struct manager *manager;
    struct stream_group *groups;
    struct stream_frame *frames;
    uint32_t capacity; /* of both */
    /* fixed while the node lives */
    struct cache *cache;
    uint32_t subject;       /* the node's handle, for the trace; fixed */
    spn_cache cache_handle; /* when it was opened; fixed */
    spn_priority priority;
    /* caller */
    bool is_looping;   /* fixed once the cache is READY */
    bool is_active;    /* has a window, or a read to come */
    bool is_judged;    /* whether it is admitted to the drive: */
    bool is_draining;  /* ends all that runs, then starts again or stops */
    bool is_cramped;   /* drains to make room: holds no picture */
    bool lacks_room;   /* what playback needs finds no slot */
    bool lacks_memory; /* nor the pages to be decoded to */
    spn_admission admission;
    spn_status status;       /* why it can never play, or the last error */
    uint32_t drive_permille; /* its share of the drive's time */
    uint32_t drive_read_us;  /* what its longest read takes of that */
    uint32_t asked;          /* serial: since when it wants one */
    uint32_t decode_promise; /* pages; 0: none, it waits for its turn */
    uint32_t read_promise;
    uint32_t group_count;
    uint32_t frame_count;
    uint32_t decoded_pages;
    uint32_t read_pages;
    uint32_t owed_pages; /* its part of the manager's */
    uint32_t served;     /* serial of its last read */
    uint32_t frames_dropped;
    uint32_t fault_frame;
    struct frame_control *held; /* the picture shown during a seek */
    uint64_t held_frame;
    uint64_t first_place;
    uint64_t first_frame;
    uint64_t next_place;     /* of the group to request next */
    int64_t position_us;     /* playback time, loops included */
    uint64_t wanted;         /* frame at or before it */
    uint64_t keep_from;      /* frames before it go, but for the pinned ones */
    uint64_t lacks_since_us; /* since when without a break */
    int64_t slack_us;        /* until what must be launched next is needed */
    int64_t read_slack_us;   /* and what must be read next */
    uint64_t bytes_read;
    /* Floor and ceil of what is shown, and of what was shown before. */
    uint64_t pinned[STREAM_PINS];
    spn_fault fault;
    struct stream_read reads[STREAM_READS_MAX];
    /* fixed while it is active */
    const struct stream_buffers *buffers; /* NULL: none */
    uint32_t buffers_max;                 /* of them out at a time */
    uint32_t buffers_out;
    /* atomic */
    struct atomic_u32 is_cancelled;
};

/* -- places and times -- */

/* The slot of a group. */
struct stream_group *spn__stream_group(const struct stream *s, uint64_t place);
/* What the file says of it. */
const struct cache_group *spn__stream_group_info(const struct stream *s,
                                                 uint64_t place);

static inline bool stream_has_group(const struct stream *s, uint64_t place)
{
    return place >= s->first_place && place - s->first_place < s->group_count;
}

/* Frame `index` of a group; any thread while it is launched. */
static inline struct stream_frame *stream_group_frame(
    const struct stream_group *g, uint32_t index)
{
    uint32_t slot = g->slot + index;

    if (slot >= g->stream->capacity)
        slot -= g->stream->capacity;
    return &g->stream->frames[slot];
}

/* The slot of a frame in the window, or NULL. */
struct stream_frame *spn__stream_frame(const struct stream *s, uint64_t frame);
/* The group of a frame, as a place. */
uint64_t spn__stream_group_of(const struct stream *s, uint64_t frame);
int64_t spn__stream_frame_time(const struct stream *s, uint64_t frame);
/* When a group is needed: from the frame before it on, pictures lie between
 * that one and its first. */
int64_t spn__stream_group_time(const struct stream *s, uint64_t place);
uint64_t spn__stream_group_first(const struct stream *s, uint64_t place);
/* The last frame at or before a time (>= 0; beyond the end: the last). */
uint64_t spn__stream_frame_before(const struct stream *s, int64_t time_us);
/* Number of a place's frame in the clip. */
uint32_t spn__stream_number(const struct stream *s, uint64_t frame);
/* Groups end here when the clip does not loop. */
bool spn__stream_is_end(const struct stream *s, uint64_t place);

/* -- stream.c: life -- */

void spn__stream_init(struct stream *s, struct manager *m, struct carve *carve,
                      uint32_t capacity);
void spn__stream_open(struct stream *s, struct cache *c, uint32_t subject,
                      bool is_looping, spn_priority priority);
/* Start at the frame of `wanted`; the cache is READY, nothing is held. */
void spn__stream_begin(struct stream *s);
/* Can playback of a stream that is active, and does not drain, go on at this
 * frame without a seek? */
bool spn__stream_covers(const struct stream *s, uint64_t frame);
/* Give everything back: at once, or when reads and jobs have ended. */
void spn__stream_drain(struct stream *s);
/* One step of it; true when all is given back. With keeps_held the frame
 * `keep` stays as the held picture, or what was held before
 * (STREAM_NO_PLACE). */
bool spn__stream_drain_step(struct stream *s, bool keeps_held, uint64_t keep);
void spn__stream_drop_held(struct stream *s);
/* Has the last group of a clip that does not loop been launched? */
bool spn__stream_has_launched_last(const struct stream *s);
/* Its share of what is promised and not taken, anew. */
void spn__stream_account(struct stream *s);
/* The stream may take memory and read. */
static inline bool stream_is_admitted(const struct stream *s)
{
    return s->admission != SPN_REFUSED;
}
/* Pages of a promise that were not taken yet. */
static inline uint32_t stream_missing(uint32_t promise, uint32_t taken)
{
    return promise > taken ? promise - taken : 0;
}
/* It would stream, but there is no memory that could be promised to it:
 * *bytes is what the heap must have for it beside all others now. */
bool spn__stream_waits(const struct stream *s, uint64_t *bytes);
bool spn__stream_check(const struct stream *s);

/* -- stream_window.c -- */

/* Room for one more group at the end? */
bool spn__stream_has_room(const struct stream *s, uint32_t group_count,
                          uint32_t frame_count);
void spn__stream_push(struct stream *s, uint64_t place, uint32_t read,
                      bool is_anchor_only);
/* Free what a frame has, its buffer of the engine's first. */
void spn__stream_free_control(struct stream *s, struct frame_control *control,
                              uint64_t frame);
/* Free the frames of a group and its share of the read. Nothing runs. */
void spn__stream_clear_group(struct stream *s, struct stream_group *g);
void spn__stream_pop_front(struct stream *s);
void spn__stream_pop_back(struct stream *s);
/* Take note of frames that ended; returns how many still run. */
uint32_t spn__stream_collect(struct stream *s);
/* Give back what playback has passed. */
void spn__stream_retire(struct stream *s);

/* -- stream_read.c -- */

/* Bytes that a read brings, when memory and time allow. */
uint64_t spn__stream_read_bytes(const struct stream *s);
/* Start one read if one is due and its memory is there. */
bool spn__stream_read(struct stream *s);
/* Go on with what failed. */
void spn__stream_retry(struct stream *s);
/* A group needs its read no more. */
void spn__stream_release_read(struct stream *s, struct stream_group *g);
/* Abort what is at the device. */
void spn__stream_abort_reads(struct stream *s);
bool spn__stream_is_reading(const struct stream *s);
/* Give up the end of what was read, of a stream that is active and does not
 * drain; false when nothing may go. */
bool spn__stream_shed(struct stream *s);
/* Nothing is left to be shed, and still the frames that are wanted find no
 * place: what this stream holds lies in its own way. Give up the picture that
 * is held; if there is none, begin anew in a heap without holes of its own.
 * False when it holds nothing, or not for long enough. */
bool spn__stream_make_room(struct stream *s);

/* -- stream_launch.c -- */

/* Launch the groups that are due and whose memory is there. */
void spn__stream_launch(struct stream *s);
/* Submit the jobs that did not fit before. */
void spn__stream_submit(struct stream *s);

/* -- stream_decode.c: jobs -- */

/* context: the group; argument: frame in it. */
void spn__decode_frame_job(void *context, uint32_t argument,
                           struct job_worker *worker);
/* context: the tile_state that became ready. */
void spn__decode_tile_job(void *context, uint32_t argument,
                          struct job_worker *worker);
/* A frame that waits for the anchor: one reference less. Caller's thread, at
 * the launch: never the last. */
void spn__decode_release_anchor(struct stream_group *g, uint32_t tile);

#endif
