/* sim_heap.c - a heap whose blocks are released after a time, sampled in
 * columns.
 *
 * When all columns are used, every other one is dropped and the interval
 * between two columns doubles.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_heap.h"

#include "base/heap.h"
#include "base/heap_check.h"
#include "common/system.h"
#include "host/host.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_SHIFT 13u
#define STEP_FIRST_US 100000u
#define SECOND_US 1000000u

struct going {
    uint64_t at_us;
    heap_handle block;
};

struct sim_heap {
    struct arena arena; /* of `going` */
    struct heap heap;
    void *memory;
    struct going *going;
    uint32_t going_count;
    uint64_t going_capacity;
    uint64_t step_us;
    uint64_t next_us;
    uint32_t column_count;
    uint32_t failed;
    uint8_t cells[SIM_HEAP_COLUMNS_MAX][SIM_HEAP_CELLS];
};

struct sim_heap *sim_heap_create(uint32_t mib)
{
    struct sim_heap *h = arena_require(calloc(1, sizeof *h));
    struct carve carve = {.limit = SIZE_MAX};
    uint32_t pages = mib << (20 - PAGE_SHIFT);

    if (pages > HEAP_PAGES_MAX)
        pages = HEAP_PAGES_MAX;
    spn__heap_init(&h->heap, &carve, pages, PAGE_SHIFT, pages);
    carve.limit = (carve.used + 65535) / 65536 * 65536;
    carve.used = 0;
    h->memory = arena_require(system_aligned_alloc(65536, carve.limit));
    carve.base = h->memory;
    spn__heap_init(&h->heap, &carve, pages, PAGE_SHIFT, pages);
    h->step_us = STEP_FIRST_US;
    return h;
}

void sim_heap_destroy(struct sim_heap *h)
{
    if (!h)
        return;
    system_aligned_free(h->memory);
    arena_free(&h->arena);
    free(h);
}

/* The heap has four purposes; the model uses one for each class. */
uint32_t sim_heap_take(struct sim_heap *h, uint64_t bytes,
                       enum deadline_class class)
{
    heap_handle block = 0;

    if (bytes > UINT32_MAX ||
        spn__heap_alloc(&h->heap, (uint32_t)bytes, 0, (enum heap_tag) class,
                        &block) != SPN_OK)
        h->failed++;
    return block;
}

static uint64_t kept_us(enum deadline_class class)
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

void sim_heap_release(struct sim_heap *h, uint32_t block,
                      enum deadline_class class, uint64_t now_us)
{
    if (block == 0)
        return;
    h->going = arena_grow(&h->arena, h->going, h->going_count,
                          &h->going_capacity, sizeof *h->going);
    h->going[h->going_count++] =
        (struct going){.at_us = now_us + kept_us(class), .block = block};
}

static void release_due(struct sim_heap *h, uint64_t now_us)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < h->going_count; i++) {
        if (h->going[i].at_us <= now_us)
            spn__heap_free(&h->heap, h->going[i].block);
        else
            h->going[kept++] = h->going[i];
    }
    h->going_count = kept;
}

static void draw(struct sim_heap *h)
{
    if (h->column_count == SIM_HEAP_COLUMNS_MAX) {
        for (uint32_t i = 0; i < SIM_HEAP_COLUMNS_MAX / 2; i++)
            memcpy(h->cells[i], h->cells[(size_t)2 * i], SIM_HEAP_CELLS);
        h->column_count /= 2;
        h->step_us *= 2;
    }
    spn__heap_map(&h->heap, h->cells[h->column_count++], SIM_HEAP_CELLS);
}

void sim_heap_advance(struct sim_heap *h, uint64_t now_us)
{
    while (h->next_us <= now_us) {
        release_due(h, h->next_us);
        draw(h);
        /* After columns were dropped, the column of this time may be missing.
         */
        h->next_us = h->column_count * h->step_us;
    }
    release_due(h, now_us);
}

void sim_heap_finish(struct sim_heap *h, struct arena *arena,
                     struct sim_heap_map *out)
{
    size_t bytes = (size_t)h->column_count * SIM_HEAP_CELLS;

    memset(out, 0, sizeof *out);
    out->cells = arena_alloc(arena, bytes, 1);
    memcpy(out->cells, h->cells, bytes);
    out->column_count = h->column_count;
    out->column_us = h->step_us;
    out->bytes = (uint64_t)h->heap.page_count << PAGE_SHIFT;
    out->used_bytes_peak = (uint64_t)h->heap.stats.used_pages_peak
                           << PAGE_SHIFT;
    out->failed = h->failed;
}
