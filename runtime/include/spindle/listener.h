/* listener.h - functions of the game that the runtime calls at events.
 *
 * For profilers, logs and tests. spn_config.listener names a table of
 * functions, each of which may be NULL:
 *
 *   static void on_begin(void *user, const spn_event *event) { ... }
 *   static const spn_listener listener = {.user = &profiler,
 *                                         .read_begin = on_begin,
 *                                         .read_end = on_end};
 *   config.listener = &listener;
 *
 * The same function may be used for several events; event->kind distinguishes
 * them. Without a table an event costs one branch.
 *
 * Rules. A function is called on the thread on which the event happens, and
 * that thread waits for it. Therefore it must be short, must not block, and
 * must not call the runtime. Two threads may call the same function at the same
 * time. `event` and what it points to are valid during the call. Without
 * threads all events happen in spn_update, spn_read_wait, spn_read_abort_now
 * and spn_shutdown.
 *
 * Events of one read, in this order:
 *
 *   queued        it has entered the queue of its medium. It happens again if
 *                 the read enters the queue again: after its task was paused,
 *                 after it waited for memory, when it goes on with another copy
 *                 of a pak's entry, or when its pak was loaded or unloaded
 *   read_begin    a piece of it is given to the device
 *   read_end      the piece has come back. Only then the next piece of the
 *                 medium begins. Long reads have many pieces, and failed ones
 *                 are repeated. One command of the device may serve several
 *                 reads that lie close together: then read_begin happens for
 *                 all of them, and after that read_end for all of them, in
 *                 order of position
 *   decompress_begin, decompress_end
 *                 before and after a block of a compressed entry is
 *                 decompressed; after the read_end of the block's last piece
 *   preempted     another read is served between two of its pieces
 *   aborted       an abort or spn_shutdown ends it, in whatever state it is
 *   callback_begin, callback_end
 *                 before and after each of its callbacks: on_storage before the
 *                 first piece, on_async and on_done after the end of the read
 *   completed     its last callback has returned. Happens exactly once for
 *                 every read
 *
 * A read that ends before its file is open (if the file does not exist, say) is
 * completed without queued. A read that is aborted in its queue has no
 * read_begin after that.
 *
 * Pairs of events that belong to no read. Begin and end happen on the same
 * thread and are nested, like the zones of a profiler:
 *
 *   update_begin, update_end
 *                 spn_update
 *   decompress_begin, decompress_end
 *                 the decompression of one frame of a cache, for a node. The
 *                 status is the first error of a block, or the error of the
 *                 read; other blocks of the frame may be good
 *   decode_begin, decode_end
 *                 the decoding of one tile of such a frame (a part of a large
 *                 mesh, or several small meshes), with the writing to a frame
 *                 buffer of the node. The status is the error of one of its
 *                 blocks, or of the same tile in a frame to which it refers;
 *                 SPN_ERR_ABORTED if the stream was stopped
 *   fill_begin, fill_end
 *                 spn_node_fill with valid arguments
 *
 * Other events:
 *
 *   medium        the state of a medium (spn_medium_state) has changed. The I/O
 *                 thread notices it when it next works: a tray that is opened
 *                 while nothing is read is reported with the next read
 *   invalid_wait  a thread has waited for a read and must not (guard.h).
 *                 Happens at the end of the wait, on the thread that waited,
 *                 possibly after `completed` of the read
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

/* The kinds of events, and the threads on which they happen. */
typedef enum spn_event_kind {
    SPN_EVENT_QUEUED = 1,           /* I/O thread */
    SPN_EVENT_READ_BEGIN = 2,       /* I/O thread */
    SPN_EVENT_READ_END = 3,         /* I/O thread */
    SPN_EVENT_PREEMPTED = 4,        /* I/O thread */
    SPN_EVENT_ABORTED = 5,          /* I/O thread */
    SPN_EVENT_DECOMPRESS_BEGIN = 6, /* worker */
    SPN_EVENT_DECOMPRESS_END = 7,   /* the same worker */
    SPN_EVENT_CALLBACK_BEGIN = 8,   /* see spn_callback */
    SPN_EVENT_CALLBACK_END = 9,     /* the same thread */
    SPN_EVENT_COMPLETED = 10,       /* caller's thread */
    SPN_EVENT_INVALID_WAIT = 11,    /* the thread that waited */
    SPN_EVENT_MEDIUM = 12,          /* I/O thread */
    SPN_EVENT_DECODE_BEGIN = 13,    /* worker */
    SPN_EVENT_DECODE_END = 14,      /* the same worker */
    SPN_EVENT_FILL_BEGIN = 15,      /* caller's thread */
    SPN_EVENT_FILL_END = 16,        /* caller's thread */
    SPN_EVENT_UPDATE_BEGIN = 17,    /* caller's thread */
    SPN_EVENT_UPDATE_END = 18       /* caller's thread */
} spn_event_kind;

