/* guards.h - threads that must not wait for reads, and the waits that they
 * made.
 *
 * A game can mark a thread with roles (bits that it chooses, for example
 * "render thread") and forbid roles to wait for the reads of a medium or a
 * file. The waiting functions ask here whether a wait is forbidden, and note
 * it. spindle/guard.h is the public interface. All functions can be called from
 * any thread; none of them waits.
 *
 * A mark belongs to the thread that took it; only that thread gives it back.
 * Other threads read marks at the same time, to find their own. The state of a
 * mark contains a generation, so a reader notices if the mark has changed
 * between its reads of the thread's identity.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_OBSERVE_GUARDS_H
#define SPN_OBSERVE_GUARDS_H

#include "base/atomic.h"

#include <spindle/guard.h>
#include <stdbool.h>

/* Atomic; see above. */
struct guard_mark {
    struct atomic_u32 state; /* free, being taken, or taken: the low two bits;
                              * above them the generation */
    struct atomic_u32 roles; /* bits; written by the marked thread only */
    struct atomic_u32 thread[2]; /* its identity, low and high word */
};

struct guard {
    /* constant after init */
    const spn_platform *platform;
    uint64_t stall_us; /* spn_config.invalid_wait_us, for read/io_guard.c */
    /* atomic */
    struct guard_mark marks[SPN_GUARD_THREADS_MAX];
    struct atomic_u32 has_marks;               /* a thread was marked once */
    struct atomic_u32 media[SPN_MEDIUM_COUNT]; /* roles that must not wait */
    struct atomic_u32 count;      /* forbidden waits since the last reset */
    struct atomic_u32 has_logged; /* the log has the one message */
    struct atomic_u32 is_locked;  /* a thread uses the fields below */
    /* the thread that set is_locked */
    bool has_last;
    spn_invalid_wait last;
};

void spn__guard_init(struct guard *guard, const spn_platform *platform,
                     uint64_t stall_us);
/* Mark the calling thread, or give its mark back (roles 0). SPN_ERR_PLATFORM:
 * the platform cannot identify threads. SPN_ERR_TABLE_FULL. */
spn_status spn__guard_mark(struct guard *guard, uint32_t roles);
/* The roles of the calling thread; 0: none. */
uint32_t spn__guard_roles(const struct guard *guard);
/* Forbid roles to wait for reads of a medium. */
void spn__guard_set_medium(struct guard *guard, spn_medium medium,
                           uint32_t roles);
/* Which of `roles` must not wait for a read. `file_roles` are those of its
 * file; SPN_GUARD_AS_MEDIUM: those of its medium. SPN_MEDIUM_COUNT is an
 * unknown medium, which forbids nothing. */
uint32_t spn__guard_forbidden(const struct guard *guard, uint32_t roles,
                              uint32_t file_roles, spn_medium medium);
/* Count a forbidden wait and store it as the last one, unless another thread
 * uses the stored one at this moment. */
void spn__guard_note(struct guard *guard, const spn_invalid_wait *wait);
/* Copy the last one. SPN_EMPTY: there was none. SPN_PENDING: another thread
 * uses it at this moment. */
spn_status spn__guard_last(struct guard *guard, spn_invalid_wait *out);

#endif
