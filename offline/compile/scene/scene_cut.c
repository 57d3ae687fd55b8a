/* scene_cut.c - every way to cut, from the leaves up.
 *
 * The tree falls into regions: a part that has to start a node, and what could
 * fold into it. Within a region a part's stack is told by its top alone, and
 * the fewest bytes of a part and all that is below it are found for each top.
 * A region without a matrix that changes angles folds as far as it may: there
 * every way is as good, and no matrix is looked at.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/scene/scene_cut.h"

#include "cache/cache_wire_tables.h"

#include <string.h>

/* A part's stack with one top. */
struct choice {
    uint64_t bytes; /* at least, of it and of what is below in its region */
    bool is_constant;
    bool is_affine;
    bool is_open; /* not found to be affine yet, but could be */
    bool is_kept; /* the fewest bytes are had by a node here */
};

struct branch {
    uint32_t root;       /* of its region */
    uint32_t above;      /* a root: first part of its stack; others: itself */
    uint32_t height;     /* parts from the root to it */
    uint32_t children;   /* that inherit, and have nodes at or below them */
    int32_t first_child; /* of those */
    int32_t next_child;  /* of its parent */
    bool has_below;      /* any part, whether it inherits or not */
    bool is_constant;    /* from `above` on */
    bool is_similarity;  /* the same */
    bool is_searched;    /* a root: its region has choices */
    bool is_blinking;    /* it is seen in some frames only */
    uint32_t chosen;     /* one of the choices */
    struct choice *choices; /* for the tops from itself to the root */
};

struct cutter {
    const struct scene_part *parts;
    uint32_t count;
    const struct scene_locals *locals;
    const double *times;
    uint32_t time_count;
    struct branch *branches;
    struct scene_cut *cuts;
};

/* -- regions -- */

static bool does_inherit(const struct scene_part *part)
{
    return part->parent >= 0 && part->inherits == SCENE_INHERITS &&
           !part->is_whole;
}

/* From the leaves up. Each list is in the order of the parts. */
static void find_children(struct cutter *cutter)
{
    for (uint32_t i = 0; i < cutter->count; i++)
        cutter->branches[i].first_child = cutter->branches[i].next_child = -1;
    for (uint32_t i = cutter->count; i-- > 0;) {
        const struct scene_part *part = &cutter->parts[i];
        struct branch *branch = &cutter->branches[i];
        struct branch *above;

        if (part->parent < 0)
            continue;
        above = &cutter->branches[part->parent];
        above->has_below = true;
        if (!does_inherit(part) || (branch->has_below && branch->children == 0))
            continue;
        above->children++;
        branch->next_child = above->first_child;
        above->first_child = (int32_t)i;
    }
}

/* Does it move, and do several share it? */
static bool is_shared(const struct cutter *cutter, uint32_t part,
                      bool is_constant)
{
    return !is_constant && cutter->branches[part].children > 1;
}

static bool is_root(const struct cutter *cutter, uint32_t part)
{
    const struct scene_part *source = &cutter->parts[part];

    return !does_inherit(source) ||
           is_shared(cutter, (uint32_t)source->parent,
                     cutter->parts[source->parent].is_constant);
}

/* The stack of a root: itself; all above what inherits at times or is whole. */
static void open_root(struct cutter *cutter, uint32_t part)
{
    struct branch *branch = &cutter->branches[part];
    bool is_switching = cutter->parts[part].inherits == SCENE_SWITCHES;
    uint32_t at = part;

    branch->root = part;
    branch->height = 1;
    if (is_switching || cutter->parts[part].is_whole)
        while (cutter->parts[at].parent >= 0 &&
               cutter->parts[at].inherits != SCENE_STANDS_ALONE) {
            at = (uint32_t)cutter->parts[at].parent;
            branch->is_constant =
                branch->is_constant && cutter->parts[at].is_constant;
            branch->is_similarity =
                branch->is_similarity && cutter->parts[at].is_similarity;
            is_switching =
                is_switching || cutter->parts[at].inherits == SCENE_SWITCHES;
        }
    branch->is_constant = branch->is_constant && !is_switching;
    branch->above = at;
    branch->is_searched =
        !branch->is_similarity || cutter->parts[part].is_matrix;
}

