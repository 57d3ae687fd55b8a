/* host_folder.c - walk folders, list them, and create them.
 *
 * Links to files count as files. Links to folders are not followed: a link to a
 * parent would make the walk endless. A file that disappears during the walk is
 * an error.
 */
/* SPDX-License-Identifier: MIT */
#include "common/arena.h"
#include "host/host_system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Depth of folders, as a limit of the recursion. */
#define DEPTH_MAX 64u

struct walk {
    struct arena arena;
    size_t root_bytes; /* length of the path before the relative names */
    bool (*found)(void *user, const struct host_found *found);
    void *user;
    struct diag *diag;
    bool is_deep; /* folders in the folder are walked, too */
};

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct names {
    struct arena *arena;
    char **all;
    size_t count;
    uint64_t capacity;
};

static void add_name(void *user, const char *name)
{
    struct names *names = user;

    names->all = arena_grow(names->arena, names->all, names->count,
                            &names->capacity, sizeof(char *));
    names->all[names->count++] = arena_string(names->arena, name, strlen(name));
}

static bool walk_folder(struct walk *w, const char *path, unsigned depth)
{
    struct names names = {.arena = &w->arena};

    if (!host_system_list(path, add_name, &names, w->diag))
        return false;
    if (depth > DEPTH_MAX)
        return diag_io(w->diag, path, 0, "more than %u folders deep",
                       DEPTH_MAX);
    if (names.count > 0)
        qsort(names.all, names.count, sizeof *names.all, by_bytes);
    for (size_t i = 0; i < names.count; i++) {
        struct host_found found = {0};

        found.path = arena_format(&w->arena, "%s/%s", path, names.all[i]);
        found.name = found.path + w->root_bytes;
        if (!host_system_classify(found.path, &found, w->diag))
            return false;
        if (found.kind == HOST_FOLDER) {
            if (w->is_deep && !walk_folder(w, found.path, depth + 1))
                return false;
        } else if (!w->found(w->user, &found)) {
            return false;
        }
    }
    return true;
}

static bool walk(struct walk *w, const char *folder)
{
    size_t length = strlen(folder);
    const char *root;
    bool is_good;

    arena_init(&w->arena);
    /* Remove slashes at the end: "a/" becomes "a". "/" remains. */
    while (length > 1 && host_system_is_separator(folder[length - 1]))
        length--;
    root = arena_string(&w->arena, folder, length);
    w->root_bytes = length + 1;
    is_good = walk_folder(w, root, 0);
    arena_free(&w->arena);
    return is_good;
}

bool host_folder_walk(const char *folder,
                      bool (*found)(void *user, const struct host_found *found),
                      void *user, struct diag *diag)
{
    struct walk w = {
        .found = found, .user = user, .diag = diag, .is_deep = true};

    return walk(&w, folder);
}

bool host_folder_list(const char *folder,
                      bool (*found)(void *user, const struct host_found *found),
                      void *user, struct diag *diag)
{
    struct walk w = {.found = found, .user = user, .diag = diag};

    return walk(&w, folder);
}

bool host_make_folders(const char *path, struct diag *diag)
{
    char *copy = malloc(strlen(path) + 1);
    bool is_good = true;

    if (!copy)
        return diag_io(diag, path, ENOMEM, "cannot make its folder");
    memcpy(copy, path, strlen(path) + 1);
    for (char *at = copy + (copy[0] != 0); *at && is_good; at++) {
        char separator = *at;
        int error;

        if (!host_system_is_separator(separator))
            continue;
        *at = 0;
        error = host_system_make_folder(copy);
        if (error != 0)
            is_good = diag_io(diag, copy, error, "cannot make the folder");
        *at = separator;
    }
    free(copy);
    return is_good;
}
