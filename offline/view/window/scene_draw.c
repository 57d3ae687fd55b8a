/* scene_draw.c - one call of OpenGL for each item of the draw lists, or for
 * each material of it.
 */
/* SPDX-License-Identifier: MIT */
#include "view/window/scene_draw.h"

#include "compile/math/tns.h"
#include "view/view_colors.h"

#include <string.h>

/* Values of the uniform `coloring` (surface.frag). */
enum coloring { BY_BASE, BY_VERTEX, BY_NORMAL, BY_BASE_UNLIT };

/* The attributes of a path: location, numbers, their type, offset. */
struct attribute {
    GLuint location;
    GLint count;
    GLenum type;
    GLboolean is_normalized;
    uint32_t offset;
};

#define ATTRIBUTES_MAX 5
static const struct attribute attributes[VIEW_PATHS][ATTRIBUTES_MAX] = {
    [VIEW_PATH_FILL] = {{0, 3, GL_FLOAT, GL_FALSE, 0},
                        {1, 4, GL_SHORT, GL_TRUE, 12},
                        {2, 4, GL_SHORT, GL_TRUE, 20},
                        {3, 2, GL_FLOAT, GL_FALSE, 28},
                        {4, 4, GL_UNSIGNED_BYTE, GL_TRUE, 36}},
    [VIEW_PATH_FRAMES] = {{0, 3, GL_UNSIGNED_SHORT, GL_FALSE, 0},
                          {1, 4, GL_SHORT, GL_FALSE, 8},
                          {2, 2, GL_UNSIGNED_SHORT, GL_FALSE, 16},
                          {3, 4, GL_UNSIGNED_BYTE, GL_TRUE, 20}},
};
/* From the floor frame's locations to those of the ceil frame. */
#define CEIL_LOCATION 4

struct drawing {
    const struct view_scene *scene;
    const struct gl_library *gl;
    const struct view_controls *controls;
    const struct programs *programs;
    const struct orbit *orbit;
    uint32_t width;
    uint32_t height;
    const struct program *program; /* the current one */
    enum coloring coloring;        /* of surfaces */
    bool is_flat;                  /* one colour for all: lines */
};

/* -- vertices -- */

static void bind_buffer(const struct drawing *d, GLuint buffer,
                        uint64_t first_vertex, GLuint location)
{
    const struct gl_library *gl = d->gl;
    enum view_path path = d->controls->path;
    uint32_t stride = view_layout(path)->stride;

    gl->BindBuffer(GL_ARRAY_BUFFER, buffer);
    for (int i = 0; i < ATTRIBUTES_MAX; i++) {
        const struct attribute *a = &attributes[path][i];
        uintptr_t at = (uintptr_t)(first_vertex * stride + a->offset);

        if (a->count == 0)
            break;
        gl->EnableVertexAttribArray(location + a->location);
        gl->VertexAttribPointer(location + a->location, a->count, a->type,
                                a->is_normalized, (GLsizei)stride,
                                (const void *)at);
    }
}

static void bind_mesh(const struct drawing *d, const struct view_mesh *mesh,
                      const struct shown_mesh *shown)
{
    const struct gl_library *gl = d->gl;
    const struct program *p = d->program;
    const spn_mesh_info *info = &mesh->info;

    bind_buffer(d, shown->floor, info->first_vertex, 0);
    if (d->controls->path == VIEW_PATH_FRAMES)
        bind_buffer(d, shown->ceil, info->first_vertex, CEIL_LOCATION);
    gl->Uniform1f(p->alpha, shown->alpha);
    gl->Uniform3fv(p->position_min, 1, info->position_min);
    gl->Uniform3fv(p->position_step, 1, info->position_step);
    gl->Uniform2fv(p->uv_min, 1, info->uv_min);
    gl->Uniform2fv(p->uv_step, 1, info->uv_step);
}

/* Set the transform of a scene node. A mirroring one turns triangles over. */
static void bind_place(const struct drawing *d, const struct view_node *node,
                       const float matrix[12])
{
    const struct gl_library *gl = d->gl;
    double rows[16] = {0};
    double cofactors[9];
    double determinant;
    float world[16] = {0};
    float normals[9];

    memcpy(world, matrix, 12 * sizeof *world);
    world[15] = 1;
    for (int i = 0; i < 3; i++)
        world[4 * i + 3] += node->offset[i];
    for (int i = 0; i < 12; i++)
        rows[i] = (double)matrix[i];
    determinant = matrix_cofactors(rows, cofactors);
    for (int i = 0; i < 9; i++)
        normals[i] = (float)(determinant < 0 ? -cofactors[i] : cofactors[i]);
    gl->UniformMatrix4fv(d->program->world, 1, GL_TRUE, world);
    gl->UniformMatrix3fv(d->program->normal_matrix, 1, GL_TRUE, normals);
    gl->FrontFace(determinant < 0 ? GL_CW : GL_CCW);
}

/* -- colours -- */

static enum coloring choose(const struct drawing *d,
                            const struct view_node *node,
                            const spn_draw_item *item, float rgb[3])
{
    const struct view_controls *c = d->controls;

    if (c->meshes == VIEW_MESHES_SAME_COLOR) {
        view_color_of_item(item, (uint32_t)(node->model - d->scene->models),
                           rgb);
        return BY_BASE;
    }
    switch (c->colors) {
    case VIEW_COLORS_NORMAL:
        return BY_NORMAL;
    case VIEW_COLORS_LEVEL:
        view_color_of_level(&node->state, rgb);
        return BY_BASE;
    case VIEW_COLORS_MATERIAL:
    case VIEW_COLORS_OWN:
        break;
    }
    scene_view_tone(item->mesh, rgb);
    return node->model->meshes[item->mesh].info.has_colors ? BY_VERTEX
                                                           : BY_BASE;
}

