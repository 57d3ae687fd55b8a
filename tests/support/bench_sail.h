/* bench_sail.h - a waving cloth of 30,276 vertices, as a cache holds it. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_BENCH_SAIL_H
#define TESTS_SUPPORT_BENCH_SAIL_H

#include "codec/classic/predict.h"
#include "fill/fill.h"

#include <stdint.h>

#define SAIL_SIDE 174u
#define SAIL_VERTICES (SAIL_SIDE * SAIL_SIDE)
#define SAIL_TILES 4u    /* each of at most 8192 vertices */
#define SAIL_CHANNELS 2u /* positions and QTangents, both animated */
/* Bytes of positions and QTangents of a frame. */
#define SAIL_FRAME_BYTES (SAIL_VERTICES * 14u)

/* One block: a channel of a tile, compressed. */
struct sail_block {
    uint8_t *stored;
    uint32_t stored_bytes;
    uint32_t checksum;
};

struct sail_frame {
    uint16_t *position;
    int16_t *qtangent;
};

struct sail {
    struct fill_constants constants;
    /* floor and ceiling index frames, the two index frames before, the frame
     * itself */
    struct sail_frame floor_index;
    struct sail_frame ceil_index;
    struct sail_frame previous;
    struct sail_frame previous_two;
    struct sail_frame frame;
    uint16_t *uv;
    struct predict_entry *entries;
    /* blocks of `frame`, in both codings */
    struct sail_block block[CODING_COUNT][SAIL_TILES][SAIL_CHANNELS];
};

/* Ends the program when memory runs out. */
void sail_make(struct sail *sail);
void sail_free(struct sail *sail);

uint32_t sail_tile_first(uint32_t tile);
uint32_t sail_tile_count(uint32_t tile);

/* The prediction input of a block of `frame`, with the references of the
 * coding. */
void sail_stream(const struct sail *sail, enum coding coding, uint32_t tile,
                 enum channel channel, struct predict_stream *out);
/* The first value of a tile in a frame. */
void *sail_values(const struct sail_frame *frame, uint32_t tile,
                  enum channel channel);
uint32_t sail_block_bytes(uint32_t tile, enum channel channel);

/* Unpack (checksum, LZ4) and predict all blocks into `out`. Either step can be
 * left out. Ends the program when a block is refused. */
void sail_decode(const struct sail *sail, const struct predict_ops *ops,
                 enum coding coding, const struct sail_frame *out,
                 int is_unpacked, int is_predicted);

void sail_frame_make(struct sail_frame *frame);
void sail_frame_free(struct sail_frame *frame);

#endif
