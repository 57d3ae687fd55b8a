/* overlay_draw.h - draws an overlay (view/overlay.h) with OpenGL.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_OVERLAY_DRAW_H
#define OFFLINE_VIEW_WINDOW_OVERLAY_DRAW_H

#include "view/overlay.h"
#include "view/window/programs.h"

struct overlay_draw {
    GLuint atlas;  /* texture */
    GLuint buffer; /* vertices */
    GLuint array;
};

void overlay_draw_open(struct overlay_draw *draw, const struct gl_library *gl);
void overlay_draw_close(struct overlay_draw *draw, const struct gl_library *gl);

/* Draw over all that is in the picture, without changing its depths. */
void overlay_draw(const struct overlay_draw *draw, const struct gl_library *gl,
                  const struct program *program, const struct overlay *overlay,
                  uint32_t width, uint32_t height);

#endif
