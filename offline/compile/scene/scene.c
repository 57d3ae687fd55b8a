/* scene.c - make nodes from the cuts of scene_cut.h. */
/* SPDX-License-Identifier: MIT */
#include "compile/scene/scene.h"

#include "compile/scene/scene_cut.h"

/* `node_of`: index of the node of each part so far. */
static void make_node(const struct scene_part *parts, uint32_t part,
                      const struct scene_cut *cut, const int32_t *node_of,
                      struct arena *arena, struct scene_node *node)
{
    uint32_t count = 1;
    uint32_t *stack;

    for (uint32_t p = part; p != cut->top; p = (uint32_t)parts[p].parent)
        count++;
    stack = ARENA_NEW(arena, uint32_t, count);
    node->stack_count = count;
    stack[--count] = part;
    for (uint32_t p = part; count > 0;)
        stack[--count] = p = (uint32_t)parts[p].parent;
    node->parent = cut->parent < 0 ? -1 : node_of[cut->parent];
    node->mesh = parts[part].mesh;
    node->part = part;
    node->stack = stack;
    node->is_constant = cut->is_constant;
    node->is_affine = cut->is_affine;
}

bool scene_fold(const struct scene_part *parts, uint32_t part_count,
                const struct scene_source *source, const double *times,
                uint32_t time_count, struct arena *arena, struct scene *scene)
{
    struct scene_cut *cuts = ARENA_NEW(arena, struct scene_cut, part_count);
    int32_t *node_of = ARENA_NEW(arena, int32_t, part_count);

    if (!scene_cut(parts, part_count, source, times, time_count, arena, cuts))
        return false;
    *scene = (struct scene){.parts = parts};
    scene->nodes = ARENA_NEW(arena, struct scene_node, part_count);
    for (uint32_t i = 0; i < part_count; i++) {
        if (!cuts[i].is_node)
            continue;
        node_of[i] = (int32_t)scene->node_count;
        make_node(parts, i, &cuts[i], node_of, arena,
                  &scene->nodes[scene->node_count++]);
    }
    return true;
}

bool scene_node_matrix(const struct scene_node *node,
                       const struct scene_source *source, double time,
                       double m[16])
{
    matrix_identity(m);
    for (uint32_t i = node->stack_count; i-- > 0;) {
        double local[16];
        bool inherits = true;

        if (!source->matrix(source->user, node->stack[i], time, local,
                            &inherits))
            return false;
        matrix_multiply(m, local, m);
        if (!inherits)
            return true;
    }
    return true;
}
