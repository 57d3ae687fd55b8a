/* print_docs.c - print the generated parts of documents.
 *
 * They derive from tables in the sources: verbs with their options and examples
 * and the viewer's keys for the manual pages (mdoc), reasons of refusals and
 * warnings, and the tuning variables (Markdown).
 * update.sh inserts them into the documents.
 */
/* SPDX-License-Identifier: MIT */
#include "base/tuning_table.h"
#include "cli/verbs.h"
#include "compile/report/refusals.h"
#include "view/view_controls.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAN_COLUMNS 76u
#define MARKDOWN_COLUMNS 118u

/* Print one word of running text. A hyphen that starts an option is escaped. */
static void print_word(const char *word, size_t length)
{
    bool is_option = word[0] == '-' || (word[0] == '"' && word[1] == '-');

    if (word[0] == '.' || word[0] == '\'')
        fputs("\\&", stdout);
    for (size_t i = 0; i < length; i++)
        if (word[i] == '\\')
            fputs("\\e", stdout);
        else if (word[i] == '-' && is_option)
            fputs("\\-", stdout);
        else
            putchar(word[i]);
}

/* Print `text`, one or more sentences, each on its own line. */
static void print_sentences(const char *text)
{
    size_t column = 0;
    bool is_end = false;

    for (bool is_first = true; *text; is_first = false) {
        size_t length = strcspn(text, " ");
        size_t letters = 0;

        if (column > 0 && (is_end || column + 1 + length > MAN_COLUMNS)) {
            putchar('\n');
            column = 0;
        } else if (column > 0) {
            putchar(' ');
        }
        while (letters < length && islower((unsigned char)text[letters]))
            letters++;
        if (is_first && letters > 0) {
            putchar(toupper((unsigned char)*text));
            print_word(text + 1, length - 1);
        } else {
            print_word(text, length);
        }
        column += length + 1;
        is_end = text[length - 1] == '.';
        text += length;
        text += *text == ' ';
    }
    puts(is_end ? "" : ".");
}

/* Print operands such as "[NAME...] -o OUT.spk" as macros. */
static void print_operands(const char *text)
{
    bool is_first = true;

    while (*text) {
        size_t length = strcspn(text, " ");
        bool is_begun = text[0] == '[';
        bool is_ended = text[length - 1] == ']';
        const char *word = text + is_begun;
        size_t word_length = length - is_begun - is_ended;

        printf("%s%s", is_first ? "." : " ", is_begun ? "Oo " : "");
        if (word[0] == '-') {
            fputs("Fl ", stdout);
            print_word(word + 1, word_length - 1);
        } else {
            fputs("Ar ", stdout);
            print_word(word, word_length);
        }
        fputs(is_ended ? " Oc" : "", stdout);
        is_first = false;
        text += length;
        text += *text == ' ';
    }
    putchar('\n');
}

static void print_head(const struct verb *verb)
{
    printf(".Sh NAME\n.Nm spindle-%s\n.Nd %s\n.Sh SYNOPSIS\n"
           ".Nm spindle %s\n.Op Ar options\n",
           verb->name, verb->summary, verb->name);
    print_operands(verb->operands);
}

static void print_option(const struct option *option)
{
    fputs(".It ", stdout);
    if (option->letter)
        printf("Fl %c%s%s , ", option->letter, option->argument ? " Ar " : "",
               option->argument ? option->argument : "");
    printf("Fl \\-%s%s%s\n", option->name, option->argument ? " Ar " : "",
           option->argument ? option->argument : "");
    print_sentences(option->help);
    if (option->kind == OPTION_KIND_NUMBER || option->kind == OPTION_KIND_WHOLE)
        printf("%s is from %.15g to %.15g.\n", option->argument, option->low,
               option->high);
}

static void print_options(const struct verb *verb)
{
    static const struct option help = {
        .name = "help", .letter = 'h', .help = "print a summary"};

    puts(".Sh OPTIONS\n.Bl -tag -width Ds");
    for (uint32_t i = 0; i < verb->option_count; i++)
        print_option(&verb->options[i]);
    print_option(&help);
    puts(".El");
}

