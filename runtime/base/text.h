/* text.h - texts, where there is no C library. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_TEXT_H
#define SPN_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Byte by byte the same, to the NUL. */
bool spn__text_is_same(const char *a, const char *b);

/* Bytes of the UTF-8 sequence at `text`, of which `left` bytes are there, > 0
 * (no NUL is part of one); 0 when it is none: too long, a surrogate, beyond
 * U+10FFFF. */
uint32_t spn__text_sequence(const char *text, uint64_t left);

#endif
