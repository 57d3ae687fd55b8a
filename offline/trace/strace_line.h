/* strace_line.h - one line of what strace prints, taken apart.
 *
 *   24077 1795613623.824414 read(5</data/a.tsv>, ""..., 8191) = 2287 <0.000012>
 *   [pid 24077] 12:03:43.824414 openat(AT_FDCWD, "a.tsv", O_RDONLY) = 5
 *   24077 1795613626.189415 read(5</data/a.tsv>,  <unfinished ...>
 *   24077 1795613626.189618 <... read resumed>""..., 4096) = 4096
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_TRACE_STRACE_LINE_H
#define OFFLINE_TRACE_STRACE_LINE_H

#include "common/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum strace_kind {
    STRACE_NOTE,       /* of a signal, an exit, strace itself, or empty */
    STRACE_CALL,       /* a whole call */
    STRACE_UNFINISHED, /* its beginning: what follows the time */
    STRACE_RESUMED     /* its end: what follows "resumed>" */
};

struct strace_line {
    enum strace_kind kind;
    uint64_t pid; /* 0: not told */
    uint64_t at_us;
    bool is_time_of_day; /* at_us counts from midnight, not from 1970 */
    const char *text;    /* of the call, or of its part */
    size_t bytes;
};

/* What is wrong with a line, and where. */
struct strace_wrong {
    const char *what;
    size_t at; /* byte of the text that was looked at */
};

/* `text` is a line without its end. False: *wrong. */
bool strace_line_split(const char *text, size_t bytes, struct strace_line *out,
                       struct strace_wrong *wrong);

/* A part of a call's text. */
struct strace_word {
    const char *text;
    size_t bytes;
};

#define STRACE_ARGUMENTS_MAX 8u

struct strace_call {
    struct strace_word name;
    struct strace_word arguments[STRACE_ARGUMENTS_MAX]; /* the first ones */
    uint32_t argument_count;
    struct strace_word result; /* "5</data/a>", "-1", "?", "0x7f03f1e00000" */
    bool has_duration;         /* strace -T */
    uint64_t duration_us;
};

/* A whole call. False: *wrong. */
bool strace_call_split(const char *text, size_t bytes, struct strace_call *out,
                       struct strace_wrong *wrong);

bool strace_word_is(struct strace_word word, const char *text);
/* A number, decimal or hexadecimal, that the word begins with. */
bool strace_word_number(struct strace_word word, int64_t *out);
/* A text in quotes, or NULL: the word is none. In the arena. */
const char *strace_word_text(struct strace_word word, struct arena *arena);
/* What stands between < and > behind a file's number, or NULL: nothing does. In
 * the arena. */
const char *strace_word_path(struct strace_word word, struct arena *arena);

#endif
