/* lattice.h - the parts of joints on integer lattices, chosen so that the error
 * at the skin stays small.
 *
 * The error of a joint in a frame is the largest distance between where the
 * original and the decoded hierarchy put one of three virtual vertices: points
 * at LATTICE_SHELL from the joint on its three axes.
 *
 * Each frame is quantized from the roots to the leaves, always against parents
 * as they will be decoded. Before a joint's rotation is rounded to the lattice,
 * it is turned by the small angle that best moves its virtual vertices, and the
 * origins of joints that it moves rigidly, to their original places. So errors
 * of parents do not add up along the chain. A frame whose error exceeds the
 * precision is tried again with other weights of these joints and other
 * rounding (in a pseudo-random, but fixed order).
 *
 * The steps of lattices are found by repetition: after a pass over all frames,
 * each joint's steps become coarser or finer by how far the largest error in
 * its subtree is from the precision. Of the passes that stay within the
 * precision, the one with the coarsest steps is taken.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_ENCODE_LATTICE_H
#define OFFLINE_ANIM_ENCODE_LATTICE_H

#include "anim/anim_head.h"
#include "anim/dense_clip.h"
#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define LATTICE_SHELL 0.03 /* metres */

struct lattice_track {
    enum anim_form form;
    uint32_t step_code;
    uint32_t shift;
    int32_t center[3]; /* in units of 2^shift steps */
    float step;
    float rotation_center[4]; /* of a rotation */
    double middle[4]; /* of an animated rotation: the centre before rounding */
    double range;     /* length of the longest parameters from there */
    bool is_coarse;   /* the finest step is coarse for its lever */
    int8_t *signs;    /* [frame], as lattice_parameters takes them; NULL: all 0
                       */
    /* [frame][component], animated tracks only. Translations contain the
     * centre. */
    int32_t *values;
    uint32_t step_code_min; /* so that values fit */
    uint32_t narrow_min;    /* so that translations fit into 16 bits */
    bool is_wide;           /* a translation has 32 bits (anim_window.h) */
};

/* A point that a joint moves rigidly: the origin of another joint, with nothing
 * animated between them. */
struct lattice_target {
    uint32_t joint;  /* the other joint */
    double local[3]; /* in the space of the joint that moves it */
};

struct lattice_joint {
    struct lattice_track part[3]; /* [ANIM_ROTATION ... ANIM_SCALE] */
    const uint32_t *children;     /* increasing */
    uint32_t child_count;
    double scale; /* largest scale of the parents' transforms */
    const struct lattice_target *targets; /* if its rotation is animated */
    uint32_t target_count;
    double bone;       /* metres: farthest target or virtual vertex */
    double reach;      /* metres: farthest virtual vertex of the subtree */
    double coarseness; /* binary logarithm of the step, relative */
    double error;      /* largest of all frames; 1 is the precision */
};

struct lattice {
    const struct dense_clip *clip;
    double precision; /* metres */
    struct lattice_joint *joints;
    struct affine *original; /* [frame][joint]: to model space */
    double error;            /* largest of all; 1 is the precision */
};

/* Quantize a clip. If the precision cannot be reached, `error` is above 1.
 * Errors at 1/4, 1/2 and 3/4 between frames may be 1.5 times as large. All
 * memory is in `arena`. */
void lattice_make(struct lattice *lattice, const struct dense_clip *clip,
                  double precision, struct arena *arena);

/* Whether the scale of a joint does not rest; forms are chosen. */
bool lattice_has_scale(const struct lattice *lattice);

/* Choose the form, and the values of constants, of each part. (lattice_forms.c)
 */
void lattice_choose_forms(struct lattice *lattice, struct arena *arena);
/* The parameters of a rotation relative to a centre.
 *
 * sign  1 or -1: of the quaternion times `sign`; 0: the shorter ones
 * (lattice_center.c) */
void lattice_parameters(const double center[4], const double rotation[4],
                        int sign, double m[3]);
/* The length of the longest parameters of all frames. An angle is about four
 * times its parameters.
 *
 * signs  [frame]; NULL: all 0 */
double lattice_rotation_range(const struct lattice *lattice, uint32_t joint,
                              const double center[4], const int8_t *signs);
/* Choose `middle`, `range` and `signs` of a joint's rotation. */
void lattice_choose_center(struct lattice *lattice, uint32_t joint,
                           struct arena *arena);
/* Find the targets of joints; forms are chosen. (lattice_targets.c) */
void lattice_find_targets(struct lattice *lattice, struct arena *arena);
/* The value of a translation or scale that is not animated. `kind` is
 * ANIM_TRANSLATION or ANIM_SCALE. (lattice_targets.c) */
void lattice_still_vector(const struct lattice *lattice, uint32_t joint,
                          uint32_t kind, double value[3]);
/* The same of a rotation. */
void lattice_still_rotation(const struct lattice *lattice, uint32_t joint,
                            double value[4]);
/* Set the step of an animated track, and its centre. (lattice_forms.c) */
void lattice_set_step(struct lattice *lattice, uint32_t joint, uint32_t kind,
                      double step);

/* The frame as the runtime decodes it, joint after joint. (lattice_frame.c) */
struct lattice_frame {
    struct lattice *lattice;
    struct affine *decoded; /* [joint]: to model space */
    double *errors;         /* [joint]: metres */
    uint32_t frame;
    double target_weight; /* relative to a virtual vertex */
    double noise;         /* added before rounding, in steps: 0 or up to 1 */
    uint32_t random;
};
/* Quantize a frame; returns its largest error. */
double lattice_quantize_frame(struct lattice_frame *f);

#endif
