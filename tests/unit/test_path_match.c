/* test_path_match.c
 *
 * Goal: a path that was written elsewhere means the name that it is, else what
 * one of both ends with, in whole parts, and never one of two.
 * Method: a list by hand, in no order.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "common/path_match.h"
#include "harness.h"

#include <string.h>

static const char *const names[] = {
    "sea.sgc",    "b/wave.sgc",  "x/sea.sgc",   "b/c/sea.wav",
    "a/wave.sgc", "a/c/sea.wav", "d/e/low.wav", "deep/a/wave.sgc"};
#define COUNT (sizeof names / sizeof names[0])

static struct arena arena;
static struct path_match match;
static const char *either[2];

/* The matching name; "": none. */
static const char *meant(const char *path)
{
    uint32_t index;

    test_context("%s", path);
    if (!path_match_find(&match, path, &index, either))
        return "either";
    return index == PATH_MATCH_NONE ? "" : names[index];
}

static void begin(void)
{
    arena_free(&arena);
    arena_init(&arena);
    path_match_init(&match, &arena, names, COUNT);
}

static void path_matches_an_equal_name_first(void)
{
    begin();
    for (uint32_t i = 0; i < COUNT; i++)
        CHECK_STR(meant(names[i]), names[i]);
}

static void path_matches_the_longest_name_at_its_end(void)
{
    begin();
    CHECK_STR(meant("data/sea.sgc"), "sea.sgc");
    CHECK_STR(meant("data\\sea.sgc"), "sea.sgc");
    CHECK_STR(meant("data.spk:x/sea.sgc"), "x/sea.sgc");
    CHECK_STR(meant("/data/y/x/sea.sgc"), "x/sea.sgc");
    CHECK_STR(meant("data/deep/a/wave.sgc"), "deep/a/wave.sgc");
}

static void path_matches_the_only_name_that_ends_with_it(void)
{
    begin();
    CHECK_STR(meant("low.wav"), "d/e/low.wav");
    CHECK_STR(meant("e/low.wav"), "d/e/low.wav");
    CHECK_STR(meant("c/sea.wav"), "either");
    CHECK_STR(either[0], "a/c/sea.wav");
    CHECK_STR(either[1], "b/c/sea.wav");
    CHECK_STR(meant("wave.sgc"), "either");
    CHECK_STR(either[0], "a/wave.sgc");
    CHECK_STR(either[1], "b/wave.sgc");
    path_match_init(&match, &arena, names, 0);
    CHECK_STR(meant("sea.sgc"), "");
}

/* A shorter and a longer candidate are also ambiguous. */
static void ambiguous_path_matches_no_name(void)
{
    static const char *const both[] = {"sea.sgc", "y/data/sea.sgc"};

    begin();
    path_match_init(&match, &arena, both, 2);
    CHECK_STR(meant("data/sea.sgc"), "either");
    CHECK_STR(either[0], "y/data/sea.sgc");
    CHECK_STR(either[1], "sea.sgc");
}

static void path_matches_whole_components(void)
{
    begin();
    CHECK_STR(meant("a.sgc"), "");
    CHECK_STR(meant("data/asea.sgc"), "");
    CHECK_STR(meant("ea.sgc"), "");
    CHECK_STR(meant(""), "");
    CHECK_STR(meant("data/"), "");
    CHECK(path_is_end("b", "a/b"));
    CHECK(path_is_end("b", "a:b"));
    CHECK(!path_is_end("b", "b"));
    CHECK(!path_is_end("b", "ab"));
    CHECK(!path_is_end("a/b", "b"));
}

static void path_covers_itself_and_what_is_below(void)
{
    CHECK(path_covers("/a", "/a"));
    CHECK(path_covers("/a", "/a/b"));
    CHECK(path_covers("/a//", "/a/b"));
    CHECK(path_covers("a/b", "a/b/c"));
    CHECK(!path_covers("/a", "/ab"));
    CHECK(!path_covers("/a/b", "/a"));
    CHECK(path_covers("/", "/a"));
    CHECK(!path_covers("/", "a"));
}

TEST_MAIN(TEST(path_matches_an_equal_name_first),
          TEST(path_matches_the_longest_name_at_its_end),
          TEST(path_matches_the_only_name_that_ends_with_it),
          TEST(ambiguous_path_matches_no_name),
          TEST(path_matches_whole_components),
          TEST(path_covers_itself_and_what_is_below))
