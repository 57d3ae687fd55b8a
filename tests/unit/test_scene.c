/* test_scene.c
 *
 * Goal: folding changes the number of nodes, never the position of a mesh; no
 *   other set of cuts takes fewer bytes; and matrices that are split into
 *   rotation, translation and scale can be joined again.
 * Method: trees by hand and at random, with matrices that are functions of
 *   time. World matrices through the nodes are compared with the product along
 *   the tree. All sets of cuts of a small tree are tried.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "cache/cache_wire_tables.h"
#include "compile/math/arith.h"
#include "compile/scene/scene.h"

#include <math.h>
#include <string.h>

enum { PARTS_MAX = 40, TIMES = 10 };
static const double times[TIMES] = {0,   0.1, 0.2, 0.25, 0.5,
                                    0.6, 0.7, 0.8, 0.9,  1};

enum motion {
    STILL,
    TURNS,
    STRETCHES,
    STILL_STRETCHED,
    STILL_TURNED,
    MIRRORED,
    SKEWED,
    VANISHES
};

struct tree {
    uint32_t count;
    struct scene_part parts[PARTS_MAX];
    enum motion motion[PARTS_MAX];
    bool is_flickering[PARTS_MAX];
    uint32_t time_count;
};

static void rotation(double angle, double m[16])
{
    matrix_identity(m);
    m[0] = cos(angle);
    m[1] = sin(angle);
    m[4] = -sin(angle);
    m[5] = cos(angle);
}

static bool local(const void *user, uint32_t part, double time, double m[16],
                  bool *inherits)
{
    const struct tree *tree = user;

    matrix_identity(m);
    switch (tree->motion[part]) {
    case STILL:
        break;
    case TURNS:
        rotation(time * (1 + part % 3), m);
        break;
    case STRETCHES:
        m[0] = 1 + time;
        break;
    case STILL_STRETCHED:
        m[5] = 3;
        break;
    case STILL_TURNED:
        rotation(0.7, m);
        break;
    case MIRRORED:
        m[10] = -1;
        break;
    case SKEWED:
        m[4] = 0.5;
        break;
    case VANISHES:
        m[0] = m[5] = m[10] = time < 0.3 ? 0 : -time;
        break;
    }
    m[12] = part;
    m[13] = time * (tree->motion[part] == TURNS);
    *inherits =
        tree->parts[part].inherits == SCENE_INHERITS_ALWAYS ||
        (tree->parts[part].inherits == SCENE_INHERITS_SOMETIMES && time < 0.5);
    return true;
}

static bool is_visible(const void *user, uint32_t part, double time,
                       bool *answer)
{
    const struct tree *tree = user;

    *answer = !tree->is_flickering[part] || time < 0.05;
    return true;
}

static uint32_t add(struct tree *tree, int32_t parent, enum motion motion,
                    int32_t mesh)
{
    uint32_t part = tree->count++;

    tree->parts[part] = (struct scene_part){
        "/p",
        parent,
        mesh,
        SCENE_INHERITS_ALWAYS,
        motion != TURNS && motion != STRETCHES && motion != VANISHES,
        motion != STRETCHES && motion != STILL_STRETCHED && motion != SKEWED &&
            motion != VANISHES,
        motion == SKEWED,
        false,
        false};
    tree->motion[part] = motion;
    return part;
}

/* World matrix by the tree itself. */
static void tree_world(struct tree *tree, uint32_t part, double time,
                       double m[16])
{
    matrix_identity(m);
    for (int32_t p = (int32_t)part; p >= 0; p = tree->parts[p].parent) {
        double step[16];
        bool inherits;

        local(tree, (uint32_t)p, time, step, &inherits);
        matrix_multiply(m, step, m);
        if (!inherits)
            return;
    }
}

/* Fold, and compare every mesh node at every time. */
static void check_fold(struct tree *tree, struct scene *scene,
                       struct arena *arena)
{
    struct scene_source source = {local, is_visible, tree};
    uint32_t mesh_nodes = 0;
    uint32_t meshes = 0;

