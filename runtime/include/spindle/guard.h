/* guard.h - find threads that wait for reads although they must not.
 *
 * If a thread that draws frames waits for a read (spn_read_wait), the picture
 * freezes: on an optical disc for the time of a seek, and of all reads that are
 * served first. On a developer's fast disk it goes unnoticed. With this header
 * a game declares which threads must not wait for which reads, and gets a
 * report when a thread does:
 *
 *   spn_guard_thread(rt, SPN_ROLE_MAIN);               on the main thread
 *   spn_guard_medium(rt, SPN_MEDIUM_OPTICAL, SPN_ROLE_MAIN | SPN_ROLE_RENDER);
 *   spn_guard_file(rt, loading_screen, 0);             all threads may wait
 *
 * A *role* is a bit that the game gives to threads. A medium, a file or a read
 * has a mask of *forbidden roles*: threads with one of these roles must not
 * wait for it. A read uses the first of these masks that is set: its own
 * (spn_read_desc.guard_roles), that of its file, that of its medium.
 *
 * A wait is *invalid* if the thread has a forbidden role of the read, and the
 * read has not ended when spn_read_wait is called. spn_read_poll, and
 * spn_read_wait with a timeout of 0, are not waits; so a thread that polls in a
 * loop is not found.
 *
 * An invalid wait works and returns like any other wait. At its end it is
 *
 * - counted (spn_io_stats.invalid_waits);
 * - kept for spn_guard_get_last;
 * - reported to the listener (listener.h: invalid_wait);
 * - written to the log, the first one only;
 * - prolonged to spn_config.invalid_wait_us, if that is set, so that it is
 *   noticed on a fast disk too. With SPN_INVALID_WAIT_DRIVE it takes as long as
 *   on the drive itself. This is the default on an emulated drive.
 *
 * If no thread has a role, a guard costs one load from memory for each wait.
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

/* Roles. Bits 2 to 30 are free for the game. Bit 31 is not a role. */
#define SPN_ROLE_MAIN 1u
#define SPN_ROLE_RENDER 2u

/* As `roles` of spn_guard_file: use the roles of the medium. This is the value
 * of every file at first. */
#define SPN_GUARD_AS_MEDIUM 0x80000000u

/* As spn_config.invalid_wait_us: an invalid wait takes at least as long as the
 * drive needs for the read if its head is elsewhere: a typical seek, the wait
 * for the sector, and the transfer. This time is computed from the drive
 * profile of the medium (spn_config.media). If the medium has none, it is the
 * result of spn_platform.medium_jump_us, which the emulator (emulator.h)
 * provides. If that is not known either, waits are not prolonged. */
#define SPN_INVALID_WAIT_DRIVE UINT32_MAX

/* Most threads with roles in one runtime at a time. */
#define SPN_GUARD_THREADS_MAX 16u

#if SPN_WITH_OBSERVERS
/* Set the roles of the calling thread. Before a thread ends it should set them
 * to 0, because a later thread may get the same identity.
 *
 * roles  mask; 0: none
 *
 * Returns SPN_ERR_ARG if bit 31 is set; SPN_ERR_TABLE_FULL if
 * SPN_GUARD_THREADS_MAX threads have roles; SPN_ERR_PLATFORM if the platform
 * has threads but no thread_current. Without threads all calls set the roles of
 * the one thread. Thread: any. */
spn_status spn_guard_thread(spn_runtime *rt, uint32_t roles);

/* Set the forbidden roles of a medium. It holds for waits that begin from now
 * on.
 *
 * roles  threads with one of these roles must not wait; 0 (at first): all may
 *
 * Returns SPN_ERR_ARG if bit 31 is set or there is no such medium. Thread:
 * any. */
spn_status spn_guard_medium(spn_runtime *rt, spn_medium medium, uint32_t roles);

/* Set the forbidden roles of a file. It holds for reads that are started from
 * now on, instead of the roles of the medium. Reads by path and reads of
 * entries have no open file, and use the roles of their medium.
 *
 * roles  threads with one of these roles must not wait; 0: all may;
 *        SPN_GUARD_AS_MEDIUM (at first): use the roles of the medium
 *
 * Returns SPN_ERR_ARG if bit 31 is set beside other bits; SPN_ERR_HANDLE.
 * Thread: the caller's. */
spn_status spn_guard_file(spn_runtime *rt, spn_file file, uint32_t roles);
#endif

/* An invalid wait. */
typedef struct spn_invalid_wait {
    spn_read read;
    spn_task task;
    spn_medium medium;  /* SPN_MEDIUM_COUNT: the file was never opened */
    uint32_t roles;     /* roles of the thread that are forbidden */
    uint64_t offset;    /* spn_read_desc.offset */
    uint64_t begin_us;  /* when the wait began */
    uint64_t waited_us; /* until the read ended or the wait timed out, without
                         * the prolongation */
    spn_status status;  /* what the wait returned: SPN_OK or SPN_ERR_TIMEOUT */
    void *user;         /* spn_read_desc.user */
} spn_invalid_wait;

#if SPN_WITH_OBSERVERS
/* Get the invalid wait that ended last. SPN_EMPTY if there was none;
 * SPN_PENDING if another thread is just writing it: try again. Thread: any. */
spn_status spn_guard_get_last(const spn_runtime *rt, spn_invalid_wait *out);
#endif

#ifdef __cplusplus
}
#endif
#endif
