/* scene.c - from cuts to nodes. */
/* SPDX-License-Identifier: MIT */
#include "compile/scene/scene.h"

#include "compile/scene/scene_cut.h"

static void make_node(const struct scene_part *parts, uint32_t part,
                      const struct scene_cut *cut, const int32_t *node_of,
                      struct arena *arena, struct scene_node *node)
{
    uint32_t *stack;
    uint32_t count = 1;

    for (uint32_t p = part; p != cut->top; p = (uint32_t)parts[p].parent)
        count++;
    stack = ARENA_NEW(arena, uint32_t, count);
    for (uint32_t i = count, p = part; i-- > 0; p = (uint32_t)parts[p].parent) {
        stack[i] = p;
        if (i == 0)
            break;
    }
    node->parent = cut->parent < 0 ? -1 : node_of[cut->parent];
    node->mesh = parts[part].mesh;
    node->part = part;
    node->stack = stack;
    node->stack_count = count;
    node->is_constant = cut->is_constant;
    node->is_affine = cut->is_affine;
}

bool scene_fold(const struct scene_part *parts, uint32_t part_count,
                const struct scene_locals *locals, const double *times,
                uint32_t time_count, struct arena *arena, struct scene *scene)
{
    struct scene_cut *cuts = ARENA_NEW(arena, struct scene_cut, part_count);
    int32_t *node_of = ARENA_NEW(arena, int32_t, part_count);

    if (!scene_cut(parts, part_count, locals, times, time_count, arena, cuts))
        return false;
    *scene = (struct scene){.parts = parts};
    scene->nodes = ARENA_NEW(arena, struct scene_node, part_count);
    for (uint32_t i = 0; i < part_count; i++) {
        if (!cuts[i].is_kept)
            continue;
        node_of[i] = (int32_t)scene->node_count;
        make_node(parts, i, &cuts[i], node_of, arena,
                  &scene->nodes[scene->node_count++]);
    }
    return true;
}

bool scene_node_matrix(const struct scene_node *node,
                       const struct scene_locals *locals, double time,
                       double m[16])
{
    matrix_identity(m);
    for (uint32_t i = node->stack_count; i-- > 0;) {
        double local[16];
        bool inherits = true;

        if (!locals->local(locals->user, node->stack[i], time, local,
                           &inherits))
            return false;
        matrix_multiply(m, local, m);
        if (!inherits)
            return true;
    }
    return true;
}
