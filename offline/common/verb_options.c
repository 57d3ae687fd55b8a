/* verb_options.c - parse the command line of a verb, and print its help.
 *
 * The first wrong word ends the parsing. The verbs check whether options fit
 * together.
 */
/* SPDX-License-Identifier: MIT */
#include "common/verb_options.h"

#include "base/minmax.h"
#include "common/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 64u

bool options_refuse(const char *verb, const char *format, ...)
{
    char text[DIAG_TEXT_BYTES];
    char line[DIAG_TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    diag_name(text, line, sizeof line);
    fprintf(stderr, "spindle: %s%s%s\nhint: spindle %s%s--help\n", verb,
            verb[0] ? ": " : "", line, verb, verb[0] ? " " : "");
    return false;
}

/* -- near names -- */

uint32_t options_distance(const char *a, const char *b)
{
    uint32_t row[3][WORD_MAX + 1];
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);

    if (a_length > WORD_MAX || b_length > WORD_MAX)
        return UINT32_MAX;
    for (size_t j = 0; j <= b_length; j++)
        row[0][j] = (uint32_t)j;
    for (size_t i = 1; i <= a_length; i++) {
        uint32_t *now = row[i % 3];
        const uint32_t *before = row[(i - 1) % 3];

        now[0] = (uint32_t)i;
        for (size_t j = 1; j <= b_length; j++) {
            uint32_t replaced = before[j - 1] + (a[i - 1] != b[j - 1]);

            now[j] = min_u32(replaced, min_u32(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = min_u32(now[j], row[(i - 2) % 3][j - 2] + 1);
        }
    }
    return row[a_length % 3][b_length];
}

bool options_is_near(const char *word, const char *candidate)
{
    size_t length = strlen(candidate);
    uint32_t allowed = length < 4 ? 1u : length < 8 ? 2u : 3u;

    /* Is the word similar to the option, or its beginning? "--prec" suggests
     * --precision. */
    if (strlen(word) >= 3 && strncmp(word, candidate, strlen(word)) == 0)
        return true;
    return options_distance(word, candidate) <= allowed;
}

static const char *nearest_option(const struct verb *verb, const char *word)
{
    const char *nearest = NULL;
    uint32_t best = UINT32_MAX;

    for (uint32_t i = 0; i < verb->option_count; i++) {
        const char *name = verb->options[i].name;
        uint32_t distance = options_distance(word, name);

        if (options_is_near(word, name) && distance < best) {
            best = distance;
            nearest = name;
        }
    }
    if (!nearest && options_is_near(word, "help"))
        nearest = "help";
    return nearest;
}

/* -- values -- */

int options_find_word(const char *words, const char *word)
{
    size_t bytes = strlen(word);

    for (int index = 0; *words; index++) {
        size_t length = strcspn(words, " ");

        if (length == bytes && memcmp(words, word, bytes) == 0)
            return index;
        words += length + (words[length] == ' ');
    }
    return -1;
}

static bool parse_number(const char *text, double *value)
{
    char *end;

    /* Refuse what strtod accepts besides: hexadecimal, "inf", "nan", leading
     * blanks. */
    if (!*text || strspn(text, "0123456789.-+eE") != strlen(text))
        return false;
    *value = strtod(text, &end);
    return *end == 0;
}

static bool store_text(const struct verb *verb, const struct option *option,
                       const char *text, void *values)
{
    struct option_texts *texts = (void *)((char *)values + option->offset);

    if (texts->count == OPTION_TEXTS_MAX)
        return options_refuse(verb->name, "--%s is given more than %u times",
                              option->name, OPTION_TEXTS_MAX);
    texts->items[texts->count++] = text;
    return true;
}

static bool store_value(const struct verb *verb, const struct option *option,
                        const char *text, void *values)
{
    char *place = (char *)values + option->offset;
    double number = 0;
    uint32_t whole;

    /* An empty value of a required option is reported as missing, later. */
    if (text && !*text && !option->needed)
        return options_refuse(verb->name, "--%s is given an empty %s",
                              option->name, option->argument);
    if (option->no_stdout && strcmp(text, "-") == 0)
        return options_refuse(verb->name,
                              "--%s - (stdout): %s; a file of that name "
                              "is ./-",
                              option->name, option->no_stdout);
    switch (option->kind) {
    case OPTION_KIND_TEXTS:
        return store_text(verb, option, text, values);
    case OPTION_KIND_FLAG:
        memcpy(place, &(bool){true}, sizeof(bool));
        return true;
    case OPTION_KIND_TEXT:
        memcpy(place, &text, sizeof text);
        return true;
    case OPTION_KIND_CHOICE:
        if (options_find_word(option->choices, text) < 0)
            return options_refuse(verb->name, "--%s is one of: %s; not \"%s\"",
                                  option->name, option->choices, text);
        memcpy(place, &text, sizeof text);
        return true;
    case OPTION_KIND_NUMBER:
    case OPTION_KIND_WHOLE:
        break;
    }
    if (!parse_number(text, &number) ||
        !(number >= option->low && number <= option->high) ||
        (option->kind == OPTION_KIND_WHOLE &&
         number != (double)(uint32_t)number))
        return options_refuse(
            verb->name, "--%s is a %snumber from %.15g to %.15g; not \"%s\"",
            option->name, option->kind == OPTION_KIND_WHOLE ? "whole " : "",
            option->low, option->high, text);
    whole = (uint32_t)(option->kind == OPTION_KIND_WHOLE ? number : 0);
    if (option->kind == OPTION_KIND_WHOLE)
        memcpy(place, &whole, sizeof whole);
    else
        memcpy(place, &number, sizeof number);
    return true;
}

bool options_parse_list(const char *text, uint32_t *values, uint32_t capacity,
                        uint32_t *count)
{
    *count = 0;
    while (*count < capacity) {
        size_t digits = strspn(text, "0123456789");

        if (digits == 0 || digits > 9)
            return false;
        values[(*count)++] = (uint32_t)strtoul(text, NULL, 10);
        text += digits;
        if (*text == 0)
            return true;
        if (*text++ != ',')
            return false;
    }
    return false;
}

/* -- parsing -- */

static const struct option *find_long(const struct verb *verb, const char *name,
                                      size_t length)
{
    for (uint32_t i = 0; i < verb->option_count; i++) {
        const struct option *option = &verb->options[i];

        if (strlen(option->name) == length &&
            memcmp(option->name, name, length) == 0)
            return option;
    }
    return NULL;
}

static const struct option *find_short(const struct verb *verb, char letter)
{
    for (uint32_t i = 0; i < verb->option_count; i++)
        if (verb->options[i].letter && verb->options[i].letter == letter)
            return &verb->options[i];
    return NULL;
}

static void refuse_unknown(const struct verb *verb, const char *word)
{
    char name[WORD_MAX];
    const char *nearest = NULL;
    size_t length = strcspn(word, "=");

    if (strncmp(word, "--", 2) == 0 && length - 2 < sizeof name) {
        memcpy(name, word + 2, length - 2);
        name[length - 2] = 0;
        nearest = nearest_option(verb, name);
    }
    if (nearest)
        options_refuse(verb->name,
                       "unknown option \"%.*s\"; did you mean \"--%s\"?",
                       (int)length, word, nearest);
    else
        options_refuse(verb->name, "unknown option \"%.*s\"", (int)length,
                       word);
}

/* Refuse a second value: it would silently replace the first one. */
static bool is_first(const struct verb *verb, const struct option *option,
                     uint64_t *given)
{
    uint64_t bit = (uint64_t)1 << (option - verb->options);

    if ((*given & bit) == 0 || option->kind == OPTION_KIND_TEXTS ||
        option->kind == OPTION_KIND_FLAG) {
        *given |= bit;
        return true;
    }
    return options_refuse(verb->name, "--%s is given more than once",
                          option->name);
}

/* Parse a word that begins with "-". `next` may be its value; NULL: there is no
 * next word. `given` has a bit for each option so far. */
static bool parse_option(const struct verb *verb, const char *word,
                         const char *next, void *values, uint64_t *given,
                         bool *took_next)
{
    bool is_long = word[1] == '-';
    size_t length = is_long ? strcspn(word + 2, "=") : 1;
    const struct option *option =
        is_long ? find_long(verb, word + 2, length) : find_short(verb, word[1]);
    const char *attached = is_long ? word + 2 + length : word + 2;

    *took_next = false;
    if (!option) {
        refuse_unknown(verb, word);
        return false;
    }
    if (!is_first(verb, option, given))
        return false;
    if (option->kind == OPTION_KIND_FLAG) {
        if (*attached)
            return options_refuse(verb->name, "--%s takes no value",
                                  option->name);
        return store_value(verb, option, NULL, values);
    }
    if (*attached)
        return store_value(verb, option, attached + is_long, values);
    if (!next)
        return options_refuse(verb->name, "--%s needs a value: %s",
                              option->name, option->argument);
    *took_next = true;
    return store_value(verb, option, next, values);
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* Find a required option that is missing or empty. NULL: none. */
static const struct option *find_missing(const struct verb *verb,
                                         const void *values)
{
    for (uint32_t i = 0; i < verb->option_count; i++) {
        const struct option *option = &verb->options[i];
        const char *text;

        if (!option->needed)
            continue;
        memcpy(&text, (const char *)values + option->offset, sizeof text);
        if (!text || !*text)
            return option;
    }
    return NULL;
}

bool options_parse(const struct verb *verb, int argc, char **argv, void *values,
                   uint32_t *operand_count)
{
    const struct option *missing;
    uint64_t given = 0;
    bool is_over = false;

    *operand_count = 0;
    for (int i = 0; i < argc; i++) {
        char *word = argv[i];
        bool took_next;

        if (is_over || word[0] != '-' || word[1] == 0) {
            argv[(*operand_count)++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            is_over = true;
            continue;
        }
        if (!parse_option(verb, word, i + 1 < argc ? argv[i + 1] : NULL, values,
                          &given, &took_next))
            return false;
        i += took_next;
    }
    if (*operand_count < verb->operand_min)
        return options_refuse(verb->name, "needs %s", verb->operands);
    if (*operand_count > verb->operand_max)
        return options_refuse(verb->name,
                              "does not know what to do with \"%s\"",
                              argv[verb->operand_max]);
    for (uint32_t i = 0; i < *operand_count; i++)
        if (!*argv[i])
            return options_refuse(verb->name, "an empty name is given for %s",
                                  verb->operands);
    missing = find_missing(verb, values);
    if (missing)
        return options_refuse(verb->name, "needs %s", missing->needed);
    return true;
}

int verb_run(const struct verb *verb, int argc, char **argv)
{
    struct arena arena;
    struct diag diag;
    struct verb_call call = {
        .verb = verb, .operands = argv, .arena = &arena, .diag = &diag};
    int code = EXIT_BAD_USAGE;

    if (asks_for_help(argc, argv)) {
        options_print_help(verb, stdout);
        return EXIT_DONE;
    }
    arena_init(&arena);
    diag_init(&diag);
    call.values = arena_alloc(&arena, verb->values_bytes, 1);
    if (verb->defaults)
        memcpy(call.values, verb->defaults, verb->values_bytes);
    if (options_parse(verb, argc, argv, call.values, &call.operand_count) &&
        verb->run(&call))
        code = (int)diag.code;
    diag_finish(&diag);
    arena_free(&arena);
    return code;
}

/* -- help -- */

#define HELP_COLUMN 29
#define HELP_WIDTH 79

/* Print `text` in lines from HELP_COLUMN to HELP_WIDTH. The cursor is at
 * HELP_COLUMN. */
static void print_wrapped(const char *text, FILE *file)
{
    int column = HELP_COLUMN;

    while (*text) {
        int length = (int)strcspn(text, " ");

        if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
            fprintf(file, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        column += fprintf(file, "%s%.*s", column > HELP_COLUMN ? " " : "",
                          length, text);
        text += length + (text[length] == ' ');
    }
    fputc('\n', file);
}

static void print_option(const struct option *option, FILE *file)
{
    char left[80];
    int length;

    length = snprintf(
        left, sizeof left, "%c%c%s --%s%s%s", option->letter ? '-' : ' ',
        option->letter ? option->letter : ' ', option->letter ? "," : " ",
        option->name, option->argument ? " " : "",
        option->argument ? option->argument : "");
    fprintf(file, "  %-*s", HELP_COLUMN - 2, left);
    if (length > HELP_COLUMN - 3)
        fprintf(file, "\n%*s", HELP_COLUMN, "");
    print_wrapped(option->help, file);
}

void options_print_help(const struct verb *verb, FILE *file)
{
    static const struct option help = {.name = "help",
                                       .letter = 'h',
                                       .kind = OPTION_KIND_FLAG,
                                       .help = "print this text"};

    fprintf(file, "spindle %s - %s\n\n%s\nusage: spindle %s [options] %s\n\n",
            verb->name, verb->summary, verb->examples, verb->name,
            verb->operands);
    for (uint32_t i = 0; i < verb->option_count; i++)
        print_option(&verb->options[i], file);
    print_option(&help, file);
    if (verb->notes)
        fprintf(file, "\n%s", verb->notes);
}
