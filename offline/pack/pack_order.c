/* pack_order.c - orders that need no trace.
 *
 * Files are in the order of their names, so equal keys fall back on it.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/pack_order.h"

#include <stdlib.h>
#include <string.h>

const char *const pack_order_names[PACK_ORDERS] = {
    "name", "type", "size", "scene", "first-use", "small-first", "trace"};

/* The text after the last dot of the last part; "" for none. */
static const char *type_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *dot = strrchr(slash ? slash : name, '.');

    return dot ? dot + 1 : "";
}

struct sorted {
    const struct pack_file *file;
    const char *type;
    enum pack_order order;
};

static int compare(const void *a, const void *b)
{
    const struct sorted *x = a;
    const struct sorted *y = b;
    int order = 0;

    if (x->order == PACK_BY_TYPE)
        order = strcmp(x->type, y->type);
    else if (x->order == PACK_BY_SIZE)
        order = (x->file->bytes > y->file->bytes) -
                (x->file->bytes < y->file->bytes);
    return order != 0 ? order : strcmp(x->file->name, y->file->name);
}

void pack_order_by(const struct pack_files *files,
                   const struct pack_contents *contents, enum pack_order order,
                   struct pack_layout *out)
{
    struct sorted *sorted;
    uint8_t *has_copy;
    struct arena arena;

    arena_init(&arena);
    sorted = ARENA_NEW(&arena, struct sorted, files->count);
    has_copy = ARENA_NEW(&arena, uint8_t, contents->count);
    *out = (struct pack_layout){
        .contents = ARENA_NEW(files->arena, uint32_t, contents->count)};
    for (uint32_t i = 0; i < files->count; i++)
        sorted[i] = (struct sorted){&files->files[i],
                                    type_of(files->files[i].name), order};
    qsort(sorted, files->count, sizeof *sorted, compare);
    for (uint32_t i = 0; i < files->count; i++) {
        uint32_t content = sorted[i].file->content;

        if (has_copy[content] || sorted[i].file->bytes == 0)
            continue;
        has_copy[content] = 1;
        out->contents[out->count++] = content;
    }
    arena_free(&arena);
}
