/* node_buffers.c - decoded frames straight into the engine's vertex buffers.
 *
 * The stream asks for a buffer when it launches a frame and gives it back with
 * the frame's memory; the job that has decoded a tile calls write_tile. What
 * is read here is fixed while the stream is active.
 */
/* SPDX-License-Identifier: MIT */
#include "play/node.h"

#include <spindle/features.h>
#include <stddef.h>

#if SPN_WITH_FRAME_BUFFERS

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

#endif
