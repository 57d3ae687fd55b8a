/* weight_meshes.c - see weight_meshes.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/weight_meshes.h"

#include "common/report.h"

#include <string.h>

#define GLTF_POINTS 0

void weight_meshes_init(struct weight_meshes *meshes, struct glb_writer *writer,
                        cJSON **nodes, uint32_t node_count)
{
    *meshes = (struct weight_meshes){
        .writer = writer,
        .nodes = nodes,
        .node_count = node_count,
        .widths = ARENA_NEW(&writer->arena, uint32_t, node_count),
        .names = ARENA_NEW(&writer->arena, const char **, node_count)};
}

static void add_mesh(struct weight_meshes *m, uint32_t node,
                     const char *const *names, uint32_t width)
{
    struct arena *arena = &m->writer->arena;
    static const float origin[3] = {0, 0, 0};
    cJSON *mesh;
    cJSON *primitive;
    cJSON *targets;
    cJSON *target_names;

    if (!m->meshes) {
        m->meshes = report_array(m->writer->json, "meshes");
        m->point = glb_writer_add(m->writer, origin, 1, 3, true);
    }
    mesh = report_item(m->meshes);
    primitive = report_item(report_array(mesh, "primitives"));
    report_number(report_object(primitive, "attributes"), "POSITION", m->point);
    report_number(primitive, "mode", GLTF_POINTS);
    targets = report_array(primitive, "targets");
    for (uint32_t i = 0; i < width; i++)
        report_number(report_item(targets), "POSITION", m->point);
    m->names[node] = ARENA_NEW(arena, const char *, width);
    target_names = report_array(report_object(mesh, "extras"), "targetNames");
    for (uint32_t i = 0; i < width; i++) {
        m->names[node][i] = arena_string(arena, names[i], strlen(names[i]));
        report_add_text(target_names, names[i]);
    }
    report_number(m->nodes[node], "mesh", m->mesh_count++);
    m->widths[node] = width;
}

static bool has_names(const struct weight_meshes *m, uint32_t node,
                      const char *const *names, uint32_t width)
{
    if (m->widths[node] != width)
        return false;
    for (uint32_t i = 0; i < width; i++)
        if (strcmp(m->names[node][i], names[i]) != 0)
            return false;
    return true;
}

uint32_t weight_meshes_node(struct weight_meshes *meshes,
                            const char *const *names, uint32_t width,
                            bool *is_used)
{
    uint32_t free_node = WEIGHT_NODE_NONE;

    for (uint32_t i = 0; i < meshes->node_count; i++) {
        if (!is_used[i] && has_names(meshes, i, names, width)) {
            is_used[i] = true;
            return i;
        }
        if (meshes->widths[i] == 0 && free_node == WEIGHT_NODE_NONE)
            free_node = i;
    }
    if (free_node == WEIGHT_NODE_NONE)
        return WEIGHT_NODE_NONE;
    add_mesh(meshes, free_node, names, width);
    is_used[free_node] = true;
    return free_node;
}
