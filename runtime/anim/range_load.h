/* range_load.h - one range of a file that is in memory or on its way: the bytes
 * of a clip, or all data of a database.
 *
 * A load has one or two parts, each with a read of its own into the same block
 * of the heap: the first part of a clip, and the rest. What arrived is verified
 * by a job, because a checksum of a large database takes longer than an update
 * should.
 *
 *   LOAD_WAITING  it has no memory, or its file is not open yet
 *   LOAD_ACTIVE   it has memory; its parts advance by themselves:
 *                 PART_NONE > PART_READING > PART_ARRIVED (the queue of jobs
 *                 was full) > PART_VERIFYING > PART_READY. After a failure a
 *                 part is PART_NONE again, and waits for its retry_us
 *   LOAD_READY    all parts are PART_READY
 *   LOAD_DYING    it is freed as soon as no read and no job uses its memory
 *
 * anim_loads.h has the tables and the order of loads. Caller's thread, apart
 * from the job.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_RANGE_LOAD_H
#define SPN_ANIM_RANGE_LOAD_H

#include "base/atomic.h"
#include "base/heap.h"

#include <spindle/read.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct anim;

/* No load, no clip, no database. */
#define ANIM_NONE UINT32_MAX

#define LOAD_PARTS 2u

enum load_state {
    LOAD_FREE,
    LOAD_WAITING,
    LOAD_ACTIVE,
    LOAD_READY,
    LOAD_DYING
};

enum part_state {
    PART_NONE,
    PART_READING,
    PART_ARRIVED,
    PART_VERIFYING,
    PART_READY
};

/* What the last attempt of a part failed of. */
enum part_failure {
    FAILURE_OF_READ,
    FAILURE_OF_CHECKSUM,
    FAILURE_OF_SIZE /* there will never be so much memory */
};

/* A load can be in both lists. */
enum load_list_kind {
    LOAD_LIST_ACTIVE, /* neither LOAD_READY nor LOAD_FREE, or used by a job */
    LOAD_LIST_IDLE,   /* the one that has been idle for longest first */
    LOAD_LISTS
};

/* The place of a load in a list. */
struct load_link {
    bool is_in;
    uint32_t next; /* number of a load, or ANIM_NONE */
    uint32_t before;
};

struct load_part {
    enum part_state state;
    uint32_t start; /* in the block */
    uint32_t bytes;
    uint32_t checksum;
    uint64_t deadline_us; /* 0: none */
    spn_read read;        /* while PART_READING */
    bool has_job;         /* a job verifies it; until its end was noticed */
    /* Failures, since the part was last PART_READY. */
    uint32_t failures; /* in a row */
    spn_status status; /* of the last one; SPN_OK: there was none, or the next
                        * attempt is due now (spn__load_retry_now) */
    enum part_failure failure;
    uint32_t detail;   /* FAILURE_OF_READ: bytes that had arrived;
                        * FAILURE_OF_CHECKSUM: the checksum of the bytes */
    uint64_t retry_us; /* it is not started before */
    /* Written by the job: the checksum of the bytes. Read by the caller's
     * thread after is_verified is set. */
    uint32_t found;
    struct atomic_u32 is_verified;
};

struct range_load {
    struct anim *anim; /* fixed after init */
    /* caller */
    enum load_state state;
    bool is_database;
    bool is_unverified;
    bool was_ready;      /* its first part was reported */
    bool was_loaded;     /* all of it was reported */
    uint32_t owner;      /* clip or database */
    uint32_t file_owner; /* database whose file is read; ANIM_NONE: `file` is
                          * this load's own */
    spn_priority priority;
    spn_file file; /* 0: not open */
    heap_handle block;
    uint32_t users;  /* jobs of others that use the block (playing_clip.h) */
    uint32_t number; /* of the block: anim.blocks_taken, after it was taken */
    bool has_waited; /* there was no room for it; the next two say when */
    uint32_t waits_number; /* anim.blocks_taken at that time */
    uint64_t waits_since_us;
    uint64_t offset; /* of the range, in the file */
    uint32_t bytes;
    uint32_t part_count;
    struct load_part parts[LOAD_PARTS];
    uint64_t idle_since_us;
    struct load_link links[LOAD_LISTS];
    uint32_t free_next; /* of a LOAD_FREE */
};

static inline bool load_is_idle(const struct range_load *load)
{
    return load->links[LOAD_LIST_IDLE].is_in;
}

/* The range of a load. */
struct load_range {
    uint64_t offset;
    uint32_t bytes;
    uint32_t first_bytes; /* of the first part; all, or fewer than all */
    uint32_t first_checksum;
    uint32_t rest_checksum;
    bool is_unverified; /* there are no checksums */
};

/* Set the range and the parts of a load without any. */
void spn__load_aim(struct range_load *load, const struct load_range *range);

/* The parts whose data is needed at `deadline_us` and, the rest, at
 * `rest_us`; 0: unknown. Earlier deadlines of parts that have not begun replace
 * later ones. */
void spn__load_set_deadline(struct range_load *load, uint64_t deadline_us,
                            uint64_t rest_us);

/* The time until the next attempt after a failure, of a load or a skeleton.
 *
 * failures  in a row before it */
uint64_t spn__anim_retry_us(const struct anim *a, uint32_t failures);

/* Do not wait for the next attempt after a failure. */
void spn__load_retry_now(struct range_load *load);

/* Take the results of reads and jobs. */
void spn__load_collect(struct range_load *load);

/* True if it has yet to take memory or to start a read, and may do so now. */
bool spn__load_is_waiting(const struct range_load *load);
/* Take memory and start reads. Returns SPN_OK: it waits for neither, or the
 * attempt has failed; SPN_NO_MEMORY_NOW: it waits for memory; SPN_FULL: for a
 * read; SPN_ERR_TABLE_FULL: for a file. */
spn_status spn__load_start(struct range_load *load);
/* Whether its file is open, or that of its database. */
bool spn__load_has_file(struct range_load *load);

/* Begin to free it. True if that is done; otherwise it is LOAD_DYING, and
 * spn__load_is_over says when its record can be freed. */
bool spn__load_end(struct range_load *load);
/* Free the memory if nothing uses it; then true. Of a LOAD_DYING. */
bool spn__load_is_over(struct range_load *load);

/* Bytes at the front that are verified. */
uint32_t spn__load_ready_bytes(const struct range_load *load);

/* What spn_anim_get_status returns for it. */
spn_status spn__load_status(const struct range_load *load);
/* The error of the first part whose last attempt failed; SPN_OK: there is none.
 */
spn_status spn__load_error(const struct range_load *load);
/* The fault of that. There must be an error. */
void spn__load_fault(const struct range_load *load, spn_fault *out);

/* Verify all that has arrived at once, on this thread. */
void spn__load_verify_now(struct range_load *load);

#endif
