/* world_error.c - positions of box corners in floats and in doubles. */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/world_error.h"

#include <float.h>
#include <math.h>

void world_errors_init(struct world_errors *errors, uint32_t node_count,
                       struct arena *arena)
{
    errors->correctable = ARENA_NEW(arena, double, node_count);
    errors->visible = ARENA_NEW(arena, double, node_count);
    frame_box_init(&errors->box);
}

/* -- errors -- */

/* Store a corner of a node's box; bit i of `corner` chooses the side of axis i.
 */
static void find_corner(const struct clip *clip, uint32_t node, int corner,
                        double p[3])
{
    int32_t mesh = clip->nodes[node].mesh;

    for (int i = 0; i < 3; i++) {
        bool is_high = corner >> i & 1;
        const struct quantize_range *range;

        p[i] = is_high ? 0.5 : -0.5;
        if (mesh < 0)
            continue;
        range = &clip->state->import.shapes[mesh]->source.box[i];
        p[i] = is_high ? range->max : range->min;
    }
}

/* The coordinate whose rounding explains an error at a corner: of a mesh the
 * largest world coordinate. The unit cube of a node without a mesh has no real
 * size; there the sum of the absolute terms counts, which is larger. */
static double coordinate_of(const double world[16], const double p[3],
                            const double at[3], bool has_mesh)
{
    double largest = 0;

    for (int i = 0; i < 3; i++) {
        double sum = fabs(world[12 + i]);

        for (int k = 0; k < 3; k++)
            sum += fabs(p[k] * world[4 * k + i]);
        largest = fmax(largest, has_mesh ? fabs(at[i]) : sum);
    }
    return largest;
}

static void add_corner(struct world_errors *errors, uint32_t node,
                       const double world[16], const struct node_world *floats,
                       const double p[3], bool has_mesh, bool is_visible)
{
    double square = 0;
    double at[3];
    double error;

    for (int i = 0; i < 3; i++) {
        const float *row = floats->matrix + 4 * i;
        double found =
            row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + (double)row[3];

        at[i] = p[0] * world[i] + p[1] * world[4 + i] + p[2] * world[8 + i] +
                world[12 + i];
        square += (found - at[i]) * (found - at[i]);
    }
    error = sqrt(square);
    if (is_visible) {
        frame_box_add_point(&errors->box, at);
        errors->visible[node] = fmax(errors->visible[node], error);
    }
    if (error <= WORLD_ERROR_SHARE * coordinate_of(world, p, at, has_mesh))
        return;
    /* NaN counts as the largest error. */
    errors->correctable[node] =
        error >= 0 ? fmax(errors->correctable[node], error) : DBL_MAX;
}

void world_errors_add_frame(struct world_errors *errors,
                            const struct clip *clip,
                            const struct node_matrices *matrices,
                            const bool *visible, struct node_world *worlds)
{
    bool has_meshes = clip->state->import.shape_count > 0;

    for (uint32_t i = 0; i < clip->node_count; i++) {
        const struct clip_node *node = &clip->nodes[i];
        struct transform transform;

        transform_pack(matrices[i].local, node->is_affine, &transform);
        node_world_compute(&transform,
                           node->parent < 0 ? NULL : &worlds[node->parent],
                           &worlds[i]);
        for (int corner = 0; corner < 8; corner++) {
            double p[3];

            find_corner(clip, i, corner, p);
            add_corner(errors, i, matrices[i].world, &worlds[i], p,
                       node->mesh >= 0,
                       has_meshes ? node->mesh >= 0 && visible[i] : true);
        }
    }
}

void world_errors_merge(struct world_errors *errors,
                        const struct world_errors *more, uint32_t node_count)
{
    for (uint32_t i = 0; i < node_count; i++) {
        errors->correctable[i] =
            fmax(errors->correctable[i], more->correctable[i]);
        errors->visible[i] = fmax(errors->visible[i], more->visible[i]);
    }
    frame_box_merge(&errors->box, &more->box);
}

/* -- corrections -- */

/* The diagonal of the box. */
static double size_of(const struct world_errors *errors)
{
    double square = 0;

    for (int i = 0; i < 3 && !errors->box.is_empty; i++) {
        double side = errors->box.max[i] - errors->box.min[i];

        square += side * side;
    }
    return sqrt(square);
}

/* Detach an ancestor of the node, or the node itself, so that all above it are
 * folded into it. Round r folds 2^r ancestors, from the root on: nodes further
 * down remain shared by their children if that suffices. */
static bool correct(struct clip *clip, uint32_t node, uint32_t round)
{
    struct scene_part *parts = clip->state->import.parts;
    const struct scene_node *nodes = clip->state->scene.nodes;
    uint32_t above = 0;
    uint32_t folded = 1;

    for (int32_t i = nodes[node].parent; i >= 0; i = nodes[i].parent)
        above++;
    if (above == 0) {
        parts[nodes[node].part].is_forced_affine = true;
        return !nodes[node].is_affine;
    }
    for (uint32_t i = 0; i < round && folded < above; i++)
        folded *= 2;
    for (; folded < above; above--)
        node = (uint32_t)nodes[node].parent;
    parts[nodes[node].part].is_detached = true;
    return true;
}

bool world_errors_correct(const struct world_errors *errors, struct clip *clip,
                          uint32_t round)
{
    double limit = WORLD_ERROR_SHARE * size_of(errors);
    bool is_changed = false;

    for (uint32_t i = 0; i < clip->node_count; i++)
        if (errors->correctable[i] > limit && correct(clip, i, round))
            is_changed = true;
    return is_changed;
}

void world_errors_warn(const struct world_errors *errors, struct clip *clip)
{
    struct clip_state *state = clip->state;
    double mm_per_unit = 1000 * state->options.unit_metres;
    double precision = state->options.precision_mm;
    double limit = WORLD_ERROR_SHARE_MAX * size_of(errors) * mm_per_unit;

    for (uint32_t i = 0; i < clip->node_count; i++) {
        double error = errors->correctable[i] * mm_per_unit;
        double visible = errors->visible[i] * mm_per_unit;
        const char *detail = NULL;

        if (error > limit)
            detail = arena_format(&state->arena, "%.3g mm, more than %.3g",
                                  error, limit);
        else if (precision > 0 && visible > precision)
            detail = arena_format(&state->arena,
                                  "%.3g mm, more than the precision's %.3g",
                                  visible, precision);
        if (detail)
            warnings_add(&state->warnings, WARNING_TRANSFORM,
                         clip->nodes[i].path, detail);
    }
}