    CHECK(scene_fold(tree->parts, tree->count, &source, times, tree->time_count,
                     arena, scene));
    for (uint32_t i = 0; i < tree->count; i++)
        meshes += tree->parts[i].mesh >= 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        CHECK(scene->nodes[i].parent < (int32_t)i);
        mesh_nodes += scene->nodes[i].mesh >= 0;
        for (uint32_t t = 0; t < tree->time_count; t++) {
            double world[16];
            double wanted[16];

            matrix_identity(world);
            for (int32_t n = (int32_t)i; n >= 0; n = scene->nodes[n].parent) {
                double step[16];
                struct tns tns;

                CHECK(scene_node_matrix(&scene->nodes[n], &source, times[t],
                                        step));
                if (!scene->nodes[n].is_affine) {
                    CHECK(tns_split(step, &tns) <= TNS_SHEAR_MAX);
                    tns_matrix(&tns, step);
                }
                matrix_multiply(world, step, world);
            }
            tree_world(tree, scene->nodes[i].part, times[t], wanted);
            for (int k = 0; k < 16; k++)
                CHECK_NEAR(world[k], wanted[k], 1e-6);
        }
    }
    CHECK_EQ(mesh_nodes, meshes);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const struct scene_part *part = &tree->parts[scene->nodes[i].part];

        CHECK(!part->is_forced_affine || scene->nodes[i].is_affine);
        CHECK(!part->is_detached || scene->nodes[i].parent < 0);
    }
}

static void chains_become_one_node(void)
{
    struct tree tree = {.time_count = TIMES};
    struct scene scene;
    struct arena arena;

    arena_init(&arena);
    add(&tree, -1, TURNS, -1);
    add(&tree, 0, STILL_TURNED, -1);
    add(&tree, 1, TURNS, -1);
    add(&tree, 2, MIRRORED, -1);
    add(&tree, 3, STILL, 0);
    check_fold(&tree, &scene, &arena);
    CHECK_EQ(scene.node_count, 1);
    CHECK_EQ(scene.nodes[0].stack_count, 5);
    CHECK_EQ(scene.nodes[0].mesh, 0);
    CHECK(!scene.nodes[0].is_constant);
    arena_free(&arena);
}

static void constants_fold_into_all_children(void)
{
    struct tree tree = {.time_count = TIMES};
    struct scene scene;
    struct arena arena;

    arena_init(&arena);
    add(&tree, -1, STILL_TURNED, -1);
    add(&tree, 0, TURNS, -1);
    add(&tree, 1, STILL, 0);
    add(&tree, 1, STILL, 1);
    add(&tree, 0, STILL, 2);
    check_fold(&tree, &scene, &arena);
    /* The moving one with two meshes stays. */
    CHECK_EQ(scene.node_count, 4);
    CHECK_EQ(scene.nodes[0].mesh, -1);
    CHECK_EQ(scene.nodes[1].parent, 0);
    CHECK_EQ(scene.nodes[2].parent, 0);
    CHECK_EQ(scene.nodes[3].parent, -1);
    CHECK(scene.nodes[1].is_constant);
    CHECK(scene.nodes[3].is_constant);
    arena_free(&arena);
}

