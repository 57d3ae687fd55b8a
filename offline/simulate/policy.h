/* policy.h - orders of reads to compare: the runtime's two, and four others.
 *
 * Those of the runtime go through its own modules: the key through the queue
 * and the memory of what was served, the sweep as it is. The others are what
 * textbooks have, and serve here as a measure only.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_POLICY_H
#define OFFLINE_SIMULATE_POLICY_H

#include "disc/forecast.h"
#include "schedule/sweep.h"

#include <stdbool.h>
#include <stdint.h>

enum policy_kind {
    POLICY_FIFO,   /* in order of arrival */
    POLICY_KEY,    /* the sort key: priority, time group, upward */
    POLICY_SSTF,   /* what is reached soonest */
    POLICY_C_LOOK, /* upward, and from the top back to the lowest */
    POLICY_EDF,    /* earliest deadline */
    POLICY_SWEEP,  /* the deadline-aware sweep */
    POLICY_KINDS
};
/* "fifo", "key", "sstf", "c-look", "edf", "sweep" */
extern const char *const policy_names[POLICY_KINDS];

/* A read that waits. */
struct policy_read {
    uint64_t position; /* on the disc */
    uint64_t bytes;    /* > 0 */
    uint64_t arrival_us;
    uint64_t deadline_us;
    enum sweep_class class;
};

struct policy;
/* `forecast` is the policy's own: what it believes, and learns. */
struct policy *policy_create(enum policy_kind kind, struct forecast *forecast);
void policy_destroy(struct policy *policy);

/* `id` is the caller's, a small number, and none that waits already. */
void policy_add(struct policy *policy, uint32_t id,
                const struct policy_read *read, uint64_t now_us);
/* Does who is next depend on where the head is? */
bool policy_is_by_place(const struct policy *policy);
/* What waits lies elsewhere now: of an order by place. */
void policy_move(struct policy *policy, uint32_t id, uint64_t position);
/* Take out those for which `leaves` says so. */
typedef bool (*policy_leaves_fn)(void *context, uint32_t id);
void policy_take_if(struct policy *policy, policy_leaves_fn leaves,
                    void *context);
uint32_t policy_count(const struct policy *policy);

/* The device is free: take out what to read in one go, in order of place. Only
 * the sweep joins reads. Returns how many; 0: nothing waits. */
uint32_t policy_take(struct policy *policy, const struct forecast_place *head,
                     uint64_t now_us, uint32_t ids[SWEEP_JOIN_MAX]);

#endif
