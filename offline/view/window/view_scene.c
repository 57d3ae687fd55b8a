/* view_scene.c - buffers for indices and for vertices that never change. */
/* SPDX-License-Identifier: MIT */
#include "view/window/view_scene.h"

#include "common/fault_text.h"

#include <math.h>
#include <string.h>

/* Room between copies of a file, in widths of its box. */
#define GAP 1.15f

/* What an engine requests for a picture with normal maps. */
static const spn_vertex_layout layouts[VIEW_PATHS] = {
    [VIEW_PATH_FILL] = {.stride = 40,
                        .position = {0, SPN_FORMAT_F32X3},
                        .normal = {12, SPN_FORMAT_SNORM16X4},
                        .tangent = {20, SPN_FORMAT_SNORM16X4},
                        .uv = {28, SPN_FORMAT_F32X2},
                        .color = {36, SPN_FORMAT_UNORM8X4}},
    /* quantized.vert */
    [VIEW_PATH_FRAMES] = {.stride = 24,
                          .position = {0, SPN_FORMAT_QUANTIZED},
                          .qtangent = {8, SPN_FORMAT_QUANTIZED},
                          .uv = {16, SPN_FORMAT_QUANTIZED},
                          .color = {20, SPN_FORMAT_QUANTIZED}},
};

const spn_vertex_layout *view_layout(enum view_path path)
{
    return &layouts[path];
}

/* -- models -- */

static spn_status read_meshes(const struct view_scene *scene,
                              struct view_model *model, uint64_t *index_count)
{
    *index_count = 0;
    for (uint32_t i = 0; i < model->file->info.mesh_count; i++) {
        struct view_mesh *mesh = &model->meshes[i];
        spn_status status = spn_cache_get_mesh(
            scene->player->rt, model->file->cache, i, &mesh->info);

        if (status != SPN_OK)
            return status;
        mesh->first_index = *index_count;
        *index_count += mesh->info.index_count;
        model->is_animated |= mesh->info.is_animated != 0;
    }
    return SPN_OK;
}

static spn_status make_indices(const struct view_scene *scene,
                               struct view_model *model, uint64_t count)
{
    const struct gl_library *gl = scene->gl;
    struct arena arena;
    uint32_t *indices;
    spn_status status = SPN_OK;

    arena_init(&arena);
    indices = ARENA_NEW(&arena, uint32_t, count);
    for (uint32_t i = 0; status == SPN_OK && i < model->file->info.mesh_count;
         i++) {
        const struct view_mesh *mesh = &model->meshes[i];

        status = spn_cache_copy_indices(
            scene->player->rt, model->file->cache, i, sizeof *indices,
            indices + mesh->first_index, mesh->info.index_count);
    }
    gl->GenBuffers(1, &model->indices);
    gl->BindBuffer(GL_ARRAY_BUFFER, model->indices);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *indices),
                   indices, GL_STATIC_DRAW);
    arena_free(&arena);
    return status;
}

static bool make_model(struct view_scene *scene, struct view_model *model)
{
    struct arena *arena = scene->player->arena;
    const spn_cache_info *info = &model->file->info;
    uint64_t index_count;
    spn_status status;

    model->meshes = ARENA_NEW(arena, struct view_mesh, info->mesh_count);
    status = read_meshes(scene, model, &index_count);
    if (status == SPN_OK)
        status = make_indices(scene, model, index_count);
    return status == SPN_OK ||
           fault_refuse_status(scene->player->diag, model->file->path, status,
                               NULL);
}

/* -- nodes -- */

/* Place copy k of the files in a square grid on the ground. */
static void place(struct view_scene *scene, struct view_node *node, uint32_t k,
                  uint32_t columns, const float size[3], char up_axis)
{
    int across = 0;
    int along = up_axis == 'Z' ? 1 : 2;
    float sign = up_axis == 'Z' ? 1.0f : -1.0f;
    const spn_cache_info *info = &node->model->file->info;

    node->offset[across] = (float)(k % columns) * size[across] * GAP;
    node->offset[along] = sign * (float)(k / columns) *
                          (size[along] > 0 ? size[along] : size[across]) * GAP;
    for (int i = 0; i < 3; i++) {
        scene->box_min[i] =
            fminf(scene->box_min[i], info->box_min[i] + node->offset[i]);
        scene->box_max[i] =
            fmaxf(scene->box_max[i], info->box_max[i] + node->offset[i]);
    }
}

static void make_nodes(struct view_scene *scene, char up_axis)
{
    const struct player *player = scene->player;
    uint32_t file_count = player->options->file_count;
    uint32_t copies = file_count > 0
                          ? (player->stream_count + file_count - 1) / file_count
                          : 0;
    uint32_t columns = 1;
    float size[3] = {0, 0, 0};

    while (columns * columns < copies)
        columns++;
    for (uint32_t i = 0; i < file_count; i++)
        for (int c = 0; c < 3; c++)
            size[c] = fmaxf(size[c], player->files[i].info.box_max[c] -
                                         player->files[i].info.box_min[c]);
    for (uint32_t i = 0; i < player->stream_count; i++) {
        struct view_node *node = &scene->nodes[i];
        const spn_cache_info *info;

        node->stream = &player->streams[i];
        node->model = &scene->models[i % file_count];
        info = &node->model->file->info;
        node->shown =
            ARENA_NEW(player->arena, struct shown_mesh, info->mesh_count);
        node->items =
            ARENA_NEW(player->arena, spn_draw_item, info->scene_node_count);
        place(scene, node, i / file_count, columns, size, up_axis);
    }
}