/* Eight more bytes in each frame, or one more node. */
static void skewed_products_take_what_is_smaller(void)
{
    struct tree tree = {.time_count = TIMES};
    struct scene scene;
    struct arena arena;

    arena_init(&arena);
    add(&tree, -1, STILL_STRETCHED, -1);
    add(&tree, 0, TURNS, -1);
    add(&tree, 1, STILL, 0);
    check_fold(&tree, &scene, &arena);
    CHECK_EQ(scene.node_count, 2);
    CHECK_EQ(scene.nodes[0].mesh, -1);
    CHECK_EQ(scene.nodes[1].parent, 0);
    CHECK_EQ(scene.nodes[1].stack_count, 2);
    CHECK(!scene.nodes[0].is_affine && !scene.nodes[1].is_affine);
    tree.time_count = 7;
    check_fold(&tree, &scene, &arena);
    CHECK_EQ(scene.node_count, 1);
    CHECK_EQ(scene.nodes[0].stack_count, 3);
    CHECK(scene.nodes[0].is_affine);
    /* With a second child the node is shared: 16 bytes in each frame against
     * one node. */
    add(&tree, 0, TURNS, -1);
    add(&tree, 3, STILL, 1);
    check_fold(&tree, &scene, &arena);
    CHECK_EQ(scene.node_count, 3);
    tree.time_count = 3;
    check_fold(&tree, &scene, &arena);
    CHECK_EQ(scene.node_count, 2);
    CHECK(scene.nodes[0].is_affine && scene.nodes[1].is_affine);
    arena_free(&arena);
}

static void a_skewed_matrix_is_a_matrix(void)
{
    struct tree tree = {.time_count = TIMES};
    struct scene scene;
    struct arena arena;

    arena_init(&arena);
    add(&tree, -1, TURNS, -1);
    add(&tree, 0, SKEWED, -1);
    add(&tree, 1, STILL, 0);
    add(&tree, 0, STILL, 1);
    check_fold(&tree, &scene, &arena);
    CHECK_EQ(scene.node_count, 3);
    CHECK(!scene.nodes[0].is_affine);
    CHECK(scene.nodes[1].is_affine);
    CHECK(scene.nodes[1].is_constant);
    CHECK(!scene.nodes[2].is_affine);
    arena_free(&arena);
}

static void skew_in_a_later_frame_is_found(void)
{
    struct tree tree = {.time_count = TIMES};
    struct scene scene;
    struct arena arena;

    /* At time 0 nothing is stretched. */
    arena_init(&arena);
    add(&tree, -1, STRETCHES, -1);
    add(&tree, 0, STILL_TURNED, -1);
    add(&tree, 1, STILL, 0);
    check_fold(&tree, &scene, &arena);
    CHECK_EQ(scene.node_count, 2);
    tree.time_count = 7;
    check_fold(&tree, &scene, &arena);
    CHECK_EQ(scene.node_count, 1);
    CHECK(scene.nodes[0].is_affine);
    arena_free(&arena);
}

static void transforms_that_do_not_inherit_are_roots(void)
{
    struct tree tree = {.time_count = TIMES};
    struct scene scene;
    struct arena arena;

    arena_init(&arena);
    add(&tree, -1, TURNS, -1);
    add(&tree, 0, TURNS, -1);
    tree.parts[1].inherits = SCENE_INHERITS_NEVER;
    add(&tree, 1, STILL, 0);
    add(&tree, 0, STILL, 1);
    check_fold(&tree, &scene, &arena);
    CHECK_EQ(scene.node_count, 2);
    CHECK_EQ(scene.nodes[0].parent, -1);
    CHECK_EQ(scene.nodes[0].stack_count, 2);
    CHECK_EQ(scene.nodes[1].parent, -1);
    CHECK_EQ(scene.nodes[1].stack_count, 2);
    arena_free(&arena);
}

static void transforms_that_inherit_at_times_are_roots(void)
{
    struct tree tree = {.time_count = TIMES};
    struct scene scene;
    struct arena arena;

    arena_init(&arena);
    add(&tree, -1, TURNS, -1);
    add(&tree, 0, STILL, 0);
    add(&tree, 0, TURNS, -1);
    tree.parts[2].inherits = SCENE_INHERITS_SOMETIMES;
    add(&tree, 2, STILL, 1);
    add(&tree, 2, STILL, 2);
    check_fold(&tree, &scene, &arena);
    CHECK_EQ(scene.node_count, 4);
    CHECK_EQ(scene.nodes[1].parent, -1);
    CHECK_EQ(scene.nodes[1].stack_count, 2);
    CHECK_EQ(scene.nodes[2].parent, 1);
    CHECK(!scene.nodes[1].is_affine);
    tree.motion[0] = STILL_STRETCHED;
    tree.parts[0].is_similarity = false;
    check_fold(&tree, &scene, &arena);
    CHECK(scene.nodes[1].is_affine);
    arena_free(&arena);
}