static void find_regions(struct cutter *cutter)
{
    for (uint32_t i = 0; i < cutter->count; i++) {
        struct branch *branch = &cutter->branches[i];
        const struct branch *parent;

        branch->above = i;
        branch->is_constant = cutter->parts[i].is_constant;
        branch->is_similarity = cutter->parts[i].is_similarity;
        if (is_root(cutter, i)) {
            open_root(cutter, i);
            continue;
        }
        parent = &cutter->branches[cutter->parts[i].parent];
        branch->root = parent->root;
        branch->height = parent->height + 1;
        if (!branch->is_similarity || cutter->parts[i].is_matrix)
            cutter->branches[branch->root].is_searched = true;
    }
}

static bool is_searched(const struct cutter *cutter, uint32_t part)
{
    return cutter->branches[cutter->branches[part].root].is_searched;
}

/* Every top of a part: does its stack change, and may it be skewed? Angles
 * that all above keep stay as they are in the part. */
static void open_choices(struct cutter *cutter, uint32_t part,
                         struct arena *arena)
{
    struct branch *branch = &cutter->branches[part];
    bool is_constant = true;
    bool is_similarity = true; /* of what is above the part */
    uint32_t at = part;

    branch->choices = ARENA_NEW(arena, struct choice, branch->height);
    for (uint32_t i = 0; i < branch->height; i++) {
        const struct branch *top = &cutter->branches[at];
        struct choice *choice = &branch->choices[i];

        is_constant = is_constant && top->is_constant;
        if (at != part || top->above != part)
            is_similarity = is_similarity && top->is_similarity;
        choice->is_constant = is_constant;
        choice->is_affine = cutter->parts[part].is_matrix ||
                            (is_similarity && cutter->parts[part].is_skewed);
        choice->is_open = !is_similarity && !choice->is_affine;
        at = (uint32_t)cutter->parts[at].parent;
    }
}

/* -- skew -- */

/* Matrix of the stack from `above` down to `part`. */
static bool path_matrix(const struct cutter *cutter, uint32_t part,
                        uint32_t above, double time, double m[16])
{
    matrix_identity(m);
    for (;;) {
        double local[16];
        bool inherits = true;

        if (!cutter->locals->local(cutter->locals->user, part, time, local,
                                   &inherits))
            return false;
        matrix_multiply(m, local, m);
        if (part == above || !inherits)
            return true;
        part = (uint32_t)cutter->parts[part].parent;
    }
}

/* Tops of a part that are still to be validated at a time, and those below. */
static uint32_t count_open(const struct branch *branch, bool is_first)
{
    uint32_t count = branch->height;

    while (count > 0 &&
           !(branch->choices[count - 1].is_open &&
             (is_first || !branch->choices[count - 1].is_constant)))
        count--;
    return count;
}

static void validate_part(struct cutter *cutter, uint32_t part, bool is_first,
                          double (*matrices)[16])
{
    struct branch *branch = &cutter->branches[part];
    uint32_t count = count_open(branch, is_first);
    uint32_t at = part;
    double m[16];

    matrix_identity(m);
    for (uint32_t i = 0; i < count; i++) {
        struct choice *choice = &branch->choices[i];
        struct tns tns;

        matrix_multiply(m, matrices[at], m);
        at = (uint32_t)cutter->parts[at].parent;
        if (!choice->is_open || tns_split(m, &tns) <= TNS_SHEAR_MAX)
            continue;
        choice->is_affine = true;
        choice->is_open = false;
    }
}

static bool validate_frame(struct cutter *cutter, uint32_t frame,
                           double (*matrices)[16])
{
    for (uint32_t i = 0; i < cutter->count; i++) {
        const struct branch *branch = &cutter->branches[i];

        if (!is_searched(cutter, i))
            continue;
        if ((frame == 0 || !branch->is_constant) &&
            !path_matrix(cutter, i, branch->above, cutter->times[frame],
                         matrices[i]))
            return false;
        validate_part(cutter, i, frame == 0, matrices);
    }
    return true;
}

/* What is seen in some frames only has a row in all of them. */
static bool find_blinking(struct cutter *cutter, uint32_t part)
{
    bool first = true;

    for (uint32_t t = 0; t < cutter->time_count; t++) {
        bool is_seen;

        if (!cutter->locals->is_seen(cutter->locals->user, part,
                                     cutter->times[t], &is_seen))
            return false;
        if (t == 0)
            first = is_seen;
        if (is_seen != first)
            cutter->branches[part].is_blinking = true;
    }
    return true;
}

