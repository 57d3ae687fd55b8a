/* test_diag.c
 *
 * Goal: the first refusal is kept as one line, for any names.
 * Method: the kept text and the output on stderr are read back.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"

#include "common/diag.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void first_refusal_is_kept(void)
{
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!diag_has_failed(&diag));
    CHECK(!diag_refuse(&diag, "a.abc", 0x1f40, "/sail.P", "%d points", 3));
    CHECK(!diag_io(&diag, "b", 2, "cannot open"));
    CHECK(diag_has_failed(&diag));
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    CHECK_STR(diag.text, "a.abc: offset 0x1f40: /sail.P: 3 points");
    diag_finish(&diag);
}

static void offset_and_place_may_be_missing(void)
{
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    diag_refuse(&diag, "a.abc", DIAG_NO_OFFSET, NULL, "no");
    CHECK_STR(diag.text, "a.abc: no");
    diag_finish(&diag);
}

static void io_failure_has_the_reason(void)
{
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    diag_io(&diag, "a", 2, "cannot open");
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    CHECK_STR(diag.text, "a: cannot open: No such file or directory");
    diag_finish(&diag);
}

static void refusals_are_kept_in_parts(void)
{
    const struct spn_fault fault = {.what = "checksum of a block",
                                    .value = 7,
                                    .expected = 8,
                                    .has_expected = 1,
                                    .status = SPN_ERR_CHECKSUM,
                                    .file = "not for long"};
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    diag_refuse(&diag, "a.abc", 0x1f40, "/sail.P", "%d points", 3);
    diag_fault(&diag, EXIT_IO_FAILED, "b", 1, "c", 2, &fault, "d");
    CHECK_STR(diag.refusal.file, "a.abc");
    CHECK_EQ_U(diag.refusal.offset, 0x1f40);
    CHECK_STR(diag.refusal.place, "/sail.P");
    CHECK_STR(diag.refusal.what, "3 points");
    CHECK_EQ(diag.refusal.fault.status, SPN_OK);
    diag_finish(&diag);
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!diag_fault(&diag, EXIT_INPUT_REFUSED, "a.sgc", 16, "frame 3", 3,
                      &fault, "wrong"));
    diag_io(&diag, "b", 2, "cannot open");
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    CHECK_STR(diag.text, "a.sgc: offset 0x10: frame 3: wrong");
    CHECK_STR(diag.refusal.file, "a.sgc");
    CHECK_EQ(diag.refusal.frame, 3);
    CHECK_EQ(diag.refusal.fault.status, SPN_ERR_CHECKSUM);
    CHECK_EQ_U(diag.refusal.fault.value, 7);
    CHECK_EQ_U(diag.refusal.fault.expected, 8);
    CHECK(diag.refusal.fault.file == NULL);
    diag_finish(&diag);
    diag_init(&diag);
    diag.is_silent = true;
    diag_io(&diag, "b", 2, "cannot open");
    CHECK_STR(diag.refusal.what, "cannot open: No such file or directory");
    CHECK_EQ_U(diag.refusal.offset, DIAG_NO_OFFSET);
    CHECK_STR(diag.refusal.place, "");
    diag_finish(&diag);
}

static void control_characters_do_not_break_the_line(void)
{
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    diag_refuse(&diag, "a\nb", 0, "x\x1b[2Jy\x7f", "tab\there \xc3\xbc");
    CHECK_STR(diag.text,
              "a\\x0ab: offset 0x0: x\\x1b[2Jy\\x7f: tab\\x09here \xc3\xbc");
    diag_finish(&diag);
}

static void endless_text_is_cut(void)
{
    static char text[5000];
    struct diag diag;

    memset(text, 'n', sizeof text - 1);
    diag_init(&diag);
    diag.is_silent = true;
    diag_refuse(&diag, NULL, DIAG_NO_OFFSET, NULL, "%s", text);
    CHECK_EQ_U(strlen(diag.text), sizeof diag.text - 1);
    CHECK_STR(diag.text + sizeof diag.text - 5, "n...");
    diag_finish(&diag);
    memset(text, '\n', sizeof text - 1);
    diag_init(&diag);
    diag.is_silent = true;
    diag_refuse(&diag, NULL, DIAG_NO_OFFSET, NULL, "%s", text);
    CHECK(strchr(diag.text, '\n') == NULL);
    CHECK_STR(diag.text + strlen(diag.text) - 4, "a...");
    diag_finish(&diag);
}

/* The value is shown for any length of the names of file and place. */
static void long_names_leave_room_for_the_reason(void)
{
    static const char fills[] = {'n', '\n', '\xbc'};
    static char name[5000];
    struct diag diag;

    for (size_t i = 0; i < sizeof fills; i++) {
        memset(name, fills[i], sizeof name - 1);
        memcpy(name, "/top/", 5);
        memcpy(name + sizeof name - 6, "/leaf", 5);
        diag_init(&diag);
        diag.is_silent = true;
        diag_refuse(&diag, name, 0x77, name, "sample %d is %s", 3, "wrong");
        test_context("%s", diag.text);
        CHECK(strstr(diag.text, "/leaf: offset 0x77: /top") != NULL);
        CHECK(strstr(diag.text, "/leaf: sample 3 is wrong") != NULL);
        CHECK(strstr(diag.text, "...") != NULL);
        CHECK_STR(diag.refusal.place + strlen(diag.refusal.place) - 5, "/leaf");
        diag_finish(&diag);
    }
}

