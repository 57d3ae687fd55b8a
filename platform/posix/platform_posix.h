/* platform_posix.h - Linux, BSD, macOS: pread, pthreads, a monotonic clock.
 *
 * Link libspindle-posix.a and the system's threads. Installed as
 * <spindle/platform_posix.h>.
 *
 * A file's place on its disc is that of its first byte, as the file system
 * tells (FIEMAP, on Linux), or unknown. Priorities of threads are steps of nice
 * on Linux, where a higher one wants a privilege (CAP_SYS_NICE, or RLIMIT_NICE)
 * and is left out without; elsewhere there are none.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_PLATFORM_POSIX_H
#define SPINDLE_PLATFORM_POSIX_H

#include <spindle/platform.h>

#ifdef __cplusplus
extern "C" {
#endif

/* State of one table; any number may live side by side. The caller owns it
 * until the runtime that uses it has shut down. */
typedef struct spn_platform_posix spn_platform_posix;

/* Bytes of the state, and its set-up in the caller's memory (aligned to 16).
 * No allocation. Logging goes to stderr, one line a message. Returns
 * SPN_ERR_ARG, SPN_ERR_MEMORY. */
size_t spn_platform_posix_bytes(void);
spn_status spn_platform_posix_init(void *memory, size_t bytes,
                                   spn_platform *out);

/* Options of the hard disk's and of the optical folder's files. */

/* Read past the system's cache (O_DIRECT; F_NOCACHE on macOS): what is streamed
 * does not push out what others need. Reads are then aligned to what the file
 * asks for (statx, Linux 6.1 and later), else to 4096 bytes, and the runtime
 * copies heads and tails itself. A file system that refuses is read as with
 * SPN_POSIX_NO_READ_AHEAD. */
#define SPN_POSIX_DIRECT 1u
/* Tell the system not to read ahead (POSIX_FADV_RANDOM): it would read what the
 * runtime did not ask for while its next read, elsewhere, waits. For a disc
 * with a head; where a read costs no seek it makes little difference. */
#define SPN_POSIX_NO_READ_AHEAD 2u
/* A thread of the table's reads the hard disk too, as it does an optical
 * folder. Then a read can be cancelled, within 256 KiB, and time out; it costs
 * two changes of threads a piece. spn_platform_posix_end is owed. */
#define SPN_POSIX_READ_THREAD 4u

/* Set options, once, on a table as spn_platform_posix_init filled it, not given
 * to a runtime yet. Returns SPN_ERR_ARG for a bit that is none of these,
 * SPN_ERR_STATE when there are options already, SPN_ERR_PLATFORM when no thread
 * could be had. */
SPN_NODISCARD spn_status spn_platform_posix_set_options(spn_platform *table,
                                                        uint32_t options);

/* Files below a folder lie on a drive of their own, and a slow one: their
 * medium is SPN_MEDIUM_OPTICAL, and a thread of the table's reads them, so that
 * reads of all others, which are those of SPN_MEDIUM_HARD_DISK, go on
 * meanwhile.
 *
 * table   as spn_platform_posix_init filled it, not given to a runtime yet
 * folder  how the paths of these files begin, as the runtime is given them:
 *         "/media/disc", "data/disc/". Paths are compared as text: links, ".."
 *         and "./" are not resolved. Lives until spn_platform_posix_end
 *
 * Returns SPN_OK, and then spn_platform_posix_end is owed; SPN_ERR_ARG;
 * SPN_ERR_STATE when there is such a folder already; SPN_ERR_PLATFORM when no
 * thread could be had. */
SPN_NODISCARD spn_status spn_platform_posix_add_optical(spn_platform *table,
                                                        const char *folder);

/* End all these threads, once the runtime that used the table has shut down.
 * Does nothing where there is none. Options are gone, too. */
void spn_platform_posix_end(spn_platform *table);

#ifdef __cplusplus
}
#endif
#endif
