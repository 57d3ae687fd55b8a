/* spindle.h - the runtime: one block of memory, one update a frame.
 *
 *   spn_config config = {.platform = &platform, .heap_bytes = 64u << 20};
 *   size_t bytes = spn_memory_needed(&config);
 *   spn_init(&config, memory, bytes, &rt);
 *   ... spn_cache_open, spn_node_create, then once a frame:
 *   spn_node_set_playback_time(rt, node, now); spn_update(rt);
 *   spn_node_fill(rt, node, mesh, &layout, vertices, bytes, &shown);
 *   spn_shutdown(rt);
 *
 * Threads: unless a function says otherwise, it is called from one thread at
 * a time, "the caller's". Callbacks of reads that run on that thread may call
 * everything but spn_update and spn_shutdown. Outputs are written only on
 * SPN_OK. A runtime that is NULL is SPN_ERR_ARG, or nothing happens.
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
 *          may drop a version of a format. A file of a version that is not read
 *          is refused with SPN_ERR_VERSION, and the fault has its number:
 *          compile it again. Frames of a file are the same, bit by bit, in
 *          every version that reads it, on every machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_SPINDLE_H
#define SPINDLE_SPINDLE_H

#include <spindle/codec.h>
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
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The one place of the version: the Makefile, CMake and the tool take it from
 * here. */
#define SPINDLE_VERSION_MAJOR 0
#define SPINDLE_VERSION_MINOR 1
#define SPINDLE_VERSION_PATCH 0

/* For spn_config.worker_count: jobs run inside spn_update. */
#define SPN_NO_WORKERS UINT32_MAX

/* Workers reserved for asynchronous callbacks, at most. */
#define SPN_RESERVED_WORKERS_MAX 4u

/* The block of memory starts at a multiple of this. */
#define SPN_MEMORY_ALIGN 64u

/* Largest spn_config.stream_frame_count. */
#define SPN_STREAM_FRAMES_MAX 65535u

/* How the steps of an engine's own job system reach the runtime: see job_submit
 * below. It is the engine's, lies outside of the runtime's block of memory, and
 * must stay until the last spn_job_step has returned, also of those that come
 * after spn_shutdown: a static variable is the simplest. Zero at first; then
 * the fields are the runtime's. One runtime at a time; the next may use it
 * again, also while steps of the last one are still to come. */
typedef struct spn_job_gate {
    spn_runtime *runtime;
    uint32_t state;
} spn_job_gate;

/* Zero means default everywhere but in `platform`. */
typedef struct spn_config {
    const spn_platform *platform; /* copied; all file functions and now_us, and
                                   * all thread functions or none */
    uint32_t heap_bytes;          /* the streaming heap, 65536.. and at most
                                   * 65534 pages; rounded up to pages. Default
                                   * 64 MiB */
    uint32_t heap_page_bytes;     /* power of two, 4096..65536. Default: the
                                   * least that covers heap_bytes */
    uint32_t heap_block_count;    /* live blocks at most, 16..65534: 80 bytes
                                   * each. With fewer than the pages, which is
                                   * the default, streams may wait for one */
    uint32_t worker_count;        /* threads, 1..64; 0: 2, or none without
                                   * threads; SPN_NO_WORKERS */
    uint32_t worker_stack_bytes;  /* 16 KiB..64 MiB. Default 65536 */
    uint32_t io_stack_bytes;      /* 16 KiB..64 MiB. Default 65536 */
    spn_thread_priority worker_priority; /* default SPN_THREAD_NORMAL */
    spn_thread_priority io_priority;     /* default SPN_THREAD_HIGH: it sleeps
                                          * nearly always, and while it wakes
                                          * up late the drive does nothing */
    uint32_t read_count;         /* reads in flight, 4..32767. Default 64 */
    uint32_t file_count;         /* open files, 1..32768. Default 64 */
    uint32_t job_count;          /* jobs in flight, 2..2^20. Default 1024 */
    uint32_t cache_count;        /* open caches, 1..65535. Default 64 */
    uint32_t node_count;         /* playing instances, 1..65535. Default 64 */
    uint32_t stream_frame_count; /* frames that one node may hold, read or
                                  * decoded: at least those of two groups;
                                  * 8..SPN_STREAM_FRAMES_MAX. Default 512 */
    uint32_t piece_bytes;        /* reads are served in pieces: multiple of
                                  * 4096, up to 64 MiB; compressed ones that
                                  * lie side by side in one and a half.
                                  * Default 256 KiB. With the deadline
                                  * scheduler, for reads that are not
                                  * compressed: what the drive reads in 0.1 s
                                  * at its fastest, 256 KiB to 1 MiB */
    uint32_t trace_count;        /* events kept, 2..2^20. Default 1024 */
    uint32_t read_budget_bytes;  /* what storage callbacks may have given to
                                  * reads that are not completed, in 4 KiB
                                  * units: beyond it only urgent reads get
                                  * memory, and one read when nobody else has
                                  * any. Default 10 MiB */
    uint32_t wait_count;         /* threads in spn_read_wait at a time, 1..64:
                                  * an event each. Default 4 */

    uint32_t pak_count;    /* mounted paks, 0..255. Default 0: none, and no
                            * memory for what follows */
    uint32_t unpack_bytes; /* what compressed entries of paks may have in
                            * memory between the disc and the workers;
                            * rounded up to whole pieces and a half, and two
                            * of these at least. A quarter is kept for urgent
                            * reads, the others wait until some of it
                            * comes back. Default 1 MiB */
    uint32_t has_loose_files_only; /* 1: paths are those of files on the disc
                                    * alone, not of entries of paks: see pak.h.
                                    * Default 0 */

    /* The drive and the order of reads of each medium. The deadline scheduler
     * costs memory: on each medium that uses it 12 KiB to 140 KiB and about 40
     * bytes for each of read_count; on the first of them 90 bytes more for
     * each. */
    spn_medium_config media[SPN_MEDIUM_COUNT];

    /* An engine's own job system: job_submit is called once for each job, from
     * any thread; it must lead to one spn_job_step on some thread, with a
     * worker index that no other thread uses meanwhile. Then worker_count is
     * the number of indices (1..64; 0: 2), no threads are started for jobs, and
     * job_gate must not be NULL: the steps are given it, not the runtime.
     * Shutdown does not wait for steps that have not begun, and runs their jobs
     * itself. They may come whenever the engine gets to them, and do nothing:
     * nobody needs to count or remove them. job_submit is not called any more
     * once spn_shutdown has returned. */
    void (*job_submit)(void *user);
    void *job_user;
    spn_job_gate *job_gate;

    /* Workers that run nothing but the asynchronous callbacks of some task
     * types, so that these wait neither for decoding nor for a long callback
     * of another type: each word that is not 0 is one such thread beside
     * worker_count, for the types whose bits (1u << task) it has. A type in
     * several words is the first one's. Only with threads of the runtime's
     * own: all 0 otherwise. */
    uint32_t reserved_tasks[SPN_RESERVED_WORKERS_MAX];

    /* Block codecs beyond the built-in store and lz4hc: codec_count tables,
     * each number once and none of the built-in ones, 64 at most. The array is
     * copied, the tables must outlive the runtime. See codec.h. */
    const spn_codec *const *codecs;
    uint32_t codec_count;

    /* Who is told what reads do, see listener.h. Copied. NULL: nobody. */
    const spn_listener *listener;

    /* How long an invalid wait takes at least, in microseconds: see guard.h.
     * For development: 3000000 is noticed. It takes one of the wait_count
     * events, and is left out where none is free. Or SPN_INVALID_WAIT_DRIVE,
     * which is what 0 means on an emulated drive; elsewhere it is no longer
     * than the read. */
    uint32_t invalid_wait_us;
} spn_config;

