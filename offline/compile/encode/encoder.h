/* encoder.h - the state of a run that encodes a clip to a cache file.
 *
 * encode_run() (encode.c) turns a clip (compile/clip/clip.h) into a file
 * (cache/FORMAT.md). It creates one struct encoder and runs four stages:
 *
 *   1. Arrange   encode.c: divide the meshes into parts, tiles, blocks and
 *                blobs (compile/layout).
 *   2. Plan      encode_lift.h: choose the meshes to be lifted, and train them
 *                on some frames of the clip. If a mesh is lifted, the file is
 *                arranged again: a part of a lifted mesh is a tile of its own,
 *                and its vertices are in the order of its hierarchy.
 *   3. Static    encode_static.h: find predictors, encode the static data, and
 *                begin the file with it.
 *   4. Frames    encode_group.h: produce, encode and write all frames.
 *
 * The fields below are grouped by the stage that sets them. Later stages only
 * read them. The calling thread owns all fields, and changes them only while no
 * worker runs. A worker reads them, and writes its own struct encoder_thread
 * and the results of its job.
 *
 * Terms:
 *
 *   channel    one attribute of vertices, such as positions or UVs
 *   part       a run of consecutive vertices of one mesh
 *   tile       one part, or several small ones
 *   block      one channel of one tile in one frame, or node transforms
 *   blob       one piece of static data, which does not change over time
 *   classic    predicted by codec/classic/predict.h; said of a mesh or a tile
 *   lifted     predicted by codec/lift/lift.h; said of a mesh or a tile
 *   predictor  the table of earlier vertices from which the vertices of a
 *              classic tile are predicted
 *   refusal    an error that ends the run; the function that finds it reports
 *              it in encoder.diag before it returns
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODER_H
#define OFFLINE_COMPILE_ENCODE_ENCODER_H

#include "common/workers.h"
#include "compile/encode/classic/search.h"
#include "compile/encode/encode.h"
#include "compile/encode/lift/lift_frames.h"
#include "compile/encode/lift/lift_plan.h"
#include "compile/encode/lift/lift_search.h"

/* The memory of one worker thread. encoder.threads has one for each; the index
 * is the number of the worker. */
struct encoder_thread {
    struct arena arena;                   /* results of the running job */
    struct search_scratch search_scratch; /* of the classic codec's search */
    /* A block decoded again, to compare it with its values;
     * BLOCK_RAW_BYTES_MAX. */
    uint8_t *decoded;
    /* Working memory of encoder.decompressor (spn_codec.workspace_bytes). */
    void *decompressor_workspace;
    /* Working memory of spn__cache_unpack_channel, which verifies a block;
     * CACHE_CHANNEL_SCRATCH_BYTES. */
    uint8_t *unpack_scratch;

    /* For lifted meshes; set in stage 2, NULL if no mesh is lifted. `numbers`
     * and `positions` have four quantized numbers for each vertex of a part. */

    struct lift_scratch lift;
    /* The values of one channel: [0] in the frame that is being encoded, [1]
     * and later in its reference frames. */
    int16_t *numbers[1 + LIFT_FRAMES_MAX];
    /* For guesses of QTangents (one_ring_ops.guess): x, y, z of the position
     * and the second UV coordinate, in the frame that is being encoded. */
    int16_t *positions;
    uint8_t *payload;     /* the encoded block (lift.h) */
    void *lift_workspace; /* of spn__lift_decode */
};

struct encoder {
    /* Input. Belongs to the caller of encode_run. */

    const struct encode_job *job;
    const struct clip *clip; /* of the job's source */
    struct diag *diag;

    /* Tools. Set before stage 1. */

    struct arena arena; /* memory that lives as long as the encoder */
    struct workers *workers;
    struct encoder_thread *threads;      /* one for each worker */
    const struct compressor *compressor; /* of blocks and blobs */
    /* Decoders, to verify what was encoded. Their kernels are scalar ones,
     * which are the reference. */
    const spn_codec *decompressor;
    struct predict_ops predict_ops; /* kernels of the classic codec */
    struct lift_ops lift_ops;       /* kernels of the lifting codec */

    /* Stage 1: the arrangement of the file. If a mesh is lifted, stage 2 sets
     * it again. */

    struct layout layout;
    /* Frames from one index frame to the next. An index frame is decoded
     * without other frames. */
    uint32_t index_distance;

    /* Stage 2: the plan. */

    struct lift_plan plan; /* lifted_count is 0 if no mesh is lifted */
    /* For each channel: the Huffman tables, to verify. NULL: no lifted mesh has
     * the channel. */
    struct residual_tables *lift_tables[CHANNEL_COUNT];
    /* All frames of the clip, so that stage 4 need not produce them again. Set
     * if the training frames are all frames of the clip, and their values take
     * at most WHOLE_BYTES (lift_frames.c) of memory; otherwise NULL. They lie
     * in `frames_arena`. */
    const struct clip_frame *all_frames;
    struct arena frames_arena;

    /* Stage 3: static data. */

    /* For each tile: its predictor, one entry for each vertex. NULL: the tile
     * has none. */
    struct predict_entry **predictors;
    size_t *block_at;   /* per block: its offset in frame_values.bytes */
    size_t frame_bytes; /* size of frame_values.bytes */
    /* Per block: sums over the frames, for the report (encode_stats.h). NULL:
     * no statistics are wanted. */
    struct block_sums *block_sums;

    /* Output. Stage 3 begins the file, stage 4 writes the frames. */

    struct cache_writer writer;
};

static inline bool encoder_has_lifted(const struct encoder *e)
{
    return e->plan.lifted_count > 0;
}

/* For each vertex of a mesh in the order of the file: its number in the clip.
 * NULL: both orders are the same. */
static inline const uint32_t *encoder_order(const struct encoder *e,
                                            uint32_t mesh)
{
    return e->plan.meshes ? e->plan.meshes[mesh].vertex_at : NULL;
}

#endif
