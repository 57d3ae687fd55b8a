/* pipeline.h - run a pipeline of stages on a pool of threads.
 *
 * A stage has items 0, 1, 2, ... An item has tasks: independent pieces of work
 * that run on any thread, those of several items at the same time. When all
 * tasks of an item have returned and the stage has finished all earlier items,
 * it finishes this item with a call of `finish`. A stage makes one such call at
 * a time, in the order of the items, while tasks of other items run.
 *
 * Before an item begins, the `limit` callback of its stage returns how many
 * items of the stage may have begun. A limit makes a stage wait for items of
 * the previous stage (for example, stage 1 with the limit finished[0]), or for
 * room in a buffer that a later stage frees when it finishes items. Later
 * stages have priority, so that room becomes free early.
 *
 * The first callback that returns false ends the run: no other task begins,
 * running tasks return, then pipeline_run returns.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_PIPELINE_H
#define OFFLINE_COMMON_PIPELINE_H

#include "common/workers.h"

#include <stdbool.h>
#include <stdint.h>

#define PIPELINE_STAGES_MAX 4u

struct pipeline_stage {
    uint32_t item_count;
    uint32_t window; /* most items begun and not finished; >= 1 */
    /* Returns the number of tasks of an item. NULL: one task each. An item with
     * 0 tasks is finished at once. */
    uint32_t (*task_count)(void *user, uint32_t item);
    /* Runs one task. Must not be NULL. */
    bool (*run_task)(void *user, uint32_t item, uint32_t task, uint32_t worker);
    /* Finishes an item. Must not be NULL. */
    bool (*finish)(void *user, uint32_t item, uint32_t worker);
    /* Returns how many items may have begun. `finished` has the number of
     * finished items of each stage; the result must depend on nothing else.
     * NULL: all items. */
    uint32_t (*limit)(void *user, const uint32_t *finished);
};

/* Run all items of all stages. Returns true when every item is finished.
 * `task_count` and `limit` are called under a lock. Until all items are
 * finished, the limits must always allow some stage to continue. `worker` is
 * the number of the calling thread, as in workers_run.
 */
bool pipeline_run(struct workers *workers, const struct pipeline_stage *stages,
                  uint32_t stage_count, void *user);

#endif
