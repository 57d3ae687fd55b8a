/* sdl_library.c - find SDL2 by the names that systems give it. */
/* SPDX-License-Identifier: MIT */
#include "view/window/sdl_library.h"

#include "common/library.h"

static const char *const names[] = {"libSDL2-2.0.so.0", "libSDL2-2.0.0.dylib",
                                    "libSDL2-2.0.so"};

static bool find(void *library, const char *name, void *function,
                 struct diag *diag)
{
    return library_find(library, name, function) ||
           diag_io(diag, "SDL2", 0, "the library has no %s", name);
}

bool sdl_library_load(struct sdl_library *sdl, struct diag *diag)
{
    void *library = NULL;

    for (size_t i = 0; !library && i < sizeof names / sizeof names[0]; i++)
        library = library_open(names[i]);
    if (!library)
        return diag_io(diag, "view", 0,
                       "needs the library %s (Debian: libsdl2-2.0-0)",
                       names[0]);
#define SDL_FIND(name)                                                         \
    if (!find(library, "SDL_" #name, &sdl->name, diag))                        \
        return false;
    SDL_FUNCTIONS(SDL_FIND)
#undef SDL_FIND
    return true;
}
