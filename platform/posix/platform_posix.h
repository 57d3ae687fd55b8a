/* platform_posix.h - the platform table for Linux, BSD and macOS: preadv,
 * pthreads and a monotonic clock.
 *
 * Link libspindle-posix.a and the system's thread library. The header is
 * installed as <spindle/platform_posix.h>.
 *
 * The place of a file on its disc (disc_offset) is the place of its first byte,
 * if the file system reports it (FIEMAP, on Linux). Otherwise it is unknown.
 * Thread priorities are steps of nice on Linux. A priority above that of the
 * starting thread needs a privilege (CAP_SYS_NICE, or RLIMIT_NICE); without it
 * the priority is not changed. Other systems have no priorities.
 *
 * Thread of all functions: any thread while no runtime uses the table.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_PLATFORM_POSIX_H
#define SPINDLE_PLATFORM_POSIX_H

#include <spindle/platform.h>

#ifdef __cplusplus
extern "C" {
#endif

/* State of one table. There may be any number of tables at the same time. The
 * memory belongs to the caller and must stay valid until the runtime that uses
 * the table has shut down. */
typedef struct spn_platform_posix spn_platform_posix;

/* Number of bytes that spn_platform_posix_init needs. */
size_t spn_platform_posix_bytes(void);
/* Set up a table in the caller's memory, which must be aligned to 16 bytes.
 * Nothing is allocated. Messages are written to stderr, one line each. Returns
 * SPN_OK; SPN_ERR_ARG if a pointer is NULL or not aligned; SPN_ERR_MEMORY if
 * `bytes` is too small. */
spn_status spn_platform_posix_init(void *memory, size_t bytes,
                                   spn_platform *out);

/* Options, for all files. */

/* Do not use the system's file cache (O_DIRECT; F_NOCACHE on macOS), so that
 * streamed data does not evict the data of other programs. Reads are aligned to
 * the unit that the file requires (statx, Linux 6.1 and later), otherwise to
 * 4096 bytes; the runtime copies the ends that are not aligned. A file on a
 * file system without this mode is read as with SPN_POSIX_NO_READ_AHEAD. */
#define SPN_POSIX_DIRECT 1u
/* Disable the system's read-ahead (POSIX_FADV_RANDOM). It would delay the next
 * read of the runtime, which is usually elsewhere. Useful for a disc with a
 * head; on other media it makes little difference. */
#define SPN_POSIX_NO_READ_AHEAD 2u
/* Read the hard disk by a thread of its own, as an optical folder. Then a read
 * can be cancelled, after at most 256 KiB more, and can time out. Each piece
 * costs two thread switches. spn_platform_posix_end must be called. */
#define SPN_POSIX_READ_THREAD 4u

/* Set options, once. The table must be unchanged since spn_platform_posix_init,
 * and must not be used by a runtime yet. Returns SPN_OK; SPN_ERR_ARG for an
 * unknown bit; SPN_ERR_STATE if options were set before; SPN_ERR_PLATFORM if
 * the thread cannot be started. */
SPN_NODISCARD spn_status spn_platform_posix_set_options(spn_platform *table,
                                                        uint32_t options);

/* Declare that the files in a folder are on a slow drive of their own. Their
 * medium is SPN_MEDIUM_OPTICAL, and a thread of the table reads them. Files
 * elsewhere are of SPN_MEDIUM_HARD_DISK; they are read at the same time.
 *
 * table   must be unchanged since spn_platform_posix_init, and must not be used
 *         by a runtime yet
 * folder  the begin of the paths of these files, as the runtime receives them:
 *         "/media/disc", "data/disc/". Paths are compared as text: links, ".."
 *         and "./" are not resolved. Must stay valid until
 *         spn_platform_posix_end
 *
 * Returns SPN_OK: spn_platform_posix_end must be called later; SPN_ERR_ARG;
 * SPN_ERR_STATE if the table has such a folder already; SPN_ERR_PLATFORM if the
 * thread cannot be started. */
SPN_NODISCARD spn_status spn_platform_posix_add_optical(spn_platform *table,
                                                        const char *folder);

/* End the threads of the table and clear its options. The runtime that used the
 * table must have shut down. No effect if there are no threads. */
void spn_platform_posix_end(spn_platform *table);

#ifdef __cplusplus
}
#endif
#endif
