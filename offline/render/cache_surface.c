/* cache_surface.c - from decoded frames to triangles with float vertices. */
/* SPDX-License-Identifier: MIT */
#include "render/cache_surface.h"

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

bool cache_surface_covers(const char *path, const char *name)
{
    size_t length = strlen(path);

    while (length > 0 && path[length - 1] == '/')
        length--;
    if (length == 0)
        return path[0] == '/';
    return strncmp(name, path, length) == 0 &&
           (name[length] == 0 || name[length] == '/');
}

/* Is the node at or below the path, or the mesh that it shows the path's? */
static bool is_meant(const struct cache_tables *tables, uint32_t node,
                     const char *path)
{
    const struct cache_node *n = &tables->nodes[node];

    return !path || cache_surface_covers(path, tables->names + n->name) ||
           (n->mesh != CACHE_NONE &&
            strcmp(tables->names + tables->meshes[n->mesh].name, path) == 0);
}

void cache_surface_count(struct cache_reader *reader, const char *path,
                         uint32_t *node_count, uint32_t *mesh_node_count)
{
    const struct cache_tables *tables = cache_reader_tables(reader);

    *node_count = 0;
    *mesh_node_count = 0;
    for (uint32_t i = 0; i < cache_reader_header(reader)->node_count; i++) {
        if (!is_meant(tables, i, path))
            continue;
        ++*node_count;
        *mesh_node_count += tables->nodes[i].mesh != CACHE_NONE;
    }
}

bool cache_surface_list(struct cache_reader *reader, uint32_t number,
                        const char *path, bool in_world, struct arena *arena,
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
            !is_meant(tables, i, path) ||
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
