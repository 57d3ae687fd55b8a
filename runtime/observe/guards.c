/* guards.c - marks by thread, roles by medium, and the last forbidden wait
 * under a try-lock.
 *
 * No thread waits for another: one that finds the lock taken does not store its
 * wait. The count is correct in any case.
 */
/* SPDX-License-Identifier: MIT */
#include "observe/guards.h"

#include "base/mem.h"

#define MARK_FREE 0u
#define MARK_BEING_TAKEN 1u
#define MARK_TAKEN 2u
#define MARK_STATES 3u
#define MARK_GENERATION 4u

/* The identity on a platform without threads. */
#define ONLY_THREAD 1u

void spn__guard_init(struct guard *guard, const spn_platform *platform,
                     uint64_t stall_us)
{
    memset(guard, 0, sizeof *guard);
    guard->platform = platform;
    guard->stall_us = stall_us;
}

/* The identity of the calling thread; 0: the platform has none. */
static uint64_t current(const struct guard *guard)
{
    const spn_platform *p = guard->platform;

    if (p->thread_current)
        return p->thread_current(p->user);
    return p->thread_start ? 0 : ONLY_THREAD;
}

static bool belongs_to(const struct guard_mark *mark, uint64_t thread)
{
    /* Pairs with the release in take. */
    uint32_t state = atomic_load_acquire(&mark->state);
    uint32_t low = atomic_load_acquire(&mark->thread[0]);
    uint32_t high = atomic_load_acquire(&mark->thread[1]);

    /* If a word is from a later generation, the second load of the state
     * differs from the first. */
    return (state & MARK_STATES) == MARK_TAKEN &&
           ((uint64_t)high << 32 | low) == thread &&
           atomic_load_relaxed(&mark->state) == state;
}

static struct guard_mark *take(struct guard *guard, uint64_t thread)
{
    for (uint32_t i = 0; i < SPN_GUARD_THREADS_MAX; i++) {
        struct guard_mark *mark = &guard->marks[i];
        uint32_t state = atomic_load_relaxed(&mark->state);

        if ((state & MARK_STATES) != MARK_FREE ||
            !atomic_compare_exchange_acq_rel(&mark->state, &state,
                                             state + MARK_BEING_TAKEN))
            continue;
        atomic_store_release(&mark->thread[0], (uint32_t)thread);
        atomic_store_release(&mark->thread[1], (uint32_t)(thread >> 32));
        /* Pairs with the acquire in belongs_to. */
        atomic_store_release(&mark->state, state + MARK_TAKEN);
        return mark;
    }
    return NULL;
}

/* Called by the marked thread. */
static void give_back(struct guard_mark *mark)
{
    uint32_t state = atomic_load_relaxed(&mark->state);

    atomic_store_relaxed(&mark->roles, 0);
    /* Pairs with the exchange in take. */
    atomic_store_release(&mark->state, state - MARK_TAKEN + MARK_GENERATION);
}

spn_status spn__guard_mark(struct guard *guard, uint32_t roles)
{
    uint64_t thread = current(guard);
    struct guard_mark *mark = NULL;

    if (thread == 0)
        return SPN_ERR_PLATFORM;
    for (uint32_t i = 0; i < SPN_GUARD_THREADS_MAX; i++)
        if (belongs_to(&guard->marks[i], thread))
            mark = &guard->marks[i];
    if (roles == 0) {
        if (mark)
            give_back(mark);
        return SPN_OK;
    }
    if (!mark)
        mark = take(guard, thread);
    if (!mark)
        return SPN_ERR_TABLE_FULL;
    /* Both relaxed: a thread reads only its own roles. */
    atomic_store_relaxed(&mark->roles, roles);
    atomic_store_relaxed(&guard->has_marks, 1);
    return SPN_OK;
}

uint32_t spn__guard_roles(const struct guard *guard)
{
    uint64_t thread;

    if (!atomic_load_relaxed(&guard->has_marks))
        return 0;
    thread = current(guard);
    for (uint32_t i = 0; i < SPN_GUARD_THREADS_MAX; i++)
        if (belongs_to(&guard->marks[i], thread))
            return atomic_load_relaxed(&guard->marks[i].roles);
    return 0;
}

void spn__guard_set_medium(struct guard *guard, spn_medium medium,
                           uint32_t roles)
{
    atomic_store_relaxed(&guard->media[medium], roles);
}

uint32_t spn__guard_forbidden(const struct guard *guard, uint32_t roles,
                              uint32_t file_roles, spn_medium medium)
{
    if (file_roles != SPN_GUARD_AS_MEDIUM)
        return roles & file_roles;
    if (medium == SPN_MEDIUM_COUNT)
        return 0;
    return roles & atomic_load_relaxed(&guard->media[medium]);
}

/* -- the last forbidden wait -- */

static bool try_lock(struct guard *guard)
{
    /* Pairs with the release in unlock: see what the last owner wrote. */
    return atomic_exchange_acq_rel(&guard->is_locked, 1) == 0;
}

static void unlock(struct guard *guard)
{
    atomic_store_release(&guard->is_locked, 0);
}

static void log_first(struct guard *guard)
{
    const spn_platform *p = guard->platform;

    if (p->log && atomic_exchange_acq_rel(&guard->has_logged, 1) == 0)
        p->log(p->user, SPN_LOG_WARNING,
               "a thread waited for a read that it must not wait for "
               "(spn_guard_get_last says which; said once)");
}

void spn__guard_note(struct guard *guard, const spn_invalid_wait *wait)
{
    atomic_add_relaxed(&guard->count, 1);
    if (try_lock(guard)) {
        guard->last = *wait;
        guard->has_last = true;
        unlock(guard);
    }
    log_first(guard);
}

spn_status spn__guard_last(struct guard *guard, spn_invalid_wait *out)
{
    spn_status status = SPN_EMPTY;

    if (!try_lock(guard))
        return SPN_PENDING;
    if (guard->has_last) {
        *out = guard->last;
        status = SPN_OK;
    }
    unlock(guard);
    return status;
}

/* -- check -- */

static bool is_mark_good(const struct guard *guard, uint32_t index)
{
    const struct guard_mark *mark = &guard->marks[index];
    uint32_t state = atomic_load_relaxed(&mark->state) & MARK_STATES;
    uint64_t thread = (uint64_t)atomic_load_relaxed(&mark->thread[1]) << 32 |
                      atomic_load_relaxed(&mark->thread[0]);
    uint32_t count = 0;

    if (state == MARK_FREE)
        return atomic_load_relaxed(&mark->roles) == 0;
    for (uint32_t i = 0; i < SPN_GUARD_THREADS_MAX; i++)
        count += belongs_to(&guard->marks[i], thread);
    return state == MARK_TAKEN && count == 1 &&
           atomic_load_relaxed(&mark->roles) != 0 &&
           atomic_load_relaxed(&guard->has_marks);
}

bool spn__guard_check(const struct guard *guard)
{
    for (uint32_t i = 0; i < SPN_GUARD_THREADS_MAX; i++)
        if (!is_mark_good(guard, i))
            return false;
    return !atomic_load_relaxed(&guard->is_locked);
}
