/* scene_cut.c - dynamic programming over the tree of parts, from the leaves up.
 *
 * The required cuts divide the tree into regions. The root of a region starts a
 * stack; the other parts of the region may join it. Within a region the stack
 * of a part is determined by its top, a part between the root and the part
 * itself. For each part and each top (a choice) the fewest bytes of the part
 * and of everything below it in the region are computed from the choices of its
 * children. Then the best choices are followed from the root down.
 *
 * In a region where all matrices preserve angles no product has shear: the
 * parts are folded as far as possible without a search.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/scene/scene_cut.h"

#include "cache/cache_wire_tables.h"

#include <string.h>

/* A part with one top of its stack. */
struct choice {
    uint64_t bytes;    /* fewest bytes of the part and its region below */
    bool is_constant;  /* of the product of the stack */
    bool is_affine;    /* the product has shear in a frame seen so far */
    bool is_undecided; /* a later frame may make it affine */
    bool is_node;      /* `bytes` are reached with a node here */
};

struct branch {
    uint32_t root;       /* part; root of the region */
    uint32_t above;      /* of a root: first part of its stack, which may be an
                          * ancestor; of other parts: the part itself */
    uint32_t height;     /* parts from the root to this one; root: 1 */
    uint32_t children;   /* children that inherit, and have or become nodes */
    int32_t first_child; /* list of these; -1: end */
    int32_t next_child;  /* in the list of the parent */
    bool has_below;      /* has any child */
    bool is_constant;    /* the product from `above` to the part */
    bool is_similarity;  /* of the same product */
    bool is_searched;    /* of a root: its region has choices */
    bool is_flickering;  /* visible in some frames only */
    uint32_t chosen;     /* index of the best choice */
    struct choice *choices; /* `height` tops, from the part itself to the root
                             */
};

struct cutter {
    const struct scene_part *parts;
    uint32_t count;
    const struct scene_source *source;
    const double *times;
    uint32_t time_count;
    struct branch *branches;
    struct scene_cut *cuts;
};

/* -- regions -- */

/* Does the part have a node whose parent is its parent's node? */
static bool does_inherit(const struct scene_part *part)
{
    return part->parent >= 0 && part->inherits == SCENE_INHERITS_ALWAYS &&
           !part->is_detached;
}

/* Build the lists of children, each in the order of the parts. */
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

/* Does a moving stack that ends at the part have several children? Then it must
 * be a node. */
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

/* Begin a region at its root. If the root inherits sometimes or is detached,
 * its stack includes all ancestors up to one that never inherits. */
static void open_root(struct cutter *cutter, uint32_t part)
{
    struct branch *branch = &cutter->branches[part];
    bool is_inconstant =
        cutter->parts[part].inherits == SCENE_INHERITS_SOMETIMES;
    uint32_t at = part;

    branch->root = part;
    branch->height = 1;
    if (is_inconstant || cutter->parts[part].is_detached)
        while (cutter->parts[at].parent >= 0 &&
               cutter->parts[at].inherits != SCENE_INHERITS_NEVER) {
            at = (uint32_t)cutter->parts[at].parent;
            branch->is_constant =
                branch->is_constant && cutter->parts[at].is_constant;
            branch->is_similarity =
                branch->is_similarity && cutter->parts[at].is_similarity;
            is_inconstant = is_inconstant || cutter->parts[at].inherits ==
                                                 SCENE_INHERITS_SOMETIMES;
        }
    branch->is_constant = branch->is_constant && !is_inconstant;
    branch->above = at;
    branch->is_searched =
        !branch->is_similarity || cutter->parts[part].is_forced_affine;
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
        if (!branch->is_similarity || cutter->parts[i].is_forced_affine)
            cutter->branches[branch->root].is_searched = true;
    }
}

static bool is_searched(const struct cutter *cutter, uint32_t part)
{
    return cutter->branches[cutter->branches[part].root].is_searched;
}

/* Set up the choices of a part, and decide those that need no product: if all
 * parts of the stack above this one preserve angles, the product has shear when
 * the part's own matrix has. */
static void open_choices(struct cutter *cutter, uint32_t part,
                         struct arena *arena)
{
    struct branch *branch = &cutter->branches[part];
    bool is_constant = true;
    bool is_similarity = true; /* of the product above the part */
    uint32_t at = part;

    branch->choices = ARENA_NEW(arena, struct choice, branch->height);
    for (uint32_t i = 0; i < branch->height; i++) {
        const struct branch *top = &cutter->branches[at];
        struct choice *choice = &branch->choices[i];

        is_constant = is_constant && top->is_constant;
        if (at != part || top->above != part)
            is_similarity = is_similarity && top->is_similarity;
        choice->is_constant = is_constant;
        choice->is_affine = cutter->parts[part].is_forced_affine ||
                            (is_similarity && cutter->parts[part].is_skewed);
        choice->is_undecided = !is_similarity && !choice->is_affine;
        at = (uint32_t)cutter->parts[at].parent;
    }
}

/* -- skew -- */

/* The product of the matrices from `above` down to `part`. */
static bool path_matrix(const struct cutter *cutter, uint32_t part,
                        uint32_t above, double time, double m[16])
{
    matrix_identity(m);
    for (;;) {
        double local[16];
        bool inherits = true;

        if (!cutter->source->matrix(cutter->source->user, part, time, local,
                                    &inherits))
            return false;
        matrix_multiply(m, local, m);
        if (part == above || !inherits)
            return true;
        part = (uint32_t)cutter->parts[part].parent;
    }
}

/* Number of choices to compute in a frame: up to the last one that is undecided
 * and changes. */
