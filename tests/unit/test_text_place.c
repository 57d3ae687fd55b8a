/* test_text_place.c
 *
 * Goal: line and column in a text file are those that an editor shows.
 * Method: places in small texts, counted by hand.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "common/text_place.h"

#include <string.h>

static void check_place(const char *text, size_t at, uint64_t line,
                        uint64_t column)
{
    struct text_place place = text_place_find(text, at);

    test_context("%s, byte %zu", text, at);
    CHECK_EQ_U(place.line, line);
    CHECK_EQ_U(place.column, column);
}

static void lines_and_columns_begin_at_one(void)
{
    check_place("", 0, 1, 1);
    check_place("abc", 2, 1, 3);
    check_place("abc", 3, 1, 4);
}

static void a_line_feed_ends_its_line(void)
{
    check_place("ab\n", 2, 1, 3);
    check_place("ab\n", 3, 2, 1);
    check_place("a\r\n\nbc", 5, 3, 2);
}

static void a_column_is_a_character(void)
{
    check_place("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80x", 9, 1, 4);
    check_place("\xc3\xa4\n\xc3\xa4x", 5, 2, 2);
    /* Invalid UTF-8 counts byte by byte, and so does NUL. */
    check_place("\xff\xc3x", 2, 1, 3);
    check_place("\0\0x", 2, 1, 3);
}

static void refusals_name_the_place_and_the_key(void)
{
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!text_place_refuse(&diag, "a.txt", (struct text_place){3, 7}, "key",
                             "%d is wrong", 4));
    CHECK_STR(diag.text, "a.txt: line 3, column 7: key: 4 is wrong");
    CHECK_EQ((int)diag.code, EXIT_INPUT_REFUSED);
    diag_finish(&diag);
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!text_place_refuse(&diag, "a.txt", (struct text_place){1, 1}, NULL,
                             "no"));
    CHECK_STR(diag.text, "a.txt: line 1, column 1: no");
    diag_finish(&diag);
}

TEST_MAIN(TEST(lines_and_columns_begin_at_one), TEST(a_line_feed_ends_its_line),
          TEST(a_column_is_a_character),
          TEST(refusals_name_the_place_and_the_key))
