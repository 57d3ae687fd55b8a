/* made_scene.h - for tests of made scenes: the scene being written, a grid
 * mesh, and functions that compile and check it. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_MADE_SCENE_H
#define TESTS_SUPPORT_MADE_SCENE_H

#include "compile/compile.h"
#include "support/made_writer.h"

enum {
    GRID_SIDE = 4,
    GRID_POINTS = GRID_SIDE * GRID_SIDE,
    GRID_FACES = 9,
    GRID_CORNERS = 36
};

extern struct made_writer made_scene;
extern float made_grid_positions[2][3 * GRID_POINTS];

/* The path of a file in the test's folder. The text stays valid until the next
 * call but one. */
const char *made_scene_path(const char *name);
/* A grid of uneven quads, clockwise seen from +z; its points move in the second
 * sample. Sets made_grid_positions, to which the mesh points. */
struct made_mesh made_grid(const char *name, uint32_t sample_count);
/* Changes options for the following compiles; NULL: defaults. */
extern void (*made_scene_adjust)(struct compile_options *options);
/* Open an archive as a clip. Returns NULL with the reason in `diag`, which
 * prints nothing. The caller closes the clip, then the archive. */
struct clip *made_scene_open(const char *path, bool is_strict,
                             struct diag *diag, struct abc_archive **archive);
/* Close the scene, compile it, compare the clip with samples expanded by the
 * tests' own code, and verify the cache against the archive. Returns the number
 * of warnings. */
unsigned made_scene_check(struct compile_report *report);

#endif
