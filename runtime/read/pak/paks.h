/* paks.h - the table of mounted paks: handles, holds and names.
 *
 * The caller's thread mounts and unmounts (pak_mount.h). Any thread finds
 * names and takes a hold: while a mount is held its index stays where it is
 * and its file open. A mount that nobody holds and that is not open any more
 * is given back by the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_PAK_PAKS_H
#define SPN_READ_PAK_PAKS_H

#include "base/atomic.h"
#include "base/carve.h"
#include "base/heap.h"
#include "pak/pak_index.h"

#include <spindle/pak.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A handle is generation << 8 | index. */
#define PAKS_COUNT_MAX 255u

/* How far a mount has come. A step that needs something (a read, memory, a
 * job) waits in its phase until it is there. */
enum pak_phase {
    PAK_FREE,
    PAK_WANTS_HEADER,
    PAK_READS_HEADER,
    PAK_WANTS_ROOM, /* for its index */
    PAK_WANTS_INDEX,
    PAK_READS_INDEX,
    PAK_WANTS_JUDGE,
    PAK_IS_JUDGED, /* by a job */
    PAK_READY,
    PAK_FAILED
};

/* The same of its bytes in memory. */
enum pak_load {
    PAK_LOAD_NONE,
    PAK_LOAD_WANTS_ROOM,
    PAK_LOAD_WANTS_READ,
    PAK_LOAD_READS,
    PAK_LOAD_DONE,
    PAK_LOAD_LEAVES, /* reads still copy from it */
    PAK_LOAD_FAILED
};

/* What the io thread is told of them. */
enum pak_serving {
    PAK_SERVED_FROM_DISC,
    PAK_SERVED_FROM_MEMORY, /* set by the caller's thread */
    PAK_SERVING_ENDS        /* the same; the io thread sets the first again */
};

struct pak_mount {
    /* any thread: generation << 18 (odd: in use) | open << 17 | holds */
    struct atomic_u32 word;
    struct atomic_u32 serving; /* enum pak_serving; the first while unused */

    /* whoever holds it: 1 once the index stands */
    struct atomic_u32 is_ready;

    /* written before the word; then anyone's who holds it */
    uint32_t order; /* counts mounts */
    spn_file file;
    uint32_t file_index;
    const char *path;

    /* written before `serving`; then the io thread's and the workers' */
    const uint8_t *memory; /* the file from memory_start on */
    uint64_t memory_start;

    /* caller's thread */
    enum pak_phase phase;
    enum pak_load load;
    spn_status status;
    spn_status load_status;
    spn_read read; /* of the load */
    spn_priority load_priority;
    bool is_leaving; /* unmounted */
    bool is_unloading;
    heap_handle index_block;
    heap_handle memory_block;

    /* the job's, until it is judged; then the caller's */
    struct atomic_u32 is_judged;
    spn_status judgement;

    /* io thread */
    bool is_in_memory;
    uint32_t memory_users; /* reads that are served from there, and slots whose
                            * blocks lie there */

    /* Last, so that the offsets of the others are small. The index is written
     * before is_ready, then anyone's who holds it; the others are the caller's
     * thread's. */
    struct pak_index index;
    spn_fault fault;
    spn_fault load_fault;
    uint8_t header_bytes[PAK_HEADER_BYTES];
    struct pak_header header;
};

struct paks {
    struct pak_mount *mounts;
    uint32_t count;
    uint32_t orders;     /* caller's thread */
    uint64_t held_bytes; /* of the heap, whole pages; caller's thread */
    struct atomic_u32 ready_count; /* mounted, or just about to be */
    /* caller's thread: who wants to hear that one came into memory or left it;
     * NULL: nobody */
    void (*on_moved)(void *context);
    void *moved_context;
};

void spn__paks_init(struct paks *paks, struct carve *carve, uint32_t count);

/* -- caller's thread -- */

/* NULL when all are taken. All other fields are the caller's to fill. */
struct pak_mount *spn__paks_take(struct paks *paks);
/* Others may know of it from here on. */
spn_pak spn__paks_publish(struct paks *paks, struct pak_mount *mount);
/* The mount of a handle; NULL: stale. */
struct pak_mount *spn__paks_get(const struct paks *paks, spn_pak pak);
/* Its index stands. */
void spn__paks_set_ready(struct paks *paks, struct pak_mount *mount);
/* No new holds; the handle is stale. */
void spn__paks_close(struct paks *paks, struct pak_mount *mount);
/* Closed, and nobody holds it. */
bool spn__paks_is_abandoned(const struct pak_mount *mount);
/* Such a one is free again. */
void spn__paks_give_back(struct pak_mount *mount);

/* -- any thread -- */

/* SPN_ERR_HANDLE; SPN_PENDING while its index is not there. */
SPN_NODISCARD spn_status spn__paks_hold(const struct paks *paks, spn_pak pak,
                                        struct pak_mount **out);
/* One more of somebody who has one. */
void spn__paks_hold_again(struct pak_mount *mount);
void spn__paks_unhold(struct pak_mount *mount);

/* The latest mounted pak that has the name, held; NULL: none has. */
struct pak_mount *spn__paks_lookup(const struct paks *paks, const char *name,
                                   uint32_t *entry);

/* The mount of a handle by which it is held. */
struct pak_mount *spn__paks_of(const struct paks *paks, spn_pak pak);
/* Handle of a held mount. */
spn_pak spn__paks_handle(const struct paks *paks,
                         const struct pak_mount *mount);

#endif
