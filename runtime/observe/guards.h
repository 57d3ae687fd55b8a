/* guards.h - threads that must not wait for reads, and the waits that they
 * made.
 *
 * A game can mark a thread with roles (bits that it chooses, for example
 * "render thread") and forbid roles to wait for the reads of a medium or a
 * file. The functions that wait for reads call this module: it decides whether
 * a wait is forbidden, and stores the last forbidden wait. spindle/guard.h is
 * the public interface. All functions can be called from any thread; none of
 * them waits.
 *
 * A *mark* is an entry of a table: the identity of a thread and its roles. It
 * belongs to the thread that took it, and only that thread frees it. Other
 * threads read the table at the same time, to find their own marks. The state
 * of a mark contains a generation, a number that changes when the mark is taken
 * or freed. So a reader detects that the mark has changed between its reads of
 * the two words of the identity.
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
/* Mark the calling thread; with roles 0, free its mark. Returns
 * SPN_ERR_PLATFORM if the platform cannot identify threads, SPN_ERR_TABLE_FULL
 * if no mark is free. */
spn_status spn__guard_mark(struct guard *guard, uint32_t roles);
/* The roles of the calling thread; 0: none. */
uint32_t spn__guard_roles(const struct guard *guard);
/* Forbid roles to wait for reads of a medium. */
void spn__guard_set_medium(struct guard *guard, spn_medium medium,
                           uint32_t roles);
/* Which of `roles` must not wait for a read: a mask.
 *
 * file_roles  forbidden roles of the read's file; SPN_GUARD_AS_MEDIUM: use
 *             those of the medium
 * medium      of the file; SPN_MEDIUM_COUNT: unknown, forbids no role */
uint32_t spn__guard_forbidden(const struct guard *guard, uint32_t roles,
                              uint32_t file_roles, spn_medium medium);
/* Count a forbidden wait and store it as the last one, unless another thread
 * uses the stored one at this moment. */
void spn__guard_note(struct guard *guard, const spn_invalid_wait *wait);
/* Copy the last forbidden wait. SPN_EMPTY: there was none. SPN_PENDING: another
 * thread uses the copy at this moment. */
spn_status spn__guard_last(struct guard *guard, spn_invalid_wait *out);
/* Return whether all invariants hold. O(SPN_GUARD_THREADS_MAX^2). No other
 * thread may call a function of this module meanwhile. */
bool spn__guard_check(const struct guard *guard);

#endif
