/* whole_clip.h - all frames of a compiled cache, decoded to memory of their
 * own.
 *
 * For benchmarks. The tool's reader opens the file; frames are decoded by the
 * runtime's decoder, one after another on one thread, without the runtime's
 * heap, jobs and streams: what is left is the time that decoding takes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_WHOLE_CLIP_H
#define TESTS_SUPPORT_WHOLE_CLIP_H

#include "cache/frame_decoder.h"
#include "cachefile/cache_reader.h"
#include "common/diag.h"
#include "fill/fill.h"

#include <stdbool.h>
#include <stdint.h>

struct whole_clip {
    struct diag diag;
    struct cache_reader *reader;
    const uint8_t *file;        /* the reader's */
    struct cache_header header; /* copies, and the reader's: */
    struct cache_tables tables;
    const struct cache_frame *frames;
    uint32_t *decode_order; /* numbers of frames, references first */
    struct predict_ops predict;
    struct lift_ops lift;
    struct cache_decoder decoder; /* the reader's, with these kernels */
    struct decode_scratch scratch;
    uint8_t *scratch_memory;
    /* For each frame: its decoded blocks, one after the other. Frames lie one
     * after the other, too, at multiples of 64. */
    uint8_t **data;
    uint8_t *data_memory;
    bool *is_absent;        /* for each tile of the frame that is decoded */
    uint8_t *apart;         /* a block that is not kept */
    uint32_t *block_offset; /* of each block in a frame's data */
    uint32_t data_bytes;    /* of a frame, with what aligns its blocks */
    uint32_t frame_bytes;   /* the raw blocks alone */
    uint64_t vertex_count;  /* of all meshes */
    bool has_animated_vertices;
};

/* Ends the program with a message on stderr if the file is refused. */
void whole_clip_open(struct whole_clip *clip, const char *path);
void whole_clip_close(struct whole_clip *clip);

/* Decode with the kernels of these instruction sets (base/cpu.h) from now on;
 * after opening: 0, scalar. */
void whole_clip_use(struct whole_clip *clip, uint32_t cpu);

/* Decode one frame. Its references have been decoded. */
void whole_clip_decode(struct whole_clip *clip, uint32_t frame);

/* What prediction left over of one channel of one tile. */
struct clip_residuals {
    enum channel channel;
    const int16_t *numbers; /* `components` of each vertex, `stride` apart */
    uint32_t stride;
    uint32_t components;
    const int16_t *fourth; /* one more of each vertex; NULL: none */
    uint32_t count;        /* vertices */
};

/* Decompress a frame, but do not predict. `see` gets all residuals except those
 * of colours; NULL: nobody. Decoded frames stay as they are. */
void whole_clip_residuals(struct whole_clip *clip, uint32_t frame,
                          void (*see)(void *user,
                                      const struct clip_residuals *residuals),
                          void *user);

/* Fill from `floor` to `ceil`: meshes one after the other, of which those that
 * do not animate are left as they are. */
void whole_clip_fill(const struct whole_clip *clip, const struct fill_ops *ops,
                     uint32_t floor, uint32_t ceil, float alpha,
                     const spn_vertex_layout *layout, uint8_t *vertices);

/* Decode a frame, and fill each tile of it as soon as it is decoded, at the
 * frame's own time: one pass. `vertices` as for a fill. */
void whole_clip_decode_and_fill(struct whole_clip *clip, uint32_t frame,
                                const struct fill_ops *fill,
                                const spn_vertex_layout *layout,
                                uint8_t *vertices);

#endif
