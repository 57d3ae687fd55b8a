/* mesh_source.c - find the channels of each part of a mesh. */
/* SPDX-License-Identifier: MIT */
#include "play/mesh_source.h"

#include "base/assert.h"
#include "cache/cache_lift.h"

#include <stddef.h>

bool spn__mesh_source_lacks(const struct cache *c,
                            const struct decoded_frame *frame, uint32_t mesh)
{
    const struct cache_mesh *info = &c->tables.meshes[mesh];

    for (uint32_t i = 0; frame->omits && i < info->part_count; i++)
        if (decoded_frame_omits(frame,
                                c->tables.parts[info->first_part + i].tile))
            return true;
    return false;
}

/* If the first tile of a mesh is absent, the frame has nothing of the mesh. */
bool spn__mesh_source_has(const struct cache *c,
                          const struct decoded_frame *frame, uint32_t mesh)
{
    const struct cache_mesh *info = &c->tables.meshes[mesh];

    for (uint32_t i = 0; i < info->part_count; i++) {
        uint32_t tile = c->tables.parts[info->first_part + i].tile;

        if (c->tables.tiles[tile].animated_mask != 0 &&
            !decoded_frame_has(frame, tile))
            return false;
    }
    return true;
}

/* The first value of a part's channel in a frame that has the mesh; NULL: the
 * part does not have the channel. */
static const void *channel_data(const struct cache *c,
                                const struct decoded_frame *frame,
                                const struct cache_part *part,
                                enum channel channel)
{
    const struct cache_tile *tile = &c->tables.tiles[part->tile];
    const uint8_t *data;

    if (tile->static_mask & CHANNEL_BIT(channel))
        data = c->blob_data[tile->blob[channel]];
    else if (tile->animated_mask & CHANNEL_BIT(channel))
        data = spn__decoded_frame_block(frame, tile->block[channel]);
    else
        return NULL;
    SPN_ASSERT(data);
    return data + (size_t)part->tile_vertex * channel_vertex_bytes(channel);
}

void spn__mesh_source_find(const struct cache *c, const struct fill_frames *now,
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
