/* skeleton_table.h - the skeletons of a runtime: from a file to memory.
 *
 *   SKELETON_READING   the file is read into a block of the game's kind
 *   SKELETON_WAITING   it is there; the memory of the skeleton is not
 *   SKELETON_OPENING   a job decodes it
 *   SKELETON_OPEN      its memory is used as long as it is open
 *   SKELETON_FAILED    see `status`; it is read again at retry_us
 *
 * A skeleton that is closed while a read or a job uses its memory is freed
 * after that; its handle is stale at once. Caller's thread, apart from the job.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_SKELETON_TABLE_H
#define SPN_ANIM_SKELETON_TABLE_H

#include "anim/anim_skeleton.h"
#include "base/atomic.h"
#include "base/carve.h"
#include "base/heap.h"
#include "base/pool.h"

#include <spindle/anim_skeletons.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct anim;

enum skeleton_state {
    SKELETON_FREE,
    SKELETON_READING,
    SKELETON_WAITING,
    SKELETON_OPENING,
    SKELETON_OPEN,
    SKELETON_FAILED
};

struct skeleton_record {
    struct anim *anim; /* fixed after init */
    /* caller */
    enum skeleton_state state;
    bool is_closing;
    spn_read read;     /* while SKELETON_READING */
    heap_handle file;  /* the bytes of the file; 0: none */
    heap_handle block; /* memory of the skeleton; 0: none */
    uint32_t bytes;    /* of `block` */
    uint32_t failures; /* in a row */
    uint64_t retry_us;
    spn_status status; /* of the last failure; SPN_OK: none */
    spn_fault fault;   /* of that */
    char path[SPN_PATH_BYTES_MAX];
    /* the job, while SKELETON_OPENING; then the caller, between two updates any
     * thread */
    struct anim_skeleton_header header;
    struct anim_skeleton skeleton;
    spn_anim_pose rest; /* its rest pose once more; its values are at the start
                         * of `block` */
    spn_status result;
    spn_fault found; /* if `result` is an error */
    /* Set by the job at its end. */
    struct atomic_u32 is_done;
};

struct skeleton_table {
    /* fixed after init */
    struct skeleton_record *records;
    /* caller */
    struct pool pool;
};

void spn__skeletons_init(struct skeleton_table *table, struct carve *carve,
                         uint32_t count);

/* The implementations of the public functions. */
spn_status spn__skeleton_open(struct anim *a, const char *path,
                              spn_anim_skeleton *out);
void spn__skeleton_close(struct anim *a, struct skeleton_record *record);
/* The record of a handle; NULL: it is stale. */
struct skeleton_record *spn__skeleton_find(const struct anim *a,
                                           spn_anim_skeleton skeleton);

/* What spn_anim_skeleton_get_status returns. */
spn_status spn__skeleton_status(const struct skeleton_record *record);

/* Take the results of jobs, and begin what waits. Once an update. */
void spn__skeletons_update(struct anim *a);
/* Free everything, one step for each call; true when nothing is left. */
bool spn__skeletons_shutdown(struct anim *a);
/* Add the pages of all skeletons to *pages; false if the state contradicts
 * itself. */
bool spn__skeletons_check(const struct anim *a, uint64_t *pages);

#endif
