/* random_tracks.h - tracks and two frames of a clip, made of random numbers. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_RANDOM_TRACKS_H
#define TESTS_SUPPORT_RANDOM_TRACKS_H

#include "harness.h"

#include "anim/pose/anim_window.h"

#define RANDOM_JOINTS_MAX 70u

/* All arrays are allocated with exactly the slack that anim_tracks.h and
 * anim_window.h promise, so a sanitizer sees reads beyond. */
struct random_tracks {
    struct anim_tracks tracks;
    struct anim_window window; /* 2 frames */
    void *blocks[64];
    uint32_t block_count;
};

/* Of joint_count joints, at most RANDOM_JOINTS_MAX: each part of a joint rests,
 * is constant, or has a track, with steps or without, some of them wide. The
 * second frame may be a cut. Values are of usual sizes; rotations are up to a
 * half turn off their centres. */
void random_tracks_make(struct random_tracks *r, struct test_random *random,
                        uint32_t joint_count);
void random_tracks_free(struct random_tracks *r);

/* A number in [-1, 1), and a unit quaternion. */
float random_float(struct test_random *random);
void random_rotation(struct test_random *random, float q[4]);

#endif
