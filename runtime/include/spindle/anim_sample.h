/* anim_sample.h - poses of clips that play.
 *
 *   spn_anim_skeleton_open(rt, "hero.sas", &hero);         once
 *   ... updates, until spn_anim_skeleton_get_status returns SPN_OK ...
 *   spn_anim_skeleton_make_pose(rt, hero, memory, bytes, &pose);
 *   spn_anim_play_start(rt, walk, &play);                  (anim.h)
 *
 *   spn_anim_play_set_time(rt, play, time_us);             each frame
 *   spn_update(rt);
 *   spn_anim_play_sample(rt, play, time_us, hero, &pose, NULL, 0);
 *   ... draw `pose`: if the clip is not there, it is still the last one ...
 *
 * Matrices for skinning are made of a local pose (spn_anim_pose_to_matrices,
 * anim_pose.h). Several plays: sample each into a pose of its own, and blend
 * those that are there (spn_anim_pose_blend, anim_blend.h). An additive pose is
 * what is left of a sampled one after spn_anim_pose_subtract of its base: the
 * rest pose (spn_anim_skeleton_info.rest), or a pose sampled at another time or
 * of another play; spn_anim_pose_add adds it to another pose.
 *
 * Decoding. A clip that plays is opened, and decoded in segments. Workers
 * decode ahead of the time of the play, in its direction. What a play lacks at
 * its time is decoded by spn_update itself, up to anim_decode_now pieces
 * (tuning.h): two to open a clip, and one for each segment. So a clip whose
 * bytes are in memory has a pose after the first update of its play, unless
 * other plays have used up the pieces, or memory is short. A clip plays from
 * its first part on; later segments can be sampled when the rest is there.
 *
 * Memory. All plays of a clip share what is decoded: its head and its segments.
 * While the time of a play moves on, the play has two segments: that of its
 * time, and the next one. For a clip of 100 joints, head and two segments take
 * at most 32 KiB. In the update after a jump or the end of a loop, a play has
 * up to four segments, for root motion: also those of the time before, and
 * those at the ends of the loop. That is less than twice as much. The
 * additional segments are freed in the next update, and at once if a play needs
 * their memory for its pose. A clip that does not play has nothing decoded.
 * This is memory of clips in use (anim.h, Memory).
 *
 * Times are microseconds from the start of the clip, at most
 * SPN_ANIM_TIME_MAX in magnitude. In a loop they go on: 0, the period and twice
 * the period are the same pose. The period is the duration of the clip
 * (spn_anim_info) if the clip has SPN_ANIM_LOOPS. In a loop that closes
 * (SPN_ANIM_CLOSES) there is no time between the last frame and the first;
 * otherwise a pose between these is interpolated, and that takes as long as
 * between others. (The duration of a clip without SPN_ANIM_LOOPS ends at its
 * last frame.) Without a loop, times before the start are the first frame, and
 * times after the end the last one.
 *
 * The last pose. A function that cannot sample returns a status, and writes
 * nothing: a pose that the caller keeps from frame to frame is still the last
 * one. The runtime keeps no poses.
 *
 *   SPN_PENDING   the segment of this time is not decoded yet, or not any more:
 *                 it is neither around the time that the play had in the last
 *                 update nor around that of the update before
 *   SPN_ERR_FORMAT, SPN_ERR_CHECKSUM, SPN_ERR_MEMORY
 *                 the segment, or all of the clip, is damaged or has too many
 *                 tracks for this build; also reported as SPN_ANIM_DAMAGED.
 *                 Other segments are not affected
 *   SPN_ERR_SKELETON  the clip was made for another skeleton: joints with other
 *                 names or parents, or another number of joints
 *
 * A skeleton with the same joints and another rest pose is no error here: a
 * sample returns SPN_OK, and parts that rest in the clip, such as the lengths
 * of bones, are those of this skeleton. Call spn_anim_skeleton_check_clip once
 * for each clip and skeleton to find such a pair (SPN_ERR_REST_POSE).
 *
 * Threads. Functions with a const runtime may be called by any threads at the
 * same time, between two updates, for different poses; the others belong to the
 * caller's thread (spindle.h). None waits. Errors. anim.h lists those that are
 * checked first; then the status of a skeleton that is not open
 * (anim_skeletons.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_SAMPLE_H
#define SPINDLE_ANIM_SAMPLE_H

#include <spindle/anim_pose.h>
#include <spindle/anim_refs.h>
#include <spindle/anim_skeletons.h>
#include <spindle/features.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Largest magnitude of a time, in microseconds: about two years. */
#define SPN_ANIM_TIME_MAX ((int64_t)1 << 46)

/* Whether a play goes on after the end of its clip. */
typedef enum spn_anim_loop {
    SPN_ANIM_LOOP_AS_CLIP = 0, /* if the clip has SPN_ANIM_LOOPS */
    SPN_ANIM_LOOP_ALWAYS = 1,
    SPN_ANIM_LOOP_NEVER = 2
} spn_anim_loop;

#if SPN_WITH_ANIM

/* -- time -- */

/* Set the time of a play; usually once a frame, before spn_update, which then
 * decodes what this time needs. A new play is at time 0. The time may jump.
 * SPN_ERR_ARG also if it is larger than SPN_ANIM_TIME_MAX. */
