/* whole_clip.h - all frames of a compiled cache, decoded to memory.
 *
 * For benchmarks. The tool's reader opens the file. The runtime's decoder
 * decodes the frames one after another on one thread, without the runtime's
 * heap, jobs and streams, so that only decoding is measured.
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
    const uint8_t *file;        /* owned by the reader */
    struct cache_header header; /* copies, and pointers into the reader: */
    struct cache_tables tables;
    const struct cache_frame *frames;
    uint32_t *decode_order; /* frame numbers, references first */
    struct predict_ops predict;
    struct lift_ops lift;
    struct cache_decoder decoder; /* the reader's decoder with these kernels */
    struct decode_scratch scratch;
    uint8_t *scratch_memory;
    /* For each frame its decoded blocks, one after the other. Frames are
     * consecutive and start at multiples of 64 bytes. */
    uint8_t **data;
    uint8_t *data_memory;
    bool *is_absent;        /* for each tile of the frame being decoded */
    uint8_t *apart;         /* target of blocks that are not kept */
    uint32_t *block_offset; /* offset of each block in a frame's data */
    uint32_t data_bytes;    /* bytes of a frame, with alignment of its blocks */
    uint32_t frame_bytes;   /* bytes of a frame's raw blocks */
    uint64_t vertex_count;  /* vertices of all meshes */
    bool has_animated_vertices;
};

/* Ends the program with a message on stderr when the file is refused. */
void whole_clip_open(struct whole_clip *clip, const char *path);
void whole_clip_close(struct whole_clip *clip);

/* Use the kernels of these instruction sets (base/cpu.h) from now on. Initially
 * 0, scalar. */
void whole_clip_use(struct whole_clip *clip, uint32_t cpu);

/* Decode one frame, whose references must be decoded. */
void whole_clip_decode(struct whole_clip *clip, uint32_t frame);

/* Residuals of the prediction of one channel of one tile. */
struct clip_residuals {
    enum channel channel;
    const int16_t *numbers; /* `components` numbers of each vertex, `stride`
                             * apart */
    uint32_t stride;
    uint32_t components;
    const int16_t *fourth; /* a further number of each vertex; NULL: none */
    uint32_t count;        /* number of vertices */
};

/* Decompress a frame without prediction. `see` gets all residuals except those
 * of colours; may be NULL. Decoded frames do not change. */
void whole_clip_residuals(struct whole_clip *clip, uint32_t frame,
                          void (*see)(void *user,
                                      const struct clip_residuals *residuals),
                          void *user);

/* Fill between the frames `floor` and `ceil`: meshes one after the other.
 * Meshes that are not animated are not written. */
void whole_clip_fill(const struct whole_clip *clip, const struct fill_ops *ops,
                     uint32_t floor, uint32_t ceil, float alpha,
                     const spn_vertex_layout *layout, uint8_t *vertices);

/* Decode a frame, and fill each tile as soon as it is decoded, at the frame's
 * own time, in one pass. `vertices` as for whole_clip_fill. */
void whole_clip_decode_and_fill(struct whole_clip *clip, uint32_t frame,
                                const struct fill_ops *fill,
                                const spn_vertex_layout *layout,
                                uint8_t *vertices);

#endif
