/* encoder.h - what the files of the encoder share. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODER_H
#define OFFLINE_COMPILE_ENCODE_ENCODER_H

#include "common/workers.h"
#include "compile/encode/classic/search.h"
#include "compile/encode/encode.h"
#include "compile/encode/lift/lift_frames.h"
#include "compile/encode/lift/lift_plan.h"
#include "compile/encode/lift/lift_search.h"

/* What one thread needs; turns of a workers_run get theirs by number. */
struct encoder_thread {
    struct arena arena; /* of the running loop's results */
    struct search_scratch scratch;
    uint8_t *check; /* BLOCK_RAW_BYTES_MAX: decoded again */
    void *codec_workspace;
    uint8_t *channel_scratch;
    /* where meshes are lifted */
    struct lift_scratch lift;
    int16_t *numbers[1 + LIFT_FRAMES_MAX];
    int16_t *positions; /* four numbers a vertex */
    uint8_t *payload;
    void *lift_workspace;
};

/* A frame's values as they are coded: one run of raw bytes per block. */
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
    uint32_t distance;        /* of index frames */
    uint32_t lifted_distance; /* the same, where something is lifted */
    struct lift_ops lift_ops;
    struct lift_plan plan; /* its meshes are NULL: nothing is lifted */
    struct residual_tables *lift_tables[CHANNEL_COUNT];
    struct arena frames_arena;      /* of the training, if they stay */
    const struct clip_frame *whole; /* of all frames; NULL: none stay */
    struct layout layout;
    struct predict_entry **entries; /* per tile; NULL: no predictor */
    size_t *block_at;               /* per block */
    size_t frame_bytes;             /* of all blocks' values */
    struct cache_writer writer;
    struct block_notes *notes; /* per block; encode_details.c */
};

/* -- encode_static.c: predictors and blobs -- */

/* Search predictors with the help of a few frames. */
void encoder_find_predictors(struct encoder *e,
                             const struct clip_frame *samples,
                             uint32_t sample_count);

/* What the indices of all meshes take less where some meshes are lifted, those
 * that are by now; >= 0. */
uint64_t encoder_indices_saved(struct encoder *e);

/* Encode all blobs; fills the layout's. NULL after a refusal. */
const uint8_t *encoder_make_blobs(struct encoder *e, uint64_t *bytes);

/* -- encode_stream.c: one block or blob -- */

struct stream_result {
    enum coding coding;
    enum residual_order order;
    uint8_t a;
    uint8_t b;
    uint8_t c;
    bool is_raw;
    bool is_absent;
    bool is_temporal; /* predicted from other frames */
    uint32_t stored_bytes;
    uint32_t checksum;
    const uint8_t *stored; /* in the thread's arena */
};

/* Encode a stream of vertices and verify it. `stream` as in search.h. False
 * after an internal refusal. */
bool encoder_stream(struct encoder *e, struct encoder_thread *thread,
                    const struct predict_stream *stream, const void *values,
                    struct stream_result *result);

/* The same for bytes that nothing predicts, already in the file's order. */
bool encoder_bytes(struct encoder *e, struct encoder_thread *thread,
                   const void *bytes, uint32_t count,
                   struct stream_result *result);

/* -- encode_lift.c: blocks and blobs of lifted tiles -- */

/* Make the plan, and what threads need for it. */
bool encoder_plan_lift(struct encoder *e);
void encoder_free_lift(struct encoder *e);

/* Learn the coders anew, for what is lifted now. */
void encoder_train_tables(struct encoder *e, const struct lift_frames *frames,
                          uint32_t distance);

/* Write the payload of a part's channel, in the order of its hierarchy, to
 * thread->payload; returns its bytes. */
struct encoder_lifted_input {
    enum channel channel;
    const struct lift_hierarchy *hierarchy;
    const struct one_rings *rings; /* that QTangents may be guessed by */
    const void *values;
    /* of the same frame, where there are rings, and where those are by UVs */
    const void *positions;
    const void *uvs;
    bool has_guess_signs;              /* frames hold the sign of the guess */
    const void *from[LIFT_FRAMES_MAX]; /* the frames that it may refer to */
    uint32_t from_count;
    /* what the search finds; NULL: not known */
    const struct lift_prediction *found;
};
uint32_t encoder_payload(const struct encoder *e, struct encoder_thread *thread,
                         const struct encoder_lifted_input *input,
                         bool *is_temporal);

