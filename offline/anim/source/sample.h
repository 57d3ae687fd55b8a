/* sample.h - make dense clips of the clips of a motion.
 *
 * All joints of the file become joints of the clip, parents before children;
 * their order is the same for all clips of a file. A joint without a name is
 * named "joint7" for its number in the file; of joints with the same name, all
 * but the first get "#7" behind it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_SOURCE_SAMPLE_H
#define OFFLINE_ANIM_SOURCE_SAMPLE_H

#include "anim/source/motion.h"
#include "anim/source/sample_grid.h"

#define SAMPLE_TRANSFORMS_MAX ((uint64_t)1 << 25) /* joints times frames */
#define SAMPLE_FLOATS_MAX ((uint64_t)1 << 27)
/* Of a translation in metres, a scale, or a weight. */
#define SAMPLE_VALUE_MAX 1e9
/* A clip closes its loop if no number of the last frame differs by more from
 * the first: metres, factors, quaternion components. */
#define SAMPLE_LOOP_TOLERANCE 1e-5

struct sample_options {
    double rate;        /* as in sample_grid_choose */
    double unit_metres; /* length of the file's unit; 0: its default */
};

/* The length of the unit that a format's files usually have: 1 m for glTF, as
 * it demands, and 0.01 m for BVH, which does not say. */
double sample_unit_metres(enum motion_format format);

/* The joints of a motion's dense clips. */
struct sample_skeleton {
    const struct dense_joint *joints; /* [motion->joint_count] */
    const uint32_t *places;           /* [joint of the file]: its index there */
};

/* Make the joints. The arena owns them. Returns false after a refusal: there
 * are no joints, or values are too large. */
bool sample_skeleton(const struct motion *motion, double unit_metres,
                     struct arena *arena, const char *path, struct diag *diag,
                     struct sample_skeleton *skeleton);

/* Does the last frame equal the first, within SAMPLE_LOOP_TOLERANCE?
 *
 * root_joint  name of a joint that travels: how it and its parents move and
 *             turn does not count; NULL: all joints count
 * arena       for memory of the work */
bool sample_loop_closes(const struct dense_clip *dense, const char *root_joint,
                        struct arena *arena);

/* Sample the clip `index`; loop_closes is judged by all joints. The arena owns
 * what the dense clip points to, except the joints. `grid` is filled, for
 * reports. Returns false after a refusal. */
bool sample_clip(const struct motion *motion, uint32_t index,
                 const struct sample_skeleton *skeleton,
                 const struct sample_options *options, struct arena *arena,
                 const char *path, struct diag *diag, struct sample_grid *grid,
                 struct dense_clip *dense);

#endif
