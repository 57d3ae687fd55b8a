/* script_clips.h - files of animation for fuzz_clips, made once: encoded clips
 * of one skeleton, in a database or files of their own, their image, and a pak
 * that has all of these.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_SCRIPT_CLIPS_H
#define TESTS_FUZZ_SCRIPT_CLIPS_H

#include "support/pose_reference.h"
#include "support/slow_platform.h"

#include <stdbool.h>
#include <stdint.h>

#define SCRIPT_CLIPS 6u
#define SCRIPT_CLIPS_PACKED 3u /* the first ones are in the database */
#define SCRIPT_JOINTS 5u
#define SCRIPT_FLOATS 3u

#define SCRIPT_IMAGE_PATH "i.sai"
#define SCRIPT_DATABASE_PATH "d.sad"
#define SCRIPT_SKELETON_PATH "s.sas"
#define SCRIPT_CLIPS_PAK_PATH "clips.spk"

/* Put them on a disc; `only_in_pak`: but the pak alone. */
void script_clips_add(struct slow_platform *disc, bool only_in_pak);
const char *script_clips_name(uint32_t clip);
/* The number of a clip by its name. */
uint32_t script_clips_find(const char *name);
struct pose_reference *script_clips_reference(uint32_t clip);
bool script_clips_loops(uint32_t clip);

#endif
