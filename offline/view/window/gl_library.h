/* gl_library.h - the functions of OpenGL 3.3 that the viewer calls.
 *
 * SDL finds them when a context exists. They belong to the thread of the
 * context.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_GL_LIBRARY_H
#define OFFLINE_VIEW_WINDOW_GL_LIBRARY_H

#include "view/window/sdl_library.h"

/* Only the types of the prototypes are used. */
#define GL_GLEXT_PROTOTYPES
#include <SDL_opengl.h>
#include <stdbool.h>

#define GL_FUNCTIONS(X)                                                        \
    X(ActiveTexture)                                                           \
    X(AttachShader)                                                            \
    X(BindBuffer)                                                              \
    X(BindTexture)                                                             \
    X(BindVertexArray)                                                         \
    X(BlendFunc)                                                               \
    X(BufferData)                                                              \
    X(Clear)                                                                   \
    X(CompileShader)                                                           \
    X(CreateProgram)                                                           \
    X(CreateShader)                                                            \
    X(DeleteBuffers)                                                           \
    X(DeleteProgram)                                                           \
    X(DeleteShader)                                                            \
    X(DeleteTextures)                                                          \
    X(DeleteVertexArrays)                                                      \
    X(Disable)                                                                 \
    X(DrawArrays)                                                              \
    X(DrawElements)                                                            \
    X(Enable)                                                                  \
    X(EnableVertexAttribArray)                                                 \
    X(FlushMappedBufferRange)                                                  \
    X(FrontFace)                                                               \
    X(GenBuffers)                                                              \
    X(GenTextures)                                                             \
    X(GenVertexArrays)                                                         \
    X(GetError)                                                                \
    X(GetProgramInfoLog)                                                       \
    X(GetProgramiv)                                                            \
    X(GetShaderInfoLog)                                                        \
    X(GetShaderiv)                                                             \
    X(GetString)                                                               \
    X(GetUniformLocation)                                                      \
    X(LinkProgram)                                                             \
    X(MapBufferRange)                                                          \
    X(PixelStorei)                                                             \
    X(PolygonMode)                                                             \
    X(PolygonOffset)                                                           \
    X(ReadBuffer)                                                              \
    X(ReadPixels)                                                              \
    X(ShaderSource)                                                            \
    X(TexImage2D)                                                              \
    X(TexParameteri)                                                           \
    X(Uniform1f)                                                               \
    X(Uniform1i)                                                               \
    X(Uniform2fv)                                                              \
    X(Uniform3fv)                                                              \
    X(UniformMatrix3fv)                                                        \
    X(UniformMatrix4fv)                                                        \
    X(UnmapBuffer)                                                             \
    X(UseProgram)                                                              \
    X(VertexAttribPointer)                                                     \
    X(Viewport)

/* gl->Clear is glClear. */
struct gl_library {
#define GL_FIELD(name) __typeof__(gl##name) *name;
    GL_FUNCTIONS(GL_FIELD)
#undef GL_FIELD
};

/* Find all functions in the current context. Returns false after a refusal. */
bool gl_library_load(struct gl_library *gl, const struct sdl_library *sdl,
                     struct diag *diag);

/* Refuse `file`, which is made from pictures, if a call has failed, for example
 * for want of memory of the graphics processor. */
bool gl_library_check(const struct gl_library *gl, const char *file,
                      struct diag *diag);

#endif
