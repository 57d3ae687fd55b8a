/* test_verb_options.c
 *
 * Goal: options are stored as the table says, and anything that does not fit
 *   the table is refused before any work.
 * Method: parse lines by hand against one table with every kind of option. The
 *   output goes to /dev/null.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"

#include "common/verb_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct values {
    bool flag;
    const char *text;
    double number;
    uint32_t whole;
    const char *choice;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_FLAG("flag", 'f', AT(flag), "a flag"),
    OPTION_TEXT("text", 't', AT(text), "TEXT",
                "a text that is described in so many words that no line of 79 "
                "columns holds them all"),
    OPTION_NUMBER("precision", 0, AT(number), "MM", -1, 10, "a number"),
    OPTION_WHOLE("whole", 0, AT(whole), "N", 1, 4294967295.0, "a whole number"),
    OPTION_CHOICE("choice", AT(choice), "y|zed", "y zed", "one of two"),
};

static const struct verb verb = {
    .name = "try",
    .operands = "FILE",
    .summary = "to be tried",
    .examples = "  spindle try x\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 2,
};

static struct values values;
static char words[16][64];
static char *line_words[16];
static uint32_t operand_count;

/* A line of words with single spaces between to line_words. */
static int split(const char *line)
{
    int argc = 0;

    while (*line) {
        size_t length = strcspn(line, " ");

        memcpy(words[argc], line, length);
        words[argc][length] = 0;
        line_words[argc] = words[argc];
        argc++;
        line += length + (line[length] == ' ');
    }
    return argc;
}

static int shut_stderr(void)
{
    int saved = dup(2);

    fflush(stderr);
    CHECK(freopen("/dev/null", "w", stderr) != NULL);
    return saved;
}

static void open_stderr(int saved)
{
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
}

static bool parse(const char *line)
{
    bool outcome;
    int argc = split(line);
    int saved = shut_stderr();

    memset(&values, 0, sizeof values);
    outcome = options_parse(&verb, argc, line_words, &values, &operand_count);
    open_stderr(saved);
    return outcome;
}

static void options_store_every_kind(void)
{
    CHECK(parse("--flag --text a --precision 2.5 --whole 7 --choice zed in"));
    CHECK(values.flag);
    CHECK_STR(values.text, "a");
    CHECK_NEAR(values.number, 2.5, 0);
    CHECK_EQ(values.whole, 7);
    CHECK_STR(values.choice, "zed");
    CHECK_EQ(operand_count, 1);
    CHECK_STR(line_words[0], "in");
}

static void options_take_values_in_every_form(void)
{
    CHECK(parse("--text=a=b in"));
    CHECK_STR(values.text, "a=b");
    CHECK(parse("-t x in"));
    CHECK_STR(values.text, "x");
    CHECK(parse("-tx in"));
    CHECK_STR(values.text, "x");
    CHECK(parse("--precision -1 in"));
    CHECK_NEAR(values.number, -1, 0);
    CHECK(parse("--whole 4294967295 in"));
    CHECK_EQ_U(values.whole, UINT32_MAX);
}

static void options_have_one_value(void)
{
    CHECK(!parse("--whole 7 --whole 7 in"));
    CHECK(!parse("-t a --text=b in"));
    CHECK(!parse("--choice y in --choice zed"));
    CHECK(!parse("--precision 1 --precision=2 in"));
    /* A repeated flag is legal. */
    CHECK(parse("-f --flag in"));
    /* That is an operand. */
    CHECK(parse("--whole 7 -- --whole"));
}

static void options_leave_operands_in_order(void)
{
    CHECK(parse("a -f b"));
    CHECK_EQ(operand_count, 2);
    CHECK_STR(line_words[0], "a");
    CHECK_STR(line_words[1], "b");
    CHECK(parse("- -- -f"));
    CHECK_STR(line_words[0], "-");
    CHECK_STR(line_words[1], "-f");
    CHECK(!values.flag);
}

static void options_refuse_what_does_not_fit(void)
{
    static const char *const lines[] = {
        "--nothing in",
        "-x in",
        "--flag=1 in",
        "-f1 in",
        "in --text",
        "in -t",
        "--precision 11 in",
        "--precision -2 in",
        "--precision 1x in",
        "--precision nan in",
        "--precision inf in",
        "--precision 0x1 in",
        "--precision= in",
        "--whole 0 in",
        "--whole 1.5 in",
        "--whole 4294967296 in",
        "--whole -1 in",
        "--whole 1e99 in",
        "--choice z in",
        "--choice y.zed in",
        "--choice= in",
        "",
        "a b c",
        "--",
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        test_context("%s", lines[i]);
        CHECK(!parse(lines[i]));
    }
}

/* -- verbs -- */

static const struct option tried_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_KIND_TEXT,
     .offset = AT(text),
     .argument = "FILE",
     .needed = "an output: -o FILE"},
    {.name = "whole",
     .kind = OPTION_KIND_WHOLE,
     .offset = AT(whole),
     .argument = "N",
     .low = 1,
     .high = 9},
};

static const struct values tried_defaults = {.whole = 5, .choice = "y"};
static struct values tried;
static uint32_t tried_count;

static bool try(const struct verb_call *call)
{
    char *kept = arena_string(call->arena, call->operands[0], 1);

    tried = *(const struct values *)call->values;
    tried_count++;
    CHECK_STR(kept, "i");
    CHECK_EQ(call->operand_count, 1);
    CHECK_EQ(call->diag->code, EXIT_DONE);
    call->diag->is_silent = true;
    if (tried.whole == 9)
        diag_refuse(call->diag, "in", DIAG_NO_OFFSET, NULL, "nine");
    return true;
}

