/* window.h - the viewer's window, its OpenGL context and its input.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_WINDOW_H
#define OFFLINE_VIEW_WINDOW_WINDOW_H

#include "view/orbit.h"
#include "view/view_controls.h"
#include "view/window/gl_library.h"

/* What a button of the mouse drags. */
enum window_drag { DRAG_NOTHING, DRAG_ORBIT, DRAG_PAN, DRAG_TIME };

struct window {
    struct sdl_library sdl;
    struct gl_library gl;
    SDL_Window *window;
    SDL_GLContext context;
    uint32_t width; /* of the picture, pixels; current after window_poll */
    uint32_t height;
    enum window_drag drag;
    bool skips_text; /* the text of the key that began the filter */
};

/* Open a window with a context of OpenGL 3.3, with 4 samples a pixel where they
 * exist. `waits` for the screen's next picture in window_swap. The library is
 * loaded before (sdl_library_load). Returns false after a refusal. */
bool window_open(struct window *window, const char *title, uint32_t width,
                 uint32_t height, bool waits, struct diag *diag);
/* Close what was opened. */
void window_close(struct window *window);

/* Handle all events that wait. */
void window_poll(struct window *window, struct view_controls *controls,
                 struct orbit *orbit);

/* Show the picture. */
void window_swap(struct window *window);

#endif
