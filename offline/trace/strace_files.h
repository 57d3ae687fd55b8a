/* strace_files.h - which file a number means, and where it is read next. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_TRACE_STRACE_FILES_H
#define OFFLINE_TRACE_STRACE_FILES_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define STRACE_FILES_MAX 65536u /* numbers of open files: 0..65535 */

#define STRACE_SPANS_MAX 8u

struct strace_span {
    uint64_t begin;
    uint64_t end;
};

/* A file that was opened, for the same path again another one. */
struct strace_file {
    const char *path;
    uint64_t offset; /* of the next read */
    uint32_t number; /* of the opening */
    /* what was read of it: those of which most is known */
    struct strace_span spans[STRACE_SPANS_MAX];
    uint32_t span_count;
};

/* Those of all processes, as threads share them: two processes whose numbers
 * or folders differ are told apart by strace -y alone. */
struct strace_files {
    struct strace_file **by_number; /* two numbers may mean one opening */
    uint32_t opened_count;
    const char *folder; /* that relative paths begin in; NULL: not told */
    struct arena *arena;
};

void strace_files_init(struct strace_files *files, struct arena *arena);
/* Copies the path. */
void strace_files_open(struct strace_files *files, int64_t number,
                       const char *path);
void strace_files_close(struct strace_files *files, int64_t number);
/* `copy` means what `number` means. */
void strace_files_copy(struct strace_files *files, int64_t number,
                       int64_t copy);
/* The file of a number; `path` (NULL: not told) is what the call says of it,
 * and opens another if that is another's. NULL: nobody told. */
struct strace_file *strace_files_find(struct strace_files *files,
                                      int64_t number, const char *path);

/* Relative paths begin in `folder` (NULL: not told) from now on. Copies it. */
void strace_files_enter(struct strace_files *files, const char *folder);
/* A path, if it is relative from `folder` on (NULL: not told), without "." and
 * ".." as far as that goes by its text alone. In the arena. */
const char *strace_path_from(const char *folder, const char *path,
                             struct arena *arena);

/* Bytes are read. False: all of them were before, since it was opened. */
bool strace_file_read(struct strace_file *file, uint64_t offset,
                      uint64_t bytes);

#endif
