/* strace_line.h - parses one line of the output of strace.
 *
 * Used by strace_import.c. Nothing is copied unless an arena is given: tokens
 * point into the text of the line.
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
    STRACE_NOTE,       /* a signal, an exit, a message of strace, or empty */
    STRACE_CALL,       /* a whole call */
    STRACE_UNFINISHED, /* the first part of a call */
    STRACE_RESUMED     /* the last part of a call */
};

struct strace_line {
    enum strace_kind kind;
    uint64_t pid;        /* of the thread; 0: the line has none */
    uint64_t at_us;      /* when it was printed */
    bool is_time_of_day; /* at_us counts from midnight, not from 1970 */
    const char *text;    /* the call or its part: behind the time, or behind
                          * "resumed>" */
    size_t bytes;        /* of the text */
};

/* Why a line was refused. */
struct strace_error {
    const char *what; /* a static text */
    size_t at;        /* offset in the parsed text, bytes */
};

/* Parse a line, given without its line feed. Returns false and fills *wrong if
 * it is refused. */
bool strace_line_split(const char *text, size_t bytes, struct strace_line *out,
                       struct strace_error *wrong);

/* A part of the text of a call, for example one argument. */
struct strace_token {
    const char *text;
    size_t bytes;
};

#define STRACE_ARGUMENTS_MAX 8u

struct strace_call {
    struct strace_token name;
    struct strace_token arguments[STRACE_ARGUMENTS_MAX];
    uint32_t argument_count;    /* kept; further ones are dropped */
    struct strace_token result; /* "5</data/a>", "-1", "?", "0x7f03f1e00000" */
    bool has_duration;          /* strace ran with -T */
    uint64_t duration_us;
};

/* Parse a whole call. Returns false and fills *wrong if it is refused. */
bool strace_call_split(const char *text, size_t bytes, struct strace_call *out,
                       struct strace_error *wrong);

bool strace_token_is(struct strace_token token, const char *text);
/* Read the decimal or hexadecimal number that the token begins with. Returns
 * false if there is none. */
bool strace_token_number(struct strace_token token, int64_t *out);
/* The unescaped text of a token in quotes, allocated in the arena. NULL: the
 * token is no such text. */
const char *strace_token_text(struct strace_token token, struct arena *arena);
/* The path in "5</data/a>", allocated in the arena. NULL: the token has none.
 */
const char *strace_token_path(struct strace_token token, struct arena *arena);

#endif
