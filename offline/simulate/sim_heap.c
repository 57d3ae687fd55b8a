/* sim_heap.c - blocks of the runtime's heap, and snapshots of it.
 *
 * When all columns are used, every other one is dropped and the interval
 * between two columns doubles; snapshots likewise.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_heap.h"

#include "common/system.h"
#include "host/host.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#define STEP_FIRST_US 100000u
#define SNAPSHOT_FIRST_US 500000u
#define SECOND_US 1000000u

/* A read, from its first access until its block is freed. */
struct resident_read {
    bool is_used;
    spn_block block; /* 0: none yet, or none was found */
    uint64_t bytes;
    enum deadline_class class;
    uint64_t taken_us;
    uint64_t due_us; /* when the block is freed; UINT64_MAX: the read has not
                      * ended */
};

struct sim_heap {
    struct arena arena; /* of `reads` and `memory` */
    spn_runtime *rt;
    struct resident_read *reads; /* number - 1 */
    uint32_t read_count;
    uint64_t read_capacity;
    uint32_t *fresh; /* indices of those that have no block yet */
    uint32_t fresh_count;
    uint64_t fresh_capacity;
    uint64_t next_due_us;                      /* no block is freed before */
    spn_extent extents[SPN_BLOCK_EXTENTS_MAX]; /* of one block */
    uint32_t *owner_of_page;                   /* 1 + index in `reads` */
    uint32_t page_count;
    uint8_t *memory; /* of snapshots */
    uint64_t memory_bytes;
    uint64_t step_us;
    uint64_t next_us;
    uint32_t column_count;
    uint64_t snapshot_step_us;
    uint32_t failed;
    uint8_t cells[SIM_HEAP_COLUMNS_MAX][SIM_HEAP_CELLS];
    struct sim_heap_snapshot snapshots[SIM_HEAP_SNAPSHOTS_MAX];
    uint32_t snapshot_count;
};

struct sim_heap *sim_heap_create(spn_runtime *rt)
{
    struct sim_heap *h = arena_require(calloc(1, sizeof *h));

    h->rt = rt;
    h->page_count = rt->heap.page_count;
    h->owner_of_page = ARENA_NEW(&h->arena, uint32_t, h->page_count);
    h->step_us = STEP_FIRST_US;
    h->snapshot_step_us = SNAPSHOT_FIRST_US;
    h->next_due_us = UINT64_MAX;
    return h;
}

void sim_heap_destroy(struct sim_heap *h)
{
    if (!h)
        return;
    for (uint32_t i = 0; i < h->snapshot_count; i++)
        free(h->snapshots[i].extents);
    free(h->memory);
    arena_free(&h->arena);
    free(h);
}

/* -- blocks -- */

uint32_t sim_heap_take(struct sim_heap *h, uint64_t bytes,
                       enum deadline_class class, uint64_t now_us)
{
    uint32_t i = 0;

    while (i < h->read_count && h->reads[i].is_used)
        i++;
    if (i == h->read_count) {
        h->reads = arena_grow(&h->arena, h->reads, h->read_count,
                              &h->read_capacity, sizeof *h->reads);
        h->read_count++;
    }
    h->fresh = arena_grow(&h->arena, h->fresh, h->fresh_count,
                          &h->fresh_capacity, sizeof *h->fresh);
    h->fresh[h->fresh_count++] = i;
    h->reads[i] = (struct resident_read){.is_used = true,
                                         .bytes = bytes,
                                         .class = class,
                                         .taken_us = now_us,
                                         .due_us = UINT64_MAX};
    return i + 1;
}

static uint64_t retention_us(enum deadline_class class)
{
    switch (class) {
    case DEADLINE_SOUND:
        return 1 * SECOND_US;
    case DEADLINE_CLIP:
        return 3 * SECOND_US;
    case DEADLINE_STREAM:
        return 4 * SECOND_US;
    case DEADLINE_BULK:
    case DEADLINE_CLASSES:
        break;
    }
    return 20 * SECOND_US;
}

