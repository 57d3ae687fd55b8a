/* run.c - lays the bytes of several reads out in extents.
 *
 * Invariants: the extents cover the file from `offset` to `offset + bytes`
 * without a hole, all at multiples of the alignment. A gap lies before the
 * first byte of a later member, and nothing that is wanted lies in it: members
 * come in order of their first bytes.
 */
/* SPDX-License-Identifier: MIT */
#include "read/run.h"

#include "base/assert.h"
#include "base/mem.h"

/* Fronts that others brought, head and tail: copies of one member. */
#define COPIES_OF_ONE 3u

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t end_of(const struct run *run)
{
    return run->offset + run->bytes;
}

void spn__run_begin(struct run *run, const struct run_limits *limits)
{
    run->limits = *limits;
    run->offset = 0;
    run->bytes = 0;
    run->gap_bytes = 0;
    run->staged_bytes = 0;
    run->is_full = false;
    run->extent_count = 0;
    run->member_count = 0;
    run->copy_count = 0;
}

static bool has_extent(const struct run *run)
{
    return run->extent_count < SPN_PLATFORM_EXTENTS_MAX;
}

static void add_extent(struct run *run, uint8_t *data, uint64_t bytes)
{
    SPN_ASSERT(has_extent(run) && bytes > 0);
    run->extents[run->extent_count].data = data;
    run->extents[run->extent_count].bytes = (uint32_t)bytes;
    run->extent_count++;
    run->bytes += bytes;
}

uint64_t spn__run_room(const struct run *run)
{
    uint64_t taken = run->bytes - run->gap_bytes;

    return run->limits.bytes_max > taken ? run->limits.bytes_max - taken : 0;
}

/* Skip to `offset`. False when the gap is too wide, or no extent would be left
 * behind it. */
static bool bridge(struct run *run, uint64_t offset)
{
    uint64_t gap = offset - end_of(run);
    uint32_t scratch_bytes = run->limits.scratch_bytes;
    uint32_t left = SPN_PLATFORM_EXTENTS_MAX - run->extent_count;

    if (gap == 0)
        return left > 0;
    if (!run->limits.scratch || gap > run->limits.gap_bytes_max ||
        (gap + scratch_bytes - 1) / scratch_bytes >= left)
        return false;
    run->gap_bytes += gap;
    while (gap > 0) {
        uint64_t part = least(gap, scratch_bytes);

        add_extent(run, run->limits.scratch, part);
        gap -= part;
    }
    return true;
}

/* -- a read's bytes -- */

/* A read on its way into the run. */
struct adding {
    struct run *run;
    struct piece_target target; /* a cursor of its own */
    uint64_t offset;            /* of the next byte, in the file */
    uint64_t at;                /* and of the read */
    uint64_t end;
};

static void advance(struct adding *a, uint64_t bytes)
{
    a->offset += bytes;
    a->at += bytes;
}

static void add_copy(struct adding *a, uint64_t bytes)
{
    struct run *run = a->run;

    SPN_ASSERT(run->copy_count < RUN_COPIES_MAX);
    run->copies[run->copy_count++] =
        (struct run_copy){run->member_count, a->offset, a->at, bytes};
    advance(a, bytes);
}

/* Straight home, as far as memory lies in a row. False when it cannot. */
static bool add_home(struct adding *a)
{
    struct run *run = a->run;
    uint64_t mask = run->limits.align_bytes - 1;
    uint64_t room = spn__run_room(run);
    uint64_t bytes;
    uint8_t *data = spn__piece_target(&a->target, a->at, &bytes);

    bytes = least(bytes, a->end - a->offset);
    if (bytes > room) {
        bytes = spn__piece_cut(run->limits.place + a->offset, room,
                               run->limits.block_bytes);
        run->is_full = true;
    }
    bytes &= ~mask;
    if (a->offset != end_of(run) || ((uintptr_t)data & mask) != 0 || bytes == 0)
        return false;
    add_extent(run, data, bytes);
    advance(a, bytes);
    return true;
}

/* Through the staging buffer: the block that the next byte lies in; more where
 * memory and offset differ modulo the alignment. */
