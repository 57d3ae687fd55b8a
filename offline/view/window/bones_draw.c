/* bones_draw.c - the attributes of filled.vert that bones have. */
/* SPDX-License-Identifier: MIT */
#include "view/window/bones_draw.h"

#include <stddef.h>

/* Locations of filled.vert. */
enum { LOCATION_POSITION = 0, LOCATION_NORMAL = 1, LOCATION_COLOR = 4 };

static void set_attribute(const struct gl_library *gl, GLuint location,
                          GLint count, GLenum type, size_t offset)
{
    gl->EnableVertexAttribArray(location);
    gl->VertexAttribPointer(location, count, type, type == GL_UNSIGNED_BYTE,
                            (GLsizei)sizeof(struct bone_vertex),
                            (const void *)(uintptr_t)offset);
}

void bones_draw_open(struct bones_draw *draw, const struct gl_library *gl)
{
    *draw = (struct bones_draw){0};
    gl->GenVertexArrays(1, &draw->array);
    gl->GenBuffers(1, &draw->buffer);
    gl->BindVertexArray(draw->array);
    gl->BindBuffer(GL_ARRAY_BUFFER, draw->buffer);
    set_attribute(gl, LOCATION_POSITION, 3, GL_FLOAT,
                  offsetof(struct bone_vertex, position));
    set_attribute(gl, LOCATION_NORMAL, 3, GL_FLOAT,
                  offsetof(struct bone_vertex, normal));
    set_attribute(gl, LOCATION_COLOR, 4, GL_UNSIGNED_BYTE,
                  offsetof(struct bone_vertex, rgba));
}

void bones_draw_close(struct bones_draw *draw, const struct gl_library *gl)
{
    gl->DeleteBuffers(1, &draw->buffer);
    gl->DeleteVertexArrays(1, &draw->array);
}

uint64_t bones_draw_fill(struct bones_draw *draw, const struct gl_library *gl,
                         const struct bones *bones)
{
    const uint64_t bytes = bones->count * sizeof *bones->vertices;

    draw->vertex_count = bones->count;
    gl->BindBuffer(GL_ARRAY_BUFFER, draw->buffer);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, bones->vertices,
                   GL_STREAM_DRAW);
    return bytes;
}

void bones_draw(const struct bones_draw *draw, const struct gl_library *gl,
                const struct program *program, GLenum mode)
{
    static const float world[16] = {1, 0, 0, 0, 0, 1, 0, 0,
                                    0, 0, 1, 0, 0, 0, 0, 1};
    static const float normals[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

    if (draw->vertex_count == 0)
        return;
    gl->BindVertexArray(draw->array);
    gl->UniformMatrix4fv(program->world, 1, GL_TRUE, world);
    gl->UniformMatrix3fv(program->normal_matrix, 1, GL_TRUE, normals);
    gl->FrontFace(GL_CCW);
    gl->DrawArrays(mode, 0, (GLsizei)draw->vertex_count);
}
