/* scene.c - one walk down the tree, parents first.
 *
 * A stack is always a path of the tree, from its top part down to its own,
 * so a part's fold is told by its top alone. The walk is greedy: a parent has
 * folded as far as it could before its children ask.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/scene.h"

/* The largest cosine that a product may add: see tns.h. */
struct fold {
    uint32_t top;       /* first part of its stack */
    int32_t parent;     /* part whose node is the parent; -1 */
    uint32_t children;  /* that inherit */
    bool is_constant;   /* of the stack */
    bool is_similarity; /* of the stack */
    bool is_kept;
};

struct folder {
    const struct scene_part *parts;
    const struct scene_locals *locals;
    const double *times;
    uint32_t time_count;
    struct fold *folds;
    double skewed_time;
};

/* Matrix of the stack from `top` down to `part`. */
static bool path_matrix(const struct folder *folder, uint32_t part,
                        uint32_t top, double time, double m[16])
{
    matrix_identity(m);
    for (;;) {
        double local[16];
        bool inherits = true;

        if (!folder->locals->local(folder->locals->user, part, time, local,
                                   &inherits))
            return false;
        matrix_multiply(m, local, m);
        if (part == top || !inherits)
            return true;
        part = (uint32_t)folder->parts[part].parent;
    }
}

/* Is the product free of skew in all frames (one, if it is constant)? */
static bool is_square(struct folder *folder, uint32_t part, uint32_t top,
                      bool is_constant, double shear_max, bool *is_good)
{
    uint32_t count = is_constant ? 1 : folder->time_count;

    for (uint32_t i = 0; i < count; i++) {
        struct tns tns;
        double m[16];

        *is_good = path_matrix(folder, part, top, folder->times[i], m);
        if (!*is_good)
            return false;
        if (tns_split(m, &tns) > shear_max) {
            folder->skewed_time = folder->times[i];
            return false;
        }
    }
    return true;
}

/* A part that inherits at times: everything above it joins its stack. */
static enum scene_result fold_switching(struct folder *folder, uint32_t part)
{
    struct fold *fold = &folder->folds[part];
    bool is_good = true;

    while (folder->parts[fold->top].parent >= 0 &&
           folder->parts[fold->top].inherits != SCENE_STANDS_ALONE)
        fold->top = (uint32_t)folder->parts[fold->top].parent;
    fold->is_constant = false;
    fold->is_similarity = false;
    if (is_square(folder, part, fold->top, false, TNS_SHEAR_MAX, &is_good))
        return SCENE_DONE;
    return is_good ? SCENE_SKEWED : SCENE_FAILED;
}

static bool fold_into_parent(struct folder *folder, uint32_t part)
{
    struct fold *fold = &folder->folds[part];
    uint32_t above = (uint32_t)folder->parts[part].parent;
    const struct fold *parent = &folder->folds[above];
    bool is_constant = parent->is_constant && fold->is_constant;
    bool is_good = true;

    fold->parent = (int32_t)above;
    if (!parent->is_constant && parent->children != 1)
        return true;
    /* Angles that the parent keeps stay as they are. */
    if (!parent->is_similarity &&
        !is_square(folder, part, parent->top, is_constant, TNS_FOLD_SHEAR_MAX,
                   &is_good))
        return is_good;
    fold->top = parent->top;
    fold->parent = parent->parent;
    fold->is_constant = is_constant;
    fold->is_similarity = parent->is_similarity && fold->is_similarity;
    return true;
}

static enum scene_result fold_part(struct folder *folder, uint32_t part)
{
    const struct scene_part *source = &folder->parts[part];
    struct fold *fold = &folder->folds[part];

    fold->top = part;
    fold->parent = -1;
    fold->is_constant = source->is_constant;
    fold->is_similarity = source->is_similarity;
    if (source->parent < 0 || source->inherits == SCENE_STANDS_ALONE)
        return SCENE_DONE;
    if (source->inherits == SCENE_SWITCHES)
        return fold_switching(folder, part);
    return fold_into_parent(folder, part) ? SCENE_DONE : SCENE_FAILED;
}

static void make_node(const struct folder *folder, uint32_t part,
                      const int32_t *node_of, struct arena *arena,
                      struct scene_node *node)
{
    const struct fold *fold = &folder->folds[part];
    uint32_t *stack;
    uint32_t count = 1;

    for (uint32_t p = part; p != fold->top;
         p = (uint32_t)folder->parts[p].parent)
        count++;
    stack = ARENA_NEW(arena, uint32_t, count);
    for (uint32_t i = count, p = part; i-- > 0;
         p = (uint32_t)folder->parts[p].parent) {
        stack[i] = p;
        if (i == 0)
            break;
    }
    node->parent = fold->parent < 0 ? -1 : node_of[fold->parent];
    node->mesh = folder->parts[part].mesh;
    node->part = part;
    node->stack = stack;
    node->stack_count = count;
    node->is_constant = fold->is_constant;
}

enum scene_result scene_fold(const struct scene_part *parts,
                             uint32_t part_count,
                             const struct scene_locals *locals,
                             const double *times, uint32_t time_count,
                             struct arena *arena, struct scene *scene,
                             uint32_t *part, double *time)
{
    struct folder folder = {parts,
                            locals,
                            times,
                            time_count,
                            ARENA_NEW(arena, struct fold, part_count),
                            0};
    int32_t *node_of = ARENA_NEW(arena, int32_t, part_count);

    for (uint32_t i = 0; i < part_count; i++)
        if (parts[i].parent >= 0 && parts[i].inherits == SCENE_INHERITS)
            folder.folds[parts[i].parent].children++;
    for (uint32_t i = 0; i < part_count; i++) {
        enum scene_result result = fold_part(&folder, i);

        if (result != SCENE_DONE) {
            *part = i;
            *time = folder.skewed_time;
            return result;
        }
    }
    for (uint32_t i = part_count; i-- > 0;) {
        struct fold *fold = &folder.folds[i];
        fold->is_kept = fold->is_kept || parts[i].mesh >= 0;
        if (fold->is_kept && fold->parent >= 0)
            folder.folds[fold->parent].is_kept = true;
    }
    *scene = (struct scene){.parts = parts};
    scene->nodes = ARENA_NEW(arena, struct scene_node, part_count);
    for (uint32_t i = 0; i < part_count; i++) {
        if (!folder.folds[i].is_kept)
            continue;
        node_of[i] = (int32_t)scene->node_count;
        make_node(&folder, i, node_of, arena,
                  &scene->nodes[scene->node_count++]);
    }
    return SCENE_DONE;
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
