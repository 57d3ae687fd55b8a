/* paks.h - the table of mounted paks: handles, holds, and the lookup of names.
 *
 * The caller's thread mounts and unmounts paks (read/pak_mount.h). Any thread
 * looks up names, and holds the mount that it found. While a mount has holds,
 * its index stays in memory and its file stays open. After an unmount the
 * caller's thread frees the mount when its last hold is gone.
 *
 * Terms
 *
 *   mount   a mounted pak, or a pak that is being mounted: an element of the
 *           table
 *   hold    a count in the mount's state word; every read of the pak has one
 *   load    copy of the whole pak in memory
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

/* Most mounts. A handle is generation << 8 | index in the table. */
#define PAKS_COUNT_MAX 255u

/* Phase of a mount. A phase WANTS_X ends when X could be started or allocated.
 */
enum pak_phase {
    PAK_FREE,             /* not in use */
    PAK_WANTS_HEADER,     /* needs a read of its header */
    PAK_READS_HEADER,     /* that read is under way */
    PAK_WANTS_ROOM,       /* needs memory for its index */
    PAK_WANTS_INDEX,      /* needs a read of its index */
    PAK_READS_INDEX,      /* that read is under way */
    PAK_WANTS_VALIDATION, /* needs a job that validates the index */
    PAK_IN_VALIDATION,    /* that job runs */
    PAK_READY,            /* the index is valid: lookups use it */
    PAK_FAILED            /* pak_mount.status is the error */
};

/* Phase of a load: a copy of the whole pak in memory. */
enum pak_load {
    PAK_LOAD_NONE,       /* not loaded */
    PAK_LOAD_WANTS_ROOM, /* needs memory for its bytes */
    PAK_LOAD_WANTS_READ, /* needs a read of them */
    PAK_LOAD_READS,      /* that read is under way */
    PAK_LOAD_DONE,       /* loaded */
    PAK_LOAD_LEAVES,     /* unloaded, but reads are still served from it */
    PAK_LOAD_FAILED      /* pak_mount.load_status is the error */
};

/* Source of the reads of a pak: a request from the caller's thread to the io
 * thread, and its answer. */
enum pak_serving {
    PAK_SERVED_FROM_DISC,   /* set by the io thread: no read and no slot uses
                             * the memory of the load any more */
    PAK_SERVED_FROM_MEMORY, /* set by the caller's thread: the load is done */
    PAK_SERVING_ENDS        /* set by the caller's thread: start no more reads
                             * from the memory, which will be freed */
};

struct pak_mount {
    /* State word, any thread: generation << 18 (odd: in use) | open << 17 (new
     * holds are accepted) | number of holds */
    struct atomic_u32 word;
    struct atomic_u32 serving; /* enum pak_serving */

    /* any thread that holds the mount: 1 when the index is valid */
    struct atomic_u32 is_ready;

    /* Written by the caller's thread before the mount is published; then read
     * by threads that hold it. */
    uint32_t order;      /* number of the mount: later mounts are larger,
                          * modulo 2^32 */
    spn_file file;       /* the pak's file */
    uint32_t file_index; /* index of `file` in the table of files */
    const char *path;

    /* Written by the caller's thread before `serving`; then read by the io
     * thread and the workers. */
    const uint8_t *memory; /* the load: bytes of the file from memory_start */
    uint64_t memory_start; /* byte offset in the file */

    /* caller's thread */
    enum pak_phase phase;
    enum pak_load load;
    spn_status status;      /* of the mount; SPN_PENDING before PAK_READY */
    spn_status load_status; /* of the load */
    spn_read read;          /* the read that loads the pak */
    spn_priority load_priority;
    bool is_leaving; /* the pak was unmounted */
    bool is_unloading;
    heap_handle index_block;  /* heap block of `index` */
    heap_handle memory_block; /* heap block of `memory` */

