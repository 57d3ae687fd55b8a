/* manager.h - all caches and nodes of a runtime, and who gets memory first.
 *
 * One update goes through the caches, then through the nodes: what ended is
 * taken note of, what playback has passed is given back, then decodes and
 * reads are started in the order of their deadlines.
 *
 * Memory. Every playing stream is *promised* pages: the decoded frames of its
 * two largest groups and a few more, and one read of its largest group; or,
 * where that does not fit beside the promises of others, the least with which
 * it can always go on, a group instead of two (cache.h computes both from the
 * file). A stream to which nothing can be promised reads nothing, so that it
 * cannot hold what it needs half; its state says so, and it gets its turn when
 * another one ends. A stream takes what it was promised without asking.
 * Whatever goes beyond a promise - reading further ahead, decoding further
 * ahead, opening another cache - is only taken while the heap keeps everything
 * free that is promised and not yet taken (`owed_pages`), and a margin for what
 * fragmentation costs (HEAP: a block of u pages is found whenever u + (P + 1)
 * (u - 1) pages are free beside P live extents).
 *
 * Why every stream with a promise goes on: the promises together fit the heap.
 * A stream within its promise finds its pages free, unless somebody took them
 * before the promise was made or fragmentation hides them; then the stream
 * with the longest lead gives up the end of what it has read or decoded ahead
 * (shed), one read an update, until the pages are free: what lies beyond
 * promises is all that can stand in the way, and it can always be read again.
 * In a heap that is smaller than spn_cache_heap_needed says, what a stream
 * itself holds can cut the free pages into too small pieces; when nothing is
 * left to be shed it gives that up, too, and begins anew.
 * Its read ends in a completion whatever the device does, its decodes wait for
 * nothing but jobs that were submitted, and a group is launched whole or not at
 * all, so nobody holds half of what he needs while waiting for the other half.
 * When playback moves, the frames behind it are given back.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_MANAGER_H
#define SPN_PLAY_MANAGER_H

#include "base/block_codec.h"
#include "base/carve.h"
#include "base/heap.h"
#include "base/jobs.h"
#include "base/pool.h"
#include "base/trace.h"
#include "base/tuning.h"
#include "cache/decoder.h"
#include "codec/classic/predict.h"
#include "fill/fill.h"
#include "read/io.h"

#include <spindle/features.h>
#include <spindle/geom.h>
#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

struct cache;
struct node;

/* A worker's scratch memory: that of the decoder, or a block of a pak; behind
 * it the workspace of each registered codec. */
#define SCRATCH_WORKSPACES                                                     \
    (SPN_WITH_GEOMETRY ? DECODE_SCRATCH_BYTES                                  \
     : SPN_WITH_PAKS   ? (uint32_t)UNPACK_SCRATCH_BYTES                        \
                       : 0u)
/* Every worker has it: what it may grow to is a decision. */
SPN_STATIC_ASSERT(SCRATCH_WORKSPACES <=
                      (SPN_WITH_LIFTED_MESHES ? 320u : 132u) * 1024u,
                  scratch_of_a_worker);

struct manager_config {
    const spn_platform *platform;
    struct heap *heap;
    struct io *io;
    struct jobs *jobs;
    struct tuning *tuning;
    struct trace *trace;
    const spn_codec *const *codecs;
    uint32_t codec_count;
    uint32_t cache_count;
    uint32_t node_count;
    uint32_t stream_frame_count;
    uint32_t cpu; /* instruction sets that may be used */
};

/* Reads of streams on their way, on one medium. */
struct manager_pending {
    uint32_t reads;
    uint64_t bytes;
    /* If those that were admitted waited until each is at its least, the last
     * of them would run dry. */
    bool is_rush;
};

struct manager {
    /* fixed after init */
    struct manager_config config;
    const spn_codec **codecs; /* copied */
    struct lift_ops *lift;
    struct cache *caches;
    struct node *nodes;
    /* caller */
    bool wants_shed;       /* somebody could not get what was promised */
    bool wants_admission;  /* there is somebody new, or somebody stopped */
    struct cache *opening; /* whose turn it is; NULL: not chosen */
    uint16_t *order;       /* nodes, who must be decoded first */
    uint16_t *read_order;  /* the same, who must be read first */
    uint32_t order_count;
    uint32_t serial;        /* counts what must be told apart by age */
    uint32_t static_pages;  /* of caches, open or opening, and of paks */
    uint32_t lasting_pages; /* of these: paks' and the caller's */
    uint32_t promised_pages;
    uint32_t owed_pages;  /* promised and not yet taken */
    uint32_t margin_unit; /* largest whole block of a playing cache, pages */
    uint32_t shed_reads;  /* ever */
    uint32_t drive_permille_max; /* the knob, when they were last judged */
    uint64_t now_us;             /* when this update began */
    uint32_t
        drive_permille[SPN_MEDIUM_COUNT]; /* of streams that are admitted */
    struct manager_pending pending[SPN_MEDIUM_COUNT];
    struct pool cache_pool;
    struct pool node_pool;
    /* fixed after init */
    struct predict_ops predict;
    struct fill_ops fill;
};

/* Where a registered codec's workspace lies in a worker's scratch; behind all
 * of them for any other codec. */
uint32_t spn__manager_workspace_at(const spn_codec *const *codecs,
                                   uint32_t codec_count,
                                   const spn_codec *codec);

/* Bytes of scratch for each worker. */
uint32_t spn__manager_scratch_bytes(const spn_codec *const *codecs,
                                    uint32_t codec_count);

/* Cut and initialise; only counts when the carve does. */
void spn__manager_init(struct manager *m, struct carve *carve,
                       const struct manager_config *config);

/* A pak came into memory or left it: `context` is the manager. */
void spn__manager_heed_paks(void *context);

/* The geometry's part of spn_update, after the reads that ended. */
void spn__manager_update(struct manager *m, uint64_t now_us);

/* One step of giving everything back; false while reads or jobs are on their
 * way. */
bool spn__manager_shutdown(struct manager *m);
bool spn__manager_check(const struct manager *m);

/* Pages of the heap that `bytes` take. */
uint32_t spn__manager_pages(const struct manager *m, uint64_t bytes);
/* May `pages` be taken by somebody to whom only `promised` of them (or more)
 * are owed? */
bool spn__manager_may_take(const struct manager *m, uint32_t pages,
                           uint32_t promised);

/* Somebody to whom nothing is promised lacks `pages`: have reads shed, but only
 * if that can help, for what is read again costs the others their lead. */
void spn__manager_ask_for(struct manager *m, uint32_t pages);

/* Memory in units of `unit_bytes` that counts as static data: the caller's, and
 * paks'. Leaves the promises alone. SPN_NO_MEMORY_NOW; SPN_ERR_MEMORY: more
 * than there ever can be beside the others of its kind. `manager` is one. */
spn_status spn__manager_take_block(void *manager, uint64_t bytes,
                                   uint32_t unit_bytes, enum heap_tag tag,
                                   heap_handle *out);
void spn__manager_give_lasting(void *manager, heap_handle block);

void spn__manager_trace(struct manager *m, enum trace_kind kind,
                        uint32_t subject, uint32_t a, uint32_t b);

/* Look up a handle that the user may still hold; NULL when stale. */
struct cache *spn__manager_cache(const struct manager *m, spn_cache handle);
struct node *spn__manager_node(const struct manager *m, spn_node handle);

/* Make one stream give up its last read beyond its promise. False when nobody
 * can. */
bool spn__manager_shed(struct manager *m);

#endif
