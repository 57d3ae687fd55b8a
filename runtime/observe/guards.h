/* guards.h - marked threads, guarded media, and the last invalid wait.
 *
 * Any thread. A mark belongs to its thread, which alone gives it back. Others
 * look at it meanwhile, to find their own: the state's number of turns tells
 * them that the identity that they read is of one piece.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_GUARDS_H
#define SPN_OBSERVE_GUARDS_H

#include "base/atomic.h"

#include <spindle/guard.h>
#include <stdbool.h>

struct guard_mark {
    /* atomic */
    struct atomic_u32 state;     /* free, being taken, taken | turns << 2 */
    struct atomic_u32 roles;     /* written by its thread */
    struct atomic_u32 thread[2]; /* written while it is being taken */
};

struct guard {
    /* fixed after init */
    const spn_platform *platform;
    uint64_t stall_us;
    /* atomic */
    struct guard_mark marks[SPN_GUARD_THREADS_MAX];
    struct atomic_u32 has_marks;
    struct atomic_u32 media[SPN_MEDIUM_COUNT]; /* roles */
    struct atomic_u32 count;                   /* invalid waits, since reset */
    struct atomic_u32 has_logged;
    struct atomic_u32 is_held; /* somebody reads or writes `last` */
    /* whoever holds it */
    bool has_last;
    spn_invalid_wait last;
};

void spn__guard_init(struct guard *guard, const spn_platform *platform,
                     uint64_t stall_us);
spn_status spn__guard_mark(struct guard *guard, uint32_t roles);
/* Roles of the calling thread. */
uint32_t spn__guard_roles(const struct guard *guard);
void spn__guard_set_medium(struct guard *guard, spn_medium medium,
                           uint32_t roles);
/* Those of `roles` that must not wait for a read. `file_roles` may be
 * SPN_GUARD_AS_MEDIUM, `medium` SPN_MEDIUM_COUNT: nobody knows. */
uint32_t spn__guard_forbidden(const struct guard *guard, uint32_t roles,
                              uint32_t file_roles, spn_medium medium);
void spn__guard_note(struct guard *guard, const spn_invalid_wait *wait);
spn_status spn__guard_last(struct guard *guard, spn_invalid_wait *out);

#endif
