/* deadline.h - the deadline scheduler: which of the reads that wait is next.
 *
 * A head that always goes to what is nearest wastes least time, and comes too
 * late for what lies elsewhere; one that always goes to what is due first
 * spends its time on the way. The scheduler goes to what is nearest, but
 * charges each choice for the deadlines that it breaks:
 *
 *   cost = way + way back to a read that had begun
 *        + a penalty for each of the 24 nearest deadlines that is missed then
 *        - urgency as its own deadline comes near - credit of its class - age
 *
 * The least cost is next; of equals the smallest sort key. Penalties and the
 * rest are parts of one typical seek, so the rules hold for any drive.
 *
 *   lost      A deadline that cannot be kept any more is renewed, a period
 *             later (streams, bulk), or given up (sounds, clips): it does not
 *             hold others back, but the read keeps ageing.
 *   backlog   When many wait, not all deadlines can be kept, and wasting least
 *             helps all: penalties and urgency shrink with the queue.
 *   overload  When more waits than can be read until the last deadline, most
 *             reads a second are what keeps most deadlines: deadline_parts.h.
 *   patience  Reads that have waited too long are next, but only every other
 *             turn: one pass after the other over the disc, upward and then
 *             from the lowest, each over what was overdue when it began, for
 *             thousands in order of age would cost a seek each. A turn is one
 *             read from place to place, or what is read of a long one in a
 *             row, DEADLINE_RUN_BYTES_MAX and a piece at most. So if at most n
 *             reads wait, and a turn takes s at most, nothing waits longer
 *             than its class's patience and 4 n s, whatever the load (urgent
 *             reads aside; a long read counts once for every turn that it
 *             takes).
 *   urgent    Such reads come before all others.
 *   idle      Such reads come when no other waits, and count for no backlog;
 *             their deadlines count among themselves. One whose patience has
 *             ended has a turn after each DEADLINE_IDLE_TURNS of others, apart
 *             from theirs: so its bound is patience and
 *             (DEADLINE_IDLE_TURNS + 1) n s.
 *   joining   What lies a little behind the chosen read is read along with it,
 *             through the gap, where that costs less than a seek and breaks no
 *             deadline. So is what lies right before it, in two blocks, unless
 *             it is urgent or a matter of patience.
 *
 * Integers only; no clock; and between two choices it remembers only how far
 * the turn has come, and whether it is a matter of patience. Owner: one thread
 * (the io thread).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_DEADLINE_H
#define SPN_SCHEDULE_DEADLINE_H

#include "base/carve.h"
#include "disc/forecast.h"

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

/* Reads that are weighed at most: of more, those that deadline_waiting.h
 * offers.
 */
#define DEADLINE_ITEMS_MAX 256u
#define DEADLINE_HARD_MAX 24u
#define DEADLINE_IDLE_TURNS 15u
/* Reads of one run, and its bytes with the gaps. */
#define DEADLINE_COALESCE_MAX 32u
#define DEADLINE_RUN_BYTES_MAX (3u << 20)
/* A gap is never wider, whatever a seek costs. */
#define DEADLINE_GAP_BYTES_MAX (2u << 20)

enum deadline_class {
    DEADLINE_SOUND,
    DEADLINE_CLIP,
    DEADLINE_STREAM,
    DEADLINE_BULK,
    DEADLINE_CLASSES
};

/* Both name the same four, the most pressing first and last. */
static inline enum deadline_class deadline_class_of(spn_task_class task_class)
{
    _Static_assert(DEADLINE_SOUND + SPN_CLASS_SOUND == DEADLINE_BULK &&
                       DEADLINE_CLIP + SPN_CLASS_CLIP == DEADLINE_BULK &&
                       DEADLINE_STREAM + SPN_CLASS_STREAM == DEADLINE_BULK &&
                       SPN_CLASS_BULK == 0,
                   "classes in the other order");
    return (enum deadline_class)(DEADLINE_BULK - (uint32_t)task_class);
}

/* Of one class. Costs are 1024ths of a typical seek. */
struct deadline_rule {
    uint32_t renew_us;    /* of a lost deadline; 0: given up */
    uint32_t hard_us;     /* a deadline holds others back when it is so near */
    uint32_t patience_us; /* after which a read goes first */
    uint32_t penalty;     /* for a missed deadline */
    uint32_t urgency;
    int32_t credit;
};