static void print_examples(const struct verb *verb)
{
    puts(".Sh EXAMPLES\n.Bd -literal");
    for (const char *line = verb->examples; *line;) {
        size_t length = strcspn(line, "\n");

        for (size_t i = 2; i < length; i++)
            printf("%s", (char[2]){line[i], 0});
        putchar('\n');
        line += length + 1;
    }
    puts(".Ed");
}

static void print_verbs(void)
{
    puts(".Bl -tag -width simulate");
    for (size_t i = 0; verbs[i]; i++) {
        printf(".It Xr spindle-%s 1\n", verbs[i]->name);
        print_sentences(verbs[i]->summary);
    }
    puts(".El");
}

/* Print the keys of the viewer. */
static void print_keys(void)
{
    puts(".Bl -tag -width backspace");
    for (uint32_t i = 0; view_controls_help(i).name; i++) {
        printf(".It Cm %s\n", view_controls_help(i).name);
        print_sentences(view_controls_help(i).effect);
    }
    puts(".El");
}

/* Print an item of a Markdown list. */
static void print_reason(const char *text, const char *explanation)
{
    size_t column = (size_t)printf("- **%s**:", text);

    while (*explanation) {
        size_t length = strcspn(explanation, " ");

        if (column + 1 + length > MARKDOWN_COLUMNS)
            column = (size_t)printf("\n ") - 1;
        column += (size_t)printf(" %.*s", (int)length, explanation);
        explanation += length;
        explanation += *explanation == ' ';
    }
    putchar('\n');
}

/* A number of a tuning variable; "SIZE heap" for what spn_config sets. */
static void print_tuning_row(const spn_tuning *v)
{
    printf("| `%s` | %s%s%s | %s |", v->name, v->alias[0] ? "`" : "", v->alias,
           v->alias[0] ? "`" : "", v->unit);
    if (v->is_text)
        printf(" text of up to %u bytes | empty |",
               SPN_TUNING_TEXT_BYTES_MAX - 1);
    else if (strcmp(v->name, "stream_memory_kib") == 0)
        printf(" %u to %u | `heap_bytes` |", v->low, v->high);
    else if (strcmp(v->name, "read_budget_kib") == 0)
        printf(" %u to %u | `read_budget_bytes` |", v->low, v->high);
    else
        printf(" %u to %u | %u |", v->low, v->high, v->initial);
    printf(" %s |\n", v->text);
}

static void print_tuning(void)
{
    struct tuning tuning;
    spn_tuning variable;

    spn__tuning_init(&tuning);
    puts("\n| name | alias | unit | range | default | meaning |\n"
         "|---|---|---|---|---|---|");
    for (uint32_t i = 0; spn__tuning_get(&tuning, i, &variable) == SPN_OK; i++)
        print_tuning_row(&variable);
    putchar('\n');
}

static int print_verb(const char *what, const char *name)
{
    const struct verb *verb = NULL;

    for (size_t i = 0; verbs[i]; i++)
        if (strcmp(verbs[i]->name, name) == 0)
            verb = verbs[i];
    if (!verb)
        return 2;
    if (strcmp(what, "head") == 0)
        print_head(verb);
    else if (strcmp(what, "options") == 0)
        print_options(verb);
    else if (strcmp(what, "examples") == 0)
        print_examples(verb);
    else
        return 2;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return print_verb(argv[1], argv[2]);
    if (argc != 2)
        return 2;
    if (strcmp(argv[1], "verbs") == 0) {
        print_verbs();
    } else if (strcmp(argv[1], "keys") == 0) {
        print_keys();
    } else if (strcmp(argv[1], "refusals") == 0) {
        putchar('\n');
        for (int i = 0; i < REFUSAL_COUNT; i++)
            print_reason(refusal_reasons[i].text,
                         refusal_reasons[i].explanation);
        putchar('\n');
    } else if (strcmp(argv[1], "warnings") == 0) {
        putchar('\n');
        for (int i = 0; i < WARNING_COUNT; i++)
            print_reason(warning_reasons[i].text,
                         warning_reasons[i].explanation);
        putchar('\n');
    } else if (strcmp(argv[1], "tuning") == 0) {
        print_tuning();
    } else {
        return 2;
    }
    return 0;
}
