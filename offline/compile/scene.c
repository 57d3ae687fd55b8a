/* scene.c - one walk down the tree, parents first.
 *
 * A stack is always a path of the tree, from its top part down to its own,
 * so a part's fold is told by its top alone. The walk is greedy: a parent has
 * folded as far as it could before its children ask.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/scene.h"

#include "geom/cache_wire.h"

enum skew { SKEW_UNKNOWN, SKEW_NONE, SKEW_THERE };

/* What becomes of a parent whose product with a child is skewed. */
enum plan { PLAN_OPEN, PLAN_KEEP, PLAN_MATRICES };

struct fold {
    uint32_t top;        /* first part of its stack */
    int32_t parent;      /* part whose node is the parent; -1 */
    uint32_t children;   /* that inherit */
    int32_t first_child; /* of those */
    int32_t next_child;  /* of its parent */
    uint32_t nodes;      /* that it and what is below it will be, if its own
                          * stack starts with it */
    uint32_t moving;     /* of those */
    enum skew skew;      /* of its matrix times its parent's stack */
    enum plan plan;
    bool is_constant;   /* of the stack */
    bool is_similarity; /* of the stack */
    bool is_affine;     /* of the stack */
    bool has_below;     /* any part, whether it inherits or not */
    bool is_kept;
};

struct folder {
    const struct scene_part *parts;
    uint32_t part_count;
    const struct scene_locals *locals;
    const double *times;
    uint32_t time_count;
    struct fold *folds;
};

/* ---- products ------------------------------------------------------------ */

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

/* Is the product skewed in any frame (in one, if it is constant)? */
static bool find_skew(const struct folder *folder, uint32_t part, uint32_t top,
                      bool is_constant, enum skew *skew)
{
    uint32_t count = is_constant ? 1 : folder->time_count;

    *skew = SKEW_NONE;
    for (uint32_t i = 0; i < count && *skew == SKEW_NONE; i++) {
        struct tns tns;
        double m[16];

        if (!path_matrix(folder, part, top, folder->times[i], m))
            return false;
        if (tns_split(m, &tns) > TNS_SHEAR_MAX)
            *skew = SKEW_THERE;
    }
    return true;
}

/* ---- which is smaller? --------------------------------------------------- */

/* Bytes of nodes, `moving` of them with a row in every frame. */
static uint64_t node_bytes(const struct folder *folder, uint64_t nodes,
                           uint64_t moving, bool is_affine)
{
    uint64_t row = is_affine ? WIRE_AFFINE_ROW_BYTES : WIRE_NODE_ROW_BYTES;

    return nodes * sizeof(struct wire_node) + moving * row * folder->time_count;
}

/* Children that inherit, and the nodes that will be below each part: all
 * ends, which are the meshes where there are any, and what moves and has
 * several children. */
static void count_nodes(struct folder *folder)
{
    for (uint32_t i = 0; i < folder->part_count; i++)
        folder->folds[i].first_child = folder->folds[i].next_child = -1;
    for (uint32_t i = folder->part_count; i-- > 0;) {
        const struct scene_part *part = &folder->parts[i];
        struct fold *fold = &folder->folds[i];
        struct fold *above;

        if (!fold->has_below) {
            fold->nodes = 1;
            fold->moving = !part->is_constant;
        } else if (!part->is_constant) {
            fold->nodes = fold->children == 1 ? fold->nodes : 1;
            fold->moving = fold->nodes;
        }
        if (part->parent < 0)
            continue;
        above = &folder->folds[part->parent];
        above->has_below = true;
        if (part->inherits != SCENE_INHERITS)
            continue;
        above->children++;
        above->nodes += fold->nodes;
        above->moving += fold->moving;
        fold->next_child = above->first_child;
        above->first_child = (int32_t)i;
    }
}

/* Shall the parent stay a node, or shall the nodes of all children whose
 * product with it is skewed hold matrices? */
