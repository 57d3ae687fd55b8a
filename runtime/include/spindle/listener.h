/* listener.h - what the stream engine does, told while it does it.
 *
 * For profilers, logs and tests. The config names a table of functions, each
 * of which may be NULL:
 *
 *   static void on_begin(void *user, const spn_event *event) { ... }
 *   static const spn_listener listener = {.user = &profiler,
 *                                         .read_begin = on_begin,
 *                                         .read_end = on_end};
 *   config.listener = &listener;
 *
 * One function may stand in several places: event->kind says what it is told.
 * Without a table an event costs one branch.
 *
 * Rules. A function is called on the thread that does what it is told of, and
 * that thread waits for it: it must be short, must not block, and must not call
 * the runtime. Two threads may be inside one function at a time. What `event`
 * points to is gone when the call returns. Without threads all of it happens
 * inside spn_update, spn_read_wait and spn_shutdown.
 *
 * Times are those of the platform's clock, when the function is called.
 *
 * Of one read, in this order:
 *
 *   queued        its file is open, and it stands in the line of its medium;
 *                 once more when it stands there anew, after its type was
 *                 paused, it had to wait for memory, it goes on in another
 *                 copy, or its pak was loaded or unloaded
 *   read_begin    a piece of it goes to the device,
 *   read_end      and comes back; before the next piece of the same medium.
 *                 Long reads have many, failed ones are tried again. Reads
 *                 that lie close together may come in one go (`together`):
 *                 then all of them begin, and then all end, in order of place
 *   decompress_begin, decompress_end
 *                 around each block of a compressed entry of a pak, between
 *                 the end of its piece and the end of the read
 *   preempted     between two of its pieces another read goes first
 *   aborted       an abort or shutdown ends it, whatever it was doing
 *   callback_begin, callback_end
 *                 around each callback that it has: the storage callback when
 *                 its turn has come, the others when it has ended
 *   completed     its last callback has returned: always, and once
 *
 * Work that is of no read is told in pairs, on one thread, which end in the
 * order of a profiler's zones, the inner one first:
 *
 *   update_begin, update_end
 *                 around all of spn_update
 *   decompress_begin, decompress_end
 *                 around the blocks of one frame of a cache, for a node. Its
 *                 status is the first error, such as that of the read; other
 *                 blocks of the frame may be good
 *   decode_begin, decode_end
 *                 around one part of such a frame: a job has one or several.
 *                 What is written to a node's frame buffer is inside. Its
 *                 status is the error of a block of the part, or of the part
 *                 in a frame that it refers to; SPN_ERR_ABORTED where the
 *                 stream was stopped
 *   fill_begin, fill_end
 *                 around spn_node_fill, if its arguments were good
 *
 * A medium (medium.h) is told when its state is another than before, as far as
 * the io thread has something to do: a tray that is opened while nothing is
 * read is noticed with the next read. This one is of no read.
 *
 * An invalid_wait (guard.h) is told by the thread that waited, when its wait is
 * over: at any time, even after completed.
 *
 * A read that ends before its file is open (no such file, say) is completed
 * without having been queued; one that is aborted in its line has no read_begin
 * after that.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_LISTENER_H
#define SPINDLE_LISTENER_H

#include <spindle/geom.h>
#include <spindle/medium.h>
#include <spindle/platform.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spn_event_kind {
    SPN_EVENT_QUEUED = 1,           /* io thread */
    SPN_EVENT_READ_BEGIN = 2,       /* io thread */
    SPN_EVENT_READ_END = 3,         /* io thread */
    SPN_EVENT_PREEMPTED = 4,        /* io thread */
    SPN_EVENT_ABORTED = 5,          /* io thread */
    SPN_EVENT_DECOMPRESS_BEGIN = 6, /* a worker */
    SPN_EVENT_DECOMPRESS_END = 7,   /* the same */
    SPN_EVENT_CALLBACK_BEGIN = 8,   /* whoever calls it: see spn_callback */
    SPN_EVENT_CALLBACK_END = 9,     /* the same */
    SPN_EVENT_COMPLETED = 10,       /* the caller's */
    SPN_EVENT_INVALID_WAIT = 11,    /* the one that waited */
    SPN_EVENT_MEDIUM = 12,          /* io thread */
    SPN_EVENT_DECODE_BEGIN = 13,    /* a worker */
    SPN_EVENT_DECODE_END = 14,      /* the same */
    SPN_EVENT_FILL_BEGIN = 15,      /* the caller's */
    SPN_EVENT_FILL_END = 16,        /* the same */
    SPN_EVENT_UPDATE_BEGIN = 17,    /* the caller's */
    SPN_EVENT_UPDATE_END = 18       /* the same */
} spn_event_kind;

