/* strace_import.h - what a game read under strace becomes a trace.
 *
 *   strace -f -ttt -y -e trace=openat,read,pread64,lseek,mmap,close,sendfile,\
 *       copy_file_range,splice,io_uring_setup -o a.strace
 *
 * Reads are those of read, readv, pread and their kin that brought bytes, what
 * sendfile, copy_file_range and splice took from a file, and files that are
 * mapped, as reads of what is mapped. With -y each call has its file's path;
 * without, the calls that open it must be there, and chdir and fchdir, from
 * which relative paths go on. -T, which says how long each call took, is used
 * where it is there. What io_uring reads, strace does not see: the report has
 * the line from which reads may be missing.
 *
 * What was read since a file was opened is not read again: who goes back and
 * forth in it has it in a buffer. Reads of one opened file that follow each
 * other in it and in their thread, without a pause, become one: a library reads
 * a file in small pieces, and a game on a slow disc in large ones.
 *
 * Reads are chained: each to its thread's read before. The first of a thread
 * starts at its time, for nothing says what it waited for. The time within
 * reads is the recording machine's and left out.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_TRACE_STRACE_IMPORT_H
#define OFFLINE_TRACE_STRACE_IMPORT_H

#include "common/arena.h"
#include "common/diag.h"
#include "pack/read_trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads from a time on, counted from the first, are of a scene. */
struct strace_scene {
    const char *name;
    uint64_t at_us;
};

struct strace_options {
    const char *root; /* NULL: all files; else what lies below, named from
                       * there */
    const struct strace_scene *scenes; /* by time, the first at 0 */
    uint32_t scene_count;              /* > 0 */
    uint64_t merge_us;                 /* a pause that is none; 0: every read
                                        * stays by itself */
};

struct strace_report {
    uint32_t line_count;
    uint32_t call_count;    /* that brought bytes of files */
    uint32_t outside_count; /* of these: not below the root, */
    uint32_t again_count;   /* or of bytes that were read before */
    uint32_t unknown_count; /* reads whose file no call told */
    uint32_t io_uring_line; /* the first that sets one up; 0: none */
    uint32_t thread_count;
};

/* `out` lies in the arena. False after a refusal, with line and column. */
bool strace_import(const char *file, const char *text, size_t bytes,
                   const struct strace_options *options, struct arena *arena,
                   struct read_trace *out, struct strace_report *report,
                   struct diag *diag);

#endif
