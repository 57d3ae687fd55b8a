/* test_text_writer.c
 *
 * Goal: numbers are written as printf writes them, and nothing leaves the
 * buffer, whatever its size.
 * Method: the same values with snprintf; every size of the buffer.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/text_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint64_t values[] = {
    0, 1, 9, 10, 99, 100, 4294967295u, 9223372036854775807u, UINT64_MAX};

static void numbers_are_those_of_printf(void)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[32];
        char wanted[32];
        struct text_writer w = {text, sizeof text, 0};

        spn__write_number(&w, values[i]);
        spn__write_end(&w);
        snprintf(wanted, sizeof wanted, "%" PRIu64, values[i]);
        CHECK(strcmp(text, wanted) == 0);
        CHECK_EQ_U(w.length, strlen(wanted));
    }
}

static void decimals_keep_their_zeros(void)
{
    static const struct {
        int64_t value;
        uint32_t digits;
        const char *text;
    } rows[] = {
        {0, 1, "0.0"},
        {-1, 1, "-0.1"},
        {1234, 3, "1.234"},
        {-1234, 3, "-1.234"},
        {1004, 3, "1.004"},
        {7, 9, "0.000000007"},
        {INT64_MIN, 3, "-9223372036854775.808"},
        {INT64_MAX, 1, "922337203685477580.7"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[32];
        struct text_writer w = {text, sizeof text, 0};

        spn__write_decimal(&w, rows[i].value, rows[i].digits);
        spn__write_end(&w);
        test_context("%s, not %s", rows[i].text, text);
        CHECK(strcmp(text, rows[i].text) == 0);
    }
}

static void text_never_leaves_the_buffer(void)
{
    static const char whole[] = "abc 123 4.5";

    for (uint64_t bytes = 0; bytes < sizeof whole + 2; bytes++) {
        char text[sizeof whole + 4];
        struct text_writer w = {bytes ? text : NULL, bytes, 0};

        memset(text, '#', sizeof text);
        spn__write_text(&w, "abc ");
        spn__write_number(&w, 123);
        spn__write_char(&w, ' ');
        spn__write_decimal(&w, 45, 1);
        spn__write_end(&w);
        CHECK_EQ_U(w.length, sizeof whole - 1);
        if (bytes == 0)
            continue;
        CHECK_EQ_U(strlen(text),
                   bytes < sizeof whole ? bytes - 1 : sizeof whole - 1);
        CHECK(strncmp(text, whole, strlen(text)) == 0);
        for (uint64_t i = bytes; i < sizeof text; i++)
            CHECK_EQ(text[i], '#');
    }
}

TEST_MAIN(TEST(numbers_are_those_of_printf), TEST(decimals_keep_their_zeros),
          TEST(text_never_leaves_the_buffer))
