/* text_writer.c - put text together in a buffer of fixed size. */
/* SPDX-License-Identifier: MIT */
#include "base/text_writer.h"

#include "base/assert.h"

#define DIGITS_MAX 20u

void spn__write_char(struct text_writer *w, char c)
{
    if (w->length < w->bytes)
        w->text[w->length] = c;
    w->length++;
}

void spn__write_text(struct text_writer *w, const char *text)
{
    while (*text)
        spn__write_char(w, *text++);
}

/* At least `digits` digits. */
static void write_digits(struct text_writer *w, uint64_t value, uint32_t digits)
{
    char reversed[DIGITS_MAX];
    uint32_t count = 0;

    while (value > 0 || count < digits) {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    }
    while (count > 0)
        spn__write_char(w, reversed[--count]);
}

void spn__write_number(struct text_writer *w, uint64_t value)
{
    write_digits(w, value, 1);
}

void spn__write_decimal(struct text_writer *w, int64_t value, uint32_t digits)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint64_t unit = 1;

    SPN_ASSERT(digits >= 1 && digits <= 9);
    for (uint32_t i = 0; i < digits; i++)
        unit *= 10;
    if (value < 0)
        spn__write_char(w, '-');
    write_digits(w, size / unit, 1);
    spn__write_char(w, '.');
    write_digits(w, size % unit, digits);
}

void spn__write_end(struct text_writer *w)
{
    if (w->bytes > 0)
        w->text[w->length < w->bytes ? w->length : w->bytes - 1] = 0;
}
