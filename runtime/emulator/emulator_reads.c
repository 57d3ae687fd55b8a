/* emulator_reads.c - submits reads to the wrapped platform, and delays their
 * completions.
 */
/* SPDX-License-Identifier: MIT */
#include "emulator/emulator_reads.h"

#include "base/assert.h"
#include "base/mem.h"

void spn__reads_init(struct emulator_reads *reads, const spn_platform *inner)
{
    memset(reads, 0, sizeof *reads);
    reads->inner = inner;
    reads->inside_due_us = UINT64_MAX;
}

bool spn__reads_is_busy(const struct emulator_reads *reads, uint32_t slot)
{
    return reads->slots[slot].state != EMULATED_READ_NONE;
}

static void end_with(struct emulated_read *read, spn_status status,
                     uint64_t bytes)
{
    read->completion.status = status;
    read->completion.bytes = bytes;
    read->state = EMULATED_READ_DONE;
}

/* Whether a read is submitted on a medium of the wrapped platform;
 * SPN_MEDIUM_COUNT: on any medium. */
static bool is_inside(const struct emulator_reads *reads, spn_medium medium)
{
    for (uint32_t i = 0; i < EMULATOR_SLOTS; i++)
        if (reads->slots[i].state == EMULATED_READ_INSIDE &&
            (medium == SPN_MEDIUM_COUNT || reads->slots[i].medium == medium))
            return true;
    return false;
}

/* The read that arrived first of those whose medium is free, or NULL. */
static struct emulated_read *find_next(struct emulator_reads *reads)
{
    struct emulated_read *first = NULL;

    for (uint32_t i = 0; i < EMULATOR_SLOTS; i++) {
        struct emulated_read *read = &reads->slots[i];

        if (read->state != EMULATED_READ_WAITING ||
            is_inside(reads, read->medium))
            continue;
        /* The numbers wrap; those of reads in flight are close. */
        if (!first || (int32_t)(read->arrival - first->arrival) < 0)
            first = read;
    }
    return first;
}

static bool submit_next(struct emulator_reads *reads)
{
    const spn_platform *inner = reads->inner;
    struct emulated_read *next = find_next(reads);
    spn_status status;

    if (!next)
        return false;
    status =
        inner->read_submit(inner->user, next->file, next->offset, next->extents,
                           next->extent_count, next->completion.tag);
    next->state = EMULATED_READ_INSIDE;
    if (status != SPN_OK)
        end_with(next, SPN_ERR_IO, 0);
    return true;
}

static bool take_inside(struct emulator_reads *reads)
{
    const spn_platform *inner = reads->inner;
    spn_platform_completion end;

    reads->inside_due_us = UINT64_MAX;
    if (!is_inside(reads, SPN_MEDIUM_COUNT) ||
        inner->read_poll(inner->user, &end, &reads->inside_due_us) != SPN_OK)
        return false;
    for (uint32_t i = 0; i < EMULATOR_SLOTS; i++) {
        struct emulated_read *read = &reads->slots[i];

        if (read->state != EMULATED_READ_INSIDE ||
            read->completion.tag != end.tag)
            continue;
        end_with(read, end.status, end.bytes);
        return true;
    }
    return false; /* an unknown tag */
}

void spn__reads_take(struct emulator_reads *reads)
{
    bool has_submitted;
    bool has_taken;

    do {
        has_submitted = submit_next(reads);
        has_taken = take_inside(reads);
    } while (has_submitted || has_taken);
}

void spn__reads_submit(struct emulator_reads *reads, uint32_t slot,
                       const struct emulated_range *range, uint32_t tag,
                       uint64_t due_us, spn_status status)
{
    struct emulated_read *read = &reads->slots[slot];

    SPN_ASSERT(!spn__reads_is_busy(reads, slot));
    SPN_ASSERT(range->extent_count <= SPN_PLATFORM_EXTENTS_MAX);
    read->arrival = reads->arrival++;
    read->due_us = due_us;
    read->done_us = due_us;
    read->completion.tag = tag;
    read->file = range->file;
    read->medium = range->medium;
    read->offset = range->offset;
    read->extent_count = range->extent_count;
    memcpy(read->extents, range->extents,
           range->extent_count * sizeof *range->extents);
    if (status != SPN_OK)
        end_with(read, status, 0);
    else
        read->state = EMULATED_READ_WAITING;
    spn__reads_take(reads);
}