static uint32_t count_undecided(const struct branch *branch, bool is_first)
{
    uint32_t count = branch->height;

    while (count > 0 &&
           !(branch->choices[count - 1].is_undecided &&
             (is_first || !branch->choices[count - 1].is_constant)))
        count--;
    return count;
}

static void decide_part(struct cutter *cutter, uint32_t part, bool is_first,
                        double (*matrices)[16])
{
    struct branch *branch = &cutter->branches[part];
    uint32_t count = count_undecided(branch, is_first);
    uint32_t at = part;
    double m[16];

    matrix_identity(m);
    for (uint32_t i = 0; i < count; i++) {
        struct choice *choice = &branch->choices[i];
        struct tns tns;

        matrix_multiply(m, matrices[at], m);
        at = (uint32_t)cutter->parts[at].parent;
        if (!choice->is_undecided || tns_split(m, &tns) <= TNS_SHEAR_MAX)
            continue;
        choice->is_affine = true;
        choice->is_undecided = false;
    }
}

static bool decide_frame(struct cutter *cutter, uint32_t frame,
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
        decide_part(cutter, i, frame == 0, matrices);
    }
    return true;
}

/* A node that is visible in some frames only has a row in every frame. */
static bool find_flickering(struct cutter *cutter, uint32_t part)
{
    bool first = true;

    for (uint32_t t = 0; t < cutter->time_count; t++) {
        bool is_visible;

        if (!cutter->source->is_visible(cutter->source->user, part,
                                        cutter->times[t], &is_visible))
            return false;
        if (t == 0)
            first = is_visible;
        if (is_visible != first)
            cutter->branches[part].is_flickering = true;
    }
    return true;
}

static bool decide_regions(struct cutter *cutter, struct arena *arena)
{
    double(*matrices)[16] = NULL;

    for (uint32_t i = 0; i < cutter->count; i++) {
        if (!is_searched(cutter, i))
            continue;
        if (!matrices)
            matrices = arena_alloc(arena, cutter->count, sizeof *matrices);
        open_choices(cutter, i, arena);
        if (cutter->source->is_visible && !find_flickering(cutter, i))
            return false;
    }
    for (uint32_t t = 0; matrices && t < cutter->time_count; t++)
        if (!decide_frame(cutter, t, matrices))
            return false;
    return true;
}

/* -- bytes -- */

static uint64_t node_bytes(const struct cutter *cutter, uint32_t part,
                           const struct choice *choice)
{
    uint64_t row =
        choice->is_affine ? WIRE_AFFINE_ROW_BYTES : WIRE_NODE_ROW_BYTES;
    bool has_rows =
        !choice->is_constant || cutter->branches[part].is_flickering;

    return sizeof(struct wire_node) + strlen(cutter->parts[part].path) + 1 +
           (has_rows ? row * cutter->time_count : 0);
}

static void choose(struct cutter *cutter, uint32_t part)
{
    struct branch *branch = &cutter->branches[part];

    for (uint32_t i = 0; i < branch->height; i++) {
        struct choice *choice = &branch->choices[i];
        uint64_t as_node = node_bytes(cutter, part, choice);
        uint64_t folded = 0;
        bool is_shared_here = is_shared(cutter, part, choice->is_constant);

        /* Below a part that is shared because it moves by itself, new regions
         * begin. */
        for (int32_t c = branch->first_child;
             c >= 0 && cutter->branches[c].root == branch->root;
             c = cutter->branches[c].next_child) {
            const struct choice *below = cutter->branches[c].choices;
            uint64_t apart = below[0].bytes;
            uint64_t with = below[i + 1].bytes;

            as_node += with < apart && !is_shared_here ? with : apart;
            folded += with;
        }
        choice->is_node =
            !branch->has_below || is_shared_here || as_node < folded;
        choice->bytes = choice->is_node ? as_node : folded;
    }
}

/* -- cuts -- */

/* Does the part start a new stack? */
static bool is_cut_above(const struct cutter *cutter, uint32_t part)
{
    uint32_t parent = (uint32_t)cutter->parts[part].parent;
    const struct branch *above = &cutter->branches[parent];
    const struct choice *choices = cutter->branches[part].choices;

    if (is_shared(cutter, parent, cutter->cuts[parent].is_constant))
        return true;
    return choices && above->choices[above->chosen].is_node &&
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

/* Nodes are the leaves of the tree, and the parents of nodes. */
static void mark_nodes(struct cutter *cutter)
{
    for (uint32_t i = cutter->count; i-- > 0;) {
        struct scene_cut *cut = &cutter->cuts[i];

        cut->is_node = cut->is_node || !cutter->branches[i].has_below;
        if (cut->is_node && cut->parent >= 0)
            cutter->cuts[cut->parent].is_node = true;
    }
}

bool scene_cut(const struct scene_part *parts, uint32_t part_count,
               const struct scene_source *source, const double *times,
               uint32_t time_count, struct arena *arena, struct scene_cut *cuts)
{
    struct cutter cutter = {.parts = parts,
                            .count = part_count,
                            .source = source,
                            .times = times,
                            .time_count = time_count,
                            .cuts = cuts};

    cutter.branches = ARENA_NEW(arena, struct branch, part_count);
    find_children(&cutter);
    find_regions(&cutter);
    if (!decide_regions(&cutter, arena))
        return false;
    for (uint32_t i = part_count; i-- > 0;)
        if (is_searched(&cutter, i))
            choose(&cutter, i);
    for (uint32_t i = 0; i < part_count; i++)
        cut_part(&cutter, i);
    mark_nodes(&cutter);
    return true;
}