static int run_line(const char *line)
{
    static const struct verb trial = {
        .name = "try",
        .operands = "FILE -o FILE",
        .summary = "to be tried",
        .examples = "",
        .options = tried_options,
        .option_count = sizeof tried_options / sizeof tried_options[0],
        .operand_min = 1,
        .operand_max = 1,
        .defaults = &tried_defaults,
        .values_bytes = sizeof tried,
        .run = try,
    };
    int argc = split(line);
    int saved = shut_stderr();
    int code;

    memset(&tried, 0, sizeof tried);
    code = verb_run(&trial, argc, line_words);
    open_stderr(saved);
    return code;
}

static void verbs_run_with_their_defaults(void)
{
    tried_count = 0;
    CHECK_EQ(run_line("in -o out"), EXIT_DONE);
    CHECK_EQ(tried_count, 1);
    CHECK_STR(tried.text, "out");
    CHECK_EQ(tried.whole, 5);
    CHECK_STR(tried.choice, "y");
    CHECK(!tried.flag);
    CHECK_EQ(run_line("--whole 7 in -o out"), EXIT_DONE);
    CHECK_EQ(tried.whole, 7);
    CHECK_EQ(run_line("in -o out --whole 9"), EXIT_INPUT_REFUSED);
    CHECK_EQ(run_line("in -o out"), EXIT_DONE);
    CHECK_EQ(tried.whole, 5);
    CHECK_EQ(tried_count, 4);
}

static void verbs_do_not_run_without_what_they_need(void)
{
    tried_count = 0;
    CHECK_EQ(run_line("in"), EXIT_BAD_USAGE);
    CHECK_EQ(run_line("-o out"), EXIT_BAD_USAGE);
    CHECK_EQ(run_line("in more -o out"), EXIT_BAD_USAGE);
    CHECK_EQ(run_line("in --whole 0 -o out"), EXIT_BAD_USAGE);
    CHECK_EQ(tried_count, 0);
}

static void distance_counts_edits(void)
{
    CHECK_EQ(options_distance("", ""), 0);
    CHECK_EQ(options_distance("abc", ""), 3);
    CHECK_EQ(options_distance("", "abc"), 3);
    CHECK_EQ(options_distance("abc", "abc"), 0);
    CHECK_EQ(options_distance("abc", "acb"), 1);
    CHECK_EQ(options_distance("kitten", "sitting"), 3);
    CHECK_EQ(options_distance("compile", "complie"), 1);
}

static void near_names_are_found(void)
{
    CHECK(options_is_near("precison", "precision"));
    CHECK(options_is_near("prec", "precision"));
    CHECK(options_is_near("colour", "color"));
    CHECK(!options_is_near("banana", "precision"));
    CHECK(!options_is_near("x", "up"));
    CHECK(!options_is_near("a-word-that-is-much-longer-than-any-name-may-be-in-"
                           "a-table-of-options-here",
                           "precision"));
}

static void lists_are_numbers_and_commas(void)
{
    static const char *const bad[] = {"",    ",",    "1,",         "1,,2", "a",
                                      "1,b", "-1,2", "1234567890", "1 2"};
    uint32_t list[3];
    uint32_t count;

    CHECK(options_parse_list("0,50,99", list, 3, &count));
    CHECK_EQ(count, 3);
    CHECK_EQ(list[1], 50);
    CHECK_EQ(list[2], 99);
    CHECK(options_parse_list("7", list, 3, &count));
    CHECK_EQ(count, 1);
    CHECK(!options_parse_list("1,2,3,4", list, 3, &count));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        test_context("\"%s\"", bad[i]);
        CHECK(!options_parse_list(bad[i], list, 3, &count));
    }
}

static void help_shows_examples_before_options(void)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    const char *example;
    const char *option;

    CHECK(file != NULL);
    options_print_help(&verb, file);
    fclose(file);
    example = strstr(text, "spindle try x");
    option = strstr(text, "--precision MM");
    CHECK(example && option && example < option);
    CHECK(strstr(text, "-f, --flag") != NULL);
    CHECK(strstr(text, "-h, --help") != NULL);
    free(text);
}

static void help_has_lines_of_at_most_79_columns(void)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    size_t length;

    CHECK(file != NULL);
    options_print_help(&verb, file);
    fclose(file);
    CHECK(strstr(text,
                 "  -t, --text TEXT            a text that is described in "
                 "so many words that no\n"
                 "                             line of 79 columns holds "
                 "them all\n") != NULL);
    for (const char *line = text; *line; line += length + (line[length] != 0)) {
        length = strcspn(line, "\n");
        CHECK(length <= 79);
    }
    free(text);
}

TEST_MAIN(TEST(options_store_every_kind),
          TEST(options_take_values_in_every_form), TEST(options_have_one_value),
          TEST(options_leave_operands_in_order),
          TEST(options_refuse_what_does_not_fit),
          TEST(verbs_run_with_their_defaults),
          TEST(verbs_do_not_run_without_what_they_need),
          TEST(distance_counts_edits), TEST(near_names_are_found),
          TEST(lists_are_numbers_and_commas),
          TEST(help_shows_examples_before_options),
          TEST(help_has_lines_of_at_most_79_columns))
