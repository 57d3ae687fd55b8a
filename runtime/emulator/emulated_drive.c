/* emulated_drive.c - reads on the model of a drive, with faults.
 *
 * All faults are known in advance, so a read is computed completely when it is
 * submitted. It is charged to a copy of the drive first. If an interval fault
 * begins before the read would end, the drive passes through the interval and
 * the read is charged again from its end. Every repetition passes one interval,
 * so there are at most fault_count + 1 repetitions.
 */
/* SPDX-License-Identifier: MIT */
#include "emulator/emulated_drive.h"

#include "base/assert.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/text.h"
#include "disc/drive_disc.h"

#define NM_PER_UM 1000u

SPN_STATIC_ASSERT(sizeof(spn_emulator_stats) % 4 == 0, stats_are_words);

/* Result of charging the read once. */
struct trial {
    struct drive drive;
    struct drive_cost cost;
    uint64_t start_us;
    uint64_t end_us;
    uint64_t bytes; /* bytes that are read; if the read fails, they end with the
                     * first byte of the bad block */
    uint32_t unreadable; /* index of the fault that ends the read; fault_count:
                          * none */
    uint64_t retries;
    uint64_t retry_us;
};

struct span {
    const spn_emulator_fault *fault; /* NULL: none */
    uint64_t begin_us;
    uint64_t end_us;
};

/* ECC blocks that are both in a read and in the range of a fault. */
struct blocks {
    uint64_t offset; /* of the first block */
    uint64_t count;
};

/* Set the range of a fault.
 *
 * bytes  0: up to `last`
 * last   last possible byte of the range */
static void set_range(struct emulated_fault_state *state, uint64_t first,
                      uint64_t bytes, uint64_t last)
{
    state->first = first;
    state->last =
        bytes ? min_u64(add_saturated_u64(first, bytes - 1), last) : last;
}

void spn__emulated_drive_init(struct emulated_drive *d,
                              const spn_emulator_config *config, uint32_t index,
                              struct emulated_fault_state *states,
                              uint64_t now_us)
{
    memset(d, 0, sizeof *d);
    d->profile = *config->drives[index].profile;
    d->faults = config->faults;
    d->fault_count = config->fault_count;
    d->index = index;
    d->origin_us = now_us;
    d->states = states;
    for (uint32_t i = 0; i < config->fault_count; i++) {
        const spn_emulator_fault *f = &config->faults[i];

        states[i] = (struct emulated_fault_state){.first = 1};
        if (!f->file)
            set_range(&states[i], f->offset, f->bytes, UINT64_MAX);
    }
    spn__drive_init(&d->drive, &d->profile);
    if (!config->drives[index].is_stopped)
        spn__drive_insert(&d->drive, now_us);
    d->published.words = d->words;
    d->published.count = EMULATED_DRIVE_STATS_WORDS;
}

void spn__emulated_drive_place(struct emulated_drive *d, const char *path,
                               uint64_t offset, uint64_t bytes)
{
    for (uint32_t i = 0; i < d->fault_count; i++) {
        const spn_emulator_fault *f = &d->faults[i];
        struct emulated_fault_state *state = &d->states[i];

        if (f->drive == d->index && f->file && state->first > state->last &&
            f->offset < bytes && spn__text_is_same(f->file, path))
            set_range(state, offset + f->offset, f->bytes,
                      offset + (bytes - 1));
    }
}

/* -- faults in intervals of time -- */

static struct span span_of(const struct emulated_drive *d,
                           const spn_emulator_fault *f)
{
    uint64_t begin_us = add_saturated_u64(d->origin_us, f->begin_us);
    struct span span = {f, begin_us, UINT64_MAX};

    if (f->length_us != 0)
        span.end_us = add_saturated_u64(begin_us, f->length_us);
    return span;
}

static bool is_span(const spn_emulator_fault *f)
{
    return f->kind == SPN_EMULATOR_STALL || f->kind == SPN_EMULATOR_TRAY_OPEN ||
           f->kind == SPN_EMULATOR_DISC_SWAPPED;
}

