/* tasks.h - the types of reads (spn_task): their classes, and which are paused.
 *
 * Every read has a type. Its class decides the default deadline and the rules
 * of the deadline scheduler; reads of a paused type wait. All functions can be
 * called from any thread. A change affects what is looked up after it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_TASKS_H
#define SPN_SCHEDULE_TASKS_H

#include "base/atomic.h"

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

/* Atomic; any thread. */
struct tasks {
    struct atomic_u32 class_of[SPN_TASK_COUNT]; /* spn_task_class */
    struct atomic_u32 paused;                   /* a bit for each type */
};

/* Every type has its default class, and none is paused. */
void spn__tasks_init(struct tasks *tasks);

/* Whether a read can have this type. Type 0 is none. The functions below expect
 * such a type. */
bool spn__tasks_is_good(spn_task task);

/* The priority of a read of this type: `given`, or the default of the type. */
spn_priority spn__tasks_priority(spn_task task, spn_priority given);

spn_task_class spn__tasks_class(const struct tasks *tasks, spn_task task);
void spn__tasks_set_class(struct tasks *tasks, spn_task task,
                          spn_task_class task_class);
bool spn__tasks_is_paused(const struct tasks *tasks, spn_task task);
void spn__tasks_pause(struct tasks *tasks, spn_task task, bool is_paused);

/* The default deadline of a class, in microseconds after the start of a read:
 * sound 0.4 s, clip 2.5 s, stream and bulk 6 s. */
uint32_t spn__task_class_due_us(spn_task_class task_class);

#endif
