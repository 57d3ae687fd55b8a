/* mesh_source.h - where the vertices of a mesh lie in decoded frames.
 *
 * A mesh consists of parts; each part lies in one tile. A channel of a part
 * comes from the tile's blocks in the shown frames, or from a blob if it never
 * changes. fill/fill.h converts what is found here to a vertex format. Any
 * thread, while the frames live.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_MESH_SOURCE_H
#define SPN_PLAY_MESH_SOURCE_H

#include "fill/fill.h"
#include "play/cache.h"
#include "play/decoded_frame.h"

#include <stdbool.h>
#include <stdint.h>

/* Two frames between which is interpolated. */
struct fill_frames {
    const struct decoded_frame *floor;
    const struct decoded_frame *ceil;
    float alpha; /* 0: floor alone */
};

/* The frames from which velocities are computed; NULL: none. */
struct fill_motion {
    const struct decoded_frame *from;
    const struct decoded_frame *to;
    float rate; /* 1 / (seconds between them) */
};

/* True if the frame was decoded without the mesh, because nobody wanted it. */
bool spn__mesh_source_lacks(const struct cache *c,
                            const struct decoded_frame *frame, uint32_t mesh);
/* False if the frame has nothing of the mesh: it hides or lacks it. */
bool spn__mesh_source_has(const struct cache *c,
                          const struct decoded_frame *frame, uint32_t mesh);
/* The source of one part, in frames that have the mesh.
 *
 * before  the picture that was shown before, for previous positions */
void spn__mesh_source_find(const struct cache *c, const struct fill_frames *now,
                           const struct fill_frames *before,
                           const struct fill_motion *motion,
                           const struct cache_part *part,
                           struct fill_source *source);

#endif
