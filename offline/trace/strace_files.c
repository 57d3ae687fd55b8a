/* strace_files.c - openings live in the arena; the table points to them. */
/* SPDX-License-Identifier: MIT */
#include "trace/strace_files.h"

#include <stddef.h>
#include <string.h>

void strace_files_init(struct strace_files *files, struct arena *arena)
{
    *files = (struct strace_files){
        .by_number = ARENA_NEW(arena, struct strace_file *, STRACE_FILES_MAX),
        .arena = arena};
}

static bool is_number(int64_t number)
{
    return number >= 0 && number < STRACE_FILES_MAX;
}

void strace_files_open(struct strace_files *files, int64_t number,
                       const char *path)
{
    struct strace_file *file;

    if (!is_number(number))
        return;
    file = ARENA_NEW(files->arena, struct strace_file, 1);
    file->path = arena_string(files->arena, path, strlen(path));
    file->number = files->opened_count++;
    files->by_number[number] = file;
}

void strace_files_close(struct strace_files *files, int64_t number)
{
    if (is_number(number))
        files->by_number[number] = NULL;
}

void strace_files_dup(struct strace_files *files, int64_t number, int64_t copy)
{
    if (is_number(number) && is_number(copy))
        files->by_number[copy] = files->by_number[number];
}

struct strace_file *strace_files_find(struct strace_files *files,
                                      int64_t number, const char *path)
{
    const struct strace_file *file;

    if (!is_number(number))
        return NULL;
    file = files->by_number[number];
    if (path && (!file || strcmp(file->path, path) != 0))
        strace_files_open(files, number, path);
    return files->by_number[number];
}

/* -- paths -- */

void strace_files_chdir(struct strace_files *files, const char *folder)
{
    files->folder =
        folder ? arena_string(files->arena, folder, strlen(folder)) : NULL;
}

/* The offset of the last component of a path. `bytes` where ".." must not
 * remove one: nothing is left, or it is the ".." of a relative path. */
static size_t last_part(const char *path, size_t bytes, size_t root_bytes)
{
    size_t at = bytes;

    while (at > root_bytes && path[at - 1] != '/')
        at--;
    return bytes - at == 2 && memcmp(path + at, "..", 2) == 0 ? bytes : at;
}

/* Append the components of another path to the `used` bytes of `path`. Returns
 * the new length. */
static size_t add_parts(char *path, size_t used, size_t root_bytes,
                        const char *parts)
{
    while (*parts) {
        size_t bytes = strcspn(parts, "/");
        bool is_up = bytes == 2 && memcmp(parts, "..", 2) == 0;
        size_t last = last_part(path, used, root_bytes);

        if (is_up && last < used) {
            used = last > root_bytes ? last - 1 : root_bytes;
        } else if (bytes > 0 && !(bytes == 1 && *parts == '.') &&
                   !(is_up && root_bytes > 0)) {
            if (used > root_bytes)
                path[used++] = '/';
            memcpy(path + used, parts, bytes);
            used += bytes;
        }
        parts += bytes;
        parts += *parts == '/';
    }
    return used;
}

const char *strace_path_from(const char *folder, const char *path,
                             struct arena *arena)
{
    const char *before = folder && path[0] != '/' ? folder : "";
    size_t root_bytes = path[0] == '/' || before[0] == '/';
    char *out = arena_alloc(arena, strlen(before) + strlen(path) + 3, 1);
    size_t used = root_bytes;

    if (root_bytes > 0)
        out[0] = '/';
    used = add_parts(out, used, root_bytes, before);
    used = add_parts(out, used, root_bytes, path);
    out[used] = '\0';
    return out;
}

/* -- what was read -- */

static void remove_range(struct strace_file *file, uint32_t index)
{
    file->ranges[index] = file->ranges[--file->range_count];
}

static uint32_t shortest_range(const struct strace_file *file)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < file->range_count; i++)
        if (file->ranges[i].end - file->ranges[i].begin <
            file->ranges[best].end - file->ranges[best].begin)
            best = i;
    return best;
}

bool strace_file_read(struct strace_file *file, uint64_t offset, uint64_t bytes)
{
    struct strace_range all = {offset, offset + bytes};

    for (uint32_t i = 0; i < file->range_count; i++)
        if (file->ranges[i].begin <= all.begin &&
            all.end <= file->ranges[i].end)
            return false;
    for (uint32_t i = file->range_count; i > 0; i--) {
        struct strace_range range = file->ranges[i - 1];

        if (range.begin > all.end || all.begin > range.end)
            continue;
        all.begin = range.begin < all.begin ? range.begin : all.begin;
        all.end = range.end > all.end ? range.end : all.end;
        remove_range(file, i - 1);
    }
    if (file->range_count == STRACE_RANGES_MAX)
        remove_range(file, shortest_range(file));
    file->ranges[file->range_count++] = all;
    return true;
}