spn_status spn_anim_play_set_time(spn_runtime *rt, spn_anim_play play,
                                  int64_t time_us);

/* Set how a play goes on. A new play has SPN_ANIM_LOOP_AS_CLIP and 0.
 *
 * direction  of its time: > 0 forwards; < 0 backwards; 0: as the time moves. It
 *            decides which segment is decoded ahead */
spn_status spn_anim_play_set_mode(spn_runtime *rt, spn_anim_play play,
                                  spn_anim_loop loop, int32_t direction);

/* -- poses -- */

/* Make a pose for a skeleton, and write the rest pose into it.
 *
 * memory  SPN_ANIM_POSE_BYTES(joint_count) bytes, aligned to
 *         SPN_ANIM_POSE_ALIGN; used as long as the pose
 * bytes   size of `memory`
 *
 * SPN_ERR_ARG also if `bytes` is too small. */
SPN_NODISCARD spn_status spn_anim_skeleton_make_pose(const spn_runtime *rt,
                                                     spn_anim_skeleton skeleton,
                                                     float *memory,
                                                     size_t bytes,
                                                     spn_anim_pose *out);

/* Sample a play at a time: the local transforms of all joints, and the float
 * tracks, e.g. weights of morph targets. What the clip does not animate has the
 * rest pose; a float track that it does not animate is 0.
 *
 * time_us   any time; segments are decoded for the time of the play, and kept
 *           for that of the update before
 * skeleton  with the joints of the clip
 * pose      made for the skeleton, or another one with as many joints
 * floats    output: the float tracks, in the order of
 *           spn_anim_play_get_float_name; spn_anim_play_state.float_count has
 *           their number. NULL: not wanted
 * float_count  elements of `floats`; 0 with NULL
 *
 * SPN_ERR_ARG also if the pose does not have as many joints as the skeleton, or
 * the clip has more float tracks than `floats` has room for. */
spn_status spn_anim_play_sample(const spn_runtime *rt, spn_anim_play play,
                                int64_t time_us, spn_anim_skeleton skeleton,
                                const spn_anim_pose *pose, float *floats,
                                uint32_t float_count);

/* The same as an array of structures, and without float tracks.
 *
 * transforms  output: as many elements as the skeleton has joints
 * count       of them; SPN_ERR_ARG if there are fewer */
spn_status spn_anim_play_sample_transforms(const spn_runtime *rt,
                                           spn_anim_play play, int64_t time_us,
                                           spn_anim_skeleton skeleton,
                                           spn_anim_transform *transforms,
                                           uint32_t count);

/* Find a float track of a play by its name; once, when `pose` of the state of
 * the play is SPN_OK, since the clip's names are compared one after the other.
 *
 * name_hash  spn_anim_hash_name of the name: that of the morph target in the
 *            file that was compiled, or "node/weights[i]" if it has none there
 * out        output: its number: its place in `floats` of
 *            spn_anim_play_sample. Of two tracks with this name the first
 *
 * SPN_PENDING until the clip is there; SPN_ERR_NOT_FOUND if it has no such
 * track. */
spn_status spn_anim_play_find_float(const spn_runtime *rt, spn_anim_play play,
                                    uint64_t name_hash, uint32_t *out);

/* Get the name of a float track.
 *
 * number  of the track, below spn_anim_play_state.float_count
 * out     output: UTF-8 of 1 to 511 bytes; valid until the next spn_update
 *
 * SPN_PENDING until the clip is there; SPN_ERR_ARG also if there is no such
 * track. */
spn_status spn_anim_play_get_float_name(const spn_runtime *rt,
                                        spn_anim_play play, uint32_t number,
                                        const char **out);

/* Get the motion of a joint between two times of a play, usually that of the
 * last frame and that of this one: root motion. It is what happens to the joint
 * from one time to the other, seen from the joint at the first time; so a game
 * that moves a character by it multiplies
 *
 *   character = character * motion
 *
 * (first the motion, then the character's transform). It contains the motion of
 * the joint's ancestors, and no scale: the scale of `out` is 1. Backwards it is
 * the inverse. Over the end of a loop the motions of the passes are put
 * together, so a clip that walks 2 m goes on walking: 2 m each pass. From the
 * last frame to the first one, in a loop that does not close, the joint moves
 * as it does from the first frame to the second.
 *
 * from_us, to_us  the time of the play at this update and at the update before,
 *                 in either order: their segments, and those of the ends of a
 *                 loop between them, are there if the pose of both times was,
 *                 and there is memory and a free piece of anim_decode_now for
 *                 the ends. For other times SPN_PENDING may be returned
 * joint           of the skeleton, e.g. of spn_anim_skeleton_find_joint
 * scratch         a pose as for spn_anim_play_sample; it is overwritten
 * out             the motion: rotation and translation
 *
 * SPN_ERR_ARG also if there is no such joint, or the times are 2^32 passes
 * apart. */
SPN_NODISCARD spn_status spn_anim_play_get_motion(
    const spn_runtime *rt, spn_anim_play play, int64_t from_us, int64_t to_us,
    spn_anim_skeleton skeleton, uint32_t joint, const spn_anim_pose *scratch,
    spn_anim_transform *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