static bool plan_parent(struct folder *folder, uint32_t above)
{
    struct fold *parent = &folder->folds[above];
    bool moves = !parent->is_constant;
    uint64_t keep = node_bytes(folder, 1, moves, parent->is_affine);
    uint64_t matrices = 0;

    for (int32_t c = parent->first_child; c >= 0;
         c = folder->folds[c].next_child) {
        const struct scene_part *part = &folder->parts[c];
        struct fold *child = &folder->folds[c];

        if (child->skew == SKEW_UNKNOWN &&
            !find_skew(folder, (uint32_t)c, parent->top,
                       parent->is_constant && part->is_constant, &child->skew))
            return false;
        if (child->skew == SKEW_NONE)
            continue;
        keep +=
            node_bytes(folder, child->nodes, child->moving, part->is_skewed);
        matrices += node_bytes(folder, child->nodes,
                               moves ? child->nodes : child->moving, true);
    }
    parent->plan = matrices <= keep ? PLAN_MATRICES : PLAN_KEEP;
    return true;
}

/* ---- folds --------------------------------------------------------------- */

/* A part that inherits at times: everything above it joins its stack. */
static bool fold_switching(struct folder *folder, uint32_t part)
{
    struct fold *fold = &folder->folds[part];

    while (folder->parts[fold->top].parent >= 0 &&
           folder->parts[fold->top].inherits != SCENE_STANDS_ALONE)
        fold->top = (uint32_t)folder->parts[fold->top].parent;
    fold->is_constant = false;
    fold->is_similarity = false;
    if (!find_skew(folder, part, fold->top, false, &fold->skew))
        return false;
    fold->is_affine = fold->skew == SKEW_THERE;
    return true;
}

static bool fold_into_parent(struct folder *folder, uint32_t part)
{
    struct fold *fold = &folder->folds[part];
    uint32_t above = (uint32_t)folder->parts[part].parent;
    struct fold *parent = &folder->folds[above];
    bool is_constant = parent->is_constant && fold->is_constant;

    fold->parent = (int32_t)above;
    if (!parent->is_constant && parent->children != 1)
        return true;
    /* Angles that the parent keeps stay as they are. */
    if (parent->is_similarity) {
        fold->skew = fold->is_affine ? SKEW_THERE : SKEW_NONE;
    } else {
        if (fold->skew == SKEW_UNKNOWN &&
            !find_skew(folder, part, parent->top, is_constant, &fold->skew))
            return false;
        if (fold->skew == SKEW_THERE && parent->plan == PLAN_OPEN &&
            !plan_parent(folder, above))
            return false;
        if (fold->skew == SKEW_THERE && parent->plan == PLAN_KEEP)
            return true;
    }
    fold->top = parent->top;
    fold->parent = parent->parent;
    fold->is_constant = is_constant;
    fold->is_similarity = parent->is_similarity && fold->is_similarity;
    fold->is_affine = fold->skew == SKEW_THERE;
    return true;
}

static bool fold_part(struct folder *folder, uint32_t part)
{
    const struct scene_part *source = &folder->parts[part];
    struct fold *fold = &folder->folds[part];

    fold->top = part;
    fold->parent = -1;
    fold->is_constant = source->is_constant;
    fold->is_similarity = source->is_similarity;
    fold->is_affine = source->is_skewed;
    if (source->parent < 0 || source->inherits == SCENE_STANDS_ALONE)
        return true;
    if (source->inherits == SCENE_SWITCHES)
        return fold_switching(folder, part);
    return fold_into_parent(folder, part);
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
    node->is_affine = fold->is_affine;
}

bool scene_fold(const struct scene_part *parts, uint32_t part_count,
                const struct scene_locals *locals, const double *times,
                uint32_t time_count, struct arena *arena, struct scene *scene)
{
    struct folder folder = {
        parts, part_count, locals,
        times, time_count, ARENA_NEW(arena, struct fold, part_count)};
    int32_t *node_of = ARENA_NEW(arena, int32_t, part_count);

    count_nodes(&folder);
    for (uint32_t i = 0; i < part_count; i++)
        if (!fold_part(&folder, i))
            return false;
    for (uint32_t i = part_count; i-- > 0;) {
        struct fold *fold = &folder.folds[i];
        fold->is_kept = fold->is_kept || !fold->has_below;
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
