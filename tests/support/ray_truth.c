/* ray_truth.c - what a ray hits, by testing every triangle in doubles. */
/* SPDX-License-Identifier: MIT */
#include "support/ray_truth.h"

#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const spn_vertex_layout layout = {.stride = 12,
                                         .position = {0, SPN_FORMAT_F32X3}};

/* -- triangles -- */

static double determinant(const float m[12])
{
    return (double)m[0] * ((double)m[5] * m[10] - (double)m[6] * m[9]) -
           (double)m[1] * ((double)m[4] * m[10] - (double)m[6] * m[8]) +
           (double)m[2] * ((double)m[4] * m[9] - (double)m[5] * m[8]);
}

static void add(struct ray_truth *t, const struct truth_triangle *which,
                const float *vertices, const uint32_t *indices,
                const float world[12])
{
    struct truth_triangle *out = &t->triangles[t->count++];
    const double volume = determinant(world);
    double cube = 0;

    *out = *which;
    for (int k = 0; k < 12; k++)
        cube = fmax(cube, fabs(world[k]));
    out->is_flat = fabs(volume) <= 1e-4 * cube * cube * cube;
    out->is_mirrored = volume < 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const float *p = vertices + 3 * (size_t)indices[i];
            double sum = world[4 * k + 3];

            for (int j = 0; j < 3; j++)
                sum += (double)world[4 * k + j] * p[j];
            out->corner[i][k] = sum;
            t->size = fmax(t->size, fabs(sum));
        }
}

static void add_mesh(struct ray_truth *t, struct truth_triangle which,
                     const float *vertices, const uint32_t *indices,
                     uint32_t index_count, const float world[12])
{
    t->triangles = realloc(t->triangles, (t->count + index_count / 3 + 1) *
                                             sizeof *t->triangles);
    for (uint32_t i = 0; i < index_count / 3; i++) {
        which.triangle = i;
        add(t, &which, vertices, indices + (size_t)i * 3, world);
    }
}

static void add_scene_node(struct ray_truth *t, spn_runtime *rt,
                           spn_cache cache, spn_node node, uint32_t scene_node,
                           const float world[12])
{
    struct truth_triangle which = {.scene_node = scene_node};
    spn_scene_node_info info;
    spn_mesh_info mesh;
    spn_fill_result filled;
    float *vertices;
    uint32_t *indices;

    CHECK_EQ(spn_cache_get_scene_node(rt, cache, scene_node, &info), SPN_OK);
    which.mesh = info.mesh;
    CHECK_EQ(spn_cache_get_mesh(rt, cache, info.mesh, &mesh), SPN_OK);
    vertices = calloc(mesh.vertex_count, 12);
    indices = calloc(mesh.index_count + 1, 4);
    CHECK_EQ(spn_node_fill(rt, node, info.mesh, &layout, vertices,
                           (uint64_t)mesh.vertex_count * 12, &filled),
             SPN_OK);
    CHECK_EQ(spn_cache_copy_indices(rt, cache, info.mesh, 4, indices,
                                    mesh.index_count),
             SPN_OK);
    if (filled.is_visible)
        add_mesh(t, which, vertices, indices, mesh.index_count, world);
    free(vertices);
    free(indices);
}

void ray_truth_take(struct ray_truth *t, spn_runtime *rt, spn_cache cache,
                    spn_node node, uint32_t mask)
{
    spn_cache_info info;
    float *matrices;
    uint8_t *visible;

    *t = (struct ray_truth){0};
    CHECK_EQ(spn_cache_get_info(rt, cache, &info), SPN_OK);
    matrices = calloc(info.scene_node_count, 48);
    visible = calloc(info.scene_node_count, 1);
    CHECK_EQ(spn_node_get_transforms(rt, node, matrices, visible,
                                     info.scene_node_count),
             SPN_OK);
    for (uint32_t i = 0; i < info.scene_node_count; i++) {
        spn_scene_node_info scene_node;

        CHECK_EQ(spn_cache_get_scene_node(rt, cache, i, &scene_node), SPN_OK);
        if (visible[i] && scene_node.mesh != UINT32_MAX &&
            (mask >> scene_node.mesh & 1))
            add_scene_node(t, rt, cache, node, i, matrices + (size_t)i * 12);
    }
    free(matrices);
    free(visible);
}

