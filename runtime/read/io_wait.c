/* io_wait.c - abort, poll and wait for reads, by handle, from any thread.
 *
 * io_wait.h describes pins and waiters.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_wait.h"

#include "base/assert.h"
#include "read/engine.h"

/* Get the state word of a handle. False: the handle is stale. */
static bool state_of(const struct io *io, spn_read read, uint32_t *state)
{
    uint32_t index = read & READ_INDEX_MASK;

    if (index >= io->read_count || !(read & STATE_IN_USE))
        return false;
    /* Pairs with the exchange at the end of the read: if STATE_ENDED is set,
     * the result is visible. */
    *state = atomic_load_acquire(&io->states[index]);
    return *state >> STATE_GENERATION_SHIFT == read >> STATE_GENERATION_SHIFT &&
           (!(*state & STATE_COMPLETED) || (*state & STATE_HELD));
}

bool spn__io_is_good(const struct io *io, spn_read read)
{
    uint32_t state;

    return state_of(io, read, &state);
}

spn_status spn__io_release(struct io *io, spn_read read)
{
    uint32_t state;

    do {
        if (!state_of(io, read, &state))
            return SPN_ERR_HANDLE;
        /* The next completions return the request to the free queue. */
    } while (!atomic_compare_exchange_acq_rel(
        &io->states[read & READ_INDEX_MASK], &state, state & ~STATE_HELD));
    return SPN_OK;
}

spn_status spn__io_abort(struct io *io, spn_read read)
{
    uint32_t state;

    do {
        if (!state_of(io, read, &state))
            return SPN_ERR_HANDLE;
        if (state & (STATE_ENDED | STATE_ABORTED))
            return SPN_OK;
        /* Fails if the read has just ended, was aborted or completed. */
    } while (!atomic_compare_exchange_acq_rel(
        &io->states[read & READ_INDEX_MASK], &state, state | STATE_ABORTED));
    io_signal(io, IO_SIGNAL_ABORT);
    return SPN_OK;
}

spn_status spn__io_poll(struct io *io, spn_read read)
{
    uint32_t state;

    if (!state_of(io, read, &state))
        return SPN_ERR_HANDLE;
    return state & STATE_ENDED ? SPN_OK : SPN_PENDING;
}

/* -- waiting -- */

spn_status spn__io_pin(struct io *io, spn_read read)
{
    uint32_t state;

    do {
        if (!state_of(io, read, &state))
            return SPN_ERR_HANDLE;
        if ((state & STATE_PINS) == STATE_PINS)
            return SPN_FULL;
    } while (!atomic_compare_exchange_acq_rel(
        &io->states[read & READ_INDEX_MASK], &state, state + STATE_PIN));
    return SPN_OK;
}

void spn__io_unpin(struct io *io, spn_read read)
{
    /* Pairs with the load in io_finish.c. */
    atomic_add_acq_rel(&io->states[read & READ_INDEX_MASK], 0u - STATE_PIN);
}

static bool has_ended(const struct io *io, spn_read read)
{
    return atomic_load_acquire(&io->states[read & READ_INDEX_MASK]) &
           STATE_ENDED;
}

spn_read_result spn__io_result_of(const struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];
    spn_read_result result = {.read = io_handle(io, index),
                              .status = request->status,
                              .buffer = request->target.buffer,
                              .bytes = io_good_bytes(request),
                              .user = request->user};

    /* The engine owns the block of a failed read, and may have freed it. */
    if (request->status == SPN_OK)
        result.block = request->target.block;
    else if (request->flags & SPN_READ_INTO_HEAP)
        result.bytes = 0;
    /* The fault is not set if the read has ended for another reason. */
    if (request->pak.fault.status == request->status)
        result.fault = request->pak.fault;
    return result;
}

/* Copy the result of a read that has ended and is pinned. This ends the hold of
 * a read without callbacks. */
static void hand_over_result(const struct io *io, spn_read read,
                             spn_read_result *out)
{
    uint32_t index = read & READ_INDEX_MASK;
    const struct io_request *request = &io->requests[index];

    if (out)
        *out = spn__io_result_of(io, index);
    if (io_has_no_callback(request) && !(request->flags & SPN_READ_HELD))
        atomic_and_acq_rel(&io->states[index], ~STATE_HELD);
}

spn_status spn__io_result(struct io *io, spn_read read, spn_read_result *out)
{
    spn_status status = spn__io_pin(io, read);

    if (status != SPN_OK)
        return status;
    if (has_ended(io, read))
        hand_over_result(io, read, out);
    else
        status = SPN_PENDING;
    spn__io_unpin(io, read);
    return status;
}

static struct io_waiter *take_waiter(struct io *io, uint32_t key)
{
    for (uint32_t i = 0; i < io->waiter_count; i++) {
        uint32_t unused = 0;

        if (atomic_compare_exchange_acq_rel(&io->waiters[i].read, &unused, key))
            return &io->waiters[i];
    }
    return NULL;
}

/* High half of a state word. */
#define GENERATION 0xffff0000u

static bool sleep_until_over(struct io *io, struct atomic_u32 *word,
                             uint32_t awaited, uint32_t over, uint64_t due_us,
                             const struct io_waiter *waiter)
{
    const spn_platform *p = io->platform;
    /* The other thread finds this bit when it sets `over`, and then sees the
     * key in the waiter. If it was over before, `over` is set here. */
    const uint32_t before = atomic_or_acq_rel(word, awaited);
    bool is_over = before & over;

    while (!is_over && io_now_us(io) < due_us) {
        uint32_t now;

        p->event_wait(p->user, waiter->event, due_us);
        now = atomic_load_acquire(word);
        is_over = (now & over) || ((now ^ before) & GENERATION);
    }
    return is_over;
}

spn_status spn__io_wait_word(struct io *io, uint32_t key,
                             struct atomic_u32 *word, uint32_t awaited,
                             uint32_t over, uint64_t due_us)
{
    struct io_waiter *waiter;
    bool is_over;

    if (atomic_load_acquire(word) & over)
        return SPN_OK;
    if (io_now_us(io) >= due_us)
        return SPN_ERR_TIMEOUT;
    waiter = take_waiter(io, key);
    if (!waiter)
        return SPN_FULL;
    is_over = sleep_until_over(io, word, awaited, over, due_us, waiter);
    atomic_store_release(&waiter->read, 0);
    return is_over ? SPN_OK : SPN_ERR_TIMEOUT;
}

spn_status spn__io_wait(struct io *io, spn_read read, uint64_t due_us,
                        spn_read_result *out)
{
    spn_status status = spn__io_pin(io, read);

    if (status != SPN_OK)
        return status;
    /* The read is pinned: its generation stays. */
    status = spn__io_wait_word(io, read, &io->states[read & READ_INDEX_MASK],
                               STATE_AWAITED, STATE_ENDED, due_us);
    if (status == SPN_OK)
        hand_over_result(io, read, out);
    spn__io_unpin(io, read);
    return status;
}

void spn__io_sleep(struct io *io, spn_read read, uint64_t due_us)
{
    const spn_platform *p = io->platform;
    struct io_waiter *waiter = take_waiter(io, read);

    if (!waiter)
        return;
    while (io_now_us(io) < due_us)
        p->event_wait(p->user, waiter->event, due_us);
    atomic_store_release(&waiter->read, 0);
}

void spn__io_wake_waiters(const struct io *io, uint32_t key)
{
    const spn_platform *p = io->platform;

    for (uint32_t i = 0; i < io->waiter_count; i++)
        if (atomic_load_acquire(&io->waiters[i].read) == key)
            p->event_signal(p->user, io->waiters[i].event);
}