static void random_trees_keep_their_meshes_in_place(void)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct test_random random = {seed};
        struct tree tree = {.time_count = TIMES};
        struct scene scene;
        struct arena arena;
        int32_t mesh = 0;

        test_context("seed %llu", (unsigned long long)seed);
        arena_init(&arena);
        add(&tree, -1, STILL, -1);
        while (tree.count < PARTS_MAX / 2) {
            int32_t parent = (int32_t)test_random_below(&random, tree.count);
            uint32_t part = add(&tree, parent,
                                (enum motion)test_random_below(&random, 8), -1);
            uint32_t kind = test_random_below(&random, 16);

            if (kind < 2)
                tree.parts[part].inherits = SCENE_INHERITS_NEVER;
            if (kind == 2 && tree.parts[part].parent >= 0)
                tree.parts[part].inherits = SCENE_INHERITS_SOMETIMES;
        }
        while (tree.count < PARTS_MAX)
            add(&tree, (int32_t)test_random_below(&random, PARTS_MAX / 2),
                STILL, mesh++);
        check_fold(&tree, &scene, &arena);
        arena_free(&arena);
    }
}

/* -- the fewest bytes -- */

/* A set of cuts: bit i separates part i from its parent. */
struct way {
    uint32_t top[PARTS_MAX];
    int32_t parent[PARTS_MAX]; /* part whose node is the parent's */
    bool is_constant[PARTS_MAX];
    bool is_kept[PARTS_MAX];
};

static uint64_t bytes_of(const struct tree *tree, uint32_t part,
                         bool is_constant, bool is_affine)
{
    bool has_rows = !is_constant || tree->is_flickering[part];
    uint64_t row = is_affine ? WIRE_AFFINE_ROW_BYTES : WIRE_NODE_ROW_BYTES;

    return sizeof(struct wire_node) + strlen(tree->parts[part].path) + 1 +
           (has_rows ? row * tree->time_count : 0);
}

static bool is_affine(struct tree *tree, uint32_t part, uint32_t top)
{
    if (tree->parts[part].is_forced_affine)
        return true;
    for (uint32_t t = 0; t < tree->time_count; t++) {
        struct tns tns;
        double m[16];

        matrix_identity(m);
        for (uint32_t p = part;; p = (uint32_t)tree->parts[p].parent) {
            double step[16];
            bool inherits;

            local(tree, p, times[t], step, &inherits);
            matrix_multiply(m, step, m);
            if (p == top || !inherits)
                break;
        }
        if (tns_split(m, &tns) > TNS_SHEAR_MAX)
            return true;
    }
    return false;
}

static bool does_inherit(const struct tree *tree, uint32_t part)
{
    return tree->parts[part].inherits == SCENE_INHERITS_ALWAYS &&
           !tree->parts[part].is_detached;
}

/* Whether nodes depend on a part in any set of cuts. */
static bool bears_nodes(const struct tree *tree, uint32_t part)
{
    bool has_below = false;

    for (uint32_t i = part + 1; i < tree->count; i++) {
        if (tree->parts[i].parent != (int32_t)part)
            continue;
        has_below = true;
        if (does_inherit(tree, i) && bears_nodes(tree, i))
            return true;
    }
    return !has_below;
}

static uint32_t count_children(const struct tree *tree, uint32_t part)
{
    uint32_t count = 0;

    for (uint32_t i = part + 1; i < tree->count; i++)
        count += tree->parts[i].parent == (int32_t)part &&
                 does_inherit(tree, i) && bears_nodes(tree, i);
    return count;
}

