/* paks.h - the table of mounted paks: handles, holds and names.
 *
 * The caller's thread mounts and unmounts (pak_mount.h). Any thread finds
 * names and takes a hold: while a mount is held its index stays where it is
 * and its file open. A mount that nobody holds and that is not open any more
 * is given back by the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_IO_PAKS_H
#define SPN_IO_PAKS_H

#include "base/atomic.h"
#include "base/carve.h"
#include "base/heap.h"
#include "io/pak_index.h"

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

struct forecast_place;
struct io;
struct io_medium;
struct io_request;
struct pak_mount;
struct piece;
struct run_read;

/* What the engine asks of a pak's reads and blocks. A mount brings it along:
 * where nothing is ever mounted, nothing of it is linked. io_state.h says what
 * each does. */
struct pak_ops {
    /* pak_index.h */
    uint32_t (*find)(const struct pak_index *index, const char *name,
                     uint32_t name_bytes);
    struct pak_entry (*entry)(const struct pak_index *index, uint32_t entry);
    struct pak_content (*content)(const struct pak_index *index,
                                  uint32_t number);
    uint64_t (*copy)(const struct pak_index *index, uint32_t copy,
                     uint32_t *content);
    /* caller's thread: as far as the mount goes now */
    void (*step)(struct io *io, struct pak_mount *mount);
    /* whoever starts a read */
    void (*aim)(struct io *io, struct io_request *request,
                struct pak_mount *mount, uint32_t entry);
    /* io thread */
    bool (*choose_copy)(struct io *io, uint32_t index);
    void (*choose_places)(struct io *io, const struct io_medium *medium);
    bool (*try_copy)(struct io *io, uint32_t index, spn_status status);
    const struct unpack_ops *unpack;
};

/* The same of its blocks. io thread. */
struct unpack_ops {
    bool (*plan)(struct io *io, struct piece *piece, uint32_t index,
                 uint32_t bytes_max);
    bool (*join)(struct io *io, uint32_t index, uint64_t room,
                 uint32_t align_bytes, struct run_read *read);
    bool (*take)(struct io *io, uint32_t index, uint64_t *bytes);
    void (*verify)(struct io *io, uint32_t index);
    bool (*puts_off)(struct io *io, uint32_t index, spn_status *status);
    spn_status (*find_slot)(struct io *io, uint32_t index);
    void (*wait)(struct io *io, uint32_t index);
    void (*drop)(struct io *io, uint32_t index);
    bool (*is_least)(const struct io *io, uint32_t index);
};

struct pak_mount {
    /* any thread: generation << 18 (odd: in use) | open << 17 | holds */
    struct atomic_u32 word;
    struct atomic_u32 serving; /* enum pak_serving; the first while unused */

    /* whoever holds it: 1 once the index stands */
    struct atomic_u32 is_ready;

    /* written before the word; then anyone's who holds it */
    const struct pak_ops *ops;
    uint32_t order; /* counts mounts */
    spn_file file;
    uint32_t file_index;
    const char *path;

    /* written before is_ready; then the same */
    struct pak_index index;

    /* written before `serving`; then the io thread's and the workers' */
    const uint8_t *memory; /* the file from memory_start on */
    uint64_t memory_start;

    /* caller's thread */
    enum pak_phase phase;
    enum pak_load load;
    spn_status status;
    spn_status load_status;
    spn_fault fault;
    spn_fault load_fault;
    spn_read read; /* of the load */
    spn_priority load_priority;
    bool is_leaving; /* unmounted */
    bool is_unloading;
    uint8_t header_bytes[PAK_HEADER_BYTES];
    struct pak_header header;
    heap_handle index_block;
    heap_handle memory_block;

    /* the job's, until it is judged; then the caller's */
    struct atomic_u32 is_judged;
    spn_status judgement;

    /* io thread */
    bool is_in_memory;
    uint32_t memory_users; /* reads that are served from there, and slots whose
                            * blocks lie there */
};

struct paks {
    struct pak_mount *mounts;
    uint32_t count;
    uint32_t orders;     /* caller's thread */
    uint64_t held_bytes; /* of the heap, whole pages; caller's thread */
    struct atomic_u32 ready_count; /* mounted, or just about to be */
    /* written before the first is loaded; then the io thread's */
    void (*heed_serving)(struct io *io);
    /* written before the first is ready; fixed from then on */
    struct pak_mount *(*lookup)(const struct paks *paks, const char *name,
                                uint32_t *entry);
    /* caller's thread: who wants to hear that one came into memory or left it;
     * NULL: nobody */
    void (*on_moved)(void *context);
    void *moved_context;
};

void spn__paks_init(struct paks *paks, struct carve *carve, uint32_t count);

/* ---- caller's thread ---------------------------------------------------- */

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

/* ---- any thread --------------------------------------------------------- */

/* SPN_ERR_HANDLE; SPN_PENDING while its index is not there. */
SPN_NODISCARD spn_status spn__paks_hold(const struct paks *paks, spn_pak pak,
                                        struct pak_mount **out);
/* One more of somebody who has one. */
void spn__paks_hold_again(struct pak_mount *mount);
void spn__paks_unhold(struct pak_mount *mount);

/* The latest mounted pak that has the name, held; NULL: none has. */
static inline struct pak_mount *spn__paks_lookup(const struct paks *paks,
                                                 const char *name,
                                                 uint32_t *entry)
{
    /* Pairs with the addition in spn__paks_set_ready. A pak that is being
     * mounted meanwhile may be missed. */
    if (atomic_load_acquire(&paks->ready_count) == 0)
        return NULL;
    return paks->lookup(paks, name, entry);
}

/* The mount of a handle by which it is held. */
struct pak_mount *spn__paks_of(const struct paks *paks, spn_pak pak);
/* Handle of a held mount. */
spn_pak spn__paks_handle(const struct paks *paks,
                         const struct pak_mount *mount);

#endif
