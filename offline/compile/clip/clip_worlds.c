/* clip_worlds.c - corners through floats and through doubles. */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/clip_worlds.h"

#include <float.h>
#include <math.h>

void worlds_begin(struct worlds *worlds, uint32_t node_count,
                  struct arena *arena)
{
    worlds->off = ARENA_NEW(arena, double, node_count);
    worlds->lost = ARENA_NEW(arena, double, node_count);
    frame_box_begin(&worlds->box);
}

/* -- a node in a frame -- */

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
        range = &clip->private->import.shapes[mesh]->source.box[i];
        p[i] = is_high ? range->max : range->min;
    }
}

/* What a corner's place is made of. Of a box that is not a mesh's, the parts
 * count and not the sum: it could have any size. */
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

static void look_at_corner(struct worlds *worlds, uint32_t node,
                           const double world[16],
                           const struct frame_place *place, const double p[3],
                           bool has_mesh, bool is_seen)
{
    double square = 0;
    double at[3];
    double off;

    for (int i = 0; i < 3; i++) {
        const float *row = place->matrix + 4 * i;
        double found =
            row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + (double)row[3];

        at[i] = p[0] * world[i] + p[1] * world[4 + i] + p[2] * world[8 + i] +
                world[12 + i];
        square += (found - at[i]) * (found - at[i]);
    }
    off = sqrt(square);
    if (is_seen) {
        frame_box_grow(&worlds->box, at);
        worlds->lost[node] = fmax(worlds->lost[node], off);
    }
    if (off <= WORLDS_SHARE * coordinate_of(world, p, at, has_mesh))
        return;
    /* What is no number is as far off as can be. */
    worlds->off[node] = off >= 0 ? fmax(worlds->off[node], off) : DBL_MAX;
}

void worlds_look(struct worlds *worlds, const struct clip *clip,
                 const struct node_matrices *matrices, const bool *visible,
                 struct frame_place *places)
{
    bool has_meshes = clip->private->import.shape_count > 0;

    for (uint32_t i = 0; i < clip->node_count; i++) {
        const struct clip_node *node = &clip->nodes[i];
        struct transform transform;

        transform_pack(matrices[i].local, node->is_affine, &transform);
        frame_place_make(&transform,
                         node->parent < 0 ? NULL : &places[node->parent],
                         &places[i]);
        for (int corner = 0; corner < 8; corner++) {
            double p[3];

            find_corner(clip, i, corner, p);
            look_at_corner(worlds, i, matrices[i].world, &places[i], p,
                           node->mesh >= 0,
                           has_meshes ? node->mesh >= 0 && visible[i] : true);
        }
    }
}

void worlds_merge(struct worlds *worlds, const struct worlds *more,
                  uint32_t node_count)
{
    for (uint32_t i = 0; i < node_count; i++) {
        worlds->off[i] = fmax(worlds->off[i], more->off[i]);
        worlds->lost[i] = fmax(worlds->lost[i], more->lost[i]);
    }
    frame_box_join(&worlds->box, &more->box);
}

/* -- what to do -- */

static double size_of(const struct worlds *worlds)
{
    double square = 0;

    for (int i = 0; i < 3 && !worlds->box.is_empty; i++) {
        double side = worlds->box.max[i] - worlds->box.min[i];

        square += side * side;
    }
    return sqrt(square);
}

/* Fold the topmost ancestors into the next, each time twice as many as before,
 * so that what is below them stays shared as far as it may. */
static bool correct(struct clip *clip, uint32_t node, uint32_t round)
{
    struct scene_part *parts = clip->private->import.parts;
    const struct scene_node *nodes = clip->private->scene.nodes;
    uint32_t above = 0;
    uint32_t folded = 1;

    for (int32_t i = nodes[node].parent; i >= 0; i = nodes[i].parent)
        above++;
    if (above == 0) {
        parts[nodes[node].part].is_matrix = true;
        return !nodes[node].is_affine;
    }
    for (uint32_t i = 0; i < round && folded < above; i++)
        folded *= 2;
    for (; folded < above; above--)
        node = (uint32_t)nodes[node].parent;
    parts[nodes[node].part].is_whole = true;
    return true;
}

bool worlds_correct(const struct worlds *worlds, struct clip *clip,
                    uint32_t round)
{
    double limit = WORLDS_SHARE * size_of(worlds);
    bool is_changed = false;

    for (uint32_t i = 0; i < clip->node_count; i++)
        if (worlds->off[i] > limit && correct(clip, i, round))
            is_changed = true;
    return is_changed;
}

void worlds_warn(const struct worlds *worlds, struct clip *clip)
{
    struct clip_private *private = clip->private;
    double millimetres = 1000 * private->options.unit_metres;
    double precision = private->options.precision_mm;
    double limit = WORLDS_SHARE_MAX * size_of(worlds) * millimetres;

    for (uint32_t i = 0; i < clip->node_count; i++) {
        double off = worlds->off[i] * millimetres;
        double lost = worlds->lost[i] * millimetres;
        const char *detail = NULL;

        if (off > limit)
            detail = arena_format(&private->arena, "%.3g mm, more than %.3g",
                                  off, limit);
        else if (precision > 0 && lost > precision)
            detail = arena_format(&private->arena,
                                  "%.3g mm, more than the precision's %.3g",
                                  lost, precision);
        if (detail)
            warnings_add(&private->warnings, WARNING_TRANSFORM,
                         clip->nodes[i].path, detail);
    }
}