static bool add_staged(struct adding *a)
{
    struct run *run = a->run;
    uint64_t align = run->limits.align_bytes;
    uint64_t mask = align - 1;
    uint64_t skip = a->offset - end_of(run);
    uint64_t room =
        least(PIECE_STAGING_BYTES - run->staged_bytes, spn__run_room(run));
    uint64_t wanted = skip + (a->end - a->offset);
    uint64_t row;
    const uint8_t *data = spn__piece_target(&a->target, a->at, &row);

    SPN_ASSERT(skip < align);
    if ((((uintptr_t)data - skip) & mask) == 0 && wanted > align)
        wanted = align;
    wanted = least(wanted + mask, room) & ~mask;
    if (wanted <= skip)
        return false;
    add_extent(run, run->limits.staging + run->staged_bytes, wanted);
    run->staged_bytes += (uint32_t)wanted;
    add_copy(a, least(wanted - skip, a->end - a->offset));
    return true;
}

/* As much as there is room for. */
static void add_bytes(struct adding *a)
{
    struct run *run = a->run;

    if (a->offset < end_of(run))
        add_copy(a, least(a->end, end_of(run)) - a->offset);
    while (a->offset < a->end && !run->is_full) {
        if (!has_extent(run) ||
            (!add_home(a) &&
             (run->copy_count == RUN_COPIES_MAX || !add_staged(a))))
            run->is_full = true;
    }
}

bool spn__run_takes(const struct run *run, uint64_t offset)
{
    return !run->is_full || offset < end_of(run);
}

bool spn__run_add(struct run *run, const struct run_read *read)
{
    struct adding a = {.run = run,
                       .target = read->target,
                       .offset = read->offset,
                       .at = read->at,
                       .end = read->offset + read->bytes};
    uint64_t begin = read->offset & ~((uint64_t)run->limits.align_bytes - 1);

    SPN_ASSERT(read->bytes > 0);
    if (!spn__run_takes(run, read->offset) ||
        run->member_count == RUN_MEMBERS_MAX ||
        run->copy_count + COPIES_OF_ONE > RUN_COPIES_MAX)
        return false;
    if (run->member_count == 0)
        run->offset = begin;
    SPN_ASSERT(run->member_count == 0 ||
               read->offset >= run->members[run->member_count - 1].offset);
    if (begin > end_of(run)) {
        /* Not for nothing. */
        if (spn__run_room(run) < PIECE_ALIGN_MAX ||
            PIECE_STAGING_BYTES - run->staged_bytes < PIECE_ALIGN_MAX ||
            !bridge(run, begin))
            return false;
    }
    add_bytes(&a);
    if (a.offset == read->offset)
        return false;
    run->members[run->member_count++] = (struct run_member){
        read->subject, read->offset, a.offset - read->offset, read->target};
    return true;
}

/* -- what came -- */

uint64_t spn__run_useful(const struct run *run, uint32_t member,
                         uint64_t arrived)
{
    const struct run_member *m = &run->members[member];
    uint64_t end = run->offset + least(arrived, run->bytes);

    return end > m->offset ? least(end - m->offset, m->bytes) : 0;
}

uint64_t spn__run_gap_bytes(const struct run *run, uint64_t arrived)
{
    uint64_t gap = 0;

    for (uint32_t i = 0; i < run->extent_count; i++) {
        uint64_t part = least(arrived, run->extents[i].bytes);

        if (run->extents[i].data == run->limits.scratch)
            gap += part;
        arrived -= part;
    }
    return gap;
}

/* Where byte `offset` of the file lies now; *bytes: how many in a row. */
static const uint8_t *find(const struct run *run, uint64_t offset,
                           uint64_t *bytes)
{
    uint64_t at = offset - run->offset;
    uint32_t i = 0;

    while (at >= run->extents[i].bytes)
        at -= run->extents[i++].bytes;
    *bytes = run->extents[i].bytes - at;
    return (const uint8_t *)run->extents[i].data + at;
}

static void copy_one(const struct run *run, const struct run_copy *copy,
                     struct piece_target *target, uint64_t bytes)
{
    uint64_t done = 0;

    while (done < bytes) {
        uint64_t row;
        uint64_t from_row;
        const uint8_t *from = find(run, copy->offset + done, &from_row);
        uint8_t *to = spn__piece_target(target, copy->at + done, &row);

        row = least(least(row, from_row), bytes - done);
        memcpy(to, from, (size_t)row);
        done += row;
    }
}

void spn__run_copy(const struct run *run, uint32_t member, uint64_t useful)
{
    struct piece_target target = run->members[member].target;
    uint64_t end = run->members[member].offset + useful;

    for (uint32_t i = 0; i < run->copy_count; i++) {
        const struct run_copy *copy = &run->copies[i];

        if (copy->member == member && copy->offset < end)
            copy_one(run, copy, &target,
                     least(copy->bytes, end - copy->offset));
    }
}
