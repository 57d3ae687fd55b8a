/* encoder.h - the state of an encoder, and the functions that its files share.
 *
 * The encoder turns a clip (compile/clip/clip.h) into a cache file. Terms, as
 * in cache/FORMAT.md:
 *
 *   part         a run of consecutive vertices of one mesh
 *   tile         one part, or several small ones
 *   block        one channel of one tile in one frame, or node transforms
 *   blob         one piece of static data: data that does not change over time
 *   stream       the values of one channel that are encoded together, either to
 *                a block or to a blob
 *   index frame  a frame that is decoded without other frames: a key frame
 *   B frame      a frame between two index frames that refers to other frames
 *   classic      predicted by codec/classic/predict.h; said of a mesh or tile
 *   lifted       predicted by codec/lift/lift.h; said of a mesh or tile
 *   predictor    the table of earlier vertices from which a classic tile is
 *                predicted in space
 *   coded        triangle indices of a mesh that codec/lift/index_wire.h codes;
 *   indices      otherwise the codec of blocks compresses them
 *   refusal      an error that ends the compilation; it is reported in
 *                encoder.diag before the function returns
 *   training     the chosen frames (lift/lift_frames.h) from which the
 *   frames       parameters of lifted meshes are computed
 *
 * encode.c creates the encoder and calls, in this order: encode_lift.c to plan
 * and train lifted meshes (encode_lift.h), encode_static.c for the static data,
 * and encode_group.c for the frames. The calling thread owns all fields, and
 * changes them only while no worker runs. A worker reads them, and writes its
 * own struct encoder_thread and the results of its job.
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

/* The memory of one worker thread; its number is the index in e->threads. */
struct encoder_thread {
    struct arena arena; /* results of the running job */
    struct search_scratch scratch;
    /* A block decoded again, to compare it with its values;
     * BLOCK_RAW_BYTES_MAX. */
    uint8_t *check;
    /* Working memory of encoder.decompressor (spn_codec.workspace_bytes). */
    void *decompressor_workspace;
    /* Working memory of spn__cache_unpack_channel, which verifies a block;
     * CACHE_CHANNEL_SCRATCH_BYTES. */
    uint8_t *unpack_scratch;

    /* For lifted meshes; NULL if no mesh is lifted. `numbers` and `positions`
     * hold four quantized numbers for each vertex of a part. */

    struct lift_scratch lift;
    /* One channel: in the frame that is predicted [0], and in its reference
     * frames [1] and later. */
    int16_t *numbers[1 + LIFT_FRAMES_MAX];
    /* For guesses of QTangents (one_ring_ops.guess): x, y, z of the position,
     * and v, the second coordinate of the UV, in the predicted frame. */
    int16_t *positions;
    uint8_t *payload;     /* the encoded block (lift.h) */
    void *lift_workspace; /* of spn__lift_decode */
};

/* The quantized values of a frame, block by block. */
struct frame_values {
    uint8_t *bytes;   /* the values of block i start at encoder.block_at[i] */
    bool *is_visible; /* per tile: a visible node shows it */
    /* Bounds of the visible meshes, in world space. */
    float box_min[3];
    float box_max[3];
};

struct encoder {
    /* Input; belongs to the caller of encode_run. */
    const struct encode_job *job;
    const struct clip *clip; /* of the job's source */
    struct diag *diag;

    /* Memory and threads. */
    struct arena arena; /* all that lives as long as the encoder */
    struct workers *workers;
    struct encoder_thread *threads; /* one of each worker */

    /* Codecs. All decode with scalar functions, which are the specification. */
    const struct compressor *compressor; /* compresses blocks and blobs */
    const spn_codec *decompressor;       /* decompresses them, to verify */
    struct predict_ops ops;              /* kernels of the classic codec */
    struct lift_ops lift_ops;            /* kernels of the lifting codec */

    /* Lifted meshes: decisions of encoder_plan_lift. */
    struct lift_plan plan; /* lifted_count 0: no mesh is lifted */
    /* encode.c copies it to `distance` after the plan, if a mesh is lifted. */
    uint32_t lifted_distance;
    /* Huffman tables of each channel, to verify; NULL: no lifted mesh has the
     * channel. */
    struct residual_tables *lift_tables[CHANNEL_COUNT];
    /* All frames of the clip, if training has produced all of them and they fit
     * memory, else NULL: encoder_frames then produces them again. They lie in
     * `frames_arena`. */
    const struct clip_frame *whole;
    struct arena frames_arena;

