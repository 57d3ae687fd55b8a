/* stream.h - the frames of one node around its playback time: the records.
 *
 * A stream reads the compressed frames of a cache ahead of playback, has jobs
 * decode them, and frees them behind playback. This header has its records and
 * the arithmetic of positions; each of the files below does one part:
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
 * A *group* is a run of frames that are decoded together; frames of a group
 * refer only to frames of that group and to one frame of the group before, its
 * *anchor*.
 *
 * Positions. A looping clip has no end, so groups and frames are numbered
 * through all loops: position of a group = loop * groups of the clip + group;
 * position of a frame = loop * frames of the clip + frame. Both are 64-bit
 * integers; the playback time in microseconds also includes the loops. A
 * stream holds a *window* of consecutive groups:
 *
 *   first_place                          next_place
 *   | retiring | decoded | decoding | read | requested |  (not requested yet)
 *
 * A group enters the window at its end when its read is started, and leaves at
 * its front after playback. In the tables of groups and frames, the index of an
 * entry is its position modulo the capacity.
 *
 * Threads. The caller's thread owns a stream. A launched group is shared with
 * the jobs that decode it: the fields that they read are fixed until
 * stream_frame.left of each of its frames is zero, and decrementing that
 * counter is a job's last access. A launched group always runs to its end; if
 * its result is not wanted any more, is_cancelled makes the jobs skip the work.
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

#define STREAM_READS_MAX 32u
#define STREAM_READ_BYTES_MAX 0x7fffffffu
#define STREAM_READ_ALIGN 4096u /* reads begin and end at multiples of it */
#define STREAM_NO_PLACE UINT64_MAX
#define STREAM_NO_READ 0xffu
#define STREAM_PINS 4u

enum frame_state {
    FRAME_EMPTY,   /* not decoded yet, or not needed */
    FRAME_RUNNING, /* its jobs were submitted or are about to be */
    FRAME_READY,
    FRAME_FAILED, /* damaged, unreadable, or refers to such a frame */
    FRAME_RETIRED /* its memory was freed */
};

struct stream_frame {
    /* caller, before the launch; fixed while RUNNING */
    struct frame_control *control; /* its memory; NULL: none */
    /* Which frames wait for this one: a list of edges. An edge is (index of the
     * waiting frame in its group * CACHE_REFERENCES_MAX + number of the
     * reference) + 1; 0 ends the list. next_edge[r] is the link that belongs to
     * this frame's own reference r. */
    uint16_t first_dependent;
    uint16_t next_edge[CACHE_REFERENCES_MAX];
    bool is_readable; /* its bytes arrived in the read buffer */
    /* caller */
    uint8_t state; /* enum frame_state */
    /* atomic */
    struct atomic_u32 left;   /* tiles that are not final, and the job that
                                 decompresses the frame */
    struct atomic_u32 failed; /* FRAME_FAULT, FRAME_REFERENCE */
};

#define FRAME_FAULT 1u     /* damaged itself: control->fault says how */
#define FRAME_REFERENCE 2u /* refers to a failed frame, or was cancelled */

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
    uint32_t slot;         /* index of that frame in stream.frames */
    uint32_t anchor_index; /* which of its frames the next group refers to;
                              CACHE_NONE: the next group refers to none */
    struct stream_frame *anchor; /* the frame of the group before to which this
                                    group refers; NULL: none */
    uint16_t anchor_dependents;  /* list of edges of this group that wait for
                                    `anchor` */
    uint16_t next_rank;  /* ranks in the decode order that were submitted */
    bool is_anchor_only; /* only the frame at anchor_index is decoded */
    uint8_t read;        /* index of its read; STREAM_NO_READ: released */
    /* caller */
    uint8_t state; /* enum group_state */
    /* atomic */
    struct atomic_u32 undecompressed; /* frames that still need the read */
};

enum read_state {
    READ_FREE,
    READ_PENDING,
    READ_RETRY, /* failed; to be started again behind the bad place */
    READ_DONE,
    READ_DYING /* aborted and not needed; freed by its completion, because the
                  device may still write into the buffer */
};

