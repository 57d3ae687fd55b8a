/* fuzz_heap.c - bytes as a script of heap calls, compared with a simple model.
 *
 * The model has one word for each page: the block that owns it. After each call
 * the heap's invariants hold and its counts equal the model's. New blocks lie
 * in free pages. A refusal must be one that heap.h allows. The content of a
 * block is intact when it is freed.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_check.h"
#include "base/heap_view.h"
#include "fuzz/fuzz.h"

#include "base/heap.h"
#include "support/heap_promise.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096u
#define PAGES_MAX 320u
#define RECORDS_MAX 96u
#define STEPS_MAX 400u
#define ROOM ((PAGES_MAX + 2) * PAGE + 64 * 1024)

struct block {
    heap_handle handle;
    uint32_t bytes;
    uint32_t id; /* in the model */
    enum heap_tag tag;
};

struct world {
    struct heap heap;
    uint32_t pages;
    uint32_t owner[PAGES_MAX]; /* 0: free */
    struct block live[RECORDS_MAX];
    uint32_t live_count;
    uint32_t last_id;
    uint64_t live_bytes;
    heap_handle stale; /* the block freed last */
};

/* Allocated once: the content that a script leaves must not affect the next
 * one. */
static uint8_t *room;

static void check_all(const struct world *w)
{
    struct heap_stats stats;
    uint32_t free_pages = 0;

    for (uint32_t i = 0; i < w->pages; i++)
        free_pages += w->owner[i] == 0;
    CHECK(spn__heap_check(&w->heap));
    spn__heap_get_stats(&w->heap, &stats);
    CHECK_EQ_U(stats.free_pages, free_pages);
    CHECK_EQ_U(stats.live_blocks, w->live_count);
    CHECK_EQ_U(stats.live_bytes, w->live_bytes);
    CHECK(stats.largest_span_pages <= free_pages);
}

/* Write or check the block's number in the first and last word of each piece of
 * each page. */
static void mark(const struct world *w, const struct block *b, bool is_new)
{
    struct heap_walk walk;
    uint32_t bytes;
    uint8_t *data;

    spn__heap_walk_begin(&w->heap, b->handle, &walk);
    while ((data = spn__heap_walk_next(&walk, &bytes)) != NULL)
        for (uint32_t at = 0; at < bytes;
             at += at + PAGE < bytes ? PAGE : bytes)
            if (is_new)
                data[at] = (uint8_t)b->id;
            else
                CHECK_EQ_U(data[at], (uint8_t)b->id);
}

/* Check that a new block's extents are whole units in free pages. */
static void enter(struct world *w, const struct block *b, uint32_t unit)
{
    const uint32_t count = spn__heap_extent_count(&w->heap, b->handle);
    uint32_t left = b->bytes;

    CHECK_EQ_U(spn__heap_bytes(&w->heap, b->handle), b->bytes);
    CHECK(count >= 1 && count <= HEAP_EXTENTS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bytes;
        uint8_t *data = spn__heap_extent(&w->heap, b->handle, i, &bytes);
        size_t at;

        CHECK(data >= w->heap.arena);
        at = (size_t)(data - w->heap.arena);
        CHECK(at % PAGE == 0 && bytes > 0 && bytes <= left);
        CHECK(i + 1 == count || bytes % (unit * PAGE) == 0);
        left -= bytes;
        for (size_t page = at / PAGE; page <= (at + bytes - 1) / PAGE; page++) {
            CHECK(page < w->pages);
            CHECK_EQ_U(w->owner[page], 0);
            w->owner[page] = b->id;
        }
    }
    CHECK_EQ_U(left, 0);
    CHECK((spn__heap_data(&w->heap, b->handle) != NULL) == (count == 1));
    w->live_bytes += b->bytes;
    w->live[w->live_count++] = *b;
    mark(w, b, true);
}

static void allocate(struct world *w, struct fuzz_input *in)
{
    const uint32_t small = fuzz_u8(in);
    const uint32_t bytes = small < 224
                               ? (small % 32) * PAGE + (small / 32) * 700
                               : fuzz_u32(in) % (2 * PAGES_MAX * PAGE);
    const uint32_t kind = fuzz_u8(in);
    const uint32_t unit_bytes =
        kind < 200 ? kind % 40 * PAGE - kind / 40 : kind * 0x1010101u;
    struct block b = {.handle = 77, .bytes = bytes, .id = w->last_id + 1};
    uint32_t pages = (bytes + PAGE - 1) / PAGE;
    uint32_t unit = unit_bytes == 0 || kind % 40 == 0 ? 1 : 0;
    struct heap_stats before;
    spn_status status;

    if (unit == 0)
        unit = unit_bytes / PAGE + (unit_bytes % PAGE > 0);
    if (unit > pages)
        unit = pages;
    b.tag = (enum heap_tag)(kind % HEAP_TAG_COUNT);
    spn__heap_get_stats(&w->heap, &before);
    status = spn__heap_alloc(&w->heap, bytes, kind % 40 == 0 ? 0 : unit_bytes,
                             b.tag, &b.handle);
    if (status == SPN_OK) {
        CHECK(w->live_count < RECORDS_MAX);
        w->last_id++;
        enter(w, &b, unit);
        return;
    }
    CHECK_EQ(status, bytes == 0 ? SPN_ERR_ARG : SPN_NO_MEMORY_NOW);
    CHECK_EQ_U(b.handle, 77);
    CHECK(bytes == 0 || !promise_covers(&before, pages, unit));
}

