/* arena.h - allocate memory that is released all at once.
 *
 * An arena has one lifetime: a run, a mesh, a frame. Memory is zeroed and
 * aligned to 64 bytes. Allocation never returns NULL: when memory runs out, a
 * message is printed and the process ends with EXIT_INTERNAL. So callers check
 * counts from a file against the file's size before they allocate for them. One
 * thread at a time per arena.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_ARENA_H
#define OFFLINE_COMMON_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_block;
struct arena {
    struct arena_block *newest;
    size_t bytes; /* handed out since the last reset */
};

void arena_init(struct arena *arena);
void arena_free(struct arena *arena);

/* Release everything, but keep one block for reuse. */
void arena_reset(struct arena *arena);

/* Allocate `count` elements of `bytes` each; overflow of the product is
 * checked. 0 is legal. */
void *arena_alloc(struct arena *arena, uint64_t count, size_t bytes);
#define ARENA_NEW(arena, type, count)                                          \
    ((type *)arena_alloc((arena), (count), sizeof(type)))

/* Make room for one more element in an array of the arena. `items` has `count`
 * elements of `bytes` each, and room for *capacity; at first they are NULL and
 * 0. Returns `items`, or a larger copy; *capacity becomes its room. */
void *arena_grow(struct arena *arena, void *items, uint64_t count,
                 uint64_t *capacity, size_t bytes);

/* Copy `length` bytes of text and add a zero byte. */
char *arena_string(struct arena *arena, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) char *arena_format(struct arena *arena,
                                                         const char *format,
                                                         ...);

/* Returns `memory`, which comes from an allocator. NULL: ends the process, as
 * arena_alloc does. */
void *arena_require(void *memory);

#endif
