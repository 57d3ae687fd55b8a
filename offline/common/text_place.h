/* text_place.h - line and column of an error in a text file.
 *
 * Messages look like "fast.txt: line 3, column 8: seek_unit: ...".
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_TEXT_PLACE_H
#define OFFLINE_COMMON_TEXT_PLACE_H

#include "common/diag.h"

#include <stddef.h>
#include <stdint.h>

/* Both count from 1. A line ends with its LF. A column is a UTF-8 character, or
 * a byte that is not part of one. */
struct text_place {
    uint64_t line;
    uint64_t column;
};

/* Find the place of byte `at`, 0 to the length of the text. */
struct text_place text_place_find(const char *text, size_t at);

/* Refuse `file` with this place. `key` is the name of the field, or NULL.
 * Always returns false. */
__attribute__((format(printf, 5, 6))) bool text_place_refuse(
    struct diag *diag, const char *file, struct text_place place,
    const char *key, const char *format, ...);

#endif
