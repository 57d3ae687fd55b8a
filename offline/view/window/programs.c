/* programs.c - from the embedded sources to linked programs. */
/* SPDX-License-Identifier: MIT */
#include "view/window/programs.h"

#include <stddef.h>

#define LOG_BYTES 512
/* Of a line along a normal, in radii of the scene. */
#define NORMAL_LENGTH 0.02f

/* A shader of offline/view/shaders. */
struct source {
    const char *name;
    GLenum kind;
    const unsigned char *text;
    const size_t *bytes;
};

#define SOURCE(stem, suffix, kind)                                             \
    extern const unsigned char stem##_##suffix[];                              \
    extern const size_t stem##_##suffix##_bytes;                               \
    static const struct source stem##_##suffix##_source = {                    \
        #stem "." #suffix, kind, stem##_##suffix, &stem##_##suffix##_bytes};

SOURCE(filled, vert, GL_VERTEX_SHADER)
SOURCE(quantized, vert, GL_VERTEX_SHADER)
SOURCE(overlay, vert, GL_VERTEX_SHADER)
SOURCE(normals, geom, GL_GEOMETRY_SHADER)
SOURCE(surface, frag, GL_FRAGMENT_SHADER)
SOURCE(plain, frag, GL_FRAGMENT_SHADER)
SOURCE(overlay, frag, GL_FRAGMENT_SHADER)

static bool add_shader(const struct gl_library *gl, GLuint program,
                       const struct source *source, struct diag *diag)
{
    GLuint shader = gl->CreateShader(source->kind);
    const GLchar *text = (const GLchar *)source->text;
    GLint length = (GLint)*source->bytes;
    GLint is_good = GL_FALSE;
    char log[LOG_BYTES] = "";

    gl->ShaderSource(shader, 1, &text, &length);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &is_good);
    if (!is_good)
        gl->GetShaderInfoLog(shader, LOG_BYTES, NULL, log);
    gl->AttachShader(program, shader);
    /* It is freed with the program. */
    gl->DeleteShader(shader);
    return is_good || diag_io(diag, source->name, 0, "%s", log);
}

static void find_uniforms(const struct gl_library *gl, struct program *p)
{
    p->projection = gl->GetUniformLocation(p->id, "projection");
    p->world = gl->GetUniformLocation(p->id, "world");
    p->normal_matrix = gl->GetUniformLocation(p->id, "normal_matrix");
    p->alpha = gl->GetUniformLocation(p->id, "alpha");
    p->position_min = gl->GetUniformLocation(p->id, "position_min");
    p->position_step = gl->GetUniformLocation(p->id, "position_step");
    p->uv_min = gl->GetUniformLocation(p->id, "uv_min");
    p->uv_step = gl->GetUniformLocation(p->id, "uv_step");
    p->eye = gl->GetUniformLocation(p->id, "eye");
    p->right = gl->GetUniformLocation(p->id, "right");
    p->up = gl->GetUniformLocation(p->id, "up");
    p->back = gl->GetUniformLocation(p->id, "back");
    p->base = gl->GetUniformLocation(p->id, "base");
    p->coloring = gl->GetUniformLocation(p->id, "coloring");
    p->normal_length = gl->GetUniformLocation(p->id, "normal_length");
    p->size = gl->GetUniformLocation(p->id, "size");
}

/* Link a vertex shader, a geometry shader or NULL, and a fragment shader. */
static bool make(const struct gl_library *gl, struct program *program,
                 const struct source *vertex, const struct source *geometry,
                 const struct source *fragment, struct diag *diag)
{
    GLint is_good = GL_FALSE;
    char log[LOG_BYTES] = "";

    program->id = gl->CreateProgram();
    if (!add_shader(gl, program->id, vertex, diag) ||
        (geometry && !add_shader(gl, program->id, geometry, diag)) ||
        !add_shader(gl, program->id, fragment, diag))
        return false;
    gl->LinkProgram(program->id);
    gl->GetProgramiv(program->id, GL_LINK_STATUS, &is_good);
    if (!is_good) {
        gl->GetProgramInfoLog(program->id, LOG_BYTES, NULL, log);
        return diag_io(diag, vertex->name, 0, "%s", log);
    }
    find_uniforms(gl, program);
    return true;
}

bool programs_make(struct programs *programs, const struct gl_library *gl,
                   struct diag *diag)
{
    static const struct source *const paths[VIEW_PATHS] = {
        [VIEW_PATH_FILL] = &filled_vert_source,
        [VIEW_PATH_FRAMES] = &quantized_vert_source,
    };

    *programs = (struct programs){0};
    for (int i = 0; i < VIEW_PATHS; i++)
        if (!make(gl, &programs->surface[i], paths[i], NULL,
                  &surface_frag_source, diag) ||
            !make(gl, &programs->normals[i], paths[i], &normals_geom_source,
                  &plain_frag_source, diag))
            return false;
    return make(gl, &programs->overlay, &overlay_vert_source, NULL,
                &overlay_frag_source, diag);
}

void programs_free(struct programs *programs, const struct gl_library *gl)
{
    for (int i = 0; i < VIEW_PATHS; i++) {
        gl->DeleteProgram(programs->surface[i].id);
        gl->DeleteProgram(programs->normals[i].id);
    }
    gl->DeleteProgram(programs->overlay.id);
}

void program_use(const struct program *program, const struct gl_library *gl,
                 const struct orbit *orbit, uint32_t width, uint32_t height)
{
    struct scene_view view;
    float projection[16];

    orbit_camera(orbit, width, height, &view);
    orbit_projection(orbit, width, height, projection);
    gl->UseProgram(program->id);
    gl->UniformMatrix4fv(program->projection, 1, GL_TRUE, projection);
    gl->Uniform3fv(program->eye, 1, view.eye);
    gl->Uniform3fv(program->right, 1, view.right);
    gl->Uniform3fv(program->up, 1, view.up);
    gl->Uniform3fv(program->back, 1, view.back);
    gl->Uniform1f(program->normal_length, orbit->radius * NORMAL_LENGTH);
}
