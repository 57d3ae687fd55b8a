/* test_refusals.c
 *
 * Goal: refusals and warnings name the kind of defect, the place and the count.
 * Method: refuse and warn, and compare the text.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/report/refusals.h"
#include "support/abc_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A message is identified by its beginning. */
static void no_reason_starts_another(void)
{
    for (int i = 0; i < REFUSAL_COUNT; i++) {
        const char *text = refusal_reasons[i].text;

        CHECK(text[0] != 0 && refusal_reasons[i].explanation[0] != 0);
        CHECK(strpbrk(text, "|:\n") == NULL);
        for (int k = 0; k < REFUSAL_COUNT; k++)
            CHECK(k == i ||
                  strncmp(refusal_reasons[k].text, text, strlen(text)) != 0);
    }
    for (int i = 0; i < WARNING_COUNT; i++) {
        const char *text = warning_reasons[i].text;

        CHECK(text[0] != 0 && warning_reasons[i].explanation[0] != 0);
        CHECK(strpbrk(text, "|:\n") == NULL);
    }
}

static void a_refusal_has_reason_and_place(void)
{
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!refusal_report(&diag, "a.abc", REFUSAL_TOPOLOGY, "/x", "%d of %s", 3,
                          "4"));
    CHECK_STR(diag.text, "a.abc: /x: topology changes over time: 3 of 4");
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    diag_finish(&diag);
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!refusal_report(&diag, "a.abc", REFUSAL_TOO_LARGE, NULL, NULL));
    CHECK_STR(diag.text, "a.abc: does not fit a cache");
    diag_finish(&diag);
}

static struct warnings warnings;

/* The message of --strict for the warnings so far; then start again. */
static const char *strict_text(const char *file, unsigned kinds)
{
    static char text[DIAG_TEXT_BYTES];
    struct abc_archive archive = {.file_name = file};
    struct compile_options options;
    struct diag diag;

    compile_options_default(&options);
    diag_init(&diag);
    diag.is_silent = true;
    archive.diag = &diag;
    CHECK(warnings_flush(&warnings, &archive, &options));
    CHECK_EQ_U(diag.warning_count, kinds);
    CHECK_EQ(diag.code, EXIT_DONE);
    options.is_strict = true;
    CHECK(!warnings_flush(&warnings, &archive, &options));
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    snprintf(text, sizeof text, "%s", diag.text);
    diag_finish(&diag);
    memset(&warnings, 0, sizeof warnings);
    return text;
}

static void warnings_of_a_kind_are_one_line(void)
{
    warnings_add(&warnings, WARNING_DROPPED_CURVES, "/c1", NULL);
    CHECK_STR(strict_text("a.abc", 1), "a.abc: /c1: curves are dropped (1)");
    warnings_add(&warnings, WARNING_DROPPED_CURVES, "/c1", NULL);
    warnings_add(&warnings, WARNING_DROPPED_CURVES, "/c2", NULL);
    warnings_add(&warnings, WARNING_DROPPED_CURVES, "/c3", NULL);
    warnings_add(&warnings, WARNING_PRECISION, "/m", "2 mm");
    CHECK_STR(strict_text("a.abc", 2),
              "a.abc: /c1: curves are dropped (3): also /c2, /c3");
    warnings_add(&warnings, WARNING_MERGED, NULL, "all of them");
    CHECK_STR(strict_text("a.abc", 1),
              "a.abc: samples nearer than 10 µs are merged: all of them");
}

static void warnings_of_one_place_are_printed_together(void)
{
    char same[] = "/m";

    warnings_add(&warnings, WARNING_DROPPED_FOREIGN, "/m", "a");
    warnings_add(&warnings, WARNING_DROPPED_FOREIGN, same, "b");
    warnings_add(&warnings, WARNING_DROPPED_FOREIGN, "/n", "a");
    warnings_add(&warnings, WARNING_DROPPED_FOREIGN, "/n", "c");
    warnings_add(&warnings, WARNING_DROPPED_FOREIGN, "/o", "a");
    CHECK_STR(strict_text("a.abc", 1),
              "a.abc: /m: properties outside the schema are dropped (5): a, "
              "b; also /n: a, "
              "c; /o: a");
}

static void only_the_first_of_many_are_named(void)
{
    static const char *const places[] = {"/0", "/1", "/2", "/3",
                                         "/4", "/5", "/6", "/7"};

    for (int i = 0; i < 1000; i++)
        warnings_add(&warnings, WARNING_DROPPED_LIGHT, places[i % 8], NULL);
    CHECK_STR(strict_text("a.abc", 1),
              "a.abc: /0: lights are dropped (1000): also /1, /2, /3, /4, /5, "
              "/6, /7 and 992 more");
}

/* With names of any length the line has file, kind and count, and is
 * terminated. */
static void names_are_shortened(void)
{
    static char name[20000];
    const char *text;

    memset(name, '\n', sizeof name - 1);
    memcpy(name, "/top", 4);
    memcpy(name + sizeof name - 6, "/leaf", 5);
    for (int i = 0; i < 9; i++)
        warnings_add(&warnings, WARNING_DROPPED_FOREIGN, name, name);
    text = strict_text(name, 1);
    test_context("%s", text);
    CHECK(strncmp(text, "/top", 4) == 0);
    CHECK(strstr(text, "/leaf: /top") != NULL);
    CHECK(
        strstr(text,
               "/leaf: properties outside the schema are dropped (9): /top") !=
        NULL);
    CHECK(strstr(text, "/leaf, /top") != NULL);
    CHECK_STR(text + strlen(text) - 16, "/leaf and 6 more");
    CHECK(strlen(text) < DIAG_TEXT_BYTES - 1);
    for (int i = 0; i < 9; i++)
        warnings_add(&warnings, WARNING_DROPPED_FOREIGN,
                     i % 2 ? name : name + 1, name);
    text = strict_text("a.abc", 1);
    test_context("%s", text);
    CHECK(strstr(text, "/leaf; also /top") != NULL);
    CHECK_STR(text + strlen(text) - 16, "/leaf and 7 more");
}

TEST_MAIN(TEST(no_reason_starts_another), TEST(a_refusal_has_reason_and_place),
          TEST(warnings_of_a_kind_are_one_line),
          TEST(warnings_of_one_place_are_printed_together),
          TEST(only_the_first_of_many_are_named), TEST(names_are_shortened))
