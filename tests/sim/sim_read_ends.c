/* sim_read_ends.c - a read's callbacks, and the checks of its result. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_read_ends.h"

#include "sim/sim.h"
#include "sim/sim_damage.h"

#include "pak/pak_index.h"

#include <string.h>

/* -- expected results -- */

static uint64_t size_of(const struct sim_read *r)
{
    return r->is_entry ? r->sim->disc->entries[r->subject].bytes
                       : r->sim->disc->files[r->subject].bytes;
}

static bool leaves_its_file(const struct sim_read *r)
{
    uint64_t size = size_of(r);

    return r->offset > size || r->bytes > size - r->offset ||
           (r->bytes == 0 && size - r->offset > r->buffer_bytes);
}

static bool is_explained(const struct sim_read *r, spn_status status)
{
    const struct sim *sim = r->sim;

    if (r->has_storage && status == r->storage_status && status != SPN_OK)
        return true;
    if (r->has_block && status == SPN_ERR_MEMORY)
        return size_of(r) + sim->paks.held_max > sim->config.heap_bytes;
    switch (status) {
    case SPN_OK:
        return !leaves_its_file(r);
    case SPN_ERR_ABORTED:
        return r->is_aborted;
    case SPN_ERR_SHUTDOWN:
        return sim->is_shut;
    case SPN_ERR_RANGE:
        return leaves_its_file(r);
    case SPN_ERR_NOT_FOUND:
        /* Its pak may not be mounted. */
        return sim->swarm.hits[SWARM_OPEN_ERROR] > 0 ||
               (r->is_entry && r->path);
    case SPN_ERR_IO:
        return sim_drive_has_failed(sim);
    case SPN_ERR_TIMEOUT:
        return sim_drive_times_out(sim);
    case SPN_ERR_SHORT_READ:
        return sim->swarm.hits[SWARM_SHORT_READ] > 0;
    case SPN_ERR_CHECKSUM:
    case SPN_ERR_CODEC:
    case SPN_ERR_FORMAT:
        return r->is_entry && sim->drive.taint_count > 0;
    default:
        return false;
    }
}

/* -- memory -- */

static bool is_all(const uint8_t *data, size_t bytes, uint8_t value)
{
    return data[0] == value && memcmp(data, data + 1, bytes - 1) == 0;
}

void sim_read_check_memory(const struct sim_read *r)
{
    size_t all = r->room + SIM_GUARD;

    if (r->is_poisoned && !is_all(r->memory, all, SIM_POISON))
        sim_fail(r->sim, SIM_MEMORY, "read %08x wrote after its end",
                 (unsigned)r->handle);
    if (!r->is_poisoned &&
        !is_all(r->memory + r->buffer_bytes, all - r->buffer_bytes, SIM_BEHIND))
        sim_fail(r->sim, SIM_MEMORY, "read %08x wrote behind its buffer",
                 (unsigned)r->handle);
}

void sim_read_poison(struct sim_read *r)
{
    memset(r->memory, SIM_POISON, r->room + SIM_GUARD);
    r->is_poisoned = true;
}

/* -- bytes -- */

/* Whether a checksum covers the byte: the read delivered the whole block, or
 * had to decompress it. */
static bool is_verified(const struct sim_read *r, uint64_t at, uint64_t bytes)
{
    uint64_t size = size_of(r);
    uint64_t first = at - at % PAK_BLOCK_BYTES;
    uint64_t limit =
        size - first < PAK_BLOCK_BYTES ? size : first + PAK_BLOCK_BYTES;

    if (!r->sim->disc->entries[r->subject].is_stored)
        return true;
    return first >= r->offset && limit <= r->offset + bytes;
}

static void validate_entry(const struct sim_read *r, uint64_t bytes)
{
    const struct made_entry *e = &r->sim->disc->entries[r->subject];

    if (memcmp(r->memory, e->data + r->offset, (size_t)bytes) == 0)
        return;
    for (uint64_t i = 0; i < bytes; i++)
        if (r->memory[i] != e->data[r->offset + i] &&
            (r->sim->drive.taint_count == 0 ||
             is_verified(r, r->offset + i, bytes)))
            sim_fail(r->sim, SIM_BYTES, "byte %llu of entry %s differs",
                     (unsigned long long)(r->offset + i), e->name);
}

static void validate_loose(const struct sim_read *r, uint64_t bytes)
{
    uint64_t limit = r->offset + bytes;
    uint64_t at = r->offset;

    for (;;) {
        at += made_disc_differs(r->subject, at, limit - at,
                                r->memory + (at - r->offset));
        if (at == limit)
            return;
        if (sim_drive_taint_end(r->sim, r->subject, at, r->taint_count) == 0)
            break;
        at = sim_drive_taint_end(r->sim, r->subject, at, r->taint_count);
        if (at >= limit)
            return;
    }
    sim_fail(r->sim, SIM_BYTES, "byte %llu of file %u differs",
             (unsigned long long)at, r->subject);
}

static void check_result(const struct sim_read *r,
                         const spn_read_result *result)
{
    struct sim *sim = r->sim;
    uint64_t expected = r->bytes ? r->bytes : size_of(r) - r->offset;

    if (!is_explained(r, result->status))
        sim_fail(sim, SIM_STATUS, "read %08x ends with %s", (unsigned)r->handle,
                 spn_status_name(result->status));
    if (result->status == SPN_ERR_RANGE)
        swarm_hit(&sim->swarm, SWARM_OUT_OF_RANGE);
    if (result->status == SPN_OK && result->bytes != expected)
        sim_fail(sim, SIM_BYTES, "read %08x brings %llu bytes",
                 (unsigned)r->handle, (unsigned long long)result->bytes);
    if (result->bytes == 0)
        return;
    SIM_MUST(sim, SIM_BYTES, result->bytes <= expected);
    SIM_MUST(sim, SIM_BYTES, !r->has_storage || r->is_given);
    if (r->is_entry)
        validate_entry(r, result->bytes);
    else
        validate_loose(r, result->bytes);
}

