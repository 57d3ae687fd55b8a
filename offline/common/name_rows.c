/* name_rows.c - see name_rows.h. */
/* SPDX-License-Identifier: MIT */
#include "common/name_rows.h"

#include "base/endian.h"
#include "base/hash64.h"

#include <stdlib.h>
#include <string.h>

struct name_row name_row_make(const char *name, uint32_t number)
{
    return (struct name_row){spn__hash64(name, strlen(name), NAME_HASH_SEED),
                             name, number};
}

static int by_hash(const void *a, const void *b)
{
    const struct name_row *x = a;
    const struct name_row *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return strcmp(x->name, y->name);
}

void name_rows_sort(struct name_row *rows, uint32_t count)
{
    if (count > 0)
        qsort(rows, count, sizeof *rows, by_hash);
}

uint32_t name_row_put(const struct name_row *row, struct wire_named *wire,
                      uint32_t at, char *names)
{
    const uint32_t bytes = (uint32_t)strlen(row->name) + 1;

    spn_store_u64le(wire->hash, row->hash);
    spn_store_u32le(wire->name, at);
    memcpy(names + at, row->name, bytes);
    return at + bytes;
}
