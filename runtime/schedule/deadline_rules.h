/* deadline_rules.h - the constants of the deadline scheduler.
 *
 * Times are microseconds. All other numbers are 1024ths of one typical seek of
 * the drive, so the same rules fit any drive. deadline.h states how the
 * scheduler uses them. Constant data: any thread can read it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_DEADLINE_RULES_H
#define SPN_SCHEDULE_DEADLINE_RULES_H

#include <spindle/read.h>
#include <stdint.h>

/* Classes of reads, the most urgent first. spn_task_class has the same classes
 * in the opposite order. */
enum deadline_class {
    DEADLINE_SOUND,
    DEADLINE_CLIP,
    DEADLINE_STREAM,
    DEADLINE_BULK,
    DEADLINE_CLASSES
};

static inline enum deadline_class deadline_class_of(spn_task_class task_class)
{
    _Static_assert(DEADLINE_SOUND + SPN_CLASS_SOUND == DEADLINE_BULK &&
                       DEADLINE_CLIP + SPN_CLASS_CLIP == DEADLINE_BULK &&
                       DEADLINE_STREAM + SPN_CLASS_STREAM == DEADLINE_BULK &&
                       SPN_CLASS_BULK == 0,
                   "classes in the opposite order");
    return (enum deadline_class)(DEADLINE_BULK - (uint32_t)task_class);
}

/* The rules of one class. */
struct deadline_rule {
    uint32_t renew_us;     /* a missed deadline is moved by this period, as
                            * often as needed; 0: it is dropped */
    uint32_t binding_us;   /* a deadline nearer than this adds to the cost of
                            * other reads */
    uint32_t age_limit_us; /* a read that has waited longer is overdue */
    uint32_t penalty;      /* cost of a missed deadline */
    uint32_t urgency;      /* discount of a read whose deadline is near */
    int32_t credit;        /* discount of each read of the class */
};

struct deadline_rules {
    struct deadline_rule classes[DEADLINE_CLASSES];
    uint32_t tardy_us;  /* a read that ends this late has the full
                         * penalty; less late, a part of it */
    uint32_t urgent_us; /* slack up to which the urgency is full */
    uint32_t calm_us;   /* slack from which on the urgency is 0 */
    uint32_t age;       /* discount for each second of waiting */
    uint32_t backlog;   /* waiting reads without an effect on costs */
    /* With more than `backlog` reads waiting, penalties are multiplied by
     * 1024 / (1024 + penalty_backoff * (waiting - backlog)), urgency and credit
     * by the same with urgency_backoff. */
    uint32_t penalty_backoff;
    uint32_t urgency_backoff;
};

extern const struct deadline_rules spn__deadline_rules;

#endif
