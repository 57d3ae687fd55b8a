/* play_poses.h - the pose of a character: sampled for each picture, and held
 * while it cannot be sampled.
 *
 * Main thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_POSES_H
#define OFFLINE_PLAYER_PLAY_POSES_H

#include "common/arena.h"
#include "player/play_skeletons.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

enum play_pose_state {
    PLAY_POSE_PENDING, /* none of this play yet: the rest pose, or that of the
                        * play before */
    PLAY_POSE_SAMPLED, /* of this picture */
    PLAY_POSE_HELD,    /* of an earlier picture */
    PLAY_POSE_FAILED   /* the clip is damaged or could not be read, or there is
                        * no skeleton */
};

struct play_pose {
    const struct play_skeleton *skeleton; /* NULL: none fits, and there is no
                                           * pose */
    spn_anim_pose local;                  /* the last one */
    enum play_pose_state state;
    spn_status status;  /* of PLAY_POSE_FAILED with a skeleton: why */
    double step_metres; /* way of the first joint since the picture before; 0
                         * if one of the two is not known */
    /* private */
    float *values[2];   /* of `local`, and for the runtime */
    int64_t sampled_us; /* time of the last one of this play */
    bool has_sample;    /* there is one of this play */
};

/* Allocate a pose for skeletons of at most so many joints. */
void play_pose_init(struct play_pose *pose, uint32_t joint_count,
                    struct arena *arena);

/* A play begins. The pose is kept if the skeleton is the same; otherwise it
 * becomes the rest pose. */
void play_pose_begin(struct play_pose *pose, const spn_runtime *rt,
                     const struct play_skeleton *skeleton);

/* Sample the play at the time that was set (spn_anim_play_set_time), after the
 * update. */
void play_pose_sample(struct play_pose *pose, const spn_runtime *rt,
                      spn_anim_play play, int64_t time_us);

#endif
