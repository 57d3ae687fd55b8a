/* check_scene.c - finds scales and the size of the scene, and compares the
 * nodes of each frame: transforms and visibility. */
/* SPDX-License-Identifier: MIT */
#include "verify/check_scene.h"

#include "verify/check.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The tolerance of a box corner in world space: a share of the scene's size or,
 * if that is more, of the corner's coordinates, which are floats. */
#define TRANSFORM_SHARE 1e-5
#define COORDINATE_SHARE 1e-6
#define POSITION_ROUNDING 4e-7
/* Half a step of 8 bits and the rounding of floats, in units of 1/255. */
#define COLOR_TOLERANCE 0.501

/* -- scales -- */

bool check_world(struct check *check, const struct check_node *node,
                 double time, double matrix[16])
{
    /* For row vectors: y becomes z, z becomes -y. */
    static const double up_z[16] = {1, 0,  0, 0, 0, 0, 1, 0,
                                    0, -1, 0, 0, 0, 0, 0, 1};
    double world[16];

    if (!eval_world(&node->chain, check->archive, time, &check->mesh_arena,
                    world))
        return false;
    if (check->options->up == 'Z')
        eval_multiply(world, up_z, matrix);
    else
        memcpy(matrix, world, sizeof world);
    return true;
}

/* Half a quantization step and the rounding of floats. 0: no such channel. */
static double tolerance_of(const struct cache_mesh *mesh, enum channel channel,
                           int component)
{
    const struct channel_range *range = &mesh->range[channel];
    double low = (double)range->min[component];
    double size = (double)range->size[component];

    if (range->bits[component] == 0)
        return 0;
    return size / ((1u << range->bits[component]) - 1) / 2 +
           fmax(fabs(low), fabs(low + size)) * POSITION_ROUNDING + 1e-12;
}

static void set_tolerances(struct check *check, struct check_mesh *m)
{
    const struct cache_mesh *mesh = &check->tables->meshes[m->mesh];
    double precision = check->header->precision_mm;

    for (int c = 0; c < 3; c++) {
        double low = (double)mesh->range[CHANNEL_POSITION].min[c];
        double size = (double)mesh->range[CHANNEL_POSITION].size[c];
        double step =
            size / ((1u << mesh->range[CHANNEL_POSITION].bits[c]) - 1);
        double largest = fmax(fabs(low), fabs(low + size));

        m->tolerance.position[c] =
            step / 2 + largest * POSITION_ROUNDING + 1e-12;
        if (size > 0 && mesh->range[CHANNEL_POSITION].bits[c] < 16 &&
            (precision <= 0 ||
             step * m->tolerance.axis_mm[c] > precision * 1.001))
            check->report->coarse_axes++;
    }
    for (int c = 0; c < 2; c++) {
        m->tolerance.params[CORNER_UV][c] = tolerance_of(mesh, CHANNEL_UV, c);
        m->tolerance.params[CORNER_SECOND_UV][c] =
            tolerance_of(mesh, CHANNEL_SECOND_UV, c);
    }
    for (int c = 0; c < 3; c++)
        m->tolerance.params[CORNER_VELOCITY][c] =
            tolerance_of(mesh, CHANNEL_VELOCITY, c);
    for (int c = 0; c < 4; c++)
        m->tolerance.params[CORNER_COLOR][c] = COLOR_TOLERANCE;
}

/* Corner 0..7 of the mesh's box or, without a mesh, of a box of one unit around
 * the origin. */
static void box_corner(const struct check *check, const struct check_node *node,
                       int corner, double p[3])
{
    static const struct cache_mesh unit = {
        .range[CHANNEL_POSITION] = {.min = {-0.5, -0.5, -0.5},
                                    .size = {1, 1, 1}}};
    const struct cache_mesh *mesh =
        node->mesh == CACHE_NONE ? &unit : &check->tables->meshes[node->mesh];

    for (int c = 0; c < 3; c++)
        p[c] = (double)mesh->range[CHANNEL_POSITION].min[c] +
               (corner >> c & 1 ? (double)mesh->range[CHANNEL_POSITION].size[c]
                                : 0);
}

static void transform_corner(const double world[16], const double p[3],
                             double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = p[0] * world[c] + p[1] * world[4 + c] + p[2] * world[8 + c] +
                 world[12 + c];
}

struct extent {
    double min[3];
    double max[3];
};

/* Grow the scene's extent by a node: meshes while they are visible, and
 * transforms in a scene without meshes. */
static bool grow_extent(struct check *check, const struct check_node *node,
                        double time, const double world[16],
                        struct extent *extent)
{
    bool is_seen = true;

    if (node->mesh != CACHE_NONE &&
        !eval_visible(check->archive, node->chain.links[0].object, time,
                      &is_seen))
        return false;
    for (int corner = 0; is_seen && corner < 8; corner++) {
        double p[3];
        double at[3];

        box_corner(check, node, corner, p);
        transform_corner(world, p, at);
        for (int c = 0; c < 3; c++) {
            extent->min[c] = fmin(extent->min[c], at[c]);
            extent->max[c] = fmax(extent->max[c], at[c]);
        }
    }
    return true;
}