static void names_lose_their_middle(void)
{
    static const struct {
        const char *name;
        size_t capacity;
        const char *shown;
    } names[] = {
        {"", 8, ""},
        {"1234567", 8, "1234567"},
        {"12345678", 8, "1...678"},
        {"\n", 8, "\\x0a"},
        {"a\nb", 8, "a\\x0ab"},
        /* there is no room for the escaped control byte */
        {"ab\ncd", 8, "a...cd"},
        {"a\xc2\x9b", 16, "a\\xc2\\x9b"},
        {"\xe2\x80\xaeg", 16, "\\xe2\\x80\\xaeg"},
        {"\xe2\x80\x90\xc2\xa0", 16, "\xe2\x80\x90\xc2\xa0"},
        {"\xc3\xbc\xc3\xbc\xc3\xbc", 8, "\xc3\xbc\xc3\xbc\xc3\xbc"},
        {"\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 8, "...\xc3\xbc"},
        {"\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 12,
         "\xc3\xbc...\xc3\xbc\xc3\xbc\xc3\xbc"},
    };
    char text[32];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        memset(text, '#', sizeof text);
        diag_name(names[i].name, text, names[i].capacity);
        CHECK_STR(text, names[i].shown);
        CHECK_EQ(text[names[i].capacity], '#');
    }
}

/* Return the output of one run of `speak` on stderr. */
static void capture(void (*speak)(void), char *text, size_t capacity)
{
    FILE *file = tmpfile();
    int old = dup(2);
    size_t got;

    CHECK(file != NULL);
    fflush(stderr);
    dup2(fileno(file), 2);
    speak();
    fflush(stderr);
    dup2(old, 2);
    close(old);
    rewind(file);
    got = fread(text, 1, capacity - 1, file);
    text[got] = 0;
    fclose(file);
}

static void speak_twice(void)
{
    struct diag diag;

    diag_init(&diag);
    diag_warn(&diag, "a.abc", "/x", "dropped");
    diag_refuse(&diag, "a.abc", 16, NULL, "bad");
    diag_refuse(&diag, "a.abc", 17, NULL, "worse");
    diag.is_quiet = true;
    diag_warn(&diag, "a.abc", "/x", "dropped");
    if (diag.warning_count != 2)
        fputs("warnings are not counted\n", stderr);
    diag_finish(&diag);
}

static void stderr_gets_one_line_each(void)
{
    char text[512];

    capture(speak_twice, text, sizeof text);
    CHECK_STR(text, "spindle: warning: a.abc: /x: dropped\n"
                    "spindle: a.abc: offset 0x10: bad\n");
}

TEST_MAIN(TEST(first_refusal_is_kept), TEST(offset_and_place_may_be_missing),
          TEST(io_failure_has_the_reason), TEST(refusals_are_kept_in_parts),
          TEST(control_characters_do_not_break_the_line),
          TEST(endless_text_is_cut), TEST(long_names_leave_room_for_the_reason),
          TEST(names_lose_their_middle), TEST(stderr_gets_one_line_each))
