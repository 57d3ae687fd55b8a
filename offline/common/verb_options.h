/* verb_options.h - parse the command line of a verb from a table of its
 * options.
 *
 * The table also drives --help and the OPTIONS section of the manual page
 * (tests/docs). Options are long (`--name value`, `--name=value`); common ones
 * have a letter too (`-o value`, `-ovalue`). `--` ends the options; `-` is an
 * operand. Values are stored in a struct of the verb, each at its `offset`;
 * before parsing, the struct is a copy of the verb's defaults.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_VERB_OPTIONS_H
#define OFFLINE_COMMON_VERB_OPTIONS_H

#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum option_kind {
    OPTION_KIND_FLAG,   /* bool, becomes true */
    OPTION_KIND_TEXT,   /* const char *, as given */
    OPTION_KIND_TEXTS,  /* struct option_texts: the option may be repeated;
                         * other options with a value may be given once */
    OPTION_KIND_NUMBER, /* double, low..high */
    OPTION_KIND_WHOLE,  /* uint32_t, low..high */
    OPTION_KIND_CHOICE  /* const char *, one word of `choices` */
};

#define OPTION_TEXTS_MAX 64u
struct option_texts {
    const char *items[OPTION_TEXTS_MAX];
    uint32_t count;
};

struct option {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    enum option_kind kind;
    size_t offset;        /* of the value in the verb's struct */
    const char *argument; /* "MM"; NULL for flags */
    const char *help;     /* effect and default, for --help */
    double low;
    double high;
    const char *choices;   /* words, separated by single spaces */
    const char *needed;    /* required option: its name for the message that it
                            * is missing, "an output: -o OUT"; NULL: optional */
    const char *no_stdout; /* "-" is refused, with this reason; NULL: allowed */
};

/* Rows of a table. `at` is the offset of the value, `what` the name of the
 * argument in the help, `text` the help. */
#define OPTION_FLAG(word, short_word, at, text)                                \
    {                                                                          \
        .name = (word), .letter = (short_word), .kind = OPTION_KIND_FLAG,      \
        .offset = (at), .help = (text)                                         \
    }
#define OPTION_TEXT(word, short_word, at, what, text)                          \
    {                                                                          \
        .name = (word), .letter = (short_word), .kind = OPTION_KIND_TEXT,      \
        .offset = (at), .argument = (what), .help = (text)                     \
    }
#define OPTION_TEXTS(word, at, what, text)                                     \
    {                                                                          \
        .name = (word), .kind = OPTION_KIND_TEXTS, .offset = (at),             \
        .argument = (what), .help = (text)                                     \
    }
#define OPTION_NUMBER(word, short_word, at, what, lowest, highest, text)       \
    {                                                                          \
        .name = (word), .letter = (short_word), .kind = OPTION_KIND_NUMBER,    \
        .offset = (at), .argument = (what), .low = (lowest),                   \
        .high = (highest), .help = (text)                                      \
    }
#define OPTION_WHOLE(word, short_word, at, what, lowest, highest, text)        \
    {                                                                          \
        .name = (word), .letter = (short_word), .kind = OPTION_KIND_WHOLE,     \
        .offset = (at), .argument = (what), .low = (lowest),                   \
        .high = (highest), .help = (text)                                      \
    }
#define OPTION_CHOICE(word, at, what, values, text)                            \
    {                                                                          \
        .name = (word), .kind = OPTION_KIND_CHOICE, .offset = (at),            \
        .argument = (what), .choices = (values), .help = (text)                \
    }

/* Rows that several verbs share. An output is a path; "-" is stdout, or
 * refused with a reason. */
#define OPTION_OUTPUT(at, what, text, missing, no_stdout_because)              \
    {                                                                          \
        .name = "output", .letter = 'o', .kind = OPTION_KIND_TEXT,             \
        .offset = (at), .argument = (what), .help = (text),                    \
        .needed = (missing), .no_stdout = (no_stdout_because)                  \
    }
#define OPTION_JOBS(at)                                                        \
    OPTION_WHOLE(                                                              \
        "jobs", 'j', at, "N", 1, 256,                                          \
        "number of threads; output is the same for any N (default: cores)")
#define OPTION_STRICT(at)                                                      \
    OPTION_FLAG("strict", 0, at,                                               \
                "refuse the input where a warning would be printed")
#define OPTION_QUIET(at, text) OPTION_FLAG("quiet", 'q', at, text)
#define OPTION_JSON(at, text) OPTION_FLAG("json", 0, at, text)

/* A parsed command line. */
struct verb_call {
    const struct verb *verb;
    void *values; /* the verb's struct */
    char **operands;
    uint32_t operand_count; /* operand_min..operand_max */
    struct arena *arena;    /* released after the call */
    struct diag *diag;
};

struct verb {
    const char *name;
    const char *operands; /* "IN.abc", as usage shows them */
    const char *summary;  /* one line */
    const char *examples; /* whole lines, indented by two */
    const char *notes;    /* whole lines after the options; NULL */
    const struct option *options;
    uint32_t option_count;
    uint32_t operand_min;
    uint32_t operand_max;
    const void *defaults; /* of the values struct; NULL: zeros */
    size_t values_bytes;  /* size of the values struct */
    /* Run the verb. Returns false after options_refuse, when options
     * contradict each other; otherwise the outcome is in the diag. */
    bool (*run)(const struct verb_call *call);
};

/* Parse argv[0..argc), the words after the verb. Operands are moved to the
 * front of argv and counted. Returns false after options_refuse. */
bool options_parse(const struct verb *verb, int argc, char **argv, void *values,
                   uint32_t *operand_count);

/* Parse the options and run the verb, or print its help on stdout if an
 * argument requests it. Returns the exit code. */
int verb_run(const struct verb *verb, int argc, char **argv);

void options_print_help(const struct verb *verb, FILE *file);

/* Print "spindle: VERB: ..." and where to find help on stderr. Always returns
 * false. */
__attribute__((format(printf, 2, 3))) bool options_refuse(const char *verb,
                                                          const char *format,
                                                          ...);

/* Edit distance between a and b: insertions, deletions, replacements and swaps
 * of neighbours. */
uint32_t options_distance(const char *a, const char *b);
/* Is `candidate` similar enough to `word` to be suggested? */
bool options_is_near(const char *word, const char *candidate);

/* Find the index of a word in a list with single spaces; -1: none. */
int options_find_word(const char *words, const char *word);

/* Parse a list of integers such as "0,50,99". Returns false when it is no such
 * list, empty, or has more than `capacity` numbers. */
bool options_parse_list(const char *text, uint32_t *values, uint32_t capacity,
                        uint32_t *count);

#endif