static void release(struct world *w, uint32_t index)
{
    struct block *b;

    if (w->live_count == 0)
        return;
    b = &w->live[index % w->live_count];
    mark(w, b, false);
    CHECK(spn__heap_free(&w->heap, b->handle));
    CHECK(!spn__heap_is_live(&w->heap, b->handle));
    for (uint32_t i = 0; i < w->pages; i++)
        if (w->owner[i] == b->id)
            w->owner[i] = 0;
    w->live_bytes -= b->bytes;
    w->stale = b->handle;
    *b = w->live[--w->live_count];
}

/* A view must equal the result of walking, or be empty when it exceeds the
 * block. */
static void look(struct world *w, struct fuzz_input *in)
{
    uint8_t bounce[3 * PAGE];
    const uint32_t index = fuzz_u8(in);
    const uint32_t offset = fuzz_u16(in) * 7u;
    const uint32_t bytes = fuzz_u16(in) % (sizeof bounce + 1);
    const struct block *b;
    const uint8_t *view;
    bool is_inside;

    if (w->live_count == 0)
        return;
    b = &w->live[index % w->live_count];
    is_inside = bytes > 0 && offset <= b->bytes && bytes <= b->bytes - offset;
    view = spn__heap_view(&w->heap, b->handle, offset, bytes, bounce);
    CHECK((view != NULL) == is_inside);
    if (is_inside && offset % PAGE == 0)
        CHECK_EQ_U(view[0], (uint8_t)b->id);
}

/* Invalid handles must not change anything. */
static void misuse(struct world *w, heap_handle handle)
{
    struct heap_walk walk;
    uint32_t bytes;

    for (uint32_t i = 0; i < w->live_count; i++)
        if (w->live[i].handle == handle)
            return;
    CHECK(!spn__heap_is_live(&w->heap, handle));
    CHECK(!spn__heap_free(&w->heap, handle));
    CHECK_EQ_U(spn__heap_bytes(&w->heap, handle), 0);
    CHECK_EQ_U(spn__heap_extent_count(&w->heap, handle), 0);
    CHECK(spn__heap_extent(&w->heap, handle, 0, &bytes) == NULL && bytes == 0);
    CHECK(spn__heap_data(&w->heap, handle) == NULL);
    spn__heap_walk_begin(&w->heap, handle, &walk);
    CHECK(spn__heap_walk_next(&walk, &bytes) == NULL && bytes == 0);
}

static void map(const struct world *w, uint32_t cells)
{
    uint8_t cell[512];
    uint32_t used = 0;

    spn__heap_map(&w->heap, cell, cells);
    for (uint32_t i = 0; i < cells; i++) {
        CHECK(cell[i] <= HEAP_TAG_COUNT);
        used += cell[i] > 0;
    }
    CHECK(used == 0 || w->live_count > 0);
}

static void step(struct world *w, struct fuzz_input *in)
{
    const uint8_t what = fuzz_u8(in);

    switch (what % 8) {
    case 0:
    case 1:
    case 2:
        allocate(w, in);
        break;
    case 3:
    case 4:
        release(w, what / 8);
        break;
    case 5:
        look(w, in);
        break;
    case 6:
        misuse(w, what & 8 ? w->stale : fuzz_u32(in));
        break;
    default:
        map(w, fuzz_u16(in) % 512);
        break;
    }
    check_all(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world w;
    uint8_t *copy = fuzz_copy(data, size);
    struct fuzz_input in = {copy, size};
    struct carve carve = {.limit = SIZE_MAX};
    uint32_t records;

    if (!room)
        room = aligned_alloc(PAGE, ROOM / PAGE * PAGE);
    memset(&w, 0, sizeof w);
    w.pages = 1 + fuzz_u16(&in) % PAGES_MAX;
    records = 1 + fuzz_u8(&in) % RECORDS_MAX;
    carve = (struct carve){.base = room, .limit = ROOM / PAGE * PAGE};
    spn__heap_init(&w.heap, &carve, w.pages, 12, records);
    CHECK(!carve.is_over);
    for (uint32_t i = 0; i < STEPS_MAX && in.left > 0; i++)
        step(&w, &in);
    while (w.live_count > 0)
        release(&w, 0);
    check_all(&w);
    CHECK_EQ_U(spn__heap_free_pages(&w.heap), w.pages);
    free(copy);
    return 0;
}
