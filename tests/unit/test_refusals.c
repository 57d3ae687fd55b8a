/* Goal: what the README says about refusals is what the compiler does.
 * Method: print the tables and compare with the README's list, byte by byte;
 * refuse and warn, and look at the words. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/refusals.h"
#include "support/abc_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void the_readme_has_the_tables(void)
{
    static const char begin[] = "<!-- refusals -->\n";
    static const char end[] = "<!-- /refusals -->";
    char path[1024];
    size_t bytes;
    char *readme;
    char *list;
    char *wanted;
    char *limit;
    FILE *out;

    snprintf(path, sizeof path, "%s/../../README.md", test_data());
    readme = file_text(path, &bytes);
    if (!readme)
        test_skip("the README is not here");
    list = strstr(readme, begin);
    CHECK(list != NULL);
    list += strlen(begin);
    limit = strstr(list, end);
    CHECK(limit != NULL);
    *limit = 0;
    snprintf(path, sizeof path, "%s/refusals.md", test_temp());
    out = fopen(path, "w");
    CHECK(out != NULL);
    refusals_print(out);
    fclose(out);
    wanted = file_text(path, &bytes);
    CHECK_STR(list, wanted);
    free(wanted);
    free(readme);
}

/* Messages are told from one another by their start. */
static void no_reason_starts_another(void)
{
    for (int i = 0; i < REFUSAL_COUNT; i++) {
        const char *text = refusal_text((enum refusal)i);

        CHECK(text[0] != 0 && refusal_explanation((enum refusal)i)[0] != 0);
        CHECK(strpbrk(text, "|:\n") == NULL);
        for (int k = 0; k < REFUSAL_COUNT; k++)
            CHECK(k == i || strncmp(refusal_text((enum refusal)k), text,
                                    strlen(text)) != 0);
    }
    for (int i = 0; i < WARNING_COUNT; i++) {
        const char *text = warning_text((enum warning)i);

        CHECK(text[0] != 0 && warning_explanation((enum warning)i)[0] != 0);
        CHECK(strpbrk(text, "|:\n") == NULL);
    }
}

static void a_refusal_says_what_and_where(void)
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

static void warnings_of_a_kind_are_one_line(void)
{
    struct abc_archive archive = {.file_name = "a.abc"};
    struct compile_options options;
    struct warnings warnings = {0};
    struct diag diag;

    compile_options_default(&options);
    diag_init(&diag);
    diag.is_silent = true;
    archive.diag = &diag;
    warnings_add(&warnings, WARNING_DROPPED_CURVES, "/c1", 1, NULL);
    warnings_add(&warnings, WARNING_DROPPED_CURVES, "/c2", 2, NULL);
    warnings_add(&warnings, WARNING_PRECISION, "/m", 1, "2 mm");
    CHECK(warnings_flush(&warnings, &archive, &options));
    CHECK_EQ_U(diag.warning_count, 2);
    CHECK_EQ(diag.code, EXIT_DONE);
    options.is_strict = true;
    CHECK(!warnings_flush(&warnings, &archive, &options));
    CHECK_STR(diag.text, "a.abc: /c1: curves are dropped (3)");
    diag_finish(&diag);
}

TEST_MAIN(TEST(the_readme_has_the_tables), TEST(no_reason_starts_another),
          TEST(a_refusal_says_what_and_where),
          TEST(warnings_of_a_kind_are_one_line))
