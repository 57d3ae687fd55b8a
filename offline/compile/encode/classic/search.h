/* search.h - finds the smallest classic coding of a stream.
 *
 * A stream is one channel of one tile in one frame, or a static channel. A
 * coding is an order of the residuals (bit planes, or interleaved) and a
 * prediction (codec/classic/predict.h): none; in space; or, in B frames, in
 * time, with the weights a, b and c. The search compares estimates of the
 * compressor (compress/compress.h). The encoder calls it for every block and
 * blob (encode_stream.h). Any thread may search, each with a scratch of its
 * own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_CLASSIC_SEARCH_H
#define OFFLINE_COMPILE_ENCODE_CLASSIC_SEARCH_H

#include "codec/classic/planes.h"
#include "codec/classic/predict.h"
#include "compress/compress.h"

#include <stdbool.h>

/* The memory of one thread. The three arrays have BLOCK_RAW_BYTES_MAX bytes. */
struct search_scratch {
    void *workspace;    /* of the compressor */
    uint8_t *residuals; /* in the order of vertices */
    uint8_t *bytes;     /* the same in the stored order */
    uint8_t *target;    /* the compressed bytes */
};

struct search_result {
    enum coding coding;
    enum residual_order order; /* of the bytes: interleaved, or in planes */
    /* a, b and c of codec/classic/predict.h; 0 unless coding is
     * CODING_TEMPORAL. */
    uint8_t motion_factor;
    uint8_t lerp_factor;
    uint8_t motion_weight;
    bool is_raw;           /* stored without compression */
    uint32_t stored_bytes; /* bytes at `stored` */
    const uint8_t *stored; /* in the scratch until its next use */
};

/* Encode `values`. The caller sets channel, count, entries (NULL: no spatial
 * prediction) and references (NULL: no temporal prediction) of `stream`.
 * `orders`: the ORDER_BITs of the orders that may be chosen. A block that does
 * not become smaller is stored plain and interleaved, whatever `orders` says.
 */
#define ORDER_BIT(order) (1u << (order))
#define ORDERS_ALL (ORDER_BIT(ORDER_COUNT) - 1u)
void search_stream(const struct compressor *compressor, uint32_t orders,
                   const struct predict_stream *stream, const void *values,
                   struct search_scratch *scratch,
                   struct search_result *result);

/* Compress bytes without a prediction. */
void search_bytes(const struct compressor *compressor, const void *bytes,
                  uint32_t count, struct search_scratch *scratch,
                  struct search_result *result);

#endif
