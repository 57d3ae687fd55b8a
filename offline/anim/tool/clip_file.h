/* clip_file.h - open clips and skeletons of the tool's file system, whole.
 *
 * The runtime's decoder reads the bytes, so a clip has the poses that a game
 * sees. All segments are decoded at once. A damaged file is refused with offset
 * and value.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_CLIP_FILE_H
#define OFFLINE_ANIM_TOOL_CLIP_FILE_H

#include "anim/anim_clip.h"
#include "anim/anim_skeleton.h"
#include "anim/clip_index.h"
#include "anim/encode/clip_windows.h"
#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>

enum anim_file_kind {
    ANIM_FILE_OTHER,
    ANIM_FILE_CLIP,
    ANIM_FILE_SKELETON,
    ANIM_FILE_DATABASE,
    ANIM_FILE_IMAGE
};

/* Find the kind of a file by its signature. Returns false after a refusal. */
bool anim_file_kind(const char *path, enum anim_file_kind *kind,
                    struct diag *diag);

struct skeleton_file {
    const char *path;
    size_t bytes;
    const uint8_t *data;
    struct anim_skeleton skeleton;
};

struct clip_file {
    const char *path;
    size_t bytes;
    const uint8_t *data;
    struct anim_clip clip;
    struct clip_windows windows;
};

/* Open a file; the arena owns its content. Returns false after a refusal. */
bool skeleton_file_open(struct skeleton_file *file, const char *path,
                        struct arena *arena, struct diag *diag);
bool clip_file_open(struct clip_file *file, const char *path,
                    struct arena *arena, struct diag *diag);
/* The same with `bytes` bytes of a file that are in memory, and stay there as
 * long as `file`. `path` is for messages. */
bool skeleton_file_read(struct skeleton_file *file, const char *path,
                        const uint8_t *data, size_t bytes, struct arena *arena,
                        struct diag *diag);
bool clip_file_read(struct clip_file *file, const char *path,
                    const uint8_t *data, size_t bytes, struct arena *arena,
                    struct diag *diag);
/* The same with a clip of a database, whose index says `facts`. Offsets of
 * refusals are in its range. */
bool clip_file_read_packed(struct clip_file *file, const char *path,
                           const struct clip_facts *facts, const uint8_t *data,
                           struct arena *arena, struct diag *diag);

/* The names of its float tracks; they are valid as long as the clip. */
const char **clip_file_float_names(const struct clip_file *file,
                                   struct arena *arena);

/* Open the skeleton of a clip: the file `path`, or, if that is NULL, the one
 * skeleton file (.sas) in the folder of the clip that has the clip's hash. */
bool clip_file_skeleton(const struct clip_file *clip, const char *path,
                        struct skeleton_file *skeleton, struct arena *arena,
                        struct diag *diag);

/* Compute a pose at the position u, 0 <= u < 1, between `frame` and the next
 * one; 0 for the last frame. `locals` has the skeleton's joints. `numbers` has
 * the float tracks; NULL: not wanted. */
void clip_file_pose(const struct clip_file *clip,
                    const struct skeleton_file *skeleton, uint32_t frame,
                    float u, spn_anim_transform *locals, float *numbers);

#endif
