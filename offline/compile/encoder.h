/* encoder.h - what the files of the encoder share. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODER_H
#define OFFLINE_COMPILE_ENCODER_H

#include "common/workers.h"
#include "compile/encode.h"
#include "compile/search.h"

/* What one thread needs; turns of a workers_run get theirs by number. */
struct encoder_thread {
    struct arena arena; /* of the running loop's results */
    struct search_scratch scratch;
    uint8_t *check; /* BLOCK_RAW_BYTES_MAX: decoded again */
    void *codec_workspace;
    uint8_t *channel_scratch;
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
    struct layout layout;
    struct predict_entry **entries; /* per tile; NULL: no predictor */
    size_t *block_at;               /* per block */
    size_t frame_bytes;             /* of all blocks' values */
    struct cache_writer writer;
    struct block_notes *notes; /* per block; encode_details.c */
};

/* ---- encode_static.c: predictors and blobs ------------------------------- */

/* Search predictors with the help of a few frames. */
void encoder_find_predictors(struct encoder *e,
                             const struct clip_frame *samples,
                             uint32_t sample_count);

/* Encode all blobs; fills the layout's. NULL after a refusal. */
const uint8_t *encoder_make_blobs(struct encoder *e, uint64_t *bytes);

/* ---- encode_stream.c: one block or blob -----------------------------------
 */

struct stream_result {
    enum coding coding;
    enum residual_order order;
    uint8_t a;
    uint8_t b;
    uint8_t c;
    bool is_raw;
    bool is_absent;
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

/* ---- encode_frame.c ------------------------------------------------------ */

/* Take a frame's values out of what a clip produced. */
void encoder_gather(const struct encoder *e, const struct clip_frame *frame,
                    struct frame_values *out);

/* A frame as it lies in the file: directory and blocks, from their results. */
uint8_t *encoder_join(const struct encoder *e, uint32_t number,
                      const struct stream_result *results, struct arena *arena,
                      uint64_t *bytes);

/* ---- encode_details.c: notes for the report -------------------------------
 *
 * Nothing where the options ask for no details. In the order of frames, one
 * at a time. */

void encoder_note_start(struct encoder *e);
void encoder_note_errors(const struct encoder *e,
                         const struct clip_frame *frame);
void encoder_note_frame(const struct encoder *e, uint32_t number,
                        enum cache_frame_type type, uint64_t bytes,
                        const struct stream_result *results);
void encoder_note_end(const struct encoder *e);

/* ---- encode_group.c: frames ---------------------------------------------- */

/* Produce, encode and write all frames. */
bool encoder_frames(struct encoder *e);

#endif
