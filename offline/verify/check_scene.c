/* check_scene.c - times, scales and nodes of the cache against the archive. */
/* SPDX-License-Identifier: MIT */
#include "verify/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times this close are one. */
#define SAME_TIME_S 1.0e-5
/* Float rounding of matrices, relative to the largest numbers involved. */
#define MATRIX_ROUNDING 4e-6
#define POSITION_ROUNDING 4e-7

/* ---- times --------------------------------------------------------------- */

struct times {
    double *items;
    size_t count;
    size_t capacity;
};

static void add_time(struct times *times, double time)
{
    if (times->count == times->capacity) {
        size_t capacity = times->capacity ? times->capacity * 2 : 1024;
        double *items = realloc(times->items, capacity * sizeof *items);

        if (!items)
            exit(EXIT_INTERNAL);
        times->items = items;
        times->capacity = capacity;
    }
    times->items[times->count++] = time;
}

/* The times of all samples of a property that are not all the same. */
static bool add_property(struct check *check, struct times *times,
                         const struct abc_property *property)
{
    struct abc_sample first;
    bool is_animated = false;

    if (!property || property->sample_count < 2)
        return true;
    arena_reset(&check->frame);
    if (!abc_read(check->archive, property, 0, &check->frame, &first))
        return false;
    for (uint32_t i = 1; i < property->sample_count && !is_animated; i++) {
        struct abc_sample sample;

        if (!abc_read(check->archive, property, i, &check->frame, &sample))
            return false;
        is_animated = sample.bytes != first.bytes ||
                      (first.bytes > 0 &&
                       memcmp(sample.data, first.data, first.bytes) != 0);
    }
    for (uint32_t i = 0; i < property->sample_count && is_animated; i++)
        add_time(times,
                 abc_sample_time(
                     &check->archive->samplings[property->time_sampling], i));
    return true;
}

/* Does the transform cut itself off from what is above, for ever? */
static bool is_root_for_ever(struct check *check, const struct abc_xform *xform,
                             bool *is_root)
{
    bool inherits = true;

    *is_root = false;
    if (!xform->inherits || xform->inherits->sample_count != 1)
        return true;
    if (!abc_xform_inherits(check->archive, xform, 0, &inherits))
        return false;
    *is_root = !inherits;
    return true;
}

static bool add_chain(struct check *check, struct times *times,
                      const struct eval_chain *chain)
{
    bool is_root = false;

    for (uint32_t i = 0; i < chain->count; i++) {
        const struct eval_link *link = &chain->links[i];

        if (!add_property(check, times, abc_visibility(link->object)))
            return false;
        if (!link->is_xform || is_root)
            continue;
        if ((link->xform.op_count > 0 &&
             !add_property(check, times, link->xform.values)) ||
            !add_property(check, times, link->xform.inherits) ||
            !is_root_for_ever(check, &link->xform, &is_root))
            return false;
    }
    return true;
}

static bool add_mesh(struct check *check, struct times *times,
                     const struct check_mesh *m)
{
    const struct abc_mesh *mesh = &m->corners.mesh;

    if (!m->object)
        return true;
    if (!add_property(check, times, mesh->positions))
        return false;
    if (m->corners.has_normals &&
        !(add_property(check, times, mesh->normals.values) &&
          add_property(check, times, mesh->normals.indices)))
        return false;
    if (m->corners.has_uvs && !(add_property(check, times, mesh->uvs.values) &&
                                add_property(check, times, mesh->uvs.indices)))
        return false;
    return !m->corners.has_colors ||
           (add_property(check, times, m->corners.colors.values) &&
            add_property(check, times, m->corners.colors.indices));
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static double nearest_time(const double *times, size_t count, double time)
{
    size_t low = 0;
    size_t high = count;
    double best = INFINITY;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < count)
        best = fabs(times[low] - time);
    if (low > 0)
        best = fmin(best, fabs(times[low - 1] - time));
    return best;
}

