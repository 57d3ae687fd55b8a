/* node_fill.c - find the channels of each part and convert them. */
/* SPDX-License-Identifier: MIT */
#include "play/node_fill.h"

#include "base/assert.h"
#include "cache/cache_lift.h"
#include "fill/fill.h"
#include "play/node_pose.h"
#include "play/node_show.h"

#include <spindle/features.h>
#include <stddef.h>

struct fill_frames {
    const struct frame_control *floor;
    const struct frame_control *ceil;
    float alpha;
};

/* The frames from which velocities are computed; NULL: none. */
struct fill_motion {
    const struct frame_control *from;
    const struct frame_control *to;
    float rate; /* 1 / (seconds between them) */
};

static bool has_tile(const struct frame_control *frame, uint32_t tile)
{
    return !(atomic_load_relaxed(&frame->tiles[tile].flags) & TILE_ABSENT);
}

/* If the first tile of a mesh is absent, the frame has nothing of the mesh. */
static bool has_mesh(const struct cache *c, const struct frame_control *frame,
                     uint32_t mesh)
{
    const struct cache_mesh *info = &c->tables.meshes[mesh];

    for (uint32_t i = 0; i < info->part_count; i++) {
        uint32_t tile = c->tables.parts[info->first_part + i].tile;

        if (c->tables.tiles[tile].animated_mask != 0 && !has_tile(frame, tile))
            return false;
    }
    return true;
}

/* The first value of a part's channel in a frame that has the mesh; NULL: the
 * part does not have the channel. */
static const void *channel_data(const struct cache *c,
                                const struct frame_control *frame,
                                const struct cache_part *part,
                                enum channel channel)
{
    const struct cache_tile *tile = &c->tables.tiles[part->tile];
    const uint8_t *data;

    if (tile->static_mask & CHANNEL_BIT(channel))
        data = c->blob_data[tile->blob[channel]];
    else if (tile->animated_mask & CHANNEL_BIT(channel))
        data = spn__frame_block(c, frame, tile->block[channel]);
    else
        return NULL;
    SPN_ASSERT(data);
    return data + (size_t)part->tile_vertex * channel_vertex_bytes(channel);
}

static void find_source(const struct cache *c, const struct fill_frames *now,
                        const struct fill_frames *before,
                        const struct fill_motion *motion,
                        const struct cache_part *part,
                        struct fill_source *source)
{
    const struct cache_tile *tile = &c->tables.tiles[part->tile];

    *source = (struct fill_source){
        .count = part->vertex_count,
        .order =
            cache_tile_is_lifted(tile)
                ? spn__cache_lift_order(&c->tables, part->tile, c->blob_data)
                : NULL,
        .alpha = now->alpha};
    for (uint32_t k = 0; k < CHANNEL_COUNT; k++) {
        source->floor[k] = channel_data(c, now->floor, part, (enum channel)k);
        source->ceil[k] = channel_data(c, now->ceil, part, (enum channel)k);
    }
    source->previous_floor =
        channel_data(c, before->floor, part, CHANNEL_POSITION);
    source->previous_ceil =
        channel_data(c, before->ceil, part, CHANNEL_POSITION);
    source->previous_alpha = before->alpha;
    if (motion->from) {
        source->velocity_floor =
            channel_data(c, motion->from, part, CHANNEL_POSITION);
        source->velocity_ceil =
            channel_data(c, motion->to, part, CHANNEL_POSITION);
        source->velocity_rate = motion->rate;
    }
    if (tile->reflection_blob != CACHE_NONE) {
        source->reflection = c->blob_data[tile->reflection_blob];
        source->reflection_first = part->tile_vertex;
    }
}

/* The frames of a picture. A later frame that hides the mesh is replaced by the
 * earlier one. False if the earlier one does not have the mesh. */
static bool find_frames(const struct node *n,
                        const struct node_picture *picture, uint32_t mesh,
                        struct fill_frames *out)
{
    const struct cache *c = n->cache;

    out->floor = spn__node_frame(n, picture, picture->floor);
    out->ceil = spn__node_frame(n, picture, picture->ceil);
    out->alpha = picture->alpha;
    if (!out->floor || !out->ceil || !has_mesh(c, out->floor, mesh))
        return false;
    if (!has_mesh(c, out->ceil, mesh)) {
        out->ceil = out->floor;
        out->alpha = 0;
    }
    return true;
}

/* Use these two frames for velocities, if both are decoded and have the mesh.
 */
static bool is_motion(const struct node *n, uint64_t from, uint64_t to,
                      uint32_t mesh, struct fill_motion *out)
{
    const struct stream *s = &n->stream;
    const struct node_picture picture = {.is_valid = true};
    const int64_t us =
        spn__stream_frame_time(s, to) - spn__stream_frame_time(s, from);

    out->from = spn__node_frame(n, &picture, from);
    out->to = spn__node_frame(n, &picture, to);
    SPN_ASSERT(us > 0);
    if (!out->from || !out->to || !has_mesh(n->cache, out->from, mesh) ||
        !has_mesh(n->cache, out->to, mesh))
        return false;
    out->rate = 1e6f / (float)us;
    return true;
}

