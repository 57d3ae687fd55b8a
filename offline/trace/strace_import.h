/* strace_import.h - makes a read trace from a recording by strace.
 *
 *   strace -f -ttt -y -e trace=openat,read,pread64,lseek,mmap,close,sendfile,\
 *       copy_file_range,splice,io_uring_setup -o a.strace
 *
 * Imported reads are: read, readv, pread and their variants that returned
 * bytes; what sendfile, copy_file_range and splice took from a file; and mapped
 * files, as a read of everything that is mapped. With -y each call states the
 * path of its file. Without -y, the recording must contain the calls that open
 * files, and chdir and fchdir for relative paths. Durations (-T) are used where
 * they are there. strace cannot see what io_uring reads: the report has the
 * line from which reads may be missing.
 *
 * Bytes that were read since a file was opened are not read again: a program
 * that goes back in a file is assumed to have them in a buffer. Reads of one
 * opening that continue each other, in one thread and without a pause, become
 * one read: libraries read files in small pieces, but a game on a slow disc
 * would use large ones.
 *
 * Each read is chained to the read before it in its thread. The first read of a
 * thread starts at its recorded time, since the recording does not show the
 * event for which it waited. Time spent within reads depends on the recording
 * machine, and is left out.
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

/* A scene begins `at_us` after the first read, and ends where the next one
 * begins. */
struct strace_scene {
    const char *name;
    uint64_t at_us;
};

struct strace_options {
    const char *root; /* import only files below this folder, and name them
                       * relative to it; NULL: import all */
    const struct strace_scene *scenes; /* by rising time, the first at 0 */
    uint32_t scene_count;              /* > 0 */
    uint64_t merge_us; /* merge reads with a shorter pause between them; 0: do
                        * not merge */
};

struct strace_report {
    uint32_t line_count;
    uint32_t call_count;    /* calls that read bytes of a known file */
    uint32_t outside_count; /* of these: not below the root */
    uint32_t again_count;   /* of these: only bytes that were read before */
    uint32_t unknown_count; /* calls that read from an unknown file */
    uint32_t io_uring_line; /* the first line with io_uring_setup; 0: none */
    uint32_t thread_count;  /* threads that read */
};

/* Import the `bytes` bytes of `text`; `file` is its name, for messages. The
 * trace belongs to the arena. Returns false after a refusal, which names line
 * and column. */
bool strace_import(const char *file, const char *text, size_t bytes,
                   const struct strace_options *options, struct arena *arena,
                   struct read_trace *out, struct strace_report *report,
                   struct diag *diag);

#endif
