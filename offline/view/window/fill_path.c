/* fill_path.c - map, start all fills, wait for all, unmap. */
/* SPDX-License-Identifier: MIT */
#include "view/window/fill_path.h"

#include <stddef.h>

/* Fills that are under way at a time; the runtime's default limit. */
#define FILLS_MAX 64u

struct fills {
    spn_runtime *rt;
    spn_fill items[FILLS_MAX];
    uint32_t count;
};

static void wait_for_all(struct fills *fills)
{
    for (uint32_t i = 0; i < fills->count; i++)
        (void)spn_fill_wait(fills->rt, fills->items[i], UINT64_MAX);
    fills->count = 0;
}

/* Map the buffer of a node, without its old content. NULL: nothing to fill, or
 * no memory; then the node is late. */
static uint8_t *map_node(struct view_scene *scene, struct view_node *node)
{
    const struct gl_library *gl = scene->gl;
    uint64_t bytes = node->model->file->info.vertex_count *
                     view_layout(VIEW_PATH_FILL)->stride;
    uint8_t *vertices;

    if (!node->model->is_animated || bytes == 0)
        return NULL;
    if (node->vertices == 0) {
        gl->GenBuffers(1, &node->vertices);
        gl->BindBuffer(GL_ARRAY_BUFFER, node->vertices);
        gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, NULL,
                       GL_STREAM_DRAW);
    }
    gl->BindBuffer(GL_ARRAY_BUFFER, node->vertices);
    vertices =
        gl->MapBufferRange(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes,
                           GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT |
                               GL_MAP_FLUSH_EXPLICIT_BIT);
    node->is_late |= vertices == NULL;
    return vertices;
}

static void start_fill(struct fills *fills, struct view_node *node,
                       uint32_t index, uint8_t *vertices)
{
    const spn_vertex_layout *layout = view_layout(VIEW_PATH_FILL);
    const spn_mesh_info *info = &node->model->meshes[index].info;
    spn_fill_result result;
    spn_fill fill;
    spn_status status;

    if (fills->count == FILLS_MAX)
        wait_for_all(fills);
    status =
        spn_fill_start(fills->rt, node->stream->node, index, layout,
                       vertices + info->first_vertex * layout->stride,
                       (uint64_t)info->vertex_count * layout->stride, &fill);
    if (status != SPN_OK) {
        node->is_late = true;
        return;
    }
    if (spn_fill_get_result(fills->rt, fill, &result) == SPN_OK) {
        node->is_late |= result.is_late != 0;
        node->shown[index] =
            (struct shown_mesh){.is_visible = result.is_visible != 0,
                                .floor = node->vertices,
                                .ceil = node->vertices};
    }
    fills->items[fills->count++] = fill;
}

/* Give the meshes that were filled to the graphics processor. */
static void unmap_node(struct view_scene *scene, struct view_node *node)
{
    const struct gl_library *gl = scene->gl;
    uint64_t stride = view_layout(VIEW_PATH_FILL)->stride;

    gl->BindBuffer(GL_ARRAY_BUFFER, node->vertices);
    for (uint32_t i = 0; i < node->model->file->info.mesh_count; i++) {
        const spn_mesh_info *info = &node->model->meshes[i].info;
        uint64_t bytes = info->vertex_count * stride;

        if (!info->is_animated || !node->shown[i].is_visible || bytes == 0)
            continue;
        gl->FlushMappedBufferRange(GL_ARRAY_BUFFER,
                                   (GLintptr)(info->first_vertex * stride),
                                   (GLsizeiptr)bytes);
        scene->gpu_bytes += bytes;
    }
    if (!gl->UnmapBuffer(GL_ARRAY_BUFFER))
        for (uint32_t i = 0; i < node->model->file->info.mesh_count; i++)
            node->shown[i].is_visible &=
                !node->model->meshes[i].info.is_animated;
}

void fill_path_show(struct view_scene *scene)
{
    const struct player *player = scene->player;
    struct fills fills = {.rt = player->rt};
    struct arena arena;
    uint8_t **maps;

    arena_init(&arena);
    maps = ARENA_NEW(&arena, uint8_t *, player->stream_count);
    for (uint32_t n = 0; n < player->stream_count; n++) {
        struct view_node *node = &scene->nodes[n];

        view_scene_show_unchanging(scene, node, VIEW_PATH_FILL);
        maps[n] = map_node(scene, node);
        for (uint32_t i = 0; maps[n] && i < node->model->file->info.mesh_count;
             i++)
            if (node->model->meshes[i].info.is_animated)
                start_fill(&fills, node, i, maps[n]);
    }
    wait_for_all(&fills);
    for (uint32_t n = 0; n < player->stream_count; n++)
        if (maps[n])
            unmap_node(scene, &scene->nodes[n]);
    arena_free(&arena);
}