/* The first interval that overlaps [from_us, to_us). */
static struct span find_span(const struct emulated_drive *d, uint64_t from_us,
                             uint64_t to_us)
{
    struct span found = {NULL, 0, 0};

    for (uint32_t i = 0; i < d->fault_count; i++) {
        struct span span = span_of(d, &d->faults[i]);

        if (span.fault->drive != d->index || !is_span(span.fault) ||
            span.begin_us >= to_us || span.end_us <= from_us)
            continue;
        if (!found.fault || span.begin_us < found.begin_us)
            found = span;
    }
    return found;
}

/* When an interval ends a read that would begin at `start_us` with an error;
 * UINT64_MAX: it does not. */
static uint64_t failing_us(const struct emulated_drive *d,
                           const struct span *span, uint64_t start_us)
{
    uint64_t us = max_u64(start_us, span->begin_us);

    if (span->fault->kind == SPN_EMULATOR_STALL)
        return UINT64_MAX;
    if (span->fault->kind == SPN_EMULATOR_TRAY_OPEN && !span->fault->is_failing)
        return UINT64_MAX;
    if (span->fault->kind == SPN_EMULATOR_DISC_SWAPPED)
        us = max_u64(us,
                     add_saturated_u64(span->begin_us, d->profile.spin_up_us));
    us = add_saturated_u64(us, d->profile.command_us);
    return us < span->end_us ? us : UINT64_MAX;
}

static void pass(struct emulated_drive *d, const struct span *span)
{
    if (span->fault->kind == SPN_EMULATOR_STALL)
        spn__drive_hold(&d->drive, span->begin_us, span->end_us);
    else
        spn__drive_insert(
            &d->drive, add_saturated_u64(span->end_us, d->profile.spin_up_us));
}

/* -- bad blocks -- */

static bool is_bad_at(const struct emulated_drive *d, uint32_t index,
                      spn_emulator_fault_kind kind, uint64_t now_us)
{
    struct span span = span_of(d, &d->faults[index]);

    return span.fault->kind == kind && span.fault->drive == d->index &&
           now_us >= span.begin_us && now_us < span.end_us &&
           (span.fault->times == 0 ||
            d->states[index].hits < span.fault->times);
}

static struct blocks find_blocks(const struct emulated_drive *d,
                                 const struct emulated_fault_state *state,
                                 uint64_t offset, uint64_t bytes)
{
    uint64_t ecc = d->profile.ecc_bytes;
    uint64_t first = max_u64(offset, state->first) / ecc;
    uint64_t last = min_u64(offset + (bytes - 1), state->last) / ecc;
    struct blocks blocks = {first * ecc, 0};

    if (state->first <= state->last && first <= last)
        blocks.count = last - first + 1;
    return blocks;
}

/* End the read at its first unreadable block. */
static void cut_at_unreadable(const struct emulated_drive *d, uint64_t offset,
                              struct trial *t)
{
    t->unreadable = d->fault_count;
    for (uint32_t i = 0; i < d->fault_count; i++) {
        struct blocks blocks;

        if (!is_bad_at(d, i, SPN_EMULATOR_UNREADABLE, t->start_us))
            continue;
        blocks = find_blocks(d, &d->states[i], offset, t->bytes);
        if (blocks.count == 0)
            continue;
        /* The first byte is enough to charge the whole block. */
        blocks.offset = max_u64(blocks.offset, offset);
        if (t->unreadable != d->fault_count &&
            blocks.offset - offset + 1 == t->bytes)
            continue;
        t->bytes = blocks.offset - offset + 1;
        t->unreadable = i;
    }
}

static void retry(struct trial *t, const struct blocks *blocks,
                  uint32_t retries)
{
    uint64_t count = min_u64(blocks->count, UINT32_MAX) * retries;
    uint32_t us;

    count = min_u64(count, UINT32_MAX);
    us = spn__drive_retry(&t->drive, blocks->offset, (uint32_t)count);
    t->retries += count;
    t->retry_us += us;
    t->end_us = add_saturated_u64(t->end_us, us);
}

