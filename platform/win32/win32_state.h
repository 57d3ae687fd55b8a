/* win32_state.h - the state behind one win32 table; inside this folder only.
 *
 * Everything lies in the caller's memory: threads come from a fixed table,
 * events are the system's own, so nothing is allocated outside the kernel.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_WIN32_STATE_H
#define SPINDLE_WIN32_STATE_H

#include "win32_path.h"

#include <spindle/platform.h>

#include <stdbool.h>
#include <stdint.h>
#include <windows.h>

/* The io thread and as many workers as a runtime starts at most (64, and 4
 * reserved ones). */
#define WIN32_THREADS_MAX 69u

/* One read on each medium that file_open tells apart: the hard disk, and an
 * optical drive. */
#define WIN32_READS_MAX 2u

struct win32_thread {
    HANDLE handle;
    spn_thread_fn run;
    void *argument;
    bool is_used;
};

/* One extent of a read. The system writes to `overlapped` and to the extent's
 * memory until the piece has ended, however it was asked to stop. */
struct win32_piece {
    OVERLAPPED overlapped;
    uint32_t asked_bytes;
    uint32_t got_bytes;
    bool has_ended;
    bool has_failed;
};

struct win32_read {
    HANDLE file;
    HANDLE has_ended; /* auto-reset; NULL: no read is outstanding here */
    uint32_t tag;
    uint32_t piece_count;
    struct win32_piece pieces[SPN_PLATFORM_EXTENTS_MAX];
};

struct spn_platform_win32 {
    uint32_t flags;
    LARGE_INTEGER counts_per_second;
    /* The thread that reads: its waits end with a read, too. Written by that
     * thread, interlocked. */
    volatile LONG reader;
    /* io thread */
    struct win32_read reads[WIN32_READS_MAX];
    struct win32_path path;
    /* caller's thread at init and shutdown */
    struct win32_thread threads[WIN32_THREADS_MAX];
};

/* Fill the table's thread and event functions. */
void spn__win32_threads_fill(spn_platform *table);

/* Fill the table's read functions. */
void spn__win32_reads_fill(spn_platform *table);

/* The events of the outstanding reads if the calling thread is the one that
 * reads; their count. */
uint32_t spn__win32_reads_events(struct spn_platform_win32 *win32,
                                 HANDLE events[WIN32_READS_MAX]);

/* Performance counter in microseconds. */
uint64_t spn__win32_now_us(void *user);

#endif
