/* dense_clip.h - an animation clip sampled at even times.
 *
 * The readers of source files (glTF, BVH) produce dense clips; the encoder
 * takes them. All values are doubles, so that the encoder alone decides about
 * precision. Space is in metres, right-handed; a joint's transform is relative
 * to its parent and applies to column vectors as translation * rotation *
 * scale.
 *
 * A dense clip only points to its data. Whoever made it owns the data and keeps
 * it valid and unchanged while the clip is used; any thread may read it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_DENSE_CLIP_H
#define OFFLINE_ANIM_DENSE_CLIP_H

#include <stdbool.h>
#include <stdint.h>

/* All components are finite. */
struct joint_transform {
    double rotation[4];    /* unit quaternion x y z w; q and -q are equal */
    double translation[3]; /* metres */
    double scale[3];       /* factors; may be zero or negative */
};

struct dense_joint {
    const char *name;            /* UTF-8; never NULL */
    int32_t parent;              /* index of an earlier joint; -1: a root */
    struct joint_transform rest; /* the pose without animation */
};

/* Bits of joint_is_step: this part of a joint's transform holds the value of a
 * frame until the next frame. Without the bit it is interpolated. */
enum {
    DENSE_STEP_ROTATION = 1,
    DENSE_STEP_TRANSLATION = 2,
    DENSE_STEP_SCALE = 4,
};

struct dense_clip {
    const char *name; /* UTF-8; never NULL */

    /* The skeleton: parents stand before their children. */
    uint32_t joint_count;
    const struct dense_joint *joints;

    /* Frame f is at f * rate_denominator / rate_numerator seconds. */
    uint32_t frame_count; /* >= 1 */
    uint32_t rate_numerator;
    uint32_t rate_denominator;

    const struct joint_transform *locals; /* [frame][joint] */
    const uint8_t *joint_is_step;         /* [joint]: DENSE_STEP_ bits */
    /* [frame]: 1 if the pose jumps between the frame before and this one, so
     * that there is nothing to interpolate. NULL: no frame is a cut. */
    const uint8_t *frame_is_cut;

    /* Numbers that are no part of a joint, such as morph weights. */
    uint32_t float_track_count;
    const char *const *float_track_names; /* [track] */
    const float *floats;                  /* [frame][track] */
    const uint8_t *float_is_step;         /* [track]: 1: a step, as above */

    /* The last frame is the first one of the next pass, apart from the travel
     * of the root: a loop has no time between them. Otherwise a loop takes the
     * time of one frame from the last to the first. */
    bool loop_closes;

    /* What the author says of the clip; it is encoded in the same way. */
    bool loops;
    bool is_additive;
    bool has_root_motion;
};

#endif
