/* listener.h - functions of the game that the runtime calls at events.
 *
 * For profilers, logs and tests. spn_config.listener points to a table of
 * functions, each of which may be NULL. The table is the *listener*:
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
 * time. `event` and what it points to are valid during the call. On a platform
 * without threads, all events happen in spn_update, spn_read_wait,
 * spn_read_abort_now and spn_shutdown.
 *
 * Terms
 *
 *   caller's thread, I/O thread, worker
 *                 the threads of the runtime (spindle.h)
 *   piece         the part of a read that is one command to the device
 *   ended, completed
 *                 the result of a read is final; its callbacks have returned
 *                 (read.h)
 *   block         of a pak: 64 KiB of an entry (pak.h); of a cache's frame: one
 *                 compressed array of vertex data
 *   tile          a part of a large mesh, or several small meshes: what one job
 *                 decodes
 *
 * Events of one read. Not every read has all of them; they happen in this
 * order, apart from those that can happen again:
 *
 *   queued        the read has entered the queue of its medium. Happens again
 *                 if it enters the queue again: after its task was paused,
 *                 after it waited for memory, when it goes on with another
 *                 copy of a pak's entry, or when its pak was loaded or unloaded
 *   read_begin    a piece of the read is given to the device
 *   read_end      the device has returned the piece. The next piece on the
 *                 medium begins after that. Long reads have many pieces, and
 *                 failed pieces are repeated. One piece may serve several reads
 *                 that lie close together: then read_begin happens for all of
 *                 these reads, and after that read_end for all of them, in the
 *                 order of their positions
 *   decompress_begin, decompress_end
 *                 before and after a block of a compressed entry is
 *                 decompressed; after the read_end of the block's last piece
 *   preempted     another read is served between two of its pieces
 *   aborted       an abort or spn_shutdown ends the read, in any state
 *   callback_begin, callback_end
 *                 before and after each of its callbacks: on_storage before the
 *                 first piece, on_async and on_done after the end of the read
 *   completed     its last callback has returned. Happens exactly once for
 *                 every read
 *
 * A read that ends before its file is open, e.g. because the file does not
 * exist, has `completed` without `queued`. A read that is aborted in its queue
 * has no read_begin after `aborted`.
 *
 * Pairs of events that belong to no read. Begin and end happen on the same
 * thread and are nested, like the zones of a profiler:
 *
 *   update_begin, update_end
 *                 spn_update
 *   decompress_begin, decompress_end
 *                 the decompression of one frame of a cache; the node is the
 *                 first one that needed it. The status is the first error of a
 *                 block; other blocks of the frame may be good. A frame that
 *                 could not be read, or that refers to a lost one, is not
 *                 decompressed
 *   decode_begin, decode_end
 *                 the decoding of one tile of such a frame; if the node has
 *                 frame buffers (geom_buffers.h), also the writing to the
 *                 buffer. The status is the error of one of the tile's blocks,
 *                 or of the same tile in a frame to which it refers. Frames
 *                 that wait to be decoded when the stream is stopped are
 *                 decoded all the same
 *   fill_begin, fill_end
 *                 spn_node_fill with valid arguments
 *
 * Other events:
 *
 *   medium        the state of a medium (spn_medium_state) has changed. The I/O
 *                 thread detects it only while it has reads: if a tray is
 *                 opened while nothing is read, the event happens with the next
 *                 read
 *   invalid_wait  a thread has waited for a read but must not (guard.h).
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
    SPN_EVENT_FILL_BEGIN = 15,      /* the thread that fills */
    SPN_EVENT_FILL_END = 16,        /* the same thread */
    SPN_EVENT_UPDATE_BEGIN = 17,    /* caller's thread */
    SPN_EVENT_UPDATE_END = 18       /* caller's thread */
} spn_event_kind;

/* The callbacks of a read, and the threads that call them. */
typedef enum spn_callback {
    SPN_CALLBACK_STORAGE = 1, /* on_storage: I/O thread */
    SPN_CALLBACK_ASYNC = 2,   /* on_async: worker */
    SPN_CALLBACK_DONE = 3     /* on_done of the game, or of a read that the
                               * runtime started itself: caller's thread */
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
    uint32_t part;   /* decode: number of the tile in the cache; fill: number
                      * of the mesh */

    /* Events of a read have all of these fields, except:
     * - decompress of a pak's block: no priority; medium is SPN_MEDIUM_COUNT;
     *   offset is that of the block in the read, from the read's first block
     *   on; bytes is the compressed size of the block
     * - invalid_wait: no priority, path and bytes
     * Of the events of caches:
     * - decode, fill: only task and task_class
     * - decompress of a frame: also offset and bytes of the compressed frame */
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

    /* queued, preempted: the sort key of the read (medium.h). On a medium with
     * SPN_ORDER_SORT_KEY the read with the smallest key is next. Keys may
     * change later, so compare only keys of about the same time. */
    uint64_t key;

    /* read_begin, read_end */
    uint64_t position;    /* of the piece on the medium, in bytes */
    uint64_t piece_bytes; /* read_begin: requested; read_end: arrived */
    uint64_t seek_bytes; /* distance from the end of the medium's last piece. If
                           * the piece serves several reads, 0 for all but the
                           * first */
    uint32_t together;   /* number of reads that this piece serves */

    spn_read by;           /* preempted: the read that is served first */
    spn_callback callback; /* callback_begin, callback_end */

    /* The result
     * - of the piece: read_end
     * - of the read: aborted, completed, callback_begin of on_async and on_done
     * - of on_storage: its callback_end
     * - of the wait: invalid_wait
     * - of the work: decompress_end, decode_end, fill_end (see above) */
    spn_status status;
    /* aborted, completed */
    uint64_t done_bytes; /* bytes that arrived */
    uint64_t ended_us;   /* when the read ended */

    uint32_t roles; /* invalid_wait: roles of the thread that are forbidden */
    uint64_t waited_us; /* invalid_wait: length of the wait, until the read
                         * ended; medium: time since the device got its piece */

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
