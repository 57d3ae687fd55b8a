/* engine_sample.c - how an engine draws geometry caches: SDL2 and OpenGL 3.3.
 *
 *   engine_sample SHADERS NODES SECONDS FAR [NAME=VALUE]... FILE.sgc...
 *
 * Plays NODES nodes of the files side by side for SECONDS, and prints the last
 * picture as PPM. SHADERS is the folder offline/view/shaders, NAME a tuning
 * variable. Nodes farther than FAR from the first one (0: none) are replaced by
 * a stand-in: the static mesh 0 of the last file, which has no nodes unless it
 * is the only one. All files differ.
 */
/* SPDX-License-Identifier: MIT */
#include "engine_window.h"

#include <spindle/platform_posix.h>
#include <spindle/spindle.h>

enum { MODELS = 8, ENTITIES = 64, ITEMS = 4096, GROUPS = 256 };
enum { STRIDE = 24, MATRIX = 48 }; /* bytes of a vertex and of a matrix */

struct mesh {
    spn_mesh_id id;
    GLuint indices, vertices; /* the latter of a static mesh */
    spn_mesh_info info;
};
struct model {
    spn_cache cache;
    spn_cache_info info;
    struct mesh *meshes;
    GLuint *buffers; /* one for each frame; without memory while it is unused */
};
struct entity {
    const struct model *model;
    spn_node node;
    float x;
};

static const spn_vertex_layout layout = {.stride = STRIDE, /* quantized.vert */
                                         .position = {0, SPN_FORMAT_QUANTIZED},
                                         .qtangent = {8, SPN_FORMAT_QUANTIZED},
                                         .uv = {16, SPN_FORMAT_QUANTIZED},
                                         .color = {20, SPN_FORMAT_QUANTIZED}};
static spn_runtime *rt;
static struct model models[MODELS];
static struct entity entities[ENTITIES];
static spn_draw_item items[ITEMS], stand_in;
static const struct model *owners[ITEMS]; /* of the items */
static spn_draw_group groups[GROUPS];
static uint32_t model_count, entity_count, item_count, group_count, draw_calls;
static float far_away;

/* -- buffers of frames: called in spn_update -- */

static void *acquire(void *user, spn_cache cache, uint32_t frame)
{
    const struct model *m = user;
    const GLsizeiptr bytes = (GLsizeiptr)(m->info.vertex_count * STRIDE);

    (void)cache;
    glBindBuffer(GL_ARRAY_BUFFER, m->buffers[frame]);
    glBufferData(GL_ARRAY_BUFFER, bytes, NULL, GL_STREAM_DRAW);
    return glMapBufferRange(GL_ARRAY_BUFFER, 0, bytes, GL_MAP_WRITE_BIT);
}

/* The buffer of a frame, which the graphics processor may read from now on. */
static GLuint unmap(const struct model *m, uint32_t frame)
{
    GLint is_mapped;

    glBindBuffer(GL_ARRAY_BUFFER, m->buffers[frame]);
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_MAPPED, &is_mapped);
    if (is_mapped)
        glUnmapBuffer(GL_ARRAY_BUFFER);
    return m->buffers[frame];
}

static void release(void *user, spn_cache cache, uint32_t frame, void *vertices)
{
    (void)cache, (void)vertices;
    unmap(user, frame);
    glBufferData(GL_ARRAY_BUFFER, 0, NULL, GL_STREAM_DRAW);
}

/* -- setup -- */

static GLuint upload(const void *data, size_t bytes)
{
    GLuint id;

    glGenBuffers(1, &id);
    glBindBuffer(GL_ARRAY_BUFFER, id);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, data, GL_STATIC_DRAW);
    return id;
}

static void load_mesh(spn_cache cache, uint32_t number, struct mesh *m)
{
    static uint32_t data[1 << 20];

    NEED(!spn_cache_get_mesh(rt, cache, number, &m->info));
    NEED(!spn_cache_copy_indices(rt, cache, number, 4, data, 1 << 20));
    m->indices = upload(data, m->info.index_count * sizeof *data);
    NEED(!spn_cache_get_mesh_id(rt, cache, number, &m->id));
    NEED(!m->id ||
         !spn_mesh_copy_vertices(rt, m->id, &layout, data, sizeof data));
    m->vertices =
        upload(data, m->id ? m->info.vertex_count * (size_t)STRIDE : 0);
}

