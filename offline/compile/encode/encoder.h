/* encoder.h - the state of an encoder, and what its files offer each other.
 *
 * Units of data (cache/FORMAT.md): a mesh is cut into parts of consecutive
 * vertices. A tile is one part, or several small ones. A block is one channel
 * of one tile in one frame. A blob is a piece of static data. A mesh is lifted
 * (codec/lift/lift.h) or classic (codec/classic/predict.h).
 *
 * encode.c creates the encoder and calls, in this order: encode_lift.c to plan
 * and train lifted meshes (with encode_distance.c, encode_tangents.c and
 * encode_choice.c for its decisions), encode_static.c for the static data, and
 * encode_group.c for the frames. The calling thread owns all fields, and
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
    uint8_t *check; /* a block decoded again; BLOCK_RAW_BYTES_MAX */
    void *codec_workspace;
    uint8_t *channel_scratch;
    /* The rest is NULL where nothing is lifted. */
    struct lift_scratch lift;
    /* Four numbers for each vertex: a channel [0] and the same channel in the
     * reference frames [1] ..; positions, with the second UV coordinate. */
    int16_t *numbers[1 + LIFT_FRAMES_MAX];
    int16_t *positions;
    uint8_t *payload; /* of a lifted block */
    void *lift_workspace;
};

/* The quantized values of a frame, block by block. */
struct frame_values {
    uint8_t *bytes;   /* block i at block_at[i] of the encoder */
    bool *is_visible; /* per tile */
    float box_min[3];
    float box_max[3];
};

struct encoder {
    const struct encode_job *job;
    const struct clip *clip;
    struct diag *diag;
    struct arena arena;
    struct workers *workers;
    struct encoder_thread *threads;
    const struct compressor *compressor;
    const spn_codec *codec;
    struct predict_ops ops;
    uint32_t distance;        /* from one index frame to the next, in frames */
    uint32_t lifted_distance; /* replaces `distance` if any mesh is lifted */
    struct lift_ops lift_ops;
    struct lift_plan plan; /* lifted_count 0: nothing is lifted */
    struct residual_tables *lift_tables[CHANNEL_COUNT];
    struct arena frames_arena;      /* frames of the training that are kept */
    const struct clip_frame *whole; /* all frames, kept; NULL: produced again */
    struct layout layout;
    struct predict_entry *
        *entries;       /* of the classic codec, per tile; NULL: none */
    size_t *block_at;   /* per block: its offset in frame_values */
    size_t frame_bytes; /* of frame_values */
    struct cache_writer writer;
    struct block_notes *notes; /* per block; encode_stats.c */
};

/* -- encode_static.c: predictors and blobs -- */

/* Choose the predictors of the classic codec from a few frames. */
void encoder_find_predictors(struct encoder *e,
                             const struct clip_frame *samples,
                             uint32_t sample_count);

/* Bytes that coded indices (codec/lift/index_wire.h) save, compared with the
 * block codec. A file with a lifted mesh has coded indices. */
uint64_t encoder_indices_saved(struct encoder *e);

/* Encode all static data (blobs), and fill the layout's entries for them. NULL
 * after a refusal. */
const uint8_t *encoder_make_blobs(struct encoder *e, uint64_t *bytes);

/* -- encode_stream.c: one block or blob -- */

struct stream_result {
    enum coding coding;
    enum residual_order order;
    uint8_t a; /* coefficients of classic prediction in time (predict.h) */
    uint8_t b;
    uint8_t c;
    bool is_raw;
    bool is_absent;   /* the frame does not contain the block */
    bool is_temporal; /* predicted from other frames */
    uint32_t stored_bytes;
    uint32_t checksum;
    const uint8_t *stored; /* in the thread's arena */
};

/* Encode a block by the classic codec and verify it. `stream` is the block
 * without its coding, as for search_stream. False: the block did not decode to
 * what was encoded. */
bool encoder_stream(struct encoder *e, struct encoder_thread *thread,
                    const struct predict_stream *stream, const void *values,
                    struct stream_result *result);

/* The same for bytes without a prediction, in the byte order of the file. */
bool encoder_bytes(struct encoder *e, struct encoder_thread *thread,
                   const void *bytes, uint32_t count,
                   struct stream_result *result);

/* -- encode_lift.c: blocks and blobs of lifted tiles -- */

/* Choose and train the meshes to be lifted. False after a refusal. */
bool encoder_plan_lift(struct encoder *e);
void encoder_free_lift(struct encoder *e);

/* Train the Huffman tables for the meshes that are lifted now. */
void encoder_train_tables(struct encoder *e, const struct lift_frames *frames,
                          uint32_t distance);

/* Input of encoder_payload: a channel of a part in one frame. Values are
 * quantized, in the order of the hierarchy. */
