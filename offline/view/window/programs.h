/* programs.h - the viewer's shaders, compiled and linked.
 *
 * Their sources are offline/view/shaders, compiled into the tool. They belong
 * to the thread of the context.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_PROGRAMS_H
#define OFFLINE_VIEW_WINDOW_PROGRAMS_H

#include "view/orbit.h"
#include "view/view_controls.h"
#include "view/window/gl_library.h"

/* A program with the uniforms of the shaders. Those that a program does not
 * have are -1, which OpenGL ignores. */
struct program {
    GLuint id;
    GLint projection;
    GLint world;
    GLint normal_matrix;
    GLint alpha;
    GLint position_min;
    GLint position_step;
    GLint uv_min;
    GLint uv_step;
    GLint eye;
    GLint right;
    GLint up;
    GLint back;
    GLint base;
    GLint coloring;
    GLint normal_length;
    GLint size;
};

struct programs {
    struct program surface[VIEW_PATHS]; /* triangles with light */
    struct program normals[VIEW_PATHS]; /* points, drawn as lines */
    struct program overlay;
};

/* Returns false after a refusal, with the compiler's message. */
bool programs_make(struct programs *programs, const struct gl_library *gl,
                   struct diag *diag);
void programs_free(struct programs *programs, const struct gl_library *gl);

/* Make a program the current one, with the camera in its uniforms. */
void program_use(const struct program *program, const struct gl_library *gl,
                 const struct orbit *orbit, uint32_t width, uint32_t height);

#endif
