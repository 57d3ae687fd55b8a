/* tangents_frame.c - computes the tangents of one frame.
 *
 * Single precision and the order of operations are those of the reference code:
 * for a sliver, the direction depends on rounding alone, and must be the same.
 *
 * Triangles are processed in blocks, one component at a time, in loops that
 * compilers vectorize. The size of a block does not change the results: terms
 * are added to the vertices in the order of the triangles.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/tangents.h"

#define BLOCK 32u
/* Corner i of triangle t is at i * BLOCK + t. */
#define CORNERS (3 * BLOCK)

struct vectors {
    float x[CORNERS];
    float y[CORNERS];
    float z[CORNERS];
};

struct block {
    uint32_t count;
    const uint32_t *indices[BLOCK];
    float signs[BLOCK];     /* -1 if the triangle is UV_MIRRORED, or 1 */
    float u_lengths[BLOCK]; /* of the triangles' tangents, not normalized */
    struct vectors normals;
    struct vectors tangents; /* of the triangle, at each corner */
    struct vectors before;   /* edge to the corner before */
    struct vectors after;    /* edge to the corner after */
    float largest[CORNERS];  /* component of each projected tangent, before it
                              * is normalized */
    float ignored[CORNERS];
    double cosines[CORNERS];
    double sines[CORNERS];
    double angles[CORNERS];
};

/* -- triangles to blocks -- */

struct vec3f {
    float x;
    float y;
    float z;
};

static struct vec3f load3f(const float *at)
{
    struct vec3f v = {at[0], at[1], at[2]};

    return v;
}

static struct vec3f sub3f(struct vec3f a, struct vec3f b)
{
    struct vec3f out = {a.x - b.x, a.y - b.y, a.z - b.z};

    return out;
}

static void put(struct vectors *vectors, uint32_t at, struct vec3f v)
{
    vectors->x[at] = v.x;
    vectors->y[at] = v.y;
    vectors->z[at] = v.z;
}

/* Append a triangle to the block, unless it is UV_DEGENERATE. */
static void load(const struct tangent_mesh *mesh, const uint32_t *index,
                 struct block *block)
{
    uint32_t t = block->count;
    const float *uv[3];
    struct vec3f p[3];
    struct vec3f u;
    enum uv_winding winding;
    float v1;
    float v2;

    for (int i = 0; i < 3; i++)
        uv[i] = mesh->uvs + 2 * (size_t)index[i];
    winding = uv_winding_of(uv[0], uv[1], uv[2]);
    if (winding == UV_DEGENERATE)
        return;
    block->count++;
    block->indices[t] = index;
    block->signs[t] = winding == UV_PLAIN ? 1.0f : -1.0f;
    for (int i = 0; i < 3; i++)
        p[i] = load3f(mesh->positions + 3 * (size_t)index[i]);
    for (uint32_t i = 0; i < 3; i++) {
        const struct vec3 *normal = &mesh->normals[index[i]];
        struct vec3f n = {(float)normal->x, (float)normal->y, (float)normal->z};

        put(&block->normals, i * BLOCK + t, n);
        put(&block->before, i * BLOCK + t, sub3f(p[(i + 2) % 3], p[i]));
        put(&block->after, i * BLOCK + t, sub3f(p[(i + 1) % 3], p[i]));
    }
    v1 = uv[1][1] - uv[0][1];
    v2 = uv[2][1] - uv[0][1];
    p[1] = sub3f(p[1], p[0]);
    p[2] = sub3f(p[2], p[0]);
    u.x = v2 * p[1].x - v1 * p[2].x;
    u.y = v2 * p[1].y - v1 * p[2].y;
    u.z = v2 * p[1].z - v1 * p[2].z;
    put(&block->tangents, t, u);
}

/* -- blocks -- */

