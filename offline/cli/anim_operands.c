/* anim_operands.c - see anim_operands.h. */
/* SPDX-License-Identifier: MIT */
#include "cli/anim_operands.h"

#include "anim/tool/file_names.h"
#include "host/host.h"

#include <string.h>

struct list {
    struct arena *arena;
    const char *ends;
    const char **paths;
    uint32_t count;
    uint64_t capacity;
};

static void add(struct list *list, const char *path)
{
    list->paths =
        arena_grow(list->arena, list->paths, list->count, &list->capacity,
                   /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers. */
                   sizeof *list->paths);
    list->paths[list->count++] = arena_string(list->arena, path, strlen(path));
}

/* Does the name end with one of the words, and have more than that? */
static bool has_end(struct arena *arena, const char *name, const char *ends)
{
    const size_t length = strlen(name);
    size_t bytes;

    for (; *ends; ends += bytes + (ends[bytes] == ' ')) {
        bytes = strcspn(ends, " ");
        if (length > bytes &&
            file_name_compare(name + length - bytes,
                              arena_string(arena, ends, bytes)) == 0)
            return true;
    }
    return false;
}

static bool add_found(void *user, const struct host_found *found)
{
    struct list *list = user;

    if (found->kind == HOST_FILE &&
        has_end(list->arena, found->name, list->ends))
        add(list, found->path);
    return true;
}

bool anim_operands_list(const struct verb_call *call, const char *ends,
                        struct anim_operands *operands)
{
    struct list list = {.arena = call->arena, .ends = ends};

    *operands = (struct anim_operands){0};
    for (uint32_t i = 1; i < call->operand_count; i++) {
        const char *path = call->operands[i];
        enum host_kind kind;
        uint64_t bytes;

        if (!host_stat(path, &kind, &bytes, call->diag))
            return false;
        if (kind != HOST_FOLDER) {
            add(&list, path);
            continue;
        }
        operands->has_folder = true;
        if (!host_folder_walk(path, add_found, &list, call->diag))
            return false;
    }
    operands->paths = list.paths;
    operands->count = list.count;
    return list.count > 0 ||
           diag_refuse(call->diag, call->operands[1], DIAG_NO_OFFSET, NULL,
                       "there are no files of these kinds: %s", ends);
}