static void retry_bad_blocks(const struct emulated_drive *d, uint64_t offset,
                             struct trial *t)
{
    for (uint32_t i = 0; i < d->fault_count; i++) {
        struct blocks blocks;

        if (!is_bad_at(d, i, SPN_EMULATOR_BAD_SECTORS, t->start_us))
            continue;
        blocks = find_blocks(d, &d->states[i], offset, t->bytes);
        retry(t, &blocks, d->faults[i].retries);
    }
    if (t->unreadable != d->fault_count) {
        struct blocks last = {offset + (t->bytes - 1), 1};

        retry(t, &last, d->faults[t->unreadable].retries);
    }
}

/* -- one read -- */

/* Charge the read to a copy of the drive, without faults in intervals. */
static void try_read(const struct emulated_drive *d, uint64_t offset,
                     uint64_t bytes, uint64_t now_us, struct trial *t)
{
    spn_status status;

    memset(t, 0, sizeof *t);
    t->drive = d->drive;
    t->start_us = max_u64(now_us, d->drive.end_us);
    t->bytes = bytes;
    cut_at_unreadable(d, offset, t);
    status = spn__drive_read(&t->drive, offset, t->bytes, now_us, &t->cost,
                             &t->end_us);
    SPN_ASSERT(status == SPN_OK);
    (void)status;
    retry_bad_blocks(d, offset, t);
}

/* Count a hit of each fault that has affected the read. */
static void count_hits(struct emulated_drive *d, uint64_t offset,
                       const struct trial *t)
{
    for (uint32_t i = 0; i < d->fault_count; i++) {
        bool is_hit = i == t->unreadable;

        if (is_bad_at(d, i, SPN_EMULATOR_BAD_SECTORS, t->start_us))
            is_hit = find_blocks(d, &d->states[i], offset, t->bytes).count > 0;
        if (is_hit && d->states[i].hits < UINT32_MAX)
            d->states[i].hits++;
    }
}

static uint32_t travel_um(const struct emulated_drive *d, uint64_t offset)
{
    uint32_t from_nm = spn__drive_radius_nm(&d->profile, d->drive.head);
    uint32_t to_nm = spn__drive_radius_nm(&d->profile, offset);
    uint32_t nm = from_nm < to_nm ? to_nm - from_nm : from_nm - to_nm;

    return (nm + NM_PER_UM / 2) / NM_PER_UM;
}

/* Add the read to the statistics. `d->drive` is still as before the read. */
static void count_cost(struct emulated_drive *d, uint64_t offset,
                       const struct trial *t)
{
    spn_emulator_stats *s = &d->stats;
    const struct drive_cost *c = &t->cost;

    /* The first byte of an unreadable block was charged, but not delivered. */
    s->bytes += t->bytes - (t->unreadable != d->fault_count);
    s->buffer_hits += c->is_buffered;
    s->retries += t->retries;
    s->busy_us += spn__drive_cost_us(c) + t->retry_us;
    s->command_us += c->command_us;
    s->seek_us += c->seek_us;
    s->rotate_us += c->rotate_us;
    s->gap_us += c->gap_us;
    s->transfer_us += c->transfer_us;
    s->retry_us += t->retry_us;
    s->spin_us += c->spin_us;
    if (c->seek_us > 0) {
        s->seeks++;
        s->travel_um += travel_um(d, offset);
    }
}

static void commit(struct emulated_drive *d, uint64_t offset,
                   const struct trial *t)
{
    if (t->end_us != UINT64_MAX) {
        count_cost(d, offset, t);
        count_hits(d, offset, t);
    }
    d->drive = t->drive;
}

/* Serve a read; returns when it ends. */
static uint64_t serve(struct emulated_drive *d, uint64_t offset, uint64_t bytes,
                      uint64_t now_us, spn_status *status)
{
    uint64_t from_us = d->drive.end_us;

    for (;;) {
        struct trial t;
        struct span span;
        uint64_t failed_us;

        try_read(d, offset, bytes, now_us, &t);
        span = find_span(d, from_us, t.end_us);
        if (!span.fault) {
            *status = t.unreadable == d->fault_count ? SPN_OK : SPN_ERR_IO;
            commit(d, offset, &t);
            return t.end_us;
        }
        failed_us = failing_us(d, &span, t.start_us);
        if (failed_us != UINT64_MAX) {
            spn__drive_stop(&d->drive);
            spn__drive_hold(&d->drive, failed_us, failed_us);
            *status = SPN_ERR_IO;
            return failed_us;
        }
        pass(d, &span);
        from_us = span.end_us;
    }
}

