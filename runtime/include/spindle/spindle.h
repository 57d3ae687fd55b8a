/* spindle.h - the runtime: create it, update it, end it.
 *
 * The runtime reads files from slow media, and plays animated geometry from
 * them, with one piece of memory that the game provides. It allocates nothing
 * else. This header includes all others:
 *
 *   geom.h           geometry caches: animated vertices. It includes a header
 *                    for each subject and explains what they have in common:
 *                    geom_cache.h, geom_mesh.h, geom_node.h, geom_state.h,
 *                    geom_layout.h, geom_fill.h, geom_buffers.h, geom_scene.h,
 *                    geom_view.h, geom_draw.h, geom_event.h
 *   anim.h           animation clips and poses (anim_sample.h). It includes
 *                    anim_refs.h, anim_database.h, anim_timeline.h,
 *                    anim_event.h, anim_skeletons.h, anim_sample.h,
 *                    anim_pose.h, anim_blend.h, anim_motion.h
 *   read.h, pak.h    reads of files; many files in one
 *   memory.h         blocks of the runtime's heap, reports about memory
 *   medium.h         drives, and the order of reads
 *   io_stats.h, listener.h, record.h, guard.h
 *                    statistics, events, recordings, and guarded threads
 *   tuning.h         variables that change how the runtime streams
 *   debug.h          snapshots of what is in memory, for an overlay or a log
 *   platform.h       the functions that the runtime needs of the machine
 *   codec.h, features.h, status.h
 *                    block codecs, parts that can be left out, results
 *
 * Use:
 *
 *   spn_config config = {.platform = &platform, .heap_bytes = 64u << 20};
 *   size_t bytes = spn_memory_needed(&config);
 *   spn_init(&config, memory, bytes, &rt);
 *   ... spn_cache_open, spn_node_create, then once a frame:
 *   spn_node_set_playback_time(rt, node, now); spn_update(rt);
 *   spn_node_fill(rt, node, mesh, &layout, vertices, bytes, &shown);
 *   spn_shutdown(rt);
 *
 * Threads of the runtime
 *
 *   caller's thread  the thread of the game that calls spn_update
 *   I/O thread       a thread of the runtime. It chooses the next read, gives
 *                    it to the device, and takes the result
 *   worker           runs *jobs*. A job decompresses or decodes some data, or
 *                    calls on_async of a read. Workers are threads of the
 *                    runtime, or of the engine (spn_config.job_submit)
 *
 * Unless its comment says otherwise, a function must be called on the caller's
 * thread. (It may be a different thread each time, but never two at once.)
 * Callbacks that run on this thread may call everything except spn_update and
 * spn_shutdown, which have no effect in spn_update. On a platform without
 * threads, the caller's thread also does the work of the others, in
 * spn_update.
 *
 * Outputs are written only if SPN_OK is returned, unless the function's comment
 * says otherwise. If the runtime is NULL, functions return SPN_ERR_ARG, or do
 * nothing.
 *
 * What is promised of a version A.B.C:
 *
 *   API    Sources that compile with A.B.C compile with every later A.B.x, as
 *          C11 and as C++11, and mean the same. A new B may change names and
 *          contracts; CHANGELOG.md lists the names, and no old one is kept.
 *          Numbers of statuses and codecs never change. A field that is added
 *          to a struct that the caller fills has zero as its default: set such
 *          structs to zero first.
 *   ABI    None. Structs may grow in any version. Compile the game, the
 *          runtime, the codecs and the platform from one version with the same
 *          switches of features.h, and link them statically.
 *   Files  A.B.C reads every cache and pak that an earlier A.B.x wrote. A new B
 *          may drop a version of a format. A file whose version is not read is
 *          refused with SPN_ERR_VERSION, and the fault has the version: compile
 *          the file again. The frames of a file are the same, bit by bit, in
 *          every version that reads it, on every machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_SPINDLE_H
#define SPINDLE_SPINDLE_H

#include <spindle/anim.h>
#include <spindle/codec.h>
#include <spindle/debug.h>
#include <spindle/features.h>
#include <spindle/geom.h>
#include <spindle/guard.h>
#include <spindle/io_stats.h>
#include <spindle/listener.h>
#include <spindle/medium.h>
#include <spindle/memory.h>
#include <spindle/pak.h>
#include <spindle/platform.h>
#include <spindle/read.h>
#include <spindle/record.h>
#include <spindle/status.h>
#include <spindle/tuning.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version. It is written here only: the Makefile, CMake and the tool read
 * it from this header. */