void ray_truth_take_mesh(struct ray_truth *t, spn_runtime *rt, spn_mesh_id mesh)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    struct truth_triangle which = {.scene_node = UINT32_MAX,
                                   .mesh = UINT32_MAX};
    spn_static_mesh info;
    float *vertices;
    uint32_t *indices;

    *t = (struct ray_truth){0};
    CHECK_EQ(spn_mesh_get_info(rt, mesh, &info), SPN_OK);
    vertices = calloc(info.vertex_count, 12);
    indices = calloc(info.index_count + 1, 4);
    CHECK_EQ(spn_mesh_copy_vertices(rt, mesh, &layout, vertices,
                                    (uint64_t)info.vertex_count * 12),
             SPN_OK);
    CHECK_EQ(spn_mesh_copy_indices(rt, mesh, 4, indices, info.index_count),
             SPN_OK);
    add_mesh(t, which, vertices, indices, info.index_count, identity);
    free(vertices);
    free(indices);
}

void ray_truth_free(struct ray_truth *t)
{
    free(t->triangles);
}

/* -- rays -- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] =
            a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double normalize(double v[3])
{
    const double length = sqrt(dot(v, v));

    for (int k = 0; k < 3 && length > 0; k++)
        v[k] /= length;
    return length;
}

/* A triangle and a ray. */
struct meeting {
    double normal[3];
    double slope;    /* |cos| between normal and ray; 0: no area */
    double distance; /* to the plane of the triangle */
    double inside;   /* how far the ray passes inside of the nearest edge, seen
                      * along the ray; negative: outside */
    double nearest;  /* distances of the corners */
    double farthest;
};

/* How far the ray passes from a segment, seen along the ray. Its ends are
 * relative to the origin. */
static double segment_distance(const double a[3], const double b[3],
                               const double direction[3])
{
    double from[3];
    double to[3];
    double along[3];
    double part = 0;

    for (int k = 0; k < 3; k++) {
        from[k] = a[k] - dot(a, direction) * direction[k];
        to[k] = b[k] - dot(b, direction) * direction[k];
    }
    subtract(to, from, along);
    if (dot(along, along) > 0)
        part = fmin(fmax(-dot(from, along) / dot(along, along), 0), 1);
    for (int k = 0; k < 3; k++)
        from[k] += part * along[k];
    return sqrt(dot(from, from));
}

static void meet(const struct truth_triangle *t, const double origin[3],
                 const double direction[3], struct meeting *out)
{
    double relative[3][3];
    double edge[2][3];
    double sign;

    *out = (struct meeting){
        .inside = INFINITY, .nearest = INFINITY, .farthest = -INFINITY};
    for (int i = 0; i < 3; i++) {
        subtract(t->corner[i], origin, relative[i]);
        out->nearest = fmin(out->nearest, dot(relative[i], direction));
        out->farthest = fmax(out->farthest, dot(relative[i], direction));
    }
    subtract(t->corner[1], t->corner[0], edge[0]);
    subtract(t->corner[2], t->corner[0], edge[1]);
    cross(edge[0], edge[1], out->normal);
    if (normalize(out->normal) == 0) {
        /* The rounding of its corners may give it an area. */
        out->inside = -INFINITY;
        for (int i = 0; i < 3; i++)
            out->inside =
                fmax(out->inside,
                     -segment_distance(relative[i], relative[(i + 1) % 3],
                                       direction));
        return;
    }
    sign = dot(out->normal, direction) > 0 ? 1 : -1;
    out->slope = fabs(dot(out->normal, direction));
    out->distance = dot(out->normal, relative[0]) / dot(out->normal, direction);
    for (int i = 0; i < 3; i++) {
        double along[3];
        double across[3];

        subtract(relative[(i + 1) % 3], relative[i], along);
        cross(direction, along, across);
        /* An edge along the ray has no inside. */
        if (normalize(across) > 0)
            out->inside = fmin(out->inside, -sign * dot(across, relative[i]));
    }
}

