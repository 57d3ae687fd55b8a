/* motion.h - what a source file of animation says: joints, skins, and clips
 * with the keys of their channels.
 *
 * Formats: BVH; glTF 2.0 as .gltf or .glb. A file is read whole and checked
 * whole. Values are kept as the file has them, in its own units, converted to
 * doubles; evaluate.h computes poses from them. A value of the file that the
 * format does not allow is refused with its place.
 *
 * Rules of a motion that was read:
 *   - every number is finite, every index is in range
 *   - the joints form trees; `order` has parents before children
 *   - times of keys are at least 0 and ascend strictly
 *   - quaternions of keys and of rest poses are not zero; those of rest poses
 *     have length 1, those of keys may have another length
 *   - a clip has at most one channel for a path of a joint
 *
 * A motion is constant after reading: any thread may read it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_SOURCE_MOTION_H
#define OFFLINE_ANIM_SOURCE_MOTION_H

#include "anim/dense_clip.h"
#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum motion_format { MOTION_BVH, MOTION_GLTF, MOTION_GLB };

/* What a channel changes. */
enum motion_path {
    MOTION_TRANSLATION, /* 3 numbers */
    MOTION_ROTATION,    /* 4 numbers: quaternion x y z w */
    MOTION_SCALE,       /* 3 numbers */
    MOTION_WEIGHTS      /* weights of morph targets: 1 number or more */
};
#define MOTION_PATHS 4u

/* How a channel changes between two keys. */
enum motion_interpolation {
    MOTION_STEP,   /* it has the value of the earlier key */
    MOTION_LINEAR, /* rotations: on the shorter arc, at constant speed */
    MOTION_CUBIC   /* Hermite spline; rotations are normalized after it */
};

struct motion_joint {
    const char *name; /* UTF-8; NULL: the file has none */
    int32_t parent;   /* index of any other joint; -1: a root */
    struct joint_transform rest;
    /* Column-major: the file gives the rest pose as a matrix. `rest` is its
     * decomposition, which has no shear. NULL: it does not. */
    const double *matrix;
    /* BVH: ends of the last bones, relative to the joint, x y z each. */
    const double *end_sites;
    uint32_t end_site_count;
    /* Names of its morph targets; NULL: a target has none. */
    const char *const *target_names;
    uint32_t target_name_count;
};

struct motion_skin {
    const char *name; /* UTF-8; NULL: none */
    uint32_t joint_count;
    const uint32_t *joints;
    const double *inverse_bind; /* [joint][16], column-major */
};

struct motion_channel {
    uint32_t joint;
    enum motion_path path;
    enum motion_interpolation interpolation;
    uint32_t width;      /* numbers of a value */
    uint32_t key_count;  /* >= 1; a cubic channel: >= 2 */
    const double *times; /* [key], seconds */
    /* [key][width]. A cubic channel: [key][3][width], the tangent that leads
     * to the key, the value, the tangent that leads away; value per second. */
    const double *values;
    const char *component; /* type of a number in the file: "float", "int16" */
    bool is_sparse;        /* the file has only the keys that are not zero */
};

/* What a file says of a clip, if it says anything. */
enum motion_said { MOTION_UNSAID, MOTION_NO, MOTION_YES };

struct motion_clip {
    const char *name; /* UTF-8; NULL: none */
    enum motion_said loops;
    enum motion_said closes; /* dense_clip.loop_closes */
    enum motion_said is_additive;
    enum motion_said has_root_motion;
    uint32_t channel_count;
    const struct motion_channel *channels;
    /* First and last key of all channels, in seconds; 0 and 0 without any. */
    double start;
    double end;
    double frame_seconds; /* BVH: from frame to frame, as the file has it; 0:
                           * the keys have times of their own */
};

struct motion {
    struct arena arena; /* owns everything below */
    enum motion_format format;
    uint32_t joint_count;
    const struct motion_joint *joints;
    const uint32_t *order; /* [joint_count] */
    uint32_t skin_count;
    const struct motion_skin *skins;
    uint32_t clip_count;
    const struct motion_clip *clips;
};

/* Limits beside those that follow from the size of a file. */
#define MOTION_JSON_BYTES_MAX ((uint64_t)512 << 20)
#define MOTION_KEYS_MAX ((uint64_t)1 << 24)    /* elements of one accessor */
#define MOTION_ZEROS_MAX ((uint64_t)1 << 20)   /* the same, without data */
#define MOTION_NUMBERS_MAX ((uint64_t)1 << 27) /* of all keys of a file */
#define MOTION_FRAME_SECONDS_MIN 1e-6          /* BVH */
#define MOTION_FRAME_SECONDS_MAX 1e4

/* Read a file. Its format is recognized by its content: GLB by its signature,
 * BVH by its first word, anything else is read as glTF.
 *
 * A .gltf or .glb file may name further files, with paths relative to its
 * folder. Such a path has no scheme, does not begin with '/', and has no part
 * ".." and no '\', so that it does not leave the folder; others are refused.
 *
 * Returns false after a refusal; then there is nothing to free. */
bool motion_read(struct motion *motion, const char *path, struct diag *diag);

/* The same for a file in memory. `path` is used for messages, and, unless
 * `is_alone`, for the folder of further files; else these are refused. */
bool motion_read_bytes(struct motion *motion, const char *path,
                       const void *bytes, size_t size, bool is_alone,
                       struct diag *diag);
void motion_free(struct motion *motion);

/* Find the name of a path's file without its folder and its end; the clip of a
 * BVH file has this name. Returns its first byte, in the path. */
const char *motion_file_stem(const char *path, size_t *length);

/* "bvh", "gltf", "glb"; "translation" ...; "STEP", "LINEAR", "CUBICSPLINE". */
const char *motion_format_name(enum motion_format format);
const char *motion_path_name(enum motion_path path);
const char *motion_interpolation_name(enum motion_interpolation interpolation);

#endif
