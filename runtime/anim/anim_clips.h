/* anim_clips.h - which clips are wanted, and what of them is in memory.
 *
 * A clip is wanted while its count is not 0 or it is locked. A wanted clip has
 * a load of its own, or its database has one. When it is not
 * wanted any more, its load becomes idle, and is freed after the grace.
 *
 * Caller's thread, unless a comment says otherwise.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_CLIPS_H
#define SPN_ANIM_ANIM_CLIPS_H

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct anim;
struct range_load;

/* Add a reference, and begin to read the clip at once.
 *
 * deadline_us  when its first part is needed; 0: unknown */
void spn__clip_want(struct anim *a, uint32_t clip, uint64_t deadline_us);
/* Say again when a clip is needed that was wanted before; it may have got its
 * load since then, in an update that did not know the time. */
void spn__clip_hurry(struct anim *a, uint32_t clip, uint64_t deadline_us);
/* Remove that reference. The next update sees it. */
void spn__clip_release(struct anim *a, uint32_t clip);

void spn__clip_lock(struct anim *a, uint32_t clip, bool is_locked);
bool spn__clip_is_wanted(const struct anim *a, uint32_t clip);

/* Keep what clips have in memory that have become wanted since their counts
 * were last looked at. Before anything idle is freed. */
void spn__clips_keep(struct anim *a);
/* Look at the clips whose counts have changed. */
void spn__clips_take_changes(struct anim *a);
/* The same, then free what has been idle for longer than the grace. Once an
 * update. */
void spn__clips_update(struct anim *a);

/* The load of a clip is about to be freed: the clip has none any more. */
void spn__clip_clear_load(struct anim *a, uint32_t clip);
/* Free an idle clip. SPN_ERR_STATE if it is wanted. */
spn_status spn__clip_unload(struct anim *a, uint32_t clip);

/* The load that has the bytes of a clip, or will have them: its own or that of
 * its database. NULL: none.
 *
 * start  output: where the clip begins in the block */
struct range_load *spn__clip_load(const struct anim *a, uint32_t clip,
                                  uint32_t *start);
/* Bytes at the front of a clip that are in memory and verified. */
uint32_t spn__clip_ready_bytes(const struct anim *a, uint32_t clip);
bool spn__clip_is_ready(const struct anim *a, uint32_t clip);
/* What spn_anim_get_status returns. */
spn_status spn__clip_status(const struct anim *a, uint32_t clip);

#endif