/* -- meshes -- */

static void draw_range(const struct drawing *d, uint64_t first, uint32_t count)
{
    d->gl->DrawElements(GL_TRIANGLES, (GLsizei)count, GL_UNSIGNED_INT,
                        (const void *)(uintptr_t)(first * sizeof(uint32_t)));
}

static void draw_triangles(const struct drawing *d,
                           const struct view_node *node,
                           const spn_draw_item *item)
{
    const struct view_mesh *mesh = &node->model->meshes[item->mesh];
    const struct gl_library *gl = d->gl;
    float rgb[3] = {0, 0, 0};

    if (d->is_flat) {
        draw_range(d, mesh->first_index, mesh->info.index_count);
        return;
    }
    gl->Uniform1i(d->program->coloring, (GLint)choose(d, node, item, rgb));
    gl->Uniform3fv(d->program->base, 1, rgb);
    if (d->controls->colors != VIEW_COLORS_MATERIAL ||
        d->controls->meshes == VIEW_MESHES_SAME_COLOR) {
        draw_range(d, mesh->first_index, mesh->info.index_count);
        return;
    }
    gl->Uniform1i(d->program->coloring, BY_BASE);
    for (uint32_t i = 0; i < item->material_count; i++) {
        view_color_of_number(item->materials[i].id * 8 + i, rgb);
        gl->Uniform3fv(d->program->base, 1, rgb);
        draw_range(d, mesh->first_index + item->materials[i].first_index,
                   item->materials[i].index_count);
    }
}

/* Call `draw` for each item of the draw lists whose vertices are there. */
static void for_each_mesh(const struct drawing *d,
                          void (*draw)(const struct drawing *d,
                                       const struct view_node *node,
                                       const spn_draw_item *item))
{
    for (uint32_t n = 0; n < d->scene->player->stream_count; n++) {
        const struct view_node *node = &d->scene->nodes[n];
        const struct view_model *model = node->model;

        d->gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, model->indices);
        for (uint32_t i = 0; i < node->item_count; i++) {
            const spn_draw_item *item = &node->items[i];

            if (!node->shown[item->mesh].is_visible)
                continue;
            bind_mesh(d, &model->meshes[item->mesh], &node->shown[item->mesh]);
            bind_place(d, node, item->matrix);
            draw(d, node, item);
        }
    }
}

static void draw_points(const struct drawing *d, const struct view_node *node,
                        const spn_draw_item *item)
{
    const struct view_mesh *mesh = &node->model->meshes[item->mesh];

    d->gl->DrawArrays(GL_POINTS, 0, (GLsizei)mesh->info.vertex_count);
}

static void use_program(struct drawing *d, const struct program *program)
{
    d->program = program;
    program_use(program, d->gl, d->orbit, d->width, d->height);
}

/* `rgb`: one colour, without light. NULL: colours of their own. */
static void use_color(const struct drawing *d, const float *rgb)
{
    if (!d->is_flat)
        return;
    d->gl->Uniform1i(d->program->coloring, BY_BASE_UNLIT);
    d->gl->Uniform3fv(d->program->base, 1, rgb);
}

/* -- meshes, then bones -- */

static void draw_surfaces(struct drawing *d, const float *rgb)
{
    const struct view_controls *c = d->controls;

    d->is_flat = rgb != NULL;
    use_program(d, &d->programs->surface[c->path]);
    use_color(d, rgb);
    d->gl->BindVertexArray(d->scene->arrays[c->path]);
    for_each_mesh(d, draw_triangles);
    use_program(d, &d->programs->surface[VIEW_PATH_FILL]);
    use_color(d, rgb);
    if (!rgb)
        d->gl->Uniform1i(d->program->coloring, c->colors == VIEW_COLORS_NORMAL
                                                   ? BY_NORMAL
                                                   : BY_VERTEX);
    bones_draw(&d->scene->bones, d->gl, d->program, GL_TRIANGLES);
}

static void draw_normals(struct drawing *d, const float rgb[3])
{
    d->is_flat = true;
    use_program(d, &d->programs->normals[d->controls->path]);
    use_color(d, rgb);
    d->gl->BindVertexArray(d->scene->arrays[d->controls->path]);
    for_each_mesh(d, draw_points);
    use_program(d, &d->programs->normals[VIEW_PATH_FILL]);
    use_color(d, rgb);
    bones_draw(&d->scene->bones, d->gl, d->program, GL_POINTS);
}

void scene_draw(const struct view_scene *scene, const struct programs *programs,
                const struct view_controls *controls, const struct orbit *orbit,
                uint32_t width, uint32_t height)
{
    static const float wire_rgb[3] = {0.02f, 0.02f, 0.03f};
    static const float normal_rgb[3] = {0.02f, 0.1f, 0.6f};
    const struct gl_library *gl = scene->gl;
    struct drawing d = {.scene = scene,
                        .gl = gl,
                        .controls = controls,
                        .programs = programs,
                        .orbit = orbit,
                        .width = width,
                        .height = height};

    gl->Enable(GL_DEPTH_TEST);
    gl->Disable(GL_BLEND);
    if (controls->wire == VIEW_WIRE_ONLY)
        gl->PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    if (controls->wire == VIEW_WIRE_OVER) {
        gl->Enable(GL_POLYGON_OFFSET_FILL);
        gl->PolygonOffset(1, 1);
    }
    draw_surfaces(&d, NULL);
    gl->Disable(GL_POLYGON_OFFSET_FILL);
    if (controls->wire == VIEW_WIRE_OVER) {
        gl->PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
        draw_surfaces(&d, wire_rgb);
    }
    gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    if (controls->has_normals)
        draw_normals(&d, normal_rgb);
    gl->FrontFace(GL_CCW);
}
