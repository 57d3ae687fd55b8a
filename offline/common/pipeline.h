/* pipeline.h - run a pipeline of stages on a pool of threads.
 *
 * A stage has items 0, 1, 2, ... An item has turns: independent pieces of work
 * that run on any thread; turns of several items run at the same time. An item
 * is handed on when all its turns have returned and all earlier items of its
 * stage were handed on. A stage hands on one item at a time, in order, while
 * turns of other items run.
 *
 * Before an item begins, the `limit` callback of its stage says how many items
 * of the stage may have begun. So a stage waits for items of the previous
 * stage, and for room in buffers of a fixed size that a later stage frees by
 * handing on. Later stages have priority, so that room becomes free early.
 *
 * The first turn or hand_on that returns false ends the run: no other work
 * begins, running turns return, then pipeline_run returns.
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
    uint32_t window; /* most items begun and not yet handed on; >= 1 */
    /* Returns the number of turns of an item; NULL: one. With 0 turns the item
     * is handed on at once. */
    uint32_t (*turns)(void *user, uint32_t item);
    bool (*turn)(void *user, uint32_t item, uint32_t turn, uint32_t worker);
    bool (*hand_on)(void *user, uint32_t item, uint32_t worker);
    /* Returns how many items may have begun, given the number of items that
     * each stage has handed on; depends on nothing else. NULL: all. */
    uint32_t (*limit)(void *user, const uint32_t *handed_on);
};

/* Run all items of all stages. Returns true when every item was handed on.
 * `turns` and `limit` are called under a lock. The limits must always allow
 * some stage to continue until all are done. `worker` is that of workers_run.
 */
bool pipeline_run(struct workers *workers, const struct pipeline_stage *stages,
                  uint32_t stage_count, void *user);

#endif