static void open_model(const char *path)
{
    struct model *m = &models[model_count++];
    const spn_frame_buffers functions = {layout, acquire, release, m};

    NEED(model_count <= MODELS && !spn_cache_open(rt, path, &m->cache));
    while (spn_cache_get_status(rt, m->cache, NULL) == SPN_PENDING)
        spn_update(rt);
    NEED(!spn_cache_get_info(rt, m->cache, &m->info));
    NEED(!spn_cache_set_frame_buffers(rt, m->cache, &functions));
    m->buffers = calloc(m->info.frame_count, sizeof *m->buffers);
    m->meshes = calloc(m->info.mesh_count, sizeof *m->meshes);
    glGenBuffers((GLsizei)m->info.frame_count, m->buffers);
    for (uint32_t i = 0; i < m->info.mesh_count; i++)
        load_mesh(m->cache, i, &m->meshes[i]);
}

/* -- drawing -- */

/* Draw an item `count` times, with the matrices from `first` on. */
static void draw(uint32_t index, uint32_t first, uint32_t count)
{
    static const GLint sizes[4] = {3, 4, 2, 4}, at[4] = {0, 8, 16, 20};
    static const GLenum kind[4] = {GL_UNSIGNED_SHORT, GL_SHORT,
                                   GL_UNSIGNED_SHORT, GL_UNSIGNED_BYTE};
    const spn_draw_item *it = &items[index];
    const struct mesh *m = &owners[index]->meshes[it->mesh];
    uint64_t base = it->mesh_id ? 0 : m->info.first_vertex * STRIDE;
    GLuint buffers[2] = {m->vertices, m->vertices}; /* floor and ceil */
    spn_frame_pair pair = {.alpha = 0};

    if (!it->mesh_id) {
        if (spn_node_get_frames(rt, it->node, it->mesh, &pair) || !pair.floor)
            return;
        buffers[0] = unmap(owners[index], pair.floor_frame);
        buffers[1] = unmap(owners[index], pair.ceil_frame);
    }
    for (GLuint i = 0; i < 8; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, buffers[i / 4]);
        glVertexAttribPointer(i, sizes[i % 4], kind[i % 4], i % 4 == 3, STRIDE,
                              AT(base + (uint64_t)at[i % 4]));
    }
    glBindBuffer(GL_ARRAY_BUFFER, matrices);
    for (GLuint row = 0; row < 3; row++)
        glVertexAttribPointer(8 + row, 4, GL_FLOAT, GL_FALSE, MATRIX,
                              AT(first * MATRIX + row * 16));
    glUniform1f(UNIFORM("alpha"), pair.alpha);
    glUniform3fv(UNIFORM("position_min"), 1, m->info.position_min);
    glUniform3fv(UNIFORM("position_step"), 1, m->info.position_step);
    glUniform1i(UNIFORM("coloring"), m->info.has_colors != 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, m->indices);
    for (uint32_t i = 0; i < it->material_count; i++, draw_calls++)
        glDrawElementsInstanced(
            GL_TRIANGLES, (GLsizei)it->materials[i].index_count,
            GL_UNSIGNED_INT, AT(it->materials[i].first_index * 4),
            (GLsizei)count);
}

