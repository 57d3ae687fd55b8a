/* strace_collector.c - filters and merges reads as they are added. */
/* SPDX-License-Identifier: MIT */
#include "trace/strace_collector.h"

#include "pack/read_trace.h"

#include <spindle/read.h>
#include <string.h>

static size_t root_bytes_of(const char *root)
{
    size_t bytes = root ? strlen(root) : 0;

    while (bytes > 0 && root[bytes - 1] == '/')
        bytes--;
    return bytes;
}

void strace_collector_init(struct strace_collector *collector,
                           const struct strace_options *options,
                           struct strace_report *report, struct arena *arena)
{
    *collector =
        (struct strace_collector){.options = options,
                                  .report = report,
                                  .arena = arena,
                                  .root_bytes = root_bytes_of(options->root)};
}

/* The path below the root. NULL: the file lies elsewhere, or is a device, pipe
 * or socket. */
static const char *path_from_root(const struct strace_collector *collector,
                                  const char *path)
{
    static const char *const no_data[] = {"/dev/", "/proc/", "/sys/"};

    if (collector->root_bytes > 0) {
        if (strncmp(path, collector->options->root, collector->root_bytes) !=
                0 ||
            path[collector->root_bytes] != '/')
            return NULL;
        return path + collector->root_bytes + 1;
    }
    for (size_t i = 0; i < sizeof no_data / sizeof no_data[0]; i++)
        if (strncmp(path, no_data[i], strlen(no_data[i])) == 0)
            return NULL;
    /* "pipe:[4711]", "socket:[4712]", "anon_inode:[eventfd]" */
    return strchr(path, '/') || !strstr(path, ":[") ? path : NULL;
}

/* Return whether the read continues the last one of its thread: same opening,
 * next byte, and a pause of less than merge_us. */
static bool continues(const struct strace_collector *collector,
                      const struct strace_read *last,
                      const struct strace_read *read)
{
    return last->opening == read->opening &&
           last->offset + last->bytes == read->offset &&
           read->begin_us >= last->end_us &&
           read->begin_us - last->end_us < collector->options->merge_us;
}

static void extend(struct strace_read *last, const struct strace_read *read)
{
    last->bytes += read->bytes;
    last->end_us = read->end_us;
    last->within_us += read->within_us;
}

/* Double the capacity. The old array stays in the arena. */
static void add(struct strace_collector *collector,
                struct strace_reader *reader, const struct strace_read *read)
{
    if (reader->thread == UINT32_MAX)
        reader->thread = collector->report->thread_count++;
    collector->reads =
        arena_grow(collector->arena, collector->reads, collector->count,
                   &collector->capacity, sizeof *collector->reads);
    collector->reads[collector->count] = *read;
    collector->reads[collector->count].thread = reader->thread;
    reader->last = ++collector->count;
}

const char *strace_collector_add(struct strace_collector *collector,
                                 struct strace_reader *reader,
                                 struct strace_file *file,
                                 struct strace_read read)
{
    struct strace_read *last =
        reader->last > 0 ? &collector->reads[reader->last - 1] : NULL;
    bool is_new;

    read.path = path_from_root(collector, file->path);
    read.line = collector->report->line_count;
    read.opening = file->number;
    read.within_us = read.end_us - read.begin_us;
    collector->report->call_count++;
    if (!read.path || !read.path[0]) {
        collector->report->outside_count++;
        return NULL;
    }
    if (strlen(read.path) >= SPN_PATH_BYTES_MAX)
        return "a path of more than 511 bytes";
    if (read.offset > READ_TRACE_NUMBER_MAX ||
        read.bytes > READ_TRACE_NUMBER_MAX - read.offset)
        return "an offset of more than 2^53";
    is_new = strace_file_read(file, read.offset, read.bytes);
    if (last && continues(collector, last, &read))
        extend(last, &read);
    else if (is_new)
        add(collector, reader, &read);
    else
        collector->report->again_count++;
    return NULL;
}
