/* bvh_text.c - split a BVH file into words. */
/* SPDX-License-Identifier: MIT */
#include "anim/source/bvh_text.h"

#include "base/text.h"
#include "common/text_place.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES_MAX 63u
#define WORD_SHOWN_BYTES 40u /* of a word, in messages */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool bvh_next(struct bvh_text *text)
{
    size_t at = text->at;

    while (at < text->size && is_space(text->text[at]))
        at++;
    text->begin = at;
    if (at < text->size && (text->text[at] == '{' || text->text[at] == '}'))
        at++;
    else
        while (at < text->size && !is_space(text->text[at]) &&
               text->text[at] != '{' && text->text[at] != '}')
            at++;
    text->at = at;
    text->length = at - text->begin;
    return text->length > 0;
}

bool bvh_word(struct bvh_text *text, const char *expected)
{
    return bvh_next(text) ||
           bvh_refuse(text, "the file ends here, %s is missing", expected);
}

bool bvh_is(const struct bvh_text *text, const char *word)
{
    char copy[16];

    if (text->length != strlen(word) || text->length >= sizeof copy)
        return false;
    memcpy(copy, text->text + text->begin, text->length);
    copy[text->length] = 0;
    return spn__text_is_same_word(copy, word);
}

/* Copy the last word, shortened and printable, for a message. */
static const char *shown(const struct bvh_text *text, char out[64])
{
    char word[WORD_SHOWN_BYTES + 1];
    size_t length = text->length;

    if (length > WORD_SHOWN_BYTES)
        length = WORD_SHOWN_BYTES;
    memcpy(word, text->text + text->begin, length);
    word[length] = 0;
    diag_name(word, out, 64);
    return out;
}

bool bvh_expect(struct bvh_text *text, const char *word)
{
    char name[64];

    if (!bvh_word(text, word))
        return false;
    return bvh_is(text, word) ||
           bvh_refuse(text, "\"%s\" where \"%s\" is expected",
                      shown(text, name), word);
}

bool bvh_number(struct bvh_text *text, const char *what, double *out)
{
    char word[NUMBER_BYTES_MAX + 1];
    char name[64];
    char *end;
    double value;

    if (!bvh_word(text, what))
        return false;
    if (text->length > NUMBER_BYTES_MAX)
        return bvh_refuse(text, "%s: \"%s\" is no number", what,
                          shown(text, name));
    memcpy(word, text->text + text->begin, text->length);
    word[text->length] = 0;
    /* strtod also reads hexadecimal digits, "nan" and "infinity". */
    value = strtod(word, &end);
    if (strspn(word, "+-.0123456789eE") != text->length ||
        end != word + text->length)
        return bvh_refuse(text, "%s: \"%s\" is no number", what,
                          shown(text, name));
    if (!isfinite(value))
        return bvh_refuse(text, "%s: %s is too large", what, word);
    *out = value;
    return true;
}

bool bvh_whole(struct bvh_text *text, const char *what, uint64_t high,
               uint64_t *out)
{
    char name[64];
    uint64_t value = 0;

    if (!bvh_word(text, what))
        return false;
    for (size_t i = 0; i < text->length; i++) {
        const char c = text->text[text->begin + i];

        if (c < '0' || c > '9')
            return bvh_refuse(text, "%s: \"%s\" is no whole number", what,
                              shown(text, name));
        if (value > (high - (uint64_t)(c - '0')) / 10)
            return bvh_refuse(text, "%s: %s is too large", what,
                              shown(text, name));
        value = 10 * value + (uint64_t)(c - '0');
    }
    *out = value;
    return true;
}

bool bvh_refuse(const struct bvh_text *text, const char *format, ...)
{
    char what[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return text_place_refuse(text->diag, text->path,
                             text_place_find(text->text, text->begin), NULL,
                             "%s", what);
}