static void start_stack(const struct tree *tree, uint32_t part, struct way *way)
{
    const struct scene_part *parts = tree->parts;
    bool reaches_up = parts[part].inherits == SCENE_INHERITS_SOMETIMES ||
                      parts[part].is_detached;
    uint32_t top = part;

    way->is_constant[part] = parts[part].is_constant &&
                             parts[part].inherits != SCENE_INHERITS_SOMETIMES;
    way->parent[part] = does_inherit(tree, part) ? parts[part].parent : -1;
    while (reaches_up && parts[top].parent >= 0 &&
           parts[top].inherits != SCENE_INHERITS_NEVER) {
        top = (uint32_t)parts[top].parent;
        way->is_constant[part] =
            way->is_constant[part] && parts[top].is_constant &&
            parts[top].inherits != SCENE_INHERITS_SOMETIMES;
    }
    way->top[part] = top;
}

static uint64_t bytes_of_cuts(struct tree *tree, uint32_t bits)
{
    struct way way = {.is_kept = {false}};
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < tree->count; i++) {
        const struct scene_part *part = &tree->parts[i];
        int32_t p = part->parent;

        if (p < 0 || !does_inherit(tree, i) || bits >> i & 1 ||
            (!way.is_constant[p] && count_children(tree, (uint32_t)p) > 1)) {
            start_stack(tree, i, &way);
            continue;
        }
        way.top[i] = way.top[p];
        way.parent[i] = way.parent[p];
        way.is_constant[i] = way.is_constant[p] && part->is_constant;
    }
    for (uint32_t i = tree->count; i-- > 0;) {
        bool has_below = false;

        for (uint32_t k = i + 1; k < tree->count; k++)
            has_below = has_below || tree->parts[k].parent == (int32_t)i;
        if (has_below && !way.is_kept[i])
            continue;
        if (way.parent[i] >= 0)
            way.is_kept[way.parent[i]] = true;
        bytes += bytes_of(tree, i, way.is_constant[i],
                          is_affine(tree, i, way.top[i]));
    }
    return bytes;
}

static uint64_t bytes_of_scene(const struct tree *tree,
                               const struct scene *scene)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < scene->node_count; i++)
        bytes +=
            bytes_of(tree, scene->nodes[i].part, scene->nodes[i].is_constant,
                     scene->nodes[i].is_affine);
    return bytes;
}

static void check_fewest(struct tree *tree)
{
    uint64_t fewest = UINT64_MAX;
    struct scene scene;
    struct arena arena;

    arena_init(&arena);
    check_fold(tree, &scene, &arena);
    for (uint32_t bits = 0; bits < 1u << tree->count; bits++) {
        uint64_t bytes = bytes_of_cuts(tree, bits);

        fewest = bytes < fewest ? bytes : fewest;
    }
    CHECK_EQ_U(bytes_of_scene(tree, &scene), fewest);
    arena_free(&arena);
}

/* kinds: nodes of the kinds 1 to 4 differ in inheritance, detachment or matrix.
 * The kind is drawn below `kinds`: 1 for no such node, 16 for few. */
static void make_tree(struct tree *tree, struct test_random *random,
                      bool is_chain, uint32_t kinds)
{
    uint32_t count = 3 + test_random_below(random, 5);

    *tree = (struct tree){.time_count = 1 + test_random_below(random, TIMES)};
    while (tree->count < count) {
        uint32_t kind = test_random_below(random, kinds);
        int32_t parent = (int32_t)tree->count - 1;
        uint32_t part;

        if (!is_chain && parent > 0)
            parent = (int32_t)test_random_below(random, tree->count);
        part = add(tree, parent, (enum motion)test_random_below(random, 7), -1);
        tree->is_flickering[part] = test_random_below(random, 5) == 0;
        tree->parts[part].is_detached = kind == 3;
        tree->parts[part].is_forced_affine = kind == 4;
        if (kind == 1 || kind == 2)
            tree->parts[part].inherits =
                kind == 1 ? SCENE_INHERITS_NEVER : SCENE_INHERITS_SOMETIMES;
    }
}

