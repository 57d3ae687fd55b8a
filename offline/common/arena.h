/* arena.h - memory for lifetimes that nest: a run, a mesh, a frame.
 *
 * Blocks are released all at once. Allocation never returns NULL: when the
 * machine has no memory left, one line is printed and the process ends with
 * EXIT_INTERNAL; so counts from a file are judged against the file's size
 * before anything is allocated for them. Memory comes zeroed and aligned to
 * 64 bytes. One thread at a time per arena.
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

/* Forget everything but keep one block for reuse: a frame's arena. */
void arena_reset(struct arena *arena);

/* `count` elements of `bytes` each; the product is checked. 0 is legal. */
void *arena_alloc(struct arena *arena, uint64_t count, size_t bytes);
#define ARENA_NEW(arena, type, count)                                          \
    ((type *)arena_alloc((arena), (count), sizeof(type)))

char *arena_string(struct arena *arena, const char *text, size_t length);
__attribute__((format(printf, 2, 3))) char *arena_format(struct arena *arena,
                                                         const char *format,
                                                         ...);

#endif