static void remember(struct emulated_drive *d, uint64_t begin_us)
{
    d->drive_before = d->drive;
    d->stats_before = d->stats;
    d->begin_us = begin_us;
    for (uint32_t i = 0; i < d->fault_count; i++)
        if (d->faults[i].drive == d->index)
            d->states[i].hits_before = d->states[i].hits;
}

spn_status spn__emulated_drive_read(struct emulated_drive *d, uint64_t offset,
                                    uint64_t bytes, uint64_t now_us,
                                    uint64_t *due_us)
{
    spn_emulator_stats *s = &d->stats;
    uint64_t busy_before_us = s->busy_us;
    spn_status status = SPN_OK;
    uint64_t arrived_us;

    now_us = max_u64(now_us, d->drive.now_us);
    arrived_us = max_u64(now_us, d->drive.end_us);
    *due_us = arrived_us;
    remember(d, arrived_us);
    if (bytes > 0)
        *due_us = serve(d, offset, bytes, now_us, &status);
    s->reads++;
    s->failed += status != SPN_OK;
    if (*due_us != UINT64_MAX)
        s->wait_us += *due_us - arrived_us - (s->busy_us - busy_before_us);
    spn__snapshot_write(&d->published, s);
    return status;
}

void spn__emulated_drive_withdraw(struct emulated_drive *d, uint64_t now_us)
{
    if (now_us >= d->begin_us)
        return;
    d->begin_us = 0;
    d->drive = d->drive_before;
    d->stats = d->stats_before;
    for (uint32_t i = 0; i < d->fault_count; i++)
        if (d->faults[i].drive == d->index)
            d->states[i].hits = d->states[i].hits_before;
    spn__snapshot_write(&d->published, &d->stats);
}

void spn__emulated_drive_note_late(struct emulated_drive *d, uint64_t late_us)
{
    spn_emulator_stats *s = &d->stats;

    if (late_us <= s->latest_us && late_us <= SPN_EMULATOR_LATE_US)
        return;
    s->taken_late += late_us > SPN_EMULATOR_LATE_US;
    s->latest_us = max_u64(late_us, s->latest_us);
    spn__snapshot_write(&d->published, s);
}

static bool is_fault_good(const struct emulated_drive *d, uint32_t index)
{
    const struct emulated_fault_state *state = &d->states[index];
    uint64_t disc = spn__drive_disc_bytes(&d->profile);

    if (d->faults[index].drive != d->index)
        return true;
    return state->hits_before <= state->hits &&
           (state->first > state->last || state->first < disc) &&
           (d->faults[index].times == 0 ||
            state->hits <= d->faults[index].times);
}

bool spn__emulated_drive_check(const struct emulated_drive *d)
{
    spn_emulator_stats published;

    for (uint32_t i = 0; i < d->fault_count; i++)
        if (!is_fault_good(d, i))
            return false;
    spn__snapshot_read(&d->published, &published);
    return spn__drive_check(&d->drive) && d->stats.failed <= d->stats.reads &&
           memcmp(&published, &d->stats, sizeof published) == 0;
}

/* -- any thread -- */

void spn__emulated_drive_get_stats(const struct emulated_drive *d,
                                   spn_emulator_stats *out)
{
    spn__snapshot_read(&d->published, out);
}

spn_emulator_disc spn__emulated_drive_disc_state(const struct emulated_drive *d,
                                                 uint64_t now_us)
{
    for (uint32_t i = 0; i < d->fault_count; i++) {
        struct span span = span_of(d, &d->faults[i]);

        if (span.fault->drive != d->index || now_us < span.begin_us ||
            now_us >= span.end_us)
            continue;
        if (span.fault->kind == SPN_EMULATOR_TRAY_OPEN)
            return SPN_EMULATOR_DISC_OUT;
        if (span.fault->kind == SPN_EMULATOR_DISC_SWAPPED)
            return SPN_EMULATOR_DISC_OTHER;
    }
    return SPN_EMULATOR_DISC_IN;
}
