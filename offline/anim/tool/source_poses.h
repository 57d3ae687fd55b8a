/* source_poses.h - poses of a source between its sampled frames.
 *
 * A sampled clip has straight lines, or arcs at constant speed, between its
 * frames; the source itself may have curves there.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_SOURCE_POSES_H
#define OFFLINE_ANIM_TOOL_SOURCE_POSES_H

#include "anim/source/sample.h"
#include "anim/tool/skin_error.h"

/* A clip, its source, and workspace. */
struct source_poses {
    const struct motion *motion;
    const struct motion_clip *clip;
    const struct sample_skeleton *skeleton;
    double unit_metres;
    const struct sample_grid *grid;
    const struct dense_clip *dense;
    struct joint_transform *file_order; /* [joint] */
};

void source_poses_init(struct source_poses *source, struct arena *arena);

/* Compute the sampled pose at the position u, 0..1, between `frame` and the
 * next frame; u is 0 for the last frame. `pose` has the joints in the order of
 * the dense clip. */
void source_poses_sampled(const struct source_poses *source, uint32_t frame,
                          double u, struct joint_transform *pose);
/* The same of the source's own curves; u is above 0. */
void source_poses_curve(const struct source_poses *source, uint32_t frame,
                        double u, struct joint_transform *pose);

/* How far a sampled clip is from cubic curves. */
struct source_loss {
    double metres; /* at the skin */
    double floats; /* of a float track */
};

/* Measure the loss at 1/4, 1/2 and 3/4 between all frames, except before cuts.
 * Only cubic channels count: a step or a bend of another channel between two
 * frames is no loss of a curve. */
struct source_loss source_poses_lost(const struct source_poses *source,
                                     struct arena *arena);

/* Is a loss above the limit? */
bool source_loss_exceeds(const struct source_loss *loss,
                         const struct source_loss *limit);

/* Does a channel have cubic curves? */
bool source_has_curves(const struct motion_clip *clip);

/* Find the lowest rate at which a clip's frames follow its cubic curves: a
 * multiple of the rate that sample_grid_choose gives it, at most
 * FOLLOW_RATE_MAX.
 *
 * limit    the loss that is allowed
 * sample   rate is 0; *rate becomes the rate to use instead
 *
 * Returns false after a refusal. If no rate is sufficient, *rate is the
 * highest. A clip without curves keeps the rate 0. */
#define FOLLOW_RATE_MAX 240.0
bool source_follow_rate(const struct motion *motion, uint32_t index,
                        const struct sample_skeleton *skeleton,
                        const struct sample_options *sample,
                        const struct source_loss *limit, const char *path,
                        struct diag *diag, double *rate);

#endif
