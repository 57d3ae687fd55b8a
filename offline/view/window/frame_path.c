/* frame_path.c - pools of mapped buffers.
 *
 * A buffer is mapped from `acquire` until its first use, or `release`. A frame
 * of a cache has one buffer at a time, so its number finds it.
 */
/* SPDX-License-Identifier: MIT */
#include "view/window/frame_path.h"

#include <stddef.h>

/* Longest wait for the end of stopped streams. */
#define STOP_SECONDS 10
#define STEP_S 0.001

/* A vertex buffer, of one frame or of none. */
struct frame_buffer {
    GLuint id;
    uint32_t frame;
    bool is_used;   /* between acquire and release */
    bool is_mapped; /* the runtime may write to it */
};

struct frame_pool {
    const struct view_scene *scene;
    const struct view_model *model;
    struct frame_buffer *buffers;
    uint32_t count;
    uint64_t bytes; /* of a buffer */
};

/* -- the functions of the engine -- */

static void *on_acquire(void *user, spn_cache cache, uint32_t frame)
{
    struct frame_pool *pool = user;
    const struct gl_library *gl = pool->scene->gl;
    void *vertices;
    uint32_t i = 0;

    (void)cache;
    while (i < pool->count && pool->buffers[i].is_used)
        i++;
    if (i == pool->count)
        return NULL;
    gl->BindBuffer(GL_ARRAY_BUFFER, pool->buffers[i].id);
    vertices =
        gl->MapBufferRange(GL_ARRAY_BUFFER, 0, (GLsizeiptr)pool->bytes,
                           GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT |
                               GL_MAP_FLUSH_EXPLICIT_BIT);
    pool->buffers[i].frame = frame;
    pool->buffers[i].is_used = vertices != NULL;
    pool->buffers[i].is_mapped = vertices != NULL;
    return vertices;
}

static struct frame_buffer *find_buffer(const struct frame_pool *pool,
                                        uint32_t frame)
{
    for (uint32_t i = 0; i < pool->count; i++)
        if (pool->buffers[i].is_used && pool->buffers[i].frame == frame)
            return &pool->buffers[i];
    return NULL;
}

static void on_release(void *user, spn_cache cache, uint32_t frame,
                       void *vertices)
{
    struct frame_pool *pool = user;
    const struct gl_library *gl = pool->scene->gl;
    struct frame_buffer *buffer = find_buffer(pool, frame);

    (void)cache;
    (void)vertices;
    if (!buffer)
        return;
    if (buffer->is_mapped) {
        gl->BindBuffer(GL_ARRAY_BUFFER, buffer->id);
        gl->UnmapBuffer(GL_ARRAY_BUFFER);
    }
    buffer->is_mapped = false;
    buffer->is_used = false;
}

/* -- start and stop -- */

static bool refuse(const struct frame_path *path, uint32_t file,
                   spn_status status)
{
    const struct player *player = path->scene->player;

    return diag_refuse(player->diag, player->files[file].path, DIAG_NO_OFFSET,
                       "frame buffers", "%s (%s)", spn_status_text(status),
                       spn_status_name(status));
}

/* Set the functions of a file, or remove them, when its streams have ended. */
static spn_status set_buffers(const struct frame_path *path, uint32_t file,
                              const spn_frame_buffers *buffers)
{
    struct player *player = path->scene->player;
    spn_cache cache = player->files[file].cache;
    double start_s = player_now(player);
    spn_status status;

    while ((status = spn_cache_set_frame_buffers(player->rt, cache, buffers)) ==
               SPN_ERR_STATE &&
           player_now(player) < start_s + STOP_SECONDS) {
        player_wait_until(player, player_now(player) + STEP_S);
        player_update(player);
    }
    return status;
}

static spn_status make_pool(struct frame_path *path, uint32_t file)
{
    const struct view_scene *scene = path->scene;
    const struct player *player = scene->player;
    const struct gl_library *gl = scene->gl;
    struct frame_pool *pool = &path->pools[file];
    uint32_t file_count = player->options->file_count;
    uint32_t nodes =
        (player->stream_count + file_count - 1 - file) / file_count;
    spn_status status;

    pool->scene = scene;
    pool->model = &scene->models[file];
    pool->bytes = pool->model->file->info.vertex_count *
                  view_layout(VIEW_PATH_FRAMES)->stride;
    status = spn_cache_frame_buffers_needed(
        player->rt, player->files[file].cache, nodes, &pool->count);
    if (status != SPN_OK || pool->bytes == 0) {
        pool->count = 0;
        return status;
    }
    pool->buffers = ARENA_NEW(player->arena, struct frame_buffer, pool->count);
    for (uint32_t i = 0; i < pool->count; i++) {
        gl->GenBuffers(1, &pool->buffers[i].id);
        gl->BindBuffer(GL_ARRAY_BUFFER, pool->buffers[i].id);
        gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)pool->bytes, NULL,
                       GL_STREAM_DRAW);
    }
    return SPN_OK;
}

