/* platform_win32.h - the platform table for Windows: overlapped reads, native
 * threads and events.
 *
 * Link libspindle-win32.a and kernel32. Windows 7 and later. The header is
 * installed as <spindle/platform_win32.h>.
 *
 * Paths are UTF-8 and may be longer than 260 characters. Waits have the
 * resolution of the system's timer: 15.6 ms, unless the application sets a
 * finer one (timeBeginPeriod). The end of a read wakes the io thread at once.
 *
 * The place of a file on its volume (disc_offset) is the place of its first
 * cluster, if the file system reports it (FSCTL_GET_RETRIEVAL_POINTERS).
 * Otherwise it is unknown. Thread priorities are relative to the priority of
 * the thread that calls spn_init.
 *
 * Thread of all functions: any thread while no runtime uses the table.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_PLATFORM_WIN32_H
#define SPINDLE_PLATFORM_WIN32_H

#include <spindle/platform.h>

#ifdef __cplusplus
extern "C" {
#endif

/* State of one table. There may be any number of tables at the same time. The
 * memory belongs to the caller and must stay valid until the runtime that uses
 * the table has shut down. */
typedef struct spn_platform_win32 spn_platform_win32;

/* Do not use the system's file cache (FILE_FLAG_NO_BUFFERING), so that streamed
 * data does not evict the data of other programs. Reads are aligned to 4096
 * bytes; the runtime copies the ends that are not aligned. */
#define SPN_WIN32_DIRECT 1u

/* Number of bytes that spn_platform_win32_init needs. */
size_t spn_platform_win32_bytes(void);
/* Set up a table in the caller's memory, which must be aligned to 16 bytes.
 * Nothing is allocated. Messages are written to stderr and to the debugger, one
 * line each.
 *
 * flags  SPN_WIN32_..., or 0
 *
 * Returns SPN_OK; SPN_ERR_ARG for a NULL or unaligned pointer or an unknown
 * flag; SPN_ERR_MEMORY if `bytes` is too small. */
spn_status spn_platform_win32_init(void *memory, size_t bytes, uint32_t flags,
                                   spn_platform *out);

#ifdef __cplusplus
}
#endif
#endif
