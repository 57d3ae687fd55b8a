/* reclaim.h - free decoded frames and read buffers that nobody holds.
 *
 * The function that promise.h calls when memory is wanted. kept.h chooses; this
 * module knows how each kind is freed. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_RECLAIM_H
#define SPN_PLAY_RECLAIM_H

#include <stdbool.h>

struct promises;

/* Free one entry. False if there is none; see promises.reclaim. */
bool spn__reclaim(struct promises *p, bool is_needed);

#endif
