/* deadline.h - the deadline scheduler: which of the waiting reads is next.
 *
 * The io thread has one scheduler for each medium whose drive profile is known.
 * When the device is free, the io thread (the owner) offers the waiting reads,
 * the scheduler chooses one, and the owner starts it (deadline_waiting.h keeps
 * the waiting reads, read/stage/deadline_choice.h starts the chosen one).
 *
 * Always choosing the nearest read wastes the least time, but distant reads are
 * late. Always choosing the earliest deadline wastes the time in seeks. This
 * scheduler gives each read a cost and chooses the lowest:
 *
 *   cost = time to position the head for the read
 *        + time to seek back, after the read, to the waiting read that lies
 *          right before it on the disc: it is skipped now and must be served
 *          later
 *        + time to seek back to a read that was begun and is interrupted
 *        + a penalty for each other read that becomes late because this one is
 *          served first (only the 24 earliest deadlines are considered)
 *        - urgency (rises as the read's own deadline approaches)
 *        - credit of the read's class
 *        - age (rises with the time that the read has waited)
 *
 * At equal cost the smallest sort key (sort_key.h) is chosen. Times come from
 * disc/forecast.h, the other terms from deadline_rules.h. An offered read is
 * called an item. The 24 earliest deadlines are called binding, because they
 * add to the costs of other items.
 *
 *   missed deadlines  A deadline is missed if the read would end too late even
 *                     if it were next. A missed deadline of a stream or bulk
 *                     read is replaced by a later one: the period of the class
 *                     (deadline_rule.renew_us) is added until it can be met.
 *                     The deadline of a sound or clip is dropped.
 *   backlog           When many reads wait, not all deadlines can be met, and
 *                     shorter seeks help all reads. Penalties and urgency are
 *                     divided by a number that grows with the queue.
 *   overload          When the waiting reads cannot all be served before the
 *                     last of their deadlines, the costs are not used. The
 *                     scheduler then serves the most reads in the least time
 *                     (deadline_overload.h).
 *   ageing            A read that has waited longer than the age limit of its
 *                     class is overdue. Each second dispatch serves an overdue
 *                     read, in passes over the disc: upward from the head, then
 *                     again from the lowest offset. A pass contains the reads
 *                     that were overdue when it began.
 *   dispatch          What is read in a row from one place: one read with those
 *                     coalesced with it, or a part of a long one. It ends with
 *                     the piece that reaches DEADLINE_DISPATCH_BYTES_MAX.
 *   urgent reads      come before all others.
 *   idle reads        come when no other read waits. They do not count for the
 *                     backlog, and their deadlines matter among themselves
 *                     only. An overdue idle read is served after each
 *                     DEADLINE_IDLE_DISPATCHES dispatches of other reads.
 *   coalescing        Reads of one file that lie close together are read by
 *                     one command, a run (deadline_coalesce.h).
 *
 * Bounds: let at most n reads wait, and let a dispatch take at most the time T.
 * Then no read waits longer than its age limit + 4 n T, and no idle read longer
 * than its age limit + (DEADLINE_IDLE_DISPATCHES + 1) n T. The bounds hold
 * without urgent reads; the time of each urgent read is added. A long read
 * counts once for each of its dispatches.
 *
 * Integers only; no clock. Thread: the owner's (the io thread).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_DEADLINE_H
#define SPN_SCHEDULE_DEADLINE_H

#include "base/carve.h"
#include "disc/forecast.h"
#include "schedule/deadline_rules.h"

#include <stdbool.h>
#include <stdint.h>

/* The largest number of reads that can be offered for one choice. */
#define DEADLINE_ITEMS_MAX 256u
/* The largest number of binding deadlines. */
#define DEADLINE_BINDING_MAX 24u
/* Dispatches of other reads between two dispatches of overdue idle reads. */
#define DEADLINE_IDLE_DISPATCHES 15u
/* Bytes after which a dispatch ends, gaps included. A run is not longer. */
#define DEADLINE_DISPATCH_BYTES_MAX (3u << 20)
/* The widest gap that is read through, whatever a seek costs. */
#define DEADLINE_GAP_BYTES_MAX (2u << 20)

/* A waiting read, as the owner describes it. */
struct deadline_item {
    struct forecast_place begin; /* of the missing bytes, in whole ECC blocks */
    struct forecast_place end;
    uint64_t arrival_us;
    uint64_t deadline_us; /* UINT64_MAX: none */
    uint64_t key;         /* the sort key */
    uint32_t subject;     /* the owner's number of the read */
    uint32_t file;        /* only reads of one file are coalesced */
    enum deadline_class class;
    bool is_urgent;
    bool is_idle;    /* never together with is_urgent */
    bool is_begun;   /* some of its bytes have been read */
    bool has_copies; /* its bytes are at several places of the disc; begin and
                      * end are those of one of them. Before it offers items for
                      * a choice, the owner may choose another one
                      * (deadline_waiting.h) */
};

