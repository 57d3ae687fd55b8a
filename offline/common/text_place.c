/* text_place.c - count lines and columns. */
/* SPDX-License-Identifier: MIT */
#include "common/text_place.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define KEY_BYTES 256u

struct text_place text_place_find(const char *text, size_t at)
{
    struct text_place place = {1, 1};
    size_t begin = 0;

    for (size_t i = 0; i < at; i++)
        if (text[i] == '\n') {
            place.line++;
            begin = i + 1;
        }
    while (begin < at) {
        uint32_t bytes = spn__text_sequence(text + begin, at - begin);

        begin += bytes > 0 ? bytes : 1;
        place.column++;
    }
    return place;
}

bool text_place_refuse(struct diag *diag, const char *file,
                       struct text_place place, const char *key,
                       const char *format, ...)
{
    char what[DIAG_TEXT_BYTES];
    char where[KEY_BYTES + 64];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(where, sizeof where, "line %" PRIu64 ", column %" PRIu64 "%s%.*s",
             place.line, place.column, key ? ": " : "", (int)KEY_BYTES,
             key ? key : "");
    return diag_refuse(diag, file, DIAG_NO_OFFSET, where, "%s", what);
}