struct stream_read {
    heap_handle block;    /* the buffer */
    spn_read read;        /* while PENDING or DYING */
    uint64_t offset;      /* of the buffer's first byte in the file */
    uint32_t bytes;       /* of the buffer */
    uint32_t start;       /* where in the buffer the current attempt begins */
    uint32_t pages;       /* of the buffer */
    uint32_t group_count; /* groups that still need it */
    uint8_t state;        /* enum read_state */
    int8_t status;        /* of the last failed attempt */
    uint8_t medium;       /* on which it was started */
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
    /* fixed after init */
    struct manager *manager;
    struct stream_group *groups; /* `capacity` entries each */
    struct stream_frame *frames;
    uint32_t capacity;
    /* fixed while the node lives */
    struct cache *cache;
    uint32_t node_handle;
    spn_cache cache_handle; /* as it was when the node was created */
    spn_priority priority;  /* of its reads */
    /* caller */
    bool is_looping;     /* fixed once the cache is READY */
    bool is_active;      /* between begin and the end of draining */
    bool has_admission;  /* `admission` was decided */
    bool is_draining;    /* waits for its reads and jobs to end */
    bool is_out_of_room; /* draining to free all frames, the held one, too */
    bool lacks_slots;    /* the frames needed now do not fit the tables */
    bool lacks_memory;   /* or no memory was found for them */
    spn_admission admission;
    spn_status status;       /* why it can never play, or its last error */
    uint32_t drive_permille; /* its share of the drive's time */
    uint32_t drive_read_us;  /* time that its longest read takes */
    uint32_t request_serial; /* when it requested a share */
    uint32_t decode_promise; /* promised pages for frames; 0: no promise yet */
    uint32_t read_promise;   /* promised pages for a read */
    uint32_t group_count;    /* groups in the window */
    uint32_t frame_count;    /* frames of these groups */
    uint32_t decoded_pages;  /* pages that its frames occupy */
    uint32_t read_pages;     /* pages that its read buffers occupy */
    uint32_t owed_pages;     /* its part of promises.owed_pages */
    uint32_t read_serial;    /* when it last started a read */
    uint32_t frames_dropped; /* frames that failed, since open */
    uint32_t fault_frame;    /* number of the frame of `fault` */
    /* The frame that stays visible during a seek; outside the window. */
    struct frame_control *held_frame; /* NULL: none */
    uint64_t held_place;              /* its position */
    uint64_t first_place;             /* of the first group in the window */
    uint64_t first_frame;             /* of the first frame in the window */
    uint64_t next_place;              /* of the group to request next */
    int64_t position_us;              /* playback time, loops included, >= 0 */
    uint64_t wanted;         /* the last frame at or before position_us */
    uint64_t retire_before;  /* frames before this one are freed, unless they
                                are pinned */
    uint64_t lacks_since_us; /* when lacks_memory became true */
    int64_t slack_us;        /* time until the next launch is needed */
    int64_t read_slack_us;   /* time until the next read is needed */
    uint64_t bytes_read;     /* since open */
    /* Floor and ceil of what is shown, and of what was shown before. */
    uint64_t pinned[STREAM_PINS];
    spn_fault fault; /* of the last damaged frame */
    struct stream_read reads[STREAM_READS_MAX];
    /* fixed while it is active */
    const struct stream_buffers *buffers; /* NULL: none */
    uint32_t buffers_max;                 /* buffers in use at a time */
    /* caller */
    uint32_t buffers_out; /* buffers in use now */
    /* atomic */
    struct atomic_u32 is_cancelled; /* jobs skip their work */
};

/* -- groups -- */

/* The table entry of a group; valid for groups in the window. */
struct stream_group *spn__stream_group(const struct stream *s, uint64_t place);
/* The cache's entry of a group, in the window or not. */
const struct cache_group *spn__stream_group_info(const struct stream *s,
                                                 uint64_t place);
/* Position of a group's first frame. */
uint64_t spn__stream_group_first(const struct stream *s, uint64_t place);
/* Time from which on a group is needed: that of the frame before it, because
 * playback interpolates from there to the group's first frame. */
int64_t spn__stream_group_time(const struct stream *s, uint64_t place);
/* True behind the last group of a clip that does not loop. */
bool spn__stream_is_end(const struct stream *s, uint64_t place);
/* True if the last group of a clip that does not loop was launched. The window
 * is not empty. */
bool spn__stream_has_launched_last(const struct stream *s);

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

/* -- frames -- */

/* The table entry of a frame; NULL if it is not in the window. */
struct stream_frame *spn__stream_frame(const struct stream *s, uint64_t frame);
/* Position of the group that has the frame. */
uint64_t spn__stream_group_of(const struct stream *s, uint64_t frame);
int64_t spn__stream_frame_time(const struct stream *s, uint64_t frame);
/* Position of the last frame at or before a time >= 0. */
uint64_t spn__stream_frame_before(const struct stream *s, int64_t time_us);
/* Number of the frame in the clip, without loops. */
uint32_t spn__stream_number(const struct stream *s, uint64_t frame);

/* -- the stream -- */

/* Take the tables from `carve`. s == NULL: only count. */
void spn__stream_init(struct stream *s, struct manager *m, struct carve *carve,
                      uint32_t capacity);
/* A node begins to use the stream. It is inactive until spn__stream_begin. */
void spn__stream_open(struct stream *s, struct cache *c, uint32_t node_handle,
                      bool is_looping, spn_priority priority);
/* True if window, reads, memory and promise agree. */
bool spn__stream_check(const struct stream *s);

/* True if it may take memory and read. */
static inline bool stream_is_admitted(const struct stream *s)
{
    return s->admission != SPN_REFUSED;
}

#endif