    /* The arrangement of the file. */
    uint32_t distance;    /* from one index frame to the next, in frames */
    struct layout layout; /* parts, tiles, blocks and blobs */
    /* The predictor of each tile, one entry for each vertex; NULL: the tile has
     * none. */
    struct predict_entry **entries;
    size_t *block_at;   /* per block: its offset in frame_values.bytes */
    size_t frame_bytes; /* size of frame_values.bytes */

    /* Output. */
    struct cache_writer writer;
    struct block_notes *notes; /* statistics per block; encode_stats.c */
};

static inline bool encoder_has_lifted(const struct encoder *e)
{
    return e->plan.lifted_count > 0;
}

/* The clip's vertex at each place of a mesh in the file; NULL: the order is the
 * same. */
static inline const uint32_t *encoder_order(const struct encoder *e,
                                            uint32_t mesh)
{
    return e->plan.meshes ? e->plan.meshes[mesh].vertex_at : NULL;
}

/* -- encode_static.c: predictors and blobs -- */

/* Choose the predictors of the classic codec from a few frames. */
void encoder_find_predictors(struct encoder *e,
                             const struct clip_frame *samples,
                             uint32_t sample_count);

/* Compute the bytes that coded indices save, compared with the codec of blocks.
 * Only a file with a lifted mesh has coded indices, so they count for lifting
 * in the choice between classic and lifted. */
uint64_t encoder_indices_saved(struct encoder *e);

/* Encode all static data (blobs), and fill the layout's entries for them. Call
 * it after the plan. Returns NULL after a refusal. */
const uint8_t *encoder_make_blobs(struct encoder *e, uint64_t *bytes);

/* -- encode_stream.c: one block or blob -- */

/* How a stream was encoded; the fields of cache_block_entry. */
struct stream_result {
    enum coding coding;
    enum residual_order order; /* of the bytes: interleaved, or in planes */
    /* Factors of the formulas of CODING_TEMPORAL (codec/classic/predict.h); 0
     * for any other coding. */
    uint8_t motion_factor; /* part of the motion that is added, in 128ths */
    uint8_t lerp_factor;   /* time between two index frames, in 256ths */
    /* Weight of the value by motion, in 128ths. The value by interpolation has
     * the rest of 128. */
    uint8_t motion_weight;
    bool is_raw;           /* stored without compression */
    bool is_absent;        /* the frame does not contain the block */
    bool is_temporal;      /* predicted from other frames */
    uint32_t stored_bytes; /* bytes at `stored` */
    uint32_t checksum;     /* of these bytes */
    const uint8_t *stored; /* in the thread's arena */
};

/* Encode a stream by the classic codec and verify it. The caller has set
 * channel, count, entries and the reference frames of `stream`; the call
 * chooses its coding and factors (search_stream). False: the result did not
 * decode to what was encoded. */
bool encoder_stream(struct encoder *e, struct encoder_thread *thread,
                    const struct predict_stream *stream, const void *values,
                    struct stream_result *result);

/* The same for bytes without a prediction, in the byte order of the file. */
bool encoder_bytes(struct encoder *e, struct encoder_thread *thread,
                   const void *bytes, uint32_t count,
                   struct stream_result *result);

/* -- encode_frame.c -- */

/* Copy the values of a part from the array of its mesh. */
void encoder_copy_part(const struct encoder *e, const struct cache_part *part,
                       uint32_t channel, const uint8_t *values, uint8_t *out);

/* Copy the values of a produced frame, block by block. */
void encoder_gather(const struct encoder *e, const struct clip_frame *frame,
                    struct frame_values *out);

/* Join the results of a frame's blocks to the bytes of the file: a directory
 * and the blocks. */
uint8_t *encoder_join(const struct encoder *e, uint32_t number,
                      const struct stream_result *results, struct arena *arena,
                      uint64_t *bytes);

/* -- encode_stats.c: notes for the report -- */

/* These functions fill compile_options.stats. They do nothing if that is NULL.
 * Call them from one thread at a time, in the order of frames. */

/* Before the first frame. */
void encoder_note_start(struct encoder *e);
/* A frame is produced: add the errors of quantization of its values. */
void encoder_note_quantization_errors(const struct encoder *e,
                                      const struct clip_frame *frame);
/* A frame is encoded and takes `bytes` of the file; `results`: of its blocks.
 */
void encoder_note_frame(const struct encoder *e, uint32_t number,
                        enum cache_frame_type type, uint64_t bytes,
                        const struct stream_result *results);
/* After the last frame. */
void encoder_note_end(const struct encoder *e);

/* -- encode_group.c: frames -- */

/* Produce, encode and write all frames. Call it after encoder_make_blobs.
 * Returns false after a refusal. */
bool encoder_frames(struct encoder *e);

#endif