static void compare_all_times(struct check *check, const struct times *times)
{
    uint32_t frame_count = check->header->frame_count;
    double limit = SAME_TIME_S * 1.01;

    for (size_t i = 0; i < times->count; i++)
        if (nearest_time(check->seconds, frame_count, times->items[i]) > limit)
            check->report->missing_frames++;
    for (uint32_t f = 0; f < frame_count && times->count > 0; f++) {
        double off =
            nearest_time(times->items, times->count, check->seconds[f]);

        check->report->surplus_frames += off > limit;
        verify_add(&check->report->time, off, limit, f, 0, 0);
    }
    if (times->count == 0)
        check->report->surplus_frames += frame_count - 1;
}

bool check_times(struct check *check)
{
    struct times times = {NULL, 0, 0};
    bool is_good = true;

    for (uint32_t i = 0; i < check->node_count && is_good; i++)
        is_good = add_chain(check, &times, &check->nodes[i].chain);
    for (uint32_t i = 0; i < check->header->mesh_count && is_good; i++)
        is_good = add_mesh(check, &times, &check->meshes[i]);
    if (is_good) {
        size_t unique = 0;

        if (times.count > 0)
            qsort(times.items, times.count, sizeof *times.items, compare_times);
        for (size_t i = 0; i < times.count; i++)
            if (unique == 0 || times.items[i] != times.items[unique - 1])
                times.items[unique++] = times.items[i];
        times.count = unique;
        compare_all_times(check, &times);
    }
    free(times.items);
    return is_good;
}

/* ---- scales -------------------------------------------------------------- */

bool check_world(struct check *check, const struct check_node *node,
                 double time, double matrix[16])
{
    /* Row vectors: y goes to z, z to -y. */
    static const double up_z[16] = {1, 0,  0, 0, 0, 0, 1, 0,
                                    0, -1, 0, 0, 0, 0, 0, 1};
    double world[16];

    if (!eval_world(&node->chain, check->archive, time, &check->mesh, world))
        return false;
    if (check->options->up == 'Z')
        eval_multiply(world, up_z, matrix);
    else
        memcpy(matrix, world, sizeof world);
    return true;
}

static void set_tolerances(struct check *check, struct check_mesh *m)
{
    const struct cache_mesh *mesh = &check->tables->meshes[m->mesh];
    double precision = check->header->precision_mm;

    for (int c = 0; c < 3; c++) {
        double low = (double)mesh->position_min[c];
        double size = (double)mesh->position_size[c];
        double step = size / ((1u << mesh->position_bits[c]) - 1);
        double largest = fmax(fabs(low), fabs(low + size));

        m->tolerance[c] = step / 2 + largest * POSITION_ROUNDING + 1e-12;
        if (size > 0 && mesh->position_bits[c] < 16 &&
            (precision <= 0 || step * m->axis_scale[c] > precision * 1.001))
            check->report->coarse_axes++;
    }
    for (int c = 0; c < 2; c++) {
        double low = (double)mesh->uv_min[c];
        double size = (double)mesh->uv_size[c];

        m->uv_tolerance[c] =
            size / 65535 / 2 +
            fmax(fabs(low), fabs(low + size)) * POSITION_ROUNDING + 1e-12;
    }
}

bool check_scales(struct check *check)
{
    for (uint32_t i = 0; i < check->node_count; i++) {
        struct check_mesh *m;

        if (check->nodes[i].mesh == CACHE_NONE)
            continue;
        m = &check->meshes[check->nodes[i].mesh];
        for (uint32_t f = 0; f < check->header->frame_count; f++) {
            double w[16];

            arena_reset(&check->mesh);
            if (!check_world(check, &check->nodes[i], check->seconds[f], w))
                return false;
            for (int axis = 0; axis < 3; axis++) {
                const double *row = w + axis * 4;
                double scale =
                    sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]) *
                    check->unit_mm;

                if (scale > m->axis_scale[axis])
                    m->axis_scale[axis] = scale;
            }
        }
    }
    for (uint32_t i = 0; i < check->header->mesh_count; i++)
        if (check->meshes[i].object)
            set_tolerances(check, &check->meshes[i]);
    return true;
}

