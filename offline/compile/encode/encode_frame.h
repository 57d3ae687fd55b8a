/* encode_frame.h - between a frame of the clip and a frame of the file.
 *
 * A produced frame has the values of whole meshes. encoder_gather() copies them
 * to one array for each block. After the blocks are encoded, encoder_join()
 * joins them to the bytes of the file. encode_group.c calls both. The functions
 * write only their outputs, and may run on any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_FRAME_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_FRAME_H

#include "compile/encode/encode_stream.h"

/* The quantized values of a frame, block by block. The caller owns the memory.
 */
struct frame_values {
    uint8_t *bytes;   /* the values of block i start at encoder.block_at[i] */
    bool *is_visible; /* per tile: a visible node shows it */
    /* Bounds of the visible meshes, in world space. */
    float box_min[3];
    float box_max[3];
};

/* Copy the values of a part from the array of its mesh. */
void encoder_copy_part(const struct encoder *e, const struct cache_part *part,
                       uint32_t channel, const uint8_t *values, uint8_t *out);

/* Copy the values of a produced frame, block by block. */
void encoder_gather(const struct encoder *e, const struct clip_frame *frame,
                    struct frame_values *out);

/* Join the results of a frame's blocks to the bytes of the file: a directory
 * and the blocks. The bytes lie in `arena`. */
uint8_t *encoder_join(const struct encoder *e, uint32_t number,
                      const struct stream_result *results, struct arena *arena,
                      uint64_t *bytes);

#endif