struct deadline_rules {
    struct deadline_rule classes[DEADLINE_CLASSES];
    uint32_t soft_us;      /* so much too late is missed in full */
    uint32_t pressed_us;   /* slack at which urgency is full, */
    uint32_t calm_us;      /* and from which on there is none */
    uint32_t age;          /* a second makes so much */
    uint32_t backlog;      /* so many may wait; */
    uint32_t relent;       /* each further divides penalties by 1 + this, */
    uint32_t relent_haste; /* and urgency; both in 1024ths */
};
extern const struct deadline_rules spn__deadline_rules;

/* A read that waits. */
struct deadline_item {
    struct forecast_place begin; /* of what is missing, in whole blocks */
    struct forecast_place end;
    uint64_t arrival_us;
    uint64_t deadline_us; /* UINT64_MAX: none */
    uint64_t key;         /* the sort key */
    uint32_t subject;     /* only the owner knows what it is */
    uint32_t file;        /* only reads of one file are joined */
    enum deadline_class class;
    bool is_urgent;
    bool is_idle;    /* never with urgent */
    bool is_begun;   /* some of it has been read */
    bool has_choice; /* it lies in several places: only the owner cares */
};

/* Who goes before all others: urgent reads 0, idle ones 2. */
static inline uint32_t deadline_rank_of(const struct deadline_item *item)
{
    return item->is_urgent ? 0 : item->is_idle ? 2 : 1;
}

/* What is worked out of an item for one choice; times from now on. */
struct deadline_view {
    int64_t deadline_us; /* renewed; INT64_MAX: given up */
    int64_t way_us;
    int64_t service_us;
    int64_t behind_us; /* way back to what lies right before it */
    bool is_lost;      /* its deadline cannot be kept, even if it is next */
    /* deadline_overload.c */
    int64_t step_us; /* reading it after those before it that are not lost */
    bool is_shared;  /* they bring bytes of it */
};

/* Of reads that wait, but are not offered: not idle, how many, and how many of
 * these may still keep their deadlines. */
struct deadline_unseen {
    uint32_t count;
    uint32_t kept;
};

struct deadline_scheduler {
    const struct forecast *forecast;
    const struct deadline_rules *rules;
    uint32_t seek_us;    /* a typical one */
    bool is_patient;     /* the turn is a matter of patience */
    uint64_t overdue_us; /* when the pass over what was overdue began */
    uint64_t turn_bytes; /* read in it so far */
    bool goes_on;        /* the choice goes on with it */
    bool is_pressing;    /* the choice is urgent, or a matter of patience */
    uint32_t capacity;
    uint32_t count;
    uint32_t idle_count; /* of these */
    uint32_t idle_turns; /* of others, since one of them had its turn */
    bool is_idle_turn;   /* the turn is an idle one's, among others */
    struct deadline_item *items;
    struct deadline_view *views;
    uint32_t *order; /* indices, by place */
    uint32_t *kept;  /* those of them that are not lost, nor idle */
    uint32_t kept_count;
    struct deadline_unseen unseen;
    int64_t penalties_us[DEADLINE_CLASSES];
    uint32_t hard[DEADLINE_HARD_MAX]; /* indices, earliest deadline first */
    uint32_t hard_count;
    /* From the end of one of the hard to another; 0: not asked yet, else one
     * more than the time. */
    uint32_t ways_us[DEADLINE_HARD_MAX][DEADLINE_HARD_MAX];
};

/* For `reads` that may wait; NULL where the carve only counts. Forecast and
 * rules must outlive this. */
void spn__deadline_init(struct deadline_scheduler *scheduler,
                        struct carve *carve, uint32_t reads,
                        const struct forecast *forecast,
                        const struct deadline_rules *rules);

/* Before each choice: forget all, then offer the reads that wait, at most
 * DEADLINE_ITEMS_MAX (and no more than `reads`). */
void spn__deadline_clear(struct deadline_scheduler *scheduler);
void spn__deadline_offer(struct deadline_scheduler *scheduler,
                         const struct deadline_item *item);

/* Index of the item that is next; something was offered. */
uint32_t spn__deadline_choose(struct deadline_scheduler *scheduler,
                              const struct forecast_place *head,
                              uint64_t now_us);
/* After that: what to read in one run with the chosen one. The first begins the
 * run, the others are in no order, and may share bytes. Returns how many, at
 * most DEADLINE_COALESCE_MAX. */
uint32_t spn__deadline_coalesce(struct deadline_scheduler *scheduler,
                                uint32_t chosen,
                                uint32_t joined[DEADLINE_COALESCE_MAX]);
/* The choice is being read, so many bytes of it. */
void spn__deadline_serve(struct deadline_scheduler *scheduler, uint32_t index,
                         uint64_t bytes, uint64_t now_us);

#endif