/* encode_distance.c: a part's channel in a frame that is there with all that it
 * refers to, in the thread's memory; `index`: among the frames. Shape, rings
 * and signs are the caller's to change. */
struct encoder_place {
    enum channel channel;
    uint32_t mesh;
    uint32_t part;
};
void encoder_load_target(const struct encoder *e,
                         const struct lift_frames *frames, uint32_t distance,
                         const struct encoder_place *at, uint32_t index,
                         bool has_positions, struct encoder_thread *thread,
                         struct lift_target *target);

/* The distance of index frames that suits what is lifted: LIFT_DISTANCE, or
 * twice that. The frames are those of groups of twice that. */
uint32_t encoder_choose_distance(struct encoder *e,
                                 const struct lift_frames *frames);

/* encode_tangents.c: choose for each lifted mesh how its QTangents are
 * predicted, and train the rings and the channel's weights of all its parts
 * (encode_tangents.h). Tables are trained later. */
void encoder_choose_tangents(struct encoder *e,
                             const struct lift_frames *frames,
                             uint32_t distance);

/* encode_choice.c: leave lifted what is smaller so, by some parts and frames
 * of each mesh. False after an internal refusal. */
bool encoder_choose_lifted(struct encoder *e, const struct lift_frames *frames,
                           uint32_t distance);

static inline bool encoder_has_lifted(const struct encoder *e)
{
    return e->plan.lifted_count > 0;
}

/* The clip's vertices in the order of a mesh's places; NULL: as they are. */
static inline const uint32_t *encoder_order(const struct encoder *e,
                                            uint32_t mesh)
{
    return e->plan.meshes ? e->plan.meshes[mesh].order : NULL;
}

/* A channel of a lifted tile; `from`: the same of frames that it may refer to;
 * positions and UVs of the same frame, NULL for what never changes; `frame`:
 * its number, of what never changes 0. As encoder_stream. */
bool encoder_lifted(struct encoder *e, struct encoder_thread *thread,
                    uint32_t tile, enum channel channel, uint32_t frame,
                    const void *values, const void *const *from,
                    uint32_t from_count, const void *positions, const void *uvs,
                    struct stream_result *result);

/* A part's hierarchy and its rings as they are stored: found once, then kept.
 */
struct wire_bytes encoder_hierarchy_wire(struct encoder *e,
                                         struct encoder_thread *thread,
                                         uint32_t mesh, uint32_t part);
struct wire_bytes encoder_rings_wire(struct encoder *e,
                                     struct encoder_thread *thread,
                                     uint32_t mesh, uint32_t part);

/* One of the blobs that only lifted tiles have (cache_blob_is_expanded). */
bool encoder_lift_blob(struct encoder *e, struct encoder_thread *thread,
                       const struct cache_blob *blob,
                       struct stream_result *result);

/* A run of indices, of which some belong to a lifted mesh or none do. */
bool encoder_indices(struct encoder *e, struct encoder_thread *thread,
                     const struct cache_blob *blob, const uint8_t *indices,
                     struct stream_result *result);

/* -- encode_frame.c -- */

/* Copy a part's vertices out of its mesh's. */
void encoder_copy_part(const struct encoder *e, const struct cache_part *part,
                       uint32_t channel, const uint8_t *values, uint8_t *out);

/* Take a frame's values out of what a clip produced. */
void encoder_gather(const struct encoder *e, const struct clip_frame *frame,
                    struct frame_values *out);

/* A frame as it lies in the file: directory and blocks, from their results. */
uint8_t *encoder_join(const struct encoder *e, uint32_t number,
                      const struct stream_result *results, struct arena *arena,
                      uint64_t *bytes);

/* -- encode_details.c: notes for the report -- */

/* Nothing where the options ask for no details. In the order of frames, one
 * at a time. */

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
