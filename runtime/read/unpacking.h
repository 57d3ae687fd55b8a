/* unpacking.h - slots: groups of blocks of a pak that workers decode or verify.
 *
 *   device --> memory of a slot --> one job for each block --> destination
 *
 * A slot has up to UNPACK_BLOCKS_MAX consecutive blocks of one read that
 * arrived together. Blocks of a compressed entry are decoded to the destination
 * of the read. Blocks of a plain entry, which is not compressed, are in the
 * destination already and are only verified. Slots belong to the io thread; the
 * jobs on workers read the fields and write the results.
 *
 * Life of a slot with memory, in the io thread:
 *   1. It is taken from the list `free`; spn__unpack_update_used is called.
 *   2. The device reads compressed blocks into its memory.
 *   3. The fields are filled in, and one job for each block is submitted.
 *   4. The jobs (spn__unpack_job) run on workers. The last one pushes the slot
 *      onto the queue `done`.
 *   5. The io thread pops the slot from `done` and adds it to `free`;
 *      spn__unpack_update_used is called.
 *
 * Slots with memory divide spn_config.unpack_bytes. Some of them are reserved
 * for urgent reads. A *borrower* is a slot without memory. It is used when the
 * stored bytes are in other memory:
 *   - in a pak that is loaded in memory;
 *   - in the destination, to verify a plain entry;
 *   - in the slot of another read. A run is one command of the device for
 *     several reads (run.h). All its compressed blocks are in the memory of the
 *     slot of the first compressed read, the *lender*. Each further read has a
 *     borrower that names the lender. The lender is free when its own jobs and
 *     those of all its borrowers have ended.
 *
 * Life of a borrower, in the io thread: it is taken from the list `borrowers`
 * when its stored bytes are there already, or are about to be read into the
 * memory of the lender; steps 3 and 4 are the same; in step 5 it is added to
 * `borrowers`.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_UNPACKING_H
#define SPN_READ_UNPACKING_H

#include "base/atomic.h"
#include "base/carve.h"
#include "base/word_queue.h"
#include "pak/pak_index.h"

#include <spindle/codec.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* Most blocks of one slot: 4 MiB of decoded bytes. */
#define UNPACK_BLOCKS_MAX 64u
/* Number of borrowers. */
#define UNPACK_BORROWER_COUNT 16u
/* Bytes of the worker's scratch that a job uses in addition to the workspace of
 * the codec: one decoded block. */
#define UNPACK_SCRATCH_BYTES PAK_BLOCK_BYTES

struct unpack_config {
    uint64_t bytes;       /* memory of all slots; rounded up to whole slots, at
                           * least 2 */
    uint32_t piece_bytes; /* largest piece of a compressed read */
    const spn_codec *const *codecs; /* of spn_config; copied */
    uint32_t codec_count;
    uint32_t workspace_at; /* offset of the workspaces of codecs in a worker's
                            * scratch, >= UNPACK_SCRATCH_BYTES */
};

struct unpack_slot {
    /* fixed after init */
    struct io *io;   /* the engine: a job finds its read and the codecs there */
    uint8_t *memory; /* NULL: a borrower */

    /* written by the io thread before the jobs begin; then read by them */
    uint32_t request;     /* index of the read */
    uint32_t first_block; /* number in the entry */
    uint32_t block_count;
    const uint8_t *source; /* the stored bytes; NULL: verify the destination */

    /* io thread */
    uint32_t submitted;  /* number of its jobs that were submitted */
    bool pins_pak;       /* its source is a loaded pak, whose number of users it
                         * has increased */
    uint32_t next;       /* next element of its list */
    uint32_t lender;     /* another slot whose memory has its source; IO_NONE:
                         * the source is elsewhere */
    uint32_t users;      /* 1 while it is taken, and 1 for each borrower of its
                          * memory; 0: the slot is free. At most 1 for a
                          * borrower */
    uint32_t used_bytes; /* bytes of its memory in use, for all users */

    /* jobs */
    struct atomic_u32 left;            /* jobs that have not ended */
    int8_t results[UNPACK_BLOCKS_MAX]; /* spn_status of each block */
};

/* A queue of slots, linked by `next`. */
struct unpack_list {
    uint32_t first;
    uint32_t last;
    uint32_t count;
};

/* All slots, and the lists and the queue in which they wait. */
struct unpack {
    /* fixed after init */
    struct unpack_slot *slots; /* those with memory first */
    uint32_t slot_count;
    uint32_t memory_count;
    uint32_t reserved_count; /* slots with memory that only urgent reads get */
    uint32_t slot_bytes;     /* memory of one slot */
    const spn_codec **codecs;
    uint32_t codec_count;
    uint32_t workspace_at;

    /* atomic; written by the io thread, used_peak also by the caller's */
    struct atomic_u32 used_count; /* slots with memory that are in use */
    struct atomic_u32 used_peak;

    /* workers to io thread */
    struct word_queue done;

    /* io thread */
    struct unpack_list free;        /* free slots with memory */
    struct unpack_list borrowers;   /* free borrowers */
    struct unpack_list unsubmitted; /* with jobs that did not fit the queue of
                                     * jobs yet */
    bool has_freed_slot; /* a slot came back: reads that wait for one must try
                          * again */
    uint32_t lender; /* lender of the run that is being planned; IO_NONE: none
                          * yet */
};

/* Take the memory of the slots from `carve` (base/carve.h). If `carve` only
 * counts bytes, the slots are not initialized. */
void spn__unpack_init(struct unpack *unpack, struct carve *carve,
                      const struct unpack_config *config);
/* Return whether all slots are free. */
bool spn__unpack_is_idle(const struct unpack *unpack);
/* Set the `io` of all slots, once the engine has its final address. */
void spn__unpack_set_io(struct unpack *unpack, struct io *io);

/* Add a slot at the end. */
void spn__unpack_list_add(struct unpack *unpack, struct unpack_list *list,
                          uint32_t slot);
/* Take the first slot. The list must not be empty. */
uint32_t spn__unpack_list_take(const struct unpack *unpack,
                               struct unpack_list *list);

/* Number of borrowers of a slot. */
uint32_t spn__unpack_borrowed(const struct unpack *unpack, uint32_t slot);
/* Return whether all invariants of the lists and of the users of the slots
 * hold. O(slots^2). The io thread must not change a slot meanwhile. */
bool spn__unpack_check(const struct unpack *unpack);

/* Update used_count and used_peak. io thread. */
void spn__unpack_update_used(struct unpack *unpack);
/* Bytes of memory in use now, and the peak since the last reset. Any thread. */
uint64_t spn__unpack_bytes(const struct unpack *unpack);
uint64_t spn__unpack_bytes_peak(const struct unpack *unpack);
void spn__unpack_reset_peak(struct unpack *unpack);

/* Find a codec by id; NULL: it is not registered. Any thread. */
const spn_codec *spn__unpack_codec(const struct unpack *unpack, uint32_t codec);

/* Compute the checksum of a block, for the report of a bad block: of its stored
 * bytes, or of the destination if slot->source is NULL.
 *
 * block  number in the entry, as slot->first_block */
uint32_t spn__unpack_checksum(const struct unpack_slot *slot, uint32_t block);

struct job_worker;
/* The job of block `k` of a slot, run by a worker: decode or verify the block
 * and write its result. */
void spn__unpack_job(void *slot, uint32_t k, struct job_worker *worker);

#endif