/* Whether two numbers are equal within the rounding of the distance, which is
 * large if the ray is nearly in the plane of the triangle. */
static bool is_near(double a, double b, const struct meeting *m, double error)
{
    return m->slope < 1e-3 || fabs(a - b) <= 4 * error / m->slope;
}

/* The triangle that is reported is hit there. */
static void check_triangle(const struct truth_triangle *t,
                           const struct meeting *m, const spn_ray_hit *hit,
                           const double origin[3], const double direction[3],
                           double error)
{
    const bool is_turned = t->is_mirrored;
    double sum = 0;

    CHECK(m->inside >= -error);
    CHECK(hit->distance >= m->nearest - error &&
          hit->distance <= m->farthest + error);
    CHECK(is_near(hit->distance, m->distance, m, error));
    for (int k = 0; k < 3; k++) {
        const double mixed = hit->barycentric[0] * t->corner[0][k] +
                             hit->barycentric[1] * t->corner[1][k] +
                             hit->barycentric[2] * t->corner[2][k];

        CHECK_NEAR(hit->position[k], mixed, error);
        CHECK(is_near(hit->position[k],
                      origin[k] + direction[k] * hit->distance, m, error));
        sum += hit->barycentric[k];
        CHECK(hit->barycentric[k] >= 0);
    }
    CHECK_NEAR(sum, 1, 1e-5);
    /* Normals of slivers are not exact. */
    if (!t->is_flat && m->inside > 100 * error) {
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(hit->normal[k], is_turned ? -m->normal[k] : m->normal[k],
                       0.02);
        if (m->slope > 0.05)
            CHECK_EQ_U(hit->is_back,
                       (dot(m->normal, direction) > 0) == !is_turned);
    }
}

static const struct truth_triangle *find(const struct ray_truth *t,
                                         const spn_ray_hit *hit)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->triangles[i].scene_node == hit->scene_node &&
            t->triangles[i].mesh == hit->mesh &&
            t->triangles[i].triangle == hit->triangle)
            return &t->triangles[i];
    return NULL;
}

void ray_truth_check(const struct ray_truth *t, const spn_ray *ray,
                     const spn_ray_hit *hit)
{
    static const spn_ray_hit miss;
    const double limit = ray->distance_max > 0 ? ray->distance_max : INFINITY;
    double origin[3];
    double direction[3];
    double error = t->size;
    struct meeting m;

    for (int k = 0; k < 3; k++) {
        origin[k] = ray->origin[k];
        direction[k] = ray->direction[k];
        error = fmax(error, fabs(origin[k]));
    }
    error *= 4e-6;
    (void)normalize(direction);
    for (uint32_t i = 0; i < t->count; i++) {
        meet(&t->triangles[i], origin, direction, &m);
        /* What is clearly hit is not missed. */
        if (m.inside > error && m.slope > 0.01 && m.distance > 400 * error &&
            m.distance < limit - 400 * error)
            CHECK(hit->is_hit &&
                  hit->distance <= m.distance + 4 * error / m.slope);
    }
    if (!hit->is_hit) {
        CHECK_MEM(hit, &miss, sizeof miss);
        return;
    }
    CHECK(hit->distance >= 0 && hit->distance <= limit);
    CHECK(find(t, hit) != NULL);
    if (!find(t, hit))
        return;
    meet(find(t, hit), origin, direction, &m);
    check_triangle(find(t, hit), &m, hit, origin, direction, error);
}
