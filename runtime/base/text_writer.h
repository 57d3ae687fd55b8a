/* text_writer.h - put text together in a buffer of fixed size.
 *
 * What does not fit is dropped but counted, so a caller can learn the size that
 * it needs. Integers only; no locale. Any thread, each writer by one.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_TEXT_WRITER_H
#define SPN_BASE_TEXT_WRITER_H

#include <stdint.h>

struct text_writer {
    char *text; /* `bytes` long; may be NULL if that is 0 */
    uint64_t bytes;
    uint64_t length; /* of the whole text, without its NUL */
};

void spn__write_char(struct text_writer *w, char c);
void spn__write_text(struct text_writer *w, const char *text);
/* A decimal number. */
void spn__write_number(struct text_writer *w, uint64_t value);
/* value / 10^digits, with `digits` decimals: (-1234, 3) gives -1.234. digits 1
 * to 9. */
void spn__write_decimal(struct text_writer *w, int64_t value, uint32_t digits);
/* Set the NUL, behind the text or at the end of the buffer. */
void spn__write_end(struct text_writer *w);

#endif
