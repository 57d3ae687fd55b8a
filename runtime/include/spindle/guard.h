/* guard.h - threads that must not wait for a slow medium.
 *
 * A thread that draws may read as if it read by itself (spn_read_wait), and on
 * a developer's machine nobody notices. From an optical drive the picture
 * stands still for as long as the head takes, and for what waits before it. So
 * the game says who must not wait for what, once, and is told when it happens:
 *
 *   spn_guard_thread(rt, SPN_ROLE_MAIN);               ... on the main thread
 *   spn_guard_medium(rt, SPN_MEDIUM_OPTICAL, SPN_ROLE_MAIN | SPN_ROLE_RENDER);
 *   spn_guard_file(rt, loading_screen, 0);             ... this one is allowed
 *
 * A wait is invalid when the thread has one of the roles that the read itself
 * (spn_read_desc.guard_roles), or else its file, or else its medium, names, and
 * the read had not ended when it was called. A look is no wait, neither
 * spn_read_poll nor spn_read_wait without a time-out: a frame that looks once
 * is as it should be, and one that looks until the read has ended is not found
 * out. A wait goes on as any other and returns what any other would. Then it is
 * counted (spn_io_stats.invalid_waits), kept for spn_guard_get_last, told to
 * the listener (listener.h: invalid_wait), the first one logged; and with
 * spn_config.invalid_wait_us it does not return earlier than that: so that it
 * hurts on a fast disk, too; as much as on the drive itself with
 * SPN_INVALID_WAIT_DRIVE, which is what happens on an emulated drive where
 * nothing is said.
 *
 * Without marks a wait costs one load more.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GUARD_H
#define SPINDLE_GUARD_H

#include <spindle/features.h>
#include <spindle/platform.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Roles are bits. These have names; those up to bit 30 mean what the caller
 * says. Bit 31 is none. */
#define SPN_ROLE_MAIN 1u
#define SPN_ROLE_RENDER 2u

/* For spn_guard_file: as the file's medium, which is how it begins. */
#define SPN_GUARD_AS_MEDIUM 0x80000000u

/* For spn_config.invalid_wait_us: as long as the drive of the read's medium
 * takes for the read where its head was elsewhere: a typical seek, the wait for
 * the sector, and its bytes. The drive is the one that spn_config.media names,
 * or else the platform's, as the emulator's is (spn_platform.medium_jump_us).
 * Nothing where neither knows one. */
#define SPN_INVALID_WAIT_DRIVE UINT32_MAX

/* Threads that may be marked in one runtime at a time. */
#define SPN_GUARD_THREADS_MAX 16u

#if SPN_WITH_OBSERVERS
/* Mark the calling thread with roles; 0: with none any more, as every thread
 * should before it ends, since another may get its identity, and its place.
 * SPN_ERR_ARG for bit 31; SPN_ERR_TABLE_FULL; SPN_ERR_PLATFORM on a platform
 * that has threads and no thread_current. Where there are no threads all calls
 * are of one. Thread: any. */
spn_status spn_guard_thread(spn_runtime *rt, uint32_t roles);

/* Who must not wait for reads of a medium; 0: nobody, which is how it begins.
 * Counts for waits from now on. SPN_ERR_ARG for bit 31, or a medium that is
 * none. Thread: any. */
spn_status spn_guard_medium(spn_runtime *rt, spn_medium medium, uint32_t roles);

/* Who must not wait for reads of a file, whatever it lies on; 0: nobody, even
 * if its medium says otherwise; SPN_GUARD_AS_MEDIUM alone: what that says.
 * Counts for reads that are started from now on. Reads by path and of entries
 * are guarded as their medium, unless they say otherwise. SPN_ERR_ARG;
 * SPN_ERR_HANDLE. Thread: caller's. */
spn_status spn_guard_file(spn_runtime *rt, spn_file file, uint32_t roles);
#endif

/* An invalid wait. */
typedef struct spn_invalid_wait {
    spn_read read;
    spn_task task;
    spn_medium medium;  /* SPN_MEDIUM_COUNT: it was not known in the end */
    uint32_t roles;     /* of the thread, those that were forbidden */
    uint64_t offset;    /* in the file or entry, as asked for */
    uint64_t begin_us;  /* when the wait began */
    uint64_t waited_us; /* for the read, without invalid_wait_us */
    spn_status status;  /* of the wait: SPN_OK or SPN_ERR_TIMEOUT */
    void *user;         /* of the read, as given */
} spn_invalid_wait;

#if SPN_WITH_OBSERVERS
/* The last invalid wait that ended. SPN_EMPTY: there was none; SPN_PENDING:
 * it is just being written. Thread: any. */
spn_status spn_guard_get_last(const spn_runtime *rt, spn_invalid_wait *out);
#endif

#ifdef __cplusplus
}
#endif
#endif
