/* motion_build.h - functions for the readers of motion.h.
 *
 * A reader fills a motion whose arena is empty; when it returns false,
 * motion_read_bytes releases the arena.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_SOURCE_MOTION_BUILD_H
#define OFFLINE_ANIM_SOURCE_MOTION_BUILD_H

#include "anim/source/motion.h"

/* Copy a name into the arena. Bytes that are not UTF-8 are taken for Latin-1.
 * Returns NULL for an empty name. */
const char *motion_name(struct arena *arena, const char *text, size_t length);

/* Fill `order` from the parents of the joints. Returns the index of a joint
 * that is its own ancestor, or -1: there is none. */
int64_t motion_sort_joints(struct motion *motion);

/* Set start and end from the keys of the channels. */
void motion_set_span(struct motion_clip *clip);

bool bvh_read(struct motion *motion, const char *path, const char *text,
              size_t size, struct diag *diag);
bool gltf_read(struct motion *motion, const char *path, const void *bytes,
               size_t size, bool is_alone, struct diag *diag);

#endif