/* The config with every default filled in; `out` may be `config`. SPN_ERR_ARG:
 * a value is out of its range, or a pointer NULL; SPN_ERR_NOT_BUILT: it wants
 * what this build is without (features.h). Thread: any. */
spn_status spn_config_resolve(const spn_config *config, spn_config *out);

/* Bytes that spn_init needs with this config, all included; 0 when the config
 * is NULL, invalid, or needs more than a size_t can say. Thread: any. */
size_t spn_memory_needed(const spn_config *config);

/* Start a runtime in `memory` (aligned to SPN_MEMORY_ALIGN, `bytes` of it),
 * which is the runtime's until spn_shutdown returns. Starts the threads.
 * SPN_ERR_ARG for an invalid config, memory that is NULL or not aligned, or no
 * `out`, or a job_gate inside of `memory`; SPN_ERR_MEMORY when too small;
 * SPN_ERR_STATE when another runtime has the job_gate, or it was not zero;
 * SPN_ERR_PLATFORM when a thread or event could not be made (nothing is left
 * running then); SPN_ERR_NOT_BUILT as spn_config_resolve. */
SPN_NODISCARD spn_status spn_init(const spn_config *config, void *memory,
                                  size_t bytes, spn_runtime **out);

/* Conduct: finish what completed (callbacks run here), retire what playback
 * has passed, launch the decodes that became possible, start the reads that
 * fit. Never waits; bounded by the tables. Without threads it also runs io
 * and job steps, update_steps_max at most. */
void spn_update(spn_runtime *rt);

/* End everything: all reads complete (with SPN_ERR_SHUTDOWN), threads end.
 * The memory is the caller's again, and may be freed at once. Returns once the
 * device has let go of it: a platform without threads is polled until then, so
 * its clock must run or its read_cancel end the read. Of an engine's job system
 * it waits for the steps that are inside spn_job_step, and for no others. */
void spn_shutdown(spn_runtime *rt);

/* Run one job as worker `index` < worker_count, for an engine's own job system
 * (see job_submit). 1 when there was one; 0 also for an index that is none, a
 * gate that is NULL or of no runtime, and after spn_shutdown. Thread: any, also
 * while spn_shutdown runs on another. */
int spn_job_step(spn_job_gate *gate, uint32_t index);

/* Set a tuning variable: a number that changes how the runtime streams, and may
 * be changed while it runs.
 *
 * name   e.g. "buffer_ahead_min_ms"; spn_tuning_get lists them
 * value  a decimal number in the variable's range, e.g. "2000"
 *
 * Returns SPN_ERR_NOT_FOUND if there is no such variable; SPN_ERR_ARG for NULL
 * or a bad value. Nothing has changed then. */
spn_status spn_tuning_set(spn_runtime *rt, const char *name, const char *value);
/* Describe one tuning variable.
 *
 * index  from 0 on; SPN_ERR_NOT_FOUND behind the last one
 * name   static string, as spn_tuning_set takes it; NULL: not wanted
 * text   static string, what the variable does; NULL: not wanted
 * value  its value now; NULL: not wanted */
spn_status spn_tuning_get(const spn_runtime *rt, uint32_t index,
                          const char **name, const char **text,
                          uint32_t *value);

/* Do all invariants of heap, pools and streams hold? For tests and debug
 * keys: O(everything). 1 or 0. */
int spn_check(const spn_runtime *rt);

#if SPN_WITH_OBSERVERS
/* Hash of all trace events so far: equal runs, equal hashes. */
uint32_t spn_trace_hash(const spn_runtime *rt);
#endif

#ifdef __cplusplus
}
#endif
#endif
