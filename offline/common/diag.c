/* diag.c - prints refusals and warnings, keeps the first refusal.
 *
 * A line is put together in one buffer and written in one piece, so that two
 * threads never mix their words. Names come from files: control bytes in them
 * are written as \xNN, so one message is always one line. It does not decide
 * what is wrong, and never ends the process.
 */
/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "common/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct line {
    char text[sizeof((struct diag *)0)->text];
    size_t length; /* without the NUL; text is always terminated */
};

static void line_add(struct line *line, const char *text)
{
    static const char digits[] = "0123456789abcdef";

    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escaped[5] = {'\\', 'x', digits[c >> 4], digits[c & 15], 0};
        bool is_control = c < 0x20 || c == 0x7f;
        size_t size = is_control ? 4 : 1;

        if (size > sizeof line->text - 1 - line->length)
            break;
        memcpy(line->text + line->length, is_control ? escaped : text, size);
        line->length += size;
    }
    line->text[line->length] = 0;
}

static void line_add_list(struct line *line, const char *format,
                          va_list arguments)
{
    char text[sizeof line->text];

    vsnprintf(text, sizeof text, format, arguments);
    line_add(line, text);
}

static void line_start(struct line *line, const char *file, uint64_t offset,
                       const char *place)
{
    line->length = 0;
    line->text[0] = 0;
    if (file && file[0]) {
        line_add(line, file);
        line_add(line, ": ");
    }
    if (offset != DIAG_NO_OFFSET) {
        char number[32];

        snprintf(number, sizeof number, "offset 0x%" PRIx64 ": ", offset);
        line_add(line, number);
    }
    if (place && place[0]) {
        line_add(line, place);
        line_add(line, ": ");
    }
}

/* The first refusal wins; the caller holds no lock. */
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
    snprintf(refusal->file, sizeof refusal->file, "%s", file ? file : "");
    snprintf(refusal->place, sizeof refusal->place, "%s", place ? place : "");
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

        if (strerror_r(error_number, reason, sizeof reason) != 0)
            snprintf(reason, sizeof reason, "error %d", error_number);
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

bool diag_has_failed(struct diag *diag)
{
    bool has_failed;

    pthread_mutex_lock(&diag->lock);
    has_failed = diag->code != EXIT_DONE;
    pthread_mutex_unlock(&diag->lock);
    return has_failed;
}
