/* frame_box.c - transform vertices as the runtime does, and add a margin.
 *
 * An interpolated component lies between its values in the two frames, since
 * rounding is monotonic. The rounding errors of interpolation and of matrix
 * products are proportional to the sum of the absolute terms; `magnitude` of
 * node_world has it.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/frame_box.h"

#include "compile/math/quantize.h"

#include <float.h>
#include <math.h>

/* The margin of each matrix in the product, relative to the magnitude: 32
 * roundings of single precision. An entry of a matrix takes at most 19 for a
 * slerp, 4 for the product with the parent's matrix and 4 for the game's
 * product with a position. */
#define MARGIN (32 * (double)FLT_EPSILON / 2)

/* -- world matrices -- */

static void multiply_magnitudes(const double parent[12], const float local[12],
                                double out[12])
{
    for (int r = 0; r < 3; r++) {
        const double *row = parent + 4 * r;

        for (int c = 0; c < 4; c++) {
            out[4 * r + c] = c == 3 ? row[3] : 0;
            for (int k = 0; k < 3; k++)
                out[4 * r + c] += row[k] * fabs((double)local[4 * k + c]);
        }
    }
}

void node_world_compute(const struct transform *transform,
                        const struct node_world *parent, struct node_world *out)
{
    float local[12];

    spn__transform_resolve(transform, local);
    if (parent) {
        spn__transform_multiply(parent->matrix, local, out->matrix);
        multiply_magnitudes(parent->magnitude, local, out->magnitude);
        out->depth = parent->depth + 1;
        return;
    }
    for (int i = 0; i < 12; i++) {
        out->matrix[i] = local[i];
        out->magnitude[i] = fabs((double)local[i]);
    }
    out->depth = 1;
}

/* -- boxes -- */

void frame_box_init(struct frame_box *box)
{
    *box = (struct frame_box){.is_empty = true};
}

void frame_box_add_point(struct frame_box *box, const double p[3])
{
    for (int i = 0; i < 3; i++) {
        if (box->is_empty || p[i] < box->min[i])
            box->min[i] = p[i];
        if (box->is_empty || p[i] > box->max[i])
            box->max[i] = p[i];
    }
    box->is_empty = false;
}

void frame_box_merge(struct frame_box *box, const struct frame_box *more)
{
    if (more->is_empty)
        return;
    frame_box_add_point(box, more->min);
    frame_box_add_point(box, more->max);
}

/* The points of one mesh. */
struct cloud {
    const struct node_world *world;
    struct frame_box box; /* in the world, without the margin */
    float extent[3];      /* largest absolute coordinates in mesh space */
};

static void add_point(struct cloud *cloud, const float p[3])
{
    double p_world[3];

    for (int i = 0; i < 3; i++) {
        const float *row = cloud->world->matrix + 4 * i;

        p_world[i] = (double)row[0] * p[0] + (double)row[1] * p[1] +
                     (double)row[2] * p[2] + row[3];
        cloud->extent[i] = fmaxf(cloud->extent[i], fabsf(p[i]));
    }
    frame_box_add_point(&cloud->box, p_world);
}

static void add_vertices(struct cloud *cloud, const struct clip_mesh *mesh,
                         const uint16_t *positions)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const uint16_t *q = positions + 3 * (size_t)v;
        float p[3];

        for (int i = 0; i < 3; i++)
            p[i] = quantize_back(q[i], mesh->range[CHANNEL_POSITION].min[i],
                                 mesh->range[CHANNEL_POSITION].size[i],
                                 mesh->range[CHANNEL_POSITION].bits[i]);
        add_point(cloud, p);
    }
}

/* The lowest and the highest quantized values bound all others. */
static void add_corners(struct cloud *cloud, const struct clip_mesh *mesh)
{
    for (int corner = 0; corner < 8; corner++) {
        float p[3];

        for (int i = 0; i < 3; i++) {
            uint32_t bits = mesh->range[CHANNEL_POSITION].bits[i];
            uint32_t q = corner >> i & 1 ? (1u << bits) - 1 : 0;

            p[i] =
                quantize_back((uint16_t)q, mesh->range[CHANNEL_POSITION].min[i],
                              mesh->range[CHANNEL_POSITION].size[i], bits);
        }
        add_point(cloud, p);
    }
}

void frame_box_add_mesh(struct frame_box *box, const struct node_world *world,
                        const struct clip_mesh *mesh, const uint16_t *positions)
{
    struct cloud cloud = {.world = world};

    frame_box_init(&cloud.box);
    if (positions)
        add_vertices(&cloud, mesh, positions);
    else
        add_corners(&cloud, mesh);
    for (int i = 0; i < 3; i++) {
        const double *row = world->magnitude + 4 * i;
        double magnitude = row[3];

        /* A decoded position is the sum of the range's minimum and steps. */
        for (int k = 0; k < 3; k++)
            magnitude +=
                row[k] * ((double)cloud.extent[k] +
                          fabs((double)mesh->range[CHANNEL_POSITION].min[k]));
        cloud.box.min[i] -= magnitude * world->depth * MARGIN;
        cloud.box.max[i] += magnitude * world->depth * MARGIN;
    }
    frame_box_merge(box, &cloud.box);
}

/* Round towards `end`. Values beyond all floats, and NaN, become `end`. */
static float round_out(double value, float end)
{
    float rounded;

    if (!(fabs(value) < FLT_MAX))
        return end;
    rounded = (float)value;
    if (end < 0 ? rounded > value : rounded < value)
        rounded = nextafterf(rounded, end);
    return rounded;
}

void frame_box_store(const struct frame_box *box, float min[3], float max[3])
{
    for (int i = 0; i < 3; i++) {
        min[i] = box->is_empty ? 1 : round_out(box->min[i], -FLT_MAX);
        max[i] = box->is_empty ? 0 : round_out(box->max[i], FLT_MAX);
    }
}
