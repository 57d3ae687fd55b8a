/* cache_surface.c - make float vertices from decoded frames. */
/* SPDX-License-Identifier: MIT */
#include "render/cache_surface.h"

#include "common/path_match.h"

#include <string.h>

static void fill_surface(const struct cache_reader *reader,
                         const struct cache_reader_frame *frame, uint32_t mesh,
                         struct arena *arena, struct surface *surface)
{
    const struct cache_tables *tables = cache_reader_tables(reader);
    struct cache_reader_vertices vertices;

    cache_reader_fill(reader, frame, mesh, arena, &vertices);
    *surface = (struct surface){
        .path = tables->names + tables->meshes[mesh].name,
        .mesh = mesh,
        .vertex_count = vertices.count,
        .positions = vertices.positions,
        .normals = vertices.normals,
        .tangents = vertices.tangents,
        .uvs = vertices.uvs,
        .colors = vertices.colors,
        .second_uvs = vertices.second_uvs,
        .velocities = vertices.velocities,
        .index_count = tables->meshes[mesh].index_count,
        .indices = cache_reader_indices(reader, mesh),
    };
}

bool cache_surface_mesh(struct cache_reader *reader, uint32_t number,
                        uint32_t mesh, struct arena *arena,
                        struct surface *surface)
{
    const struct cache_reader_frame *frame = cache_reader_frame(reader, number);

    if (!frame)
        return false;
    fill_surface(reader, frame, mesh, arena, surface);
    return true;
}

bool cache_surface_is_present(struct cache_reader *reader, uint32_t number,
                              uint32_t mesh, bool *is_present)
{
    const struct cache_reader_frame *frame;

    *is_present = cache_reader_tables(reader)->meshes[mesh].animated_mask == 0;
    if (*is_present)
        return true;
    frame = cache_reader_frame(reader, number);
    if (frame)
        *is_present = cache_reader_has_mesh(reader, frame, mesh);
    return frame != NULL;
}

static void world_of(const struct cache_reader *reader,
                     const struct cache_reader_frame *frame, uint32_t node,
                     float out[12])
{
    const struct cache_node *nodes = cache_reader_tables(reader)->nodes;

    spn__transform_resolve(&frame->transforms[node], out);
    for (uint32_t p = nodes[node].parent; p != CACHE_NONE;
         p = nodes[p].parent) {
        float parent[12];

        spn__transform_resolve(&frame->transforms[p], parent);
        spn__transform_multiply(parent, out, out);
    }
}

static bool is_meant(const struct cache_tables *tables, uint32_t node,
                     const struct cache_surface_choice *choice)
{
    const struct cache_node *n = &tables->nodes[node];
    const char *path = choice->path;

    return !path || path_covers(path, tables->names + n->name) ||
           (!choice->is_without_copies && n->mesh != CACHE_NONE &&
            strcmp(tables->names + tables->meshes[n->mesh].name, path) == 0);
}

void cache_surface_count(struct cache_reader *reader,
                         const struct cache_surface_choice *choice,
                         uint32_t *node_count, uint32_t *mesh_node_count)
{
    const struct cache_tables *tables = cache_reader_tables(reader);

    *node_count = 0;
    *mesh_node_count = 0;
    for (uint32_t i = 0; i < cache_reader_header(reader)->node_count; i++) {
        if (!is_meant(tables, i, choice))
            continue;
        ++*node_count;
        *mesh_node_count += tables->nodes[i].mesh != CACHE_NONE;
    }
}

/* -- near paths -- */

struct near_paths {
    const char *wanted;
    const char **items; /* the most similar first */
    uint32_t count;
    uint32_t capacity;
};

/* Count the bytes of both that are in neither the common prefix nor the common
 * suffix. */
static size_t distance(const char *a, const char *b)
{
    size_t a_bytes = strlen(a);
    size_t b_bytes = strlen(b);
    size_t common = 0;

    while (a[common] && a[common] == b[common])
        common++;
    a += common;
    b += common;
    a_bytes -= common;
    b_bytes -= common;
    while (a_bytes > 0 && b_bytes > 0 && a[a_bytes - 1] == b[b_bytes - 1]) {
        a_bytes--;
        b_bytes--;
    }
    return a_bytes + b_bytes;
}

static void consider(struct near_paths *near, const char *path)
{
    size_t away = distance(path, near->wanted);
    uint32_t at = near->count;

    for (uint32_t i = 0; i < near->count; i++)
        if (strcmp(near->items[i], path) == 0)
            return;
    while (at > 0 && distance(near->items[at - 1], near->wanted) > away)
        at--;
    if (at == near->capacity)
        return;
    if (near->count < near->capacity)
        near->count++;
    for (uint32_t i = near->count - 1; i > at; i--)
        near->items[i] = near->items[i - 1];
    near->items[at] = path;
}

uint32_t cache_surface_nearest(struct cache_reader *reader, const char *path,
                               const char **nearest, uint32_t capacity)
{
    const struct cache_tables *tables = cache_reader_tables(reader);
    const struct cache_header *header = cache_reader_header(reader);
    struct near_paths near = {path, nearest, 0, capacity};

    for (uint32_t i = 0; i < header->node_count; i++)
        consider(&near, tables->names + tables->nodes[i].name);
    for (uint32_t i = 0; i < header->mesh_count; i++)
        consider(&near, tables->names + tables->meshes[i].name);
    return near.count;
}

/* -- a frame -- */

bool cache_surface_list(struct cache_reader *reader, uint32_t number,
                        const struct cache_surface_choice *choice,
                        bool in_world, struct arena *arena,
                        struct surface_list *list)
{
    const struct cache_tables *tables = cache_reader_tables(reader);
    uint32_t node_count = cache_reader_header(reader)->node_count;
    const struct cache_reader_frame *frame = cache_reader_frame(reader, number);

    if (!frame)
        return false;
    list->items = ARENA_NEW(arena, struct surface, node_count);
    list->count = 0;
    for (uint32_t i = 0; i < node_count; i++) {
        uint32_t mesh = tables->nodes[i].mesh;
        struct surface *s = &list->items[list->count];

        if (mesh == CACHE_NONE || !frame->visible[i] ||
            !is_meant(tables, i, choice) ||
            !cache_reader_has_mesh(reader, frame, mesh))
            continue;
        fill_surface(reader, frame, mesh, arena, s);
        s->path = tables->names + tables->nodes[i].name;
        if (in_world) {
            float world[12];

            world_of(reader, frame, i, world);
            surface_transform(s, world, arena);
        }
        list->count++;
    }
    return true;
}
