/* pose_reference.h - poses of a clip file by the scalar reference, from windows
 * of all segments, which are decoded at once. For comparisons with what a
 * runtime samples. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_POSE_REFERENCE_H
#define TESTS_POSE_REFERENCE_H

#include "anim/anim_clip.h"
#include "anim/anim_skeleton.h"
#include "anim/encode/anim_encode.h"
#include "anim/pose/anim_window.h"

#include <spindle/anim_pose.h>
#include <stdbool.h>
#include <stdint.h>

struct pose_reference {
    struct anim_clip clip;
    struct anim_window *windows;
    void *tracks;
    void *rows;
    struct anim_skeleton skeleton;
    void *joints;
    spn_anim_transform *pose; /* of the last call */
    float *numbers;
};

void pose_reference_open(struct pose_reference *r, const struct anim_file *clip,
                         const struct anim_file *skeleton);
void pose_reference_close(struct pose_reference *r);

/* Compute the pose between two frames. */
void pose_reference_between(struct pose_reference *r, uint32_t frame,
                            uint32_t next, float between);
/* The same at a time of a clip of 30 frames a second, in microseconds. */
void pose_reference_at(struct pose_reference *r, bool loops, int64_t time_us);

/* Check that a pose equals the last one computed, bit by bit. */
void pose_reference_check(const struct pose_reference *r,
                          const spn_anim_pose *pose);

#endif
