/* arena.c - a list of blocks that are filled from the front and freed together.
 *
 * Blocks double in size up to a limit, so that many small allocations make few
 * calls. A block that a reset kept has old bytes, so every allocation is
 * zeroed. Allocated memory never moves.
 */
/* SPDX-License-Identifier: MIT */
#include "common/arena.h"

#include "common/diag.h"
#include "common/system.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64u
#define FIRST_BLOCK_BYTES ((size_t)64 << 10)
#define GROW_FIRST 64u /* elements */
#define LARGEST_STEP_BYTES ((size_t)64 << 20)

struct arena_block {
    alignas(ALIGNMENT) struct arena_block *older;
    size_t capacity; /* bytes behind this header */
    size_t used;
};

static _Noreturn void fail(size_t bytes)
{
    fprintf(stderr, "spindle: out of memory: %zu bytes\n", bytes);
    exit(EXIT_INTERNAL);
}

void arena_init(struct arena *arena)
{
    arena->newest = NULL;
    arena->bytes = 0;
}

static void free_list(struct arena_block *block)
{
    while (block) {
        struct arena_block *older = block->older;

        system_aligned_free(block);
        block = older;
    }
}

void arena_free(struct arena *arena)
{
    free_list(arena->newest);
    arena_init(arena);
}

void arena_reset(struct arena *arena)
{
    struct arena_block **largest = &arena->newest;
    struct arena_block *kept;

    arena->bytes = 0;
    if (!arena->newest)
        return;
    for (struct arena_block **at = &arena->newest; *at; at = &(*at)->older)
        if ((*at)->capacity > (*largest)->capacity)
            largest = at;
    kept = *largest;
    *largest = kept->older;
    if (arena->newest)
        free_list(arena->newest);
    kept->older = NULL;
    kept->used = 0;
    arena->newest = kept;
}

static void add_block(struct arena *arena, size_t bytes)
{
    size_t capacity = FIRST_BLOCK_BYTES;
    struct arena_block *block;

    if (arena->newest)
        capacity = arena->newest->capacity * 2;
    if (capacity > LARGEST_STEP_BYTES)
        capacity = LARGEST_STEP_BYTES;
    if (capacity < bytes)
        capacity = bytes;
    block = system_aligned_alloc(ALIGNMENT, sizeof *block + capacity);
    if (!block)
        fail(capacity);
    block->older = arena->newest;
    block->capacity = capacity;
    block->used = 0;
    arena->newest = block;
}

/* Allocate; `alignment` is 1 or ALIGNMENT. Capacities are multiples of
 * ALIGNMENT. */
static void *take(struct arena *arena, size_t bytes, size_t alignment)
{
    struct arena_block *block = arena->newest;
    size_t start = 0;
    uint8_t *memory;

    if (bytes > SIZE_MAX / 4)
        fail(bytes);
    if (block)
        start = (block->used + alignment - 1) & ~(alignment - 1);
    if (!block || bytes > block->capacity - start) {
        add_block(arena, (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));
        block = arena->newest;
        start = 0;
    }
    memory = (uint8_t *)(block + 1) + start;
    memset(memory, 0, bytes);
    block->used = start + bytes;
    arena->bytes += bytes;
    return memory;
}

void *arena_alloc(struct arena *arena, uint64_t count, size_t bytes)
{
    if (bytes != 0 && count > SIZE_MAX / bytes)
        fail(SIZE_MAX);
    return take(arena, (size_t)count * bytes, ALIGNMENT);
}

void *arena_grow(struct arena *arena, void *items, uint64_t count,
                 uint64_t *capacity, size_t bytes)
{
    void *more;

    if (count < *capacity)
        return items;
    *capacity = *capacity ? 2 * *capacity : GROW_FIRST;
    more = arena_alloc(arena, *capacity, bytes);
    if (count > 0)
        memcpy(more, items, (size_t)count * bytes);
    return more;
}

char *arena_string(struct arena *arena, const char *text, size_t length)
{
    char *copy;

    if (length == SIZE_MAX)
        fail(length);
    copy = take(arena, length + 1, 1);
    if (length > 0)
        memcpy(copy, text, length);
    return copy;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    char *text;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return arena_string(arena, "", 0);
    text = take(arena, (size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void *arena_require(void *memory)
{
    if (!memory) {
        fprintf(stderr, "spindle: out of memory\n");
        exit(EXIT_INTERNAL);
    }
    return memory;
}
