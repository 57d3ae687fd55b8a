/* sdl_library.h - the functions of SDL2, loaded while the tool runs.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_SDL_LIBRARY_H
#define OFFLINE_VIEW_WINDOW_SDL_LIBRARY_H

#include "common/diag.h"

#include <SDL.h>
#include <stdbool.h>

#define SDL_FUNCTIONS(X)                                                       \
    X(SetMainReady)                                                            \
    X(SetHint)                                                                 \
    X(Init)                                                                    \
    X(Quit)                                                                    \
    X(GetError)                                                                \
    X(CreateWindow)                                                            \
    X(DestroyWindow)                                                           \
    X(GetWindowSize)                                                           \
    X(PollEvent)                                                               \
    X(GL_SetAttribute)                                                         \
    X(GL_CreateContext)                                                        \
    X(GL_DeleteContext)                                                        \
    X(GL_GetProcAddress)                                                       \
    X(GL_GetDrawableSize)                                                      \
    X(GL_SetSwapInterval)                                                      \
    X(GL_SwapWindow)

/* sdl->Init is SDL_Init. */
struct sdl_library {
#define SDL_FIELD(name) __typeof__(SDL_##name) *name;
    SDL_FUNCTIONS(SDL_FIELD)
#undef SDL_FIELD
};

/* Load the library. Returns false after a refusal that names what is missing.
 */
bool sdl_library_load(struct sdl_library *sdl, struct diag *diag);

#endif
