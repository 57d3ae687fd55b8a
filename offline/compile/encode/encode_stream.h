/* encode_stream.h - encodes one block or one blob by the classic codec.
 *
 * A stream is the values of one channel that are encoded together, to a block
 * or to a blob. The functions search the smallest coding, compress it, and
 * verify it by decoding it again. They run on any worker, with the memory of
 * that thread. Blocks of lifted tiles have functions of their own
 * (encode_lift.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_STREAM_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_STREAM_H

#include "compile/encode/encoder.h"

/* How a stream was encoded: the fields of cache_block_entry. */
struct stream_result {
    enum coding coding;
    enum residual_order order; /* of the bytes: interleaved, or in planes */
    /* Factors of the formulas of CODING_TEMPORAL (codec/classic/predict.h); 0
     * for any other coding. */
    uint8_t motion_factor; /* part of the motion that is added, in 128ths */
    uint8_t lerp_factor;   /* position of the frame between its two index
                            * frames, in 256ths of their distance */
    /* Weight of the prediction by motion, in 128ths. The prediction by
     * interpolation has the rest of 128. */
    uint8_t motion_weight;
    bool is_raw;           /* stored without compression */
    bool is_absent;        /* the frame does not contain the block */
    bool is_temporal;      /* predicted from other frames */
    uint32_t stored_bytes; /* bytes at `stored` */
    uint32_t checksum;     /* of these bytes */
    const uint8_t *stored; /* in the thread's arena */
};

/* Encode a stream. The caller has set channel, count, entries and the reference
 * frames of `stream`; the call chooses its coding and factors (search_stream).
 * False: the result did not decode to what was encoded. */
bool encoder_stream(struct encoder *e, struct encoder_thread *thread,
                    const struct predict_stream *stream, const void *values,
                    struct stream_result *result);

/* Encode bytes without a prediction. They are in the byte order of the file.
 * False as above. */
bool encoder_bytes(struct encoder *e, struct encoder_thread *thread,
                   const void *bytes, uint32_t count,
                   struct stream_result *result);

#endif
