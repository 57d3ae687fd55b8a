/* weight_meshes.c - see weight_meshes.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/weight_meshes.h"

#include "common/report.h"

#define GLTF_POINTS 0

void weight_meshes_init(struct weight_meshes *meshes, struct glb_writer *writer,
                        cJSON **nodes, uint32_t node_count)
{
    *meshes = (struct weight_meshes){
        .writer = writer,
        .nodes = nodes,
        .node_count = node_count,
        .widths = ARENA_NEW(&writer->arena, uint32_t, node_count)};
}

static void add_mesh(struct weight_meshes *m, uint32_t node, uint32_t width)
{
    static const float origin[3] = {0, 0, 0};
    cJSON *mesh;
    cJSON *primitive;
    cJSON *targets;

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
    report_number(m->nodes[node], "mesh", m->mesh_count++);
    m->widths[node] = width;
}

uint32_t weight_meshes_node(struct weight_meshes *meshes, uint32_t width,
                            bool *is_used)
{
    uint32_t free_node = WEIGHT_NODE_NONE;

    for (uint32_t i = 0; i < meshes->node_count; i++) {
        if (meshes->widths[i] == width && !is_used[i]) {
            is_used[i] = true;
            return i;
        }
        if (meshes->widths[i] == 0 && free_node == WEIGHT_NODE_NONE)
            free_node = i;
    }
    if (free_node == WEIGHT_NODE_NONE)
        return WEIGHT_NODE_NONE;
    add_mesh(meshes, free_node, width);
    is_used[free_node] = true;
    return free_node;
}
