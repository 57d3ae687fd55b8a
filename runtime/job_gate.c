/* job_gate.c - one word: the open bit and the number of steps inside.
 *
 * A step enters by a compare-and-exchange that fails if the bit is cleared. It
 * leaves by a subtraction with release order. The shutdown clears the bit and
 * then loads the word with acquire order until the number is 0. So all memory
 * accesses of steps happen before the block is freed.
 */
/* SPDX-License-Identifier: MIT */
#include "job_gate.h"

#include "base/assert.h"
#include "base/atomic.h"

#define IS_OPEN 0x80000000u

SPN_STATIC_ASSERT(sizeof(struct atomic_u32) == sizeof(uint32_t), one_word);

/* The public header has no atomic types. Its field is used as the word of an
 * atomic_u32. */
static struct atomic_u32 *word_of(spn_job_gate *gate)
{
    return (struct atomic_u32 *)&gate->state;
}

static uint32_t state_of(const spn_job_gate *gate)
{
    /* Pairs with the subtraction in spn__job_gate_leave. */
    return atomic_load_acquire((const struct atomic_u32 *)&gate->state);
}

bool spn__job_gate_open(spn_job_gate *gate, struct spn_runtime *rt)
{
    if (state_of(gate) != 0)
        return false;
    gate->runtime = rt;
    /* Pairs with the load in spn__job_gate_enter: a step that sees the open bit
     * sees the complete runtime. */
    atomic_store_release(word_of(gate), IS_OPEN);
    return true;
}

void spn__job_gate_close(spn_job_gate *gate)
{
    atomic_and_acq_rel(word_of(gate), ~IS_OPEN);
}

bool spn__job_gate_is_open(const spn_job_gate *gate)
{
    return (state_of(gate) & IS_OPEN) != 0;
}

bool spn__job_gate_is_empty(const spn_job_gate *gate)
{
    return (state_of(gate) & ~IS_OPEN) == 0;
}

struct spn_runtime *spn__job_gate_enter(spn_job_gate *gate)
{
    uint32_t state = state_of(gate);

    do {
        if (!(state & IS_OPEN))
            return NULL;
    } while (
        !atomic_compare_exchange_acq_rel(word_of(gate), &state, state + 1));
    return gate->runtime;
}

void spn__job_gate_leave(spn_job_gate *gate)
{
    atomic_add_acq_rel(word_of(gate), UINT32_MAX);
}
