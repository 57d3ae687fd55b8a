/* win32_state.h - the state of a win32 table, for the files of this folder.
 *
 * The state lies in the caller's memory. Threads come from a fixed table;
 * events are objects of the system.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_WIN32_STATE_H
#define SPINDLE_WIN32_STATE_H

#include "win32_path.h"

#include <spindle/platform.h>

#include <stdbool.h>
#include <stdint.h>
#include <windows.h>

/* Most threads: the io thread, 64 workers and 4 reserved workers. */
#define WIN32_THREADS_MAX 69u

/* Most outstanding reads: one for each medium that file_open reports, the hard
 * disk and an optical drive. */
#define WIN32_READS_MAX 2u

struct win32_thread {
    HANDLE handle;
    spn_thread_fn run;
    void *argument;
    bool is_used;
};

/* One extent of a read. The system writes to `overlapped` and to the memory of
 * the extent until the piece has ended, also after a cancel. */
struct win32_piece {
    OVERLAPPED overlapped;
    uint32_t requested_bytes;
    uint32_t arrived_bytes;
    bool has_ended;
    bool has_failed;
};

struct win32_read {
    HANDLE file;
    HANDLE has_ended; /* auto-reset event; NULL: this element has no read */
    uint32_t tag;
    uint32_t piece_count;
    struct win32_piece pieces[SPN_PLATFORM_EXTENTS_MAX];
};

struct spn_platform_win32 {
    uint32_t flags;
    LARGE_INTEGER counts_per_second;
    /* Identity of the thread that submits reads. Its waits for events also end
     * when a read has ended. Written by that thread with interlocked
     * functions. */
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

/* Get the events of the outstanding reads. Returns their number; 0 if the
 * calling thread is not the one that submits reads. */
uint32_t spn__win32_reads_events(struct spn_platform_win32 *win32,
                                 HANDLE events[WIN32_READS_MAX]);

/* Time of the performance counter in microseconds. */
uint64_t spn__win32_now_us(void *user);

#endif
