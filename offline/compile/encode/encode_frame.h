/* encode_frame.h - between a frame of the clip and a frame of the file.
 *
 * A frame of the clip (clip_frame) has the values of whole meshes, with the
 * vertices in the order of the clip. encoder_gather() copies them to one array
 * for each block of the layout, with the vertices in the order of the file.
 * After the blocks are encoded, encoder_join() joins them to the bytes of one
 * stored frame (cache/FORMAT.md). encode_group.c gathers, encode_group_write.c
 * joins. The functions write only their outputs, and may run on any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_FRAME_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_FRAME_H

#include "compile/encode/encode_stream.h"

/* The quantized values of a frame, block by block. The caller owns the memory.
 */
struct frame_values {
    uint8_t *bytes;   /* encoder.frame_bytes; the values of block i start at
                       * encoder.block_at[i] */
    bool *is_visible; /* one for each tile: a visible node shows it */
    uint8_t *boxes;   /* encode_boxes.h; layout.box_bytes */
    /* Copied from clip_frame: the box in the world around the meshes that are
     * visible in this frame or in the frame before. */
    float box_min[3];
    float box_max[3];
};

/* Copy the values of one channel of a part, and bring its vertices into the
 * order of the file (encoder_order). The size of a value is
 * channel_vertex_bytes(channel).
 *
 * values  of all vertices of the part's mesh, in the order of the clip
 * out     of the part->vertex_count vertices of the part, in the order of the
 *         file */
void encoder_copy_part(const struct encoder *e, const struct cache_part *part,
                       uint32_t channel, const uint8_t *values, uint8_t *out);

/* Copy all values of a frame, block by block: vertices as by
 * encoder_copy_part(), and node transforms in the file's encoding. A part whose
 * mesh is hidden and has no values becomes 0. */
void encoder_gather(const struct encoder *e, const struct clip_frame *frame,
                    struct frame_values *out);

/* Join the encoded blocks of one frame to its bytes in the file: the directory
 * with the boxes, then all blocks that are not absent. Returns these bytes,
 * which lie in `arena`.
 *
 * number        of the frame, in display order
 * boxes         e->layout.box_bytes
 * results       one encoded block (encode_stream.h) for each block of
 *               e->layout, in that order
 * joined_bytes  set to the number of bytes; it may exceed 32 bits */
uint8_t *encoder_join(const struct encoder *e, uint32_t number,
                      const uint8_t *boxes, const struct stream_result *results,
                      struct arena *arena, uint64_t *joined_bytes);

#endif
