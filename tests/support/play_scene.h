/* play_scene.h - clips that play, a skeleton and a pose, for tests that compare
 * poses with the scalar reference.
 *
 *   play_scene_init(&scene, &made, SPN_ANIM_LOOPS);  the first clip
 *   ... more clips by pose_stage_add, faults, scene.stage.stage.config ...
 *   play_scene_open(&scene);
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_PLAY_SCENE_H
#define TESTS_PLAY_SCENE_H

#include "support/pose_reference.h"
#include "support/pose_stage.h"

#include <spindle/anim.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#define PLAY_SCENE_JOINTS_MAX 104u
#define PLAY_SCENE_FRAME_US 33333

struct play_scene {
    struct pose_stage stage;
    struct pose_reference reference; /* of the first clip */
    spn_anim_skeleton skeleton;      /* of the first clip */
    spn_anim_pose pose;              /* of this skeleton, in `values` */
    alignas(32) float values[10 * PLAY_SCENE_JOINTS_MAX];
};

/* Make the first clip; see pose_stage_add. */
void play_scene_init(struct play_scene *s, const struct made_motion *made,
                     uint32_t flags);
/* Start the runtime, and open the skeleton. */
void play_scene_open(struct play_scene *s);
void play_scene_close(struct play_scene *s);

/* Start a play; it must succeed. */
spn_anim_play play_scene_start(struct play_scene *s, uint32_t clip);
spn_anim_play_state play_scene_state(const struct play_scene *s,
                                     spn_anim_play play);
void play_scene_move(struct play_scene *s, spn_anim_play play, int64_t time_us);
/* Sample into the pose. */
spn_status play_scene_sample(struct play_scene *s, spn_anim_play play,
                             int64_t time_us);
/* Tick until the play can be sampled at its time; fails after a limit. */
void play_scene_wait(struct play_scene *s, spn_anim_play play);
/* Play by steps, and compare every pose. */
void play_scene_play(struct play_scene *s, spn_anim_play play, bool loops,
                     int64_t from_us, int64_t to_us, int64_t step_us);

/* Bytes of the heap in use. */
uint64_t play_scene_bytes(const struct play_scene *s);
spn_anim_stats play_scene_stats(const struct play_scene *s);

#endif
