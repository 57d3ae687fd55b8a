/* run.h - several reads of one file in one submit to the device.
 *
 * The reads come in order of place. What lies between two of them goes to the
 * scratch, over and over the same; what the device can read straight home goes
 * there; what is not aligned goes through the staging buffer, and what two
 * reads want comes once and is copied:
 *
 *   file     |....AAAAAAAA..........BBBBBBB...CCCCCC|
 *   extents  |staging| A    | scratch | B    | C    |
 *
 * A run is a plan. It owns no memory and knows no request: a subject is what
 * the owner says. Owner: the io thread.
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
/* Of a read at most, and of what a run may bring beside its gaps: the sum of
 * both and of all gaps has 32 bits. */
#define RUN_READ_BYTES_MAX (1u << 30)

struct run_limits {
    uint32_t bytes_max;     /* without the gaps; multiple of PIECE_ALIGN_MAX */
    uint32_t gap_bytes_max; /* of one gap */
    uint64_t place;         /* of the file's first byte, on the disc; */
    uint32_t block_bytes;   /* whose blocks are read whole: a read that does not
                             * fit is cut where one ends. 0: anywhere */
    uint32_t align_bytes;   /* the device's */
    uint8_t *staging;       /* PIECE_STAGING_BYTES, PIECE_ALIGN_MAX aligned */
    uint8_t *scratch;       /* aligned as the staging buffer; NULL: no gaps */
    uint32_t scratch_bytes; /* multiple of PIECE_ALIGN_MAX */
};

/* What the run brings of a read. */
struct run_member {
    uint32_t subject;
    uint32_t offset; /* from the run's first byte on */
    uint32_t bytes;
    struct piece_target target;
};

/* Bytes that come home when all is there. */
struct run_copy {
    uint32_t member;
    uint32_t offset; /* from the run's first byte on */
    uint32_t bytes;
    uint64_t at; /* of the member's read */
};

struct run {
    struct run_limits limits;
    uint64_t offset; /* in the file, as the device is asked */
    uint32_t bytes;  /* sum of the extents */
    uint32_t gap_bytes;
    uint32_t staged_bytes;
    bool is_full; /* nothing can be added to its end any more */
    uint32_t extent_count;
    uint32_t member_count;
    uint32_t copy_count;
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    struct run_member members[RUN_MEMBERS_MAX];
    struct run_copy copies[RUN_COPIES_MAX];
};

/* A read, or what is missing of it. */
struct run_read {
    uint32_t subject;
    uint64_t offset; /* in the file */
    uint64_t at;     /* the same byte, counted from the read's start */
    uint64_t bytes;  /* > 0 */
    struct piece_target target;
};

void spn__run_begin(struct run *run, const struct run_limits *limits);
/* Add a read that begins nowhere before the last one added, as much of it as
 * there is room for: of a run that is full, what it has of it. False when that
 * is nothing. */
bool spn__run_add(struct run *run, const struct run_read *read);
/* Bytes that it still may bring for reads. */
uint32_t spn__run_room(const struct run *run);
/* May something of a read be added that begins there? */
bool spn__run_takes(const struct run *run, uint64_t offset);
/* What went to the scratch of so many bytes that came from the front,
 * no more than the run has. */
uint32_t spn__run_gap_bytes(const struct run *run, uint32_t arrived);
/* How much of a member is there when `arrived` bytes came from the front. */
uint32_t spn__run_useful(const struct run *run, uint32_t member,
                         uint32_t arrived);
/* Bring home what is copied of a member, of so many useful bytes. Before any
 * member's memory is given away: others may be copied from it. */
void spn__run_copy(const struct run *run, uint32_t member, uint32_t useful);

#endif
