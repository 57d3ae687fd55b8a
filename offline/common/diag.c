/* diag.c - print refusals and warnings; keep the first refusal.
 *
 * A line is built in one buffer and written by one call, so that lines of two
 * threads do not mix. Names come from files: control characters in them are
 * escaped, so a message is always one line.
 */
/* SPDX-License-Identifier: MIT */
#include "common/diag.h"

#include "common/system.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#undef diag_refuse
#undef diag_io
#undef diag_fault

#define CUT "..."

/* FORM_LINE: escape control characters; FORM_RAW: copy the name. */
enum form { FORM_LINE, FORM_RAW };

static bool is_inside_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

bool diag_is_control(const char *at)
{
    unsigned char a = (unsigned char)at[0];
    unsigned char b = a ? (unsigned char)at[1] : 0;
    unsigned char c = b ? (unsigned char)at[2] : 0;

    switch (a) {
    case 0xc2:
        return b >= 0x80 && b <= 0x9f;
    case 0xd8:
        return b == 0x9c;
    case 0xe2:
        return b == 0x80 ? c == 0x8e || c == 0x8f || (c >= 0xa8 && c <= 0xae)
                         : b == 0x81 && c >= 0xa6 && c <= 0xa9;
    default:
        return a < 0x20 || a == 0x7f;
    }
}

/* Print byte `i` of a name to `out`. Returns the number of bytes. */
static size_t escape(enum form form, const char *name, size_t i, char out[4])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char c = (unsigned char)name[i];
    size_t first = i;

    out[0] = name[i];
    if (form == FORM_RAW)
        return 1;
    while (first > 0 && i - first < 3 && is_inside_character(name[first]))
        first--;
    if (!diag_is_control(name + first))
        return 1;
    out[0] = '\\';
    out[1] = 'x';
    out[2] = digits[c >> 4];
    out[3] = digits[c & 15];
    return 4;
}

/* Length of the longest beginning, of whole characters, that prints within
 * `room`. */
static size_t fitting_head(enum form form, const char *name, size_t room)
{
    size_t used = 0;
    size_t i;

    for (i = 0; name[i]; i++) {
        char out[4];

        used += escape(form, name, i, out);
        if (used > room)
            break;
    }
    while (i > 0 && is_inside_character(name[i]))
        i--;
    return i;
}

/* Start of the longest end, of whole characters, that prints within `room`. */
static size_t fitting_tail(enum form form, const char *name, size_t length,
                           size_t room)
{
    size_t used = 0;
    size_t i;

    for (i = length; i > 0; i--) {
        char out[4];

        used += escape(form, name, i - 1, out);
        if (used > room)
            break;
    }
    while (i < length && is_inside_character(name[i]))
        i++;
    return i;
}

/* Print `length` bytes of the name at `text`. Returns the end. */
static char *print(enum form form, const char *name, size_t length, char *text)
{
    for (size_t i = 0; i < length; i++)
        text += escape(form, name, i, text);
    return text;
}

static void shorten(enum form form, const char *name, char *text,
                    size_t capacity)
{
    size_t length = strlen(name);
    size_t room = capacity - 1;
    size_t head = fitting_head(form, name, room);
    size_t tail;

    if (head == length) {
        *print(form, name, length, text) = 0;
        return;
    }
    /* Keep more of the end than of the beginning: it tells paths apart. */
    room -= sizeof CUT - 1;
    head = fitting_head(form, name, room / 3);
    tail = fitting_tail(form, name, length, room - room / 3);
    text = print(form, name, head, text);
    memcpy(text, CUT, sizeof CUT - 1);
    text += sizeof CUT - 1;
    *print(form, name + tail, length - tail, text) = 0;
}

void diag_name(const char *name, char *text, size_t capacity)
{
    shorten(FORM_LINE, name, text, capacity);
}

struct line {
    char text[DIAG_TEXT_BYTES];
    size_t length; /* without the zero byte; the text always has one */
};

/* Shorten a message that is too long at its end. */
static void line_add(struct line *line, const char *text)
{
    size_t room = sizeof line->text - 1 - line->length;
    size_t bytes = fitting_head(FORM_LINE, text, room);
    bool is_cut = text[bytes] != 0;
    char *end;

    if (is_cut)
        bytes = room < sizeof CUT - 1
                    ? 0
                    : fitting_head(FORM_LINE, text, room - (sizeof CUT - 1));
    end = print(FORM_LINE, text, bytes, line->text + line->length);
    if (is_cut && room >= sizeof CUT - 1) {
        memcpy(end, CUT, sizeof CUT - 1);
        end += sizeof CUT - 1;
    }
    *end = 0;
    line->length = (size_t)(end - line->text);
}

static void line_add_name(struct line *line, const char *name)
{
    char text[DIAG_NAME_BYTES];

    diag_name(name, text, sizeof text);
    line_add(line, text);
    line_add(line, ": ");
}

