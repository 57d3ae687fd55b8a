/* overlay_draw.c - one buffer, one texture, one call. */
/* SPDX-License-Identifier: MIT */
#include "view/window/overlay_draw.h"

#include <stddef.h>

static void set_attribute(const struct gl_library *gl, GLuint location,
                          GLint count, GLenum type, size_t offset)
{
    gl->EnableVertexAttribArray(location);
    gl->VertexAttribPointer(location, count, type, GL_TRUE,
                            (GLsizei)sizeof(struct overlay_vertex),
                            (const void *)offset);
}

void overlay_draw_open(struct overlay_draw *draw, const struct gl_library *gl)
{
    uint8_t pixels[OVERLAY_ATLAS_HEIGHT][OVERLAY_ATLAS_WIDTH];

    overlay_atlas(pixels);
    gl->GenTextures(1, &draw->atlas);
    gl->BindTexture(GL_TEXTURE_2D, draw->atlas);
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_R8, (GLsizei)OVERLAY_ATLAS_WIDTH,
                   (GLsizei)OVERLAY_ATLAS_HEIGHT, 0, GL_RED, GL_UNSIGNED_BYTE,
                   pixels);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->GenBuffers(1, &draw->buffer);
    gl->GenVertexArrays(1, &draw->array);
    gl->BindVertexArray(draw->array);
    gl->BindBuffer(GL_ARRAY_BUFFER, draw->buffer);
    set_attribute(gl, 0, 2, GL_FLOAT,
                  offsetof(struct overlay_vertex, position));
    set_attribute(gl, 1, 2, GL_FLOAT, offsetof(struct overlay_vertex, atlas));
    set_attribute(gl, 2, 4, GL_UNSIGNED_BYTE,
                  offsetof(struct overlay_vertex, rgba));
}

void overlay_draw_close(struct overlay_draw *draw, const struct gl_library *gl)
{
    gl->DeleteTextures(1, &draw->atlas);
    gl->DeleteBuffers(1, &draw->buffer);
    gl->DeleteVertexArrays(1, &draw->array);
}

void overlay_draw(const struct overlay_draw *draw, const struct gl_library *gl,
                  const struct program *program, const struct overlay *overlay,
                  uint32_t width, uint32_t height)
{
    const float size[2] = {(float)width, (float)height};

    if (overlay->count == 0)
        return;
    gl->Disable(GL_DEPTH_TEST);
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl->UseProgram(program->id);
    gl->Uniform2fv(program->size, 1, size);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, draw->atlas);
    gl->BindVertexArray(draw->array);
    gl->BindBuffer(GL_ARRAY_BUFFER, draw->buffer);
    gl->BufferData(GL_ARRAY_BUFFER,
                   (GLsizeiptr)(overlay->count * sizeof *overlay->vertices),
                   overlay->vertices, GL_STREAM_DRAW);
    gl->DrawArrays(GL_TRIANGLES, 0, (GLsizei)overlay->count);
}