void sim_heap_release(struct sim_heap *h, uint32_t number, uint64_t now_us)
{
    struct resident_read *read;

    if (number == 0)
        return;
    read = &h->reads[number - 1];
    read->due_us = now_us + retention_us(read->class);
    if (read->due_us < h->next_due_us)
        h->next_due_us = read->due_us;
}

/* Write the owner of each page of a block. */
static void mark_pages(struct sim_heap *h, const struct resident_read *read,
                       uint32_t owner)
{
    const spn_extent *extents = h->extents;
    const uint32_t count = spn_block_get_extents(h->rt, read->block, h->extents,
                                                 SPN_BLOCK_EXTENTS_MAX);
    const uint8_t *arena = h->rt->heap.arena;
    const uint32_t shift = h->rt->heap.page_shift;

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = (uint64_t)((uint8_t *)extents[i].data - arena);
        const uint64_t last = at + extents[i].bytes - 1;

        for (uint64_t page = at >> shift; page <= last >> shift; page++)
            h->owner_of_page[page] = owner;
    }
}

void sim_heap_settle(struct sim_heap *h)
{
    for (uint32_t i = 0; i < h->fresh_count; i++) {
        struct resident_read *read = &h->reads[h->fresh[i]];

        if (spn_block_alloc(h->rt, read->bytes, 0, &read->block) == SPN_OK) {
            mark_pages(h, read, h->fresh[i] + 1);
        } else {
            read->block = 0;
            h->failed++;
        }
    }
    h->fresh_count = 0;
}

static void free_due(struct sim_heap *h, uint64_t now_us)
{
    if (now_us < h->next_due_us)
        return;
    h->next_due_us = UINT64_MAX;
    for (uint32_t i = 0; i < h->read_count; i++) {
        struct resident_read *read = &h->reads[i];

        if (!read->is_used)
            continue;
        if (read->due_us > now_us) {
            if (read->due_us < h->next_due_us)
                h->next_due_us = read->due_us;
            continue;
        }
        if (read->block != 0) {
            mark_pages(h, read, 0);
            (void)!spn_block_free(h->rt, read->block);
        }
        read->is_used = false;
    }
}

/* -- snapshots -- */

static struct sim_heap_extent describe(const struct sim_heap *h,
                                       const spn_debug_extent *e,
                                       uint64_t now_us)
{
    struct sim_heap_extent out = {.page_count = e->page_count};
    const uint32_t owner = h->owner_of_page[e->first_page];

    if (e->kind == SPN_DEBUG_BLOCK && owner != 0) {
        const struct resident_read *read = &h->reads[owner - 1];

        out.owner = 1 + (uint32_t)read->class;
        out.age_ms = (uint32_t)((now_us - read->taken_us) / 1000);
    } else if (e->kind != SPN_DEBUG_FREE) {
        out.owner = SIM_HEAP_STATIC;
    }
    return out;
}

/* The cells of a column: in each the owner with the most pages. */
static void draw(struct sim_heap *h, const struct sim_heap_extent *extents)
{
    uint8_t *cells;
    uint32_t page = 0;
    uint32_t left = extents->page_count;

    if (h->column_count == SIM_HEAP_COLUMNS_MAX) {
        for (uint32_t i = 0; i < SIM_HEAP_COLUMNS_MAX / 2; i++)
            memcpy(h->cells[i], h->cells[(size_t)2 * i], SIM_HEAP_CELLS);
        h->column_count /= 2;
        h->step_us *= 2;
    }
    cells = h->cells[h->column_count++];
    for (uint32_t cell = 0; cell < SIM_HEAP_CELLS; cell++) {
        const uint32_t limit =
            (uint32_t)((uint64_t)(cell + 1) * h->page_count / SIM_HEAP_CELLS);
        uint32_t pages[SIM_HEAP_OWNERS] = {0};
        uint32_t most = 0;

        while (page < limit) {
            const uint32_t part = left < limit - page ? left : limit - page;

            pages[extents->owner] += part;
            page += part;
            left -= part;
            if (left == 0 && page < h->page_count)
                left = (++extents)->page_count;
        }
        for (uint32_t k = 1; k < SIM_HEAP_OWNERS; k++)
            if (pages[k] > pages[most])
                most = k;
        cells[cell] = (uint8_t)most;
    }
}

