/* platform_posix.h - Linux, BSD, macOS: pread, pthreads, a monotonic clock.
 *
 * Link libspindle-posix.a and the system's threads. Installed as
 * <spindle/platform_posix.h>.
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

/* End that thread, once the runtime that used the table has shut down. Does
 * nothing where there is none. */
void spn_platform_posix_end(spn_platform *table);

#ifdef __cplusplus
}
#endif
#endif