/* -- callbacks -- */

static void do_inside(struct sim *sim, bool may_start)
{
    if (swarm_draws(&sim->swarm, SWARM_ABORT_INSIDE) &&
        sim_reads_abort_one(sim))
        swarm_hit(&sim->swarm, SWARM_ABORT_INSIDE);
    if (may_start && swarm_draws(&sim->swarm, SWARM_START_INSIDE) &&
        sim_reads_start_one(sim))
        swarm_hit(&sim->swarm, SWARM_START_INSIDE);
}

spn_status sim_read_on_storage(const spn_read_want *want, void **buffer)
{
    static const spn_status errors[] = {SPN_NO_MEMORY_NOW, SPN_NO_MEMORY_NOW,
                                        SPN_NO_MEMORY_NOW, SPN_ERR_STATE,
                                        SPN_ERR_MEMORY};
    struct sim_read *r = want->user;
    struct sim *sim = r->sim;

    SIM_MUST(sim, SIM_ONCE, r->is_started && !r->is_given);
    SIM_MUST(sim, SIM_STATUS, want->bytes > 0);
    if (r->handle)
        SIM_MUST(sim, SIM_STATUS, want->read == r->handle);
    do_inside(sim, true);
    if (want->bytes > r->room) {
        r->storage_status = SPN_ERR_STATE;
        return SPN_ERR_STATE;
    }
    if (swarm_occurs(&sim->swarm, SWARM_STORAGE_REFUSAL)) {
        spn_status status = errors[swarm_below(&sim->swarm, 5)];

        if (status < 0)
            r->storage_status = status;
        return status;
    }
    r->is_given = true;
    *buffer = r->memory;
    return SPN_OK;
}

void sim_read_on_async(const spn_read_result *result)
{
    struct sim_read *r = result->user;
    struct sim *sim = r->sim;

    SIM_MUST(sim, SIM_ONCE, r->is_started && r->has_async);
    SIM_MUST(sim, SIM_ONCE, ++r->async_count == 1);
    SIM_MUST(sim, SIM_ONCE, r->done_count == 0);
    do_inside(sim, true);
}

static void finish(struct sim_read *r)
{
    struct sim *sim = r->sim;

    SIM_MUST(sim, SIM_ONCE, r->async_count == r->has_async);
    if (sim->options.canary == CANARY_BEHIND)
        r->memory[r->buffer_bytes +
                  swarm_below(&sim->swarm,
                              r->room + SIM_GUARD - r->buffer_bytes)] ^= 1;
    sim_read_check_memory(r);
    r->is_started = false;
    sim->reads.completed++;
    sim_read_poison(r);
    if (sim->options.canary == CANARY_LATE_WRITE)
        r->memory[swarm_below(&sim->swarm, r->room)] ^= 1;
}

/* Copy the content of a block, to check it like other reads, and release the
 * block. */
static void empty_block(struct sim_read *r, const spn_read_result *result)
{
    struct sim *sim = r->sim;
    spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
    uint32_t count;
    uint64_t at = 0;

    SIM_MUST(sim, SIM_STATUS, (result->block != 0) == (result->bytes > 0));
    if (!result->block)
        return;
    SIM_MUST(sim, SIM_STATUS, r->has_block && result->status == SPN_OK);
    count = spn_block_get_extents(sim->rt, result->block, extents,
                                  SPN_BLOCK_EXTENTS_MAX);
    SIM_MUST(sim, SIM_BYTES, result->bytes <= r->room);
    for (uint32_t i = 0; i < count; i++) {
        SIM_MUST(sim, SIM_BYTES, extents[i].bytes <= result->bytes - at);
        memcpy(r->memory + at, extents[i].data, extents[i].bytes);
        at += extents[i].bytes;
    }
    SIM_MUST(sim, SIM_BYTES, at == result->bytes);
    SIM_MUST(sim, SIM_STATUS, spn_block_free(sim->rt, result->block) == SPN_OK);
}

static void end_done(struct sim_read *r, const spn_read_result *result)
{
    struct sim *sim = r->sim;

    SIM_MUST(sim, SIM_ONCE, r->is_started && r->has_done);
    SIM_MUST(sim, SIM_ONCE, ++r->done_count == 1);
    SIM_MUST(sim, SIM_ONCE, r->handle == 0 || result->read == r->handle);
    r->handle = result->read;
    sim_note(sim, "done", result->read, result->bytes, result->status);
    if (r->has_block)
        empty_block(r, result);
    check_result(r, result);
    finish(r);
}

void sim_read_on_done(const spn_read_result *result)
{
    struct sim_read *r = result->user;
    struct sim *sim = r->sim;
    spn_read_result reported = *result;

    /* Planted in the last callback, after which no abort hides it. */
    if (sim->options.canary == CANARY_NEVER && !sim->is_planted &&
        sim->swarm.is_over && !sim->is_shut) {
        sim->is_planted = true;
        return;
    }
    if (sim->options.canary == CANARY_STATUS && !r->is_aborted)
        reported.status = SPN_ERR_ABORTED;
    end_done(r, &reported);
    if (sim->options.canary == CANARY_TWICE)
        end_done(r, &reported);
    do_inside(sim, !sim->is_shut);
}

void sim_read_forget(struct sim_read *r)
{
    sim_note(r->sim, "over", r->handle, 0, 0);
    finish(r);
}
