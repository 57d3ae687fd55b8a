/* node_fill.c - fill the vertices of what is shown. */
/* SPDX-License-Identifier: MIT */
#include "play/node/node_fill.h"

#include "base/assert.h"
#include "play/cache_meshes.h"
#include "play/frame_buffer.h"
#include "play/frame_slot.h"
#include "play/node/node_pose.h"
#include "play/node/node_show.h"

#include <spindle/features.h>
#include <stddef.h>

bool spn__node_fill_frames(const struct node *n,
                           const struct node_picture *picture, uint32_t mesh,
                           struct fill_frames *out)
{
    const struct cache *c = n->cache;

    if (!spn__node_picture_frames(n, picture, out) ||
        !spn__mesh_source_has(c, out->floor, mesh))
        return false;
    if (!spn__mesh_source_has(c, out->ceil, mesh)) {
        out->ceil = out->floor;
        out->alpha = 0;
    }
    return true;
}

/* Use these two frames for velocities, if both are decoded and have the mesh.
 *
 * from, to  numbers in the clip: from < to */
static bool is_motion(const struct node *n, uint32_t from, uint32_t to,
                      uint32_t mesh, struct fill_motion *out)
{
    const int64_t us = cache_frame_at(n->cache, to)->time_us -
                       cache_frame_at(n->cache, from)->time_us;

    out->from = frame_slot_ready(n->cache, from);
    out->to = frame_slot_ready(n->cache, to);
    SPN_ASSERT(us > 0);
    if (!out->from || !out->to ||
        !spn__mesh_source_has(n->cache, out->from, mesh) ||
        !spn__mesh_source_has(n->cache, out->to, mesh))
        return false;
    out->rate = 1e6f / (float)us;
    return true;
}

/* The shown frame and the next decoded one; otherwise the one before and the
 * shown frame. Not across the end of a loop, which is a cut. */
static void find_motion(const struct node *n, uint32_t mesh,
                        struct fill_motion *out)
{
    const uint32_t number = spn__cursor_number(&n->cursor, n->shown.floor);
    const uint32_t later = n->cache->header.frame_count - 1 - number;

    for (uint32_t k = 1; !n->shown.is_stale && k <= CURSOR_SEARCH_FRAMES; k++)
        if (k <= later && is_motion(n, number, number + k, mesh, out))
            return;
    for (uint32_t k = 1; !n->shown.is_stale && k <= CURSOR_SEARCH_FRAMES; k++)
        if (k <= number && is_motion(n, number - k, number, mesh, out))
            return;
    *out = (struct fill_motion){0};
}

/* The later frame was decoded without the mesh: the earlier one is used. */
static bool lacks_ceil(const struct node *n, uint32_t mesh)
{
    const struct decoded_frame *ceil =
        spn__node_frame(n, &n->shown, n->shown.ceil);

    return ceil && spn__mesh_source_lacks(n->cache, ceil, mesh);
}

/* What was shown before. One frame of a pair would give a wrong motion. */
static bool find_previous(const struct node *n, uint32_t mesh,
                          struct fill_frames *out)
{
    return spn__node_frame(n, &n->previous, n->previous.ceil) &&
           spn__node_fill_frames(n, &n->previous, mesh, out);
}

/* Find the shown frames of a mesh and describe them. `now` is written only if
 * the mesh is visible. */
static spn_status find_shown(const struct node *n, uint32_t mesh,
                             struct fill_frames *now, spn_fill_result *out)
{
    const struct cursor *s = &n->cursor;
    const struct decoded_frame *shown =
        spn__node_frame(n, &n->shown, n->shown.floor);