static void line_add_list(struct line *line, const char *format,
                          va_list arguments)
{
    char text[sizeof line->text +
              4]; /* larger than a line: line_add marks the cut */

    vsnprintf(text, sizeof text, format, arguments);
    line_add(line, text);
}

static void line_start(struct line *line, const char *file, uint64_t offset,
                       const char *place)
{
    line->length = 0;
    line->text[0] = 0;
    if (file && file[0])
        line_add_name(line, file);
    if (offset != DIAG_NO_OFFSET) {
        char number[32];

        snprintf(number, sizeof number, "offset 0x%" PRIx64 ": ", offset);
        line_add(line, number);
    }
    if (place && place[0])
        line_add_name(line, place);
}

/* Keep the first refusal. The caller holds no lock. */
static bool refuse(struct diag *diag, enum exit_code code,
                   const struct diag_refusal *refusal)
{
    struct line line;

    line_start(&line, refusal->file, refusal->offset, refusal->place);
    line_add(&line, refusal->what);
    pthread_mutex_lock(&diag->lock);
    if (diag->code == EXIT_DONE) {
        diag->code = code;
        memcpy(diag->text, line.text, line.length + 1);
        diag->refusal = *refusal;
        if (!diag->is_silent)
            fprintf(stderr, "spindle: %s\n", line.text);
    }
    pthread_mutex_unlock(&diag->lock);
    return false;
}

static void refusal_start(struct diag_refusal *refusal, const char *file,
                          uint64_t offset, const char *place)
{
    memset(refusal, 0, sizeof *refusal);
    refusal->offset = offset;
    refusal->frame = DIAG_NO_FRAME;
    if (file)
        shorten(FORM_RAW, file, refusal->file, sizeof refusal->file);
    if (place)
        shorten(FORM_RAW, place, refusal->place, sizeof refusal->place);
}

void diag_init(struct diag *diag)
{
    memset(diag, 0, sizeof *diag);
    pthread_mutex_init(&diag->lock, NULL);
}

void diag_finish(struct diag *diag)
{
    pthread_mutex_destroy(&diag->lock);
}

bool diag_refuse(struct diag *diag, const char *file, uint64_t offset,
                 const char *place, const char *format, ...)
{
    struct diag_refusal refusal;
    va_list arguments;

    refusal_start(&refusal, file, offset, place);
    va_start(arguments, format);
    vsnprintf(refusal.what, sizeof refusal.what, format, arguments);
    va_end(arguments);
    return refuse(diag, EXIT_INPUT_REFUSED, &refusal);
}

bool diag_io(struct diag *diag, const char *file, int error_number,
             const char *format, ...)
{
    struct diag_refusal refusal;
    va_list arguments;

    refusal_start(&refusal, file, DIAG_NO_OFFSET, NULL);
    va_start(arguments, format);
    vsnprintf(refusal.what, sizeof refusal.what, format, arguments);
    va_end(arguments);
    if (error_number != 0) {
        size_t length = strlen(refusal.what);
        char reason[128];

        system_error_text(error_number, reason, sizeof reason);
        snprintf(refusal.what + length, sizeof refusal.what - length, ": %s",
                 reason);
    }
    return refuse(diag, EXIT_IO_FAILED, &refusal);
}

bool diag_fault(struct diag *diag, enum exit_code code, const char *file,
                uint64_t offset, const char *place, uint32_t frame,
                const struct spn_fault *fault, const char *text)
{
    struct diag_refusal refusal;

    refusal_start(&refusal, file, offset, place);
    snprintf(refusal.what, sizeof refusal.what, "%s", text);
    refusal.fault = *fault;
    refusal.fault.file = NULL;
    refusal.frame = frame;
    return refuse(diag, code, &refusal);
}

bool diag_repeat(struct diag *diag, const struct diag *other)
{
    return refuse(diag, other->code, &other->refusal);
}

void diag_warn(struct diag *diag, const char *file, const char *place,
               const char *format, ...)
{
    va_list arguments;
    struct line line;

    line_start(&line, file, DIAG_NO_OFFSET, place);
    va_start(arguments, format);
    line_add_list(&line, format, arguments);
    va_end(arguments);

    pthread_mutex_lock(&diag->lock);
    diag->warning_count++;
    if (!diag->is_silent && !diag->is_quiet)
        fprintf(stderr, "spindle: warning: %s\n", line.text);
    pthread_mutex_unlock(&diag->lock);
}

void diag_hint(struct diag *diag, const char *format, ...)
{
    struct line line = {.length = 0};
    va_list arguments;

    va_start(arguments, format);
    line_add_list(&line, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&diag->lock);
    if (!diag->is_silent && !diag->is_quiet)
        fprintf(stderr, "hint: %s\n", line.text);
    pthread_mutex_unlock(&diag->lock);
}

bool diag_has_failed(struct diag *diag)
{
    bool has_failed;

    pthread_mutex_lock(&diag->lock);
    has_failed = diag->code != EXIT_DONE;
    pthread_mutex_unlock(&diag->lock);
    return has_failed;
}
