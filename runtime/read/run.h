/* run.h - plan a run: several reads of one file in one submit to the device.
 *
 * The members of a run come in ascending order of their first bytes. Their
 * bytes go straight to their destinations where the device can write there.
 * Bytes that are not aligned go through a staging buffer. The gaps between
 * members are read into one scratch buffer, again and again. Bytes that two
 * members want are read once and copied:
 *
 *   file     |....AAAAAAAA..........BBBBBBB...CCCCCC|
 *   extents  |staging| A    | scratch | B    | C    |
 *
 * A run is a plan only: it owns no memory and knows no request. Owner: the io
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_RUN_H
#define SPN_READ_RUN_H

#include "read/piece.h"

#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

#define RUN_MEMBERS_MAX 32u
#define RUN_COPIES_MAX 64u
/* Limit of the bytes of one member, and of those of all members: their sum and
 * that of all gaps fit 32 bits. */
#define RUN_READ_BYTES_MAX (1u << 30)

struct run_limits {
    uint32_t bytes_max;     /* of all members; multiple of PIECE_ALIGN_MAX */
    uint32_t gap_bytes_max; /* of one gap */
    uint64_t place;         /* byte on the disc of the file's first byte */
    uint32_t block_bytes;   /* of the disc, which are read whole: a member that
                             * does not fit is cut where a block ends. 0: it is
                             * cut anywhere */
    uint32_t align_bytes;   /* alignment that the device demands */
    uint8_t *staging;       /* PIECE_STAGING_BYTES, PIECE_ALIGN_MAX aligned */
    uint8_t *scratch;       /* aligned as the staging buffer; NULL: no gaps */
    uint32_t scratch_bytes; /* multiple of PIECE_ALIGN_MAX */
};

/* The bytes that a run brings of one read. */
struct run_member {
    uint32_t subject; /* number of the read, by the owner of the run */
    uint32_t offset;  /* from the run's first byte on */
    uint32_t bytes;
    struct piece_target target;
};

/* Bytes that are copied to their destination when the run is back. */
struct run_copy {
    uint32_t member;
    uint32_t offset; /* from the run's first byte on */
    uint32_t bytes;
    uint64_t at; /* byte of the read where they go */
};

struct run {
    struct run_limits limits;
    uint64_t offset; /* in the file, as the device is asked */
    uint32_t bytes;  /* sum of the extents */
    uint32_t gap_bytes;
    uint32_t staged_bytes;
    bool is_full; /* nothing can be added behind its end */
    uint32_t extent_count;
    uint32_t member_count;
    uint32_t copy_count;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    struct run_member members[RUN_MEMBERS_MAX];
    struct run_copy copies[RUN_COPIES_MAX];
};

/* The missing bytes of a read. */
struct run_read {
    uint32_t subject;
    uint64_t offset; /* in the file */
    uint64_t at;     /* the same byte, counted from the read's start */
    uint64_t bytes;  /* > 0 */
    struct piece_target target;
};

/* Begin an empty run. */
void spn__run_begin(struct run *run, const struct run_limits *limits);
/* Add a read whose first byte is not before that of the member added last: as
 * much of it as there is room for. To a run that is full only bytes are added
 * that it reads anyway. False when there are none. */
bool spn__run_add(struct run *run, const struct run_read *read);
/* Bytes of members that still have room. */
uint32_t spn__run_room(const struct run *run);
/* May a read be added whose first byte is at `offset` of the file? */
bool spn__run_takes(const struct run *run, uint64_t offset);
/* Of `arrived` bytes from the front of the run, at most all of them: how many
 * are of gaps. */
uint32_t spn__run_gap_bytes(const struct run *run, uint32_t arrived);
/* Bytes of a member among the `arrived` bytes from the front of the run. */
uint32_t spn__run_useful(const struct run *run, uint32_t member,
                         uint32_t arrived);
/* Make the copies of a member, of which `useful` bytes arrived. For all members
 * before any of them goes on: one may be copied from the memory of another. */
void spn__run_copy(const struct run *run, uint32_t member, uint32_t useful);

#endif
