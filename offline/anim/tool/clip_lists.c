/* clip_lists.c - see clip_lists.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/clip_lists.h"

#include "anim/tool/file_names.h"
#include "common/path_match.h"
#include "host/host.h"
#include "pack/pack_rule.h"

#include <stdlib.h>
#include <string.h>

struct list {
    struct clip_groups *groups;
    const char *path;
    struct path_match match;
    const char *database;
    uint32_t line; /* from 1 */
};

static void put(const struct list *list, uint32_t clip)
{
    if (list->groups->clips[clip].group == CLIP_GROUP_NONE)
        clip_groups_put(list->groups, clip, list->database);
}

static bool refuse(const struct list *list, const char *what, const char *line)
{
    return diag_refuse(list->groups->diag, list->path, DIAG_NO_OFFSET,
                       arena_format(list->groups->arena, "line %u", list->line),
                       "%s \"%s\"", what, line);
}

static bool take_pattern(const struct list *list, const char *line)
{
    bool is_found = false;

    for (uint32_t i = 0; i < list->groups->clip_count; i++)
        if (pack_pattern_matches(line, strlen(line),
                                 list->groups->clips[i].name)) {
            put(list, i);
            is_found = true;
        }
    return is_found || refuse(list, "no clip matches", line);
}

static bool take_name(const struct list *list, const char *line)
{
    const char *either[2];
    uint32_t clip;

    if (!path_match_find(&list->match, line, &clip, either))
        return path_match_refuse(list->groups->diag, list->path, line, either);
    if (clip == PATH_MATCH_NONE)
        return refuse(list, "there is no clip", line);
    put(list, clip);
    return true;
}

static bool take_line(struct list *list, const char *line)
{
    if (!line[0] || line[0] == '#')
        return true;
    if (file_name_has_end(line, DATABASE_FILE_END)) {
        list->database = line;
        return true;
    }
    return strpbrk(line, "*?") ? take_pattern(list, line)
                               : take_name(list, line);
}

/* A copy without the spaces around it. */
static const char *trim(struct arena *arena, const char *first,
                        const char *limit)
{
    while (first < limit && strchr(" \t\r", *first))
        first++;
    while (limit > first && strchr(" \t\r", limit[-1]))
        limit--;
    return arena_string(arena, first, (size_t)(limit - first));
}

static const char **names_of(const struct clip_groups *groups)
{
    const char **names =
        ARENA_NEW(groups->arena, const char *, groups->clip_count);

    for (uint32_t i = 0; i < groups->clip_count; i++)
        names[i] = groups->clips[i].name;
    return names;
}

bool clip_groups_by_lines(struct clip_groups *groups, const char *path,
                          const char *prefix, const char *text, size_t bytes)
{
    struct arena *arena = groups->arena;
    struct list list = {
        .groups = groups,
        .path = path,
        .database = arena_format(arena, "%s%s%s", prefix,
                                 file_safe_name(arena, file_stem(arena, path)),
                                 DATABASE_FILE_END)};
    size_t at = 0;

    path_match_init(&list.match, arena, names_of(groups), groups->clip_count);
    for (list.line = 1; at < bytes; list.line++) {
        const char *end = memchr(text + at, '\n', bytes - at);
        const size_t next = end ? (size_t)(end - text) : bytes;

        if (memchr(text + at, 0, next - at))
            return refuse(&list, "a zero byte after", text + at);
        if (!take_line(&list, trim(arena, text + at, text + next)))
            return false;
        at = next + 1;
    }
    return true;
}

bool clip_groups_by_list(struct clip_groups *groups, const char *path,
                         const char *prefix)
{
    void *text;
    size_t bytes;
    bool is_good;

    if (!host_read_file(path, &text, &bytes, groups->diag))
        return false;
    is_good = clip_groups_by_lines(groups, path, prefix, text, bytes);
    free(text);
    return is_good;
}
