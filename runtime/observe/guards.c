/* guards.c - marks by thread, roles by medium, and a record under a try-lock.
 *
 * Nobody waits for anybody: who finds the record held leaves it alone; the
 * count is right all the same.
 */
/* SPDX-License-Identifier: MIT */
#include "observe/guards.h"

#include "base/mem.h"

#define MARK_FREE 0u
#define MARK_BEING_TAKEN 1u
#define MARK_TAKEN 2u
#define MARK_STATES 3u
#define MARK_TURN 4u

/* Where there is one thread alone. */
#define ONLY_THREAD 1u

void spn__guard_init(struct guard *guard, const spn_platform *platform,
                     uint64_t stall_us)
{
    memset(guard, 0, sizeof *guard);
    guard->platform = platform;
    guard->stall_us = stall_us;
}

/* 0: nobody can say. */
static uint64_t current(const struct guard *guard)
{
    const spn_platform *p = guard->platform;

    if (p->thread_current)
        return p->thread_current(p->user);
    return p->thread_start ? 0 : ONLY_THREAD;
}

static bool is_of(const struct guard_mark *mark, uint64_t thread)
{
    /* Pairs with the release in take. */
    uint32_t state = atomic_load_acquire(&mark->state);
    uint32_t low = atomic_load_acquire(&mark->thread[0]);
    uint32_t high = atomic_load_acquire(&mark->thread[1]);

    /* Whoever saw a word of a later turn sees that turn's state, too. */
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
        /* Pairs with the acquire in is_of. */
        atomic_store_release(&mark->state, state + MARK_TAKEN);
        return mark;
    }
    return NULL;
}

/* By its own thread. */
static void give_back(struct guard_mark *mark)
{
    uint32_t state = atomic_load_relaxed(&mark->state);

    atomic_store_relaxed(&mark->roles, 0);
    /* Pairs with the exchange in take. */
    atomic_store_release(&mark->state, state - MARK_TAKEN + MARK_TURN);
}

spn_status spn__guard_mark(struct guard *guard, uint32_t roles)
{
    uint64_t thread = current(guard);
    struct guard_mark *mark = NULL;

    if (thread == 0)
        return SPN_ERR_PLATFORM;
    for (uint32_t i = 0; i < SPN_GUARD_THREADS_MAX; i++)
        if (is_of(&guard->marks[i], thread))
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
    /* Relaxed, both: a thread looks for its own roles only. */
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
        if (is_of(&guard->marks[i], thread))
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

/* -- the record -- */

static bool hold(struct guard *guard)
{
    /* Pairs with the release in let_go: what the last holder wrote. */
    return atomic_exchange_acq_rel(&guard->is_held, 1) == 0;
}

static void let_go(struct guard *guard)
{
    atomic_store_release(&guard->is_held, 0);
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
    if (hold(guard)) {
        guard->last = *wait;
        guard->has_last = true;
        let_go(guard);
    }
    log_first(guard);
}

spn_status spn__guard_last(struct guard *guard, spn_invalid_wait *out)
{
    spn_status status = SPN_EMPTY;

    if (!hold(guard))
        return SPN_PENDING;
    if (guard->has_last) {
        *out = guard->last;
        status = SPN_OK;
    }
    let_go(guard);
    return status;
}
