/* manager.h - all caches and nodes of a runtime: what they share.
 *
 * The public functions (api_geom.c) open caches and create nodes here. A
 * *cache* is one open file of animated geometry, with the frames and groups of
 * it that are in memory. A *node* is one playing instance of a cache; its
 * *cursor* says which of them are needed. The manager owns the tables of both
 * and the state that they share: the heap's totals, the running frames, the
 * reads, the use of each drive.
 *
 * update.h has the functions of the manager.
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
#include "base/tuning_table.h"
#include "codec/classic/predict.h"
#include "fill/fill.h"
#include "play/group_read.h"
#include "play/launch.h"
#include "play/promise.h"
#include "read/io.h"

#include <spindle/features.h>
#include <spindle/geom.h>
#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

struct cache;
struct fill_job;
struct mesh_registry;
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
    uint32_t fill_count;         /* fills that run as jobs */
    uint32_t stream_frame_count; /* frames that a node may hold */
    uint32_t cpu;                /* SPN_CPU_*: instruction sets to use */
};

/* Reads of groups under way on one medium. */
struct manager_pending {
    uint64_t bytes;
    uint32_t reads;
    /* Set when the buffers of the admitted cursors run low at the same time, so
     * that the last one would be read too late. Cursors then start to read
     * before their buffer is at its minimum. Computed at each update. */
    bool needs_early_reads;
};

/* State of node/governor.h. */
struct governor {
    uint64_t elapsed_us;       /* since the update before this one */
    uint64_t healthy_since_us; /* no frame has been in danger since */
    /* Frames have been late since, all the time. This and unread_since_us are
     * put off by what hitches between updates last. */
    uint64_t late_since_us;
    /* Frames that were needed for the playback time were not read yet: in all
     * updates since, and in the last update in which that was so. */
    uint64_t unread_since_us;
    uint64_t unread_us;
    uint64_t raised_us; /* when a level was raised without proof that there is
                         * time for it */
    bool is_strained;   /* a frame is in danger of being late */
};

struct manager {
    /* fixed after init */
    struct manager_config config;
    const spn_codec **codecs;      /* codec_count of them */
    struct launch_queue *launches; /* running frames (launch.h) */
    struct governor *governor;     /* decides what cursors leave out */
    struct lift_ops *lift_ops;     /* kernels of lifted meshes, which codec/lift
                                * decodes; NULL if the runtime is built without
                                * them (features.h) */
    struct cache *caches;          /* cache_count of them */
    struct node *nodes;            /* node_count of them */
    struct mesh_registry *mesh_registry; /* static meshes of all caches;
                                          * caller */
    struct fill_job *fill_jobs; /* fill_job_count of them; any thread */
    uint32_t fill_job_count;
    /* caller */
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
    struct group_reads group_reads;
    /* Limit of each number of drive_permille at the last admission. If the
     * tuning variable of this name has changed, admission is due. */
    uint32_t drive_permille_max;
    /* A cursor requests a share of a drive, or has returned one. */
    bool admission_is_due;
    /* A cursor that plays has less than its full promise, since the plan of
     * this update. Second positions have none meanwhile. */
    bool is_short;
    uint64_t now_us; /* time at which this update began */
    /* Sum of the shares of admitted cursors on each medium, in thousandths of a
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

/* False: nodes start no reads and no decoding, and show nothing. */
static inline bool manager_is_on(const struct manager *m)
{
    return m->config.tuning->value[TUNING_geometry] != 0;
}

#endif