    /* Written by the job that validates the index; then read by the caller's
     * thread. */
    struct atomic_u32 is_validated; /* 1: `validation` is set */
    spn_status validation;          /* result of the validation */

    /* io thread */
    bool is_in_memory;     /* its reads are served from `memory` */
    uint32_t memory_users; /* reads that are served from it, and slots whose
                            * blocks are in it */

    /* Large members are last, so that the offsets of the others are small. The
     * index is written before is_ready is set, and is constant from then on for
     * all threads that hold the mount. Owner of the others: the caller's
     * thread. */
    struct pak_index index;
    spn_fault fault;      /* place of the error in `status` */
    spn_fault load_fault; /* place of the error in `load_status` */
    uint8_t header_bytes[PAK_HEADER_BYTES];
    struct pak_header header;
};

struct paks {
    struct pak_mount *mounts;
    uint32_t count;      /* length of the table */
    uint32_t orders;     /* number of mounts so far; caller's thread */
    uint64_t held_bytes; /* heap bytes of all indices and loads, in whole heap
                          * pages; caller's thread */
    struct atomic_u32 ready_count; /* at least the number of mounts with a valid
                                    * index; 0: lookups return at once */
    /* Caller's thread: called when a pak was loaded and when an unload begins;
     * NULL: none. */
    void (*on_moved)(void *context);
    void *moved_context;
};

/* Carve a table of `count` mounts, at most PAKS_COUNT_MAX. */
void spn__paks_init(struct paks *paks, struct carve *carve, uint32_t count);

/* -- caller's thread -- */

/* Take a free mount; NULL: all are in use. The caller fills in its fields. */
struct pak_mount *spn__paks_take(struct paks *paks);
/* Publish a taken mount. Returns its handle, which is valid from now on. */
spn_pak spn__paks_publish(struct paks *paks, struct pak_mount *mount);
/* The mount of a handle; NULL: the handle is stale. */
struct pak_mount *spn__paks_get(const struct paks *paks, spn_pak pak);
/* Record that the index is valid. Lookups use it from now on. */
void spn__paks_set_ready(struct paks *paks, struct pak_mount *mount);
/* Close a mount: new holds are refused, and its handle is stale. */
void spn__paks_close(struct paks *paks, struct pak_mount *mount);
/* Whether a mount is closed and has no holds. */
bool spn__paks_is_abandoned(const struct pak_mount *mount);
/* Free an abandoned mount. */
void spn__paks_give_back(struct pak_mount *mount);
/* Check the phases, the state words and the counts of the table. Returns NULL,
 * or a description of what is wrong. O(mounts). No other thread may hold or
 * look up a mount meanwhile. */
const char *spn__paks_check(const struct paks *paks);

/* -- any thread -- */

/* Add a hold to the mount of a handle. Returns SPN_OK; SPN_ERR_HANDLE for a
 * stale handle; SPN_PENDING while the index is not valid. */
SPN_NODISCARD spn_status spn__paks_hold(const struct paks *paks, spn_pak pak,
                                        struct pak_mount **out);
/* Add another hold. The calling thread must hold the mount already. */
void spn__paks_hold_again(struct pak_mount *mount);
/* Remove a hold. */
void spn__paks_unhold(struct pak_mount *mount);
/* Number of holds now. */
uint32_t spn__paks_hold_count(const struct pak_mount *mount);

/* Find an entry by name, in all mounts with a valid index. If several have the
 * name, the mount with the largest `order` is chosen. Adds a hold to the mount,
 * sets *entry to the index of the entry, and returns the mount. NULL: no pak
 * has the name. */
struct pak_mount *spn__paks_lookup(const struct paks *paks, const char *name,
                                   uint32_t *entry);

/* The mount of a handle. The calling thread must hold it. */
struct pak_mount *spn__paks_of(const struct paks *paks, spn_pak pak);
/* Handle of a held mount. */
spn_pak spn__paks_handle(const struct paks *paks,
                         const struct pak_mount *mount);

#endif
