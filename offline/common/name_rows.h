/* name_rows.h - the rows of an index in the order of their names, as
 * pak/name_table.h reads them. The memory of names is the caller's.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_NAME_ROWS_H
#define OFFLINE_COMMON_NAME_ROWS_H

#include "pak/name_table.h"

#include <stdint.h>

struct name_row {
    uint64_t hash;
    const char *name;
    uint32_t number; /* index of the input */
};

struct name_row name_row_make(const char *name, uint32_t number);

/* Sort by hash, then by name. */
void name_rows_sort(struct name_row *rows, uint32_t count);

/* Write what a row begins with, and its name behind the `at` bytes of names
 * before it. Returns the bytes of names that are there then. */
uint32_t name_row_put(const struct name_row *row, struct wire_named *wire,
                      uint32_t at, char *names);

#endif