/* The read in EMULATED_READ_DONE with the earliest due_us, or NULL. */
static struct emulated_read *find_due(struct emulator_reads *reads)
{
    struct emulated_read *first = NULL;

    for (uint32_t i = 0; i < EMULATOR_SLOTS; i++) {
        struct emulated_read *read = &reads->slots[i];

        if (read->state != EMULATED_READ_DONE)
            continue;
        if (!first || read->due_us < first->due_us ||
            (read->due_us == first->due_us &&
             (int32_t)(read->arrival - first->arrival) < 0))
            first = read;
    }
    return first;
}

spn_status spn__reads_poll(struct emulator_reads *reads,
                           spn_platform_completion *out, uint64_t *due_us)
{
    const spn_platform *inner = reads->inner;
    struct emulated_read *first;
    uint64_t now_us;

    spn__reads_take(reads);
    first = find_due(reads);
    now_us = first ? inner->now_us(inner->user) : 0;
    if (first && first->due_us <= now_us) {
        if (now_us < first->done_us)
            end_with(first, SPN_ERR_IO, 0);
        *out = first->completion;
        reads->ended_slot = (uint32_t)(first - reads->slots);
        reads->late_us = first->due_us > 0 ? now_us - first->due_us : 0;
        first->state = EMULATED_READ_NONE;
        return SPN_OK;
    }
    *due_us = spn__reads_due_us(reads);
    return SPN_PENDING;
}

uint64_t spn__reads_due_us(const struct emulator_reads *reads)
{
    uint64_t due_us = reads->inside_due_us;

    for (uint32_t i = 0; i < EMULATOR_SLOTS; i++)
        if (reads->slots[i].state == EMULATED_READ_DONE &&
            reads->slots[i].due_us < due_us)
            due_us = reads->slots[i].due_us;
    return due_us;
}

uint32_t spn__reads_cancel(struct emulator_reads *reads, uint32_t tag)
{
    const spn_platform *inner = reads->inner;
    struct emulated_read *read = reads->slots;
    uint32_t slot = 0;

    while (slot < EMULATOR_SLOTS &&
           (read->state == EMULATED_READ_NONE || read->completion.tag != tag)) {
        read++;
        slot++;
    }
    if (slot == EMULATOR_SLOTS)
        return slot;
    read->due_us = 0;
    if (read->state == EMULATED_READ_WAITING)
        end_with(read, SPN_ERR_IO, 0);
    else if (read->state == EMULATED_READ_INSIDE && inner->read_cancel)
        inner->read_cancel(inner->user, tag);
    return slot;
}

/* Whether two reads in flight can exist at the same time. */
static bool are_compatible(const struct emulated_read *a,
                           const struct emulated_read *b)
{
    return a->completion.tag != b->completion.tag && a->arrival != b->arrival &&
           !(a->state == EMULATED_READ_INSIDE &&
             b->state == EMULATED_READ_INSIDE && a->medium == b->medium);
}

bool spn__reads_check(const struct emulator_reads *reads)
{
    for (uint32_t i = 0; i < EMULATOR_SLOTS; i++) {
        const struct emulated_read *read = &reads->slots[i];

        if (read->state == EMULATED_READ_NONE)
            continue;
        if ((uint32_t)read->state > EMULATED_READ_DONE ||
            (uint32_t)read->medium >= SPN_MEDIUM_COUNT ||
            (read->due_us != 0 && read->due_us != read->done_us))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (reads->slots[k].state != EMULATED_READ_NONE &&
                !are_compatible(read, &reads->slots[k]))
                return false;
    }
    return true;
}