static void stop_nodes(const struct frame_path *path)
{
    const struct player *player = path->scene->player;

    for (uint32_t i = 0; i < player->stream_count; i++)
        (void)spn_node_stop_streaming(player->rt, player->streams[i].node);
}

bool frame_path_start(struct frame_path *path, struct view_scene *scene)
{
    struct player *player = scene->player;
    uint32_t file_count = player->options->file_count;

    path->scene = scene;
    stop_nodes(path);
    if (!path->pools) {
        path->pools = ARENA_NEW(player->arena, struct frame_pool, file_count);
        for (uint32_t i = 0; i < file_count; i++) {
            spn_status status = make_pool(path, i);

            if (status != SPN_OK)
                return refuse(path, i, status);
        }
    }
    for (uint32_t i = 0; i < file_count; i++) {
        const spn_frame_buffers buffers = {
            .layout = *view_layout(VIEW_PATH_FRAMES),
            .acquire = on_acquire,
            .release = on_release,
            .user = &path->pools[i],
        };
        spn_status status = set_buffers(path, i, &buffers);

        if (status != SPN_OK)
            return refuse(path, i, status);
    }
    return true;
}

bool frame_path_stop(struct frame_path *path)
{
    uint32_t file_count = path->scene->player->options->file_count;

    stop_nodes(path);
    for (uint32_t i = 0; i < file_count; i++) {
        spn_status status = set_buffers(path, i, NULL);

        if (status != SPN_OK)
            return refuse(path, i, status);
    }
    return true;
}

void frame_path_free(struct frame_path *path)
{
    if (!path->pools)
        return;
    for (uint32_t i = 0; i < path->scene->player->options->file_count; i++)
        for (uint32_t k = 0; k < path->pools[i].count; k++)
            path->scene->gl->DeleteBuffers(1, &path->pools[i].buffers[k].id);
}

/* -- each picture -- */

/* Give a buffer that was written to the graphics processor: all meshes that
 * change. */
static void unmap(struct view_scene *scene, const struct frame_pool *pool,
                  struct frame_buffer *buffer)
{
    const struct gl_library *gl = scene->gl;
    uint64_t stride = view_layout(VIEW_PATH_FRAMES)->stride;

    if (!buffer->is_mapped)
        return;
    gl->BindBuffer(GL_ARRAY_BUFFER, buffer->id);
    for (uint32_t i = 0; i < pool->model->file->info.mesh_count; i++) {
        const spn_mesh_info *info = &pool->model->meshes[i].info;
        uint64_t bytes = info->vertex_count * stride;

        if (!info->is_animated || bytes == 0)
            continue;
        gl->FlushMappedBufferRange(GL_ARRAY_BUFFER,
                                   (GLintptr)(info->first_vertex * stride),
                                   (GLsizeiptr)bytes);
        scene->gpu_bytes += bytes;
    }
    gl->UnmapBuffer(GL_ARRAY_BUFFER);
    buffer->is_mapped = false;
}

static void show_mesh(struct frame_path *path, struct view_node *node,
                      uint32_t index)
{
    struct view_scene *scene = path->scene;
    const struct frame_pool *pool = &path->pools[node->model - scene->models];
    struct frame_buffer *floor;
    struct frame_buffer *ceil;
    spn_frame_pair pair;

    if (spn_node_get_frames(scene->player->rt, node->stream->node, index,
                            &pair) != SPN_OK) {
        node->is_late = true;
        return;
    }
    node->is_late |= pair.is_late != 0;
    floor = find_buffer(pool, pair.floor_frame);
    ceil = find_buffer(pool, pair.ceil_frame);
    if (!pair.is_visible || !pair.floor || !pair.ceil || !floor || !ceil)
        return;
    unmap(scene, pool, floor);
    unmap(scene, pool, ceil);
    node->shown[index] = (struct shown_mesh){.is_visible = true,
                                             .floor = floor->id,
                                             .ceil = ceil->id,
                                             .alpha = pair.alpha};
}

void frame_path_show(struct frame_path *path)
{
    struct view_scene *scene = path->scene;

    for (uint32_t n = 0; n < scene->player->stream_count; n++) {
        struct view_node *node = &scene->nodes[n];

        view_scene_show_unchanging(scene, node, VIEW_PATH_FRAMES);
        for (uint32_t i = 0; i < node->model->file->info.mesh_count; i++)
            if (node->model->meshes[i].info.is_animated)
                show_mesh(path, node, i);
    }
}
