/* manager.h - all caches and nodes of a runtime, and their update.
 *
 * The public functions (api_geom.c) open caches and create nodes here. A
 * *cache* is one open file of animated geometry. A *node* is one playing
 * instance of a cache; its *stream* reads and decodes the frames around the
 * playback time. The *static data* of a cache are its tables and the vertex
 * data that never changes; they are in memory while the cache is open. A
 * *promise* is memory that is reserved for a stream (promise.h).
 *
 * The manager owns the tables of caches and nodes and the state that they
 * share: the heap's totals, the reads under way on each medium, the use of each
 * drive.
 *
 * One update (spn_update) does this, in order:
 *   1. step each cache that opens or closes;
 *   2. collect finished reads and decodes of each node, choose what it shows,
 *      and free the frames that playback has passed;
 *   3. admit streams to drives that have time for them (admission.h);
 *   4. start decodes, then reads, nearest deadline first (node_order.h);
 *   5. if an allocation of steps 1 to 4 failed, make one stream free memory.
 *
 * Why no stream can block another one for ever:
 *   - All promises together fit the heap beside the static data (promise.h,
 *     stream_memory.h). A stream without a promise holds no memory; it gets a
 *     promise when another stream stops.
 *   - A stream with a promise finds its pages free, unless they were taken
 *     before the promise was made, or are unusable through fragmentation. Then
 *     step 5 *evicts*: it frees memory that a stream uses beyond its promise.
 *     Of the streams that do, the one whose next deadline is farthest is
 *     chosen. It loses the frames that it needs last, decoded or only read; it
 *     reads them again later. Each update evicts from one stream.
 *   - If no stream has anything to evict, the stream that lacks memory frees
 *     its own frames and starts again (stream_evict.h). This happens only in
 *     heaps that are smaller than spn_cache_heap_needed says.
 *   - Every read ends in a completion. Decode jobs wait only for jobs that were
 *     submitted before. A group of frames gets the memory of all its frames or
 *     none, so two streams cannot wait for each other with half of it each.
 *
 * The caller's thread (the thread that calls spn_update) owns everything here.
 * Jobs on workers only read the fields that are fixed after init.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_MANAGER_H
#define SPN_PLAY_MANAGER_H

#include "base/carve.h"
#include "base/heap.h"
#include "base/jobs.h"
#include "base/pool.h"
#include "base/trace.h"
#include "base/tuning.h"
#include "codec/classic/predict.h"
#include "fill/fill.h"
#include "play/promise.h"
#include "read/io.h"

#include <spindle/features.h>
#include <spindle/geom.h>
#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

struct cache;
struct node;

struct manager_config {
    const spn_platform *platform;
    struct heap *heap;
    struct io *io;
    struct jobs *jobs;
    struct tuning *tuning;
    struct trace *trace;
    const spn_codec *const *codecs; /* registered block codecs; copied */
    uint32_t codec_count;
    uint32_t cache_count;        /* slots for caches */
    uint32_t node_count;         /* slots for nodes */
    uint32_t stream_frame_count; /* frames in the window of each stream */
    uint32_t cpu;                /* SPN_CPU_*: instruction sets to use */
};

/* Reads of streams under way on one medium. */
struct manager_pending {
    uint32_t reads;
    uint64_t bytes;
    /* A stream normally starts to read when less than buffer_ahead_min_ms (a
     * tuning variable) of its clip is buffered. If several streams reach this
     * minimum at about the same time, the stream that is served last runs out
     * of frames. This is set if that would happen; streams may then read before
     * they reach the minimum. Computed at each update. */
    bool needs_early_reads;
};

struct manager {
    /* fixed after init */
    struct manager_config config;
    const spn_codec **codecs;  /* codec_count of them */
    struct lift_ops *lift_ops; /* kernels of lifted meshes, which codec/lift
                                * decodes; NULL if the runtime is built without
                                * them (features.h) */
    struct cache *caches;      /* cache_count of them */
    struct node *nodes;        /* node_count of them */
    /* changed after init */
    /* A stream has requested a share of a drive, or has returned one. */
    bool admission_is_due;
    struct cache *loading; /* the one cache that is being loaded; NULL: none */
    /* Indices of the nodes that play, by the deadline of the next decode and of
     * the next read. Both have order_count entries. */
    uint16_t *decode_order;
    uint16_t *read_order;
    uint32_t order_count;
    /* Next serial number. Serials order events; they wrap, so compare them by
     * the sign of their difference. */
    uint32_t next_serial;
    struct promises promises;
    uint32_t eviction_count; /* evictions since init */
    /* Limit of each number of drive_permille at the last admission. If the
     * tuning variable of this name has changed, admission is due. */
    uint32_t drive_permille_max;
    uint64_t now_us; /* time at which this update began */
    /* Sum of the shares of admitted streams on each medium, in thousandths of a
     * drive's time. */
    uint32_t drive_permille[SPN_MEDIUM_COUNT];
    struct manager_pending pending[SPN_MEDIUM_COUNT];
    struct pool cache_pool; /* which slots of `caches` are in use */
    struct pool node_pool;  /* which slots of `nodes` are in use */
    /* fixed after init; at the end, so that other fields have small offsets */
    struct predict_ops predict; /* kernels of all other meshes, which
                                 * codec/classic decodes */
    struct fill_ops fill;       /* kernels that write vertices in the formats of
                                 * the engine */
};

/* Take the memory of the tables from `carve` (base/carve.h), which hands out
 * parts of the runtime's memory, or only counts bytes. If it only counts, all
 * tables are NULL. */
void spn__manager_init(struct manager *m, struct carve *carve,
                       const struct manager_config *config);

/* The update described above. The completions of ended reads must have been
 * delivered before. */
void spn__manager_update(struct manager *m, uint64_t now_us);

/* Destroy all nodes and close all caches, one step for each call. True when
 * nothing is left. Reads and jobs must go on between the calls. */
bool spn__manager_shutdown(struct manager *m);

/* True if the totals agree with the caches, nodes and streams, and each of
 * these passes its own check. Reads the whole state. See also
 * spn__promise_check and spn__node_order_check. */
bool spn__manager_check(const struct manager *m);

/* The object of a handle; NULL if the handle is stale. */
struct cache *spn__manager_cache(const struct manager *m, spn_cache handle);
struct node *spn__manager_node(const struct manager *m, spn_node handle);

#endif