/* The shown frame and the next decoded one; otherwise the one before and the
 * shown frame. Not across the end of a loop, which is a cut. */
static void find_motion(const struct node *n, uint32_t mesh,
                        struct fill_motion *out)
{
    const struct stream *s = &n->stream;
    const uint64_t shown = n->shown.floor;
    const uint32_t number = spn__stream_number(s, shown);
    const uint32_t later = n->cache->header.frame_count - 1 - number;

    for (uint32_t k = 1; !n->shown.is_held_frame && k <= s->frame_count; k++)
        if (k <= later && is_motion(n, shown, shown + k, mesh, out))
            return;
    for (uint32_t k = 1; !n->shown.is_held_frame && k <= s->frame_count; k++)
        if (k <= number && is_motion(n, shown - k, shown, mesh, out))
            return;
    *out = (struct fill_motion){0};
}

/* Find the shown frames of a mesh and describe them. `now` is written only if
 * the mesh is visible. */
static spn_status find_shown(const struct node *n, uint32_t mesh,
                             struct fill_frames *now, spn_fill_result *out)
{
    const struct stream *s = &n->stream;
    const struct frame_control *shown =
        spn__node_frame(n, &n->shown, n->shown.floor);

    if (!shown)
        return SPN_PENDING;
    *out = (spn_fill_result){.is_late = !n->shown.is_exact};
    out->floor_frame = out->ceil_frame = spn__stream_number(s, n->shown.floor);
    out->is_visible = spn__node_shows_mesh(n->cache, shown, mesh) &&
                      find_frames(n, &n->shown, mesh, now);
    if (out->is_visible && now->ceil != now->floor) {
        out->ceil_frame = spn__stream_number(s, n->shown.ceil);
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
        out->floor = now.floor->vertices;
        out->ceil = now.ceil->vertices;
    }
    return SPN_OK;
}

spn_status spn__node_fill(const struct node *n, uint32_t mesh,
                          const spn_vertex_layout *layout, void *vertices,
                          spn_fill_result *out)
{
    const struct cache *c = n->cache;
    const struct cache_mesh *info = &c->tables.meshes[mesh];
    struct fill_constants constants;
    struct fill_frames now;
    struct fill_frames before;
    struct fill_motion motion = {0};
    const spn_status status = find_shown(n, mesh, &now, out);

    if (status != SPN_OK || !out->is_visible)
        return status;
    /* No previous frames: previous positions are the current ones. */
    if (!find_frames(n, &n->previous, mesh, &before))
        before = now;
    if (layout->velocity.format != SPN_FORMAT_NONE &&
        !((info->static_mask | info->animated_mask) &
          CHANNEL_BIT(CHANNEL_VELOCITY)))
        find_motion(n, mesh, &motion);
    spn__fill_constants(info, &constants);
    for (uint32_t i = 0; i < info->part_count; i++) {
        const struct cache_part *part = &c->tables.parts[info->first_part + i];
        struct fill_source source;

        find_source(c, &now, &before, &motion, part, &source);
        spn__fill_run(&n->manager->fill, &constants, &source, layout,
                      (uint8_t *)vertices +
                          (size_t)part->first_vertex * layout->stride);
    }
    return SPN_OK;
}

#if SPN_WITH_FRAME_BUFFERS

/* The vertices of one part in one decoded frame.
 *
 * vertices  those of the whole mesh */
static void fill_part(const struct cache *c, const struct frame_control *frame,
                      const struct cache_part *part,
                      const spn_vertex_layout *layout, void *vertices)
{
    const struct fill_frames now = {frame, frame, 0};
    const struct fill_motion none = {0};
    struct fill_constants constants;
    struct fill_source source;

    find_source(c, &now, &now, &none, part, &source);
    spn__fill_constants(&c->tables.meshes[part->mesh], &constants);
    spn__fill_run(&c->manager->fill, &constants, &source, layout,
                  (uint8_t *)vertices +
                      (size_t)part->first_vertex * layout->stride);
}

/* All parts of a tile; mesh after mesh in the buffer. */
static void write_tile(const struct stream *s,
                       const struct frame_control *control, uint32_t tile)
{
    const struct cache_tables *tables = &s->cache->tables;
    const struct cache_tile *info = &tables->tiles[tile];
    const spn_vertex_layout *layout = &s->buffers->engine.layout;

    if (info->animated_mask == 0)
        return;
    for (uint32_t i = 0; i < info->part_count; i++) {
        const struct cache_part *part = &tables->parts[info->first_part + i];
        const uint64_t first = tables->meshes[part->mesh].first_vertex;

        fill_part(s->cache, control, part, layout,
                  (uint8_t *)control->vertices +
                      (size_t)(first * layout->stride));
    }
}

spn_status spn__node_set_buffers(struct node *n,
                                 const spn_frame_buffers *buffers)
{
    struct stream *s = &n->stream;

    if (n->wants_streaming || s->is_active || s->held_frame)
        return SPN_ERR_STATE;
    s->buffers = NULL;
    if (buffers) {
        n->buffers = (struct stream_buffers){*buffers, write_tile};
        s->buffers = &n->buffers;
    }
    return SPN_OK;
}

#endif
