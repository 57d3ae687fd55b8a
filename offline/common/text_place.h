/* text_place.h - where in a text file something is wrong, for whoever opens it
 * in an editor: "fast.txt: line 3, column 8: seek_unit: ...".
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_TEXT_PLACE_H
#define OFFLINE_COMMON_TEXT_PLACE_H

#include "common/diag.h"

#include <stddef.h>
#include <stdint.h>

/* Both from 1. A line ends with its LF; a column is a character of UTF-8, or a
 * byte of what is none. */
struct text_place {
    uint64_t line;
    uint64_t column;
};

/* Of the byte `at`, 0..bytes of the text. */
struct text_place text_place_find(const char *text, size_t at);

/* Refuse what is wrong at this place of the file. `key`: of the field, or NULL.
 * Always false. */
__attribute__((format(printf, 5, 6))) bool text_place_refuse(
    struct diag *diag, const char *file, struct text_place place,
    const char *key, const char *format, ...);

#endif