/* Normalize the triangles' tangents and copy them to all three corners. */
static void scale_u(struct block *block)
{
    struct vectors *u = &block->tangents;

    for (uint32_t t = 0; t < BLOCK; t++) {
        float length =
            sqrtf(u->x[t] * u->x[t] + u->y[t] * u->y[t] + u->z[t] * u->z[t]);
        float scale = block->signs[t] / length;

        block->u_lengths[t] = length;
        u->x[t] = scale * u->x[t];
        u->y[t] = scale * u->y[t];
        u->z[t] = scale * u->z[t];
    }
    for (uint32_t c = BLOCK; c < CORNERS; c++) {
        u->x[c] = u->x[c - BLOCK];
        u->y[c] = u->y[c - BLOCK];
        u->z[c] = u->z[c - BLOCK];
    }
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Project the vectors v into the planes of the normals n. Normalize those whose
 * largest component is then above FLT_MIN. */
static void project(const struct vectors *n, struct vectors *v,
                    float largest[CORNERS])
{
    for (uint32_t c = 0; c < CORNERS; c++) {
        float along = n->x[c] * v->x[c] + n->y[c] * v->y[c] + n->z[c] * v->z[c];
        float x = v->x[c] - along * n->x[c];
        float y = v->y[c] - along * n->y[c];
        float z = v->z[c] - along * n->z[c];
        float scale = 1.0f / sqrtf(x * x + y * y + z * z);

        largest[c] = larger(larger(fabsf(x), fabsf(y)), fabsf(z));
        scale = largest[c] > FLT_MIN ? scale : 1.0f;
        v->x[c] = scale * x;
        v->y[c] = scale * y;
        v->z[c] = scale * z;
    }
}

static void find_angles(struct block *block)
{
    const struct vectors *a = &block->before;
    const struct vectors *b = &block->after;

    for (uint32_t c = 0; c < CORNERS; c++) {
        double cosine =
            a->x[c] * b->x[c] + a->y[c] * b->y[c] + a->z[c] * b->z[c];

        cosine = cosine < 1 ? cosine : 1;
        cosine = cosine > -1 ? cosine : -1;
        block->cosines[c] = cosine;
        block->sines[c] = sqrt((1 - cosine) * (1 + cosine));
    }
    arith_angles(block->sines, block->cosines, CORNERS, block->angles);
}

/* Add the terms of the block to the vertices, and empty it. */
static void add_block(const struct tangent_mesh *mesh, struct block *block,
                      struct vec3 *tangents)
{
    const struct vectors *v = &block->tangents;

    scale_u(block);
    project(&block->normals, &block->tangents, block->largest);
    project(&block->normals, &block->before, block->ignored);
    project(&block->normals, &block->after, block->ignored);
    find_angles(block);
    for (uint32_t t = 0; t < block->count; t++) {
        if (!(block->u_lengths[t] > FLT_MIN))
            continue;
        for (uint32_t c = t; c < CORNERS; c += BLOCK) {
            uint32_t self = block->indices[t][c / BLOCK];
            struct vec3 *sum =
                &tangents[mesh->tangent_source ? mesh->tangent_source[self]
                                               : self];
            struct vec3 tangent = vec3_make(v->x[c], v->y[c], v->z[c]);

            if (block->largest[c] > FLT_MIN)
                *sum = vec3_add(*sum, vec3_scale(tangent, block->angles[c]));
        }
    }
    block->count = 0;
}

static void add_triangles(const struct tangent_mesh *mesh,
                          struct vec3 *tangents)
{
    struct block block = {0};

    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        load(mesh, mesh->indices + 3 * (size_t)t, &block);
        if (block.count == BLOCK)
            add_block(mesh, &block, tangents);
    }
    add_block(mesh, &block, tangents);
}

/* -- vertices -- */

static struct vec3 tangent_of_anchor(const struct tangent_mesh *mesh,
                                     const struct tangent_anchor *anchor,
                                     struct vec3 normal)
{
    const uint32_t *index = mesh->indices + 3 * (size_t)anchor->triangle;
    struct vec3 p[3];
    struct vec3 tangent;

    for (int i = 0; i < 3; i++)
        p[i] = vec3_load(mesh->positions + 3 * (size_t)index[i]);
    tangent = vec3_add(
        vec3_scale(vec3_sub(p[1], p[0]), (double)anchor->along_first),
        vec3_scale(vec3_sub(p[2], p[0]), (double)anchor->along_second));
    if (vec3_normalize(&tangent)) {
        tangent = vec3_reject(tangent, normal);
        /* A tangent that is almost parallel to the normal is rounding. */
        if (vec3_length(tangent) > 1e-6 && vec3_normalize(&tangent))
            return tangent;
    }
    return vec3_orthogonal(normal);
}

void tangents_make(const struct tangent_mesh *mesh,
                   const struct tangent_anchor *anchors, struct vec3 *tangents)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        tangents[v] = vec3_make(0, 0, 0);
    if (mesh->uvs)
        add_triangles(mesh, tangents);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        struct vec3 normal = mesh->normals[v];

        /* A vertex with a smaller number: already done. */
        if (mesh->tangent_source && mesh->tangent_source[v] != v)
            tangents[v] = tangents[mesh->tangent_source[v]];
        else if (!vec3_normalize(&tangents[v]))
            tangents[v] = tangent_of_anchor(mesh, &anchors[v], normal);
    }
}

/* Solve along_first * e1 + along_second * e2 = wanted, in the triangle. */
static void solve_anchor(struct vec3 e1, struct vec3 e2, struct vec3 wanted,
                         struct tangent_anchor *anchor)
{
    double a = vec3_dot(e1, e1);
    double b = vec3_dot(e1, e2);
    double c = vec3_dot(e2, e2);
    double p = vec3_dot(wanted, e1);
    double q = vec3_dot(wanted, e2);
    double determinant = a * c - b * b;
    double first = p * c - q * b;
    double second = q * a - p * b;
    double larger = fabs(first) > fabs(second) ? fabs(first) : fabs(second);

    anchor->along_first = 1;
    anchor->along_second = 0;
    if (!(determinant > 1e-12 * a * c) || !(larger > 0))
        return;
    /* Only the direction counts. */
    anchor->along_first = (float)(first / larger);
    anchor->along_second = (float)(second / larger);
}

void tangents_anchor(const struct tangent_mesh *mesh,
                     struct tangent_anchor *anchors)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        anchors[v].triangle = TANGENTS_NONE;
    for (uint32_t c = 0; c < 3 * mesh->triangle_count; c++) {
        const uint32_t *index = mesh->indices + c / 3 * 3;
        struct tangent_anchor *anchor = &anchors[mesh->indices[c]];
        struct vec3 normal = mesh->normals[mesh->indices[c]];
        struct vec3 wanted = vec3_make(1, 0, 0);
        struct vec3 p[3];

        if (anchor->triangle != TANGENTS_NONE)
            continue;
        anchor->triangle = c / 3;
        for (int i = 0; i < 3; i++)
            p[i] = vec3_load(mesh->positions + 3 * (size_t)index[i]);
        if (fabs(normal.x) > 0.9)
            wanted = vec3_make(0, 1, 0);
        solve_anchor(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]),
                     vec3_reject(wanted, normal), anchor);
    }
}
