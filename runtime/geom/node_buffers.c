/* node_buffers.c - decoded frames straight into the engine's vertex buffers.
 *
 * The stream asks for a buffer when it launches a frame and gives it back with
 * the frame's memory; the job that has decoded a tile calls write_tile. What
 * is read here is fixed while the stream is active.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/node.h"

#include <stddef.h>

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

        spn__node_fill_part(s->cache, control, part, layout,
                            (uint8_t *)control->vertices +
                                (size_t)(first * layout->stride));
    }
}

spn_status spn__node_set_buffers(struct node *n,
                                 const spn_frame_buffers *buffers)
{
    struct stream *s = &n->stream;

    if (n->wants_streaming || s->is_active || s->held)
        return SPN_ERR_STATE;
    s->buffers = NULL;
    if (buffers) {
        n->buffers = (struct stream_buffers){*buffers, write_tile};
        s->buffers = &n->buffers;
    }
    return SPN_OK;
}

spn_status spn__node_get_frames(const struct node *n, spn_frame_pair *out)
{
    const struct stream *s = &n->stream;
    const struct node_picture *shown = &n->shown;
    const struct frame_control *floor = spn__node_frame(n, shown, shown->floor);
    const struct frame_control *ceil = spn__node_frame(n, shown, shown->ceil);

    if (!floor || !ceil)
        return SPN_PENDING;
    *out = (spn_frame_pair){.floor = floor->vertices,
                            .ceil = ceil->vertices,
                            .floor_frame = spn__stream_number(s, shown->floor),
                            .ceil_frame = spn__stream_number(s, shown->ceil),
                            .alpha = shown->alpha,
                            .is_late = !shown->is_exact};
    return SPN_OK;
}
