/* tangents.c - groups by edges, sums by angles, frames to quaternions.
 *
 * Written from the published algorithm; its choices are kept where they
 * show: an edge joins the first two triangles that run along it in opposite
 * directions; a triangle without area in the texture joins the first group
 * that reaches it, and contributes nothing.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/tangents.h"

#include "geom/channel.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum tangent_side tangents_side(const float *uv0, const float *uv1,
                                const float *uv2)
{
    float u1 = uv1[0] - uv0[0];
    float v1 = uv1[1] - uv0[1];
    float u2 = uv2[0] - uv0[0];
    float v2 = uv2[1] - uv0[1];
    float area = u1 * v2 - v1 * u2;

    if (!(fabsf(area) > FLT_MIN))
        return TANGENT_FLAT;
    return area > 0 ? TANGENT_PLAIN : TANGENT_MIRRORED;
}

/* ---- groups -------------------------------------------------------------- */

struct edge {
    uint32_t low; /* smaller weld */
    uint32_t high;
    uint32_t corner; /* triangle corner where it begins */
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *e = a;
    const struct edge *f = b;

    if (e->low != f->low)
        return e->low < f->low ? -1 : 1;
    if (e->high != f->high)
        return e->high < f->high ? -1 : 1;
    return e->corner < f->corner ? -1 : 1;
}