/* Keep the snapshot of now, if it is time for one. */
static bool keep(struct sim_heap *h, struct sim_heap_extent *extents,
                 uint32_t count, uint64_t now_us)
{
    if (now_us % h->snapshot_step_us != 0)
        return false;
    if (h->snapshot_count == SIM_HEAP_SNAPSHOTS_MAX) {
        for (uint32_t i = 0; i < SIM_HEAP_SNAPSHOTS_MAX; i++)
            if (i % 2 == 0)
                h->snapshots[i / 2] = h->snapshots[i];
            else
                free(h->snapshots[i].extents);
        h->snapshot_count /= 2;
        h->snapshot_step_us *= 2;
        if (now_us % h->snapshot_step_us != 0)
            return false;
    }
    h->snapshots[h->snapshot_count++] = (struct sim_heap_snapshot){
        .at_us = now_us, .extent_count = count, .extents = extents};
    return true;
}

static void take_snapshot(struct sim_heap *h, uint64_t now_us)
{
    const uint64_t bytes = spn_debug_bytes_needed(h->rt);
    struct sim_heap_extent *extents;
    spn_debug debug;

    if (bytes > h->memory_bytes) {
        free(h->memory);
        h->memory_bytes = 2 * bytes;
        h->memory = arena_require(malloc((size_t)h->memory_bytes));
    }
    if (spn_debug_snapshot(h->rt, h->memory, h->memory_bytes, &debug) != SPN_OK)
        return;
    extents = arena_require(calloc(debug.extent_count, sizeof *extents));
    for (uint32_t i = 0; i < debug.extent_count; i++)
        extents[i] = describe(h, &debug.extents[i], now_us);
    draw(h, extents);
    if (!keep(h, extents, debug.extent_count, now_us))
        free(extents);
}

void sim_heap_advance(struct sim_heap *h, uint64_t now_us)
{
    while (h->next_us <= now_us) {
        free_due(h, h->next_us);
        take_snapshot(h, h->next_us);
        /* After columns were dropped, the column of this time may be missing.
         */
        h->next_us = h->column_count * h->step_us;
    }
    free_due(h, now_us);
}

void sim_heap_finish(struct sim_heap *h, struct arena *arena,
                     struct sim_heap_map *out)
{
    const size_t bytes = (size_t)h->column_count * SIM_HEAP_CELLS;
    spn_heap_stats stats;

    memset(out, 0, sizeof *out);
    spn_heap_get_stats(h->rt, &stats);
    out->cells = arena_alloc(arena, bytes, 1);
    memcpy(out->cells, h->cells, bytes);
    out->column_count = h->column_count;
    out->column_us = h->step_us;
    out->bytes = stats.bytes;
    out->page_bytes = h->rt->heap.page_count > 0
                          ? (uint32_t)(stats.bytes / h->page_count)
                          : 0;
    out->used_bytes_peak = (uint64_t)h->rt->heap.stats.used_pages_peak
                           << h->rt->heap.page_shift;
    out->failed = h->failed;
    out->snapshot_count = h->snapshot_count;
    for (uint32_t i = 0; i < h->snapshot_count; i++) {
        const struct sim_heap_snapshot *s = &h->snapshots[i];

        out->snapshots[i] = *s;
        out->snapshots[i].extents =
            ARENA_NEW(arena, struct sim_heap_extent, s->extent_count);
        memcpy(out->snapshots[i].extents, s->extents,
               s->extent_count * sizeof *s->extents);
    }
}
