/* path_match.c - names sorted by their last parts: a path is compared only with
 * names of the same last part.
 */
/* SPDX-License-Identifier: MIT */
#include "common/path_match.h"

#include <stdlib.h>
#include <string.h>

struct path_match_name {
    const char *last; /* points into the name */
    const char *name;
    uint32_t index;
};

static bool is_separator(char c)
{
    return c == '/' || c == '\\' || c == ':';
}

static const char *last_part(const char *path)
{
    const char *last = path;

    for (; *path; path++)
        if (is_separator(*path))
            last = path + 1;
    return last;
}

bool path_is_end(const char *end, const char *name)
{
    size_t bytes = strlen(end);
    size_t all = strlen(name);

    return all > bytes && is_separator(name[all - bytes - 1]) &&
           strcmp(name + all - bytes, end) == 0;
}

bool path_covers(const char *path, const char *name)
{
    size_t length = strlen(path);

    while (length > 0 && path[length - 1] == '/')
        length--;
    return strncmp(name, path, length) == 0 &&
           (name[length] == 0 || name[length] == '/');
}

static int compare(const void *a, const void *b)
{
    const struct path_match_name *x = a;
    const struct path_match_name *y = b;
    int order = strcmp(x->last, y->last);

    return order != 0 ? order : strcmp(x->name, y->name);
}

void path_match_init(struct path_match *match, struct arena *arena,
                     const char *const *names, uint32_t count)
{
    match->names = ARENA_NEW(arena, struct path_match_name, count);
    match->count = count;
    for (uint32_t i = 0; i < count; i++)
        match->names[i] =
            (struct path_match_name){last_part(names[i]), names[i], i};
    qsort(match->names, count, sizeof *match->names, compare);
}

/* Index of the first name whose last part is not smaller. */
static uint32_t find_first(const struct path_match *match, const char *last)
{
    uint32_t low = 0;
    uint32_t high = match->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (strcmp(match->names[middle].last, last) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool path_match_find(const struct path_match *match, const char *path,
                     uint32_t *index, const char *either[2])
{
    const char *last = last_part(path);
    const struct path_match_name *shorter = NULL;
    uint32_t longer_count = 0;

    *index = PATH_MATCH_NONE;
    for (uint32_t i = find_first(match, last);
         i < match->count && strcmp(match->names[i].last, last) == 0; i++) {
        const struct path_match_name *name = &match->names[i];

        if (strcmp(name->name, path) == 0) {
            *index = name->index;
            return true;
        }
        if (path_is_end(name->name, path)) {
            if (!shorter || strlen(name->name) > strlen(shorter->name))
                shorter = name;
        } else if (path_is_end(path, name->name) && longer_count++ < 2) {
            either[longer_count - 1] = name->name;
            *index = name->index;
        }
    }
    if (shorter && longer_count > 0)
        either[1] = shorter->name;
    else if (shorter)
        *index = shorter->index;
    return longer_count + (shorter != NULL) < 2;
}

bool path_match_refuse(struct diag *diag, const char *file, const char *path,
                       const char *const either[2])
{
    return diag_refuse(diag, file, DIAG_NO_OFFSET, path,
                       "may be either of: %s, %s", either[0], either[1]);
}
