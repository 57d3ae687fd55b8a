/* text.h - comparison of texts, and UTF-8. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_TEXT_H
#define SPN_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Return whether two NUL-terminated texts are equal. */
bool spn__text_is_same(const char *a, const char *b);
/* The same, but upper and lower case of ASCII letters are equal. */
bool spn__text_is_same_word(const char *a, const char *b);

/* Length of the UTF-8 sequence at `text`, in bytes. 0 if it is invalid:
 * overlong, a surrogate, above U+10FFFF, cut off, or with a NUL inside.
 *
 * left  number of bytes at `text`, > 0 */
uint32_t spn__text_sequence(const char *text, uint64_t left);

#endif
