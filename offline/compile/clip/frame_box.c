/* frame_box.c - vertices through the runtime's matrices, with a margin.
 *
 * Between two frames each component of a position stays between those of the
 * frames, for rounding never passes a number that is there. What it and the
 * matrices lose is relative to the numbers on the way, of which `magnitude`
 * keeps the sum.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/clip/frame_box.h"

#include "compile/math/quantize.h"

#include <float.h>
#include <math.h>

/* Roundings of single precision for each node on the way. A slerp costs an
 * entry of the matrix 19 at most, the product with the parent's and the
 * caller's with a position four each. */
#define MARGIN (32 * (double)FLT_EPSILON / 2)

/* -- places -- */

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

void frame_place_make(const struct transform *transform,
                      const struct frame_place *parent, struct frame_place *out)
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

void frame_box_begin(struct frame_box *box)
{
    *box = (struct frame_box){.is_empty = true};
}

void frame_box_grow(struct frame_box *box, const double p[3])
{
    for (int i = 0; i < 3; i++) {
        if (box->is_empty || p[i] < box->min[i])
            box->min[i] = p[i];
        if (box->is_empty || p[i] > box->max[i])
            box->max[i] = p[i];
    }
    box->is_empty = false;
}

void frame_box_join(struct frame_box *box, const struct frame_box *more)
{
    if (more->is_empty)
        return;
    frame_box_grow(box, more->min);
    frame_box_grow(box, more->max);
}

/* What goes into the box at a time: vertices in mesh space and their extremes
 * in the world. */
struct cloud {
    const struct frame_place *place;
    struct frame_box box;
    float reach[3]; /* largest |coordinate| in mesh space */
};

static void add_point(struct cloud *cloud, const float p[3])
{
    double world[3];

    for (int i = 0; i < 3; i++) {
        const float *row = cloud->place->matrix + 4 * i;

        world[i] = (double)row[0] * p[0] + (double)row[1] * p[1] +
                   (double)row[2] * p[2] + row[3];
        cloud->reach[i] = fmaxf(cloud->reach[i], fabsf(p[i]));
    }
    frame_box_grow(&cloud->box, world);
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

/* What the least and the largest q give bounds what the others do. */
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

void frame_box_add(struct frame_box *box, const struct frame_place *place,
                   const struct clip_mesh *mesh, const uint16_t *positions)
{
    struct cloud cloud = {.place = place};

    frame_box_begin(&cloud.box);
    if (positions)
        add_vertices(&cloud, mesh, positions);
    else
        add_corners(&cloud, mesh);
    for (int i = 0; i < 3; i++) {
        const double *row = place->magnitude + 4 * i;
        double reach = row[3];

        /* A position is a sum of the mesh's least and steps. */
        for (int k = 0; k < 3; k++)
            reach +=
                row[k] * ((double)cloud.reach[k] +
                          fabs((double)mesh->range[CHANNEL_POSITION].min[k]));
        cloud.box.min[i] -= reach * place->depth * MARGIN;
        cloud.box.max[i] += reach * place->depth * MARGIN;
    }
    frame_box_join(box, &cloud.box);
}

/* Outward; what is beyond all floats, or no number, becomes the last float. */
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
