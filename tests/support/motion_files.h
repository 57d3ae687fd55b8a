/* motion_files.h - small files of animation, made from code: one of each format
 * and of each way to store numbers.
 *
 * The same files lie in tests/data/anim, for tests of the command line. They
 * show an arm that waves: five joints, three of them in a skin.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_MOTION_FILES_H
#define TESTS_SUPPORT_MOTION_FILES_H

#include "common/arena.h"

#include <stddef.h>
#include <stdint.h>

struct motion_file {
    const char *name; /* in its folder */
    const void *bytes;
    size_t size;
};

enum {
    MOTION_FILE_BVH,      /* arm.bvh */
    MOTION_FILE_EMBEDDED, /* arm.gltf: its buffer is a data URI */
    MOTION_FILE_GLB,      /* arm.glb */
    MOTION_FILE_BESIDE,   /* arm_beside.gltf: its buffer is the next file */
    MOTION_FILE_BUFFER,   /* arm.bin */
    MOTION_FILE_COUNT
};

/* Make all files; their memory is the arena's. */
void motion_files_make(struct arena *arena,
                       struct motion_file files[MOTION_FILE_COUNT]);

#endif