/* Which callback. */
typedef enum spn_callback {
    SPN_CALLBACK_STORAGE = 1, /* on_storage: io thread */
    SPN_CALLBACK_ASYNC = 2,   /* on_async: a worker */
    SPN_CALLBACK_DONE = 3     /* on_done, or the runtime's own: the caller's */
} spn_callback;

/* What is not said to be in an event is 0 there. */
typedef struct spn_event {
    spn_event_kind kind;
    uint64_t now_us;

    /* decompress of a cache's frame, decode, fill: for whom. The node may be
     * one that was destroyed meanwhile */
    spn_node node;
    spn_cache cache; /* as the node was created with */
    uint32_t frame;  /* its number; fill: the floor frame, once it ended */
    uint32_t part;   /* decode: of the cache's parts; fill: the mesh */

    /* The read: in all but update, fill, decode, and the decompression of a
     * cache's frames, which has a task, an offset and bytes (compressed) alone.
     * That of a pak's blocks has no priority; its medium is not known, its
     * offset counts from the first block of the read, its bytes are compressed.
     */
    spn_read read;
    spn_task task;
    spn_task_class task_class;
    spn_priority priority; /* as it is now: may be SPN_PRIORITY_PREEMPTED */
    spn_medium medium;     /* SPN_MEDIUM_COUNT: not known yet */
    const char *path;      /* of its file; NULL in aborted, in completed, and
                            * in what workers tell */
    uint64_t offset;       /* in the file */
    uint64_t bytes;        /* asked for; 0: to the end, and its size is not
                            * known yet */
    uint64_t start_us;     /* when it was started */
    uint64_t deadline_us;  /* 0: none */
    void *user;            /* as given; NULL: one of the runtime's own */

    /* queued, preempted: its place in the line, smaller first. Within one
     * medium and one moment: keys move when time has gone on */
    uint64_t key;

    /* read_begin, read_end */
    uint64_t position;    /* of the piece on the medium, in bytes */
    uint64_t piece_bytes; /* begin: asked for. end: that came */
    uint64_t seek_bytes;  /* from the end of the last piece of the medium; of
                           * several together 0 but for the first */
    uint32_t together; /* reads that this go of the device brings bytes for */

    spn_read by;           /* preempted: who goes first */
    spn_callback callback; /* callback_begin, callback_end */

    /* read_end: of the piece; decompress_end; aborted, completed, and the
     * begin of a callback but storage: of the read; decode_end, fill_end;
     * callback_end of storage: what it returned */
    spn_status status;
    uint64_t done_bytes; /* aborted, completed: that arrived */
    uint64_t ended_us;   /* the same: when its data or its error was there */

    /* invalid_wait, which has no priority, path and bytes; offset is the one
     * that was asked for, status the wait's */
    uint32_t roles;     /* of the thread, those that were forbidden */
    uint64_t waited_us; /* for the read; medium: for the device */

    spn_medium_state medium_state; /* medium: what it is now */
} spn_event;

typedef void (*spn_event_fn)(void *user, const spn_event *event);

typedef struct spn_listener {
    void *user; /* the first argument of each */
    spn_event_fn queued;
    spn_event_fn read_begin;
    spn_event_fn read_end;
    spn_event_fn preempted;
    spn_event_fn aborted;
    spn_event_fn decompress_begin;
    spn_event_fn decompress_end;
    spn_event_fn callback_begin;
    spn_event_fn callback_end;
    spn_event_fn completed;
    spn_event_fn invalid_wait;
    spn_event_fn medium;
    spn_event_fn decode_begin;
    spn_event_fn decode_end;
    spn_event_fn fill_begin;
    spn_event_fn fill_end;
    spn_event_fn update_begin;
    spn_event_fn update_end;
} spn_listener;

#ifdef __cplusplus
}
#endif
#endif
