/* test_tasks.c
 *
 * Goal: every task type has the class, and every class the default deadline,
 * documented in read.h and medium.h.
 * Method: compare the whole table with those headers.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "schedule/tasks.h"

static struct tasks tasks;

static uint32_t due_us(spn_task task)
{
    return spn__task_class_due_us(spn__tasks_class(&tasks, task));
}

static void tasks_have_their_default_deadlines(void)
{
    spn__tasks_init(&tasks);
    CHECK_EQ(due_us(SPN_TASK_SOUND), 400000);
    CHECK_EQ(due_us(SPN_TASK_SOUND_BANK), 400000);
    CHECK_EQ(due_us(SPN_TASK_MUSIC), 400000);
    CHECK_EQ(due_us(SPN_TASK_ANIMATION), 2500000);
    CHECK_EQ(due_us(SPN_TASK_VIDEO), 6000000);
    CHECK_EQ(due_us(SPN_TASK_GEOM_CACHE), 6000000);
    CHECK_EQ(due_us(SPN_TASK_TEXTURE), 6000000);
    CHECK_EQ(due_us(SPN_TASK_USER), 6000000);
}

/* A change of a type's class also changes its deadline. */
static void tasks_follow_a_change_of_class(void)
{
    spn__tasks_init(&tasks);
    spn__tasks_set_class(&tasks, SPN_TASK_TEXTURE, SPN_CLASS_CLIP);
    CHECK_EQ(due_us(SPN_TASK_TEXTURE), 2500000);
    spn__tasks_set_class(&tasks, SPN_TASK_TEXTURE, SPN_CLASS_SOUND);
    CHECK_EQ(due_us(SPN_TASK_TEXTURE), 400000);
}

TEST_MAIN(TEST(tasks_have_their_default_deadlines),
          TEST(tasks_follow_a_change_of_class))
