/* unpacking.h - slots: blocks of paks that are decoded or verified by workers.
 *
 *   device --> memory of a slot --> one job for each block --> destination
 *
 * A slot holds consecutive blocks of one read that arrived together, at most
 * UNPACK_BLOCKS_MAX. Blocks of a compressed entry are decoded to the read's
 * destination, from the slot's memory or from a pak in memory. Blocks of a
 * stored entry are at the destination already and are only verified. The last
 * job of a slot sends it back to the io thread by the ring `done`.
 *
 * Some slots have memory; their memory is all that unpacking uses. A part of
 * these is kept for urgent reads. Slots without memory serve reads whose bytes
 * are in memory already, and the further reads of a run: these share the memory
 * of the run's first compressed read, whose slot is free again when all of them
 * are (`lender`, `users`).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_UNPACKING_H
#define SPN_READ_UNPACKING_H

#include "base/atomic.h"
#include "base/carve.h"
#include "base/ring.h"
#include "pak/pak_index.h"

#include <spindle/codec.h>
#include <stdbool.h>
#include <stdint.h>

struct io;

/* Blocks of one slot: 4 MiB of decoded bytes. */
#define UNPACK_BLOCKS_MAX 64u
/* Number of slots without memory. */
#define UNPACK_PLAIN_COUNT 16u
/* Bytes of a worker's scratch that a job uses beside the workspaces of the
 * codecs: one decoded block. */
#define UNPACK_SCRATCH_BYTES PAK_BLOCK_BYTES

struct unpack_config {
    uint64_t bytes;       /* memory of all slots; rounded up to whole slots, at
                           * least 2 */
    uint32_t piece_bytes; /* largest piece of a compressed read */
    const spn_codec *const *codecs; /* beside the built-in ones; copied */
    uint32_t codec_count;
    uint32_t workspace_at; /* of the codecs' workspaces in a worker's scratch;
                            * UNPACK_SCRATCH_BYTES or more */
};

struct unpack_slot {
    /* fixed after init */
    struct io *io;
    uint8_t *memory; /* NULL: a slot without memory */

    /* written by the io thread before the jobs begin; then read by them */
    uint32_t request;     /* index of the read */
    uint32_t first_block; /* in the content of the entry */
    uint32_t block_count;
    const uint8_t *source; /* the stored bytes; NULL: verify the destination */

    /* io thread */
    uint32_t submitted;  /* jobs that the workers have */
    bool uses_memory;    /* its source is a loaded pak, which counts it */
    uint32_t next;       /* in its list */
    uint32_t lender;     /* slot whose memory has the source; IO_NONE: its own,
                          * or that of a pak */
    uint32_t users;      /* itself, and the slots whose lender it is; 0: free */
    uint32_t used_bytes; /* of its memory, by all its users */

    /* jobs */
    struct atomic_u32 left;            /* jobs that have not ended */
    int8_t results[UNPACK_BLOCKS_MAX]; /* spn_status of each block */
};

/* Slots in a row, linked by `next`. */
struct unpack_list {
    uint32_t first;
    uint32_t last;
    uint32_t count;
};

struct unpack {
    /* fixed after init */
    struct unpack_slot *slots; /* those with memory first */
    uint32_t slot_count;
    uint32_t memory_count;
    uint32_t kept_count; /* of these: for urgent reads */
    uint32_t slot_bytes;
    const spn_codec **codecs;
    uint32_t codec_count;
    uint32_t workspace_at;

    /* atomic; written by the io thread, the second by the caller's, too */
    struct atomic_u32 used_count; /* slots with memory */
    struct atomic_u32 used_peak;

    /* workers to io thread */
    struct ring done;

    /* io thread */
    struct unpack_list free;        /* with memory */
    struct unpack_list plain;       /* without */
    struct unpack_list unsubmitted; /* the table of jobs was full */
    bool is_freed;   /* a slot came back: reads that wait for one try again */
    uint32_t lender; /* of the run that is planned; IO_NONE: none yet */
};

/* Only counts when the carve does. */
void spn__unpack_init(struct unpack *unpack, struct carve *carve,
                      const struct unpack_config *config);
/* Is every slot free? */
bool spn__unpack_is_idle(const struct unpack *unpack);
/* Of every slot, once the engine lies where it stays. */
void spn__unpack_set_io(struct unpack *unpack, struct io *io);

void spn__unpack_list_add(struct unpack *unpack, struct unpack_list *list,
                          uint32_t slot);
/* The first; the list is not empty. */
uint32_t spn__unpack_list_take(const struct unpack *unpack,
                               struct unpack_list *list);

/* A slot was taken or came back. io thread. */
void spn__unpack_note_used(struct unpack *unpack);
/* Bytes of memory in use, and at most since the last reset. Any thread. */
uint64_t spn__unpack_bytes(const struct unpack *unpack);
uint64_t spn__unpack_bytes_peak(const struct unpack *unpack);
void spn__unpack_reset_peak(struct unpack *unpack);

/* Of blocks with `codec`; NULL: not there. Any thread. */
const spn_codec *spn__unpack_codec(const struct unpack *unpack, uint32_t codec);

/* What the bytes of a block at its source or destination add up to: for
 * whoever says what is wrong with it. */
uint32_t spn__unpack_checksum(const struct unpack_slot *slot, uint32_t block);

/* The job of block `k` of the slot (its context). */
struct job_worker;
void spn__unpack_run(void *slot, uint32_t k, struct job_worker *worker);

#endif
