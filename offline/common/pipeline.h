/* pipeline.h - items that pass stages in order, their turns on all threads.
 *
 * A stage has items 0, 1, 2..., and an item has turns, which touch nothing of
 * each other and run on any thread, those of several items at once. When all
 * turns of an item have returned, and the items before it were handed on, it
 * is handed on itself: one at a time, in order, while turns go on.
 *
 * What bounds it is a reservation: before an item begins, its stage's `limit`
 * is asked how many items may have begun. There a stage waits for what the
 * one before it has handed on, and for places in buffers of a fixed size,
 * which a later stage gives back by handing on. Work on items that are
 * farther on comes first, so places come free as early as they can.
 *
 * The first turn or hand_on that returns false ends the run: nothing new
 * begins, what is running returns, and so does pipeline_run.
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
    uint32_t window; /* items begun and not yet handed on, at most; >= 1 */
    /* Turns of an item; NULL: one. 0: it is handed on without a turn. */
    uint32_t (*turns)(void *user, uint32_t item);
    bool (*turn)(void *user, uint32_t item, uint32_t turn, uint32_t worker);
    bool (*hand_on)(void *user, uint32_t item, uint32_t worker);
    /* How many items may have begun, after each stage has handed on so many:
     * no state but that. NULL: all. */
    uint32_t (*limit)(void *user, const uint32_t *handed_on);
};

/* Run all items of all stages; true when every one was handed on. `turns` and
 * `limit` are called under a lock; limits must allow some stage to go on until
 * all are at their end. `worker` is as in workers_run. */
bool pipeline_run(struct workers *workers, const struct pipeline_stage *stages,
                  uint32_t stage_count, void *user);

#endif
