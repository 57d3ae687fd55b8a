/* run.c - plan the extents of a run (run.h).
 *
 * Invariants: the extents cover the file from `offset` to `offset + bytes`
 * without holes, and all begin and end at multiples of the alignment. A gap is
 * before the first byte of a member and contains no byte of any member, because
 * members are added in the order of their first bytes.
 */
/* SPDX-License-Identifier: MIT */
#include "read/run.h"

#include "base/assert.h"
#include "base/mem.h"

/* Most copies of one member: bytes that another member has read, a staged head
 * and a staged tail. */
#define COPIES_OF_ONE 3u

static uint32_t at_most(uint64_t bytes, uint32_t limit)
{
    return bytes < limit ? (uint32_t)bytes : limit;
}

void spn__run_begin(struct run *run, const struct run_setup *setup)
{
    SPN_ASSERT(setup->bytes_max <= RUN_READ_BYTES_MAX);
    run->setup = *setup;
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

static void add_extent(struct run *run, uint8_t *data, uint32_t bytes)
{
    SPN_ASSERT(has_extent(run) && bytes > 0);
    run->extents[run->extent_count].data = data;
    run->extents[run->extent_count].bytes = bytes;
    run->extent_count++;
    run->bytes += bytes;
}

uint32_t spn__run_room(const struct run *run)
{
    uint32_t taken = run->bytes - run->gap_bytes;

    return run->setup.bytes_max > taken ? run->setup.bytes_max - taken : 0;
}

/* Add a gap of `wide` bytes. False if it is too wide, or if no extent would be
 * left for the bytes after it. */
static bool bridge(struct run *run, uint64_t wide)
{
    uint32_t gap = at_most(wide, run->setup.gap_bytes_max);
    uint32_t scratch_bytes = run->setup.scratch_bytes;
    uint32_t left = SPN_PLATFORM_EXTENTS_MAX - run->extent_count;

    if (!run->setup.scratch || gap != wide ||
        (gap + scratch_bytes - 1) / scratch_bytes >= left)
        return false;
    run->gap_bytes += gap;
    while (gap > 0) {
        uint32_t part = at_most(gap, scratch_bytes);

        add_extent(run, run->setup.scratch, part);
        gap -= part;
    }
    return true;
}

/* -- adding the bytes of a read -- */

/* A read that is being added. */
struct adding {
    struct run *run;
    struct piece_target target; /* copy of the candidate's, with its cursor */
    uint64_t target_offset;     /* destination of the next byte */
    uint32_t offset;            /* the same byte: position in the run */
    uint32_t end;               /* end of the read: position in the run */
};

static void advance(struct adding *a, uint32_t bytes)
{
    a->offset += bytes;
    a->target_offset += bytes;
}

static void add_copy(struct adding *a, uint32_t bytes)
{
    struct run *run = a->run;

    SPN_ASSERT(run->copy_count < RUN_COPIES_MAX);
    run->copies[run->copy_count++] = (struct run_copy){
        run->member_count, a->offset, bytes, a->target_offset};
    advance(a, bytes);
}

/* Add an extent that the device writes directly to the destination, as far as
 * the memory is contiguous. False if the alignment does not permit it. */
static bool add_direct(struct adding *a)
{
    struct run *run = a->run;
    uint32_t mask = run->setup.align_bytes - 1;
    uint32_t room = spn__run_room(run);
    uint32_t bytes;
    uint8_t *data = spn__piece_address(&a->target, a->target_offset, &bytes);

    bytes = at_most(bytes, a->end - a->offset);
    if (bytes > room) {
        bytes = spn__piece_cut(run->setup.place + run->offset + a->offset, room,
                               run->setup.block_bytes);
        run->is_full = true;
    }
    bytes &= ~mask;
    if (a->offset != run->bytes || ((uintptr_t)data & mask) != 0 || bytes == 0)
        return false;
    add_extent(run, data, bytes);
    advance(a, bytes);
    return true;
}

/* Add an extent in the staging buffer: the alignment unit of the next byte, or
 * more if memory and file offset differ modulo the alignment. */
static bool add_staged(struct adding *a)
{
    struct run *run = a->run;
    uint32_t align = run->setup.align_bytes;
    uint32_t mask = align - 1;
    uint32_t skip = a->offset - run->bytes;
    uint32_t room =
        at_most(PIECE_STAGING_BYTES - run->staged_bytes, spn__run_room(run));
    uint32_t wanted = skip + (a->end - a->offset);
    uint32_t row;
    const uint8_t *data =
        spn__piece_address(&a->target, a->target_offset, &row);

    SPN_ASSERT(skip < align);
    if ((((uintptr_t)data - skip) & mask) == 0 && wanted > align)
        wanted = align;
    wanted = at_most(wanted + mask, room) & ~mask;
    if (wanted <= skip)
        return false;
    add_extent(run, run->setup.staging + run->staged_bytes, wanted);
    run->staged_bytes += wanted;
    add_copy(a, at_most(wanted - skip, a->end - a->offset));
    return true;
}

/* Add as many bytes as fit. */
static void add_bytes(struct adding *a)
{
    struct run *run = a->run;

    if (a->offset < run->bytes)
        add_copy(a, at_most(a->end, run->bytes) - a->offset);
    while (a->offset < a->end && !run->is_full) {
        if (!has_extent(run) ||
            (!add_direct(a) &&
             (run->copy_count == RUN_COPIES_MAX || !add_staged(a))))
            run->is_full = true;
    }
}

bool spn__run_takes(const struct run *run, uint64_t offset)
{
    return !run->is_full || offset < run->offset + run->bytes;
}

bool spn__run_add(struct run *run, const struct run_candidate *read)
{
    struct adding a = {.run = run,
                       .target = read->target,
                       .target_offset = read->target_offset};
    uint64_t begin = read->offset & ~((uint64_t)run->setup.align_bytes - 1);
    uint64_t end;
    uint32_t first;

    SPN_ASSERT(read->bytes > 0);
    if (!spn__run_takes(run, read->offset) ||
        run->member_count == RUN_MEMBERS_MAX ||
        run->copy_count + COPIES_OF_ONE > RUN_COPIES_MAX)
        return false;
    if (run->member_count == 0)
        run->offset = begin;
    end = run->offset + run->bytes;
    if (begin > end) {
        /* Do not add a gap if no byte after it would fit. */
        if (spn__run_room(run) < PIECE_ALIGN_MAX ||
            PIECE_STAGING_BYTES - run->staged_bytes < PIECE_ALIGN_MAX ||
            !bridge(run, begin - end))
            return false;
    }
    first = (uint32_t)(read->offset - run->offset);
    SPN_ASSERT(run->member_count == 0 ||
               first >= run->members[run->member_count - 1].offset);
    a.offset = first;
    a.end = first + at_most(read->bytes, RUN_READ_BYTES_MAX);
    add_bytes(&a);
    if (a.offset == first)
        return false;
    run->members[run->member_count++] = (struct run_member){
        read->subject, first, a.offset - first, read->target};
    return true;
}

/* -- after the transfer -- */

uint32_t spn__run_useful(const struct run *run, uint32_t member,
                         uint32_t arrived)
{
    const struct run_member *m = &run->members[member];

    return arrived > m->offset ? at_most(arrived - m->offset, m->bytes) : 0;
}

uint32_t spn__run_gap_bytes(const struct run *run, uint32_t arrived)
{
    uint32_t gap = 0;

    for (uint32_t i = 0; i < run->extent_count; i++) {
        uint32_t part = at_most(arrived, run->extents[i].bytes);

        if (run->extents[i].data == run->setup.scratch)
            gap += part;
        arrived -= part;
    }
    return gap;
}

/* Address of byte `at` of the run after the transfer; *bytes: the number of
 * contiguous bytes from there. */
static const uint8_t *find(const struct run *run, uint32_t at, uint32_t *bytes)
{
    uint32_t i = 0;

    while (at >= run->extents[i].bytes)
        at -= run->extents[i++].bytes;
    *bytes = run->extents[i].bytes - at;
    return (const uint8_t *)run->extents[i].data + at;
}

static void copy_one(const struct run *run, const struct run_copy *copy,
                     struct piece_target *target, uint32_t bytes)
{
    uint32_t done = 0;

    while (done < bytes) {
        uint32_t row;
        uint32_t from_row;
        const uint8_t *from = find(run, copy->offset + done, &from_row);
        uint8_t *to =
            spn__piece_address(target, copy->target_offset + done, &row);

        row = at_most(at_most(row, from_row), bytes - done);
        memcpy(to, from, row);
        done += row;
    }
}

void spn__run_copy(const struct run *run, uint32_t member, uint32_t useful)
{
    struct piece_target target = run->members[member].target;
    uint32_t end = run->members[member].offset + useful;

    for (uint32_t i = 0; i < run->copy_count; i++) {
        const struct run_copy *copy = &run->copies[i];

        if (copy->member == member && copy->offset < end)
            copy_one(run, copy, &target,
                     at_most(copy->bytes, end - copy->offset));
    }
}
