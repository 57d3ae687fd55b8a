/* update.h - the update of all caches and nodes of a runtime.
 *
 * One update (spn_update) does this, in order:
 *   0. views start nodes, send them to sleep and wake them (scene/node_view.h,
 *      before spn__manager_update);
 *   1. step each cache that opens or closes;
 *   2. take over the frames whose jobs have ended, and choose what each node
 *      shows;
 *   3. each cursor plans: it marks the memory that it needs (cursor_plan.h),
 *      and gets its promise (cursor_promise.h);
 *   4. abort reads that nobody wants, and start those again that failed at one
 *      place, behind that place (group_read.h);
 *   5. admit cursors to drives that have time for them (admission.h);
 *   6. choose what is left out if there is too little time (governor.h);
 *   7. launch frames, then start reads, nearest deadline first (node_order.h);
 *   8. launch the frames to which the time leapt, although their bytes are only
 *      on their way (spn__cursor_launch_early).
 *
 * Why no cursor can block another one for ever:
 *   - All promises together fit the heap beside the static data (promise.h,
 *     cursor_promise.h). A cursor without a promise holds no memory; it gets a
 *     promise when another one stops.
 *   - A cursor with a promise gets its pages: what exceeds a promise can be
 *     freed at once, or is in use by a job or the device and can be freed when
 *     that ends. What is freed can be read and decoded again.
 *   - A cursor that finds no memory all the same, through fragmentation, gives
 *     up all but the wanted frames. This happens only in heaps that are smaller
 *     than spn_cache_heap_needed says.
 *   - Every read ends in a completion. A frame waits only for frames that were
 *     launched before. A closure gets the memory of all its frames or none, so
 *     two cursors cannot wait for each other with half of it each.
 *
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_UPDATE_H
#define SPN_PLAY_NODE_UPDATE_H

#include "base/carve.h"
#include "play/manager.h"

#include <spindle/geom.h>
#include <stdbool.h>
#include <stdint.h>

/* Take the tables from `carve`; with a carve that counts, only count bytes. */
void spn__manager_init(struct manager *m, struct carve *carve,
                       const struct manager_config *config);

/* The update described above. Call it after the completions of ended reads have
 * been delivered. */
void spn__manager_update(struct manager *m, uint64_t now_us);

/* Destroy all nodes and close all caches, one step for each call. True when
 * nothing is left. Reads and jobs must go on between the calls. */
bool spn__manager_shutdown(struct manager *m);

/* True if the totals agree with the caches, nodes and cursors, and each of
 * these passes its own check. Reads the whole state. See also
 * spn__promise_check and spn__node_order_check. */
bool spn__manager_check(const struct manager *m);

/* The object of a handle; NULL if the user has released or destroyed it. */
struct cache *spn__manager_cache(const struct manager *m, spn_cache handle);
struct node *spn__manager_node(const struct manager *m, spn_node handle);

#endif
