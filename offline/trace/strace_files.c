/* strace_files.c - a table by number; an opening lives as long as the arena. */
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

void strace_files_copy(struct strace_files *files, int64_t number, int64_t copy)
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

/* ---- what was read --------------------------------------------------------
 */

static void remove_span(struct strace_file *file, uint32_t index)
{
    file->spans[index] = file->spans[--file->span_count];
}

static uint32_t shortest_span(const struct strace_file *file)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < file->span_count; i++)
        if (file->spans[i].end - file->spans[i].begin <
            file->spans[best].end - file->spans[best].begin)
            best = i;
    return best;
}

bool strace_file_read(struct strace_file *file, uint64_t offset, uint64_t bytes)
{
    struct strace_span all = {offset, offset + bytes};

    for (uint32_t i = 0; i < file->span_count; i++)
        if (file->spans[i].begin <= all.begin && all.end <= file->spans[i].end)
            return false;
    for (uint32_t i = file->span_count; i > 0; i--) {
        struct strace_span span = file->spans[i - 1];

        if (span.begin > all.end || all.begin > span.end)
            continue;
        all.begin = span.begin < all.begin ? span.begin : all.begin;
        all.end = span.end > all.end ? span.end : all.end;
        remove_span(file, i - 1);
    }
    if (file->span_count == STRACE_SPANS_MAX)
        remove_span(file, shortest_span(file));
    file->spans[file->span_count++] = all;
    return true;
}