    if (!shown)
        return SPN_PENDING;
    *out = (spn_fill_result){.is_late = !spn__node_shows_wanted(n)};
    out->floor_frame = out->ceil_frame = spn__cursor_number(s, n->shown.floor);
    out->is_visible = spn__node_shows_mesh(n->cache, shown, mesh);
    if (out->is_visible && spn__mesh_source_lacks(n->cache, shown, mesh))
        return SPN_PENDING;
    out->is_visible =
        out->is_visible && spn__node_fill_frames(n, &n->shown, mesh, now);
    if (out->is_visible && lacks_ceil(n, mesh))
        out->is_late = 1;
    if (out->is_visible && now->ceil != now->floor) {
        out->ceil_frame = spn__cursor_number(s, n->shown.ceil);
        out->alpha = now->alpha;
    }
    return SPN_OK;
}

spn_status spn__node_get_frames(const struct node *n, uint32_t mesh,
                                spn_frame_pair *out)
{
    struct fill_frames now;
    spn_fill_result shown;
    const spn_status status = find_shown(n, mesh, &now, &shown);

    if (status != SPN_OK)
        return status;
    *out = (spn_frame_pair){.floor_frame = shown.floor_frame,
                            .ceil_frame = shown.ceil_frame,
                            .alpha = shown.alpha,
                            .is_visible = shown.is_visible,
                            .is_late = shown.is_late};
    if (shown.is_visible) {
        out->floor = frame_buffer_vertices(now.floor);
        out->ceil = frame_buffer_vertices(now.ceil);
    }
    return SPN_OK;
}

spn_status spn__node_fill_find(const struct node *n, uint32_t mesh,
                               const spn_vertex_layout *layout, void *vertices,
                               struct node_fill *fill, spn_fill_result *out)
{
    const struct cache_mesh *info = &n->cache->tables.meshes[mesh];
    struct fill_frames now;
    const spn_status status = find_shown(n, mesh, &now, out);

    if (status != SPN_OK || !out->is_visible)
        return status;
    *fill = (struct node_fill){.cache = n->cache,
                               .now = now,
                               .mesh = mesh,
                               .layout = *layout,
                               .vertices = vertices};
    /* No previous frames: previous positions are the current ones. */
    if (!find_previous(n, mesh, &fill->before))
        fill->before = now;
    if (layout->velocity.format != SPN_FORMAT_NONE &&
        !((info->static_mask | info->animated_mask) &
          CHANNEL_BIT(CHANNEL_VELOCITY)))
        find_motion(n, mesh, &fill->motion);
    return SPN_OK;
}

uint32_t spn__node_fill_parts(const struct cache *c, uint32_t mesh)
{
    const struct static_mesh *shared = cache_static_mesh(c, mesh);

    return shared ? shared->part_count : c->tables.meshes[mesh].part_count;
}

void spn__node_fill_part(const struct node_fill *fill,
                         const struct fill_constants *constants, uint32_t part)
{
    const struct static_mesh *shared =
        cache_static_mesh(fill->cache, fill->mesh);
    const struct cache_tables *tables = &fill->cache->tables;
    struct fill_source source;
    uint32_t first;

    if (shared) {
        first = shared->parts[part].first_vertex;
        spn__static_mesh_source(shared, part, &source);
    } else {
        const struct cache_part *info =
            &tables->parts[tables->meshes[fill->mesh].first_part + part];

        first = info->first_vertex;
        spn__mesh_source_find(fill->cache, &fill->now, &fill->before,
                              &fill->motion, info, &source);
    }
    spn__fill_run(
        &fill->cache->manager->fill, constants, &source, &fill->layout,
        (uint8_t *)fill->vertices + (size_t)first * fill->layout.stride);
}

spn_status spn__node_fill(const struct node *n, uint32_t mesh,
                          const spn_vertex_layout *layout, void *vertices,
                          spn_fill_result *out)
{
    const struct cache_mesh *info = &n->cache->tables.meshes[mesh];
    struct fill_constants constants;
    struct node_fill fill;
    const spn_status status =
        spn__node_fill_find(n, mesh, layout, vertices, &fill, out);

    if (status != SPN_OK || !out->is_visible)
        return status;
    spn__fill_constants(info, &constants);
    for (uint32_t i = 0; i < spn__node_fill_parts(n->cache, mesh); i++)
        spn__node_fill_part(&fill, &constants, i);
    return SPN_OK;
}