static void chains_are_cut_for_the_fewest_bytes(void)
{
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct test_random random = {seed};
        struct tree tree;

        test_context("seed %llu", (unsigned long long)seed);
        make_tree(&tree, &random, true, seed % 4 == 0 ? 12 : 1);
        check_fewest(&tree);
    }
}

static void trees_are_cut_for_the_fewest_bytes(void)
{
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct test_random random = {seed};
        struct tree tree;

        test_context("seed %llu", (unsigned long long)seed);
        make_tree(&tree, &random, false, seed % 4 == 0 ? 12 : 1);
        check_fewest(&tree);
    }
}

/* -- tns -- */

static void matrices_are_restored(void)
{
    struct test_random random = {21};

    for (int i = 0; i < 5000; i++) {
        struct tns tns;
        struct tns again;
        double m[16];
        double n[16];
        double length = 0;

        for (int k = 0; k < 4; k++) {
            tns.rotation[k] = test_random_below(&random, 2001) / 1000.0 - 1;
            length += tns.rotation[k] * tns.rotation[k];
        }
        if (length < 0.01)
            continue;
        for (int k = 0; k < 4; k++)
            tns.rotation[k] /= sqrt(length);
        for (int k = 0; k < 3; k++) {
            tns.scale[k] = (int)test_random_below(&random, 9) - 4;
            tns.translation[k] = test_random_below(&random, 100);
        }
        test_context("round %d", i);
        tns_matrix(&tns, m);
        CHECK(tns_split(m, &again) < 1e-9);
        tns_matrix(&again, n);
        for (int k = 0; k < 16; k++)
            CHECK_NEAR(m[k], n[k], 1e-9);
        CHECK(again.rotation[3] >= 0);
    }
}

static void shear_is_detected(void)
{
    double m[16];
    struct tns tns;

    matrix_identity(m);
    m[1] = 0.01;
    CHECK_NEAR(tns_split(m, &tns), 0.01, 1e-5);
}

static void blends_take_the_shorter_arc(void)
{
    struct tns a = {{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}};
    struct tns b = {{0, 0, 0, 1}, {10, 0, 0}, {3, 1, 1}};
    struct tns c;

    b.rotation[2] = -sin(0.5);
    b.rotation[3] = -cos(0.5);
    tns_blend(&a, &b, 0.25, &c);
    CHECK_NEAR(c.rotation[2], sin(0.125), 1e-12);
    CHECK_NEAR(c.rotation[3], cos(0.125), 1e-12);
    CHECK_NEAR(c.translation[0], 2.5, 1e-12);
    CHECK_NEAR(c.scale[0], 1.5, 1e-12);
    tns_blend(&a, &b, 1, &c);
    CHECK_MEM(&c, &b, sizeof c);
    tns_blend(&a, &b, 0, &c);
    CHECK_MEM(&c, &a, sizeof c);
    /* Nearly equal rotations, and rotations by 180 degrees. */
    b = a;
    b.rotation[0] = 1e-12;
    tns_blend(&a, &b, 0.5, &c);
    CHECK_NEAR(c.rotation[3], 1, 1e-12);
    b.rotation[0] = 1;
    b.rotation[3] = 0;
    tns_blend(&a, &b, 0.5, &c);
    CHECK_NEAR(c.rotation[0], sqrt(0.5), 1e-12);
    CHECK_NEAR(c.rotation[3], sqrt(0.5), 1e-12);
}

TEST_MAIN(TEST(chains_become_one_node), TEST(constants_fold_into_all_children),
          TEST(skewed_products_take_what_is_smaller),
          TEST(a_skewed_matrix_is_a_matrix),
          TEST(skew_in_a_later_frame_is_found),
          TEST(transforms_that_do_not_inherit_are_roots),
          TEST(transforms_that_inherit_at_times_are_roots),
          TEST(random_trees_keep_their_meshes_in_place),
          TEST(chains_are_cut_for_the_fewest_bytes),
          TEST(trees_are_cut_for_the_fewest_bytes), TEST(matrices_are_restored),
          TEST(shear_is_detected), TEST(blends_take_the_shorter_arc))