static void place_skeletons(struct view_scene *scene, char up_axis)
{
    float box_min[3];
    float box_max[3];

    memcpy(box_min, scene->box_min, sizeof box_min);
    memcpy(box_max, scene->box_max, sizeof box_max);
    view_skeletons_open(&scene->skeletons, &scene->player->clips, box_min,
                        box_max, up_axis, scene->player->arena);
}

bool view_scene_open(struct view_scene *scene, struct player *player,
                     const struct gl_library *gl, char up_axis)
{
    uint32_t file_count = player->options->file_count;

    *scene = (struct view_scene){.player = player, .gl = gl};
    scene->models = ARENA_NEW(player->arena, struct view_model, file_count);
    scene->nodes =
        ARENA_NEW(player->arena, struct view_node, player->stream_count);
    for (int i = 0; i < 3; i++) {
        scene->box_min[i] = INFINITY;
        scene->box_max[i] = -INFINITY;
    }
    for (uint32_t i = 0; i < file_count; i++) {
        scene->models[i].file = &player->files[i];
        if (!make_model(scene, &scene->models[i]))
            return false;
    }
    make_nodes(scene, up_axis);
    place_skeletons(scene, up_axis);
    gl->GenVertexArrays(VIEW_PATHS, scene->arrays);
    bones_draw_open(&scene->bones, gl);
    return true;
}

void view_scene_close(struct view_scene *scene)
{
    const struct gl_library *gl = scene->gl;

    if (!gl)
        return;
    for (uint32_t i = 0; i < scene->player->options->file_count; i++) {
        gl->DeleteBuffers(1, &scene->models[i].indices);
        gl->DeleteBuffers(VIEW_PATHS, scene->models[i].unchanging);
    }
    for (uint32_t i = 0; i < scene->player->stream_count; i++)
        gl->DeleteBuffers(1, &scene->nodes[i].vertices);
    gl->DeleteVertexArrays(VIEW_PATHS, scene->arrays);
    bones_draw_close(&scene->bones, gl);
}

/* -- each picture -- */

void view_scene_update(struct view_scene *scene)
{
    const struct player *player = scene->player;

    for (uint32_t i = 0; i < player->stream_count; i++) {
        struct view_node *node = &scene->nodes[i];
        const spn_cache_info *info = &node->model->file->info;
        spn_node id = node->stream->node;

        node->is_late = false;
        memset(node->shown, 0, info->mesh_count * sizeof *node->shown);
        if (spn_node_get_state(player->rt, id, &node->state) != SPN_OK ||
            spn_node_get_draw_list(player->rt, id, node->items,
                                   info->scene_node_count,
                                   &node->item_count) != SPN_OK)
            node->item_count = 0;
    }
}

void view_scene_make_bones(struct view_scene *scene,
                           const struct view_controls *controls,
                           struct arena *arena)
{
    struct bones bones = {.arena = arena};

    view_skeletons_write(&scene->skeletons, controls, &bones);
    scene->gpu_bytes += bones_draw_fill(&scene->bones, scene->gl, &bones);
}

void view_scene_get_box(const struct view_scene *scene, float box_min[3],
                        float box_max[3])
{
    memcpy(box_min, scene->box_min, sizeof scene->box_min);
    memcpy(box_max, scene->box_max, sizeof scene->box_max);
    view_skeletons_enlarge(&scene->skeletons, box_min, box_max);
}

bool view_scene_is_late(const struct view_scene *scene)
{
    for (uint32_t i = 0; i < scene->player->stream_count; i++)
        if (scene->nodes[i].is_late)
            return true;
    return view_skeletons_are_late(&scene->skeletons);
}

static void fill_unchanging(struct view_scene *scene, struct view_node *node,
                            uint32_t index, enum view_path path)
{
    const struct gl_library *gl = scene->gl;
    struct view_model *model = node->model;
    struct view_mesh *mesh = &model->meshes[index];
    uint64_t stride = layouts[path].stride;
    uint64_t bytes = mesh->info.vertex_count * stride;
    spn_fill_result result = {0};
    void *vertices;
    spn_status status = SPN_ERR_IO;

    if (bytes == 0)
        return;
    if (model->unchanging[path] == 0) {
        gl->GenBuffers(1, &model->unchanging[path]);
        gl->BindBuffer(GL_ARRAY_BUFFER, model->unchanging[path]);
        gl->BufferData(GL_ARRAY_BUFFER,
                       (GLsizeiptr)(model->file->info.vertex_count * stride),
                       NULL, GL_STATIC_DRAW);
    }
    gl->BindBuffer(GL_ARRAY_BUFFER, model->unchanging[path]);
    vertices = gl->MapBufferRange(
        GL_ARRAY_BUFFER, (GLintptr)(mesh->info.first_vertex * stride),
        (GLsizeiptr)bytes, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
    if (!vertices) {
        node->is_late = true;
        return;
    }
    status = spn_node_fill(scene->player->rt, node->stream->node, index,
                           &layouts[path], vertices, bytes, &result);
    mesh->is_filled[path] = gl->UnmapBuffer(GL_ARRAY_BUFFER) &&
                            status == SPN_OK && result.is_visible;
}

void view_scene_show_unchanging(struct view_scene *scene,
                                struct view_node *node, enum view_path path)
{
    struct view_model *model = node->model;

    for (uint32_t i = 0; i < model->file->info.mesh_count; i++) {
        struct view_mesh *mesh = &model->meshes[i];

        if (mesh->info.is_animated)
            continue;
        if (!mesh->is_filled[path])
            fill_unchanging(scene, node, i, path);
        node->shown[i] = (struct shown_mesh){
            .is_visible = mesh->is_filled[path],
            .floor = model->unchanging[path],
            .ceil = model->unchanging[path],
        };
    }
}