struct encoder_lifted_input {
    enum channel channel;
    const struct lift_hierarchy *hierarchy;
    const struct one_rings *rings; /* guess QTangents; NULL: none */
    const void *values;
    const void *positions; /* of the same frame, if `rings` */
    const void *uvs;       /* of the same frame, if rings->by_uvs */
    /* Store each QTangent as q or -q, whichever is closer to its guess. */
    bool has_guess_signs;
    const void *from[LIFT_FRAMES_MAX]; /* reference frames */
    uint32_t from_count;
    /* found by an earlier search; NULL: to be searched */
    const struct lift_prediction *found;
};
/* Write the payload to thread->payload and return its bytes. *is_temporal:
 * other frames predict it. */
uint32_t encoder_payload(const struct encoder *e, struct encoder_thread *thread,
                         const struct encoder_lifted_input *input,
                         bool *is_temporal);

/* A channel of a part of a lifted mesh. */
struct encoder_place {
    enum channel channel;
    uint32_t mesh;
    uint32_t part;
};
/* encode_distance.c: fill a search target with the channel of a part in
 * training frame `index`, whose references must be training frames, too.
 * Numbers go to the thread's memory. The caller may then set hierarchy, rings
 * and aligned_values of the target. */
void encoder_load_target(const struct encoder *e,
                         const struct lift_frames *frames, uint32_t distance,
                         const struct encoder_place *at, uint32_t index,
                         bool has_positions, struct encoder_thread *thread,
                         struct lift_target *target);

/* Choose the distance of index frames: LIFT_DISTANCE or 2 * LIFT_DISTANCE. The
 * training frames must be groups of 2 * LIFT_DISTANCE frames. */
uint32_t encoder_choose_distance(struct encoder *e,
                                 const struct lift_frames *frames);

/* encode_tangents.c: choose for each lifted mesh how its QTangents are
 * predicted, and train the rings and the channel's weights of all its parts
 * (encode_tangents.h). Tables are trained later. */
void encoder_choose_tangents(struct encoder *e,
                             const struct lift_frames *frames,
                             uint32_t distance);

/* encode_choice.c: estimate the bytes of each mesh by both codecs, and stop
 * lifting those that are smaller by the classic one. False after a refusal. */
bool encoder_choose_lifted(struct encoder *e, const struct lift_frames *frames,
                           uint32_t distance);

static inline bool encoder_has_lifted(const struct encoder *e)
{
    return e->plan.lifted_count > 0;
}

/* The clip's vertex at each stored place of a mesh; NULL: the same order. */
static inline const uint32_t *encoder_order(const struct encoder *e,
                                            uint32_t mesh)
{
    return e->plan.meshes ? e->plan.meshes[mesh].order : NULL;
}

/* Encode a channel of a lifted tile, otherwise like encoder_stream. `from`: its
 * values in the reference frames. `positions`, `uvs`: of the same frame; NULL
 * if they are static. `frame`: its number; 0 for a static channel. */
bool encoder_lifted(struct encoder *e, struct encoder_thread *thread,
                    uint32_t tile, enum channel channel, uint32_t frame,
                    const void *values, const void *const *from,
                    uint32_t from_count, const void *positions, const void *uvs,
                    struct stream_result *result);

/* A part's hierarchy and its rings as they are stored. The first call for a
 * part writes them to the plan, in memory of the worker's arena there; only one
 * thread at a time may call for the same part. */
struct wire_bytes encoder_hierarchy_wire(struct encoder *e,
                                         struct encoder_thread *thread,
                                         uint32_t mesh, uint32_t part);
struct wire_bytes encoder_rings_wire(struct encoder *e,
                                     struct encoder_thread *thread,
                                     uint32_t mesh, uint32_t part);

/* Encode a blob that only lifted tiles have (cache_blob_is_expanded). */
bool encoder_lift_blob(struct encoder *e, struct encoder_thread *thread,
                       const struct cache_blob *blob,
                       struct stream_result *result);

/* Encode a run of indices by the smaller of two codings. */
bool encoder_indices(struct encoder *e, struct encoder_thread *thread,
                     const struct cache_blob *blob, const uint8_t *indices,
                     struct stream_result *result);

/* -- encode_frame.c -- */

/* Copy a part's values from those of its mesh. */
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

/* They do nothing if the options do not want statistics. Called in the order of
 * frames, by one thread at a time. */

void encoder_note_start(struct encoder *e);
void encoder_note_errors(const struct encoder *e,
                         const struct clip_frame *frame);
void encoder_note_frame(const struct encoder *e, uint32_t number,
                        enum cache_frame_type type, uint64_t bytes,
                        const struct stream_result *results);
void encoder_note_end(const struct encoder *e);

/* -- encode_group.c: frames -- */

/* Produce, encode and write all frames. */
bool encoder_frames(struct encoder *e);

#endif
