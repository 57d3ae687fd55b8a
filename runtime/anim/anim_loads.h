/* anim_loads.h - the loads of all clips and databases: which are under way,
 * which are idle, which go first.
 *
 * An *idle* load is one that nobody wants. It stays until its grace ends
 * (anim_clips.h, anim_databases.h), or until its memory is needed. Idle loads
 * are in the order in which they became idle. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_LOADS_H
#define SPN_ANIM_ANIM_LOADS_H

#include "anim/range_load.h"

#include <stdbool.h>
#include <stdint.h>

struct anim;

/* Take a free record, or that of the load that has been idle for longest. NULL:
 * all are wanted. */
struct range_load *spn__anim_load_take(struct anim *a);
/* The range is set: the load begins with the next step. */
void spn__anim_load_begin(struct range_load *load);
/* Abort and free it; the record is free at once or later. The owner no longer
 * refers to it. */
void spn__anim_load_drop(struct range_load *load);

/* The same of a load whose owner still refers to it. */
void spn__anim_load_evict(struct range_load *load);

/* Move a load into the list of idle ones, or out of it. */
void spn__anim_load_set_idle(struct range_load *load, bool is_idle);

/* Free the load that has been idle for longest. False: there is none that may
 * be freed. */
bool spn__anim_evict(struct anim *a);

/* Take the results of one load under way, and report them. An idle one of
 * which nothing is in memory is freed. */
void spn__anim_load_collect(struct range_load *load);

/* Step all loads under way: results first; then reads and memory, earliest
 * deadline first. One for which there is no room does not hold up those that
 * leave room for it, and goes first when it has waited for 2 s. */
void spn__anim_loads_step(struct anim *a);

uint32_t spn__anim_load_number(const struct range_load *load);

#endif
