/* bones_draw.h - a list of triangles of skeletons (view/bones.h) in a buffer of
 * OpenGL. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_BONES_DRAW_H
#define OFFLINE_VIEW_WINDOW_BONES_DRAW_H

#include "view/bones.h"
#include "view/window/programs.h"

struct bones_draw {
    GLuint array;
    GLuint buffer;
    uint64_t vertex_count;
};

void bones_draw_open(struct bones_draw *draw, const struct gl_library *gl);
void bones_draw_close(struct bones_draw *draw, const struct gl_library *gl);

/* Replace the triangles. Returns the bytes that were written. */
uint64_t bones_draw_fill(struct bones_draw *draw, const struct gl_library *gl,
                         const struct bones *bones);

/* Draw them with the current program, one of VIEW_PATH_FILL, as GL_TRIANGLES or
 * GL_POINTS. */
void bones_draw(const struct bones_draw *draw, const struct gl_library *gl,
                const struct program *program, GLenum mode);

#endif