static uint32_t corner_after(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static uint32_t corner_before(uint32_t corner)
{
    return corner % 3 == 0 ? corner + 2 : corner - 1;
}

static bool is_degenerate(const uint32_t *welds)
{
    return welds[0] == welds[1] || welds[1] == welds[2] || welds[2] == welds[0];
}

/* For each triangle corner, the triangle across the edge that begins there. */
static uint32_t *find_neighbours(const uint32_t *welds, uint32_t triangle_count,
                                 struct arena *arena, struct arena *scratch)
{
    uint32_t corner_count = 3 * triangle_count;
    struct edge *edges = ARENA_NEW(scratch, struct edge, corner_count);
    uint32_t *across = ARENA_NEW(arena, uint32_t, corner_count);
    uint32_t count = 0;

    for (uint32_t c = 0; c < corner_count; c++) {
        uint32_t a = welds[c];
        uint32_t b = welds[corner_after(c)];

        across[c] = TANGENTS_NONE;
        if (is_degenerate(welds + c / 3 * 3))
            continue;
        edges[count].low = a < b ? a : b;
        edges[count].high = a < b ? b : a;
        edges[count++].corner = c;
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c = edges[i].corner;

        for (uint32_t k = i + 1;
             across[c] == TANGENTS_NONE && k < count &&
             edges[k].low == edges[i].low && edges[k].high == edges[i].high;
             k++) {
            uint32_t d = edges[k].corner;

            if (across[d] != TANGENTS_NONE || welds[d] == welds[c])
                continue;
            across[c] = d / 3;
            across[d] = c / 3;
        }
    }
    return across;
}

void tangents_join(const uint32_t *welds, uint32_t triangle_count,
                   struct arena *arena, struct arena *scratch,
                   struct tangent_net *net)
{
    net->triangle_count = triangle_count;
    net->welds = welds;
    net->across = find_neighbours(welds, triangle_count, arena, scratch);
}

struct grouping {
    const uint32_t *welds;
    const uint32_t *across;
    uint8_t *side; /* a flat triangle takes that of its first group */
    uint32_t *group_of;
    uint32_t *stack;
    uint32_t depth;
};

static bool is_untouched(const struct grouping *grouping, uint32_t triangle)
{
    const uint32_t *group = grouping->group_of + 3 * (size_t)triangle;

    return group[0] == TANGENTS_NONE && group[1] == TANGENTS_NONE &&
           group[2] == TANGENTS_NONE;
}

/* Let a triangle join, if it agrees; then its neighbours come next, the one
 * across the edge that begins at the vertex first. */
static void join(struct grouping *grouping, uint32_t triangle, uint32_t weld,
                 uint32_t group, uint8_t side)
{
    uint32_t corner = 3 * triangle;

    while (grouping->welds[corner] != weld)
        corner++;
    if (grouping->group_of[corner] != TANGENTS_NONE)
        return;
    if (grouping->side[triangle] == TANGENT_FLAT &&
        is_untouched(grouping, triangle))
        grouping->side[triangle] = side;
    if (grouping->side[triangle] != side)
        return;
    grouping->group_of[corner] = group;
    if (grouping->across[corner_before(corner)] != TANGENTS_NONE)
        grouping->stack[grouping->depth++] =
            grouping->across[corner_before(corner)];
    if (grouping->across[corner] != TANGENTS_NONE)
        grouping->stack[grouping->depth++] = grouping->across[corner];
}

void tangents_group(const struct tangent_net *net, const uint8_t *sides,
                    struct arena *arena, struct tangent_groups *out)
{
    const uint32_t *welds = net->welds;
    uint32_t triangle_count = net->triangle_count;
    uint32_t corner_count = 3 * triangle_count;
    struct grouping grouping = {.welds = welds, .across = net->across};

    out->count = 0;
    out->group_of = ARENA_NEW(arena, uint32_t, corner_count);
    out->is_mirrored = ARENA_NEW(arena, uint8_t, corner_count);
    grouping.group_of = out->group_of;
    grouping.side = ARENA_NEW(arena, uint8_t, triangle_count);
    /* A corner joins once and then pushes two. */
    grouping.stack = ARENA_NEW(arena, uint32_t, 2 * (size_t)corner_count + 1);
    for (uint32_t t = 0; t < triangle_count; t++)
        grouping.side[t] = sides[t];
    for (uint32_t c = 0; c < corner_count; c++)
        out->group_of[c] = TANGENTS_NONE;
    for (uint32_t c = 0; c < corner_count; c++) {
        uint32_t group = out->count;
        uint8_t side = sides[c / 3];

        if (side == TANGENT_FLAT || is_degenerate(welds + c / 3 * 3) ||
            out->group_of[c] != TANGENTS_NONE)
            continue;
        out->is_mirrored[out->count++] = side == TANGENT_MIRRORED;
        grouping.stack[grouping.depth++] = c / 3;
        while (grouping.depth > 0)
            join(&grouping, grouping.stack[--grouping.depth], welds[c], group,
                 side);
    }
}

uint32_t *tangents_sums(const struct tangent_groups *groups,
                        const uint32_t *vertex_of, uint32_t corner_count,
                        uint32_t vertex_count, struct arena *arena)
{
    uint32_t *sum_of = ARENA_NEW(arena, uint32_t, vertex_count);
    uint32_t *first_of = ARENA_NEW(arena, uint32_t, groups->count);
    bool has_shared = false;

    memset(first_of, 0xff, groups->count * sizeof *first_of);
    for (uint32_t v = 0; v < vertex_count; v++)
        sum_of[v] = v;
    for (uint32_t c = 0; c < corner_count; c++) {
        uint32_t group = groups->group_of[c];

        if (group != TANGENTS_NONE && vertex_of[c] < first_of[group])
            first_of[group] = vertex_of[c];
    }
    for (uint32_t c = 0; c < corner_count; c++) {
        if (groups->group_of[c] == TANGENTS_NONE)
            continue;
        sum_of[vertex_of[c]] = first_of[groups->group_of[c]];
        has_shared = has_shared || sum_of[vertex_of[c]] != vertex_of[c];
    }
    return has_shared ? sum_of : NULL;
}

/* ---- a frame ------------------------------------------------------------- */

/* In single precision and in the order of the reference: on slivers rounding
 * is all that there is to a direction, and it should be the same. */
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

static struct vec3f scale3f(float s, struct vec3f v)
{
    struct vec3f out = {s * v.x, s * v.y, s * v.z};

    return out;
}

static struct vec3f sub3f(struct vec3f a, struct vec3f b)
{
    struct vec3f out = {a.x - b.x, a.y - b.y, a.z - b.z};

    return out;
}

static float dot3f(struct vec3f a, struct vec3f b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Without its part along n; of length one, if it has any. */
static bool lay3f(struct vec3f n, struct vec3f *v)
{
    *v = sub3f(*v, scale3f(dot3f(n, *v), n));
    if (!(fabsf(v->x) > FLT_MIN || fabsf(v->y) > FLT_MIN ||
          fabsf(v->z) > FLT_MIN))
        return false;
    *v = scale3f(1.0f / sqrtf(dot3f(*v, *v)), *v);
    return true;
}

/* The direction in which u grows, of length one; false: there is none. */
static bool u_direction(const struct tangent_mesh *mesh, const uint32_t *index,
                        struct vec3f *direction)
{
    const float *uv[3];
    struct vec3f p[3];
    enum tangent_side side;
    float length;

    for (int i = 0; i < 3; i++)
        uv[i] = mesh->uvs + 2 * (size_t)index[i];
    side = tangents_side(uv[0], uv[1], uv[2]);
    if (side == TANGENT_FLAT)
        return false;
    for (int i = 0; i < 3; i++)
        p[i] = load3f(mesh->positions + 3 * (size_t)index[i]);
    *direction = sub3f(scale3f(uv[2][1] - uv[0][1], sub3f(p[1], p[0])),
                       scale3f(uv[1][1] - uv[0][1], sub3f(p[2], p[0])));
    length = sqrtf(dot3f(*direction, *direction));
    if (!(length > FLT_MIN))
        return false;
    *direction =
        scale3f((side == TANGENT_PLAIN ? 1.0f : -1.0f) / length, *direction);
    return true;
}

static void add_triangle(const struct tangent_mesh *mesh, const uint32_t *index,
                         struct vec3 *tangents)
{
    struct vec3f direction;

    if (!u_direction(mesh, index, &direction))
        return;
    for (int i = 0; i < 3; i++) {
        uint32_t self = index[i];
        const struct vec3 *normal = &mesh->normals[self];
        struct vec3f n = {(float)normal->x, (float)normal->y, (float)normal->z};
        struct vec3f p = load3f(mesh->positions + 3 * (size_t)self);
        struct vec3f tangent = direction;
        struct vec3f edge[2];
        struct vec3 *sum;
        double cosine;
        double angle;

        if (!lay3f(n, &tangent))
            continue;
        for (int k = 0; k < 2; k++) {
            uint32_t other = index[(i + 2 - k) % 3];

            edge[k] = sub3f(load3f(mesh->positions + 3 * (size_t)other), p);
            lay3f(n, &edge[k]);
        }
        cosine = fmax(-1, fmin(1, dot3f(edge[0], edge[1])));
        angle = arith_angle(sqrt((1 - cosine) * (1 + cosine)), cosine);
        sum = &tangents[mesh->sum_of ? mesh->sum_of[self] : self];
        *sum = vec3_add(
            *sum,
            vec3_scale(vec3_make(tangent.x, tangent.y, tangent.z), angle));
    }
}

static struct vec3 anchored(const struct tangent_mesh *mesh,
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
        /* A tangent that is almost the normal says nothing. */
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
    for (uint32_t t = 0; mesh->uvs && t < mesh->triangle_count; t++)
        add_triangle(mesh, mesh->indices + 3 * (size_t)t, tangents);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        struct vec3 normal = mesh->normals[v];

        /* The first is done. */
        if (mesh->sum_of && mesh->sum_of[v] != v)
            tangents[v] = tangents[mesh->sum_of[v]];
        else if (!vec3_normalize(&tangents[v]))
            tangents[v] = anchored(mesh, &anchors[v], normal);
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

/* ---- packing ------------------------------------------------------------- */

void tangents_pack(struct vec3 normal, struct vec3 tangent, int16_t out[4])
{
    struct vec3 bitangent = vec3_cross(normal, tangent);
    double q[4];
    int sign;

    arith_quaternion(tangent, bitangent, normal, q);
    for (int i = 0; i < 4; i++)
        out[i] = (int16_t)floor(q[i] * QTANGENT_ONE + 0.5);
    sign = out[3];
    for (int i = 0; i < 3 && sign == 0; i++)
        sign = out[i];
    for (int i = 0; i < 4 && sign < 0; i++)
        out[i] = (int16_t)-out[i];
}