/* ---- nodes in a frame --------------------------------------------------- */

static void unpack_tns(const struct quat_tns *t, double m[12])
{
    double x = (double)t->rotation[0];
    double y = (double)t->rotation[1];
    double z = (double)t->rotation[2];
    double w = (double)t->rotation[3];
    double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),
                   2 * (x * z + y * w),     2 * (x * y + z * w),
                   1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                   2 * (x * z - y * w),     2 * (y * z + x * w),
                   1 - 2 * (x * x + y * y)};

    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++)
            m[i * 4 + c] = r[i * 3 + c] * (double)t->scale[c];
        m[i * 4 + 3] = (double)t->translation[i];
    }
}

/* Column-vector 3 x 4 matrix in doubles. */
static void node_matrix(const struct transform *transform, double m[12])
{
    if (transform->is_affine) {
        for (int i = 0; i < 12; i++)
            m[i] = (double)transform->affine[i];
        return;
    }
    unpack_tns(&transform->tns, m);
}

static void move(const double m[12], const double p[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i * 4] * p[0] + m[i * 4 + 1] * p[1] + m[i * 4 + 2] * p[2] +
                 m[i * 4 + 3];
}

/* A point of a node's space in the world, by the cache. `largest`: of all
 * numbers on the way. */
static void cache_point(const struct check *check,
                        const struct transform *transforms, uint32_t node,
                        const double p[3], double out[3], double *largest)
{
    double at[3] = {p[0], p[1], p[2]};

    *largest = 0;
    for (uint32_t n = node; n != CACHE_NONE;
         n = check->tables->nodes[n].parent) {
        double m[12];

        node_matrix(&transforms[n], m);
        move(m, at, out);
        memcpy(at, out, sizeof at);
        for (int i = 0; i < 3; i++)
            *largest = fmax(*largest, fmax(fabs(at[i]), fabs(m[4 * i + 3])));
    }
}

/* Corners of the mesh's box; without a mesh, of a box of one unit. */
static void check_corners(struct check *check, const struct check_node *node,
                          const struct transform *transforms,
                          const double w[16], uint32_t frame)
{
    static const struct cache_mesh unit = {.position_size = {1, 1, 1}};
    const struct cache_mesh *mesh =
        node->mesh == CACHE_NONE ? &unit : &check->tables->meshes[node->mesh];

    for (int corner = 0; corner < 8; corner++) {
        double p[3];
        double found[3];
        double largest;
        double square = 0;

        for (int c = 0; c < 3; c++)
            p[c] = (double)mesh->position_min[c] +
                   (corner >> c & 1 ? (double)mesh->position_size[c] : 0);
        cache_point(check, transforms, node->node, p, found, &largest);
        for (int c = 0; c < 3; c++) {
            double truth =
                p[0] * w[c] + p[1] * w[4 + c] + p[2] * w[8 + c] + w[12 + c];

            square += (found[c] - truth) * (found[c] - truth);
            largest = fmax(largest, fabs(p[c]));
        }
        verify_add(&check->report->transform, sqrt(square) * check->unit_mm,
                   (largest * MATRIX_ROUNDING + 1e-9) * check->unit_mm, frame,
                   node->mesh == CACHE_NONE ? VERIFY_NO_MESH : node->mesh,
                   node->node);
    }
}

bool check_nodes(struct check *check, uint32_t frame)
{
    const struct cache_reader_frame *now =
        cache_reader_frame(check->reader, frame);

    if (!now)
        return false;
    for (uint32_t i = 0; i < check->node_count; i++) {
        const struct check_node *node = &check->nodes[i];
        bool is_visible;
        double w[16];

        arena_reset(&check->mesh);
        if (!eval_visible(&node->chain, check->archive, check->seconds[frame],
                          &is_visible) ||
            !check_world(check, node, check->seconds[frame], w))
            return false;
        check->report->wrong_visibility +=
            is_visible != now->visible[node->node];
        check_corners(check, node, now->transforms, w, frame);
    }
    return true;
}
