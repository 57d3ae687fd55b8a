/* platform_win32.h - Windows: overlapped reads, native threads and events.
 *
 * Link libspindle-win32.a; kernel32 is all it needs. Windows 7 and later.
 * Installed as <spindle/platform_win32.h>.
 *
 * Paths are UTF-8 and may be longer than 260 characters. A wait is as exact as
 * the system's timer: 15.6 ms, unless the application asks for more
 * (timeBeginPeriod). A read that ended wakes the io thread at once.
 *
 * A file's place on its volume is that of its first cluster, as the file system
 * tells (FSCTL_GET_RETRIEVAL_POINTERS), or unknown. The io thread's and
 * workers' priorities are steps from that of the thread that calls spn_init.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_PLATFORM_WIN32_H
#define SPINDLE_PLATFORM_WIN32_H

#include <spindle/platform.h>

#ifdef __cplusplus
extern "C" {
#endif

/* State of one table; any number may live side by side. The caller owns it
 * until the runtime that uses it has shut down. */
typedef struct spn_platform_win32 spn_platform_win32;

/* Read past the system's cache (FILE_FLAG_NO_BUFFERING): what is streamed does
 * not push out what others need. Every read is then aligned to 4096 bytes, and
 * the runtime copies heads and tails itself. */
#define SPN_WIN32_DIRECT 1u

/* Bytes of the state, and its set-up in the caller's memory (aligned to 16).
 * `flags` are SPN_WIN32_*, or 0. No allocation. Logging goes to stderr and to
 * the debugger, one line a message. Returns SPN_ERR_ARG, SPN_ERR_MEMORY. */
size_t spn_platform_win32_bytes(void);
spn_status spn_platform_win32_init(void *memory, size_t bytes, uint32_t flags,
                                   spn_platform *out);

#ifdef __cplusplus
}
#endif
#endif
