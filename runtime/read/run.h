/* run.h - plan a run: several reads of one file by one command of the device.
 *
 * The deadline scheduler reads close ranges of a file together, with the gaps
 * between them. The *members* of a run are parts of reads, in ascending order
 * of their first bytes. Their bytes go directly to their destinations where
 * alignment permits; other bytes go through a staging buffer. A gap of whole
 * alignment units is read into the scratch buffer, which every gap overwrites.
 * Smaller gaps are staged with their neighbours. Bytes that two members need
 * are read once and copied. With an alignment of 4:
 *
 *   file     |..AA|AAAA|AAAA|....|....|....|BBBB|BBBB|B..C|CCCC|
 *   extents  |stag|    A    |   scratch    |    B    |stag|  C |
 *   copies     AA                                     B  C
 *
 * Use: spn__run_begin; spn__run_add in ascending order until it returns false;
 * submit the extents to the device; when they have come back, spn__run_copy for
 * every member, and only then complete the reads. A run is only a plan: it has
 * no memory of its own and does not access requests. Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_RUN_H
#define SPN_READ_RUN_H

#include "read/piece.h"

#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

/* Most members and most copies of a run. A run that reaches one of them takes
 * no more reads. */
#define RUN_MEMBERS_MAX 32u
#define RUN_COPIES_MAX 64u
/* Most bytes of one member, and of all members together. With all gaps the sum
 * fits 32 bits. */
#define RUN_READ_BYTES_MAX (1u << 30)

/* Memory and limits of a run. */
struct run_setup {
    uint32_t bytes_max;     /* most bytes of all members; multiple of
                             * PIECE_ALIGN_MAX */
    uint32_t gap_bytes_max; /* most bytes of one gap */
    uint64_t place;         /* position of the file's first byte on the disc */
    uint32_t block_bytes; /* ECC block of the disc: a read that does not fit is
                           * cut at the end of a block. 0: it is cut anywhere */
    uint32_t align_bytes; /* alignment that the device requires */
    uint8_t *staging;     /* PIECE_STAGING_BYTES, aligned to PIECE_ALIGN_MAX */
    uint8_t *scratch;     /* aligned to PIECE_ALIGN_MAX; NULL: no gaps */
    uint32_t scratch_bytes; /* multiple of PIECE_ALIGN_MAX */
};

/* The part of one read that is in the run. */
struct run_member {
    uint32_t subject; /* number of the read, by the owner of the run */
    uint32_t offset;  /* of its first byte in the run */
    uint32_t bytes;
    struct piece_target target;
};

/* Bytes to copy to their destination after the transfer. */
struct run_copy {
    uint32_t member; /* index of the member that needs them */
    uint32_t offset; /* of the first byte in the run */
    uint32_t bytes;
    uint64_t target_offset; /* where the first byte goes (piece.h) */
};

struct run {
    struct run_setup setup;
    uint64_t offset; /* of the first byte in the file */
    uint32_t bytes;  /* sum of the extents */
    uint32_t gap_bytes;
    uint32_t staged_bytes;
    bool is_full; /* no bytes can be added after its end */
    uint32_t extent_count;
    uint32_t member_count;
    uint32_t copy_count;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    struct run_member members[RUN_MEMBERS_MAX];
    struct run_copy copies[RUN_COPIES_MAX];
};

/* A read to add: the bytes that it still needs. */
struct run_candidate {
    uint32_t subject;
    uint64_t offset;        /* in the file */
    uint64_t target_offset; /* where that byte goes in the destination */
    uint64_t bytes;         /* > 0 */
    struct piece_target target;
};

/* Begin an empty run. */
void spn__run_begin(struct run *run, const struct run_setup *setup);
/* Add as much of a read as fits; it is the last member then, and its
 * run_member.bytes says how much that is. Its first byte must not be before
 * that of the last member. If the run is full, only bytes that it reads already
 * can be added. Returns false, and adds nothing of the read, if not one byte of
 * it fits: the run has the most members, copies, extents or bytes, the staging
 * buffer is full, or the gap before the read is too wide. */
bool spn__run_add(struct run *run, const struct run_candidate *read);
/* How many more bytes of members fit. */
uint32_t spn__run_room(const struct run *run);
/* Return whether a read whose first byte is at `offset` of the file could be
 * added. */
bool spn__run_takes(const struct run *run, uint64_t offset);
/* How many of the first `arrived` bytes of the run are in gaps. `arrived` is at
 * most the size of the run. */
uint32_t spn__run_gap_bytes(const struct run *run, uint32_t arrived);
/* How many of the first `arrived` bytes of the run are of a member. */
uint32_t spn__run_useful(const struct run *run, uint32_t member,
                         uint32_t arrived);
/* Make the copies of a member of which `useful` bytes have arrived. To be
 * called for all members before any read is completed, because bytes may be
 * copied from the destination of another member. */
void spn__run_copy(const struct run *run, uint32_t member, uint32_t useful);

#endif
