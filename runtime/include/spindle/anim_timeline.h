/* anim_timeline.h - clips that will play at known times.
 *
 * A sequence editor, a cut scene or an animation graph often knows some seconds
 * in advance which clips will play. Such clips are listed in a *timeline* as
 * cues. The clips of all cues that lie ahead of the timeline's time, by at most
 * the tuning variable anim_ahead_ms, are wanted, with the time of the cue as
 * the deadline of the read. Clips of one database and one time are read in the
 * order in which they lie there. When the time passes a cue, it is counted: a
 * *hit* if the first part of the clip is in memory by then, a *miss* otherwise.
 * So misses say that anim_ahead_ms or the drive does not suffice. Whether the
 * pose could be sampled as well, which takes time and memory to decode, is
 * counted for plays (held_updates of spn_anim_stats).
 *
 * Half a second before a cue its clip is opened, as for a play, and its first
 * 16 frames are decoded by workers. Clip and frames stay until the second
 * spn_update after the time has passed the cue: a play that starts by then, at
 * the beginning of the clip, has a pose at once, without work in an update. Up
 * to four cues of a timeline are open at a time, which includes those that were
 * passed; of later ones the clip is in memory, and opened by the update in
 * which it plays (tuning variable anim_decode_now). Opened clips count as
 * memory of clips in use (anim.h, Memory).
 *
 * A cue has the number of a clip, so its header is in memory. With
 * spn_config.anim_has_loose_headers the game names the files of all cues first
 * (spn_anim_add_file), and sets the cues when spn_anim_find finds them. All
 * else is the same.
 *
 * Threads. The caller's thread (spindle.h). Errors. anim.h lists those that are
 * checked first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_TIMELINE_H
#define SPINDLE_ANIM_TIMELINE_H

#include <spindle/anim_refs.h>
#include <spindle/features.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t spn_anim_timeline; /* handle; 0: none */

typedef struct spn_anim_cue {
    int64_t time_us; /* on the timeline, when the clip begins to play */
    spn_anim anim;
} spn_anim_cue;

typedef struct spn_anim_timeline_state {
    int64_t time_us;
    uint32_t wanted; /* cues whose clips it wants now, also of those passed */
    uint32_t hits;   /* since spn_anim_timeline_create */
    uint32_t misses;
} spn_anim_timeline_state;

#if SPN_WITH_ANIM

/* Create a timeline without cues, at time 0. SPN_ERR_TABLE_FULL if there are
 * spn_config.anim_timeline_count. */
SPN_NODISCARD spn_status spn_anim_timeline_create(spn_runtime *rt,
                                                  spn_anim_timeline *out);
spn_status spn_anim_timeline_destroy(spn_runtime *rt,
                                     spn_anim_timeline timeline);

/* Replace the cues. The clips of the old ones are not wanted any more, and the
 * new ones ahead are wanted from the next spn_update on.
 *
 * cues   [count], sorted by time. They are borrowed, not copied: the game owns
 *        the array, and keeps it valid and unchanged until other cues are set
 *        or the timeline is destroyed, also by spn_shutdown. NULL if `count`
 *        is 0
 *
 * SPN_ERR_ARG if the cues are not sorted; SPN_ERR_HANDLE also if a clip does
 * not exist. */
spn_status spn_anim_timeline_set_cues(spn_runtime *rt,
                                      spn_anim_timeline timeline,
                                      const spn_anim_cue *cues, uint32_t count);

/* Advance a timeline; usually once a frame, before spn_update. Cues from the
 * time before, included, up to this one, excluded, are passed and counted,
 * however large the step is. A step back is a jump. The deadline of a cue is as
 * far from now as the cue is from this time. */
spn_status spn_anim_timeline_set_time(spn_runtime *rt,
                                      spn_anim_timeline timeline,
                                      int64_t time_us);

/* Jump to a time, in either direction: no cue is passed, and the clips of the
 * cues that were wanted before are not wanted any more. */
spn_status spn_anim_timeline_jump(spn_runtime *rt, spn_anim_timeline timeline,
                                  int64_t time_us);

spn_status spn_anim_timeline_get_state(const spn_runtime *rt,
                                       spn_anim_timeline timeline,
                                       spn_anim_timeline_state *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