/* Priority of an item: reads of a smaller rank come first. */
static inline uint32_t deadline_rank_of(const struct deadline_item *item)
{
    return item->is_urgent ? 0 : item->is_idle ? 2 : 1;
}

/* Values that a choice computes for an item, in microseconds. deadline_cost.h
 * has their bounds. */
struct deadline_estimate {
    int32_t deadline_us; /* time from now to the deadline, renewed if it is
                          * missed; DEADLINE_NEVER: none */
    int32_t position_us; /* time to move the head to the item's begin */
    int32_t service_us;  /* time to transfer the item */
    int32_t return_us;   /* time to seek from its end back to the item that lies
                          * right before it on the disc */
    bool is_missed;      /* its deadline is missed even if it is next */
    /* Valid in overload only, for one upward pass over all feasible items
     * (deadline_scheduler.feasible). */
    int32_t added_us;  /* time by which the item makes the pass longer */
    bool shares_bytes; /* some of its bytes are read for an earlier item */
};

/* Numbers of waiting reads that the owner did not offer, because more than
 * DEADLINE_ITEMS_MAX wait. Idle reads are not counted. */
struct deadline_unoffered {
    uint32_t count;
    uint32_t unexpired; /* of these: reads whose deadline is later than now */
};

/* The terms of the cost that depend on the class: its rules (deadline_rules.h),
 * converted from multiples of a typical seek to microseconds for this drive.
 * All are before the division for a backlog. The age has the same rule for all
 * classes (deadline_rules.age). */
struct deadline_price {
    int32_t penalty_max_us; /* for a read that is late by tardy_us or more */
    int32_t urgency_max_us; /* of a read whose slack is at most urgent_us */
    int32_t credit_us;
};

/* Owner of all fields: the io thread. */
struct deadline_scheduler {
    const struct forecast *forecast;
    const struct deadline_rules *rules;
    uint32_t seek_us; /* a typical seek */

    /* Kept between choices. */
    uint64_t pass_us;         /* when the pass over overdue reads began */
    uint64_t dispatch_bytes;  /* read in this dispatch so far */
    uint32_t since_idle;      /* dispatches since one of an idle read */
    bool is_overdue_dispatch; /* this dispatch serves an overdue read */
    bool is_idle_dispatch;    /* this dispatch serves an idle read although
                               * others wait */

    /* The offers for this choice. */
    uint32_t capacity; /* of the arrays */
    uint32_t count;    /* items */
    struct deadline_item *items;
    struct deadline_unoffered unoffered; /* set by
                                          * spn__deadline_waiting_offer */

    /* Computed by this choice. An index is one into items. */
    uint32_t idle_count;
    /* What penalties and urgency are divided by, in units of 1/1024: 1024
     * without a backlog. */
    uint32_t penalty_divisor;
    uint32_t urgency_divisor;
    bool continues;                      /* the choice continues the dispatch */
    bool is_pressing;                    /* the choice is urgent or overdue */
    struct deadline_estimate *estimates; /* one for each item */
    uint32_t *order;                     /* all indices by begin offset */
    uint32_t *feasible;                  /* of these, the feasible items: their
                                          * deadlines are not missed, and they
                                          * are not idle. Set in overload */
    uint32_t feasible_count;
    struct deadline_price prices[DEADLINE_CLASSES];
    /* Indices of the items with binding deadlines, the earliest first. */
    uint32_t binding[DEADLINE_BINDING_MAX];
    uint32_t binding_count;
    /* Cache, [from][to], both indices into `binding`: 1 + the time to move the
     * head from the end of item `from` to the begin of item `to`; 0: not
     * computed yet. */
    uint32_t positioning_us[DEADLINE_BINDING_MAX][DEADLINE_BINDING_MAX];
};

/* For at most `reads` waiting reads. `scheduler` is NULL while `carve` only
 * counts bytes (carve.h). Forecast and rules must outlive the scheduler. */
void spn__deadline_init(struct deadline_scheduler *scheduler,
                        struct carve *carve, uint32_t reads,
                        const struct forecast *forecast,
                        const struct deadline_rules *rules);

/* Before each choice: clear, then offer at most DEADLINE_ITEMS_MAX waiting
 * reads (and at most `reads`). If more reads wait, the owner also sets
 * `unoffered`, which a clear sets to 0. */
void spn__deadline_clear(struct deadline_scheduler *scheduler);
void spn__deadline_offer(struct deadline_scheduler *scheduler,
                         const struct deadline_item *item);

/* Return the index of the next item. At least one must be offered. */
uint32_t spn__deadline_choose(struct deadline_scheduler *scheduler,
                              const struct forecast_place *head,
                              uint64_t now_us);
/* Record that the chosen item is being read. Call it once for each command of
 * the device, also if that is a run.
 *
 * index  the chosen item
 * bytes  of the whole command: of all members of a run and of its gaps */
void spn__deadline_serve(struct deadline_scheduler *scheduler, uint32_t index,
                         uint64_t bytes, uint64_t now_us);

/* Whether all invariants hold. O(n). */
bool spn__deadline_check(const struct deadline_scheduler *scheduler);

#endif