#define SPINDLE_VERSION_MAJOR 0
#define SPINDLE_VERSION_MINOR 1
#define SPINDLE_VERSION_PATCH 0

/* As spn_config.worker_count: no workers; spn_update runs the jobs. */
#define SPN_NO_WORKERS UINT32_MAX

/* Most reserved workers, see spn_config.reserved_tasks. */
#define SPN_RESERVED_WORKERS_MAX 4u

/* Alignment of the memory for spn_init, in bytes. */
#define SPN_MEMORY_ALIGN 64u

/* Largest spn_config.stream_frame_count. */
#define SPN_STREAM_FRAMES_MAX 65535u

/* Connects an engine's own job system with the runtime (spn_config.job_submit).
 * The engine passes it to spn_job_step. The gate records whether the runtime
 * still exists, so that a call of spn_job_step after spn_shutdown does nothing.
 *
 * It belongs to the engine and lies outside of the runtime's memory; a static
 * variable is simplest. It must exist until the last spn_job_step has returned,
 * including those after spn_shutdown. Set it to zero once; after that only the
 * runtime writes to it. It serves one runtime at a time, and the next runtime
 * may use it as soon as the last one has shut down. */
typedef struct spn_job_gate {
    spn_runtime *runtime; /* NULL: it belongs to no runtime */
    uint32_t state;       /* the runtime's own */
} spn_job_gate;

/* Everything that is fixed for the life of a runtime. In each field except
 * `platform`, 0 means the default that is given in brackets. */
