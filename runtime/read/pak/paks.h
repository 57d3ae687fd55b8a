/* paks.h - the table of mounted paks: handles, holds and names.
 *
 * The caller's thread mounts and unmounts paks (read/pak_mount.h). Any thread
 * finds names in them, and holds a mount: as long as a mount is held its index
 * stays in memory and its file open. The caller's thread frees a mount that was
 * unmounted when no thread holds it any more.
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

/* How far a mount has come. A mount that lacks a read, memory or a job stays in
 * its phase until it gets that. */
enum pak_phase {
    PAK_FREE,             /* not in use */
    PAK_WANTS_HEADER,     /* needs a read of its header */
    PAK_READS_HEADER,     /* that read is under way */
    PAK_WANTS_ROOM,       /* needs memory for its index */
    PAK_WANTS_INDEX,      /* needs a read of its index */
    PAK_READS_INDEX,      /* that read is under way */
    PAK_WANTS_VALIDATION, /* needs a job that validates the index */
    PAK_IN_VALIDATION,    /* that job runs */
    PAK_READY,            /* names are found in it */
    PAK_FAILED
};

/* How far its bytes are in memory. */
enum pak_load {
    PAK_LOAD_NONE,       /* not loaded */
    PAK_LOAD_WANTS_ROOM, /* needs memory for its bytes */
    PAK_LOAD_WANTS_READ, /* needs a read of them */
    PAK_LOAD_READS,      /* that read is under way */
    PAK_LOAD_DONE,       /* loaded */
    PAK_LOAD_LEAVES,     /* unloaded, but reads are still served from it */
    PAK_LOAD_FAILED
};

/* From where the reads of a pak shall be served. */
enum pak_serving {
    PAK_SERVED_FROM_DISC,   /* set by the io thread when no read and no slot
                             * uses the memory any more */
    PAK_SERVED_FROM_MEMORY, /* set by the caller's thread */
    PAK_SERVING_ENDS        /* set by the caller's thread: from the disc, and
                             * the memory shall be freed */
};

struct pak_mount {
    /* any thread: generation << 18 (odd: in use) | open << 17 | holds */
    struct atomic_u32 word;
    struct atomic_u32 serving; /* enum pak_serving */

    /* any thread that holds it: 1 when the index is valid */
    struct atomic_u32 is_ready;

    /* written before the word is published; then read by threads that hold it
     */
    uint32_t order; /* counts mounts */
    spn_file file;
    uint32_t file_index;
    const char *path;

    /* written before `serving`; then read by the io thread and the workers */
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

    /* written by the job; then read by the caller's thread */
    struct atomic_u32 is_validated;
    spn_status validation;

    /* io thread */
    bool is_in_memory;     /* its reads are served from `memory` */
    uint32_t memory_users; /* reads that are served from it, and slots whose
                            * blocks are in it */

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
    uint32_t orders;     /* mounts so far; caller's thread */
    uint64_t held_bytes; /* heap memory of all paks, in whole pages; caller's
                          * thread */
    struct atomic_u32 ready_count; /* of mounts with a valid index, or more */
    /* caller's thread: called when a pak was loaded or is to be unloaded; NULL:
     * none */
    void (*on_moved)(void *context);
    void *moved_context;
};

void spn__paks_init(struct paks *paks, struct carve *carve, uint32_t count);

/* -- caller's thread -- */

/* Take a free mount; NULL: there is none. The caller fills its fields. */
struct pak_mount *spn__paks_take(struct paks *paks);
/* Publish it: its handle is valid from here on. */
spn_pak spn__paks_publish(struct paks *paks, struct pak_mount *mount);
/* The mount of a handle; NULL: stale. */
struct pak_mount *spn__paks_get(const struct paks *paks, spn_pak pak);
/* Its index is valid: names are found in it from here on. */
void spn__paks_set_ready(struct paks *paks, struct pak_mount *mount);
/* Refuse new holds; the handle is stale. */
void spn__paks_close(struct paks *paks, struct pak_mount *mount);
/* Is it closed, and held by no thread? */
bool spn__paks_is_abandoned(const struct pak_mount *mount);
/* Free such a mount. */
void spn__paks_give_back(struct pak_mount *mount);

/* -- any thread -- */

/* Hold the mount of a handle. SPN_OK; SPN_ERR_HANDLE; SPN_PENDING while its
 * index is not valid. */
SPN_NODISCARD spn_status spn__paks_hold(const struct paks *paks, spn_pak pak,
                                        struct pak_mount **out);
/* Hold once more, by a thread that holds it. */
void spn__paks_hold_again(struct pak_mount *mount);
void spn__paks_unhold(struct pak_mount *mount);

/* Hold the pak with this name that was mounted last, and set *entry; NULL: no
 * pak has the name. */
struct pak_mount *spn__paks_lookup(const struct paks *paks, const char *name,
                                   uint32_t *entry);

/* The mount of a handle; the caller holds it. */
struct pak_mount *spn__paks_of(const struct paks *paks, spn_pak pak);
/* Handle of a held mount. */
spn_pak spn__paks_handle(const struct paks *paks,
                         const struct pak_mount *mount);

#endif
