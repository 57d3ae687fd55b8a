/* draw_list.c - the scene nodes of a node that are drawn, with their boxes.
 *
 * Matrices are computed in the items of the caller, at the index of the scene
 * node, because a matrix needs that of the parent, which may show nothing. Then
 * the items that show something move to the front.
 */
/* SPDX-License-Identifier: MIT */
#include "scene/draw_list.h"

#include "base/mem.h"
#include "play/cache_meshes.h"
#include "play/decoded_frame.h"
#include "play/node/node_fill.h"
#include "play/node/node_pose.h"

#include <stdbool.h>
#include <stddef.h>

/* Values of debug_draw_mode. */
enum { DRAW_ANIMATED = 1, DRAW_STATIC = 2 };

/* Bound of the rounding of a box and of vertices, for coordinates of size 1:
 * each is the result of at most eight operations. */
#define BOX_MARGIN 1e-6f

/* -- boxes -- */

/* Positions are interpolated linearly between the frames, and so are the sides
 * of their boxes. */
static void mesh_box(const struct fill_frames *frames, uint32_t mesh,
                     float low[3], float high[3])
{
    float next_low[3];
    float next_high[3];

    spn__decoded_frame_box(frames->floor, mesh, low, high);
    if (frames->ceil == frames->floor)
        return;
    spn__decoded_frame_box(frames->ceil, mesh, next_low, next_high);
    for (uint32_t k = 0; k < 3; k++) {
        low[k] += (next_low[k] - low[k]) * frames->alpha;
        high[k] += (next_high[k] - high[k]) * frames->alpha;
    }
}

static float magnitude(float x)
{
    return x < 0 ? -x : x;
}

/* The box around a transformed box. The margin is relative to the range of the
 * positions in the whole clip: the rounding of dequantized positions is. */
static void transform_box(const float matrix[12],
                          const struct channel_range *range, const float low[3],
                          const float high[3], float out_min[3],
                          float out_max[3])
{
    for (uint32_t r = 0; r < 3; r++) {
        const float *row = matrix + (size_t)r * 4;
        float min = row[3];
        float max = row[3];
        float size = magnitude(row[3]);

        for (uint32_t k = 0; k < 3; k++) {
            const float a = row[k] * low[k];
            const float b = row[k] * high[k];

            min += a < b ? a : b;
            max += a < b ? b : a;
            size +=
                magnitude(row[k]) * (magnitude(range->min[k]) + range->size[k]);
        }
        out_min[r] = min - size * BOX_MARGIN;
        out_max[r] = max + size * BOX_MARGIN;
    }
}

/* -- items -- */

/* Find the frames of a mesh that is drawn. */
static bool is_drawn(const struct node *n, const struct node_pose *pose,
                     uint32_t scene_node, struct fill_frames *frames)
{
    const uint32_t mesh = n->cache->tables.nodes[scene_node].mesh;
    const uint32_t mode =
        n->manager->config.tuning->value[TUNING_debug_draw_mode];
    bool is_static;

    if (mesh == CACHE_NONE || !spn__node_pose_shows(pose, scene_node) ||
        !spn__cursor_wants_mesh(&n->cursor, mesh))
        return false;
    is_static = cache_static_mesh(n->cache, mesh) != NULL;
    if (mode == (is_static ? DRAW_ANIMATED : DRAW_STATIC))
        return false;
    return spn__node_fill_frames(n, &n->shown, mesh, frames);
}

/* `matrix` may be that of `out`. */
static void write_item(const struct node *n, uint32_t scene_node,
                       const struct fill_frames *frames, const float matrix[12],
                       spn_draw_item *out)
{
    const struct cache *c = n->cache;
    const uint32_t mesh = c->tables.nodes[scene_node].mesh;
    const struct cache_mesh *info = &c->tables.meshes[mesh];
    const struct static_mesh *shared = cache_static_mesh(c, mesh);
    float low[3];
    float high[3];

    memmove(out->matrix, matrix, sizeof out->matrix);
    out->node = n->handle;
    out->scene_node = scene_node;
    out->mesh = mesh;
    out->material_count = info->material_count;
    out->materials = c->tables.materials + info->first_material;
    out->mesh_id = shared ? static_mesh_id(shared) : 0;
    out->material_set = 0;
    out->group = SPN_DRAW_SINGLE;
    out->order = 0;
    mesh_box(frames, mesh, low, high);
    transform_box(out->matrix, &info->range[CHANNEL_POSITION], low, high,
                  out->box_min, out->box_max);
}

uint32_t spn__draw_list(const struct views *views, const struct node *n,
                        spn_draw_item *items)
{
    struct node_pose pose;
    uint32_t count = 0;

    if (spn__view_drawing(views, n).what != SPN_DRAW_CACHE ||
        !spn__node_pose_find(n, &pose))
        return 0;
    for (uint32_t i = 0; i < n->cache->header.node_count; i++) {
        const uint32_t parent = n->cache->tables.nodes[i].parent;

        spn__node_pose_matrix(
            &pose, i, parent == CACHE_NONE ? NULL : items[parent].matrix,
            items[i].matrix);
    }
    for (uint32_t i = 0; i < n->cache->header.node_count; i++) {
        struct fill_frames frames;

        if (is_drawn(n, &pose, i, &frames))
            write_item(n, i, &frames, items[i].matrix, &items[count++]);
    }
    return count;
}
