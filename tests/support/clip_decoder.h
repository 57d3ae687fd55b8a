/* clip_decoder.h - a whole compiled cache in memory, decoded frame by frame. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLIP_DECODER_H
#define TESTS_SUPPORT_CLIP_DECODER_H

#include "cache/cache_file.h"
#include "cache/cache_lift.h"
#include "codec/classic/predict.h"
#include "fill/fill.h"

#include <stdbool.h>
#include <stdint.h>

struct clip_decoder {
    uint8_t *file;
    struct cache_header header;
    struct cache_frame *frames;
    struct cache_group *groups;
    uint32_t *decode_order; /* frame numbers */
    void *tables_memory;
    struct cache_tables tables;
    uint8_t **blobs;      /* unpacked; NULL: not needed here (indices) */
    struct lift_ops lift; /* scalar, until the caller sets others */
    uint8_t *lift_workspace;
    uint8_t *lift_memory;
    uint8_t **data; /* decoded blocks of each frame, one after the other; frames
                     * lie one after the other, too, at multiples of 64 */
    uint8_t *data_memory;
    uint32_t *block_offset; /* of each block in a frame's data */
    uint32_t data_bytes;    /* of a frame, with what aligns its blocks */
    uint32_t frame_bytes;   /* the blocks alone, raw: all that animates */
    uint64_t vertex_count;  /* of all meshes */
    bool has_animated_vertices;
    uint8_t *workspace; /* aligned to 64 */
    uint8_t *workspace_memory;
    const spn_codec *codec;
    uint8_t *apart;   /* a block that is only looked at */
    uint8_t *scratch; /* to unpack channels, aligned; in scratch_memory */
    uint8_t *scratch_memory;
};

/* Read and judge; ends the program with words on stderr when it cannot. */
void clip_decoder_open(struct clip_decoder *cache, const char *path);
void clip_decoder_close(struct clip_decoder *cache);

/* Decode one frame as the runtime does: checksum, decompress, predict. Its
 * references must be decoded. */
void clip_decoder_decode(struct clip_decoder *cache,
                         const struct predict_ops *ops, uint32_t frame);

/* Of one channel of one tile: what prediction left over. */
struct clip_residuals {
    enum channel channel;
    const int16_t *numbers; /* of a vertex `components`, every `stride` */
    uint32_t stride;
    uint32_t components;
    const int16_t *fourth; /* one more of each vertex; NULL: none */
    uint32_t count;        /* vertices */
};

/* What clip_decoder_decode does before it predicts: checksum, decompress, or
 * the entropy coding. `see` gets what comes out, except of colours; NULL: only
 * the time matters. Decoded frames stay as they are. */
void clip_decoder_residuals(struct clip_decoder *cache,
                            const struct predict_ops *ops, uint32_t frame,
                            void (*see)(void *user,
                                        const struct clip_residuals *residuals),
                            void *user);

/* Fill from `floor` to `ceil`: meshes one after the other, of which those that
 * do not animate are left as they are. */
void clip_decoder_fill(const struct clip_decoder *cache,
                       const struct fill_ops *ops, uint32_t floor,
                       uint32_t ceil, float alpha,
                       const spn_vertex_layout *layout, uint8_t *vertices);

/* Decode a frame, and fill each tile of it as soon as it is decoded, at the
 * frame's own time: one pass. `vertices` as for a fill. */
void clip_decoder_decode_and_fill(struct clip_decoder *cache,
                                  const struct predict_ops *predict,
                                  uint32_t frame, const struct fill_ops *fill,
                                  const spn_vertex_layout *layout,
                                  uint8_t *vertices);

#endif