static bool validate_regions(struct cutter *cutter, struct arena *arena)
{
    double(*matrices)[16] = NULL;

    for (uint32_t i = 0; i < cutter->count; i++) {
        if (!is_searched(cutter, i))
            continue;
        if (!matrices)
            matrices = arena_alloc(arena, cutter->count, sizeof *matrices);
        open_choices(cutter, i, arena);
        if (cutter->locals->is_seen && !find_blinking(cutter, i))
            return false;
    }
    for (uint32_t t = 0; matrices && t < cutter->time_count; t++)
        if (!validate_frame(cutter, t, matrices))
            return false;
    return true;
}

/* -- bytes -- */

static uint64_t node_bytes(const struct cutter *cutter, uint32_t part,
                           const struct choice *choice)
{
    uint64_t row =
        choice->is_affine ? WIRE_AFFINE_ROW_BYTES : WIRE_NODE_ROW_BYTES;
    bool has_rows = !choice->is_constant || cutter->branches[part].is_blinking;

    return sizeof(struct wire_node) + strlen(cutter->parts[part].path) + 1 +
           (has_rows ? row * cutter->time_count : 0);
}

static void choose(struct cutter *cutter, uint32_t part)
{
    struct branch *branch = &cutter->branches[part];

    for (uint32_t i = 0; i < branch->height; i++) {
        struct choice *choice = &branch->choices[i];
        uint64_t kept = node_bytes(cutter, part, choice);
        uint64_t folded = 0;
        bool is_shared_here = is_shared(cutter, part, choice->is_constant);

        /* What is shared by its own motion ends a region. */
        for (int32_t c = branch->first_child;
             c >= 0 && cutter->branches[c].root == branch->root;
             c = cutter->branches[c].next_child) {
            const struct choice *below = cutter->branches[c].choices;
            uint64_t apart = below[0].bytes;
            uint64_t with = below[i + 1].bytes;

            kept += with < apart && !is_shared_here ? with : apart;
            folded += with;
        }
        choice->is_kept = !branch->has_below || is_shared_here || kept < folded;
        choice->bytes = choice->is_kept ? kept : folded;
    }
}

/* -- cuts -- */

/* Does the part start a node below that of its parent? */
static bool is_cut_above(const struct cutter *cutter, uint32_t part)
{
    uint32_t parent = (uint32_t)cutter->parts[part].parent;
    const struct branch *above = &cutter->branches[parent];
    const struct choice *choices = cutter->branches[part].choices;

    if (is_shared(cutter, parent, cutter->cuts[parent].is_constant))
        return true;
    return choices && above->choices[above->chosen].is_kept &&
           choices[0].bytes < choices[above->chosen + 1].bytes;
}

static void cut_part(struct cutter *cutter, uint32_t part)
{
    struct branch *branch = &cutter->branches[part];
    struct scene_cut *cut = &cutter->cuts[part];
    int32_t parent = cutter->parts[part].parent;
    bool is_start = branch->root == part || is_cut_above(cutter, part);

    if (is_start) {
        cut->top = branch->above;
        cut->parent = does_inherit(&cutter->parts[part]) ? parent : -1;
        cut->is_constant = branch->is_constant;
    } else {
        *cut = cutter->cuts[parent];
        cut->is_constant = cut->is_constant && branch->is_constant;
        branch->chosen = cutter->branches[parent].chosen + 1;
    }
    cut->is_affine =
        branch->choices && branch->choices[branch->chosen].is_affine;
}

/* Nodes are the ends of the tree, and the parents of nodes. */
static void keep_nodes(struct cutter *cutter)
{
    for (uint32_t i = cutter->count; i-- > 0;) {
        struct scene_cut *cut = &cutter->cuts[i];

        cut->is_kept = cut->is_kept || !cutter->branches[i].has_below;
        if (cut->is_kept && cut->parent >= 0)
            cutter->cuts[cut->parent].is_kept = true;
    }
}

bool scene_cut(const struct scene_part *parts, uint32_t part_count,
               const struct scene_locals *locals, const double *times,
               uint32_t time_count, struct arena *arena, struct scene_cut *cuts)
{
    struct cutter cutter = {.parts = parts,
                            .count = part_count,
                            .locals = locals,
                            .times = times,
                            .time_count = time_count,
                            .cuts = cuts};

    cutter.branches = ARENA_NEW(arena, struct branch, part_count);
    find_children(&cutter);
    find_regions(&cutter);
    if (!validate_regions(&cutter, arena))
        return false;
    for (uint32_t i = part_count; i-- > 0;)
        if (is_searched(&cutter, i))
            choose(&cutter, i);
    for (uint32_t i = 0; i < part_count; i++)
        cut_part(&cutter, i);
    keep_nodes(&cutter);
    return true;
}
