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

#ifdef __cplusplus
}
#endif
#endif
