/* made_scene.h - what tests of made scenes share: the scene that is being
 * written, a grid to fill it with, and the door to the compiler. */
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

/* A file in the test's folder; the text lasts until the next but one. */
const char *made_scene_path(const char *name);
/* Quads, clockwise seen from +z, uneven, and moved in the second sample.
 * Sets made_grid_positions, which the mesh points to. */
struct made_mesh made_grid(const char *name, uint32_t sample_count);
/* Sets options that are not the defaults for what follows; NULL: none. */
extern void (*made_scene_adjust)(struct compile_options *options);
/* The clip of an archive, or NULL with the reason in `diag`, which prints
 * nothing. The caller closes the archive after the clip. */
struct clip *made_scene_open(const char *path, bool is_strict,
                             struct diag *diag, struct abc_archive **archive);
/* Close the scene, compile it, check the clip with samples expanded by code of
 * the tests' own, verify the cache against the archive. Returns the number of
 * warnings. */
unsigned made_scene_check(struct compile_report *report);

#endif
