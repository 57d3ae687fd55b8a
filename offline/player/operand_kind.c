/* operand_kind.c - look at the ends of names. */
/* SPDX-License-Identifier: MIT */
#include "player/operand_kind.h"

#include <stdbool.h>
#include <string.h>

#define IMAGE_CLIP ".sai:"

static bool ends_with(const char *text, const char *end)
{
    size_t bytes = strlen(text);

    return bytes > strlen(end) && strcmp(text + bytes - strlen(end), end) == 0;
}

const char *operand_clip(const char *operand)
{
    const char *found = strstr(operand, IMAGE_CLIP);

    if (!found || found == operand || found[sizeof IMAGE_CLIP - 1] == 0)
        return NULL;
    return found + sizeof IMAGE_CLIP - 2;
}

enum operand_kind operand_kind(const char *operand)
{
    if (operand_clip(operand) || ends_with(operand, ".sai"))
        return OPERAND_IMAGE;
    if (ends_with(operand, ".sac"))
        return OPERAND_CLIP;
    return ends_with(operand, ".sas") ? OPERAND_SKELETON : OPERAND_CACHE;
}

const char *operand_folder(const char *path, struct arena *arena)
{
    size_t bytes = strlen(path);

    while (bytes > 0 && path[bytes - 1] != '/' && path[bytes - 1] != '\\')
        bytes--;
    return arena_string(arena, path, bytes);
}

const char *operand_pak_name(const char *path, struct arena *arena)
{
    const char *colon = strrchr(path, ':');
    char *name;
    size_t count = 0;

    path = colon ? colon + 1 : path;
    name = arena_alloc(arena, strlen(path) + 1, 1);
    while (*path) {
        size_t bytes = strcspn(path, "/\\");

        if (bytes > 0 && strncmp(path, ".", bytes) != 0 &&
            (bytes != 2 || strncmp(path, "..", 2) != 0)) {
            if (count > 0)
                name[count++] = '/';
            memcpy(name + count, path, bytes);
            count += bytes;
        }
        path += bytes + (path[bytes] != 0);
    }
    name[count] = 0;
    return name;
}