typedef struct spn_config {
    /* The functions of the machine; platform.h says which are required. The
     * struct is copied. */
    const spn_platform *platform;

    /* -- heap -- */

    uint32_t heap_bytes;       /* size of the heap, from 65536. Rounded up to
                                * whole pages, at most 65534. [64 MiB] */
    uint32_t heap_page_bytes;  /* the heap is allocated in pages of this size;
                                * power of two, 4096..65536. [the smallest with
                                * which heap_bytes has at most 65534 pages] */
    uint32_t heap_block_count; /* most allocations of the heap at a time,
                                * 16..65534. Each costs 80 bytes. If there are
                                * fewer than pages, streams may have to wait
                                * although pages are free. [number of pages] */

    /* -- threads -- */

    uint32_t worker_count; /* threads that run jobs, 1..64, or SPN_NO_WORKERS.
                            * [2; on a platform without threads none] */
    uint32_t worker_stack_bytes;         /* 16 KiB..64 MiB. [64 KiB] */
    uint32_t io_stack_bytes;             /* 16 KiB..64 MiB. [64 KiB] */
    spn_thread_priority worker_priority; /* [SPN_THREAD_NORMAL] */
    spn_thread_priority io_priority; /* of the I/O thread. It needs little time,
                                      * but while it waits for a processor, the
                                      * drive is idle. [SPN_THREAD_HIGH] */

    /* -- sizes of tables -- */

    uint32_t read_count;         /* reads in flight or held, 4..32767. [64] */
    uint32_t file_count;         /* open files, 1..32768. [64] */
    uint32_t job_count;          /* jobs that wait or run, 2..2^20. [1024] */
    uint32_t cache_count;        /* open caches, 1..65535. [64] */
    uint32_t node_count;         /* nodes, 1..65535. [64] */
    uint32_t fill_count;         /* fills that were started by spn_fill_start,
                                  * and whose end no spn_fill_wait has found,
                                  * 1..65535. [64] */
    uint32_t stream_frame_count; /* most frames that one node needs in memory,
                                  * read or decoded, 8..SPN_STREAM_FRAMES_MAX. A
                                  * node cannot play if it is less than two
                                  * groups of its cache. [512] */

    /* -- reads, and the trace -- */

    /* Most bytes of a *piece*: the part of a read that is one command to the
     * device. Multiple of 4096, up to 64 MiB. Neighbouring compressed blocks
     * of a pak's entry are read together, in pieces of up to 1.5 times this.
     * [256 KiB. For uncompressed reads on a medium with the deadline scheduler:
     * the bytes that the drive reads in 0.1 s at its highest rate, at least
     * 256 KiB and at most 1 MiB] */
    uint32_t piece_bytes;
    uint32_t trace_count; /* latest internal events kept for debugging,
                           * 2..2^20. [1024] */
    /* Most memory of reads in flight that comes from storage callbacks or
     * SPN_READ_INTO_HEAP; the size of each read is rounded up to 4 KiB. If this
     * is used up, reads wait for their memory. Urgent reads do not wait. A read
     * that is larger than this does not wait if no other read has such memory.
     * [10 MiB] */
    uint32_t read_budget_bytes;
    uint32_t wait_count; /* most threads in spn_read_wait and spn_fill_wait at
                          * a time, 1..64; each costs an event of the platform.
                          * [4] */

    /* -- paks -- */

    uint32_t pak_count; /* most mounted paks, up to 255. [0: paks cannot be
                         * mounted, and take no memory] */
    /* Memory for compressed data of entries that was read and is not yet
     * decompressed. Rounded up to a multiple of 1.5 * piece_bytes, at least
     * twice that. A quarter is reserved for urgent reads; if the rest is in
     * use, other reads wait. [1 MiB] */
    uint32_t unpack_bytes;
    uint32_t has_loose_files_only; /* 1: paths are never looked up in paks, only
                                    * on the disc (pak.h). [0] */

    /* -- animation clips (anim.h) -- */

    uint32_t anim_count; /* most clips: their headers, up to 2^24. Each costs
                          * 12 bytes, and 48 bytes and its name in the heap. [0:
                          * no animation; the other fields have no effect] */
    uint32_t anim_loaded_count;   /* most clips and databases that are in memory
                                 * or being read, 1..2^20. Each costs 400 bytes.
                                 * [1024, at most anim_count] */
    uint32_t anim_database_count; /* most databases, 1..65535. While clips of a
                                   * database are read, its file is open, and
                                   * is one of file_count. It is closed when it
                                   * was not read for anim_remove_ms. [64] */
    uint32_t anim_play_count;     /* most clips that play, 1..65535. Each costs
                                   * 1600 bytes. [256] */
    uint32_t anim_timeline_count; /* most timelines, 1..65535. Each costs 3200
                                   * bytes. [16] */
    uint32_t anim_skeleton_count; /* most open skeletons, 1..65535. Each costs
                                   * 800 bytes. [16] */
    uint32_t anim_has_loose_headers; /* 1: for development, headers come from
                                      * clip files, and there is no image
                                      * (spn_anim_add_file). Each of anim_count
                                      * costs 204 bytes more, and nothing in the
                                      * heap. [0] */
    uint32_t anim_reserve_bytes; /* of the heap, which belong to clips (anim.h,
                                   * Memory); at most half of it. [a quarter of
                                   * heap_bytes] */

    /* -- media -- */

    /* The drive and the order of reads of each medium. The deadline scheduler
     * takes 12 KiB to 140 KiB and about 40 bytes for each of read_count on
     * each medium that uses it, and on the first of them 90 bytes more for
     * each of read_count. */
    spn_medium_config media[SPN_MEDIUM_COUNT];

    /* -- the engine's own job system -- */

    /* NULL: the runtime has workers of its own. Otherwise the runtime starts no
     * workers and calls this function once for each job, on any thread. For
     * each call the engine must call spn_job_step once, later, on a thread of
     * its own, with a worker index that no other thread uses at that time.
     * worker_count is then the number of indices (1..64, [2]), and job_gate
     * must not be NULL.
     *
     * spn_shutdown itself runs the jobs for which the engine has not called
     * spn_job_step. A later call does nothing, so the engine need not count or
     * cancel its calls. job_submit is not called after spn_shutdown has
     * returned. */
    void (*job_submit)(void *user);
    void *job_user; /* first argument of job_submit */
    spn_job_gate *job_gate;

    /* Reserved workers. Each element that is not 0 starts one more thread, in
     * addition to worker_count. It only calls on_async of reads, for the tasks
     * whose bits (1u << task) are set. So these callbacks wait neither for
     * decoding nor for callbacks of other tasks. If a task is in several
     * elements, the first one serves it. All elements must be 0 without threads
     * and with job_submit. */
    uint32_t reserved_tasks[SPN_RESERVED_WORKERS_MAX];

    /* -- the rest -- */

    /* Block codecs beside the built-in ones, at most 64, each id once
     * (codec.h). The array is copied; the spn_codec structs must exist until
     * spn_shutdown has returned. */
    const spn_codec *const *codecs;
    uint32_t codec_count;

    /* Functions that are called at events (listener.h). Copied. [none] */
    const spn_listener *listener;

    /* For development: an *invalid wait* (a wait for a read on a thread that
     * must not wait for it, guard.h) takes at least this long, in microseconds,
     * so that the developer notices it; e.g. 3000000. While a wait is prolonged
     * it counts towards wait_count; it is not prolonged if wait_count is
     * reached. May be SPN_INVALID_WAIT_DRIVE. [SPN_INVALID_WAIT_DRIVE on an
     * emulated drive, otherwise no minimum] */
    uint32_t invalid_wait_us;
} spn_config;

