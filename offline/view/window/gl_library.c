/* gl_library.c - find each function through SDL. */
/* SPDX-License-Identifier: MIT */
#include "view/window/gl_library.h"

#include <string.h>

static bool find(const struct sdl_library *sdl, const char *name,
                 void *function, struct diag *diag)
{
    void *address = sdl->GL_GetProcAddress(name);

    memcpy(function, &address, sizeof address);
    return address || diag_io(diag, "OpenGL", 0, "has no %s", name);
}

bool gl_library_load(struct gl_library *gl, const struct sdl_library *sdl,
                     struct diag *diag)
{
#define GL_FIND(name)                                                          \
    if (!find(sdl, "gl" #name, &gl->name, diag))                               \
        return false;
    GL_FUNCTIONS(GL_FIND)
#undef GL_FIND
    return true;
}

bool gl_library_check(const struct gl_library *gl, const char *file,
                      struct diag *diag)
{
    GLenum error = gl->GetError();

    return error == GL_NO_ERROR ||
           diag_io(diag, file, 0, "OpenGL reports error 0x%04x",
                   (unsigned)error);
}
