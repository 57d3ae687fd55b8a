/* strace_line.c - a scanner that never reads beyond the end of its text. */
/* SPDX-License-Identifier: MIT */
#include "trace/strace_line.h"

#include <string.h>

#define SECOND_US UINT64_C(1000000)
/* Seconds below this keep a time in microseconds below 2^53. */
#define SECONDS_MAX (UINT64_C(1) << 33)

struct scan {
    const char *text;
    size_t bytes;
    size_t at;
};

static bool is_end(const struct scan *s)
{
    return s->at >= s->bytes;
}

static char peek(const struct scan *s)
{
    return is_end(s) ? '\0' : s->text[s->at];
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_blanks(struct scan *s)
{
    while (!is_end(s) && (peek(s) == ' ' || peek(s) == '\t'))
        s->at++;
}

/* If the text comes next, move behind it and return true. */
static bool skip(struct scan *s, const char *text)
{
    size_t bytes = strlen(text);

    if (bytes > s->bytes - s->at || memcmp(s->text + s->at, text, bytes) != 0)
        return false;
    s->at += bytes;
    return true;
}

/* Read a decimal number below `limit`. */
static bool read_number(struct scan *s, uint64_t limit, uint64_t *out)
{
    uint64_t value = 0;

    if (!is_digit(peek(s)))
        return false;
    while (is_digit(peek(s))) {
        value = value * 10 + (uint64_t)(peek(s) - '0');
        if (value >= limit)
            return false;
        s->at++;
    }
    *out = value;
    return true;
}

static bool fail(struct strace_error *wrong, const char *what, size_t at)
{
    *wrong = (struct strace_error){what, at};
    return false;
}

/* -- a line -- */

/* Read the digits behind a decimal point as microseconds. */
static uint64_t read_fraction(struct scan *s)
{
    uint64_t us = 0;
    uint64_t unit = SECOND_US;

    if (!skip(s, "."))
        return 0;
    while (is_digit(peek(s))) {
        unit /= 10;
        us += (uint64_t)(peek(s) - '0') * unit;
        s->at++;
    }
    return us;
}

/* Read "1795613623.794801" or "12:03:43.794801". */
static bool read_time(struct scan *s, struct strace_line *out)
{
    uint64_t parts[3];
    uint32_t count = 0;

    do {
        if (!read_number(s, SECONDS_MAX, &parts[count]))
            return false;
        count++;
    } while (count < 3 && skip(s, ":"));
    if (count == 2 || (count == 1 && peek(s) != '.'))
        return false;
    if (count == 3) {
        if (parts[0] >= 24 || parts[1] >= 60 || parts[2] > 60)
            return false;
        parts[0] = (parts[0] * 60 + parts[1]) * 60 + parts[2];
    }
    out->is_time_of_day = count == 3;
    out->at_us = parts[0] * SECOND_US + read_fraction(s);
    return peek(s) == ' ';
}

/* Read "24077 " or "[pid 24077] ", if either comes next. */
static bool read_pid(struct scan *s, uint64_t *pid)
{
    size_t begin = s->at;

    if (skip(s, "[pid ")) {
        skip_blanks(s);
        if (!read_number(s, UINT64_MAX / 10 - 1, pid) || !skip(s, "]"))
            return false;
    } else if (!read_number(s, UINT64_MAX / 10 - 1, pid) || peek(s) != ' ') {
        *pid = 0;
        s->at = begin;
    }
    skip_blanks(s);
    return true;
}

static bool is_note(const struct scan *s)
{
    struct scan at = *s;

    return is_end(&at) || skip(&at, "+++ ") || skip(&at, "--- ") ||
           skip(&at, "strace: ");
}

static bool ends_with(const struct scan *s, const char *end)
{
    size_t bytes = strlen(end);

    return s->bytes - s->at >= bytes &&
           memcmp(s->text + s->bytes - bytes, end, bytes) == 0;
}

static void find_part(struct scan *s, struct strace_line *out)
{
    static const char unfinished[] = " <unfinished ...>";
    static const char resumed[] = " resumed>";

    out->kind = STRACE_CALL;
    out->text = s->text + s->at;
    out->bytes = s->bytes - s->at;
    if (skip(s, "<... ")) {
        while (!is_end(s) && !skip(s, resumed))
            s->at++;
        out->kind = STRACE_RESUMED;
        out->text = s->text + s->at;
        out->bytes = s->bytes - s->at;
    } else if (ends_with(s, unfinished)) {
        out->kind = STRACE_UNFINISHED;
        out->bytes -= sizeof unfinished - 1;
    }
}

bool strace_line_split(const char *text, size_t bytes, struct strace_line *out,
                       struct strace_error *wrong)
{
    struct scan s = {text, bytes, 0};
    size_t begin;

    *out = (struct strace_line){.kind = STRACE_NOTE};
    skip_blanks(&s);
    if (is_note(&s))
        return true;
    if (!read_pid(&s, &out->pid))
        return fail(wrong, "no number of a process", s.at);
    if (is_note(&s))
        return true;
    begin = s.at;
    if (!read_time(&s, out))
        return fail(wrong, "no time of a call, as strace -ttt prints it",
                    begin);
    skip_blanks(&s);
    if (!is_note(&s))
        find_part(&s, out);
    return true;
}

/* -- a call -- */

/* Move behind a text in quotes, in which quotes may be escaped. */
static void skip_text(struct scan *s)
{
    for (s->at++; !is_end(s) && peek(s) != '"'; s->at++)
        if (peek(s) == '\\')
            s->at++;
    if (!is_end(s))
        s->at++;
    else
        s->at = s->bytes;
}

/* Move to the comma or the bracket that ends an argument. */
static bool skip_argument(struct scan *s)
{
    uint32_t depth = 0;

    while (!is_end(s)) {
        char c = peek(s);

        if (c == '"') {
            skip_text(s);
            continue;
        }
        if (depth == 0 && (c == ',' || c == ')'))
            return true;
        /* A path; strace escapes the character that would end it. */
        if (c == '<') {
            while (!is_end(s) && peek(s) != '>')
                s->at++;
            continue;
        }
        if (c == '(' || c == '[' || c == '{')
            depth++;
        else if (depth > 0 && (c == ')' || c == ']' || c == '}'))
            depth--;
        s->at++;
    }
    return false;
}

static struct strace_token word_from(const struct scan *s, size_t begin)
{
    return (struct strace_token){s->text + begin, s->at - begin};
}

static bool read_arguments(struct scan *s, struct strace_call *out)
{
    for (;;) {
        size_t begin;

        skip_blanks(s);
        begin = s->at;
        if (!skip_argument(s))
            return false;
        if (out->argument_count < STRACE_ARGUMENTS_MAX)
            out->arguments[out->argument_count++] = word_from(s, begin);
        if (peek(s) == ')')
            break;
        s->at++;
    }
    s->at++;
    return true;
}

/* Read " <0.000012>" at the end. */
static void read_duration(struct scan *s, struct strace_call *out)
{
    uint64_t seconds;

    if (s->bytes == 0 || s->text[s->bytes - 1] != '>')
        return;
    for (size_t begin = s->bytes; begin > s->at; begin--) {
        struct scan at = {s->text, s->bytes - 1, begin};

        if (s->text[begin - 1] != '<')
            continue;
        if (!read_number(&at, SECONDS_MAX, &seconds) || peek(&at) != '.')
            return;
        out->duration_us = seconds * SECOND_US + read_fraction(&at);
        out->has_duration = is_end(&at);
        return;
    }
}

bool strace_call_split(const char *text, size_t bytes, struct strace_call *out,
                       struct strace_error *wrong)
{
    struct scan s = {text, bytes, 0};
    size_t begin;

    *out = (struct strace_call){.argument_count = 0};
    while (!is_end(&s) && peek(&s) != '(')
        s.at++;
    if (is_end(&s) || s.at == 0)
        return fail(wrong, "no call", 0);
    out->name = word_from(&s, 0);
    s.at++;
    if (!read_arguments(&s, out))
        return fail(wrong, "the call's arguments do not end", s.at);
    skip_blanks(&s);
    if (!skip(&s, "="))
        return fail(wrong, "no result of the call", s.at);
    skip_blanks(&s);
    begin = s.at;
    while (!is_end(&s) && peek(&s) != ' ') {
        if (peek(&s) == '<')
            while (!is_end(&s) && peek(&s) != '>')
                s.at++;
        if (!is_end(&s))
            s.at++;
    }
    out->result = word_from(&s, begin);
    if (out->result.bytes == 0)
        return fail(wrong, "no result of the call", s.at);
    read_duration(&s, out);
    return true;
}

/* -- words -- */

bool strace_token_is(struct strace_token token, const char *text)
{
    return token.bytes == strlen(text) &&
           memcmp(token.text, text, token.bytes) == 0;
}

static int digit_of(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

bool strace_token_number(struct strace_token token, int64_t *out)
{
    struct scan s = {token.text, token.bytes, 0};
    bool is_negative = skip(&s, "-");
    int base = skip(&s, "0x") ? 16 : 10;
    size_t begin = s.at;
    int64_t value = 0;

    while (digit_of(peek(&s)) < base) {
        if (value > (INT64_MAX - 15) / base)
            return false;
        value = value * base + digit_of(peek(&s));
        s.at++;
    }
    *out = is_negative ? -value : value;
    return s.at > begin;
}

/* Read one byte of a text, which may be escaped as in C. */
static char unescape(struct scan *s)
{
    static const char letters[] = "n\nt\tr\rf\fv\va\ab\b";
    char c = peek(s);
    int value = 0;

    s->at++;
    if (c != '\\' || is_end(s))
        return c;
    c = peek(s);
    if (c == 'x') {
        s->at++;
        for (int i = 0; i < 2 && digit_of(peek(s)) < 16; i++, s->at++)
            value = value * 16 + digit_of(peek(s));
        return (char)value;
    }
    if (c >= '0' && c <= '7') {
        for (int i = 0; i < 3 && digit_of(peek(s)) < 8; i++, s->at++)
            value = value * 8 + digit_of(peek(s));
        return (char)value;
    }
    s->at++;
    for (size_t i = 0; letters[i]; i += 2)
        if (letters[i] == c)
            return letters[i + 1];
    return c;
}

static const char *plain_text(struct scan *s, char end, struct arena *arena)
{
    char *text = ARENA_NEW(arena, char, s->bytes - s->at + 1);
    size_t used = 0;

    while (!is_end(s) && peek(s) != end)
        text[used++] = unescape(s);
    text[used] = '\0';
    return text;
}

const char *strace_token_text(struct strace_token token, struct arena *arena)
{
    struct scan s = {token.text, token.bytes, 0};

    return skip(&s, "\"") ? plain_text(&s, '"', arena) : NULL;
}

const char *strace_token_path(struct strace_token token, struct arena *arena)
{
    struct scan s = {token.text, token.bytes, 0};

    while (!is_end(&s) && peek(&s) != '<')
        s.at++;
    return skip(&s, "<") ? plain_text(&s, '>', arena) : NULL;
}
