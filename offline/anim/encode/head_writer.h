/* head_writer.h - writes the coded heads of clips and bodies of skeletons. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_ENCODE_HEAD_WRITER_H
#define OFFLINE_ANIM_ENCODE_HEAD_WRITER_H

#include "anim/anim_skeleton.h"
#include "anim/encode/clip_rows.h"

#include <stddef.h>

/* The coded head of a clip (anim_head.h). Returns its bytes, in `arena`. */
uint8_t *head_write(const struct clip_rows *rows, const struct lattice *lattice,
                    const struct float_lattice *floats, struct arena *arena,
                    size_t *bytes);

/* The hash of its rest pose (anim_skeleton.h). */
uint32_t skeleton_rest_pose_hash(const struct anim_skeleton *skeleton);

/* The body of a skeleton file (anim_skeleton.h). */
uint8_t *skeleton_body_write(const struct anim_skeleton *skeleton,
                             struct arena *arena, size_t *bytes);

#endif
