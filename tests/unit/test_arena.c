/* test_arena.c
 *
 * Goal: memory from an arena is zeroed, aligned and never overlaps.
 * Method: many sizes, checked by patterns, before and after resets.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "common/arena.h"
#include "common/diag.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_zero(const uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != 0)
            return false;
    return true;
}

static void memory_is_zeroed_aligned_and_apart(void)
{
    enum { COUNT = 200 };
    struct test_random random = {1};
    uint8_t *memory[COUNT];
    size_t bytes[COUNT];
    struct arena arena;

    arena_init(&arena);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++) {
            bytes[i] = test_random_below(&random, 5000);
            memory[i] = arena_alloc(&arena, bytes[i], 1);
            CHECK_EQ((uintptr_t)memory[i] % 64, 0);
            CHECK(is_zero(memory[i], bytes[i]));
            memset(memory[i], i + 1, bytes[i]);
        }
        for (int i = 0; i < COUNT; i++)
            for (size_t k = 0; k < bytes[i]; k++)
                CHECK_EQ(memory[i][k], (i + 1) & 255);
        arena_reset(&arena);
        CHECK_EQ_U(arena.bytes, 0);
    }
    arena_free(&arena);
}

static void reset_keeps_one_block(void)
{
    struct arena arena;
    void *first;

    arena_init(&arena);
    arena_reset(&arena);
    arena_alloc(&arena, 1, 1);
    arena_alloc(&arena, 1, 1 << 20);
    arena_alloc(&arena, 1, 10);
    arena_reset(&arena);
    first = arena_alloc(&arena, 1, 1 << 20);
    arena_reset(&arena);
    CHECK(arena_alloc(&arena, 1, 1 << 20) == first);
    arena_free(&arena);
    arena_free(&arena);
}

static void zero_bytes_are_legal(void)
{
    struct arena arena;

    arena_init(&arena);
    CHECK(arena_alloc(&arena, 0, 8) != NULL);
    CHECK(arena_alloc(&arena, 8, 0) != NULL);
    CHECK_STR(arena_string(&arena, NULL, 0), "");
    arena_free(&arena);
}

static void strings_are_terminated(void)
{
    struct arena arena;
    char *first;
    char *second;

    arena_init(&arena);
    first = arena_string(&arena, "abcdef", 3);
    second = arena_format(&arena, "%s-%d", first, 12);
    CHECK_STR(first, "abc");
    CHECK_STR(second, "abc-12");
    CHECK_EQ((uintptr_t)arena_alloc(&arena, 1, 8) % 64, 0);
    arena_free(&arena);
}

/* The exit status of a process that allocates so many bytes. */
static int exit_code_of(uint64_t count, size_t bytes)
{
    struct arena arena;
    pid_t child = fork();
    int status = 0;

    CHECK(child >= 0);
    if (child == 0) {
        (void)!freopen("/dev/null", "w", stderr);
        arena_init(&arena);
        (void)arena_alloc(&arena, count, bytes);
        _exit(EXIT_DONE);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* With 32-bit addresses 2^32 + 1 would become 1. */
static void exhaustion_ends_the_program(void)
{
    CHECK_EQ(exit_code_of(1, 1), EXIT_DONE);
    CHECK_EQ(exit_code_of(((uint64_t)1 << 32) + 1, SIZE_MAX / 4),
             EXIT_INTERNAL);
    CHECK_EQ(exit_code_of(UINT64_MAX, 1), EXIT_INTERNAL);
    if (sizeof(void *) == 4)
        CHECK_EQ(exit_code_of(((uint64_t)1 << 32) + 1, 1), EXIT_INTERNAL);
}

/* An element that is added keeps all before it, across every growth. */
static void arrays_grow_by_elements(void)
{
    struct arena arena;
    uint32_t *items = NULL;
    uint64_t capacity = 0;

    arena_init(&arena);
    for (uint32_t count = 0; count < 1000; count++) {
        items = arena_grow(&arena, items, count, &capacity, sizeof *items);
        CHECK(capacity > count);
        items[count] = count;
        CHECK_EQ_U(items[count / 2], count / 2);
    }
    for (uint32_t i = 0; i < 1000; i++)
        CHECK_EQ_U(items[i], i);
    arena_free(&arena);
}

TEST_MAIN(TEST(memory_is_zeroed_aligned_and_apart), TEST(reset_keeps_one_block),
          TEST(zero_bytes_are_legal), TEST(arrays_grow_by_elements),
          TEST(strings_are_terminated), TEST(exhaustion_ends_the_program))