/* The callbacks of a read, and the threads that call them. */
typedef enum spn_callback {
    SPN_CALLBACK_STORAGE = 1, /* on_storage: I/O thread */
    SPN_CALLBACK_ASYNC = 2,   /* on_async: worker */
    SPN_CALLBACK_DONE = 3     /* on_done, or one of the runtime: caller's
                               * thread */
} spn_callback;

/* One event. Times are microseconds on the platform's clock. A comment above a
 * group of fields says which events have them; in other events they are 0. */
typedef struct spn_event {
    spn_event_kind kind;
    uint64_t now_us; /* when the function is called */

    /* decompress (of a cache's frame), decode, fill */
    spn_node node;   /* may have been destroyed meanwhile */
    spn_cache cache; /* as it was given to spn_node_create */
    uint32_t frame;  /* number of the frame; fill_end: of the floor frame;
                      * fill_begin: UINT32_MAX */
    uint32_t part;   /* decode: number of the tile in the cache; fill: of the
                      * mesh */

    /* Events of a read have all of these, with the exceptions below.
     * decode, fill, and decompress of a cache's frame: only task and
     * task_class, and decompress also offset and bytes (compressed). decompress
     * of a pak's block: no priority; medium is SPN_MEDIUM_COUNT, offset counts
     * from the first block of the read, bytes are compressed. invalid_wait: no
     * priority, path and bytes. */
    spn_read read;
    spn_task task;
    spn_task_class task_class;
    spn_priority priority; /* at this moment; SPN_PRIORITY_PREEMPTED if it was
                            * preempted */
    spn_medium medium;     /* SPN_MEDIUM_COUNT: not known */
    const char *path;      /* of its file; NULL in aborted and completed, and in
                            * events on workers */
    uint64_t offset;       /* in the file */
    uint64_t bytes;        /* bytes to read; 0: to the end of a file whose size
                            * is not known yet */
    uint64_t start_us;     /* when it was started */
    uint64_t deadline_us;  /* 0: none */
    void *user; /* spn_read_desc.user; NULL for reads of the runtime */

    /* queued, preempted: the read with the smallest key of its medium is next.
     * Keys may change later, so compare only keys of about the same time. */
    uint64_t key;

    /* read_begin, read_end */
    uint64_t position;    /* of the piece on the medium, in bytes */
    uint64_t piece_bytes; /* read_begin: requested; read_end: arrived */
    uint64_t seek_bytes; /* distance from the end of the medium's last piece. If
                          * one command serves several reads, 0 for all but the
                          * first */
    uint32_t together;   /* number of reads that this command serves */

    spn_read by;           /* preempted: the read that is served first */
    spn_callback callback; /* callback_begin, callback_end */

    /* The result: read_end: of the piece; aborted, completed, and
     * callback_begin of on_async and on_done: of the read; callback_end of
     * on_storage: what it returned; invalid_wait: of the wait; decompress_end,
     * decode_end, fill_end: see above. */
    spn_status status;
    /* aborted, completed */
    uint64_t done_bytes; /* bytes that arrived */
    uint64_t ended_us;   /* when the data or the error was there */

    uint32_t roles; /* invalid_wait: roles of the thread that are forbidden */
    uint64_t waited_us; /* invalid_wait: until the read ended; medium: time
                         * since the device got its piece */

    spn_medium_state medium_state; /* medium: the new state */
} spn_event;

typedef void (*spn_event_fn)(void *user, const spn_event *event);

/* The functions; NULL: not called. Their events are described above. */
typedef struct spn_listener {
    void *user; /* first argument of each function */
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