/* Replace every 0 in a config by its default.
 *
 * out  may be the same as `config`
 *
 * Returns SPN_ERR_ARG if a value is out of its range or a needed pointer is
 * NULL; SPN_ERR_NOT_BUILT if the config needs a part that this build does not
 * have (features.h). Thread: any. */
spn_status spn_config_resolve(const spn_config *config, spn_config *out);

/* The number of bytes that spn_init needs with this config. 0 if the config is
 * NULL or invalid, or if the number does not fit a size_t. Thread: any. */
size_t spn_memory_needed(const spn_config *config);

/* Create a runtime in a piece of memory, and start its threads.
 *
 * memory  `bytes` long, aligned to SPN_MEMORY_ALIGN. It belongs to the runtime
 *         until spn_shutdown has returned
 *
 * If an error is returned, no thread is running and the memory is free.
 *   SPN_ERR_ARG        the config is invalid, a pointer is NULL, the memory is
 *                      not aligned, or job_gate lies inside of it
 *   SPN_ERR_NOT_BUILT  see spn_config_resolve
 *   SPN_ERR_MEMORY     `bytes` is less than spn_memory_needed
 *   SPN_ERR_STATE      another runtime uses job_gate, or it was not set to zero
 *   SPN_ERR_PLATFORM   a thread or an event could not be created */
SPN_NODISCARD spn_status spn_init(const spn_config *config, void *memory,
                                  size_t bytes, spn_runtime **out);

/* Do the regular work; call it once a frame. It completes reads that have ended
 * and calls their on_done, frees frames that playback has passed, and starts
 * decode jobs and reads that have become possible. It never waits, and its work
 * is bounded by the sizes of the tables. On a platform without threads it also
 * does the work of the I/O thread and of the workers, in steps; the tuning
 * variable update_steps_max limits their number in one call. */
void spn_update(spn_runtime *rt);

/* End a runtime. Reads in flight complete with SPN_ERR_SHUTDOWN, then the
 * threads end. After the call the memory belongs to the caller again.
 *
 * The call waits until the device has finished or cancelled its piece, because
 * the device may write into the memory until then. Without threads the call
 * polls the platform meanwhile, so now_us must advance, or read_cancel must end
 * the read. With an engine's job system the call waits for threads that are
 * inside spn_job_step, but not for calls that have not begun. */
void spn_shutdown(spn_runtime *rt);

/* Run one job; for an engine's own job system (spn_config.job_submit).
 *
 * index  number of the worker, < worker_count. Two threads must not use the
 *        same number at the same time
 *
 * Returns 1 if a job was run. Returns 0 if there was none, if the index is out
 * of its range, if the gate is NULL or belongs to no runtime, and after
 * spn_shutdown. Thread: any, also while another thread is in spn_shutdown. */
int spn_job_step(spn_job_gate *gate, uint32_t index);

/* Check that the runtime's internal data is consistent; for tests and
 * debugging. The time is proportional to the sizes of the tables. Returns 1 if
 * it is consistent, otherwise 0. */
int spn_check(const spn_runtime *rt);

#if SPN_WITH_OBSERVERS
/* A hash of all internal events (spn_config.trace_count) since spn_init. On a
 * platform without threads, equal inputs give equal hashes. */
uint32_t spn_trace_hash(const spn_runtime *rt);
#endif

#ifdef __cplusplus
}
#endif
#endif