static void draw_picture(void)
{
    uint32_t single = 0;
    float *to;

    glClearColor(0.81f, 0.835f, 0.87f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    item_count = draw_calls = 0;
    for (struct entity *e = entities; e < entities + entity_count; e++) {
        spn_draw_item *item = items + item_count;
        uint32_t count;
        spn_drawing drawing;

        NEED(!spn_node_get_drawing(rt, e->node, &drawing));
        NEED(!spn_node_get_draw_list(rt, e->node, item, ITEMS - item_count,
                                     &count));
        if (drawing.what == SPN_DRAW_STAND_IN)
            item[count++] = *(spn_draw_item *)drawing.stand_in;
        for (; count > 0;
             count--, item++) {      /* an engine culls by the box here */
            item->matrix[3] += e->x; /* and multiplies by its own matrix */
            owners[item_count++] =
                item->node ? e->model : &models[model_count - 1];
        }
    }
    glBindBuffer(GL_ARRAY_BUFFER, matrices);
    glBufferData(GL_ARRAY_BUFFER, ITEMS * MATRIX, NULL, GL_STREAM_DRAW);
    to = glMapBufferRange(GL_ARRAY_BUFFER, 0, ITEMS * MATRIX, GL_MAP_WRITE_BIT);
    NEED(!spn_draw_instances(rt, items, item_count, groups, GROUPS, to, ITEMS,
                             &group_count));
    for (uint32_t i = 0; i < group_count; i++)
        single += groups[i].matrix_count;
    for (uint32_t i = 0, k = single; i < item_count; i++)
        if (items[i].group == SPN_DRAW_SINGLE)
            memcpy(to + 12 * k++, items[i].matrix, MATRIX);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    for (uint32_t i = 0; i < group_count; i++)
        draw(groups[i].first_item, groups[i].first_matrix,
             groups[i].matrix_count);
    for (uint32_t i = 0; i < item_count; i++)
        if (items[i].group == SPN_DRAW_SINGLE)
            draw(i, single++, 1);
}

/* Show a time: what is not decoded yet is awaited. */
static void update(int64_t time_us)
{
    for (uint32_t i = 0; i < entity_count; i++) {
        const spn_view view = {.is_visible = 1,
                               .distance = entities[i].x - entities[0].x,
                               .stand_in_distance = far_away,
                               .stand_in_other =
                                   stand_in.mesh_id ? (uintptr_t)&stand_in : 0};
        spn_node_state state = {.is_ready = 0};

        NEED(!spn_node_set_view(rt, entities[i].node, &view));
        NEED(!spn_node_set_playback_time(rt, entities[i].node, time_us));
        for (; !state.is_ready && !state.status; spn_update(rt))
            NEED(!spn_node_get_state(rt, entities[i].node, &state));
    }
}

/* Nodes in a row, seen by the camera. */
static void make_entities(uint32_t count)
{
    static spn_material_range all;
    const struct mesh *mesh = models[model_count - 1].meshes;
    const float *low = models->info.box_min;
    float high[3] = {low[0], models->info.box_max[1], models->info.box_max[2]};

    for (; entity_count < count; entity_count++) {
        struct entity *e = &entities[entity_count];

        e->model =
            &models[entity_count % (model_count > 1 ? model_count - 1 : 1)];
        e->x = high[0] - low[0];
        high[0] = e->x + models->info.box_max[0];
        NEED(!spn_node_create(rt, e->model->cache,
                              &(spn_node_desc){.is_looping = 1}, &e->node));
    }
    all.index_count = mesh->info.index_count;
    stand_in = (spn_draw_item){
        .mesh_id = mesh->id, .materials = &all, .material_count = 1};
    stand_in.matrix[0] = stand_in.matrix[5] = stand_in.matrix[10] = 1;
    place_camera(low, high);
}

int main(int argc, char **argv)
{
    static spn_platform platform;
    spn_config config = {.platform = &platform, .heap_bytes = 64u << 20};
    const size_t state_bytes = spn_platform_posix_bytes();
    size_t bytes;

    NEED(argc > 5 && atoi(argv[2]) <= ENTITIES);
    open_window(argv[1]);
    NEED(!spn_platform_posix_init(malloc(state_bytes), state_bytes, &platform));
    bytes = spn_memory_needed(&config) / 64 * 64 + 64;
    NEED(!spn_init(&config, aligned_alloc(64, bytes), bytes, &rt));
    for (int i = 5; i < argc; i++) {
        char *value = strchr(argv[i], '=');

        if (value)
            *value = 0, NEED(!spn_tuning_set(rt, argv[i], value + 1));
        else
            open_model(argv[i]);
    }
    make_entities((uint32_t)atoi(argv[2]));
    far_away = strtof(argv[4], NULL);
    for (int64_t us = 0; us <= strtod(argv[3], NULL) * 1e6; us += 50000) {
        update(us);
        draw_picture();
        SDL_GL_SwapWindow(SDL_GL_GetCurrentWindow());
    }
    draw_picture(); /* the back buffer has no content after a swap */
    print_picture();
    fprintf(stderr, "%u items, %u groups, %u draw calls\n", item_count,
            group_count, draw_calls);
    spn_shutdown(rt);
    return 0;
}