static void grow_scales(const struct check *check, const double world[16],
                        struct check_mesh *m)
{
    for (int axis = 0; axis < 3; axis++) {
        const double *row = world + axis * 4;
        double scale =
            sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]) *
            check->unit_mm;

        if (scale > m->tolerance.axis_mm[axis])
            m->tolerance.axis_mm[axis] = scale;
    }
}

bool check_scales(struct check *check)
{
    struct extent extent = {{INFINITY, INFINITY, INFINITY},
                            {-INFINITY, -INFINITY, -INFINITY}};
    double square = 0;

    for (uint32_t i = 0; i < check->node_count; i++) {
        const struct check_node *node = &check->nodes[i];

        if (node->mesh == CACHE_NONE && check->header->mesh_count > 0)
            continue;
        for (uint32_t f = 0; f < check->header->frame_count; f++) {
            double w[16];

            arena_reset(&check->mesh_arena);
            if (!check_world(check, node, check->seconds[f], w) ||
                !grow_extent(check, node, check->seconds[f], w, &extent))
                return false;
            if (node->mesh != CACHE_NONE)
                grow_scales(check, w, &check->meshes[node->record]);
        }
    }
    for (int c = 0; c < 3 && extent.min[c] <= extent.max[c]; c++)
        square +=
            (extent.max[c] - extent.min[c]) * (extent.max[c] - extent.min[c]);
    check->scene_size = sqrt(square);
    for (uint32_t i = 0; i < check->record_count; i++)
        if (check->meshes[i].object)
            set_tolerances(check, &check->meshes[i]);
    return true;
}

/* -- nodes in a frame -- */

/* World matrices of all nodes of the cache, computed as the runtime does. */
static float (*cache_worlds(struct check *check,
                            const struct transform *transforms))[12]
{
    uint32_t count = check->header->node_count;
    float(*worlds)[12] =
        arena_alloc(&check->frame_arena, count, sizeof *worlds);

    for (uint32_t n = 0; n < count; n++) {
        uint32_t parent = check->tables->nodes[n].parent;

        spn__transform_resolve(&transforms[n], worlds[n]);
        if (parent != CACHE_NONE)
            spn__transform_multiply(worlds[parent], worlds[n], worlds[n]);
    }
    return worlds;
}

/* The largest coordinate of a box corner. The box of a transform has an
 * arbitrary size; there, the sum of the absolute terms of a coordinate. */
static double coordinate_of(const struct check_node *node, const double w[16],
                            const double p[3], const double truth[3])
{
    double largest = 0;

    for (int c = 0; c < 3; c++) {
        double parts = fabs(w[12 + c]);

        for (int k = 0; k < 3; k++)
            parts += fabs(p[k] * w[4 * k + c]);
        largest =
            fmax(largest, node->mesh == CACHE_NONE ? parts : fabs(truth[c]));
    }
    return largest;
}

static void check_corners(struct check *check, const struct check_node *node,
                          const float found[12], const double w[16],
                          uint32_t frame)
{
    for (int corner = 0; corner < 8; corner++) {
        double p[3];
        double truth[3];
        double square = 0;
        double tolerated;

        box_corner(check, node, corner, p);
        transform_corner(w, p, truth);
        for (int c = 0; c < 3; c++) {
            double off = (double)found[4 * c + 3] - truth[c];

            for (int k = 0; k < 3; k++)
                off += (double)found[4 * c + k] * p[k];
            square += off * off;
        }
        tolerated = fmax(check->scene_size * TRANSFORM_SHARE,
                         coordinate_of(node, w, p, truth) * COORDINATE_SHARE);
        /* In a scene without extent the tolerance is 0. */
        verify_add(&check->report->transform, sqrt(square) * check->unit_mm,
                   fmax(tolerated * check->unit_mm, DBL_MIN), frame, node->mesh,
                   node->node);
    }
}

/* Keep the cofactors of the node that stretches the mesh most. */
static void keep_stretch(struct check_mesh *m, const double world[16])
{
    double cofactors[9];
    double stretch = eval_stretch(world, cofactors);

    if (!(stretch > m->stretch.amount))
        return;
    m->stretch.amount = stretch;
    memcpy(m->stretch.cofactors, cofactors, sizeof cofactors);
}

bool check_nodes(struct check *check, uint32_t frame)
{
    const struct cache_reader_frame *now =
        cache_reader_frame(check->reader, frame);
    float(*worlds)[12];

    if (!now)
        return false;
    worlds = cache_worlds(check, now->transforms);
    for (uint32_t i = 0; i < check->record_count; i++)
        check->meshes[i].stretch.amount = 0;
    for (uint32_t i = 0; i < check->node_count; i++) {
        const struct check_node *node = &check->nodes[i];
        bool is_visible;
        double w[16];

        arena_reset(&check->mesh_arena);
        if (!eval_visible(check->archive, node->chain.links[0].object,
                          check->seconds[frame], &is_visible) ||
            !check_world(check, node, check->seconds[frame], w))
            return false;
        check->report->wrong_visibility +=
            is_visible != now->visible[node->node];
        check_corners(check, node, worlds[node->node], w, frame);
        if (is_visible && node->mesh != CACHE_NONE)
            keep_stretch(&check->meshes[node->record], w);
    }
    return true;
}
