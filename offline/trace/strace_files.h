/* strace_files.h - the open files of a recording, by file number.
 *
 * strace_import.c reports each call that opens, closes, duplicates or moves.
 * For each number the table has the path, the current offset of the file, and
 * the ranges of bytes that were read. All processes share one table.
 * Processes that use a number for different files are distinguished only by the
 * paths that strace -y prints.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_TRACE_STRACE_FILES_H
#define OFFLINE_TRACE_STRACE_FILES_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* File numbers are 0 .. STRACE_FILES_MAX - 1; others are ignored. */
#define STRACE_FILES_MAX 65536u
/* Ranges of read bytes that are kept for each file. */
#define STRACE_RANGES_MAX 8u

struct strace_range {
    uint64_t begin;
    uint64_t end;
};

/* One opening of a file. Opening the same path again makes another one. */
struct strace_file {
    const char *path;
    uint64_t offset; /* of the next read without an offset, bytes */
    uint32_t number; /* counts openings */
    /* Bytes that were read. When there are too many ranges, the shortest is
     * forgotten. */
    struct strace_range ranges[STRACE_RANGES_MAX];
    uint32_t range_count;
};

struct strace_files {
    struct strace_file **by_number; /* two numbers may have the same opening */
    uint32_t opened_count;
    const char *folder;  /* current folder; NULL: unknown */
    struct arena *arena; /* owns files and paths */
};

void strace_files_init(struct strace_files *files, struct arena *arena);
/* A number now refers to a new opening of the path, which is copied. */
void strace_files_open(struct strace_files *files, int64_t number,
                       const char *path);
void strace_files_close(struct strace_files *files, int64_t number);
/* `copy` now refers to the opening that `number` refers to. */
void strace_files_dup(struct strace_files *files, int64_t number, int64_t copy);
/* The opening that a number refers to. `path` is the path that the call
 * states (NULL: none); where it differs, the number now refers to a new
 * opening of that path. NULL: unknown. */
struct strace_file *strace_files_find(struct strace_files *files,
                                      int64_t number, const char *path);

/* Change the current folder, which is copied (NULL: unknown). */
void strace_files_chdir(struct strace_files *files, const char *folder);
/* Join a path to a folder (NULL: unknown) unless the path is absolute. "." and
 * ".." are removed textually, as far as possible. Allocated in the arena. */
const char *strace_path_from(const char *folder, const char *path,
                             struct arena *arena);

/* Note that bytes were read. Returns false if all of them had been read since
 * the file was opened. */
bool strace_file_read(struct strace_file *file, uint64_t offset,
                      uint64_t bytes);

#endif
