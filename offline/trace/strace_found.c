/* strace_found.c - see strace_found.h. */
/* SPDX-License-Identifier: MIT */
#include "trace/strace_found.h"

#include "pack/read_trace.h"

#include <spindle/read.h>
#include <string.h>

#define GROW_FIRST 1024u

static size_t root_bytes_of(const char *root)
{
    size_t bytes = root ? strlen(root) : 0;

    while (bytes > 0 && root[bytes - 1] == '/')
        bytes--;
    return bytes;
}

void strace_found_init(struct strace_found *found,
                       const struct strace_options *options,
                       struct strace_report *report, struct arena *arena)
{
    *found = (struct strace_found){.options = options,
                                   .report = report,
                                   .arena = arena,
                                   .root_bytes = root_bytes_of(options->root)};
}

/* What follows the root, or NULL: it lies elsewhere, or is no file of data. */
static const char *path_from_root(const struct strace_found *found,
                                  const char *path)
{
    static const char *const no_data[] = {"/dev/", "/proc/", "/sys/"};

    if (found->root_bytes > 0) {
        if (strncmp(path, found->options->root, found->root_bytes) != 0 ||
            path[found->root_bytes] != '/')
            return NULL;
        return path + found->root_bytes + 1;
    }
    for (size_t i = 0; i < sizeof no_data / sizeof no_data[0]; i++)
        if (strncmp(path, no_data[i], strlen(no_data[i])) == 0)
            return NULL;
    /* "pipe:[4711]", "socket:[4712]", "anon_inode:[eventfd]" */
    return strchr(path, '/') || !strstr(path, ":[") ? path : NULL;
}

/* Does the read go on where the thread's last one ended, and at once? */
static bool goes_on(const struct strace_found *found,
                    const struct strace_read *last,
                    const struct strace_read *read)
{
    return last->opening == read->opening &&
           last->offset + last->bytes == read->offset &&
           read->begin_us >= last->end_us &&
           read->begin_us - last->end_us < found->options->merge_us;
}

static void extend(struct strace_read *last, const struct strace_read *read)
{
    last->bytes += read->bytes;
    last->end_us = read->end_us;
    last->within_us += read->within_us;
}

/* Twice the room, in the arena: what was there stays until its end. */
static void grow(struct strace_found *found)
{
    struct strace_read *more;

    found->capacity = found->capacity ? 2 * found->capacity : GROW_FIRST;
    more = ARENA_NEW(found->arena, struct strace_read, found->capacity);
    if (found->count > 0)
        memcpy(more, found->reads, found->count * sizeof *more);
    found->reads = more;
}

static void add(struct strace_found *found, struct strace_reader *reader,
                const struct strace_read *read)
{
    if (reader->thread == UINT32_MAX)
        reader->thread = found->report->thread_count++;
    if (found->count == found->capacity)
        grow(found);
    found->reads[found->count] = *read;
    found->reads[found->count].thread = reader->thread;
    reader->last = ++found->count;
}

const char *strace_found_add(struct strace_found *found,
                             struct strace_reader *reader,
                             struct strace_file *file, struct strace_read read)
{
    struct strace_read *last =
        reader->last > 0 ? &found->reads[reader->last - 1] : NULL;
    bool is_new;

    read.path = path_from_root(found, file->path);
    read.line = found->report->line_count;
    read.opening = file->number;
    read.within_us = read.end_us - read.begin_us;
    found->report->call_count++;
    if (!read.path || !read.path[0]) {
        found->report->outside_count++;
        return NULL;
    }
    if (strlen(read.path) >= SPN_PATH_BYTES_MAX)
        return "a path of more than 511 bytes";
    if (read.offset > READ_TRACE_NUMBER_MAX ||
        read.bytes > READ_TRACE_NUMBER_MAX - read.offset)
        return "an offset of more than 2^53";
    is_new = strace_file_read(file, read.offset, read.bytes);
    if (last && goes_on(found, last, &read))
        extend(last, &read);
    else if (is_new)
        add(found, reader, &read);
    else
        found->report->again_count++;
    return NULL;
}
