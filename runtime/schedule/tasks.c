/* tasks.c - default classes, priorities and deadlines of the types. */
/* SPDX-License-Identifier: MIT */
#include "schedule/tasks.h"

#include "base/assert.h"

/* The word of paused types has a bit for each type. */
SPN_STATIC_ASSERT(SPN_TASK_COUNT == 32, task_bits);

static const uint8_t default_classes[SPN_TASK_COUNT] = {
    [SPN_TASK_ANIMATION] = SPN_CLASS_CLIP,
    [SPN_TASK_SOUND_BANK] = SPN_CLASS_SOUND,
    [SPN_TASK_MUSIC] = SPN_CLASS_SOUND,
    [SPN_TASK_SOUND] = SPN_CLASS_SOUND,
    [SPN_TASK_VIDEO] = SPN_CLASS_STREAM,
    [SPN_TASK_GEOM_CACHE] = SPN_CLASS_STREAM,
};

#define MS_US 1000u

static const uint32_t due_us[SPN_CLASS_COUNT] = {
    [SPN_CLASS_SOUND] = 400 * MS_US,
    [SPN_CLASS_CLIP] = 2500 * MS_US,
    [SPN_CLASS_STREAM] = 6000 * MS_US,
    [SPN_CLASS_BULK] = 6000 * MS_US,
};

uint32_t spn__task_class_due_us(spn_task_class task_class)
{
    SPN_ASSERT((uint32_t)task_class < SPN_CLASS_COUNT);
    return due_us[task_class];
}

void spn__tasks_init(struct tasks *tasks)
{
    for (uint32_t i = 0; i < SPN_TASK_COUNT; i++)
        atomic_store_relaxed(&tasks->class_of[i], default_classes[i]);
    atomic_store_relaxed(&tasks->paused, 0);
}

bool spn__tasks_is_good(spn_task task)
{
    return task > 0 && (uint32_t)task < SPN_TASK_COUNT;
}

spn_task_class spn__tasks_class(const struct tasks *tasks, spn_task task)
{
    return (spn_task_class)atomic_load_relaxed(&tasks->class_of[task]);
}

void spn__tasks_set_class(struct tasks *tasks, spn_task task,
                          spn_task_class task_class)
{
    SPN_ASSERT(spn__tasks_is_good(task));
    SPN_ASSERT((uint32_t)task_class < SPN_CLASS_COUNT);
    atomic_store_relaxed(&tasks->class_of[task], (uint32_t)task_class);
}

bool spn__tasks_is_paused(const struct tasks *tasks, spn_task task)
{
    return atomic_load_relaxed(&tasks->paused) >> task & 1;
}

void spn__tasks_pause(struct tasks *tasks, spn_task task, bool is_paused)
{
    uint32_t bit = (uint32_t)1 << task;

    SPN_ASSERT(spn__tasks_is_good(task));
    /* Relaxed loads are enough: a read that is started afterwards comes
     * through the inbox, and the io thread is signalled to look at the
     * others. */
    if (is_paused)
        atomic_or_acq_rel(&tasks->paused, bit);
    else
        atomic_and_acq_rel(&tasks->paused, ~bit);
}

spn_priority spn__tasks_priority(spn_task task, spn_priority given)
{
    if (given != SPN_PRIORITY_DEFAULT)
        return given;
    return task == SPN_TASK_GEOM_CACHE ? SPN_PRIORITY_ABOVE_NORMAL
                                       : SPN_PRIORITY_NORMAL;
}
