/* name_table.h - rows of an index that are found by their names.
 *
 * Each row begins with struct wire_named. Rows are sorted by the hash of the
 * name, then by the name. The names are NUL-terminated, and follow each other
 * in the order of the rows. The index of a pak has such a table, and that of
 * animation clips has two. No state; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PAK_NAME_TABLE_H
#define SPN_PAK_NAME_TABLE_H

#include "base/wire.h"

#include <spindle/status.h>
#include <stdint.h>

/* Seed of the hash of a name (base/hash64.h). */
#define NAME_HASH_SEED 0u
/* No row. */
#define NAME_NONE UINT32_MAX

/* What every row begins with; bytes of a file. */
struct wire_named {
    uint8_t hash[8]; /* of the name without its NUL */
    uint8_t name[4]; /* offset from the first name */
};

/* A view of bytes that must outlive it. */
struct name_table {
    const uint8_t *rows;
    uint32_t row_bytes;
    uint32_t count; /* of rows */
    const char *names;
    uint32_t name_bytes; /* of all names, each with its NUL */
};

static inline const struct wire_named *name_table_row(
    const struct name_table *table, uint32_t row)
{
    return (const void *)(table->rows + (uint64_t)row * table->row_bytes);
}

/* Find the row with a name of `bytes` bytes, without a NUL, in a validated
 * table. Equal hashes are no proof: the names are compared. NAME_NONE: there is
 * none. O(log n); a few steps with hashes that are spread evenly. */
uint32_t spn__name_find(const struct name_table *table, const char *name,
                        uint32_t bytes);

/* The state of a validation, between rows. Begin with zeros; for a further
 * table whose names follow, set only `before` to NULL. */
struct name_walk {
    uint32_t at;                     /* of the next name */
    const struct wire_named *before; /* the row before; NULL: none */
    uint32_t length_before;
};

/* Validate the name of a row: its place, its end, its bytes (pak_name.h), its
 * hash, and that it is in order behind the row before. */
SPN_NODISCARD spn_status spn__name_validate(const struct name_table *table,
                                            uint32_t row,
                                            struct name_walk *walk,
                                            const struct wire_region *region);

#endif
