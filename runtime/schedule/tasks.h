/* tasks.h - what is known of each task type: its class, and whether it is
 * paused; and of each class, when its reads are due by default. Any thread
 * reads and writes; a change counts for whoever looks later.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_TASKS_H
#define SPN_SCHEDULE_TASKS_H

#include "base/atomic.h"

#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct tasks {
    struct atomic_u32 class_of[SPN_TASK_COUNT];
    struct atomic_u32 paused; /* a bit for each type */
};

void spn__tasks_init(struct tasks *tasks);

/* A type that a read may have: not 0. */
bool spn__tasks_is_good(spn_task task);

/* What a priority that a caller gave for a read of this type means. */
spn_priority spn__tasks_priority(spn_task task, spn_priority given);

/* The type is good. */
spn_task_class spn__tasks_class(const struct tasks *tasks, spn_task task);
void spn__tasks_set_class(struct tasks *tasks, spn_task task,
                          spn_task_class task_class);
bool spn__tasks_is_paused(const struct tasks *tasks, spn_task task);
void spn__tasks_pause(struct tasks *tasks, spn_task task, bool is_paused);

/* Microseconds from its start until a read of the class is due, if it names no
 * deadline: sound 0.4 s, clip 2.5 s, stream and bulk 6 s. */
uint32_t spn__task_class_due_us(spn_task_class task_class);

#endif
